"""Markdown to blocks while it streams: a finished block is parsed once and never again.

`app.chat.markdown_rules` has the language. Only the source after the last finished block is parsed again when text
arrives; inside an open code fence not even that.
"""

from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from itertools import accumulate, chain
from typing import Any

from markdown_it.token import Token

from app.chat.fence import OpenFence, fence_is_closed, lines_of
from app.chat.list_code import LISTS, Segment, cut
from app.chat.markdown_rules import make_parser

SPLIT_LIST_CHARS = 1500  # a longer open list is finished item by item
SPLIT_PARAGRAPH_CHARS = 4000  # a longer open paragraph is broken at a space: rendering it costs its length


class Kind(Enum):
    TEXT = "text"
    HEADING = "heading"
    QUOTE = "quote"
    TABLE = "table"
    CODE = "code"
    RULE = "rule"
    MATH = "math"  # a formula on display


@dataclass(frozen=True, slots=True)
class Block:
    """A top-level piece, or a part of a list that holds code: `indent` is then the depth of the items it belongs to.

    `content` is HTML for Qt's rich text, or the plain text of a code block. `start` and `end`: where its Markdown lies
    in the whole text, counted without carriage returns.
    """

    kind: Kind
    content: str
    language: str = ""
    closed: bool = True
    continues: bool = False  # belongs to the list or paragraph above: no gap
    indent: int = 0
    start: int = 0
    end: int = 0


_PARSER = make_parser()
_KINDS = {
    "heading_open": Kind.HEADING,
    "blockquote_open": Kind.QUOTE,
    "table_open": Kind.TABLE,
    "fence": Kind.CODE,
    "code_block": Kind.CODE,
    "hr": Kind.RULE,
    "math_block": Kind.MATH,
}


class MarkdownStream:
    """`feed` text as it arrives; `finished` only grows, `tail` holds the blocks that may still change."""

    def __init__(self) -> None:
        self.finished: list[Block] = []
        self.tail: list[Block] = []
        self._source = ""  # from the start of the first unfinished block
        self._offset = 0  # of it in the whole text
        self._fed = 0  # characters
        self._env: dict[str, Any] = {}
        self._ordinal: int | None = None  # number of the next item of a list that was split
        self._continues = False
        self._fence: OpenFence | None = None

    @property
    def blocks(self) -> list[Block]:
        return self.finished + self.tail

    def feed(self, text: str) -> None:
        text = text.replace("\r", "")
        self._fed += len(text)
        if self._fence is not None:
            text = self._feed_fence(text)
        if text:
            self._source += text
            self._parse()

    def finish(self) -> None:
        """The text is complete: every block is finished."""
        if self._fence is not None:
            self.tail = [replace(self.tail[0], content=self._fence.complete(), end=self._fed)]
        self.finished += [replace(block, closed=True) for block in self.tail]
        self.tail, self._source, self._fence = [], "", None

    def _feed_fence(self, text: str) -> str:
        """Appends to the open code block; returns what follows its closing line."""
        fence = self._fence
        assert fence is not None
        rest = fence.feed(text)
        if rest is None:
            self.tail = [replace(self.tail[0], content=fence.visible(), end=self._fed)]
            return ""
        self._offset = self._fed - len(rest)
        self.finished.append(replace(self.tail[0], content=fence.text, closed=True, end=self._offset))
        self.tail, self._fence, self._source = [], None, ""
        self._ordinal, self._continues = None, False
        return rest

    def _parse(self) -> None:
        pieces = _split(_PARSER.parse(self._source, self._env), self._source)
        complete_lines = self._source.count("\n")
        count = max(1, sum(piece.start < complete_lines for piece in pieces))
        groups = [self._blocks(piece, first=index == 0) for index, piece in enumerate(pieces)]
        self.tail = list(chain(*groups[count - 1 :]))
        if count > 1:
            self.finished += chain(*groups[: count - 1])
            self._cut(pieces[count - 1].start)
            self._ordinal, self._continues = None, False
        if pieces and count == len(pieces):
            self._shorten(pieces[-1])

    def _cut(self, line: int) -> None:
        rest = "".join(lines_of(self._source)[line:])
        self._offset += len(self._source) - len(rest)
        self._source = rest

    def _shorten(self, piece: "_Piece") -> None:
        """Keeps the open tail cheap: a fence streams, a long list or paragraph is split."""
        opening = piece.tokens[0]
        if opening.type == "fence" and not self.tail[0].closed and self._source.count("\n") > piece.start:
            self._fence = OpenFence(opening, self._source)
            self.tail = [replace(self.tail[0], content=self._fence.visible())]
        elif opening.type.endswith("_list_open") and len(self._source) > SPLIT_LIST_CHARS:
            self._split_list(piece)
        elif opening.type == "paragraph_open" and len(self._source) > SPLIT_PARAGRAPH_CHARS:
            self._split_paragraph()

    def _split_list(self, piece: "_Piece") -> None:
        complete_lines = self._source.count("\n")
        items = [index for index, token in enumerate(piece.tokens) if _is_item(token) and token.level == 1]
        starts = [index for index in items if _line(piece.tokens[index]) < complete_lines]
        if len(starts) < 2:
            return
        opening, closing = piece.tokens[0], piece.tokens[-1]
        cut = starts[-1]
        head = _Piece([*piece.tokens[:cut], closing], piece.start, _line(piece.tokens[cut]))
        self.finished += self._blocks(head, first=True)
        if opening.type == "ordered_list_open":
            first = self._ordinal if self._ordinal is not None else int(opening.attrs.get("start", 1))
            self._ordinal = first + len(starts) - 1
        self._continues = True
        rest = _Piece([opening, *piece.tokens[cut:]], _line(piece.tokens[cut]), piece.end)
        self.tail = self._blocks(rest, first=True)
        self._cut(rest.start)

    def _split_paragraph(self) -> None:
        """All that is too much at once: to parse the rest after each cut would cost its square."""
        while len(self._source) > SPLIT_PARAGRAPH_CHARS:
            self._cut_paragraph()
        self._parse()

    def _cut_paragraph(self) -> None:
        space = self._source.rfind(" ", 0, SPLIT_PARAGRAPH_CHARS)
        cut = space + 1 if space > 0 else SPLIT_PARAGRAPH_CHARS
        head, rest = self._source[:cut], self._source[cut:]
        html = _PARSER.render(head, self._env).strip()
        end = self._offset + len(head)
        self.finished.append(Block(Kind.TEXT, html, continues=self._continues, start=self._offset, end=end))
        self._continues = True
        self._source, self._offset = rest, end

    def _blocks(self, piece: "_Piece", first: bool) -> list[Block]:
        ordinal = self._ordinal if first else None
        head, *rest = _render(piece, self._env, ordinal, self._source, self._offset)
        return [replace(head, continues=first and self._continues), *rest]


