"""Stop strings in a stream of text: what may be shown now, and where the answer ends."""

from bisect import bisect_left
from collections.abc import Iterable


class StopMatcher:
    """Holds back only a suffix that could still begin a stop string; the stop string itself is never shown.

    The stop string that is complete first ends the answer (of two that end together, the longer one), so the
    kept text does not depend on how the stream was cut into pushes.
    """

    def __init__(self, stops: Iterable[str] = ()) -> None:
        self._stops = tuple(stop for stop in dict.fromkeys(stops) if stop)
        self._longest = max(map(len, self._stops), default=0)
        self._held = ""
        self._shown = 0  # characters
        self._ends: list[int] = []  # where each push ended, in characters
        self.stopped = False

    def push(self, text: str) -> tuple[str, bool]:
        """(text that is safe to show, whether a stop string was completed). After a stop, text is ignored."""
        if self.stopped:
            return "", True
        pending = self._held + text
        self._ends.append(self._shown + len(pending))
        stop = self._first_stop(pending)
        self.stopped = stop is not None
        cut = len(pending) - self._possible_beginning(pending) if stop is None else stop
        self._held = "" if self.stopped else pending[cut:]
        self._shown += cut
        return pending[:cut], self.stopped

    def flush(self) -> str:
        """At the end of the answer: the held text, which turned out to be no stop string."""
        held, self._held = self._held, ""
        self._shown += len(held)
        return held

    @property
    def kept_pushes(self) -> int:
        """How many pushes, from the first, the kept text needs (with one token a push: how many tokens).

        Before a stop every push counts, since nothing was dropped yet.
        """
        if not self.stopped:
            return len(self._ends)
        return bisect_left(self._ends, self._shown) + 1 if self._shown else 0

    def _first_stop(self, text: str) -> int | None:
        found = [(at + len(stop), at) for stop in self._stops if (at := text.find(stop)) >= 0]
        return min(found)[1] if found else None

    def _possible_beginning(self, text: str) -> int:
        """Length of the longest suffix of `text` that is a proper prefix of a stop string."""
        for length in range(min(self._longest - 1, len(text)), 0, -1):
            if any(len(stop) > length and text.endswith(stop[:length]) for stop in self._stops):
                return length
        return 0
