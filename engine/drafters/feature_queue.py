"""Hidden states that the target handed over and its drafter has not read yet."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class FeatureQueue:
    """Rows of features [waiting, width] after the first `written`, which were read. The row before them is kept too:
    an EAGLE head puts each token beside what the target said before it. `limit` tokens are followed at most."""

    def __init__(self, width: int, limit: int) -> None:
        self.written = self.waiting = 0
        self._limit = limit
        self._features = np.zeros((64, width), dtype=np.float32)  # row 0 is the last one that was read
        self._tokens = np.zeros(64, dtype=np.int64)

    @property
    def rows(self) -> int:
        """Tokens whose features are known."""
        return self.written + self.waiting

    @property
    def features(self) -> Floats:
        return self._features[1 : 1 + self.waiting]

    @property
    def behind(self) -> Floats:
        """Of the last row that was read, zeros where that is not known, and of those that wait."""
        return self._features[: 1 + self.waiting]

    @property
    def tokens(self) -> NDArray[np.int64]:
        """Of the rows that wait."""
        return self._tokens[: self.waiting]

    def fits(self, past: int, count: int) -> bool:
        """Whether so many rows from position `past` on follow without a gap, and within the limit."""
        return past <= self.rows and past + count <= self._limit

    def append(self, features: Floats, tokens: Sequence[int]) -> None:
        end = self.waiting + len(features)
        if end + 1 > len(self._features):
            self._grow(2 * (end + 1))
        self._features[1 + self.waiting : 1 + end] = features
        if len(tokens):
            self._tokens[self.waiting : end] = tokens
        self.waiting = end

    def keep(self, rows: int) -> None:
        """Forget all but the first `rows` tokens."""
        if rows < self.written:
            self._features[0] = 0.0
        self.waiting = min(self.waiting, max(rows - self.written, 0))
        self.written = min(self.written, rows)

    def read(self, count: int) -> None:
        """So many of those that wait were read."""
        left = self.waiting - count
        self._features[: 1 + left] = self._features[count : 1 + self.waiting]
        self._tokens[:left] = self._tokens[count : self.waiting]
        self.written, self.waiting = self.written + count, left

    def _grow(self, size: int) -> None:
        features = np.zeros((size, self._features.shape[1]), dtype=np.float32)
        tokens = np.zeros(size, dtype=np.int64)
        features[: 1 + self.waiting], tokens[: self.waiting] = self.behind, self.tokens
        self._features, self._tokens = features, tokens
