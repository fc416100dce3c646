"""How fast a fetch goes, over its last seconds, and how long the rest will take at that pace."""

import time
from collections import deque
from collections.abc import Callable

WINDOW_S = 8.0
_LEAST_S = 1.0


class Speed:
    """Told the bytes that are there; bytes a second of the last `WINDOW_S`."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, int]] = deque()

    def saw(self, done: int) -> None:
        """A count that falls, as when a damaged part is fetched again, starts the measurement anew."""
        now = self._clock()
        if self._seen and done < self._seen[-1][1]:
            self._seen.clear()
        self._seen.append((now, done))
        while now - self._seen[0][0] > WINDOW_S and len(self._seen) > 2:
            self._seen.popleft()

    @property
    def bytes_per_s(self) -> float | None:
        """None before there is enough to tell, or when nothing has come for long."""
        if len(self._seen) < 2:
            return None
        begin, before = self._seen[0]
        seconds = max(self._clock(), self._seen[-1][0]) - begin
        return (self._seen[-1][1] - before) / seconds if seconds >= _LEAST_S else None

    def seconds_left(self, missing: int) -> float | None:
        pace = self.bytes_per_s
        return missing / pace if pace else None
