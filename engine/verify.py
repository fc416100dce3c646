"""Checking a draft: commit the rule's tokens for as long as the draft foresaw them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.sampling import History, Rule


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one pass of the target commits: `accepted` drafted tokens, then the rule's own token unless cut.

    The own token is missing when an accepted token ended the answer or filled the room.
    """

    tokens: tuple[int, ...]
    accepted: int
    ended: bool

    @property
    def own_token(self) -> int | None:
        return self.tokens[self.accepted] if len(self.tokens) > self.accepted else None


def verify(
    drafted: Sequence[int], token_at: Callable[[int], int], room: int, ends: Collection[int] = ()
) -> Verdict:
    """Commit up to `room` tokens, none after one of `ends`.

    `token_at(j)` gives the rule's token after the first j drafted ones. It is called for j = 0, 1, ... and
    not past the first mismatch; each token that it returns is committed.
    """
    tokens: list[int] = []
    accepted = 0
    for j in range(min(len(drafted) + 1, room)):
        token = token_at(j)
        tokens.append(token)
        foreseen = j < len(drafted) and token == drafted[j]
        accepted += foreseen
        if token in ends:
            return Verdict(tuple(tokens), accepted, ended=True)
        if not foreseen:
            break
    return Verdict(tuple(tokens), accepted, ended=False)


def verify_rows(
    drafted: Sequence[int],
    logits: NDArray[np.float32],
    rule: Rule,
    *,
    position: int,
    room: int,
    ends: Collection[int] = (),
    history: History | None = None,
) -> Verdict:
    """`verify` against the target's logits [rows > len(drafted), vocabulary].

    Row j follows the first j drafted tokens and decides the token at `position` + j; further rows (padding)
    are not read. The committed tokens are pushed onto `history`. Raises SlipstreamError when a row holds no
    numbers.
    """

    def token_at(j: int) -> int:
        token = rule.token(logits[j], position + j, history)
        if history is not None:
            history.push(token)
        return token

    return verify(drafted, token_at, room, ends)
