"""What the panel knows of one answer. Pure Python; bounded memory however long the answer."""

import time
from collections import deque
from collections.abc import Callable

from app.speculation.speed_series import SpeedSeries
from app.speculation.worth import speedup_of
from engine.events import Delta, Finished, Started
from engine.metrics import Stats

NOW_S = 1.0  # decoding time that the speed of now is the mean of
NOW_PASSES = 256  # and at most so many passes


class AnswerRecord:
    """`mode` is the switch's value when the answer began; `clock` counts seconds."""

    def __init__(self, mode: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.mode = mode
        self.stats = Stats()
        self._started: Started | None = None
        self.finished = False
        self.pace_reason = ""
        self.speeds = SpeedSeries()
        self._clock = clock
        self._began = clock()
        self._stats_at = self._began
        self._recent: deque[tuple[int, float]] = deque(maxlen=NOW_PASSES)
        self._recent_s = 0.0

    @property
    def plain(self) -> bool:
        return self.mode == "off"

    def start(self, started: Started) -> None:
        self._started = started

    def add(self, delta: Delta) -> None:
        self._take(delta.stats)
        self.pace_reason = delta.stats.pace_reason or self.pace_reason
        self.speeds.add(len(delta.tokens), delta.seconds)
        self._add_recent(len(delta.tokens), delta.seconds)

    def finish(self, finished: Finished) -> None:
        self._take(finished.stats)
        self.finished = True

    @property
    def prompt_tokens(self) -> int:
        return self.stats.prompt_tokens or (self._started.prompt_tokens if self._started else 0)

    @property
    def reused_tokens(self) -> int | None:
        return self._started.reused_tokens if self._started else None

    @property
    def ttft_s(self) -> float | None:
        return self._started.ttft_s if self._started else self.stats.ttft_s

    @property
    def speed(self) -> float | None:
        """Tokens per second: of the last second of decoding, and of the whole answer once it has ended."""
        if self.finished or self._recent_s <= 0.0:
            return self.stats.tokens_per_second
        return sum(tokens for tokens, _ in self._recent) / self._recent_s

    @property
    def speedup(self) -> float | None:
        """Measured, of an answer that was drafted for, over enough tokens; else None."""
        return speedup_of(self.stats)

    @property
    def baseline_age_s(self) -> float | None:
        """Seconds since plain decoding was last measured; goes on counting after the answer."""
        age = self.stats.plain_measured_s_ago
        return None if age is None else age + self._clock() - self._stats_at

    @property
    def baseline_is_of_this_answer(self) -> bool:
        age = self.stats.plain_measured_s_ago
        return age is not None and age <= self._stats_at - self._began

    def _take(self, stats: Stats) -> None:
        self.stats, self._stats_at = stats, self._clock()

    def _add_recent(self, tokens: int, seconds: float) -> None:
        if len(self._recent) == NOW_PASSES:
            self._recent_s -= self._recent[0][1]
        self._recent.append((tokens, seconds))
        self._recent_s += seconds
        while len(self._recent) > 1 and self._recent_s - self._recent[0][1] >= NOW_S:
            self._recent_s -= self._recent.popleft()[1]
