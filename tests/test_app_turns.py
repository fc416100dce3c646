"""Turns in the window: edit, try again, go on, other versions, new branches, and answers that come elsewhere."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.chat.message import AssistantMessage, MessageWidget, UserMessage
from app.history.archive import ArchivedChat, ArchivedMessage
from app.history.store import StoredMessage
from app.main_window import MainWindow
from app.speculation.trace import Pass, Spelling
from app.speculation.trace_codec import TraceWriter
from engine.errors import SlipstreamError
from engine.events import Finished, FinishReason
from engine.request import Continuation
from tests.desk import Desk
from tests.fake_engine import FakeStore, Workshop, delta, stats

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


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


def stored(desk: Desk) -> list[StoredMessage]:
    conversation = desk.window.session.conversation
    assert conversation is not None
    return desk.window.history.messages(conversation)


def asked(workshop: Workshop) -> list[str]:
    return [message.content for message in workshop.requests[-1].messages]


def user(desk: Desk, index: int) -> UserMessage:
    message = desk.window.view.transcript.messages[index]
    assert isinstance(message, UserMessage)
    return message


def answer(desk: Desk, index: int) -> AssistantMessage:
    message = desk.window.view.transcript.messages[index]
    assert isinstance(message, AssistantMessage)
    return message


def refuse(*_arguments: object) -> Any:
    raise SlipstreamError("The disk is full. Free some space.")


def press_notice(desk: Desk) -> None:
    assert desk.answer.notice is not None
    assert desk.answer.notice.button is not None
    with desk.qtbot.waitSignal(desk.window.session.answer_finished):
        desk.answer.notice.button.click()


def edit(desk: Desk, index: int, text: str) -> None:
    user(desk, index).edit_button.click()
    editor = user(desk, index).editor
    assert editor is not None
    editor.edit.selectAll()
    desk.qtbot.keyClicks(editor.edit, text)
    with desk.qtbot.waitSignal(desk.window.session.answer_finished):
        desk.qtbot.keyClick(editor.edit, Qt.Key.Key_Return)


# Edit, and the versions of a message


def test_an_edited_message_is_sent_in_the_place_of_the_old_one(desk: Desk, workshop: Workshop) -> None:
    for text in ("one", "two", "three"):
        desk.ask(text)
    edit(desk, 2, "zwei")
    assert texts(desk.window) == ["one", "Hello there.", "zwei", "Hello there."]
    assert asked(workshop) == ["one", "Hello there.", "zwei"]
    assert user(desk, 2).row.versions.text() == "2/2"


def test_the_versions_of_a_message_bring_their_own_answers(desk: Desk, workshop: Workshop) -> None:
    for text in ("one", "two"):
        desk.ask(text)
    workshop.script.blocks = ["Hallo."]
    edit(desk, 0, "eins")
    assert texts(desk.window) == ["eins", "Hallo."]
    user(desk, 0).row.previous.click()
    assert texts(desk.window) == ["one", "Hello there.", "two", "Hello there."]
    assert not user(desk, 0).row.previous.isEnabled()
    user(desk, 0).row.next.click()
    assert texts(desk.window) == ["eins", "Hallo."]


def test_escape_leaves_the_editor_and_nothing_changes(desk: Desk) -> None:
    desk.ask("one")
    user(desk, 0).edit_button.click()
    editor = user(desk, 0).editor
    assert editor is not None
    desk.qtbot.keyClicks(editor.edit, " more")
    desk.qtbot.keyClick(editor.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert editor.edit.toPlainText() == "one more\n"
    desk.qtbot.keyClick(editor.edit, Qt.Key.Key_Escape)
    assert user(desk, 0).editor is None
    assert texts(desk.window) == ["one", "Hello there."]
    assert user(desk, 0).edit_button.hasFocus()


def test_an_editor_without_text_sends_nothing(desk: Desk) -> None:
    desk.ask("one")
    user(desk, 0).edit_button.click()
    editor = user(desk, 0).editor
    assert editor is not None
    editor.edit.setPlainText("  \n ")
    assert not editor.send.isEnabled()
    desk.qtbot.keyClick(editor.edit, Qt.Key.Key_Return)
    assert user(desk, 0).editor is editor


def test_what_was_attached_stays_with_an_edited_message(desk: Desk) -> None:
    history = desk.window.history
    conversation = history.create("files", "starter")
    history.add_user(conversation, "look", '[{"name": "a.txt"}]')
    desk.window.session.open(conversation)
    edit(desk, 0, "look again")
    assert stored(desk)[0].attachments_json == '[{"name": "a.txt"}]'


def test_the_title_follows_the_first_message_until_the_user_names_the_chat(desk: Desk) -> None:
    desk.ask("first title")
    edit(desk, 0, "second title")
    assert [each.title for each in desk.window.history.conversations()] == ["second title"]
    assert desk.window.session.conversation is not None
    desk.window.history.rename(desk.window.session.conversation, "Mine")
    edit(desk, 0, "third title")
    assert [each.title for each in desk.window.history.conversations()] == ["Mine"]


# Try again, go on, branch


def test_an_answer_in_the_middle_can_be_given_once_more(desk: Desk, workshop: Workshop) -> None:
    for text in ("one", "two"):
        desk.ask(text)
    workshop.script.blocks = ["Better."]
    with desk.qtbot.waitSignal(desk.window.session.answer_finished):
        answer(desk, 1).again_button.click()
    assert texts(desk.window) == ["one", "Better."]
    assert asked(workshop) == ["one"]
    answer(desk, 1).row.previous.click()
    assert texts(desk.window) == ["one", "Hello there.", "two", "Hello there."]


def test_a_stopped_answer_goes_on_in_its_place(desk: Desk, workshop: Workshop) -> None:
    desk.ask_and_wait_at_the_gate("one")
    desk.window.session.stop()
    workshop.script.gate = None
    workshop.script.blocks = ["and more.", " The end."]
    first = stored(desk)[-1]
    press_notice(desk)
    assert texts(desk.window) == ["one", "Hello and more. The end."]
    assert workshop.requests[-1].continuation == Continuation("Hello ")
    assert asked(workshop) == ["one"]
    last = stored(desk)[-1]
    assert (last.id, last.content, last.state) == (first.id, "Hello and more. The end.", "complete")
    assert desk.answer.notice is None
    assert desk.answer.figures_button.text().startswith("3 token")  # of both parts


def test_an_answer_goes_on_from_the_tokens_that_were_recorded(desk: Desk, workshop: Workshop) -> None:
    workshop.script.events = [Finished(FinishReason.LENGTH, "Hello ", (7, 9), stats(2))]
    desk.ask("one")
    writer = TraceWriter()
    writer.begin({})
    writer.add(Pass((Spelling(7, b"Hel"), Spelling(9, b"lo ")), 1, (), "draft", 0.01))
    desk.window.history.set_record(stored(desk)[-1].id, writer.encoded())
    workshop.script.events = None
    press_notice(desk)
    assert workshop.requests[-1].continuation == Continuation("Hello ", (7, 9))


def test_a_damaged_record_does_not_keep_an_answer_from_going_on(desk: Desk, workshop: Workshop) -> None:
    workshop.script.events = [Finished(FinishReason.LENGTH, "Hello ", (7, 9), stats(2))]
    desk.ask("one")
    desk.window.history.set_record(stored(desk)[-1].id, b"\xff\xff\xff")
    workshop.script.events = None
    press_notice(desk)
    assert workshop.requests[-1].continuation == Continuation("Hello ")
    assert stored(desk)[-1].content == "Hello Hello there."


def test_a_length_limit_is_told_after_a_restart_too(qtbot: QtBot, tmp_path: Path, workshop: Workshop) -> None:
    first = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop).ready()
    workshop.script.events = [Finished(FinishReason.LENGTH, "Half a", (1, 2), stats(2))]
    first.ask("one")
    conversation = first.window.session.conversation
    first.close()
    workshop.script.events = None
    second = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop).ready()
    second.window.session.open(conversation)
    assert second.answer.notice is not None
    assert second.answer.notice.sentence == "The answer reached its length limit."
    press_notice(second)
    assert second.answer.source == "Half aHello there."
    second.close()


def test_half_a_character_at_the_limit_is_left_for_the_rest_to_complete(
    desk: Desk, workshop: Workshop
) -> None:
    workshop.script.events = [delta("漢"), Finished(FinishReason.LENGTH, "漢\ufffd", (1, 2), stats(2))]
    desk.ask("one")
    assert stored(desk)[-1].content == "漢"


def test_only_the_last_answer_offers_to_go_on(desk: Desk, workshop: Workshop) -> None:
    workshop.script.events = [Finished(FinishReason.LENGTH, "Half a", (1, 2), stats(2))]
    desk.ask("one")
    workshop.script.events = None
    desk.ask("two")
    first = answer(desk, 1)
    assert first.notice is not None
    assert first.notice.button is not None
    assert first.notice.button.isHidden()


def test_a_branch_is_a_chat_of_its_own(desk: Desk) -> None:
    for text in ("one", "two"):
        desk.ask(text)
    origin = desk.window.session.conversation
    answer(desk, 1).branch_button.click()
    assert desk.window.session.conversation != origin
    assert texts(desk.window) == ["one", "Hello there."]
    desk.ask("another way")
    desk.window.session.open(origin)
    assert texts(desk.window) == ["one", "Hello there.", "two", "Hello there."]
    assert len(desk.window.history.conversations()) == 2


def test_what_the_history_refuses_is_told_and_nothing_is_asked(
    desk: Desk, workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.ask("one")
    monkeypatch.setattr(desk.window.history, "edit_user", refuse)
    user(desk, 0).edit_button.click()
    editor = user(desk, 0).editor
    assert editor is not None
    editor.send.click()
    told = desk.window.board.get("chats")
    assert told is not None
    assert told.sentence == "The disk is full. Free some space."
    assert user(desk, 0).editor is editor  # what was written is kept
    assert len(workshop.requests) == 1


def test_a_message_that_is_stored_leaves_the_composer_though_its_answer_is_refused(
    desk: Desk, workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sent once more it would stand in the chat twice."""
    monkeypatch.setattr(desk.window.history, "start_assistant", refuse)
    desk.write("one")
    assert [message.content for message in stored(desk)] == ["one"]
    assert desk.window.view.composer.text() == ""
    assert desk.window.board.get("chats") is not None
    assert workshop.requests == []


