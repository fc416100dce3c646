"""Tokens per pass of a drafter on recorded greedy answers: what the engine would accept, without the target.

The target's answer is known, so at each committed token the draft is compared with what came. Sampling is left out:
the recorded token is the rule's own only for greedy answers. The n-gram is the engine's own class, and the cascade has
the engine's rule for a fixed length (`engine.speculator`). What differs from the engine:

- Nothing is drafted behind the recorded end, which the engine can't know. So the last passes have fewer rows.
- A fixed length never yields: `engine.train.paced` lets the engine's own pace decide, as in a chat.
- Drafts come from features in 8 bits and a network in float32; the engine has float32 features, weights in 8 bits.
- Only first turns are recorded, so the n-gram has no earlier turns to look into.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.drafters.answer_index import LONGEST
from engine.drafters.ngram import NgramDrafter
from engine.drafters.store import StoreDrafter

Ints = NDArray[np.int64]


class Proposer(Protocol):
    """A draft of up to k tokens after the first `known` tokens of a text.

    `forward`: whether the last draft took a forward of the network.
    """

    @property
    def forward(self) -> bool: ...

    def propose(self, known: int, k: int) -> Sequence[int]: ...


@dataclass(slots=True)
class Score:
    """Counts over passes. Position j: how often a token was drafted there after j right ones, and was right.

    `lengths`: passes by the number of drafted tokens, from none to k. `forwards`: passes whose draft came from the
    network, `forwarded` tokens in all. `changes`: passes with another number of rows than the one before.
    """

    k: int
    passes: int = 0
    tokens: int = 0
    drafted: int = 0
    forwards: int = 0
    forwarded: int = 0
    changes: int = 0
    tried: Ints = field(init=False)
    right: Ints = field(init=False)
    lengths: Ints = field(init=False)

    def __post_init__(self) -> None:
        self.tried, self.right = np.zeros(self.k, dtype=np.int64), np.zeros(self.k, dtype=np.int64)
        self.lengths = np.zeros(self.k + 1, dtype=np.int64)

    @property
    def tokens_per_pass(self) -> float:
        return self.tokens / max(self.passes, 1)

    def by_position(self) -> list[float]:
        """Acceptance at each position, given that all before it were accepted."""
        return [float(r) / t if t else 0.0 for r, t in zip(self.right, self.tried, strict=True)]

    def add(self, accepted: int, drafted: int, committed: int, forward: bool = False) -> None:
        self.passes += 1
        self.tokens += committed
        self.drafted += drafted
        self.forwards += forward
        self.forwarded += drafted * forward
        self.lengths[drafted] += 1
        self.tried[: min(accepted + 1, drafted)] += 1
        self.right[:accepted] += 1

    def merge(self, other: "Score") -> None:
        self.passes += other.passes
        self.tokens += other.tokens
        self.drafted += other.drafted
        self.forwards += other.forwards
        self.forwarded += other.forwarded
        self.changes += other.changes
        self.lengths += other.lengths
        self.tried += other.tried
        self.right += other.right


def simulate(text: Sequence[int], prompt_length: int, proposer: Proposer, k: int) -> Score:
    """Walk the recorded text from pass to pass; each commits what the draft foresaw and one token more."""
    score = Score(k)
    known, last = prompt_length, None
    while known < len(text):
        room = len(text) - known
        draft = proposer.propose(known, min(k, room))
        accepted = right_tokens(draft, text, known)
        committed = min(accepted + 1, room)
        score.add(accepted, len(draft), committed, bool(draft) and proposer.forward)
        score.changes += last not in (None, len(draft))
        last = len(draft)
        known += committed
    return score


def right_tokens(draft: Sequence[int], text: Sequence[int], known: int) -> int:
    """How many tokens of the draft are what the text says after its first `known` ones."""
    most = min(len(draft), len(text) - known)
    return next((j for j in range(most) if draft[j] != text[known + j]), most)


class NgramProposer:
    """The engine's own prompt lookup, moving along a recorded text."""

    forward = False

    def __init__(self, text: Sequence[int], min_match: int) -> None:
        self._text, self._known = text, 0
        self._drafter = NgramDrafter(min_match)

    def propose(self, known: int, k: int) -> Sequence[int]:
        self._drafter.observe(self._text[self._known : known])
        self._known = known
        return self._drafter.propose(k)


class StoreProposer:
    """The engine's own look-up in a store of answers, where it is as sure of its first guess as `least`."""

    forward = False

    def __init__(self, text: Sequence[int], store: StoreDrafter, least: float = 0.0) -> None:
        self._text, self._store, self._least = text, store, least

    def propose(self, known: int, k: int) -> Sequence[int]:
        self._store.reset(self._text[:known][-LONGEST:])
        guesses = self._store.guesses()
        return self._store.propose(k) if guesses and guesses[0].claim >= self._least else ()


class RecordedProposer:
    """Drafts made beforehand for every place of a text: `drafts` [places, block], the first after `begin` tokens."""

    forward = True

    def __init__(self, drafts: Ints, begin: int) -> None:
        self._drafts, self._begin = drafts, begin

    def propose(self, known: int, k: int) -> Sequence[int]:
        draft: list[int] = self._drafts[known - self._begin, :k].tolist()
        return draft


class CascadeProposer:
    """The first proposer that has something to say."""

    def __init__(self, *proposers: Proposer) -> None:
        self._proposers = proposers
        self.forward = False

    def propose(self, known: int, k: int) -> Sequence[int]:
        for proposer in self._proposers:
            if draft := proposer.propose(known, k):
                self.forward = proposer.forward
                return draft
        return ()


class OracleProposer:
    """A bound for every way to choose: at each pass whichever draft has more right tokens, the first where equal.

    It pays for the draft that it takes only.
    """

    def __init__(self, text: Sequence[int], *proposers: Proposer) -> None:
        self._text, self._proposers = text, proposers
        self.forward = False

    def propose(self, known: int, k: int) -> Sequence[int]:
        drafts = [(proposer.propose(known, k), proposer.forward) for proposer in self._proposers]
        draft, self.forward = max(drafts, key=lambda pair: right_tokens(pair[0], self._text, known))
        return draft
