"""Features of the tokens whose keys and values a paged cache holds, at the same places.

So an answer that begins in blocks shared with another one finds their features there too.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.train.batch import Piece

Floats = NDArray[np.float32]


class FeatureCache:
    """`blocks` blocks of `size` rows with `width` numbers each."""

    def __init__(self, blocks: int, size: int, width: int) -> None:
        self._rows = np.zeros((blocks * size, width), dtype=np.float32)
        self._size = size

    def keep(self, pieces: Iterable[Piece], features: Floats) -> None:
        """`features` [tokens of all pieces, width], in the pieces' order."""
        self._rows[np.concatenate([self._places(p.blocks, p.past, len(p.tokens)) for p in pieces])] = features

    def read(self, blocks: Sequence[int], count: int) -> Floats:
        """The first `count` rows of a sequence that lies in `blocks`: a copy."""
        return self._rows[self._places(blocks, 0, count)]

    def _places(self, blocks: Sequence[int], first: int, count: int) -> NDArray[np.int64]:
        at = np.arange(first, first + count)
        return np.asarray(blocks, dtype=np.int64)[at // self._size] * self._size + at % self._size
