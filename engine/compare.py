"""One request answered plainly and with speculation in turn, never at once: the same text, and how much sooner?

Both sides read the prompt from empty caches each time, so that neither finds what the other left there, and times to
the first token can be compared. The order is A B, B A, A B: a machine that grows slower hits both alike. One short
answer of each side, not counted, comes before: first passes allocate memory and teach the pace its costs.
"""

import threading
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.bench import watch
from engine.bench.rows import first_divergence
from engine.bench.session import WARM_UP, WARM_UP_TOKENS
from engine.comparison import Comparison, Divergence, Run, Side
from engine.errors import SlipstreamError
from engine.events import Delta, Event, Failed, Finished, FinishReason, Reading
from engine.metrics import Stats
from engine.request import Request, Speculation
from engine.sampling import Rule

REPEATS = 3


class CompareEngine(Protocol):
    """What a comparison needs of `engine.engine.Engine`."""

    @property
    def exact(self) -> bool: ...
    def unavailable(self, speculation: Speculation) -> str | None: ...
    def generate(self, request: Request, cancel: threading.Event | None = None) -> Iterator[Event]: ...
    def forget(self) -> None: ...
    def prompt_tokens(self, request: Request) -> list[int]: ...
    def next_logits(self, tokens: Sequence[int]) -> NDArray[np.float32]: ...
    def spelling(self, token: int) -> str: ...


@dataclass(frozen=True, slots=True)
class Began:
    """An answer begins: the `number`-th of `total`, both counted from 1. `repeat` counts from 0."""

    side: Side
    repeat: int
    number: int
    total: int


@dataclass(frozen=True, slots=True)
class Advanced:
    """One pass: text that came, and the statistics of this answer up to here."""

    side: Side
    text: str
    stats: Stats


@dataclass(frozen=True, slots=True)
class PromptRead:
    """So many of a long prompt's tokens are in the KV cache."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Measured:
    """All that is known after one more answer; after the last one `comparison.complete` is true."""

    comparison: Comparison


CompareEvent = Began | PromptRead | Advanced | Measured


def compare(
    engine: CompareEngine, request: Request, repeats: int = REPEATS, cancel: threading.Event | None = None
) -> Iterator[CompareEvent]:
    """`request` as it is, with its way to speculate, against the same one decoded plainly.

    `cancel` ends it between two passes: what the last `Measured` told stands. Errors: SlipstreamError.
    """
    check(engine, request, repeats)
    halt = cancel or threading.Event()
    requests = {
        Side.PLAIN: replace(request, speculation=Speculation.OFF, draft_tokens=None, baseline=False),
        Side.SPECULATIVE: replace(request, baseline=False),
    }
    comparison = Comparison(request, repeats, engine.exact)
    for side in Side:
        _warm_up(engine, requests[side], halt)
    steps = list(turns(repeats))
    for number, (side, repeat) in enumerate(steps, 1):
        if halt.is_set():
            return
        yield Began(side, repeat, number, len(steps))
        run = yield from _answered(engine, requests[side], side, repeat, halt)
        if run is None:
            return
        comparison = replace(comparison, runs=(*comparison.runs, run))
        divergence = comparison.divergence or _divergence(engine, comparison)
        comparison = replace(comparison, divergence=divergence)
        yield Measured(comparison)


def check(engine: CompareEngine, request: Request, repeats: int) -> None:
    """Errors: SlipstreamError when there would be nothing to compare."""
    if repeats < 1:
        raise SlipstreamError("The number of repeats must be 1 or more.")
    if request.speculation is Speculation.OFF:
        raise SlipstreamError("Plain decoding can't be compared with itself: choose a way to speculate.")
    reason = engine.unavailable(request.speculation)
    if reason is not None:
        raise SlipstreamError(f"There is nothing to compare: {reason}. Choose another pair.")


def turns(repeats: int) -> Iterator[tuple[Side, int]]:
    """A B, B A, A B ..."""
    for repeat in range(repeats):
        order = list(Side) if repeat % 2 == 0 else list(Side)[::-1]
        for side in order:
            yield side, repeat


def _warm_up(engine: CompareEngine, request: Request, cancel: threading.Event) -> None:
    engine.forget()
    short = replace(request, messages=(WARM_UP,), max_tokens=min(request.max_tokens, WARM_UP_TOKENS), stop=())
    for event in engine.generate(short, cancel):
        if isinstance(event, Failed):
            raise SlipstreamError(event.message)


def _answered(
    engine: CompareEngine, request: Request, side: Side, repeat: int, cancel: threading.Event
) -> Generator[Advanced | PromptRead, None, Run | None]:
    """Passes on what comes; the whole answer, or None when it was cancelled."""
    engine.forget()
    before, began = watch.Reading.now(), time.perf_counter()
    for event in engine.generate(request, cancel):
        if isinstance(event, Failed):
            raise SlipstreamError(event.message)
        if isinstance(event, Reading):
            yield PromptRead(event.done, event.total)
        elif isinstance(event, Delta):
            yield Advanced(side, event.text, event.stats)
        elif isinstance(event, Finished):
            if event.reason is FinishReason.CANCELLED:
                return None
            seconds = time.perf_counter() - began
            elsewhere = before.busy_elsewhere(watch.Reading.now(), watch.processors())
            return Run(side, repeat, event, seconds, elsewhere)
    raise SlipstreamError("The answer ended without a result; run slipstream doctor.")


def _divergence(engine: CompareEngine, comparison: Comparison) -> Divergence | None:
    """Of the latest answer from the first plain one."""
    reference, latest = comparison.reference, comparison.runs[-1]
    if reference is None or latest is reference:
        return None
    position = first_divergence(reference.tokens, latest.tokens)
    if position is None:
        return None
    ours, theirs = (_token_at(run.tokens, position) for run in (reference, latest))
    return Divergence(
        position=position,
        expected=ours,
        found=theirs,
        expected_text="" if ours is None else engine.spelling(ours),
        found_text="" if theirs is None else engine.spelling(theirs),
        side=latest.side,
        repeat=latest.repeat,
        margin=_margin(engine, comparison.request, reference.tokens[:position], ours, theirs),
    )


def _token_at(tokens: Sequence[int], position: int) -> int | None:
    return tokens[position] if position < len(tokens) else None


def _margin(
    engine: CompareEngine, request: Request, answered: Sequence[int], expected: int | None, found: int | None
) -> float | None:
    """How close a call it was, in logits: rounding can only decide between tokens that are nearly equal."""
    if expected is None or found is None:
        return None
    prompt, rule = engine.prompt_tokens(request), Rule(request.sampling)
    history = rule.history(prompt)
    if history is not None:
        for token in answered:
            history.push(token)
    known = [*prompt, *answered]
    return abs(rule.lead(engine.next_logits(known), len(known), expected, found, history))
