"""How often drafted tokens are accepted: by position, with a short and a long memory; and by the draft's own doubt."""

from itertools import accumulate
from operator import mul

import numpy as np
from numpy.typing import NDArray

SHORT, LONG = 0.85, 0.98  # weight of the past at each trial
UNDRAFTED = 0.9  # the same for positions beyond the draft; 0.85 to 0.96 are alike on recorded answers
POSITIONS = 32
DOUBT = 4.0  # trials without success that a surprise counts for
PRIOR = 0.5  # conditional acceptance before anything was seen


class Acceptance:
    """P(position j accepted | all before it accepted), j from 0. Recent trials count most, old ones fill in."""

    def __init__(self, prior: float = PRIOR) -> None:
        self._prior = prior
        self._short = np.zeros((2, POSITIONS))  # decayed trials, decayed successes
        self._long = np.zeros((2, POSITIONS))

    def observe(self, drafted: int, accepted: int) -> None:
        """Positions up to and including the first rejection were tried.

        What is known of the others ages as well, faster where nothing was drafted: otherwise a position keeps
        the verdict of another text, and drafts stay short for good.
        """
        tried = min(accepted + 1, drafted, POSITIONS)
        self._age(self._short, SHORT, drafted)
        self._age(self._long, LONG, drafted)
        for counts in (self._short, self._long):
            counts[0, :tried] += 1.0
            counts[1, : min(accepted, tried)] += 1.0

    def doubt(self) -> None:
        """What was learnt is about another text, or another drafter."""
        self._short[:] = [[DOUBT], [0.0]]
        self._long *= 0.25

    @staticmethod
    def _age(counts: NDArray[np.float64], memory: float, drafted: int) -> None:
        counts[:, :drafted] *= memory
        counts[:, drafted:] *= min(memory, UNDRAFTED)

    def probability(self, position: int) -> float:
        return self._estimates(position + 1)[-1]

    def expected_tokens(self, k: int) -> list[float]:
        """Expected tokens of a pass with 0 .. k drafted ones, the target's own token included."""
        alive = accumulate(self._estimates(k), mul, initial=1.0)
        return list(accumulate(alive))

    def _estimates(self, count: int) -> list[float]:
        """Of the first positions: short memory, with the long one as its prior, and that with the position before."""
        found: list[float] = []
        estimate = self._prior
        for j in range(count):
            if j < POSITIONS:
                settled = (self._long[1, j] + 2.0 * estimate) / (self._long[0, j] + 2.0)
                estimate = float((self._short[1, j] + 2.0 * settled) / (self._short[0, j] + 2.0))
            found.append(estimate)
        return found


class Calibration:
    """What a draft's own probability is worth: observed acceptance in ten bins, starting from the claim itself."""

    BINS = 10
    CLAIM = 4.0  # trials that the claim counts for

    def __init__(self) -> None:
        centres = (np.arange(self.BINS) + 0.5) / self.BINS
        self._trials = np.full(self.BINS, self.CLAIM)
        self._successes = self.CLAIM * centres

    def probability(self, claimed: float) -> float:
        at = self._bin(claimed)
        return float(self._successes[at] / self._trials[at])

    def observe(self, claimed: float, accepted: bool) -> None:
        at = self._bin(claimed)
        self._trials[at] = LONG * self._trials[at] + 1.0
        self._successes[at] = LONG * self._successes[at] + float(accepted)

    def _bin(self, claimed: float) -> int:
        return min(int(claimed * self.BINS), self.BINS - 1)
