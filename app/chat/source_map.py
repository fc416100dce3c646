"""From a piece of rendered text back to the Markdown it came from.

The parser keeps no places inside a paragraph, so the two texts are walked side by side: each word of the rendered one
is looked for in the source, behind the last one, past markup, and never inside a link's address. The slice runs from
the first selected letter to the last; a construct (bold, code, a link) that the selection enters or leaves on one
side gets its other marker, so that the slice is sound Markdown; one that holds the whole selection gives none.
"""

import re
from dataclasses import dataclass

FORMULA = "\ufffc"  # what a picture is in a document's text
_TOKEN = re.compile(rf"{FORMULA}|\w+|\s+|.", re.DOTALL)
_HIDDEN = re.compile(r"(?<=\])\([^()\s]*(?:\([^()\s]*\)[^()\s]*)?(?:\s+\"[^\"\n]*\")?\)|(?<=\])\[[^\]\n]*\]")
_OPENER = re.compile(r"\$\$?|\\[(\[]")
_CLOSER = re.compile(r"\s*(?:\$\$?|\\[)\]])")
_SPANS = (
    re.compile(r"(?P<open>`+)(?P<inner>[^`].*?)(?P<close>(?<!`)(?P=open)(?!`))", re.DOTALL),
    re.compile(r"(?P<open>\*\*|__|~~)(?P<inner>\S(?:.*?\S)?)(?P<close>(?P=open))", re.DOTALL),
    re.compile(r"(?<![*\w])(?P<open>[*_])(?P<inner>[^\s*_](?:[^*_]*[^\s*_])?)(?P<close>(?P=open))(?![*\w])"),
    re.compile(r"(?P<open>!?\[)(?P<inner>[^\]\[]+)(?P<close>\]\([^)\n]*\))"),
)
FAR = 12  # word characters that may be passed over between two words: an entity's name, a list's number


@dataclass(frozen=True, slots=True)
class _Span:
    """A construct's places in the source."""

    start: int
    inner_start: int
    inner_end: int
    end: int


class SourceMap:
    """Of one block. `formulas`: the LaTeX of its pictures, in order."""

    def __init__(self, rendered: str, source: str, formulas: list[str]) -> None:
        self.source = source
        self._places: list[tuple[int, int]] = []  # of each rendered letter; empty where it has none
        self._hidden = [match.span() for match in _HIDDEN.finditer(source)]
        self._at = 0
        waiting = iter(formulas)
        for match in _TOKEN.finditer(rendered):
            token = match[0]
            if token == FORMULA:
                self._place_formula(next(waiting, ""))
            else:
                self._place(token)

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Where the rendered letters from `start` to `end` lie in the source; None: nowhere."""
        found = [place for place in self._places[start:end] if place[1] > place[0]]
        return (found[0][0], found[-1][1]) if found else None

    def slice(self, start: int, end: int, with_ends: bool = False) -> str:
        """Markdown of the rendered letters from `start` to `end`; `with_ends`: with a list's marker before the first
        letter of the block, and with what closes behind its last.
        """
        found = self.span(start, end)
        if found is None:
            return ""
        first = 0 if with_ends and start == 0 else found[0]
        last = len(self.source) if with_ends and end == len(self._places) else found[1]
        return _sound(self.source, first, last)

    def _place(self, token: str) -> None:
        at = self._find(token)
        if at < 0:
            self._places += [(self._at, self._at)] * len(token)
            return
        self._places += [(at + index, at + index + 1) for index in range(len(token))]
        self._at = at + len(token)

    def _find(self, token: str) -> int:
        if token.isspace():
            return self._at if self.source.startswith(token, self._at) else -1
        at = self.source.find(token, self._at)
        while at >= 0:
            inside = next((end for start, end in self._hidden if start <= at < end), None)
            if inside is None:
                return at if self._is_near(at) else -1
            at = self.source.find(token, inside)
        return -1

    def _is_near(self, at: int) -> bool:
        passed = sum(
            letter.isalnum() and not any(start <= place < end for start, end in self._hidden)
            for place, letter in enumerate(self.source[self._at : at], self._at)
        )
        return passed <= FAR

    def _place_formula(self, tex: str) -> None:
        at = self.source.find(tex, self._at) if tex else -1
        if at < 0:
            self._places.append((self._at, self._at))
            return
        opener = _OPENER.search(self.source, self._at, at)
        closer = _CLOSER.match(self.source, at + len(tex))
        start = opener.start() if opener else at
        self._at = closer.end() if closer else at + len(tex)
        self._places.append((start, self._at))


def _sound(source: str, start: int, end: int) -> str:
    before = after = ""
    for span in _spans(source):
        if span.inner_start <= start < span.inner_end and end > span.inner_end:
            before += source[span.start : span.inner_start]
        elif span.start >= start and span.inner_start < end <= span.inner_end:
            after = source[span.inner_end : span.end] + after
    return before + source[start:end] + after


def _spans(source: str) -> list[_Span]:
    """Outer ones first."""
    found = [
        _Span(match.start(), match.end("open"), match.start("close"), match.end())
        for pattern in _SPANS
        for match in pattern.finditer(source)
    ]
    return sorted(found, key=lambda span: (span.start, -span.end))
