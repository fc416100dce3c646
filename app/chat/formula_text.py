"""Puts the pictures of formulas into a text document, on the line of writing; their sources until they are drawn."""

import re
from functools import lru_cache
from html import escape, unescape

from PySide6.QtCore import QUrl
from PySide6.QtGui import QFont, QFontMetrics, QTextCharFormat, QTextDocument

from app.chat.formulas import Formula, Formulas, Picture

_FORMULA = re.compile(r'<math d="([01])">(.*?)</math>', re.DOTALL)
OBJECT = "\ufffc"  # what a picture is in a document's text
LARGEST_PX = 2000  # of a font that is looked for


class FormulaText:
    """Of one document."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._missing: list[Formula] = []
        self.pictured: list[str] = []  # LaTeX of the formulas that are shown as pictures

    @property
    def waits(self) -> bool:
        """Some formulas are not drawn yet."""
        return bool(self._missing)

    def all_drawn(self) -> bool:
        """What was missing can be shown now."""
        return all(Formulas.shared().drawing(formula) is not None for formula in self._missing)

    def show(self, html: str, colour: str, em: float, ratio: float) -> None:
        """Sets the document's text."""
        self._missing, self.pictured = [], []
        pictures: list[Picture] = []

        def replaced(match: re.Match[str]) -> str:
            formula: Formula = (unescape(match[2]), match[1] == "1")
            if Formulas.shared().drawing(formula) is None:
                self._missing.append(formula)
            picture = Formulas.shared().picture(formula, colour, em, ratio)
            if picture is None:
                return _source(formula)
            name = f"formula:{len(pictures)}"
            pictures.append(picture)
            self.pictured.append(formula[0])
            self._document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(name), picture.image)
            return f'<img src="{name}" width="{picture.width}" height="{picture.height}">'

        self._document.setHtml(_FORMULA.sub(replaced, html))
        self._lower(pictures)

    def _lower(self, pictures: list[Picture]) -> None:
        """Qt lowers a picture only by the descent of its format's font: a font that has the picture's own is set."""
        found = self._document.find(OBJECT)
        while not found.isNull():
            style = found.charFormat().toImageFormat()
            name = style.name()
            if name.startswith("formula:"):
                style.setFont(_font_below(pictures[int(name.removeprefix("formula:"))].descent))
                style.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
                found.setCharFormat(style)
            found = self._document.find(OBJECT, found)


def _source(formula: Formula) -> str:
    around = "$$" if formula[1] else "$"
    return f"<code>{escape(around + formula[0] + around)}</code>"


@lru_cache(maxsize=256)
def _font_below(descent: int) -> QFont:
    font = QFont()
    low, high = 1, LARGEST_PX
    while low < high:
        middle = (low + high) // 2
        font.setPixelSize(middle)
        if QFontMetrics(font).descent() < descent:
            low = middle + 1
        else:
            high = middle
    font.setPixelSize(low)
    return font
