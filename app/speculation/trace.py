"""Every pass of an answer, as it is kept with the message. Pure Python."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Facts = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Spelling:
    """A token of the vocabulary: the bytes that it spells; `silent` when it is a control token, which gives no text."""

    token: int
    text: bytes
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass of the target. The first `accepted` of `tokens` were drafted by `source`; `rejected` are the guesses
    that came after those. Seconds include drafting.
    """

    tokens: tuple[Spelling, ...]
    accepted: int
    rejected: tuple[Spelling, ...]
    source: str
    seconds: float

    @property
    def drafted(self) -> int:
        return self.accepted + len(self.rejected)


@dataclass(slots=True)
class Trace:
    """`runs`: the number of the first pass, and what was set, each time that the answer was generated or went on."""

    passes: list[Pass] = field(default_factory=list)
    runs: list[tuple[int, Facts]] = field(default_factory=list)

    @property
    def facts(self) -> Facts:
        """Of the last run."""
        return self.runs[-1][1] if self.runs else {}

    @property
    def tokens(self) -> tuple[int, ...]:
        """Their numbers in the vocabulary."""
        return tuple(spelling.token for each in self.passes for spelling in each.tokens)

    def spelled(self) -> Iterator[bytes]:
        """What each token adds to the text; a control token adds nothing."""
        for each in self.passes:
            for spelling in each.tokens:
                yield b"" if spelling.silent else spelling.text