def test_an_answer_comes_though_the_history_cannot_be_read_as_it_begins(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, read = desk.window.session, desk.window.history.messages

    def unreadable(conversation: int) -> list[StoredMessage]:
        begins = session.answer is not None and not session.engine.answering
        return refuse() if begins else read(conversation)

    monkeypatch.setattr(desk.window.history, "messages", unreadable)
    desk.ask("one")
    assert session.answer is None
    assert [message.content for message in stored(desk)] == ["one", "Hello there."]


def test_an_answer_without_a_question_does_not_go_on(desk: Desk, workshop: Workshop) -> None:
    """Chats from files may begin with one."""
    session, history = desk.window.session, desk.window.history
    lone = ArchivedMessage("assistant", "Hi", 0.0, state="stopped")
    [chat] = history.adopt([ArchivedChat("Greeting", 0.0, 0.0, [lone], active=0)])
    session.open(chat)
    assert not session.go_on()
    assert stored(desk)[-1].state == "stopped"
    assert workshop.requests == []
    session.new()
    desk.ask("one")


def test_a_question_without_an_answer_does_not_go_on(desk: Desk) -> None:
    history = desk.window.history
    conversation = history.create("", "starter")
    desk.window.session.open(conversation)
    assert not desk.window.session.go_on()
    history.add_user(conversation, "one")
    assert not desk.window.session.go_on()


# One answer at a time


def test_while_an_answer_comes_none_can_be_asked_for_but_versions_can_be_read(
    desk: Desk, workshop: Workshop
) -> None:
    desk.ask("one")
    workshop.script.blocks = ["Better ", "still."]
    workshop.script.gate = threading.Event()
    with desk.qtbot.waitSignal(desk.window.session.deltas_arrived):
        desk.answer.again_button.click()
    assert not user(desk, 0).edit_button.isEnabled()
    desk.answer.row.previous.click()
    assert texts(desk.window) == ["one", "Hello there."]
    assert not desk.answer.again_button.isEnabled()
    desk.open_gate()
    assert texts(desk.window) == ["one", "Hello there."]
    assert desk.answer.again_button.isEnabled()
    desk.answer.row.next.click()
    assert texts(desk.window) == ["one", "Better still."]


def test_coming_back_to_the_version_that_comes_shows_it_live(desk: Desk, workshop: Workshop) -> None:
    desk.ask("one")
    workshop.script.blocks = ["Better ", "still."]
    workshop.script.gate = threading.Event()
    with desk.qtbot.waitSignal(desk.window.session.deltas_arrived):
        desk.answer.again_button.click()
    desk.answer.row.previous.click()
    desk.answer.row.next.click()
    assert desk.answer.source == "Better "
    desk.open_gate()
    assert desk.answer.source == "Better still."


def test_another_chat_says_why_nothing_can_be_sent(desk: Desk, workshop: Workshop) -> None:
    desk.ask_and_wait_at_the_gate("a slow one")
    desk.window.new_chat()
    view = desk.window.view
    desk.write("impatient")
    assert view.busy.isVisible()
    assert "“a slow one” is being answered" in view.busy.sentence
    assert not view.composer.button.isEnabled()
    assert view.composer.button.accessibleName() == view.busy.sentence
    assert view.composer.text() == "impatient"
    desk.open_gate()
    assert not view.busy.isVisible()
    assert view.composer.button.isEnabled()
    desk.ask("impatient")
    assert texts(desk.window) == ["impatient", "Hello there."]


def test_enter_where_nothing_can_be_sent_reads_the_reason_out(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(desk.window.view, "announce", said.append)
    desk.ask_and_wait_at_the_gate("a slow one")
    desk.window.new_chat()
    desk.write("impatient")
    assert said[-1] == desk.window.view.busy.sentence
    desk.open_gate()


def test_escape_in_another_chat_stops_nothing_but_the_button_does(desk: Desk) -> None:
    desk.ask_and_wait_at_the_gate("a slow one")
    slow = desk.window.session.conversation
    desk.window.new_chat()
    view = desk.window.view
    desk.qtbot.keyClick(view.composer.edit, Qt.Key.Key_Escape)
    assert desk.window.session.answer is not None
    view.busy.stop_button.click()
    assert desk.window.session.answer is None
    assert not view.busy.isVisible()
    assert slow is not None
    assert desk.window.history.messages(slow)[-1].content == "Hello "


def test_the_answer_that_comes_can_be_shown_from_another_chat(desk: Desk) -> None:
    desk.ask_and_wait_at_the_gate("a slow one")
    desk.window.new_chat()
    desk.window.view.busy.show_button.click()
    assert texts(desk.window) == ["a slow one", "Hello "]
    assert desk.window.view.composer.button.text() == "Stop"
    desk.open_gate()


def test_an_editor_that_is_open_waits_for_an_answer_that_comes(desk: Desk, workshop: Workshop) -> None:
    desk.ask("one")
    user(desk, 0).edit_button.click()
    editor = user(desk, 0).editor
    assert editor is not None
    desk.ask_and_wait_at_the_gate("two")
    assert user(desk, 0).editor is editor
    assert not editor.send.isEnabled()
    desk.qtbot.keyClick(editor.edit, Qt.Key.Key_Return)
    assert texts(desk.window)[0] == "one"
    desk.open_gate()
    assert editor.send.isEnabled()


def test_what_waits_says_why(desk: Desk) -> None:
    desk.ask("one")
    desk.ask_and_wait_at_the_gate("two")
    assert user(desk, 0).edit_button.toolTip() == "Wait until the answer has ended, or stop it."
    desk.open_gate()
    assert user(desk, 0).edit_button.toolTip() == "Edit and send again"


# Actions


def press(desk: Desk, key: Qt.Key, *, shift: bool = False) -> None:
    modifiers = Qt.KeyboardModifier.ControlModifier
    if shift:
        modifiers |= Qt.KeyboardModifier.ShiftModifier
    desk.window.activateWindow()
    desk.qtbot.keyClick(desk.window.focusWidget() or desk.window, key, modifiers)


def test_the_last_turn_by_keys(desk: Desk, workshop: Workshop) -> None:
    desk.ask("one")
    press(desk, Qt.Key.Key_E)
    editor = user(desk, 0).editor
    assert editor is not None
    desk.qtbot.keyClick(editor.edit, Qt.Key.Key_Escape)
    workshop.script.events = [Finished(FinishReason.LENGTH, "Half", (1,), stats(1))]
    with desk.qtbot.waitSignal(desk.window.session.answer_finished):
        press(desk, Qt.Key.Key_R)
    assert desk.answer.row.versions.text() == "2/2"
    workshop.script.events = None
    with desk.qtbot.waitSignal(desk.window.session.answer_finished):
        press(desk, Qt.Key.Key_R, shift=True)
    assert desk.answer.source == "HalfHello there."
    press(desk, Qt.Key.Key_R, shift=True)  # it is complete now
    assert desk.window.session.answer is None
    assert len(workshop.requests) == 3


def test_keys_of_turns_in_an_empty_chat_do_nothing(desk: Desk, workshop: Workshop) -> None:
    for key in (Qt.Key.Key_E, Qt.Key.Key_R):
        press(desk, key)
    press(desk, Qt.Key.Key_R, shift=True)
    assert workshop.requests == []


def test_actions_are_seen_where_the_pointer_or_the_focus_is_and_at_the_end(desk: Desk) -> None:
    for text in ("one", "two"):
        desk.ask(text)
    first, last = answer(desk, 1), answer(desk, 3)
    assert (first.copy_button.seen, last.copy_button.seen) == (False, True)
    first.again_button.setFocus()
    assert first.copy_button.seen
    desk.window.focus_composer()
    assert not first.copy_button.seen
    QApplication.sendEvent(first, QEnterEvent(QPointF(), QPointF(), QPointF()))
    assert first.copy_button.seen


def test_every_action_can_be_reached_by_tab_and_has_a_name(desk: Desk) -> None:
    desk.ask("one")
    buttons = [*buttons_of(user(desk, 0)), *buttons_of(answer(desk, 1))]
    assert len(buttons) >= 7
    assert all(button.accessibleName() for button in buttons)
    buttons[0].setFocus()
    for expected in buttons[1:]:
        while desk.window.focusWidget() is not expected:
            before = desk.window.focusWidget()
            desk.qtbot.keyClick(before, Qt.Key.Key_Tab)
            assert desk.window.focusWidget() is not buttons[0], "round without reaching it"


def buttons_of(message: MessageWidget) -> list:
    return [button for button in message.row._buttons if not button.isHidden()]


def test_the_figures_of_an_answer_ask_for_its_details(desk: Desk) -> None:
    desk.ask("one")
    with desk.qtbot.waitSignal(desk.window.view.details_asked) as asked_for:
        desk.answer.figures_button.click()
    assert asked_for.args == [stored(desk)[-1].id]


def test_the_figures_stay_with_each_answer(desk: Desk, workshop: Workshop) -> None:
    workshop.script.blocks = ["a", "b", "c"]
    desk.ask("one")
    workshop.script.blocks = ["a"]
    desk.ask("two")
    desk.window.session.open(desk.window.session.conversation)
    figures = [answer(desk, index).figures_button.text() for index in (1, 3)]
    assert [text.split()[0] for text in figures] == ["3", "1"]


# What was being written


def test_a_draft_outlives_the_window(qtbot: QtBot, tmp_path: Path, workshop: Workshop) -> None:
    first = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop).ready()
    first.ask("one")
    conversation = first.window.session.conversation
    first.window.view.composer.set_text("half a thought")
    first.close()
    second = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop).ready()
    assert second.window.view.composer.text() == ""
    second.window.session.open(conversation)
    assert second.window.view.composer.text() == "half a thought"
    second.ask("half a thought")
    second.close()
    third = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop).ready()
    third.window.session.open(conversation)
    assert third.window.view.composer.text() == ""
    third.close()


# Reasoning


def test_a_prompt_that_opens_the_reasoning_is_completed_in_the_text(
    qtbot: QtBot, tmp_path: Path, workshop: Workshop
) -> None:
    """GIVEN a model whose prompt ends in <think> THEN the stored answer begins with it, and later turns lack it."""
    workshop.script.opens_thinking = "<think>\n"
    workshop.script.blocks = ["Well, ", "two.\n</think>\n\nIt is ", "two."]
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop).ready()
    desk.ask("one and one?")
    assert stored(desk)[-1].content == "<think>\nWell, two.\n</think>\n\nIt is two."
    assert desk.answer.source == stored(desk)[-1].content
    desk.ask("sure?")
    assert asked(workshop) == ["one and one?", "It is two.", "sure?"]
    desk.close()
