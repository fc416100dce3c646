"""The whole window with a fake engine: send, stream, stop, fail, switch, come back."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import application
from app.chat.message import UserMessage
from app.main_window import MainWindow
from engine.errors import SlipstreamError
from engine.events import Finished, FinishReason, Progress
from engine.request import Speculation
from tests.desk import Desk
from tests.fake_engine import FakeStore, Script, Workshop, delta, stats

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
LONG = [f"Paragraph {n} with some words in it.\n\n" for n in range(60)]


@pytest.fixture
def workshop() -> Workshop:
    return Workshop()


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, workshop: Workshop) -> Iterator[Desk]:
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop)
    yield desk.ready()
    desk.close()


def texts(window: MainWindow) -> list[str]:
    return [message.source for message in window.view.transcript.messages]


def states(window: MainWindow) -> list[tuple[str, str, str]]:
    conversation = window.session.conversation
    assert conversation is not None
    return [(m.role, m.content, m.state) for m in window.history.messages(conversation)]


def test_a_message_is_answered_shown_and_stored(desk: Desk) -> None:
    desk.ask("Hello *you*")
    assert texts(desk.window) == ["Hello *you*", "Hello there."]
    assert [(role, text) for role, text, _ in states(desk.window)] == [
        ("user", "Hello *you*"),
        ("assistant", "Hello there."),
    ]
    assert desk.window.view.composer.button.text() == "Send"
    assert desk.chats == ["Hello *you*"]


def test_the_next_message_carries_the_conversation(desk: Desk, workshop: Workshop) -> None:
    desk.ask("one")
    desk.ask("two")
    contents = [(m.role, m.content) for m in workshop.requests[-1].messages]
    assert contents == [("user", "one"), ("assistant", "Hello there."), ("user", "two")]


def test_the_question_is_stored_before_the_answer_begins(desk: Desk) -> None:
    desk.ask_and_wait_at_the_gate("kept")
    assert states(desk.window)[0][:2] == ("user", "kept")
    desk.open_gate()


def test_stop_keeps_what_came_and_frees_the_composer(desk: Desk, workshop: Workshop) -> None:
    workshop.script.deaf = True
    desk.ask_and_wait_at_the_gate()
    assert desk.window.view.composer.button.text() == "Stop"
    desk.qtbot.keyClick(desk.window.view.composer.edit, Qt.Key.Key_Escape)
    assert desk.window.view.composer.button.text() == "Send"
    assert desk.answer.source == "Hello "
    assert states(desk.window)[-1][1] == "Hello "
    assert desk.answer.notice is not None
    assert desk.answer.notice.sentence == "Stopped."


def test_a_failure_is_told_inline_with_a_way_on(desk: Desk, workshop: Workshop) -> None:
    workshop.script.error = SlipstreamError("The context is full. Start a new chat.")
    with desk.qtbot.waitSignal(desk.window.session.answer_failed):
        desk.write("Hello")
    notice = desk.answer.notice
    assert notice is not None
    assert notice.sentence == "The context is full. Start a new chat."
    assert desk.answer.source == "Hello there."  # what came is kept
    workshop.script.error = None
    assert notice.button is not None
    with desk.qtbot.waitSignal(desk.window.session.answer_finished):
        notice.button.click()
    assert desk.answer.notice is None
    assert len(desk.window.view.transcript.messages) == 2


def test_try_again_replaces_the_answer(desk: Desk, workshop: Workshop) -> None:
    desk.ask("one")
    workshop.script.blocks = ["Better."]
    with desk.qtbot.waitSignal(desk.window.session.answer_finished):
        desk.answer.again_button.click()
    assert texts(desk.window) == ["one", "Better."]
    assert [m.content for m in workshop.requests[-1].messages] == ["one"]


def test_text_that_only_finished_carries_is_shown_and_stored(desk: Desk, workshop: Workshop) -> None:
    workshop.script.events = [Finished(FinishReason.STOP, "All at once.", (1,), stats(1))]
    desk.ask()
    assert desk.answer.source == "All at once."
    assert states(desk.window)[-1][1] == "All at once."


def test_the_switch_applies_to_the_next_message_without_loading(desk: Desk, workshop: Workshop) -> None:
    asked = []
    for mode in ("off", "on", "auto"):
        desk.window.header.switch.set_value(mode)
        desk.ask()
        asked.append((workshop.requests[-1].speculation, workshop.requests[-1].draft_tokens))
    assert asked == [(Speculation.OFF, None), (Speculation.AUTO, 5), (Speculation.AUTO, None)]
    assert len(workshop.engines) == 1


def test_the_view_follows_the_end_until_the_reader_scrolls_up(desk: Desk, workshop: Workshop) -> None:
    workshop.script.blocks, workshop.script.gate_at = LONG, 40
    desk.ask_and_wait_at_the_gate()
    transcript = desk.window.view.transcript
    bar = transcript.verticalScrollBar()
    desk.qtbot.waitUntil(lambda: bar.maximum() > 400 and bar.value() == bar.maximum())
    wheel_up(desk)
    place = bar.value()
    assert place < bar.maximum()
    assert transcript.jump.isVisible()
    read = desk.answer.part_at(desk.answer.mapFrom(transcript.widget(), QPoint(0, place)).y())
    height = read.mapTo(transcript.viewport(), QPoint(0, 0)).y()
    desk.open_gate()
    desk.qtbot.waitUntil(lambda: bar.maximum() > place + 400)
    desk.qtbot.waitUntil(lambda: read.mapTo(transcript.viewport(), QPoint(0, 0)).y() == height)
    transcript.jump.click()
    assert bar.value() == bar.maximum()
    assert not transcript.jump.isVisible()


def wheel_up(desk: Desk) -> None:
    viewport = desk.window.view.transcript.viewport()
    at = QPointF(viewport.rect().center())
    event = QWheelEvent(
        at,
        viewport.mapToGlobal(at),
        QPoint(0, 0),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(viewport, event)


def test_what_was_being_written_stays_with_its_conversation(desk: Desk) -> None:
    desk.ask("first")
    composer = desk.window.view.composer
    composer.set_text("half a thought")
    first = desk.window.session.conversation
    desk.window.new_chat()
    assert composer.text() == ""
    composer.set_text("another")
    desk.window.session.open(first)
    assert composer.text() == "half a thought"
    desk.window.new_chat()
    assert composer.text() == "another"


def test_an_answer_goes_on_while_another_chat_is_read(desk: Desk) -> None:
    desk.ask_and_wait_at_the_gate("slow")
    slow = desk.window.session.conversation
    desk.window.new_chat()
    assert texts(desk.window) == []
    desk.open_gate()
    desk.window.session.open(slow)
    assert texts(desk.window) == ["slow", "Hello there."]


def test_coming_back_to_a_running_answer_shows_it_live(desk: Desk) -> None:
    desk.ask_and_wait_at_the_gate("slow")
    slow = desk.window.session.conversation
    desk.window.new_chat()
    desk.window.session.open(slow)
    assert desk.answer.source == "Hello "
    desk.open_gate()
    assert desk.answer.source == "Hello there."


def test_delete_can_be_undone_and_rename_is_kept(desk: Desk) -> None:
    desk.ask("to be deleted")
    chats = desk.window.sidebar.list.chats
    chats.setData(chats.find(desk.window.session.conversation), "Renamed")
    desk.window.sidebar.delete_asked.emit(desk.window.session.conversation)
    assert desk.chats == []
    assert texts(desk.window) == []
    desk.window.sidebar.undo_asked.emit()
    assert desk.chats == ["Renamed"]


def test_search_narrows_the_list(desk: Desk) -> None:
    desk.ask("apples")
    desk.window.new_chat()
    desk.ask("pears")
    desk.window.sidebar.search.setText("apple")
    desk.qtbot.waitUntil(lambda: desk.chats == ["apples"])


def test_escape_leaves_the_search(desk: Desk) -> None:
    desk.ask("apples")
    desk.window.focus_search()
    desk.qtbot.keyClicks(desk.window.sidebar.search, "pears")
    desk.qtbot.waitUntil(lambda: desk.chats == [])
    desk.qtbot.keyClick(desk.window.sidebar.search, Qt.Key.Key_Escape)
    assert desk.chats == ["apples"]
    assert desk.window.focusWidget() is desk.window.view.composer.edit


def test_the_keys_of_the_chat_list(desk: Desk) -> None:
    desk.ask("apples")
    listed = desk.window.sidebar.list
    listed.setFocus()
    desk.qtbot.keyClick(listed, Qt.Key.Key_Backspace)
    assert desk.chats == ["apples"]
    desk.qtbot.keyClick(listed, Qt.Key.Key_Delete)
    assert desk.chats == []
    desk.qtbot.keyClick(listed, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert desk.chats == ["apples"]
    assert texts(desk.window) == ["apples", "Hello there."]


def test_a_text_that_has_the_focus_leaves_shortcuts_to_the_window(desk: Desk) -> None:
    desk.ask("apples")
    text = desk.answer.body.widgets[0]
    text.setFocus()
    desk.qtbot.keyClick(text, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert desk.window.focusWidget() is desk.window.sidebar.search


def test_a_conversation_comes_back_after_a_restart(qtbot: QtBot, tmp_path: Path, workshop: Workshop) -> None:
    first = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop).ready()
    first.ask("remember me")
    first.close()
    second = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop).ready()
    listed = second.window.sidebar.list
    listed.setCurrentIndex(listed.chats.index(1))
    qtbot.keyClick(listed, Qt.Key.Key_Return)
    assert texts(second.window) == ["remember me", "Hello there."]
    second.close()


def test_an_interrupted_answer_is_shown_as_such(qtbot: QtBot, tmp_path: Path, workshop: Workshop) -> None:
    """GIVEN a history that a crash left with an open answer WHEN opened THEN it offers to go on."""
    from app.history.store import HistoryStore

    history = HistoryStore(tmp_path / "history.sqlite3")
    conversation = history.create("crashed", "starter")
    history.add_user(conversation, "Hello")
    history.append(history.start_assistant(conversation), "Half an ans")
    history.flush()
    history.close()
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop).ready()
    desk.window.session.open(conversation)
    assert desk.answer.source == "Half an ans"
    assert desk.answer.notice is not None
    assert "interrupted" in desk.answer.notice.sentence
    assert desk.answer.notice.button is not None
    with qtbot.waitSignal(desk.window.session.answer_finished):
        desk.answer.notice.button.click()
    assert texts(desk.window) == ["Hello", "Half an ansHello there."]
    desk.close()


def test_first_start_offers_the_starter_and_loads_it(
    qtbot: QtBot, tmp_path: Path, workshop: Workshop
) -> None:
    desk = Desk(qtbot, tmp_path, FakeStore(), workshop)
    qtbot.waitUntil(desk.window.fetch_page.isVisible)
    assert not desk.window.view.isVisible()
    desk.window.fetch_page.fetch.click()
    desk.ready()
    assert desk.window.view.isVisible()
    assert workshop.engines[0].pair.name == "starter"
    desk.close()


def test_a_load_failure_is_told_and_can_be_tried_again(
    qtbot: QtBot, tmp_path: Path, workshop: Workshop
) -> None:
    workshop.load_error = SlipstreamError("Not enough memory. Close other programs.")
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop)
    qtbot.waitUntil(lambda: desk.window.board.get("models") is not None)
    problem = desk.window.board.get("models")
    assert problem is not None
    assert problem.sentence == "Not enough memory. Close other programs."
    workshop.load_error = None
    assert problem.button is not None
    problem.button.click()
    desk.ready()
    assert desk.window.board.get("models") is None
    desk.close()


def test_another_pair_is_loaded_in_the_same_conversation(desk: Desk, workshop: Workshop) -> None:
    desk.ask("one")
    store = desk.window.store
    store.have.update(store.pair("coder").models)  # type: ignore[attr-defined]
    workshop.stages = [Progress("compiling", 1, 2)]
    with desk.qtbot.waitSignal(desk.window.engine.loaded):
        desk.window.header.picker.chosen.emit(store.pair("coder"))
    assert texts(desk.window) == ["one", "Hello there."]
    desk.ask("two")
    assert [m.content for m in workshop.engines[-1].requests[0].messages] == ["one", "Hello there.", "two"]


def test_a_message_sent_while_the_model_loads_is_answered(
    qtbot: QtBot, tmp_path: Path, workshop: Workshop
) -> None:
    """GIVEN a message that was sent before the first turn of the event loop WHEN that starts THEN it is answered."""
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop)
    desk.window.start()
    desk.ask("early")
    assert texts(desk.window) == ["early", "Hello there."]
    assert len(workshop.engines) == 1
    desk.close()


def test_the_panel_shows_the_prompt_and_forgets_it_in_another_chat(desk: Desk) -> None:
    desk.ask()
    prompt = desk.window.panel._details.figure("prompt")
    assert prompt.replace("\u00a0", " ") == "5 tokens · 0 reused"
    desk.window.new_chat()
    assert not desk.window.panel._details.isVisible()


def test_the_panel_keeps_the_figures_of_an_answer_that_still_comes(desk: Desk) -> None:
    desk.ask_and_wait_at_the_gate()
    desk.window.new_chat()
    assert desk.window.panel._details.isVisible()
    desk.open_gate()


def test_a_pair_that_cannot_speculate_dims_the_switch(
    qtbot: QtBot, tmp_path: Path, workshop: Workshop
) -> None:
    workshop.script.unavailable = "the vocabularies differ"
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop).ready()
    assert not desk.window.header.switch.isEnabled()
    assert desk.window.chip.words == "Not available: The vocabularies differ"
    desk.close()


def test_an_answer_without_a_baseline_does_not_measure_forever(desk: Desk, workshop: Workshop) -> None:
    short = dataclasses.replace(stats(2), drafted=4, accepted=1)
    workshop.script.events = [Finished(FinishReason.STOP, "Hi.", (1, 2), short)]
    desk.ask()
    assert desk.window.chip.words == "Auto · not measured"


def test_the_end_of_an_answer_keeps_what_its_last_pass_decided(desk: Desk, workshop: Workshop) -> None:
    last = dataclasses.replace(
        stats(90), drafted=9, accepted=6, speedup=1.4, draft_tokens_now=3, pace_reason="k=3: x"
    )
    end = dataclasses.replace(last, draft_tokens_now=0, pace_reason="")
    workshop.script.events = [
        dataclasses.replace(delta("Hi."), stats=last),
        Finished(FinishReason.STOP, "Hi.", (1,), end),
    ]
    desk.ask()
    assert desk.window.chip.words == "On · 1.4×"


def test_escape_stops_from_anywhere_in_the_conversation(desk: Desk) -> None:
    desk.ask("one")
    desk.ask_and_wait_at_the_gate("two")
    copy = desk.window.view.transcript.messages[1].copy_button  # type: ignore[union-attr]
    copy.setFocus()
    desk.qtbot.keyClick(copy, Qt.Key.Key_Escape)
    assert desk.window.session.answer is None


def test_details_is_a_toggle_that_shows_its_state(desk: Desk) -> None:
    button = desk.window.header.panel_button
    for expected in (False, True):
        button.click()
        assert (button.isChecked(), desk.window.panel.isVisible()) == (expected, expected)


@pytest.mark.parametrize("text", ["word " * 60, "x" * 400, "短い文章です。" * 40])
def test_a_long_message_wraps_in_its_bubble(desk: Desk, text: str) -> None:
    desk.ask(text)
    for width in (1280, 800, 1280):
        desk.window.resize(width, 800)
        QApplication.processEvents()
        bubble = desk.window.view.transcript.messages[0]
        assert isinstance(bubble, UserMessage)
        assert bubble._text.horizontalScrollBar().maximum() == 0
        assert bubble._bubble.width() <= 0.75 * bubble.width() + 1
        assert bubble._text.height() >= 3 * bubble._text.fontMetrics().lineSpacing()


def test_a_short_message_has_a_short_bubble(desk: Desk) -> None:
    desk.ask("Hi")
    bubble = desk.window.view.transcript.messages[0]
    assert isinstance(bubble, UserMessage)
    assert bubble._bubble.width() < 80


def test_copy_of_the_last_answer_is_its_markdown(desk: Desk, workshop: Workshop) -> None:
    workshop.script.blocks = ["# Title\n", "**bold**"]
    desk.ask()
    desk.window.copy_last_answer()
    assert QGuiApplication.clipboard().text() == "# Title\n**bold**"


@pytest.mark.parametrize(
    ("width", "panel", "sidebar"), [(1280, True, True), (1024, False, True), (600, False, False)]
)
def test_a_narrow_window_keeps_the_conversation(desk: Desk, width: int, panel: bool, sidebar: bool) -> None:
    desk.window.resize(width, 640)
    assert desk.window.panel.isVisible() is panel
    assert desk.window.sidebar.isVisible() is sidebar
    assert desk.window.view.isVisible()


def test_closing_stops_the_answer_and_keeps_it(qtbot: QtBot, tmp_path: Path, workshop: Workshop) -> None:
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop).ready()
    desk.ask_and_wait_at_the_gate()
    desk.window.close()
    assert workshop.engines[0].closed
    assert states(desk.window)[-1][1] == "Hello "
    desk.window.history.close()


def test_a_long_conversation_builds_old_messages_when_they_are_needed(desk: Desk) -> None:
    history = desk.window.history
    conversation = history.create("long", "starter")
    for number in range(60):
        history.add_user(conversation, f"question {number}")
        answer = history.start_assistant(conversation)
        history.append(answer, f"answer {number}\n\nwith a second paragraph")
        history.finish(answer, "complete", None)
    desk.window.session.open(conversation)
    transcript = desk.window.view.transcript
    built = len(transcript.messages)
    assert built < 120
    desk.qtbot.waitUntil(lambda: transcript.verticalScrollBar().maximum() > 0)
    desk.qtbot.keyClick(transcript, Qt.Key.Key_Home)
    desk.qtbot.waitUntil(lambda: len(transcript.messages) > built)
    assert isinstance(transcript.messages[0], UserMessage)


def test_the_window_wears_the_programs_icon(desk: Desk) -> None:
    assert not desk.window.windowIcon().pixmap(64).isNull()


def test_smoke_sends_one_message(qtbot: QtBot, workshop: Workshop) -> None:
    assert application.smoke(FakeStore.with_starter(), workshop) == 0
    assert len(workshop.requests) == 1


@pytest.mark.parametrize(
    "workshop",
    [
        Workshop(load_error=SlipstreamError("It can't load.")),
        Workshop(Script(error=SlipstreamError("It can't answer."))),
        Workshop(Script(blocks=[])),
    ],
)
def test_smoke_says_why_it_failed(qtbot: QtBot, workshop: Workshop) -> None:
    with pytest.raises(SlipstreamError):
        application.smoke(FakeStore.with_starter(), workshop)


def test_smoke_without_the_starter_says_how_to_get_it(qtbot: QtBot, workshop: Workshop) -> None:
    with pytest.raises(SlipstreamError, match="models fetch starter"):
        application.smoke(FakeStore(), workshop)
