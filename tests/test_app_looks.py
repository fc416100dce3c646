"""What the look promises: every picture is there, nothing opens beyond the screen, small windows keep what matters."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from app.chat.empty_state import EmptyState
from app.chat.lesson import MarkedLabel
from app.chat.notice import Notice
from app.colours import DARK, LIGHT, Colours
from app.dialog_size import open_at
from app.stylesheet import stylesheet
from app.theme import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_every_picture_of_the_style_sheet_can_be_read(palette: Colours, qtbot: QtBot) -> None:
    named = set(re.findall(r'url\("([^"]+)"\)', stylesheet(palette, Appearance.shared())))

    assert named
    assert [name for name in sorted(named) if QImage(name).isNull() or not Path(name).is_file()] == []


def test_a_dialog_never_opens_beyond_the_screen(qtbot: QtBot) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)

    open_at(dialog, 300, 20_000)

    assert dialog.width() == round(300 * Appearance.shared().share)
    assert dialog.height() < dialog.screen().availableGeometry().height()


def test_a_low_window_drops_the_lesson_and_keeps_the_messages_to_try(qtbot: QtBot) -> None:
    empty = EmptyState()
    qtbot.addWidget(empty)
    seen = []
    for height in (900, 260, 900):
        empty.resize(700, height)
        empty.show()
        qtbot.waitExposed(empty)
        seen.append(empty.lesson.isVisible())

    assert seen == [True, False, True]


def test_marked_text_is_read_out_without_its_marks(qtbot: QtBot) -> None:
    label = MarkedLabel("A [right guess], a ~wrong one~ & *its correction*.")
    qtbot.addWidget(label)

    assert label.accessibleName() == "A right guess, a wrong one & its correction."
    assert "&amp;" in label.text()


def test_the_edge_of_a_notice_stands_where_its_sentence_begins(qtbot: QtBot) -> None:
    notice = Notice("The disk is full.")
    qtbot.addWidget(notice)
    assert notice.property("mirrored") is False

    notice.setLayoutDirection(Qt.LayoutDirection.RightToLeft)

    assert notice.property("mirrored") is True
