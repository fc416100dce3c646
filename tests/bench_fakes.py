"""Scripted contestants, rows and a store for the tests of the benchmark."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray

from engine.bench import run
from engine.bench.contestants import Answer
from engine.bench.loaded import Loaded
from engine.bench.options import BenchOptions
from engine.bench.prompts import Prompt
from engine.bench.rows import Outcome, Row
from engine.errors import SlipstreamError
from engine.events import Event, Failed, Finished, FinishReason
from engine.metrics import Stats
from engine.models.catalogue import Pair
from engine.request import Message, Request, Speculation


@dataclass
class ScriptedEngine:
    """Ten tokens an answer, at a speed and with a last token by mode; breaks off at `interrupt_at` requests."""

    speeds: dict[str, float] = field(default_factory=lambda: {"off": 10.0, "ngram": 20.0, "auto": 40.0})
    wrong: str | None = None
    failing: str | None = None
    interrupt_at: int | None = None
    requests: list[Request] = field(default_factory=list)
    forgotten: int = 0
    warm: bool = False
    kv_bytes: int = 3 * 2**20

    def unavailable(self, speculation: Speculation) -> str | None:
        return None if speculation in self.speeds else f"this pair has no {speculation}"

    def generate(self, request: Request) -> Generator[Event, None, None]:
        # the caches were emptied before this answer, or never
        assert self.forgotten == (0 if self.warm else len(self.requests) + 1)
        if len(self.requests) == self.interrupt_at:
            raise KeyboardInterrupt
        self.requests.append(request)
        mode = request.speculation.value
        if mode == self.failing and len(self.requests) > 6:
            yield Failed("The model could not go on.")
            return
        count = min(10, request.max_tokens)
        stats = Stats(
            tokens=count,
            target_passes=5,
            drafted=8,
            accepted=4,
            decode_s=count / self.speeds[mode],
            ttft_s=0.5,
            prompt_tokens=sum(len(message.content) for message in request.messages),
        )
        tokens = (*range(count - 1), 99 if mode == self.wrong else count)
        yield Finished(FinishReason.LENGTH, f"answer {len(self.requests)}", tokens, stats)

    def forget(self) -> None:
        self.forgotten += 1

    def next_logits(self, tokens: Sequence[int]) -> NDArray[np.float32]:
        """The more tokens, the wider the margin: a hundredth each."""
        return np.array([0.0, -5.0, 0.01 * len(tokens)], dtype=np.float32)


class OneStore:
    """Holds the pair "tiny" and nothing else."""

    def __init__(self, home: Path, installed: bool = True) -> None:
        self.home, self._installed = home, installed

    def pair(self, name: str) -> Pair:
        return Pair(name, "A tiny pair", "tiny-model", None)

    def is_installed(self, name: str) -> bool:
        return self._installed

    def missing(self, pair: Pair) -> list[str]:
        return [] if self._installed else list(pair.models)

    def installed(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name="tiny-model", sha256="abc")]


class LetterTokenizer:
    eos_ids = frozenset({0})

    def encode_chat(self, messages: Sequence[Message]) -> list[int]:
        return [ord(letter) for message in messages for letter in message.content]

    def decode(self, ids: Sequence[int]) -> str:
        return "".join(chr(i) for i in ids)


@dataclass
class Named:
    name: str
    plain: str = "a"
    heard: list[tuple[str, ...]] = field(default_factory=list)
    fails: bool = False

    def answer(self, messages: Sequence[Message], max_tokens: int, seed: int = 0) -> Answer:
        if self.fails:
            raise SlipstreamError("It broke.")
        self.heard.append(tuple(message.content for message in messages))
        return Answer((1, 2), f"{self.name}{len(self.heard)}", 0.5)


def run_with(engine: ScriptedEngine, options: BenchOptions, home: Path, installed: bool = True) -> str:
    loaded = Loaded(engine, LetterTokenizer(), True, 512, engine.forget, engine.next_logits)
    store = OneStore(home, installed)
    return run.run(options, load=lambda _store, _pair: loaded, store=store)  # type: ignore[arg-type]


def outcome(
    mode: str, tokens: Sequence[int], seconds: float, plain: str | None = "plain", repeat: int = 0
) -> Outcome:
    answers = (
        Answer(tuple(tokens[:1]), "", seconds / 2, ttft_s=1.0, passes=1, drafted=3, accepted=1),
        Answer(tuple(tokens[1:]), "", seconds / 2, ttft_s=2.0, passes=1, drafted=5, accepted=3),
    )
    return Outcome(Prompt("p", "chat", ("a", "b")), mode, plain, repeat, answers)


def row(
    prompt: str,
    category: str,
    mode: str,
    speed: float,
    repeat: int = 0,
    *,
    identical: bool = True,
    context: int | None = None,
) -> Row:
    return Row(
        prompt_id=prompt,
        category=category,
        mode=mode,
        tokens=100,
        seconds=100 / speed,
        tokens_per_second=speed,
        tokens_per_pass=2.0,
        acceptance_rate=None,
        identical_to_plain=identical,
        first_divergence=None if identical else 3,
        repeat=repeat,
        ttft_s=0.25,
        peak_memory_bytes=None,
        busy_elsewhere=None,
        divergence_margin=None if identical else 0.5,
        seed=1,
        context=context,
        prompt_tokens=100,
        kv_bytes=None if context is None else context * 1000,
    )
