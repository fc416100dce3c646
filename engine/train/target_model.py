"""The installed model whose answers are learnt: its weights, its words, and what the records say about it."""

from dataclasses import dataclass
from typing import Any, Self

from engine.bench.prompts import Prompt
from engine.errors import SlipstreamError
from engine.graphs.convert import converted_weights
from engine.graphs.weights import Weights
from engine.models import manifest
from engine.models.store import ModelStore
from engine.request import Message
from engine.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class TargetModel:
    """`identity` goes into every folder that training writes, so that data of two models never mix."""

    name: str
    sha256: str
    licence: str
    tokenizer: Tokenizer
    weights: Weights

    @classmethod
    def load(cls, store: ModelStore, name: str) -> Self:
        """The target of a pair, or a model by its own name. Errors: SlipstreamError when it is not installed."""
        target = store.pair(name).target
        if not store.is_installed(target):
            raise SlipstreamError(
                f"“{target}” is not installed: run 'slipstream models fetch {target}' first."
            )
        folder = store.path(target)
        about = manifest.read(folder)
        tokenizer = Tokenizer.from_gguf(folder / manifest.MODEL_FILE)
        return cls(target, about.sha256, about.licence or "", tokenizer, converted_weights(folder))

    @property
    def identity(self) -> dict[str, Any]:
        return {"model": self.name, "model_sha256": self.sha256}

    def encode(self, prompt: Prompt) -> list[int]:
        """The first turn as the tokens after which the answer begins."""
        return self.tokenizer.encode_chat([Message("user", prompt.turns[0])])
