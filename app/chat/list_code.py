"""Cuts a Markdown list at the code blocks inside its items, so that each of these can have a widget of its own."""

from copy import copy
from dataclasses import dataclass, field

from markdown_it.token import Token

LISTS = {"bullet_list_open", "ordered_list_open"}
CODE = {"fence", "code_block"}


@dataclass(slots=True)
class Segment:
    """Tokens that render on their own; `indent` counts the list levels whose markers stand in earlier segments."""

    tokens: list[Token]
    indent: int


@dataclass(slots=True)
class _Open:
    """A list or item that is open. `cut`: its opening tag stands in an earlier segment."""

    token: Token
    number: int = 1  # of a list's next item
    cut: bool = False


@dataclass(slots=True)
class _Cutter:
    segments: list[Segment] = field(default_factory=list)
    _stack: list[_Open] = field(default_factory=list)
    _current: list[Token] = field(default_factory=list)
    _indent: int = 0
    _other: int = 0  # depth inside a block that is not cut, such as a quote

    def feed(self, token: Token) -> None:
        if self._other or not _is_list(token):
            self._feed_content(token)
        elif token.nesting > 0:
            self._open(token)
        else:
            self._close(token)

    def _feed_content(self, token: Token) -> None:
        if token.type in CODE and not self._other:
            self._cut()
            self.segments.append(Segment([token], self._levels()))
            return
        self._other += token.nesting
        if self._stack[-1].cut and token.hidden:
            token = copy(token)
            token.hidden = False  # what follows the code is a paragraph of its own
        self._append(token)

    def _open(self, token: Token) -> None:
        if token.type in LISTS:
            self._append(token)
            self._stack.append(_Open(token, int(token.attrs.get("start", 1))))
            return
        parent = self._stack[-1]
        if parent.cut:
            self._flush()
            parent.cut = False
            self._append(_numbered(parent))
        parent.number += 1
        self._append(token)
        self._stack.append(_Open(token))

    def _close(self, token: Token) -> None:
        if self._stack.pop().cut:
            self._flush()
        else:
            self._append(token)
        if not self._stack:
            self._flush()

    def _cut(self) -> None:
        """Ends the current segment here: everything that is open gets its closing tag now."""
        for entry in reversed(self._stack):
            if not entry.cut:
                self._append(_closing(entry.token))
                entry.cut = True
        self._flush()

    def _append(self, token: Token) -> None:
        if not self._current:
            self._indent = self._levels()
        self._current.append(token)

    def _flush(self) -> None:
        if self._current:
            self.segments.append(Segment(self._current, self._indent))
        self._current = []

    def _levels(self) -> int:
        return sum(entry.cut for entry in self._stack if entry.token.type in LISTS)


def cut(tokens: list[Token]) -> list[Segment]:
    """`tokens` of one whole list, its own opening and closing ones included; one segment when it holds no code."""
    cutter = _Cutter()
    for token in tokens:
        cutter.feed(token)
    return cutter.segments


def _is_list(token: Token) -> bool:
    return "list" in token.type


def _numbered(entry: _Open) -> Token:
    token = copy(entry.token)
    if token.type == "ordered_list_open":
        token.attrs = {**token.attrs, "start": entry.number}
    return token


def _closing(opening: Token) -> Token:
    return Token(opening.type.replace("_open", "_close"), opening.tag, -1, block=True)
