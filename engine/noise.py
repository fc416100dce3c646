"""Gumbel noise G(seed, position, token): a pure function, iid Gumbel(0, 1), the same for any vocabulary.

A sample from softmax(logits / T) is argmax(logits + T * G), the Gumbel-max trick. Two models that add the
same G mostly pick the same token, so a draft can be checked by equality and sampling stays exact.

Noise for 151,936 tokens takes 1.5 ms a row, so it is built to be bounded for nearly all of them. Each token
is *marked* with probability MARK_RATE. With v a hash of (seed, position, token), uniform in (0, 1), a
marked token has u = 1 - MARK_RATE * v and an unmarked one u = (1 - MARK_RATE) * v: the mixture is uniform,
G = -log(-log u). Unmarked noise lies below BOUND, so an argmax evaluates the marked tokens and those whose
logit comes near the best score (0.08 ms; a rate of exp(-5) costs 30 % more, exp(-7) 5 % less). The marked
tokens are enumerated by the geometric gaps between them, so a smaller vocabulary sees a prefix of the same
set.
"""

import math

import numpy as np
from numpy.typing import NDArray

MARK_RATE = math.exp(-6.0)
_LOG_KEEP = math.log1p(-MARK_RATE)
BOUND = -math.log(-_LOG_KEEP) + 1e-9  # above all unmarked noise; the margin covers rounding

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15
_GAP_STREAM = 0xD1B54A32D192ED03  # separates the hashes of the gaps from those of the tokens
_ONE, _STEP, _MUL1, _MUL2 = (np.uint64(n) for n in (1, _GOLDEN, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_S11, _S27, _S30, _S31 = (np.uint64(n) for n in (11, 27, 30, 31))

Tokens = NDArray[np.int64]
Floats = NDArray[np.float64]


class GumbelRow:
    """The noise of one (seed, position) over all token ids."""

    __slots__ = ("_gap_key", "_token_key")

    def __init__(self, seed: int, position: int) -> None:
        self._token_key = _mix_int(_mix_int(seed) + position * _GOLDEN)
        self._gap_key = _mix_int(self._token_key ^ _GAP_STREAM)

    def marked(self, vocabulary: int) -> Tokens:
        """Ascending ids of the marked tokens below `vocabulary`."""
        expected = vocabulary * MARK_RATE
        count = int(expected + 5.0 * math.sqrt(expected)) + 4
        while True:
            uniform = _uniform(self._gap_key, np.arange(count))
            gaps = (np.log(uniform) / _LOG_KEEP).astype(np.int64) + 1
            ids = gaps.cumsum() - 1
            if ids[-1] >= vocabulary:
                return ids[: ids.searchsorted(vocabulary)]
            count *= 2

    def noise(self, tokens: Tokens) -> Floats:
        """G of each id in `tokens` [n], in any order."""
        if not len(tokens):
            return np.empty(0)
        is_marked = np.zeros(int(tokens.max()) + 1, dtype=np.bool_)
        is_marked[self.marked(len(is_marked))] = True
        chosen = is_marked[tokens]
        uniform = _uniform(self._token_key, tokens)
        noise = _unmarked_noise(uniform)
        noise[chosen] = _marked_noise(uniform[chosen])
        return noise

    def argmax(
        self,
        logits: NDArray[np.float32],
        temperature: float = 1.0,
        cutoff: float = -math.inf,
        ids: Tokens | None = None,
    ) -> int:
        """The index of the greatest logit + temperature * G among logits >= cutoff; the lowest on ties.

        `logits` [n] holds no NaN and its greatest value is finite and >= cutoff. `ids` [n], ascending, are
        its token ids where they are not 0..n-1 (a drafter with a trimmed vocabulary).
        """
        floor = np.float32(cutoff)
        marked = self._marked_slots(len(logits), ids)
        marked = marked[logits[marked] >= floor]
        probes = np.append(marked, logits.argmax())
        uniform = _uniform(self._token_key, _ids(probes, ids))
        noise = _marked_noise(uniform)
        noise[-1:] = _unmarked_noise(uniform[-1:])  # the likeliest token reaches this, marked or not
        best = float((logits[probes] + temperature * noise).max())

        near = logits >= max(_below(best - temperature * BOUND), floor)
        near[marked] = True
        slots = near.nonzero()[0]
        scores = temperature * _unmarked_noise(_uniform(self._token_key, _ids(slots, ids)))
        scores[slots.searchsorted(marked)] = temperature * noise[:-1]
        scores += logits[slots]
        return int(slots[scores.argmax()])

    def _marked_slots(self, size: int, ids: Tokens | None) -> Tokens:
        if ids is None:
            return self.marked(size)
        marked = self.marked(int(ids[-1]) + 1)
        slots: Tokens = ids.searchsorted(marked)
        present: Tokens = slots[ids[slots] == marked]
        return present


def noise(seed: int, position: int, tokens: Tokens) -> Floats:
    """Gumbel(0, 1) noise of each token id [n] at this position."""
    return GumbelRow(seed, position).noise(tokens)


def argmax_with_noise(logits: NDArray[np.float32], seed: int, position: int) -> int:
    """A sample from softmax(logits) [vocabulary], drawn with this seed's noise at this position."""
    return GumbelRow(seed, position).argmax(logits)


def _ids(slots: Tokens, ids: Tokens | None) -> Tokens:
    return slots if ids is None else ids[slots]


def _marked_noise(uniform: Floats) -> Floats:
    return -np.log(-np.log1p(-MARK_RATE * uniform))


def _unmarked_noise(uniform: Floats) -> Floats:
    return -np.log(-(np.log(uniform) + _LOG_KEEP))


def _below(value: float) -> np.float32:
    """A float32 that is surely not above `value`."""
    below: np.float32 = np.nextafter(np.float32(value), np.float32(-math.inf))
    return below


def _uniform(key: int, counters: Tokens) -> Floats:
    """Output number `counter` of the splitmix64 generator started at `key`, as odd multiples of 2^-53."""
    bits = counters.astype(np.uint64)
    bits += _ONE
    bits *= _STEP
    bits += np.uint64(key)
    bits ^= bits >> _S30
    bits *= _MUL1
    bits ^= bits >> _S27
    bits *= _MUL2
    bits ^= bits >> _S31
    bits >>= _S11
    bits |= _ONE  # odd: never 0, and never rounded up to 1
    return bits.astype(np.float64) * 2.0**-53


def _mix_int(value: int) -> int:
    """The splitmix64 finaliser (Steele, Lea and Flood, 2014) of one number."""
    value &= _MASK
    value = (value ^ value >> 30) * int(_MUL1) & _MASK
    value = (value ^ value >> 27) * int(_MUL2) & _MASK
    return value ^ value >> 31
