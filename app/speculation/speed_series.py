"""Tokens per second over an answer in little memory: stretches of equal decoding time, merged when there are many."""

from dataclasses import dataclass, field

FIRST_STRETCH_S = 0.4  # shorter ones only show that passes differ


@dataclass(slots=True)
class SpeedSeries:
    """At most `capacity` (an even number) stretches of `stretch_s` seconds of decoding each."""

    capacity: int = 96
    stretch_s: float = FIRST_STRETCH_S
    _stretches: list[tuple[int, float]] = field(default_factory=list)  # tokens, seconds

    def __len__(self) -> int:
        return len(self._stretches)

    def add(self, tokens: int, seconds: float) -> None:
        """A pass."""
        if not self._stretches or self._stretches[-1][1] >= self.stretch_s:
            if len(self._stretches) == self.capacity:
                self._halve()
            self._stretches.append((0, 0.0))
        before, spent = self._stretches[-1]
        self._stretches[-1] = (before + tokens, spent + seconds)

    def speeds(self) -> list[float]:
        """Of the stretches; the last one counts once it is long enough to say something."""
        said = self._stretches
        if len(said) > 1 and said[-1][1] < self.stretch_s / 2:
            said = said[:-1]
        return [tokens / seconds for tokens, seconds in said if seconds > 0.0]

    def _halve(self) -> None:
        pairs = zip(self._stretches[::2], self._stretches[1::2], strict=True)
        self._stretches = [(a[0] + b[0], a[1] + b[1]) for a, b in pairs]
        self.stretch_s *= 2
