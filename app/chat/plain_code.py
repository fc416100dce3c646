"""Code between fences in plain text: in the code's font, the text itself as it is."""

import re

from PySide6.QtGui import QColor, QTextBlock, QTextCharFormat, QTextCursor, QTextDocument

from app.theme import Appearance, colours

FENCE = re.compile(r" {0,3}(```+|~~~+)")


def dress(document: QTextDocument) -> None:
    """Again after a change of the look; the fences themselves step back."""
    code, fence = QTextCharFormat(), QTextCharFormat()
    look = Appearance.shared()
    code.setFontFamilies([look.code_font().family()])
    for form in (code, fence):
        form.setFontPointSize(look.points("small"))
    fence.setForeground(QColor(colours().muted))
    closing, block = "", document.begin()
    while block.isValid():
        found = FENCE.match(block.text())
        if found and (not closing or found[1].startswith(closing)):
            closing = "" if closing else found[1]
            _merge(block, fence)
        elif closing:
            _merge(block, code)
        block = block.next()


def _merge(block: QTextBlock, form: QTextCharFormat) -> None:
    cursor = QTextCursor(block)
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    cursor.mergeCharFormat(form)
    cursor.mergeBlockCharFormat(form)  # of an empty line
