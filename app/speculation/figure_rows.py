"""Rows of a name and a figure, each with its definition as a tooltip."""

import html

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.speculation.numbers import NONE
from app.theme import SPACE_M, SPACE_XS


class FigureRows(QWidget):
    """`definitions`: key -> (name, what it means); without a name it is a note below the row above it."""

    def __init__(self, definitions: dict[str, tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(SPACE_M)
        grid.setVerticalSpacing(SPACE_XS)
        grid.setColumnStretch(1, 1)
        self._names: dict[str, QLabel] = {}
        self._figures: dict[str, QLabel] = {}
        for row, (key, (name, meaning)) in enumerate(definitions.items()):
            self._names[key] = plain_label(name, "muted")
            self._names[key].setWordWrap(False)
            self._figures[key] = plain_label(NONE, "" if name else "small")
            self._figures[key].setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            self._figures[key].setAccessibleDescription(meaning)
            for label in (self._names[key], self._figures[key]):
                label.setToolTip(tooltip(meaning))
            first, span = (1, 1) if name else (0, 2)
            grid.addWidget(self._figures[key], row, first, 1, span)
            if name:
                grid.addWidget(self._names[key], row, 0, Qt.AlignmentFlag.AlignTop)

    def show_figure(self, key: str, text: str) -> None:
        set_text(self._figures[key], text)
        name = self._names[key].text()
        self._figures[key].setAccessibleName(f"{name}: {text}" if name else text)

    def rename(self, key: str, name: str) -> None:
        set_text(self._names[key], name)

    def show_row(self, key: str, shown: bool) -> None:
        self._names[key].setVisible(shown and bool(self._names[key].text()))
        self._figures[key].setVisible(shown)

    def figure(self, key: str) -> str:
        return self._figures[key].text()


def plain_label(text: str = "", kind: str = "") -> QLabel:
    """Wraps, never reads its text as HTML, and never widens the panel; `kind` as in the theme's style sheet."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setMinimumWidth(1)
    if kind:
        label.setProperty("kind", kind)
    return label


def set_text(label: QLabel, text: str) -> None:
    """Without the new layout that QLabel asks for even if the text is the same."""
    if label.text() != text:
        label.setText(text)


def tooltip(text: str) -> str:
    """As rich text, because only that wraps."""
    return f"<p>{html.escape(text)}</p>"
