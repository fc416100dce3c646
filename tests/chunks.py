"""A sequence fed to a target in chunks of any sizes."""

from collections.abc import Sequence

import numpy as np

from engine.target import Target


def in_chunks(target: Target, tokens: Sequence[int], sizes: list[int], count: int) -> np.ndarray:
    """Logits [count, vocabulary] of the first `tokens`, in chunks of `sizes` over and over."""
    rows, turn = [], 0
    while len(target.tokens) < count:
        begin, size = len(target.tokens), sizes[turn % len(sizes)]
        rows.append(target.forward(tokens[begin : min(begin + size, count)]).copy())
        turn += 1
    return np.concatenate(rows)
