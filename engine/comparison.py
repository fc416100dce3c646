"""What a comparison has come to: the answers of both sides, and the figures that follow from them. Pure Python."""

import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine.events import Finished
from engine.metrics import Stats
from engine.request import Request


class Side(StrEnum):
    PLAIN = "plain"
    SPECULATIVE = "speculative"


@dataclass(frozen=True, slots=True)
class Run:
    """One whole answer. `seconds` from the request to the last token, prefill included.

    `busy_elsewhere` is the share of the machine's processor time that other programs took meanwhile, 0 to 1.
    """

    side: Side
    repeat: int
    finished: Finished
    seconds: float
    busy_elsewhere: float | None = None

    @property
    def tokens(self) -> tuple[int, ...]:
        return self.finished.token_ids

    @property
    def stats(self) -> Stats:
        return self.finished.stats

    @property
    def speed(self) -> float | None:
        """Tokens per second of decoding, drafting included."""
        return self.stats.tokens_per_second


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first answer that left the first plain one. `position` counts tokens from 0.

    `expected` is the plain answer's token there, `found` the other's; None where an answer had ended.
    `margin`: how far apart the scores of both are there (`Rule.lead`); None where an answer had ended.
    """

    position: int
    expected: int | None
    found: int | None
    expected_text: str
    found_text: str
    side: Side
    repeat: int
    margin: float | None


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of some figures, and the smallest and largest of them."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Iterable[float | None]) -> "Spread | None":
        known = [value for value in values if value is not None]
        return cls(statistics.median(known), min(known), max(known)) if known else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """`runs` in the order of measurement; `exact`: this device gives the same bits with and without drafts."""

    request: Request
    repeats: int
    exact: bool
    runs: tuple[Run, ...] = ()
    divergence: Divergence | None = None

    @property
    def complete(self) -> bool:
        return len(self.runs) == len(Side) * self.repeats

    def of(self, side: Side) -> tuple[Run, ...]:
        return tuple(run for run in self.runs if run.side is side)

    def first(self, side: Side) -> Run | None:
        return next(iter(self.of(side)), None)

    @property
    def reference(self) -> Run | None:
        """The plain answer that all others should equal."""
        return self.first(Side.PLAIN)

    @property
    def identical(self) -> bool | None:
        """Every answer equals the first plain one, token by token; None until there are answers of both sides."""
        if not (self.of(Side.PLAIN) and self.of(Side.SPECULATIVE)):
            return None
        return self.divergence is None

    @property
    def ratios(self) -> tuple[float, ...]:
        """Speculative speed / plain speed of each repeat that has both."""
        plain, other = ({run.repeat: run.speed for run in self.of(side)} for side in Side)
        pairs = [(plain[repeat], other.get(repeat)) for repeat in plain]
        return tuple(fast / slow for slow, fast in pairs if slow and fast)

    @property
    def speedup(self) -> Spread | None:
        """Of the ratios: what happened within a repeat happened within a minute, so a slow hour does not count."""
        return Spread.of(self.ratios)

    def speed(self, side: Side) -> Spread | None:
        """Tokens per second of decoding."""
        return Spread.of(run.speed for run in self.of(side))

    def ttft(self, side: Side) -> Spread | None:
        """Seconds to the first token, from empty caches."""
        return Spread.of(run.stats.ttft_s for run in self.of(side))

    def seconds(self, side: Side) -> Spread | None:
        """From the request to the last token."""
        return Spread.of(run.seconds for run in self.of(side))

    @property
    def tokens_per_pass(self) -> float | None:
        runs = self.of(Side.SPECULATIVE)
        return _ratio(sum(run.stats.tokens for run in runs), sum(run.stats.target_passes for run in runs))

    @property
    def acceptance_rate(self) -> float | None:
        runs = self.of(Side.SPECULATIVE)
        return _ratio(sum(run.stats.accepted for run in runs), sum(run.stats.drafted for run in runs))

    @property
    def busy_elsewhere(self) -> float | None:
        """The largest share of any answer."""
        return max((run.busy_elsewhere for run in self.runs if run.busy_elsewhere is not None), default=None)


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None
