"""What is special here, in one glance: a line of text with its guesses, and what follows from them."""

import html
import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.speculation.origins import Origin
from app.speculation.tints import tint
from app.theme import SPACE_L, SPACE_M, SPACE_XS, Appearance, colours

MARKED = re.compile(r"\[(?P<right>.+?)\]|~(?P<wrong>.+?)~|\*(?P<own>.+?)\*")


class MarkedLabel(QLabel):
    """`text` with [right guesses], ~wrong ones~ and the model's *own words* in the token view's colours."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source = text
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setAccessibleName(MARKED.sub(lambda found: found[found.lastgroup or 0], text))
        Appearance.shared().changed.connect(self.restyle)
        self.restyle()

    def restyle(self) -> None:
        self.setText(_as_html(self._source))


class Lesson(QFrame):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        line = MarkedLabel(
            self.tr("The cat sat [on the mat] and [looked out of the] ~door~ *window* [at the rain.]"), self
        )
        line.setProperty("kind", "lesson")
        facts = QHBoxLayout()
        facts.setSpacing(SPACE_L)
        for name, text in (
            (self.tr("Sooner"), self.tr("[Right guesses] come several at a time.")),
            (self.tr("The same text"), self.tr("~Wrong ones~ are *corrected* by the model.")),
            (self.tr("Private"), self.tr("Nothing leaves this computer.")),
        ):
            facts.addLayout(self._fact(name, text), 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        column.setSpacing(SPACE_M)
        column.addWidget(line)
        column.addLayout(facts)

    def _fact(self, name: str, text: str) -> QVBoxLayout:
        heading, meaning = QLabel(name, self), MarkedLabel(text, self)
        heading.setProperty("kind", "panelHeading")
        heading.setWordWrap(True)
        meaning.setProperty("kind", "small")
        column = QVBoxLayout()
        column.setSpacing(SPACE_XS)
        column.addWidget(heading)
        column.addWidget(meaning)
        column.addStretch(1)
        return column


def _as_html(text: str) -> str:
    c = colours()
    right, own = (tint(origin, c, c.side).name() for origin in (Origin.NGRAM, Origin.CORRECTED))
    styles = {
        "right": f"color: {c.text}; background-color: {right}; text-decoration: underline",
        "wrong": f"color: {c.muted}; text-decoration: line-through",
        "own": f"color: {c.text}; background-color: {own}; font-weight: 600",
    }
    return MARKED.sub(
        lambda found: f'<span style="{styles[found.lastgroup or ""]}">{found[found.lastgroup or 0]}</span>',
        html.escape(text, quote=False),
    )
