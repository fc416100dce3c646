"""How far a comparison is, and how long it still takes, by what was measured so far. Pure Python."""

import time
from collections.abc import Callable

from engine.compare import Advanced, Began, CompareEvent, Measured, PromptRead, turns
from engine.comparison import Side


class CompareProgress:
    """`clock` counts seconds."""

    def __init__(self, repeats: int, max_tokens: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._order = [side for side, _ in turns(repeats)]
        self._longest = max_tokens
        self._clock = clock
        self._seconds: dict[Side, float] = {}
        self._began = clock()
        self._tokens = 0
        self.now: Began | None = None
        self.read: float | None = None  # the share of a long prompt, while it is being read

    def take(self, event: CompareEvent) -> None:
        self.read = event.done / event.total if isinstance(event, PromptRead) else None
        if isinstance(event, Began):
            self.now, self._began, self._tokens = event, self._clock(), 0
        elif isinstance(event, Advanced):
            self._tokens = event.stats.tokens
        elif isinstance(event, Measured):
            run = event.comparison.runs[-1]
            self._seconds[run.side] = run.seconds
            self._longest = max(len(each.tokens) for each in event.comparison.runs) or self._longest
            self._tokens = self._longest

    @property
    def fraction(self) -> float:
        """0 to 1: answers done, and tokens of the present one."""
        if self.now is None:
            return 0.0
        within = min(self._tokens / self._longest, 1.0)
        return (self.now.number - 1 + within) / self.now.total

    def seconds_left(self) -> float | None:
        """None until there is something to judge by."""
        if self.now is None:
            return None
        elapsed = self._clock() - self._began
        done = self._tokens >= self._longest
        current = 0.0 if done else self._expected(self.now.side, elapsed)
        rest = [self._expected(side, elapsed) for side in self._order[self.now.number :]]
        if current is None or None in rest:
            return None
        return max(current - elapsed, 0.0) + sum(each for each in rest if each is not None)

    def _expected(self, side: Side, elapsed: float) -> float | None:
        """Seconds of a whole answer: as before, else as the other side's, else as the present one promises."""
        if side in self._seconds:
            return self._seconds[side]
        if self._seconds:
            return max(self._seconds.values())
        return elapsed * self._longest / self._tokens if self._tokens else None
