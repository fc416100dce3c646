"""How much sooner a draft lets answers come: measured by a trial, else predicted by what is known of the two models."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate

from engine.cost import CostCurve, PassTimes, StepCost

ASSUMED = (0.55, 0.8)  # of the guesses are right, each after those before it; nobody knows before a trial
ROW_SHARE = (
    0.15,
    0.06,
)  # of a pass that one more row costs: SmolLM2 135M and Qwen2.5 1.5B, two cores, measured
LONGEST = 10  # tokens of a draft that are considered


class Basis(StrEnum):
    TRIAL = "trial"
    COSTS = "costs"  # both models were timed here; the share of right guesses is assumed
    SIZES = "sizes"  # a pass takes as long as reading the weights does


@dataclass(frozen=True, slots=True)
class Gain:
    """Times the speed of plain decoding, from `least` to `most`; a trial gives one number.

    `accepted`: shares of right guesses, which a prediction assumes. `when`: the day of a trial, ISO 8601; `outdated`
    when it was one of another version of Slipstream or OpenVINO.
    """

    least: float
    most: float
    basis: Basis
    accepted: tuple[float, float] | None = None
    when: str = ""
    outdated: bool = False

    @property
    def middle(self) -> float:
        return (self.least + self.most) / 2


def from_costs(target: PassTimes, draft: PassTimes) -> Gain:
    """Of a target's passes and a draft model's steps, as `engine.cost` measured them."""
    passes, step = CostCurve.of(target), StepCost.of(draft)
    found = [speedup(passes.seconds, step.draft, accepted) for accepted in ASSUMED]
    return Gain(found[0], found[1], Basis.COSTS, ASSUMED)


def from_sizes(target: float, draft: float, whole: bool) -> Gain:
    """Of bytes of weights: passes are as long as reading them. A draft that is computed `whole` takes one reading."""

    def gain(accepted: float, share: float) -> float:
        return speedup(
            lambda rows: target * (1.0 + share * (rows - 1)),
            lambda tokens: draft * (1 if whole else tokens),
            accepted,
        )

    found = [gain(accepted, share) for accepted, share in zip(ASSUMED, ROW_SHARE, strict=True)]
    return Gain(found[0], found[1], Basis.SIZES, ASSUMED)


def speedup(passes: Callable[[int], float], drafts: Callable[[int], float], accepted: float) -> float:
    """With the draft length that pays best; 1 when none does, for then nothing is drafted.

    `passes`: seconds of a target's pass by its rows; `drafts`: of a draft by its tokens.
    """
    expected = list(accumulate(accepted**k for k in range(LONGEST + 1)))
    plain = passes(1)
    return max(1.0, *(expected[k] * plain / (passes(k + 1) + drafts(k)) for k in range(1, LONGEST + 1)))
