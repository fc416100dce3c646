"""Where each token of an answer comes from, and how it is written. Pure Python."""

import codecs
from dataclasses import dataclass
from enum import StrEnum

from app.speculation.trace import Pass, Spelling, Trace


class Origin(StrEnum):
    """The first four were drafted by that source and accepted; the others are the target's own."""

    NGRAM = "ngram"
    STORE = "store"
    DRAFT = "draft"
    DFLASH = "dflash"
    CORRECTED = "corrected"  # in place of a rejected guess
    BONUS = "bonus"  # after a draft that was accepted as a whole
    PLAIN = "plain"  # nothing was drafted


ACCEPTED = (Origin.NGRAM, Origin.STORE, Origin.DRAFT, Origin.DFLASH)


@dataclass(frozen=True, slots=True)
class Token:
    """`text` as it is shown: a control token by its name, part of a character as its bytes (`odd` in both cases).

    `number` counts the tokens of the answer, `step` its passes, `place` the tokens of the pass, all from 0.
    """

    text: str
    origin: Origin
    number: int
    step: int
    place: int
    odd: bool = False


def origin_of(one: Pass, place: int) -> Origin:
    if place < one.accepted:
        return Origin(one.source) if one.source in ACCEPTED else Origin.DRAFT
    if one.rejected:
        return Origin.CORRECTED
    return Origin.BONUS if one.accepted else Origin.PLAIN


class TokenReader:
    """Reads a trace on as it grows."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.step = 0  # passes that were read
        self._number = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    @property
    def at_end(self) -> bool:
        return self.step >= len(self.trace.passes)

    def read(self, passes: int) -> list[Token]:
        """The tokens of at most so many further passes."""
        found: list[Token] = []
        for one in self.trace.passes[self.step : self.step + passes]:
            for place, spelling in enumerate(one.tokens):
                text, odd = self._shown(spelling)
                found.append(Token(text, origin_of(one, place), self._number, self.step, place, odd))
                self._number += 1
            self.step += 1
        return found

    def _shown(self, spelling: Spelling) -> tuple[str, bool]:
        if spelling.silent:
            return spelling.text.decode("utf-8", "replace"), True
        text = self._decoder.decode(spelling.text)
        return (text, False) if text else (_bytes(spelling.text), True)


def guess_text(spelling: Spelling) -> str:
    """Of a guess that was rejected: it stands alone."""
    try:
        return spelling.text.decode("utf-8") or _bytes(b"")
    except UnicodeDecodeError:
        return _bytes(spelling.text)


def _bytes(spelling: bytes) -> str:
    return f"⟨{spelling.hex(' ').upper()}⟩"
