"""Tokens per pass of a drafter on recorded greedy answers: what the engine would accept, without the target.

The target's answer is known, so at each committed token the draft is compared with what came. Sampling is left out:
the recorded token is the rule's own only for greedy answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.drafters.ngram import NgramDrafter

Ints = NDArray[np.int64]


class Proposer(Protocol):
    """A draft of up to k tokens after the first `known` tokens of a text."""

    def propose(self, known: int, k: int) -> Sequence[int]: ...


@dataclass(slots=True)
class Score:
    """Counts over passes. Position j: how often a token was drafted there after j right ones, and was right."""

    k: int
    passes: int = 0
    tokens: int = 0
    drafted: int = 0
    tried: Ints = field(init=False)
    right: Ints = field(init=False)

    def __post_init__(self) -> None:
        self.tried, self.right = np.zeros(self.k, dtype=np.int64), np.zeros(self.k, dtype=np.int64)

    @property
    def tokens_per_pass(self) -> float:
        return self.tokens / max(self.passes, 1)

    def by_position(self) -> list[float]:
        """Acceptance at each position, given that all before it were accepted."""
        return [float(r) / t if t else 0.0 for r, t in zip(self.right, self.tried, strict=True)]

    def add(self, accepted: int, drafted: int, committed: int) -> None:
        self.passes += 1
        self.tokens += committed
        self.drafted += drafted
        self.tried[: min(accepted + 1, drafted)] += 1
        self.right[:accepted] += 1

    def merge(self, other: "Score") -> None:
        self.passes += other.passes
        self.tokens += other.tokens
        self.drafted += other.drafted
        self.tried += other.tried
        self.right += other.right


def simulate(text: Sequence[int], prompt_length: int, proposer: Proposer, k: int) -> Score:
    """Walk the recorded text from pass to pass; each commits what the draft foresaw and one token more."""
    score = Score(k)
    known = prompt_length
    while known < len(text):
        room = len(text) - known
        draft = proposer.propose(known, min(k, room))
        accepted = 0
        while accepted < len(draft) and draft[accepted] == text[known + accepted]:
            accepted += 1
        committed = min(accepted + 1, room)
        score.add(accepted, len(draft), committed)
        known += committed
    return score


class NgramProposer:
    """The engine's own prompt lookup, moving along a recorded text."""

    def __init__(self, text: Sequence[int], min_match: int) -> None:
        self._text, self._known = text, 0
        self._drafter = NgramDrafter(min_match)

    def propose(self, known: int, k: int) -> Sequence[int]:
        self._drafter.observe(self._text[self._known : known])
        self._known = known
        return self._drafter.propose(k)


class RecordedProposer:
    """Drafts made beforehand for every place of a text: `drafts` [places, block], the first after `begin` tokens."""

    def __init__(self, drafts: Ints, begin: int) -> None:
        self._drafts, self._begin = drafts, begin

    def propose(self, known: int, k: int) -> Sequence[int]:
        draft: list[int] = self._drafts[known - self._begin, :k].tolist()
        return draft


class CascadeProposer:
    """The first proposer that has something to say."""

    def __init__(self, *proposers: Proposer) -> None:
        self._proposers = proposers

    def propose(self, known: int, k: int) -> Sequence[int]:
        for proposer in self._proposers:
            if draft := proposer.propose(known, k):
                return draft
        return ()
