"""What a trained drafter can gain here at most, and what it would need for more: measured costs against acceptance.

A pass that drafts k tokens costs a pass of k + 1 rows and a draft; it brings 1 + a1 + a1 a2 + ... tokens, where aj is
the acceptance at position j after right ones. Its speed-up is against plain decoding: one token for a pass of one row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import mul

import numpy as np

from engine.cost import CostCurve, PassTimes
from engine.train.simulate import Score

GOALS = (2.0, 3.0, 3.92)  # speed-ups that the project asks about
LONGEST = 15  # tokens a draft that are thought through: 16 rows, within what is timed at load


class Costs:
    """Seconds of a pass of so many rows, and of a trained drafter's draft (`forward`, and `step` a token).

    `context`: tokens before the pass, where none are given.
    """

    def __init__(self, times: PassTimes, forward: float, step: float, context: int = 0) -> None:
        self.times, self.forward, self.step, self.context = times, forward, step, context
        self._curve = CostCurve(times.rows, times.seconds, times.per_token)

    @property
    def plain(self) -> float:
        return self.verify(1)

    def verify(self, rows: int, context: int | None = None) -> float:
        self._curve.context = self.context if context is None else context
        return self._curve.seconds(rows)

    def draft(self, tokens: int) -> float:
        return self.forward + tokens * self.step if tokens else 0.0

    def block(self, tokens: int) -> float:
        """A whole pass whose draft comes from the network, in plain passes: so many tokens only break even."""
        return (self.verify(tokens + 1) + self.draft(tokens)) / self.plain

    @property
    def ceiling(self) -> float:
        """The speed-up of a network that is always right, at its best length."""
        return max((k + 1) / self.block(k) for k in range(1, LONGEST + 1))


@dataclass(frozen=True, slots=True)
class Need:
    """What drafts of `k` tokens need for a speed-up: tokens a pass, and the acceptance at every position that gives
    them; None where no acceptance does."""

    k: int
    tokens: float
    acceptance: float | None


def expected_tokens(acceptance: Sequence[float]) -> list[float]:
    """Of a pass that drafts 1, 2, ... tokens."""
    return list(accumulate(accumulate(acceptance, mul), initial=1.0))[1:]


def speedups(acceptance: Sequence[float], costs: Costs) -> list[float]:
    """Of drafts of 1, 2, ... tokens, all from the network."""
    return [tokens / costs.block(k) for k, tokens in enumerate(expected_tokens(acceptance), 1)]


def best_length(acceptance: Sequence[float], costs: Costs) -> int:
    """Tokens a draft at which the network alone is fastest."""
    return int(np.argmax(speedups(acceptance, costs))) + 1


def need(goal: float, k: int, costs: Costs) -> Need:
    tokens = goal * costs.block(k)
    return Need(k, tokens, uniform_acceptance(tokens, k))


def least_need(goal: float, costs: Costs, longest: int = LONGEST) -> Need | None:
    """The length that asks for the lowest acceptance; None when the costs forbid the goal at every length."""
    needs = [need(goal, k, costs) for k in range(1, longest + 1)]
    possible = [(each.acceptance, each) for each in needs if each.acceptance is not None]
    return min(possible, key=lambda pair: pair[0])[1] if possible else None


def uniform_acceptance(tokens: float, k: int) -> float | None:
    """The a in 1 + a + ... + a^k = tokens, by bisection; None above k + 1."""
    if tokens > k + 1:
        return None
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        enough = sum(middle**j for j in range(k + 1)) >= tokens
        low, high = (low, middle) if enough else (middle, high)
    return high


def mean_pass(score: Score, costs: Costs) -> float:
    """What a simulated run's passes cost on average, in plain passes: rows, drafts and changes as they were in it."""
    rows = sum(int(count) * costs.verify(drafted + 1) for drafted, count in enumerate(score.lengths))
    drafts = score.forwards * costs.forward + score.forwarded * costs.step
    changes = score.changes * costs.times.change
    return (rows + drafts + changes) / (max(score.passes, 1) * costs.plain)


def speedup(score: Score, costs: Costs) -> float:
    """Of a simulated run against plain decoding."""
    return score.tokens_per_pass / mean_pass(score, costs)
