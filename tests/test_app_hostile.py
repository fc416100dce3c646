"""What comes from outside (titles, file names, clipboards, broken files) does no more than be shown."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.attachments.chip import Chip
from tests.desk import Desk
from tests.fake_engine import FakeStore, Workshop

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
HOSTILE = '<b>Big</b> <img src="/dev/zero"> & <script>alert(1)</script>'


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), Workshop()).ready()
    yield desk
    desk.close()


def labels_with(widget: QWidget, text: str) -> list[QLabel]:
    return [label for label in widget.findChildren(QLabel) if text in label.text()]


def tip_as_read(tip: str) -> str:
    """As Qt shows what looks like HTML."""
    return QTextDocumentFragment.fromHtml(tip).toPlainText()


def test_a_title_of_html_is_text_where_it_is_deleted_and_where_it_is_answered(desk: Desk) -> None:
    desk.ask(HOSTILE)
    chats = desk.window.sidebar.list.chats
    shown = [chats.index(n).data(Qt.ItemDataRole.ToolTipRole) for n in range(len(chats.rows))]
    assert any("<b>Big</b>" in tip_as_read(tip) for tip in shown)
    desk.window.view.busy.say(HOSTILE)
    desk.window.sidebar.offer_undo(HOSTILE)
    found = labels_with(desk.window, "<b>Big</b>")
    assert len(found) == 2
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in found)


def test_a_file_name_of_html_is_text_in_its_chip(qtbot: QtBot) -> None:
    chip = Chip(HOSTILE, "1 token", removable=True)
    qtbot.addWidget(chip)
    assert chip.button is not None
    for tip in (chip.toolTip(), chip.button.toolTip()):
        assert HOSTILE in tip_as_read(tip)
