"""Progress and cancel in one object that travels through every long job on model files."""

import math
import threading
import time
from collections.abc import Callable

from engine.errors import SlipstreamError
from engine.events import Progress

Listener = Callable[[Progress], None]

_INTERVAL_S = 0.1
_PAUSE_SLICE_S = 0.1
_CONTINUES = "Stopped: what has arrived is kept, and the next try continues from there."


class CancelledError(SlipstreamError):
    """The user stopped the job: nothing is wrong and what has arrived is kept."""


class Meter:
    """Counts a job's bytes, tells the listener up to ten times a second, raises CancelledError."""

    def __init__(
        self,
        progress: Listener | None = None,
        cancel: threading.Event | None = None,
        clock: Callable[[], float] = time.monotonic,
        stopped: str = _CONTINUES,
    ) -> None:
        """`stopped`: what is said of the job when it was cancelled."""
        self._progress = progress
        self._cancel = cancel
        self._clock = clock
        self._stopped = stopped
        self._next_report = -math.inf
        self._unreported = False
        self.stage = ""
        self.total = 0
        self.done = 0
        self._base = 0

    def enter(self, stage: str, total: int | None = None, done: int | None = None) -> None:
        """A new stage, told at once; totals and counts stay as they are unless given."""
        self.stage = stage
        self.total = self.total if total is None else total
        self.done = self.done if done is None else done
        self._base = self.done if done is not None else self._base
        self._report()

    def rebase(self, base: int, total: int) -> None:
        """From now on `at(n)` means base + n of total: one file among several."""
        self._base, self.total = base, total

    def at(self, position: int) -> None:
        """`position` bytes of the current file are there."""
        self.done = self._base + position
        self._changed()

    def add(self, size: int) -> None:
        self.done += size
        self._changed()

    def tick(self) -> None:
        """To be called every 0.1 s while waiting: reports what is due, or raises CancelledError."""
        if self._cancel is not None and self._cancel.is_set():
            raise CancelledError(self._stopped)
        if self._unreported and self._clock() >= self._next_report:
            self._report()

    def pause(self, seconds: float, sleep: Callable[[float], None]) -> None:
        """Waits without becoming deaf to a cancel."""
        while seconds > 0:
            self.tick()
            sleep(min(seconds, _PAUSE_SLICE_S))
            seconds -= _PAUSE_SLICE_S
        self.tick()

    def finish(self) -> None:
        """Tells the last state, which the limit on reports may have held back."""
        if self._unreported:
            self._report()

    def _changed(self) -> None:
        self._unreported = True
        self.tick()

    def _report(self) -> None:
        self._unreported = False
        self._next_report = self._clock() + _INTERVAL_S
        if self._progress is not None:
            self._progress(Progress(self.stage, self.done, max(self.total, self.done)))
