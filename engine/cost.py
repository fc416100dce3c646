"""What a pass costs at a number of rows and a length of context: measured at load, corrected by every pass after.

A pass of r rows after c tokens takes base(r) + c * per_token(r): the weights are read once, the cache is read once
too, and each row computes with all of it.
"""

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.drafters.dflash import BlockDrafter
from engine.request import Sampling
from engine.sampling import Rule
from engine.target import Target

KNOTS = (1, 2, 3, 5, 9, 17)  # rows that are timed at load
FAR_KNOTS = (1, 5, 17)  # and timed again after a long context
FAR_BYTES = 128_000_000  # that context is what so much of KV cache holds: enough to be seen above the noise
FAR_LEAST = 512
ROUNDS = 4  # at most; two that agree are enough
DRAFT_CONTEXT = 24  # tokens before the drafts of a trained drafter that are timed
AGREEMENT = 1.1
PATIENCE_S = 2.5  # on a busy machine, the second and later rounds end here
CHANGE_SHARE = 0.6  # of the price of another number of rows; 0.35 to 0.9 are alike on recorded answers
WINDOW, TRIMMED = 9, 2  # passes that the correction remembers; as many at either end do not count


@dataclass(frozen=True, slots=True)
class PassTimes:
    """Seconds of a pass of so many `rows` on an empty cache, and what each token of context adds to them.

    `change`: seconds that a pass takes longer when the one before had another number of rows. `steady`: the machine
    gave the same numbers twice.
    """

    rows: tuple[int, ...]
    seconds: tuple[float, ...]
    per_token: tuple[float, ...]
    steady: bool = True
    change: float = 0.0


class Drift:
    """How much longer passes take than was measured at load. One or two stray passes in nine do not move it,
    and a lasting change is followed within seven."""

    def __init__(self) -> None:
        self._ratios = deque([1.0] * WINDOW, maxlen=WINDOW)
        self.value = 1.0

    def observe(self, ratio: float) -> None:
        self._ratios.append(ratio)
        middle = sorted(self._ratios)[TRIMMED:-TRIMMED]
        self.value = sum(middle) / len(middle)


class CostCurve:
    """Seconds of a pass of so many rows at the length of `context` that is set.

    A number of rows that differs from the last pass's costs a share of `change` more: the next pass pays all of it, and
    the ones that follow are spared it.
    """

    def __init__(
        self,
        rows: Sequence[int],
        seconds: Sequence[float],
        per_token: Sequence[float] | None = None,
        change: float = 0.0,
    ) -> None:
        self.context = 0
        self._rows = np.asarray(rows, dtype=np.float64)
        self._seconds = np.maximum.accumulate(np.asarray(seconds, dtype=np.float64))
        given = np.zeros(len(rows)) if per_token is None else np.asarray(per_token, dtype=np.float64)
        self._per_token = np.maximum.accumulate(np.maximum(given, 0.0))
        self._change = change
        self._last = 1
        self._drift = Drift()

    @classmethod
    def of(cls, times: PassTimes) -> "CostCurve":
        return cls(times.rows, times.seconds, times.per_token, times.change)

    def seconds(self, rows: int) -> float:
        return self._drift.value * (self._expected(rows) + CHANGE_SHARE * self._changing(rows))

    def row(self, rows: int) -> float:
        """What the last of so many rows adds to a pass."""
        return self._drift.value * (self._expected(rows) - self._expected(rows - 1))

    @property
    def drift(self) -> float:
        """How much longer passes take now than was measured at load."""
        return self._drift.value

    def observe(self, rows: int, seconds: float) -> None:
        self._drift.observe(seconds / (self._expected(rows) + self._changing(rows)))
        self._last = rows

    def _changing(self, rows: int) -> float:
        return 0.0 if rows == self._last else self._change

    def _expected(self, rows: int) -> float:
        return self._at(self._seconds, rows) + self.context * self._at(self._per_token, rows)

    def _at(self, values: NDArray[np.float64], rows: int) -> float:
        """Linear between the knots and beyond the last."""
        beyond = rows - self._rows[-1]
        if beyond <= 0 or len(values) < 2:
            return float(np.interp(rows, self._rows, values))
        slope = (values[-1] - values[-2]) / (self._rows[-1] - self._rows[-2])
        return float(values[-1] + beyond * slope)


class _Drifting:
    """A price of drafts that drifts from what was measured at load."""

    def __init__(self) -> None:
        self.context = 0
        self._drift = Drift()

    def relax(self, drift: float) -> None:
        """Nothing was drafted for a while: what slowed drafts then is as far gone as the target's `drift` tells."""
        self._drift.observe(drift)


class StepCost(_Drifting):
    """Seconds of a draft model's step at the length of `context` that is set; 0 until one was timed."""

    def __init__(self, base: float = 0.0, per_token: float = 0.0) -> None:
        super().__init__()
        self._base, self._per_token = base, per_token

    @classmethod
    def of(cls, times: PassTimes) -> "StepCost":
        return cls(times.seconds[0], max(times.per_token[0], 0.0))

    @property
    def seconds(self) -> float:
        """Of one more drafted token."""
        return self._drift.value * self._expected

    def draft(self, tokens: int) -> float:
        return tokens * self.seconds

    def further(self, seconds: float) -> int:
        """Tokens that may be drafted beyond a plan for so little: none, each is a step."""
        return 0

    def observe(self, seconds: float, tokens: int = 1) -> None:
        """A draft of so many tokens took so long."""
        each = seconds / tokens
        if not self._base:
            self._base = each
        self._drift.observe(each / self._expected)

    @property
    def _expected(self) -> float:
        return self._base + self.context * self._per_token


