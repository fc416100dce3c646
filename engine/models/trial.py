"""A short measurement of what a loaded pair's drafter is worth: our own prompts, plainly and with speculation in turn.

Each answer gets its share of the time and is then broken off; both sides of a prompt get the same. What is compared is
decoding alone, greedy, after a short answer that is not counted.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Protocol

from engine.bench.prompts import load_prompts, spread
from engine.errors import SlipstreamError
from engine.events import Delta, Event, Failed, Progress
from engine.metrics import Stats
from engine.models.catalogue import Pair
from engine.models.gains_file import GainsFile, Trial
from engine.models.store import ModelStore
from engine.request import Message, Request, Speculation

SECONDS = 20.0
PROMPTS = 3
MOST_TOKENS = 400  # of an answer
WARM_UP_TOKENS = 12
WARM_UP_SHARE = 0.5  # of an answer's time that this takes


Measure = Callable[["TrialEngine", threading.Event], Iterator["Trying | Trial"]]


class TrialEngine(Protocol):
    """What a trial needs of `engine.engine.Engine`."""

    @property
    def pair(self) -> Pair: ...
    def swap(self, pair: Pair, progress: Callable[[Progress], None]) -> bool: ...
    def generate(self, request: Request, cancel: threading.Event | None = None) -> Iterator[Event]: ...


@dataclass(frozen=True, slots=True)
class Trying:
    """`done`: share of the trial, 0 to 1. Tokens per second so far, None before the first."""

    done: float
    plain: float | None = None
    drafted: float | None = None


@dataclass(slots=True)
class _Side:
    tokens: int = 0
    seconds: float = 0.0
    guesses: int = 0
    right: int = 0

    def add(self, stats: Stats) -> None:
        self.tokens += stats.tokens
        self.seconds += stats.decode_s
        self.guesses += stats.drafted
        self.right += stats.accepted

    @property
    def speed(self) -> float | None:
        return self.tokens / self.seconds if self.tokens and self.seconds else None


def try_pair(
    engine: TrialEngine,
    store: ModelStore,
    pair: Pair,
    report: Callable[[Progress | Trying], None],
    cancel: threading.Event,
    *,
    measure: Measure | None = None,
) -> Trial | None:
    """Tries a pair with the engine's target and puts the engine's own drafter back; None when it was cancelled.

    What was measured is kept for these two models. Errors: SlipstreamError.
    """
    before = engine.pair
    try:
        if pair.draft != before.draft and not engine.swap(pair, report):
            raise SlipstreamError(
                "This drafter needs the model prepared anew: use it for the chat first, then it can be tried."
            )
        *_, last = _told((measure or trial)(engine, cancel), report)
    finally:
        if engine.pair != before:
            engine.swap(before, lambda _progress: None)
    if not isinstance(last, Trial):
        return None
    hashes = {model.name: model.sha256 for model in store.installed()}
    GainsFile(store.home).keep(hashes.get(pair.target, ""), hashes.get(pair.draft or "", ""), last)
    return last


def _told(
    steps: Iterator[Trying | Trial], report: Callable[[Progress | Trying], None]
) -> Iterator[Trying | Trial]:
    for step in steps:
        if isinstance(step, Trying):
            report(step)
        yield step


def trial(
    engine: TrialEngine,
    cancel: threading.Event,
    seconds: float = SECONDS,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[Trying | Trial]:
    """Trying a few times, then Trial, unless it is cancelled. Errors: SlipstreamError."""
    requests = [_request(prompt.turns[0]) for prompt in spread(load_prompts(), PROMPTS)]
    sides = {Speculation.OFF: _Side(), Speculation.AUTO: _Side()}
    yield Trying(0.0)
    turns = [(request, mode) for n, request in enumerate(requests) for mode in list(sides)[:: (-1) ** n]]
    share = seconds / (len(turns) + WARM_UP_SHARE)
    _answer(engine, replace(requests[0], max_tokens=WARM_UP_TOKENS), cancel, share * WARM_UP_SHARE, clock)
    for number, (request, mode) in enumerate(turns, 1):
        stats = _answer(engine, replace(request, speculation=mode), cancel, share, clock)
        if cancel.is_set():
            return
        if stats is not None:
            sides[mode].add(stats)
        yield Trying(number / len(turns), sides[Speculation.OFF].speed, sides[Speculation.AUTO].speed)
    yield _result(sides[Speculation.OFF], sides[Speculation.AUTO])


def _request(text: str) -> Request:
    return Request((Message("user", text),), max_tokens=MOST_TOKENS, baseline=False)


def _answer(
    engine: TrialEngine,
    request: Request,
    cancel: threading.Event,
    seconds: float,
    clock: Callable[[], float],
) -> Stats | None:
    """Of what came within the time, reading the prompt included; two passes at least."""
    stats, passes, began = None, 0, clock()
    events: Any = engine.generate(request, cancel)
    with closing(events):
        for event in events:
            if isinstance(event, Failed):
                raise SlipstreamError(event.message)
            if not isinstance(event, Delta):
                continue
            stats, passes = event.stats, passes + 1
            if passes > 1 and clock() - began >= seconds:
                break
    return stats


def _result(plain: _Side, drafted: _Side) -> Trial:
    if not plain.speed or not drafted.speed:
        raise SlipstreamError("The model wrote nothing that could be timed: try another draft.")
    accepted = drafted.right / drafted.guesses if drafted.guesses else None
    return Trial(plain.speed, drafted.speed, accepted, date.today().isoformat())
