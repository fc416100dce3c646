"""A long row of measurements in little memory: neighbours are merged each time it is full."""

from dataclasses import dataclass


@dataclass(slots=True)
class Bin:
    total: float = 0.0
    count: int = 0

    @property
    def mean(self) -> float:
        return self.total / self.count


class Series:
    """At most `capacity` (an even number) bins of equally many values; each stands for their mean."""

    def __init__(self, capacity: int = 120) -> None:
        self.capacity = capacity
        self.values_per_bin = 1
        self._bins: list[Bin] = []

    def __len__(self) -> int:
        return len(self._bins)

    def add(self, value: float) -> None:
        if not self._bins or self._bins[-1].count == self.values_per_bin:
            if len(self._bins) == self.capacity:
                self._halve()
            self._bins.append(Bin())
        last = self._bins[-1]
        last.total += value
        last.count += 1

    def means(self) -> list[float]:
        return [each.mean for each in self._bins]

    def _halve(self) -> None:
        pairs = zip(self._bins[::2], self._bins[1::2], strict=True)
        self._bins = [Bin(left.total + right.total, left.count + right.count) for left, right in pairs]
        self.values_per_bin *= 2