class BlockCost(_Drifting):
    """The same of a trained drafter: what a draft costs whatever its length, and what each of its tokens adds."""

    def __init__(self, forward: float, step: float) -> None:
        super().__init__()
        self._forward, self._step = forward, step

    @property
    def seconds(self) -> float:
        return self._drift.value * self._step

    def draft(self, tokens: int) -> float:
        return self._drift.value * self._expected(tokens)

    def further(self, seconds: float) -> int:
        """Tokens that a forward may compute beyond a plan for so little."""
        return int(seconds / max(self.seconds, 1e-9))

    def observe(self, seconds: float, tokens: int) -> None:
        self._drift.observe(seconds / self._expected(tokens))

    def _expected(self, tokens: int) -> float:
        return self._forward + tokens * self._step


DraftCost = StepCost | BlockCost


def measure(target: Target) -> PassTimes:
    """Time every knot on an otherwise idle model; leaves it empty. About 2 s for a 1.5B on two cores."""
    return _measured(target, KNOTS, FAR_KNOTS)


def measure_step(draft: Target) -> PassTimes:
    """The same for the steps of a draft model, which have DRAFT_ROWS rows."""
    return _measured(draft, (1,), (1,))


def measure_block(drafter: BlockDrafter) -> BlockCost:
    """Time drafts of one token and of as many as it can; leaves it empty."""
    most = drafter.model.shape.longest_draft
    best = {k: min(_timed_draft(drafter, k) for _ in range(ROUNDS)) for k in {1, most}}
    drafter.model.release([])
    step = max(best[most] - best[1], 0.0) / max(most - 1, 1)
    return BlockCost(max(best[1] - step, 0.5 * best[1]), step)


def far_context(bytes_per_token: int, limit: int) -> int:
    """Tokens of the long context that is timed, for a model that reads at most `limit`."""
    return max(1, min(max(FAR_BYTES // bytes_per_token, FAR_LEAST), limit - max(KNOTS)))


def _measured(model: Target, near: tuple[int, ...], far: tuple[int, ...]) -> PassTimes:
    context = far_context(model.cache.bytes_per_token, model.context_limit)
    points = [(rows, 0) for rows in near] + [(rows, context) for rows in far]
    model.cache.reserve(context + max(near))
    model.cache.clear()
    _timed(model, 1, 0)  # the very first pass packs weights, which takes seconds
    best, change, steady = _best(model, points)
    model.release([])
    slopes = [(best[rows, context] - best[rows, 0]) / context for rows in far]
    per_token = np.interp(near, far, slopes)
    return PassTimes(near, tuple(best[rows, 0] for rows in near), tuple(per_token.tolist()), steady, change)


def _best(
    model: Target, points: Sequence[tuple[int, int]]
) -> tuple[dict[tuple[int, int], float], float, bool]:
    """Least seconds of each (rows, context) when it follows its like, what it takes longer when it does not, and
    whether the second best agrees everywhere."""
    seen: dict[tuple[int, int], list[float]] = {point: [] for point in points}
    changed: list[float] = []
    steady = False
    started = time.perf_counter()
    for _ in range(ROUNDS):
        for point, times in seen.items():
            if times and time.perf_counter() - started > PATIENCE_S:
                break
            first, second = _timed(model, *point), _timed(model, *point)
            times.append(min(first, second))
            if len(times) > 1:  # the first pass of so many rows makes its kernels
                changed.append(first - second)
        steady = all(map(_agree, seen.values()))
        if steady:
            break
    best = {point: min(times) for point, times in seen.items()}
    change = float(np.median(changed)) if changed and len(points) > 2 else 0.0
    return best, min(max(change, 0.0), 0.5 * min(best.values())), steady


def _agree(times: Sequence[float]) -> bool:
    best = sorted(times)[:2]
    return len(best) == 2 and best[1] <= AGREEMENT * best[0]


def _timed_draft(drafter: BlockDrafter, tokens: int) -> float:
    """A draft that reads three new context rows first, as after a pass that accepted two."""
    model, rule = drafter.model, drafter.rule
    rows = np.zeros((DRAFT_CONTEXT, len(model.shape.taps) * model.shape.hidden), dtype=np.float32)
    model.take(0, rows, [0] * len(rows))
    model.absorb()
    model.take(DRAFT_CONTEXT, rows[:3], [0] * 3)
    drafter.rule = Rule(Sampling())
    drafter.reset([0] * (DRAFT_CONTEXT + 4))
    start = time.perf_counter()
    drafter.propose(tokens)
    seconds = time.perf_counter() - start
    drafter.rule = rule
    return seconds


def _timed(model: Target, rows: int, context: int) -> float:
    """A pass after so many tokens that were never read: what it computes is nonsense, but it takes as long."""
    model.tokens[:] = [0] * context
    if model.states:
        model.states.assume(context)
    start = time.perf_counter()
    model.forward([0] * rows)
    return time.perf_counter() - start
