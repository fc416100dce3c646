"""A small network on the target's own hidden states guesses a block in one forward (DFlash, arXiv 2602.06036), or token
after token (EAGLE, arXiv 2401.15077)."""

import threading
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.drafters.follower import Follower
from engine.drafters.protocol import Worth
from engine.sampling import Logits, Rule

CURRENT_ROWS = 32  # a draft that read more context rows than this is no measure of what drafts cost


class BlockDrafter:
    """Asks a model that follows the target for a draft after the last committed token.

    With `rule` set to the target's, it applies the same noise to its own logits. `ids` are the target's ids of a
    reduced vocabulary.
    """

    source = "dflash"

    def __init__(self, model: Follower, ids: NDArray[np.int64] | None = None) -> None:
        self.model = model
        self.rule: Rule | None = None
        self.cancel: threading.Event | None = None
        self.was_current = False
        self._ids = ids
        self._known = 0
        self._last = 0

    def reset(self, tokens: Sequence[int]) -> None:
        self._known, self._last = len(tokens), tokens[-1]

    def observe(self, tokens: Sequence[int]) -> None:
        if tokens:
            self._known, self._last = self._known + len(tokens), tokens[-1]

    def release(self, prompt: Sequence[int]) -> None:
        self.model.release(prompt)

    def read(self) -> None:
        """Compute the context of the prompt now, so that no decoding pass has to wait for it."""
        self.model.keep(self._known - 1)
        self.model.absorb()

    def propose(self, k: int, worth: Worth | None = None) -> list[int]:
        """Up to k guesses; stops at the first that `worth` does not find worth verifying."""
        k = min(k, self.model.shape.longest_draft)
        if self.rule is None or k < 1 or self._known + k > self.model.shape.context:
            return []
        self.model.keep(self._known - 1)
        if self.model.rows < self._known - 1:
            return []
        self.was_current = self.model.waiting <= CURRENT_ROWS
        end = until_doubt if self.model.whole else until_costly
        return end(self._draw(k, self.rule), worth)

    def hindsight(self) -> tuple[int, int]:
        """No cheaper than a draft: nothing is judged."""
        return 0, 0

    def _draw(self, k: int, rule: Rule) -> Iterator[tuple[int, float]]:
        """Guesses with how sure they are, one biased by the one before."""
        logits, _ = self.model.draft(self._last, k)
        step, previous = self.model.step, self._last
        if step:
            step.reset()
        for j in range(k):
            row, claim = step.run(j, previous) if step else (logits[j], None)
            previous, sure = self._chosen(rule, row, self._known + j, claim)
            yield previous, sure

    def _chosen(self, rule: Rule, row: Logits, position: int, claim: float | None) -> tuple[int, float]:
        """The token, and how likely it is by the drafter's own claim, if it makes one."""
        if claim is not None:
            return rule.draft_choice(row, position, self._ids), claim
        guess = rule.draft_token(row, position, self._ids)
        return guess.token, guess.probability


def until_doubt(guesses: Iterable[tuple[int, float]], worth: Worth | None) -> list[int]:
    """The guesses before the first that `worth` does not find worth verifying."""
    taken: list[int] = []
    probabilities: list[float] = []
    for token, claim in guesses:
        doubtful = worth is not None and not worth(probabilities, computed=True, ahead=claim)
        if doubtful and taken:  # the first one costs nothing: a plain pass has two rows as well
            break
        taken.append(token)
        probabilities.append(claim)
    return taken


def until_costly(guesses: Iterable[tuple[int, float]], worth: Worth | None) -> list[int]:
    """The guesses up to the one after which another does not pay: each is drafted only when it is asked for."""
    taken: list[int] = []
    probabilities: list[float] = []
    for token, claim in guesses:
        taken.append(token)
        probabilities.append(claim)
        if worth is not None and not worth(probabilities):
            break
    return taken
