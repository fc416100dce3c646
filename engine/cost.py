"""What a pass of the target costs, by its number of rows: measured at load, corrected by every pass after."""

import time
from collections.abc import Sequence

import numpy as np

from engine.target import Target

KNOTS = (2, 3, 5, 9, 17, 32)  # rows that are timed at load
MEMORY = 0.9  # weight of the past in the running correction


class CostCurve:
    """Seconds of a pass of `rows` rows: a piecewise linear curve times a running correction.

    The correction follows what the context's length and other programs do to every pass alike.
    """

    def __init__(self, rows: Sequence[int], seconds: Sequence[float]) -> None:
        self._rows = np.asarray(rows, dtype=np.float64)
        self._seconds = np.maximum.accumulate(np.asarray(seconds, dtype=np.float64))
        self._correction = 1.0

    def seconds(self, rows: int) -> float:
        return self._correction * self._base(rows)

    def observe(self, rows: int, seconds: float) -> None:
        ratio = min(max(seconds / self._base(rows), 0.2), 20.0)
        self._correction = MEMORY * self._correction + (1.0 - MEMORY) * ratio

    def _base(self, rows: int) -> float:
        return float(np.interp(max(rows, 2), self._rows, self._seconds))


def measure(target: Target, repeats: int = 2, context: int = 32) -> CostCurve:
    """Time every knot on an otherwise idle target; leaves it empty. Takes well under two seconds a model."""
    return CostCurve(KNOTS, _fastest(target, KNOTS, repeats, context))


def measure_step(draft: Target, repeats: int = 4, context: int = 32) -> float:
    """Seconds of a one-row step of a draft model; leaves it empty."""
    return _fastest(draft, (1,), repeats, context)[0]


def _fastest(model: Target, row_counts: Sequence[int], repeats: int, context: int) -> list[float]:
    """Least seconds of a pass of each number of rows after `context` tokens; leaves the model empty."""
    tokens = [(104_729 * (i + 1)) % model.architecture.vocab for i in range(context + max(row_counts))]
    model.rollback(0)
    model.forward(tokens[:context], logits_for=[0])
    best = [
        min(_timed(model, tokens[context:], context, rows) for _ in range(repeats)) for rows in row_counts
    ]
    model.rollback(0)
    return best


def _timed(model: Target, tokens: Sequence[int], context: int, rows: int) -> float:
    model.rollback(context)
    start = time.perf_counter()
    model.forward(tokens[:rows])
    return time.perf_counter() - start
