"""Code in what the user writes: set in the code's font, never changed."""

import pytest
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from app.chat.rich_text import RichText
from app.theme import Appearance


def lines_in_code(text: str, qtbot: QtBot) -> list[str]:
    """The lines that stand in the code's font."""
    shown = RichText()
    qtbot.addWidget(shown)
    shown.set_plain(text)
    assert shown.toPlainText() == text
    family, found = Appearance.shared().code_font().family(), []
    block = shown.document().begin()
    while block.isValid():
        cursor = QTextCursor(block)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
        if family in (cursor.charFormat().fontFamilies() or []):
            found.append(block.text())
        block = block.next()
    return found


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("No code here.", []),
        ("Look:\n```python\nx = 1\ny = 2\n```\nGood?", ["x = 1", "y = 2"]),
        ("~~~\n```\na\n~~~\nb", ["```", "a"]),
        ("```\nnever closed", ["never closed"]),
        ("a ``` b\nc", []),
    ],
    ids=["none", "fenced", "other fence inside", "open", "not at the start"],
)
def test_only_what_lies_between_fences_is_code(text: str, code: list[str], qtbot: QtBot) -> None:
    assert lines_in_code(text, qtbot) == code
