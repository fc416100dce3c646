"""The composer: what Enter does, and what it must not do."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.chat.composer import MAX_LINES, Composer

# The offscreen platform says this of every window with a fixed height.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


@pytest.fixture
def composer(qtbot: QtBot) -> Composer:
    composer = Composer()
    qtbot.addWidget(composer)
    composer.resize(500, 60)
    composer.show()
    return composer


@pytest.fixture
def sent(composer: Composer) -> list[str]:
    texts: list[str] = []
    composer.sent.connect(texts.append)
    return texts


def test_enter_sends_and_leaves_the_text_until_it_is_stored(
    qtbot: QtBot, composer: Composer, sent: list[str]
) -> None:
    qtbot.keyClicks(composer.edit, "Hello")
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == ["Hello"]
    assert composer.text() == "Hello"


def test_shift_enter_breaks_the_line(qtbot: QtBot, composer: Composer, sent: list[str]) -> None:
    qtbot.keyClicks(composer.edit, "a")
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(composer.edit, "b")
    assert sent == []
    assert composer.text() == "a\nb"


def test_nothing_is_not_sent(qtbot: QtBot, composer: Composer, sent: list[str]) -> None:
    composer.set_text("  \n ")
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []
    assert not composer.button.isEnabled()


def test_enter_during_composition_does_not_send(qtbot: QtBot, composer: Composer, sent: list[str]) -> None:
    """GIVEN an input method that is composing WHEN Return confirms the candidate THEN nothing is sent."""
    QApplication.sendEvent(composer.edit, QInputMethodEvent("にほん", []))
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []
    commit = QInputMethodEvent("", [])
    commit.setCommitString("日本")
    QApplication.sendEvent(composer.edit, commit)
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == ["日本"]


def test_send_turns_into_stop(qtbot: QtBot, composer: Composer, sent: list[str]) -> None:
    composer.set_answering(True)
    assert composer.button.text() == "Stop"
    qtbot.keyClicks(composer.edit, "next")
    qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []  # kept for later
    assert composer.text() == "next"
    with qtbot.waitSignal(composer.stopped):
        qtbot.mouseClick(composer.button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(composer.stopped):
        qtbot.keyClick(composer.edit, Qt.Key.Key_Escape)


def test_it_grows_to_a_limit(composer: Composer) -> None:
    one = composer.edit.height()
    composer.set_text("a\nb\nc")
    three = composer.edit.height()
    composer.set_text("\n".join("x" * 30))
    most = composer.edit.height()
    composer.set_text("\n".join("x" * 60))
    assert one < three < most == composer.edit.height()
    assert most < one * (MAX_LINES + 1)
