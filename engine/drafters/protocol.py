"""The drafter's contract, small on purpose; a drafter never sees the target's request."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable


class Worth(Protocol):
    """Asked after each guess: does one more pay?"""

    def __call__(
        self, probabilities: list[float], computed: bool = False, ahead: float | None = None
    ) -> bool:
        """`probabilities`: the drafter's own, of the guesses so far. `computed`: the next guess is there already, only
        its verification would cost. `ahead`: the next guess's own probability, where it is known."""
        ...


@runtime_checkable
class Drafter(Protocol):
    """Follows one token sequence. All positions are absolute: token i of prompt + answer."""

    source: str

    def reset(self, tokens: Sequence[int]) -> None:
        """Follow a new sequence that begins with `tokens` (keep what is shared with the old one)."""

    def observe(self, tokens: Sequence[int]) -> None:
        """`tokens` were committed after the known ones."""

    def propose(self, k: int, worth: Worth | None = None) -> list[int]:
        """At most k guesses for the tokens after the committed ones; [] when there is nothing to say.

        `worth` says after each guess whether to go on. Drafters whose guesses cost nothing may ignore it.
        """
