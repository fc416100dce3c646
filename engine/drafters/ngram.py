"""Prompt lookup: whatever followed the longest repeated suffix last time may follow now."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.drafters.protocol import Worth

Tokens = NDArray[np.int32]
Ends = NDArray[np.int64]

BLOCK = 64  # tokens of all candidates compared at once


class NgramDrafter:
    """Proposes what followed the longest suffix that occurred before, at its most recent earlier occurrence.

    There is no index to keep right: a vectorised scan of 32,768 tokens takes about 20 us, so `propose`
    scans and `observe` and `reset` only copy tokens. Proposals need a match of `min_match` tokens or more.
    """

    source = "ngram"

    def __init__(self, min_match: int = 2) -> None:
        self.min_match = min_match
        self._tokens: Tokens = np.empty(1024, dtype=np.int32)
        self._size = 0
        self._match: tuple[int, int] | None = None

    def reset(self, tokens: Sequence[int]) -> None:
        self._size = 0
        self.observe(tokens)

    def observe(self, tokens: Sequence[int]) -> None:
        self._size = self._write(tokens)
        self._match = None

    @property
    def match_length(self) -> int:
        """How many tokens the longest repeated suffix has; it may overlap its earlier occurrence."""
        return self._find()[0]

    def propose(self, k: int, worth: Worth | None = None) -> list[int]:
        length, end = self._find()
        if length < max(self.min_match, 1):
            return []
        return _continued(self._tokens[: self._size], end, k)

    def propose_after(self, guesses: Sequence[int], k: int) -> list[int]:
        """What may follow the known tokens and then `guesses`, which are not kept."""
        text = self._tokens[: self._write(guesses)]
        length, end = longest_repeated_suffix(text)
        return _continued(text, end, k) if length >= self.min_match else []

    def _write(self, tokens: Sequence[int] | Tokens) -> int:
        """Put `tokens` behind the known ones; their common end."""
        end = self._size + len(tokens)
        if end > len(self._tokens):
            self._tokens = np.resize(self._tokens, 2 * end)
        self._tokens[self._size : end] = tokens
        return end

    def _find(self) -> tuple[int, int]:
        """(length, end of the most recent earlier occurrence) of the longest repeated suffix."""
        if self._match is None:
            self._match = longest_repeated_suffix(self._tokens[: self._size])
        return self._match


def _continued(tokens: Tokens, end: int, k: int) -> list[int]:
    """The `k` tokens from `end` on; they repeat when the text is over before."""
    following: list[int] = np.resize(tokens[end:], k).tolist()
    return following


def longest_repeated_suffix(tokens: Tokens) -> tuple[int, int]:
    """Length of the longest suffix of `tokens` [n] that also ends earlier, and its last such end (exclusive).

    (0, 0) if there is none. `ends` ascend and agree with the suffix in its last `depth` tokens. The most
    recent one is measured, then all that can't beat it are dropped: every round finds a longer match.
    """
    ends = np.flatnonzero(tokens[:-1] == tokens[-1:]) + 1
    best, best_end, depth = 0, 0, 1
    while len(ends):
        best_end = int(ends[-1])
        best = _common_suffix(tokens[:best_end], tokens)
        ends = _agreeing(tokens, ends[:-1], depth, best + 1)
        depth = best + 1
    return best, best_end


def _agreeing(tokens: Tokens, ends: Ends, known: int, wanted: int) -> Ends:
    """Those of `ends` that agree with the suffix in `wanted` tokens, given that all agree in `known`."""
    ends = ends[ends.searchsorted(wanted) :]
    ends = ends[tokens[ends - wanted] == tokens[-wanted]]  # alone drops nearly all
    for start in range(known + 1, wanted, BLOCK):
        if not len(ends):
            break
        offsets = np.arange(start, min(start + BLOCK, wanted))
        ends = ends[(tokens[ends[:, None] - offsets] == tokens[-offsets]).all(axis=1)]
    return ends


def _common_suffix(shorter: Tokens, longer: Tokens) -> int:
    """How many tokens at the end of both are equal."""
    width = 16
    while True:
        left = shorter[-width:]
        different = np.flatnonzero(left != longer[len(longer) - len(left) :])
        if len(different):
            return len(left) - 1 - int(different[-1])
        if len(left) < width:
            return len(left)
        width *= 4
