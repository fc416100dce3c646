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
        about = next((model for model in store.installed() if model.name == target), None)
        if about is None:
            raise SlipstreamError(
                f"“{target}” is not installed: run 'slipstream models fetch {target}' first."
            )
        folder = store.path(target)
        tokenizer = Tokenizer.from_gguf(folder / manifest.MODEL_FILE)
        weights = converted_weights(folder)
        if weights.architecture.linear:
            raise SlipstreamError(
                f"“{target}” has layers of linear attention, for which drafters can't be trained yet: "
                "choose a model with attention in every layer, or a published drafter."
            )
        return cls(target, about.sha256, about.licence, tokenizer, weights)

    @property
    def identity(self) -> dict[str, Any]:
        return {"model": self.name, "model_sha256": self.sha256}

    def encode(self, prompt: Prompt) -> list[int]:
        """The first turn as the tokens after which the answer begins."""
        return self.tokenizer.encode_chat([Message("user", prompt.turns[0])])

    @property
    def mask_token(self) -> int:
        """A control token that no chat holds stands for "not known yet"; its embedding is as good as any."""
        tokens = self.tokenizer
        idle = tokens.special_ids - tokens.eos_ids - {tokens.bos_id}
        return min(idle, default=self.weights.architecture.vocab - 1)
