"""Both answers beside each other as they come; below each other where it is narrow."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.speculation import compare_words as words
from app.speculation.switching_row import SwitchingRow
from app.theme import SPACE_L, SPACE_M, SPACE_S, Appearance, colours
from engine.comparison import Comparison, Run, Side, Spread

STACKED_BELOW = 620  # pixels
LINES = 14


class AnswerColumn(QFrame):
    """One side: what it is, its speed, its text."""

    def __init__(self, side: Side, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        name = words.side_name(side)
        title = QLabel(name, self)
        title.setProperty("kind", "compareSide")
        self.speed = QLabel(self)
        self.speed.setProperty("kind", "muted")
        self.speed.setAccessibleName(self.tr("Speed"))
        self.text = QPlainTextEdit(self)
        self.text.document().setDocumentMargin(0)  # in line with the heading
        self.text.setObjectName("compareText")
        self.text.setReadOnly(True)
        self.text.setAccessibleName(name)
        self.text.setPlaceholderText(self.tr("Its answer appears here."))
        self.text.setTabChangesFocus(True)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.restyle()
        head = QHBoxLayout()
        head.setSpacing(SPACE_M)
        head.addWidget(title, 1)
        head.addWidget(self.speed)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        column.setSpacing(SPACE_S)
        column.addLayout(head)
        column.addWidget(self.text, 1)

    def begin(self) -> None:
        self.text.clear()
        self.text.setExtraSelections([])

    def append(self, text: str) -> None:
        """The view stays where a reader has scrolled to."""
        bar = self.text.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 2
        cursor = QTextCursor(self.text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text)
        if at_end:
            bar.setValue(bar.maximum())

    def show_text(self, text: str) -> None:
        if text != self.text.toPlainText():
            self.text.setPlainText(text)
        self.text.setExtraSelections([])
        self.text.moveCursor(QTextCursor.MoveOperation.Start)

    def mark_from(self, place: int) -> None:
        """All that follows the first difference, underlined as well as coloured."""
        selection = QTextEdit.ExtraSelection()
        marked = QTextCharFormat()
        marked.setBackground(QColor(colours().danger_page))
        marked.setFontUnderline(True)
        marked.setUnderlineColor(QColor(colours().danger))
        cursor = QTextCursor(self.text.document())
        cursor.setPosition(
            min(_utf16(self.text.toPlainText()[:place]), self.text.document().characterCount() - 1)
        )
        self.text.setTextCursor(cursor)
        self.text.ensureCursorVisible()
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        selection.cursor, selection.format = cursor, marked
        self.text.setExtraSelections([selection])

    def restyle(self) -> None:
        self.text.setFont(Appearance.shared().font())
        self.text.setMinimumHeight(LINES * self.text.fontMetrics().lineSpacing())


class CompareTexts(SwitchingRow):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(STACKED_BELOW, SPACE_M, parent)
        self.columns = {side: AnswerColumn(side, self) for side in Side}
        self._settled = False
        self._coming: tuple[Side, str, float | None] | None = None
        for side, column in self.columns.items():
            self.row.addWidget(column, 1)
            column.text.verticalScrollBar().valueChanged.connect(partial(self._scrolled, side))

    def clear(self) -> None:
        self._coming = None
        for column in self.columns.values():
            column.begin()
            column.speed.clear()

    def begin(self, side: Side) -> None:
        self._settled = False
        self.flush()
        self.columns[side].begin()

    def advance(self, side: Side, text: str, speed: float | None) -> None:
        """Kept until `flush`: each time that text is laid out costs the engine some of its processor."""
        before = self._coming[1] if self._coming is not None and self._coming[0] is side else ""
        self._coming = (side, before + text, speed)

    def flush(self) -> None:
        if self._coming is not None:
            side, text, speed = self._coming
            self._coming = None
            self.columns[side].append(text)
            self.columns[side].speed.setText(words.speed(Spread.of([speed])))

    def settle(self, comparison: Comparison) -> None:
        """The answers that the verdict is about; a text that was cut off goes, unless there is no other."""
        shown = shown_runs(comparison)
        for side, run in shown.items():
            column = self.columns[side]
            column.show_text(run.finished.text)
            column.speed.setText(words.speed(comparison.speed(side)))
        if comparison.divergence is not None and len(shown) == len(Side):
            place = _common_length(*(run.finished.text for run in shown.values()))
            for column in self.columns.values():
                column.mark_from(place)
        self._settled = True

    def _scrolled(self, side: Side, value: int) -> None:
        """Once both texts are complete, they are read side by side."""
        if self._settled:
            for other, column in self.columns.items():
                if other is not side:
                    column.text.verticalScrollBar().setValue(value)

    def restyle(self) -> None:
        for column in self.columns.values():
            column.restyle()


def shown_runs(comparison: Comparison) -> dict[Side, Run]:
    """The first answer of each side; of a side that went apart, the one that did so first."""
    runs = {side: run for side in Side if (run := comparison.first(side)) is not None}
    divergence = comparison.divergence
    if divergence is not None and divergence.side is Side.SPECULATIVE:
        apart = [run for run in comparison.of(Side.SPECULATIVE) if run.repeat == divergence.repeat]
        runs[Side.SPECULATIVE] = apart[0]
    return runs


def _common_length(left: str, right: str) -> int:
    pairs = enumerate(zip(left, right, strict=False))
    return next((index for index, (one, other) in pairs if one != other), min(len(left), len(right)))


def _utf16(text: str) -> int:
    """Qt counts positions in UTF-16 units."""
    return len(text.encode("utf-16-le", errors="surrogatepass")) // 2
