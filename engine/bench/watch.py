"""What the operating system tells: how busy other programs were (the measure of a result's noise), and peak memory."""

import sys
import time
from dataclasses import dataclass
from pathlib import Path
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


def peak_memory_bytes(status: Path = Path("/proc/self/status")) -> int:
    """Highest resident size of this process so far.

    On Linux from `status`: getrusage's figure of a new process begins with the peak of the one that started it.
    """
    if sys.platform == "win32":
        return int(psutil.Process().memory_info().peak_wset)
    if status.exists():
        peaks = [line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM:")]
        if peaks:
            return int(peaks[0]) * 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak) if sys.platform == "darwin" else int(peak) * 1024
