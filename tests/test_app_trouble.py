"""What goes wrong around the chats is told in the window, and nothing that was written is lost."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app import application
from app.main_window import MainWindow
from engine.errors import SlipstreamError
from engine.models.catalogue import Pair
from tests.desk import Desk
from tests.fake_engine import FakeStore, Workshop

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


@pytest.fixture
def workshop() -> Workshop:
    return Workshop()


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, workshop: Workshop) -> Iterator[Desk]:
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop).ready()
    yield desk
    writable(desk, True)
    desk.close()


def writable(desk: Desk, allowed: bool) -> None:
    """Lets SQLite refuse every write, as it does on a folder that became read-only."""
    connection = desk.window.history._database._connection
    connection.execute(f"PRAGMA query_only = {'OFF' if allowed else 'ON'}")


def told(window: MainWindow, topic: str) -> str:
    notice = window.board.get(topic)
    return notice.sentence if notice is not None else ""


def stored(desk: Desk) -> list[tuple[str, str, str]]:
    conversation = desk.window.session.conversation
    assert conversation is not None
    return [(m.role, m.content, m.state) for m in desk.window.history.messages(conversation)]


def test_a_message_that_cannot_be_stored_stays_in_the_composer(desk: Desk, workshop: Workshop) -> None:
    writable(desk, False)
    desk.write("Precious")
    assert "can't write to" in told(desk.window, "chats")
    assert desk.window.view.composer.text() == "Precious"
    assert workshop.requests == []
    writable(desk, True)
    with desk.qtbot.waitSignal(desk.window.session.answer_finished):
        desk.qtbot.keyClick(desk.window.view.composer.edit, Qt.Key.Key_Return)
    assert told(desk.window, "chats") == ""
    assert [text for _, text, _ in stored(desk)] == ["Precious", "Hello there."]


def test_an_answer_that_cannot_be_written_is_kept_and_written_later(desk: Desk) -> None:
    """GIVEN a disk that refuses while an answer ends WHEN it takes writes again THEN the whole answer is there."""
    desk.ask_and_wait_at_the_gate()
    writable(desk, False)
    desk.open_gate()
    assert "Nothing is lost yet" in told(desk.window, "writing")
    assert desk.answer.source == "Hello there."
    assert stored(desk)[-1] == ("assistant", "Hello there.", "streaming")
    writable(desk, True)
    assert desk.window.session.recorder.save()
    assert told(desk.window, "writing") == ""
    assert stored(desk)[-1] == ("assistant", "Hello there.", "complete")


def test_closing_with_an_unsaved_answer_asks_once(desk: Desk) -> None:
    desk.ask_and_wait_at_the_gate()
    writable(desk, False)
    desk.open_gate()
    assert not desk.window.close()
    assert "Close once more" in told(desk.window, "closing")
    assert desk.window.close()


@pytest.mark.parametrize("what", ["rename", "delete"])
def test_what_the_list_cannot_change_is_told(desk: Desk, what: str) -> None:
    desk.ask("kept")
    writable(desk, False)
    if what == "rename":
        chats = desk.window.sidebar.list.chats
        chats.setData(chats.find(desk.window.session.conversation), "renamed")
    else:
        desk.window.sidebar.delete_asked.emit(desk.window.session.conversation)
    assert "can't write to" in told(desk.window, "chats")
    assert desk.chats == ["kept"]


def test_what_happened_to_the_chats_is_told_at_the_start(
    qtbot: QtBot, tmp_path: Path, workshop: Workshop
) -> None:
    (tmp_path / "history.sqlite3").write_bytes(b"\xa5" * 8192)
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop).ready()
    assert "was damaged" in told(desk.window, "history")
    notice = desk.window.board.get("history")
    assert notice is not None
    assert notice.button is not None
    notice.button.click()
    assert told(desk.window, "history") == ""
    assert not desk.window.board.isVisible()
    desk.close()


class BrokenStore(FakeStore):
    def missing_bytes(self, pair: Pair) -> int:
        raise SlipstreamError("The models can't be read; check the disk.")


def test_a_model_store_that_fails_is_told(qtbot: QtBot, tmp_path: Path, workshop: Workshop) -> None:
    desk = Desk(qtbot, tmp_path, BrokenStore(), workshop)
    qtbot.waitUntil(lambda: told(desk.window, "models") != "")
    assert told(desk.window, "models") == "The models can't be read; check the disk."
    desk.close()


def test_an_error_that_nobody_foresaw_is_one_sentence_and_a_log(desk: Desk) -> None:
    desk.window.tell_unexpected(ZeroDivisionError("division by zero"))
    assert "division by zero" in told(desk.window, "unexpected")
    assert "Traceback" not in told(desk.window, "unexpected")
    assert desk.window.log.path.exists()


def test_a_second_window_on_the_same_chats_is_refused(desk: Desk, tmp_path: Path, workshop: Workshop) -> None:
    with pytest.raises(SlipstreamError, match="already running"):
        application.build(FakeStore.with_starter(), workshop, tmp_path / "history.sqlite3")
