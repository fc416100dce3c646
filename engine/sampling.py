"""The rule that every answer follows: which token comes at a position, given the logits there.

It is a pure function of (tokens before, settings, seed, position), so drafting can never change the text.
Penalties, temperature, top-k, top-p and min-p apply in this order; then the token with the greatest logit +
temperature * noise wins (engine/noise.py), which is an exact sample. The filters keep every token whose
logit reaches a cutoff, so equal logits stay or go together and the kept set depends on the values alone.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.errors import SlipstreamError
from engine.noise import GumbelRow
from engine.request import Sampling

GREEDY_BELOW = 1e-5  # a temperature that float32 logits can't tell from 0

Logits = NDArray[np.float32]
Tokens = NDArray[np.int64]


class History:
    """Which tokens occurred in the prompt and how often in the answer, for the penalties. O(1) a token."""

    def __init__(self, prompt: Sequence[int]) -> None:
        self._ids: Tokens = np.unique(np.asarray(prompt, dtype=np.int64))
        self._answer_counts: Tokens = np.zeros_like(self._ids)
        self._slots = {token: slot for slot, token in enumerate(self._ids.tolist())}
        self._prompt_slots = len(self._slots)
        self._answer: list[int] = []

    def push(self, token: int) -> None:
        slot = self._slots.setdefault(token, len(self._slots))
        if slot == len(self._ids):
            more = np.zeros(slot + 64, dtype=np.int64)
            self._ids = np.concatenate([self._ids, more])
            self._answer_counts = np.concatenate([self._answer_counts, more])
        self._ids[slot] = token
        self._answer_counts[slot] += 1
        self._answer.append(token)

    def pop(self) -> None:
        """Take back the last push."""
        token = self._answer.pop()
        slot = self._slots[token]
        self._answer_counts[slot] -= 1
        if slot >= self._prompt_slots and not self._answer_counts[slot]:
            del self._slots[token]  # always the newest slot: its first occurrence was the last push

    def counts(self) -> tuple[Tokens, Tokens]:
        """Ids of the tokens that occurred, in no order, and how often each occurs in the answer."""
        size = len(self._slots)
        return self._ids[:size], self._answer_counts[:size]


@dataclass(frozen=True, slots=True)
class Guess:
    """A drafted token and its unfiltered probability: softmax at the temperature (at 1 for greedy)."""

    token: int
    probability: float


class Rule:
    """Gives the token at a position. Holds no state between calls."""

    def __init__(self, sampling: Sampling) -> None:
        self.sampling = sampling
        self.greedy = sampling.temperature < GREEDY_BELOW
        self.penalised = (
            sampling.repetition_penalty != 1.0
            or sampling.presence_penalty != 0.0
            or sampling.frequency_penalty != 0.0
        )
        self._filtered = sampling.top_k > 0 or sampling.top_p < 1.0 or sampling.min_p > 0.0

    def history(self, prompt: Sequence[int]) -> History | None:
        """What `token` needs to know of an answer to this prompt; None when no penalty is set."""
        return History(prompt) if self.penalised else None

    def token(self, logits: Logits, position: int, history: History | None = None) -> int:
        """The token at `position` (absolute, prompt included) by the target's logits [vocabulary].

        `history` holds all tokens before the position. Raises SlipstreamError when the logits are no numbers.
        """
        if self.penalised:
            if history is None:
                raise ValueError("penalties need the history")
            logits = penalise(logits, history, self.sampling)
        return self._slot(logits, position, None)

    def draft_token(
        self, logits: Logits, position: int, ids: Tokens | None = None, history: History | None = None
    ) -> Guess:
        """The rule on a drafter's own logits [n]: the same noise, so that it agrees with the target often.

        `ids` [n], ascending, are the token ids of a trimmed vocabulary. Penalties apply if `history` is
        given. Raises SlipstreamError when the logits are no numbers.
        """
        if self.penalised and history is not None:
            logits = penalise(logits, history, self.sampling, ids)
        slot = self._slot(logits, position, ids)
        temperature = 1.0 if self.greedy else self.sampling.temperature
        chosen = math.exp((float(logits[slot]) - float(logits.max())) / temperature)
        probability = chosen / float(_weights(logits, temperature).sum())
        return Guess(slot if ids is None else int(ids[slot]), min(probability, 1.0))

    def draft_choice(self, logits: Logits, position: int, ids: Tokens | None = None) -> int:
        """The same token alone, for a drafter that tells by itself how likely it is."""
        slot = self._slot(logits, position, ids)
        return slot if ids is None else int(ids[slot])

    def lead(
        self, logits: Logits, position: int, token: int, other: int, history: History | None = None
    ) -> float:
        """How far the score of `token` lies above that of `other` at `position`: penalties and noise count, in logits.

        The filters are left aside: a token that they remove may have the greater score.
        """
        if self.penalised and history is not None:
            logits = penalise(logits, history, self.sampling)
        both = np.array([token, other])
        scores = logits[both].astype(np.float64)
        if not self.greedy:
            scores += self.sampling.temperature * GumbelRow(self.sampling.seed, position).noise(both)
        return float(scores[0] - scores[1])

    def _slot(self, logits: Logits, position: int, ids: Tokens | None) -> int:
        best = int(logits.argmax())
        if not math.isfinite(logits[best]):  # the maximum is NaN if any logit is
            raise SlipstreamError(
                "The model gave no usable numbers; run slipstream models verify, then load it again."
            )
        return best if self.greedy else self._sample(logits, position, float(logits[best]), ids)

    def _sample(self, logits: Logits, position: int, peak: float, ids: Tokens | None) -> int:
        """Filters only remove tokens, never the likeliest: the unfiltered winner stands if it passes."""
        row = GumbelRow(self.sampling.seed, position)
        temperature = self.sampling.temperature
        winner = row.argmax(logits, temperature, ids=ids)
        if self._filtered and logits[winner] < peak:
            cutoff = filter_cutoff(logits, self.sampling)
            if logits[winner] < np.float32(cutoff):
                return row.argmax(logits, temperature, cutoff, ids)
        return winner


def penalise(logits: Logits, history: History, sampling: Sampling, ids: Tokens | None = None) -> Logits:
    """A copy of `logits` with the penalties on the tokens that occurred.

    Repetition (Keskar et al., 2019, CTRL) divides positive and multiplies negative logits of prompt and
    answer; presence and frequency are OpenAI's: a constant and a multiple of the count, subtracted for the
    answer's tokens.
    """
    tokens, counts = history.counts()
    slots = tokens if ids is None else ids.searchsorted(tokens)
    inside = slots < len(logits)
    if ids is not None:
        inside[inside] = ids[slots[inside]] == tokens[inside]
    slots, counts = slots[inside], counts[inside]

    values = logits[slots]
    factor = sampling.repetition_penalty
    values = np.where(values > 0, values / factor, values * factor)
    values -= sampling.presence_penalty * (counts > 0) + sampling.frequency_penalty * counts
    penalised = logits.copy()
    penalised[slots] = values
    return penalised


def filter_cutoff(logits: Logits, sampling: Sampling) -> float:
    """The least logit [vocabulary] that passes top-k, then top-p of what is left, then min-p."""
    cutoff = -math.inf
    left = logits
    if 0 < sampling.top_k < len(logits):
        cutoff = _kth_largest(logits, sampling.top_k)
        left = logits[logits >= cutoff]
    if sampling.top_p < 1.0:
        cutoff = _nucleus_floor(left, sampling.top_p, sampling.temperature)
    if sampling.min_p > 0.0:
        cutoff = max(cutoff, float(left.max()) + sampling.temperature * math.log(sampling.min_p))
    return cutoff


def _kth_largest(logits: Logits, k: int) -> float:
    """The k-th largest logit, sought above the k-th largest maximum of disjoint groups: few are left."""
    groups = len(logits) // 128
    if groups >= k:
        maxima = logits[: groups * 128].reshape(128, groups).max(axis=0)
        logits = logits[logits >= np.partition(maxima, -k)[-k]]
    return float(np.partition(logits, -k)[-k])


def _nucleus_floor(logits: Logits, top_p: float, temperature: float) -> float:
    """The least logit of the smallest set of likeliest tokens that holds `top_p` of the probability.

    Tokens with less than (1 - top_p) / n each can't hold 1 - top_p together, so only the others get sorted.
    """
    weights = _weights(logits, temperature)
    total = float(weights.sum())
    head = logits[weights >= 0.5 * total * (1.0 - top_p) / len(logits)]
    head = np.sort(head)[::-1]
    mass = _weights(head, temperature).cumsum(dtype=np.float64)
    return float(head[mass[:-1].searchsorted(top_p * total)])


def _weights(logits: Logits, temperature: float) -> NDArray[np.float32]:
    """Softmax numerators at this temperature, float32 [n], the greatest being 1."""
    weights: Logits = logits - logits.max()
    with np.errstate(over="ignore"):  # a mask of -3.4e38 may become -inf
        weights *= np.float32(1.0 / temperature)
    np.exp(weights, out=weights)
    return weights
