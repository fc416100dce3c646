"""Colours for code: Pygments runs once over a closed block, in slices that leave the window free."""

from collections.abc import Iterator
from itertools import groupby
from time import perf_counter

from pygments.lexers import get_lexer_by_name
from pygments.styles import get_style_by_name
from pygments.token import _TokenType
from pygments.util import ClassNotFound
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QColor, QFont, QTextBlock, QTextCharFormat, QTextDocument, QTextLayout

SLICE_S = 0.004
MAX_CHARS = 400_000  # a longer block stays plain

Span = tuple[int, int, _TokenType]  # start and length in UTF-16 units inside the line, token


def tokens_by_line(code: str, language: str) -> Iterator[list[Span]]:
    """Pygments' tokens of the whole text, cut into lines; nothing for an unknown language."""
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return
    line: list[Span] = []
    column = 0
    for kind, value in lexer.get_tokens(code):
        for index, part in enumerate(value.split("\n")):
            if index:
                yield line
                line, column = [], 0
            width = len(part.encode("utf-16-le")) // 2
            if width:
                line.append((column, width, kind))
            column += width
    yield line


def warm_up() -> None:
    """Compiles the rules of the commonest language before they are needed: 30 ms, measured."""
    for _ in tokens_by_line("pass", "python"):
        pass


class Highlighter(QObject):
    """Gives the lines of a QTextDocument their formats without touching its text."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._document = document
        self._lines: Iterator[list[Span]] = iter(())
        self._block = document.firstBlock()
        self._formats: dict[_TokenType, QTextCharFormat] = {}
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._work)
        self.runs = 0

    def start(self, code: str, language: str, style: str) -> None:
        self._timer.stop()
        if not language or len(code) > MAX_CHARS:
            return
        self.runs += 1
        self._formats = {}
        self._style = get_style_by_name(style)
        self._lines = tokens_by_line(code, language)
        self._block = self._document.firstBlock()
        self._timer.start(0)

    @property
    def busy(self) -> bool:
        return self._timer.isActive()

    def _work(self) -> None:
        end = perf_counter() + SLICE_S
        first = self._block.position()
        for line in self._lines:
            if not self._block.isValid():
                break
            self._apply(self._block, line)
            self._block = self._block.next()
            if perf_counter() > end:
                self._repaint_from(first)
                return
        self._timer.stop()
        self._repaint_from(first)

    def _apply(self, block: QTextBlock, line: list[Span]) -> None:
        ranges = []
        for kind, spans in groupby(line, key=lambda span: span[2]):
            run = list(spans)
            part = QTextLayout.FormatRange()
            part.start = run[0][0]
            part.length = run[-1][0] + run[-1][1] - part.start
            part.format = self._format(kind)
            ranges.append(part)
        block.layout().setFormats(ranges)

    def _format(self, kind: _TokenType) -> QTextCharFormat:
        """No italics: Linux's usual slanted fonts have no Arabic letters, and show boxes."""
        if kind not in self._formats:
            style = self._style.style_for_token(kind)
            result = QTextCharFormat()
            if style["color"]:
                result.setForeground(QColor("#" + style["color"]))
            if style["bold"]:
                result.setFontWeight(QFont.Weight.Bold)
            self._formats[kind] = result
        return self._formats[kind]

    def _repaint_from(self, position: int) -> None:
        end = self._block.position() if self._block.isValid() else self._document.characterCount()
        self._document.markContentsDirty(position, max(0, end - position))
