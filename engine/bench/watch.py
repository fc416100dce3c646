"""How busy other programs kept the processor during an answer: the reader's measure of a result's noise."""

import time
from dataclasses import dataclass
from typing import Self

import psutil

NOT_BUSY = ("idle", "iowait")
COUNTED_TWICE = ("guest", "guest_nice")  # parts of user and nice


@dataclass(frozen=True, slots=True)
class Reading:
    """Seconds since some start: of the wall clock, of all processors busy, of this process and its children."""

    wall: float
    busy: float
    own: float

    @classmethod
    def now(cls) -> Self:
        times = psutil.cpu_times()._asdict()
        busy = sum(value for name, value in times.items() if name not in (*NOT_BUSY, *COUNTED_TWICE))
        return cls(time.monotonic(), busy, _own_seconds())

    def busy_elsewhere(self, later: "Reading", processors: int) -> float | None:
        """Share of the machine's processor time from here to `later` that others took, 0 to 1."""
        capacity = (later.wall - self.wall) * processors
        if capacity <= 0:
            return None
        others = (later.busy - self.busy) - (later.own - self.own)
        return min(max(others / capacity, 0.0), 1.0)


def _own_seconds() -> float:
    process = psutil.Process()
    total = 0.0
    for each in (process, *process.children(recursive=True)):
        try:
            times = each.cpu_times()
        except psutil.Error:  # a child that has just ended
            continue
        total += times.user + times.system
    return total


def processors() -> int:
    return psutil.cpu_count() or 1
