"""An engine and a model store without models: the window's tests say what they do and when."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray

from engine.context import Fitted, fit
from engine.detokeniser import Vocabulary
from engine.events import Delta, Event, Finished, FinishReason, Progress, Started
from engine.metrics import Stats
from engine.models.catalogue import Catalogue, Pair
from engine.request import Message, Request, Speculation

PATIENCE_S = 10.0


@dataclass
class Script:
    """What the next answers are. `gate`: the engine waits for it before the block with index `gate_at`."""

    blocks: Sequence[str] = ("Hello ", "there.")
    error: Exception | None = None  # raised after the blocks
    events: Sequence[Event] | None = None  # instead of everything else
    gate: threading.Event | None = None
    gate_at: int = 1
    deaf: bool = False  # ignores cancel, as an engine inside one long pass does
    unavailable: str | None = None
    opens_thinking: str = ""
    tokenizer: Vocabulary | None = None
    swap_error: Exception | None = None


@dataclass
class FakeEngine:
    pair: Pair
    script: Script
    requests: list[Request] = field(default_factory=list)
    exact: bool = True
    context_limit: int = 4096
    closed: bool = False

    @property
    def opens_thinking(self) -> str:
        return self.script.opens_thinking

    @property
    def tokenizer(self) -> Vocabulary | None:
        return self.script.tokenizer

    def unavailable(self, speculation: Speculation) -> str | None:
        return None if speculation is Speculation.OFF else self.script.unavailable

    def count_tokens(self, messages: Sequence[Message]) -> int:
        return sum(len(message.content.split()) for message in messages)

    def fitted(self, request: Request) -> Fitted:
        room = self.context_limit - min(request.max_tokens, self.context_limit // 4)
        return fit(request.messages, self.count_tokens, room, request.overflow)

    def prompt_tokens(self, request: Request) -> list[int]:
        return list(range(self.count_tokens(request.messages)))

    def next_logits(self, tokens: Sequence[int]) -> NDArray[np.float32]:
        """Token 2 a quarter before all others."""
        return np.where(np.arange(100) == 2, 2.0, 1.75).astype(np.float32)

    def spelling(self, token: int) -> str:
        return f"token {token}"

    def forget(self) -> None:
        """It remembers nothing."""

    def generate(self, request: Request, cancel: threading.Event | None = None) -> Iterator[Event]:
        self.requests.append(request)
        if self.script.events is not None:
            yield from self.script.events
            return
        yield Started(prompt_tokens=5, reused_tokens=0, ttft_s=0.01)
        said: list[str] = []
        cancelled = False
        for index, block in enumerate(self.script.blocks):
            if self.script.gate is not None and index == self.script.gate_at:
                cancelled = not self._pass(self.script.gate, cancel)
            if cancelled or (cancel is not None and cancel.is_set()):
                break
            said.append(block)
            yield delta(block, len(said))
        if self.script.error is not None:
            raise self.script.error
        reason = FinishReason.CANCELLED if cancelled else FinishReason.STOP
        yield Finished(reason, "".join(said), tuple(range(len(said))), stats(len(said)))

    def swap(self, pair: Pair, progress: Callable[[Progress], None]) -> bool:
        if pair.target != self.pair.target or pair.draft == self.pair.draft:
            return False
        if self.script.swap_error is not None:
            raise self.script.swap_error
        self.pair = pair
        return True

    def close(self) -> None:
        self.closed = True

    def _pass(self, gate: threading.Event, cancel: threading.Event | None) -> bool:
        """Waits at the gate; False when cancelled meanwhile."""
        for _ in range(int(PATIENCE_S * 100)):
            if gate.wait(0.01):
                return True
            if cancel is not None and cancel.is_set() and not self.script.deaf:
                return False
        return True


@dataclass
class Workshop:
    """An engine factory that remembers what it built."""

    script: Script = field(default_factory=Script)
    engines: list[FakeEngine] = field(default_factory=list)
    load_error: Exception | None = None
    stages: Sequence[Progress] = ()

    def __call__(self, pair: Pair, progress: Callable[[Progress], None]) -> FakeEngine:
        for stage in self.stages:
            progress(stage)
        if self.load_error is not None:
            raise self.load_error
        self.engines.append(FakeEngine(pair, self.script))
        return self.engines[-1]

    @property
    def requests(self) -> list[Request]:
        return [request for engine in self.engines for request in engine.requests]


class FakeStore:
    """Knows the shipped catalogue; `have` holds the names of the installed models."""

    def __init__(self, *have: str, fetch_error: Exception | None = None) -> None:
        self.catalogue = Catalogue.load()
        self.have = set(have)
        self.fetch_error = fetch_error
        self.gate: threading.Event | None = None

    @classmethod
    def with_starter(cls) -> "FakeStore":
        store = cls()
        store.have.update(store.pair("starter").models)
        return store

    def installed(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name=name, sha256=f"{len(name):064x}") for name in sorted(self.have)]

    def note_use(self, models: Iterable[str]) -> None:
        pass

    def is_installed(self, name: str) -> bool:
        return name in self.have

    def missing(self, pair: Pair) -> list[str]:
        return [name for name in pair.models if name not in self.have]

    def pairs(self) -> list[Pair]:
        return list(self.catalogue.pairs.values())

    def pair(self, name: str) -> Pair:
        return self.catalogue.pairs[name]

    def missing_bytes(self, pair: Pair) -> int:
        return sum(
            self.catalogue.models[name].download_bytes for name in pair.models if name not in self.have
        )

    def fetch(
        self,
        name: str,
        progress: Callable[[Progress], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> None:
        total = self.missing_bytes(self.pair(name))
        if progress is not None:
            progress(Progress("download", total // 2, total))
        if self.gate is not None and cancel is not None:
            while not self.gate.wait(0.01):
                if cancel.is_set():
                    raise RuntimeError("cancelled")
        if self.fetch_error is not None:
            raise self.fetch_error
        self.have.update(self.pair(name).models)


def delta(text: str, tokens: int = 1, accepted: int = 0) -> Delta:
    """One pass; `tokens` is how many the answer has after it."""
    return Delta(
        text,
        (tokens,),
        tuple(range(accepted)),
        accepted,
        "draft" if accepted else "plain",
        0.01,
        stats(tokens),
    )


def stats(tokens: int) -> Stats:
    return Stats(
        prompt_tokens=5, tokens=tokens, target_passes=tokens, decode_s=0.01 * tokens, tokens_per_second=100.0
    )
