"""Other programs with the same weights. Every mode of every peer has a process of its own that sleeps while the others
are measured, and the settings that a small sweep found to be its fastest.
"""

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from engine.bench.contestants import Answer
from engine.bench.peer_process import PeerProcess
from engine.bench.session import warm_up
from engine.bench.sweep import Settings, Sweep, axes, described
from engine.errors import SlipstreamError
from engine.installation import how_to_add
from engine.request import Message

LIBRARIES = {"openvino-genai": "openvino_genai", "llama-cpp": "llama_cpp"}
DISTRIBUTIONS = {
    "openvino-genai": ("openvino-genai", "openvino-tokenizers"),
    "llama-cpp": ("llama-cpp-python",),
}
LOAD_SETTINGS = ("compile", "flash_attention", "threads")  # a change needs a fresh process


class ChatTokenizer(Protocol):
    """What peers need of engine.tokenizer.Tokenizer: they get the very token ids that Slipstream gets."""

    eos_ids: frozenset[int]

    def encode_chat(self, messages: Sequence[Message]) -> list[int]: ...
    def decode(self, ids: Sequence[int]) -> str: ...


@dataclass(frozen=True, slots=True)
class PeerModels:
    """Model folders (model.gguf and the conversions), a folder for what a peer must write, and thread counts to try."""

    target: Path
    draft: Path | None
    scratch: Path
    threads: tuple[int, ...]
    context: int

    def request(self, operation: str) -> dict[str, Any]:
        return {
            "op": operation,
            "target": str(self.target),
            "draft": str(self.draft) if self.draft else None,
            "scratch": str(self.scratch),
            "context": self.context,
        }


def require(peers: Sequence[str]) -> None:
    """Errors: SlipstreamError when a peer's library is not installed."""
    for peer in peers:
        if importlib.util.find_spec(LIBRARIES[peer]) is None:
            raise SlipstreamError(
                f"The peer '{peer}' needs a library that is not installed: {how_to_add('bench')}."
            )


@dataclass(frozen=True, slots=True)
class PeerMode:
    """A peer in one of its modes. Sampled answers are compared with none: peers can't repeat them."""

    process: PeerProcess
    mode: str
    settings: Settings
    tokenizer: ChatTokenizer
    temperature: float = 0.0

    @property
    def name(self) -> str:
        return f"{self.process.peer}:{self.mode}"

    @property
    def plain(self) -> str | None:
        return None if self.temperature else f"{self.process.peer}:plain"

    def answer(self, messages: Sequence[Message], max_tokens: int, seed: int = 0) -> Answer:
        request = {
            "op": "generate",
            "prompt": self.tokenizer.encode_chat(messages),
            "max_tokens": max_tokens,
            "ends": sorted(self.tokenizer.eos_ids),
            "settings": self.settings,
            "temperature": self.temperature,
            "seed": seed,
        }
        reply = self.process.ask(request)
        return Answer(
            **{**reply, "tokens": tuple(reply["tokens"]), "text": self.tokenizer.decode(reply["tokens"])}
        )


class Peer:
    """One peer with its modes' processes. `start` makes a process (tests give another)."""

    def __init__(
        self,
        name: str,
        models: PeerModels,
        tokenizer: ChatTokenizer,
        temperature: float = 0.0,
        start: Callable[[str], PeerProcess] = PeerProcess,
    ) -> None:
        self.name, self._models, self._tokenizer, self._temperature = name, models, tokenizer, temperature
        self._start = start
        self._processes: dict[tuple[Any, ...], PeerProcess] = {}

    @property
    def modes(self) -> tuple[str, ...]:
        drafts = self.name == "openvino-genai" and self._models.draft is not None
        return ("plain", "lookup", "draft") if drafts else ("plain", "lookup")

    def prepare(self) -> None:
        """Files for the peer, written in a process that ends: its memory is not the peer's."""
        if self.name != "openvino-genai":
            return
        process = self._start(self.name)
        try:
            process.ask(self._models.request("prepare"))
        finally:
            process.close()

    def tuned(
        self, mode: str, prompts: Sequence[Sequence[Message]], tell: Callable[[str], None]
    ) -> tuple[PeerMode, dict[str, Any]]:
        """The mode with the best of its settings, and what the sweep measured. Errors: SlipstreamError."""
        sweep = Sweep(
            lambda settings: self._open(mode, settings), lambda best: self._keep(mode, best), prompts
        )
        try:
            best = sweep.best(axes(self.name, mode, self._models.threads))
            tuned = self._open(mode, best)
        except SlipstreamError:
            self._keep(mode, None)
            raise
        tell(f"{tuned.name}: {described(best)} was the fastest of {len(sweep.tried)}")
        return tuned, {"chosen": best, "tried": sweep.tried, "cut_short": sweep.cut_short}

    def close(self) -> None:
        for process in self._processes.values():
            process.close()
        self._processes.clear()

    def _open(self, mode: str, settings: Settings) -> PeerMode:
        key = _key(mode, settings)
        if key not in self._processes:
            self._processes[key] = self._warm(mode, settings)
        return self._mode(self._processes[key], mode, settings)

    def _warm(self, mode: str, settings: Settings) -> PeerProcess:
        """A fresh process that has answered once, so that no setting is measured cold."""
        process = self._start(self.name)
        try:
            process.ask({**self._models.request("load"), "mode": mode, "settings": settings})
            warm_up([self._mode(process, mode, settings)])
        except BaseException:
            process.close()
            raise
        return process

    def _mode(self, process: PeerProcess, mode: str, settings: Settings) -> PeerMode:
        return PeerMode(process, mode, settings, self._tokenizer, self._temperature)

    def _keep(self, mode: str, best: Settings | None) -> None:
        """End the mode's processes but the one with the load settings of `best`."""
        kept = None if best is None else _key(mode, best)
        for key in [key for key in self._processes if key[0] == mode and key != kept]:
            self._processes.pop(key).close()


def _key(mode: str, settings: Settings) -> tuple[Any, ...]:
    return (mode, *(settings.get(name) for name in LOAD_SETTINGS))