@dataclass(frozen=True, slots=True)
class _Piece:
    tokens: list[Token]
    start: int  # line
    end: int = 0  # the line after it


def parse(source: str) -> list[Block]:
    """Blocks of a complete text."""
    env: dict[str, Any] = {}
    pieces = _split(_PARSER.parse(source, env), source)
    blocks = chain.from_iterable(_render(piece, env, None, source, 0) for piece in pieces)
    return [replace(block, closed=True) for block in blocks]


def _split(tokens: list[Token], source: str) -> list[_Piece]:
    groups: list[list[Token]] = []
    depth = 0
    for token in tokens:
        if depth == 0 and token.nesting >= 0:
            groups.append([])
        groups[-1].append(token)
        depth += token.nesting
    starts = [_line(group[0]) for group in groups]
    ends = [*starts[1:], source.count("\n") + 1]
    return [_Piece(group, start, end) for group, start, end in zip(groups, starts, ends, strict=False)]


def _render(piece: _Piece, env: dict[str, Any], ordinal: int | None, source: str, offset: int) -> list[Block]:
    """The blocks of one piece: one, but for a list that holds code."""
    opening = piece.tokens[0]
    segments = [Segment(piece.tokens, 0)]
    if opening.type in LISTS:
        if ordinal is not None:
            opening.attrs["start"] = ordinal
        segments = cut(_tight(piece.tokens))
    starts = [piece.start, *(_first_line(segment.tokens) for segment in segments[1:])]
    ends = [*starts[1:], piece.end]
    at = _line_starts(source)
    return [
        replace(
            _block(segment, env, source), start=offset + at[start], end=offset + at[min(end, len(at) - 1)]
        )
        for segment, start, end in zip(segments, starts, ends, strict=True)
    ]


@lru_cache(maxsize=2)
def _line_starts(source: str) -> tuple[int, ...]:
    return tuple(accumulate(map(len, lines_of(source)), initial=0))


def _block(segment: Segment, env: dict[str, Any], source: str) -> Block:
    opening, tokens = segment.tokens[0], segment.tokens
    kind = _KINDS.get(opening.type, Kind.TEXT)
    if kind is Kind.CODE:
        return replace(_code(opening, source), indent=segment.indent)
    html = _PARSER.renderer.render(tokens[1:-1] if kind is Kind.QUOTE else tokens, _PARSER.options, env)
    return Block(kind, html.strip(), indent=segment.indent)


def _code(token: Token, source: str) -> Block:
    info = token.info.split()
    closed = token.type != "fence" or fence_is_closed(token, source)
    return Block(Kind.CODE, token.content, info[0] if info else "", closed)


def _tight(tokens: list[Token]) -> list[Token]:
    """The first paragraph of each item without a gap: spacing does not change while the list grows."""
    for index, token in enumerate(tokens):
        if token.type == "paragraph_open" and _is_item(tokens[index - 1]):
            token.hidden = tokens[index + 2].hidden = True
    return tokens


def _is_item(token: Token) -> bool:
    return token.type == "list_item_open"


def _line(token: Token) -> int:
    return token.map[0] if token.map else 0


def _first_line(tokens: list[Token]) -> int:
    """A list that goes on after code has an opening of its own, which names the line of the first."""
    return next(_line(token) for token in tokens if token.map and token.type not in LISTS)
