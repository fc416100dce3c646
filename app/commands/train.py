"""`slipstream train`: arguments and progress here, the work in engine.train."""

import time
from argparse import Namespace
from collections.abc import Callable

from app import INTERRUPTED
from app.commands.streams import say, tell
from app.commands.terminal import interruptible
from engine.models.store import ModelStore

REPORT_EVERY = 10.0  # seconds


def run(options: Namespace, store: ModelStore) -> int:
    return _STEPS[options.step](options, store)


def duration(seconds: float) -> str:
    """1:02:03"""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


class Throttle:
    """Tells at most one line every few seconds, and always the first."""

    def __init__(self, every: float = REPORT_EVERY, clock: Callable[[], float] = time.monotonic) -> None:
        self._every, self._clock = every, clock
        self._next = clock()

    def __call__(self, line: str) -> None:
        if self._clock() >= self._next:
            self._next = self._clock() + self._every
            tell(line)


def _generate(options: Namespace, store: ModelStore) -> int:
    from engine.train.generate import Tally
    from engine.train.generation_run import GenerationRun

    work = GenerationRun.open(options, store)
    throttle = Throttle()

    def report(tally: Tally) -> None:
        throttle(
            f"{tally.answers:,} answers, {tally.tokens:,} tokens, {tally.rate:.0f} tokens/s "
            f"({tally.rows / max(tally.seconds, 1e-9):.0f} rows/s), {duration(tally.seconds_left)} left"
        )

    with interruptible() as cancel:
        tally = work.run(report, cancel)
    say(
        f"{tally.answers:,} new answers with {tally.tokens:,} tokens in {duration(tally.seconds)}, "
        f"{tally.rate:.0f} tokens/s; {tally.left:,} left."
    )
    return INTERRUPTED if cancel.is_set() else 0


_STEPS: dict[str, Callable[[Namespace, ModelStore], int]] = {"generate": _generate}
