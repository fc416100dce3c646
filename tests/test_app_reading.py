"""The view stays under a reader's eyes, whatever grows, shrinks or is built around them."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.chat.flash import Flash
from app.chat.message import AssistantMessage
from app.chat.transcript import Transcript
from app.history.store import HistoryStore
from tests.desk import Desk
from tests.fake_engine import FakeStore, Workshop

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
ANSWER = "\n\n".join(
    f"Paragraph {n} of an answer, with enough words in it that it takes more than one line of the column, twice over."
    for n in range(6)
)


@pytest.fixture(scope="module")
def long_history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("long") / "history.sqlite3"
    history = HistoryStore(path)
    conversation = history.create("long", "starter")
    for number in range(16):
        history.add_user(conversation, f"question {number}")
        answer = history.start_assistant(conversation)
        history.append(answer, f"answer {number}\n\n```python\nprint({number})\n```\n\n{ANSWER}")
        history.finish(answer, "complete", None)
    history.close()
    return path


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, long_history: Path) -> Iterator[Desk]:
    """A long conversation, read somewhere in its middle."""
    shutil.copy(long_history, tmp_path / "history.sqlite3")
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), Workshop()).ready()
    desk.window.session.open(desk.window.history.conversations()[0].id)
    settle(desk)
    bar = transcript(desk).verticalScrollBar()
    for _ in range(2):  # the first time much of it is an estimate
        bar.setValue(bar.maximum() // 2)
        settle(desk)
    assert 2000 < bar.value() < bar.maximum() - 2000
    yield desk
    desk.close()


def transcript(desk: Desk) -> Transcript:
    return desk.window.view.transcript


def settle(desk: Desk) -> None:
    """Until everything near the view is built and laid out."""
    bar, timer = transcript(desk).verticalScrollBar(), transcript(desk).entries._timer
    quiet, before = 0, (-1, -1)
    for _ in range(500):
        QApplication.processEvents()
        now = (bar.value(), bar.maximum())
        quiet, before = (0, now) if timer.isActive() or now != before else (quiet + 1, now)
        if quiet == 4:
            return
    pytest.fail("building never ends")


def height_of(desk: Desk, widget: QWidget) -> int:
    return widget.mapTo(transcript(desk).viewport(), QPoint(0, 0)).y()


def answers(desk: Desk) -> list[AssistantMessage]:
    return [message for message in transcript(desk).messages if isinstance(message, AssistantMessage)]


def read_first(desk: Desk) -> QWidget:
    """The first block of an answer that can be seen."""
    blocks = [block for message in answers(desk) for block in message.body.widgets]
    return next(block for block in blocks if height_of(desk, block) + block.height() > 0)


def scroll_into(desk: Desk, message: AssistantMessage) -> QWidget:
    """The view begins in the message's middle."""
    bar = transcript(desk).verticalScrollBar()
    bar.setValue(bar.value() + height_of(desk, message) + message.height() // 2)
    settle(desk)
    return read_first(desk)


def test_a_block_that_grows_above_in_the_same_answer_moves_nothing(desk: Desk) -> None:
    message = answers(desk)[2]
    block, above = scroll_into(desk, message), message.body.widgets[0]
    before = height_of(desk, block)
    for height in (above.height() + 300, above.height() + 20):  # as a picture that is read, or a formula
        above.setFixedHeight(height)
        settle(desk)
        assert height_of(desk, block) == before


def test_a_message_that_grows_above_moves_nothing(desk: Desk) -> None:
    above, message = answers(desk)[1:3]
    block = scroll_into(desk, message)
    before = height_of(desk, block)
    above.append("\n\nA late paragraph.\n\n" + ANSWER)
    settle(desk)
    assert height_of(desk, block) == before


@pytest.mark.parametrize("width", [900, 700, 1500])
def test_a_window_that_is_resized_keeps_what_is_read(desk: Desk, width: int) -> None:
    block = read_first(desk)
    before = height_of(desk, block)
    desk.window.resize(width, 800)
    settle(desk)
    assert height_of(desk, block) == before


def test_messages_that_are_built_above_move_nothing(desk: Desk) -> None:
    """GIVEN blank space above that was estimated WHEN it becomes messages THEN the text stays."""
    bar = transcript(desk).verticalScrollBar()
    for _ in range(4):
        bar.setValue(bar.value() - 700)
        QApplication.processEvents()
        block = read_first(desk)
        before = height_of(desk, block)
        settle(desk)
        assert height_of(desk, block) == before


def test_an_answer_that_comes_below_moves_nothing(desk: Desk) -> None:
    block = read_first(desk)
    before = height_of(desk, block)
    live = transcript(desk).last_answer()
    assert live is not None
    for _ in range(3):
        live.append("\n\n" + ANSWER)
        settle(desk)
    assert height_of(desk, block) == before
    assert transcript(desk).jump.isVisible()


def test_a_message_far_above_is_shown_and_lights_up(desk: Desk) -> None:
    conversation = desk.window.session.conversation
    assert conversation is not None
    wanted = desk.window.history.messages(conversation)[3]
    found = desk.window.view.show_message(wanted.id)
    assert found is not None
    assert found.source == wanted.content
    assert 0 <= height_of(desk, found) < 60
    assert found.findChild(Flash) is not None
    settle(desk)
    assert 0 <= height_of(desk, found) < 60


def test_a_message_that_is_not_on_the_branch_is_not_shown(desk: Desk) -> None:
    assert desk.window.view.show_message(10**9) is None


def test_another_version_comes_under_the_same_buttons(desk: Desk) -> None:
    """GIVEN a message in the middle with two versions WHEN the reader leafs THEN the buttons stay under the pointer."""
    history, session = desk.window.history, desk.window.session
    assert session.conversation is not None
    first = history.messages(session.conversation)[16]
    history.edit_user(first.id, "another question\nof two lines")
    history.choose(first.id)
    session.open(session.conversation)
    settle(desk)
    shown = desk.window.view.show_message(first.id)
    assert shown is not None
    settle(desk)
    bar = transcript(desk).verticalScrollBar()
    bar.setValue(bar.value() - 200)
    settle(desk)
    before = height_of(desk, shown) + shown.height()
    shown.row.next.click()
    settle(desk)
    other = next(m for m in transcript(desk).messages if m.message_id != first.id and "another" in m.source)
    assert other.row.versions.text() == "2/2"
    conversation_ends_here = height_of(desk, other) + other.height()
    assert conversation_ends_here >= before  # nothing is below it: the view can't scroll as far
    other.row.previous.click()
    settle(desk)
    back = next(m for m in transcript(desk).messages if m.message_id == first.id)
    assert back.row.versions.text() == "1/2"
