"""Rotary frequencies of models whose context was stretched: what each pair's frequency is divided by.

Linear scaling: arXiv 2306.15595. YaRN: arXiv 2309.00071. Llama 3: the model card's `llama3` rule.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Factors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Yarn:
    """`original`: the context that the model was first trained for; `fast` and `slow` in rotations within it."""

    factor: float
    original: int
    fast: float = 32.0
    slow: float = 1.0

    def divisors(self, dim: int, base: float) -> Factors:
        """[dim / 2]: 1 for quick pairs, `factor` for slow ones, a blend between."""
        low = max(0.0, math.floor(self._pair(self.fast, dim, base)))
        high = min(dim - 1.0, math.ceil(self._pair(self.slow, dim, base)))
        ramp = np.clip((np.arange(dim // 2) - low) / max(0.001, high - low), 0.0, 1.0)
        return np.asarray(1.0 / (ramp / self.factor + 1.0 - ramp), dtype=np.float32)

    @property
    def magnitude(self) -> float:
        return 0.1 * math.log(self.factor) + 1.0 if self.factor > 1 else 1.0

    def _pair(self, rotations: float, dim: int, base: float) -> float:
        """Which pair turns so many times within the original context."""
        return dim * math.log(self.original / (rotations * 2 * math.pi)) / (2 * math.log(base))


@dataclass(frozen=True, slots=True)
class Llama3:
    """Pairs with a wave longer than original / low are slowed by `factor`, those shorter than original / high not."""

    factor: float
    low: float
    high: float
    original: int

    def divisors(self, dim: int, base: float) -> Factors:
        waves = 2 * math.pi * base ** (np.arange(0, dim, 2) / dim)
        smooth = np.clip((self.original / waves - self.low) / (self.high - self.low), 0.0, 1.0)
        return np.asarray(1.0 / ((1 - smooth) / self.factor + smooth), dtype=np.float32)


def longrope_magnitude(context: int, original: int) -> float:
    """LongRoPE (arXiv 2402.13753) as Phi-3 uses it."""
    scale = context / original
    return math.sqrt(1 + math.log(scale) / math.log(original)) if scale > 1 else 1.0
