"""Settings in the window: what the next answer is made with, what the program looks like, how full the context is."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QInputDialog
from pytestqt.qtbot import QtBot

from app.settings import presets
from app.settings.chat_dialog import ChatDialog
from app.settings.editors import Decimal, Seed, Text, stops_as_text, stops_from
from app.settings.program_dialog import ProgramDialog
from app.theme import Appearance, Choice
from engine.errors import SlipstreamError
from engine.events import Finished, FinishReason, Started
from engine.request import Overflow, Request, Speculation
from tests.desk import Desk
from tests.fake_engine import FakeStore, Workshop, delta, stats

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "does not support raise", extend=True)


@pytest.fixture
def workshop() -> Workshop:
    return Workshop()


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, workshop: Workshop) -> Iterator[Desk]:
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop)
    yield desk.ready()
    desk.close()
    Appearance.shared().enlarge(100)


def chat_dialog(desk: Desk) -> ChatDialog:
    desk.window.settings_desk.show_chat()
    dialog = desk.window.settings_desk._chat_dialog
    assert dialog is not None
    return dialog


def program_dialog(desk: Desk) -> ProgramDialog:
    desk.window.settings_desk.show_program()
    dialog = desk.window.settings_desk._program_dialog
    assert dialog is not None
    return dialog


def ask(desk: Desk, text: str = "Hello") -> Request:
    desk.ask(text)
    return desk.workshop.requests[-1]


def type_number(dialog: ChatDialog, name: str, value: float) -> None:
    editor = dialog.rows[name].editor
    assert isinstance(editor, Decimal)
    editor.setValue(value)


def test_a_chat_without_settings_gets_what_suits_the_pair(desk: Desk) -> None:
    sampling = ask(desk).sampling

    assert {name: getattr(sampling, name) for name in presets.SMALL} == presets.SMALL


def test_what_is_set_counts_for_the_next_answer_and_stays_with_the_chat(desk: Desk) -> None:
    """GIVEN settings made before the first message THEN they belong to that chat, and to no other."""
    dialog = chat_dialog(desk)
    type_number(dialog, "temperature", 1.5)
    system = dialog.rows["system"].editor
    assert isinstance(system, Text)
    system.setPlainText("You are a pirate.")
    first = ask(desk)
    conversation = desk.window.session.conversation
    assert conversation is not None
    desk.window.new_chat()
    second = ask(desk)
    desk.window.session.open(conversation)
    third = ask(desk)

    assert first.sampling.temperature == third.sampling.temperature == 1.5
    assert first.messages[0].content == third.messages[0].content == "You are a pirate."
    assert second.sampling.temperature == presets.SMALL["temperature"]
    assert second.messages[0].role == "user"


def test_a_key_opens_the_settings_of_the_chat(desk: Desk) -> None:
    action = next(a for a in desk.window.menus.chat.actions() if a.shortcut().toString() == "Ctrl+.")
    action.trigger()
    dialog = desk.window.settings_desk._chat_dialog
    assert dialog is not None
    assert dialog.isVisible()


def test_a_changed_field_is_marked_and_can_be_reset(desk: Desk) -> None:
    dialog = chat_dialog(desk)
    row = dialog.rows["min_p"]
    assert row.reset.isHidden()
    type_number(dialog, "min_p", 0.2)
    assert not row.reset.isHidden()
    row.reset.click()
    assert row.reset.isHidden()
    assert desk.window.settings_desk.options.own == {}


def test_a_preset_takes_back_what_it_decides_and_leaves_the_rest(desk: Desk) -> None:
    options = desk.window.settings_desk.options
    options.set("temperature", 1.9)
    options.set("max_tokens", 99)
    options.choose(presets.EXACT)
    request = ask(desk)

    assert request.sampling.temperature == 0.0
    assert request.max_tokens == 99
    assert "Exact" in desk.window.settings_desk.bar.button.text()


def test_presets_of_ones_own_are_saved_renamed_and_deleted(desk: Desk) -> None:
    dialog, options = chat_dialog(desk), desk.window.settings_desk.options
    options.choose(presets.CREATIVE)
    options.set("temperature", 1.25)
    dialog.preset.save.click()
    name(desk, "Mine")
    assert (options.preset, options.own, options.now.temperature) == ("Mine", {}, 1.25)

    dialog.preset.rename.click()
    name(desk, "Ours")
    assert (options.preset, options.now.temperature) == ("Ours", 1.25)

    dialog.preset.delete.click()
    assert options.preset == presets.RECOMMENDED
    assert desk.window.preferences.now.presets == {}


def test_a_name_that_was_not_given_leaves_nothing_behind(desk: Desk) -> None:
    dialog = chat_dialog(desk)
    dialog.preset.save.click()
    [asked] = desk.window.findChildren(QInputDialog)
    asked.reject()
    desk.qtbot.waitUntil(lambda: not desk.window.findChildren(QInputDialog))
    assert desk.window.preferences.now.presets == {}


def name(desk: Desk, text: str) -> None:
    asked = next(d for d in desk.window.findChildren(QInputDialog) if d.isVisible())
    asked.setTextValue(text)
    asked.accept()


def test_a_preset_needs_a_name_that_is_free(desk: Desk) -> None:
    row = chat_dialog(desk).preset
    assert row.problem("creative")
    assert row.problem("")
    assert row.problem("x" * 61)
    assert row.problem("My own") == ""


def test_each_answer_has_a_new_seed_unless_one_is_fixed(desk: Desk) -> None:
    dialog = chat_dialog(desk)
    seeds = [ask(desk).sampling.seed for _ in range(3)]
    assert str(seeds[-1]) in dialog.last_seed.text()  # the dialog stays open beside the chat
    dialog.last_seed.click()
    again = [ask(desk).sampling.seed for _ in range(2)]

    assert len(set(seeds)) == 3
    assert again == [seeds[-1]] * 2


def test_the_seed_is_kept_with_the_answer_and_found_when_the_chat_is_opened(desk: Desk) -> None:
    seed = ask(desk).sampling.seed
    conversation = desk.window.session.conversation
    assert conversation is not None
    desk.window.new_chat()
    assert desk.window.settings_desk.options.last_seed is None
    desk.window.session.open(conversation)

    assert desk.window.settings_desk.options.last_seed == seed
    kept = desk.window.history.messages(conversation)[-1].stats_json
    assert json.loads(kept or "")["seed"] == seed


def test_an_answer_goes_on_with_its_own_seed(desk: Desk) -> None:
    desk.workshop.script.events = [
        Started(5, 0, 0.01),
        delta("One "),
        Finished(FinishReason.LENGTH, "One ", (1,), stats(1)),
    ]
    seed = ask(desk).sampling.seed
    with desk.qtbot.waitSignal(desk.window.session.answer_finished):
        desk.window.session.go_on()
    assert desk.workshop.requests[-1].sampling.seed == seed
    assert desk.window.settings_desk.options.last_seed == seed
    assert str(seed) in chat_dialog(desk).last_seed.text()


def test_a_seed_that_is_too_large_leaves_the_last_one_in_force(desk: Desk) -> None:
    dialog = chat_dialog(desk)
    editor = dialog.rows["seed"].editor
    assert isinstance(editor, Seed)
    desk.window.settings_desk.options.set("seed", 7)
    editor.number.setText(str(2**63))
    editor.edited.emit()
    assert desk.window.settings_desk.options.now.seed == 7
    assert dialog.rows["seed"].explanation.property("kind") == "complaint"


def test_the_switch_in_the_header_is_the_chats_own(desk: Desk) -> None:
    desk.window.header.switch.set_value("off")
    ask(desk)
    conversation = desk.window.session.conversation
    assert conversation is not None
    desk.window.new_chat()
    assert desk.window.header.switch.value() == "auto"
    desk.window.session.open(conversation)

    assert desk.window.header.switch.value() == "off"
    assert ask(desk).speculation is Speculation.OFF


def test_what_drafts_and_how_much_is_the_users_choice(desk: Desk) -> None:
    options = desk.window.settings_desk.options
    for setting, value in (("speculation", "on"), ("draft_tokens", 3), ("drafter", "ngram")):
        options.set(setting, value)
    request = ask(desk)
    assert (request.speculation, request.draft_tokens) == (Speculation.NGRAM, 3)


@pytest.mark.parametrize("stops", [[], ["END"], ["\n\n", "a\\n", "\t"], [" ", "ü\\"]])
def test_stop_strings_are_written_one_a_line(stops: list[str]) -> None:
    assert stops_from(stops_as_text(stops)) == stops


def test_too_many_stop_strings_are_told_at_the_field(desk: Desk) -> None:
    row = chat_dialog(desk).rows["stop"]
    assert isinstance(row.editor, Text)
    row.editor.setPlainText("\n".join("abcdefghijklmnopqr"))
    assert row.explanation.property("kind") == "complaint"
    row.editor.setPlainText("END")
    assert row.explanation.property("kind") == "small"
    assert ask(desk).stop == ("END",)


def test_a_stored_setting_that_makes_no_sense_is_left_out(desk: Desk) -> None:
    ask(desk)
    conversation = desk.window.session.conversation
    assert conversation is not None
    desk.window.history.set_settings(conversation, '{"preset": 5, "own": {"top_k": 7, "temperature": -3}}')
    desk.window.session.open(conversation)
    sampling = ask(desk).sampling
    assert (sampling.top_k, sampling.temperature) == (7, presets.SMALL["temperature"])


def test_the_gauge_counts_the_conversation_and_what_is_written(desk: Desk) -> None:
    """The fake engine counts words."""
    meter = desk.window.settings_desk.meter
    ask(desk, "One two three")
    desk.window.settings_desk.options.set("system", "Be brief please now")
    desk.window.view.composer.set_text("Four five")
    desk.qtbot.waitUntil(lambda: meter.use is not None and meter.use.draft == 2)
    use = meter.use

    assert use is not None
    assert (use.system, use.history, use.draft, use.limit) == (4, 5, 2, 4096)
    assert "11 of 4,096" in desk.window.settings_desk.bar.gauge.text()


def test_a_long_chat_leaves_messages_out_and_says_so(desk: Desk) -> None:
    desk.window.settings_desk.options.set("overflow", Overflow.KEEP_ENDS)
    for engine in desk.workshop.engines:
        engine.context_limit = 40
    for _ in range(4):
        ask(desk, "one two three four five six seven eight")
    desk.window.view.composer.set_text("nine")
    gauge = desk.window.settings_desk.bar.gauge
    desk.qtbot.waitUntil(lambda: "left out" in gauge.text())


def test_what_was_left_out_is_told_at_the_answer_now_and_later(desk: Desk) -> None:
    ask(desk)
    desk.workshop.script.events = [
        Started(5, 0, 0.01, left_out=(0, 1)),
        delta("Hm."),
        Finished(FinishReason.STOP, "Hm.", (1,), stats(1)),
    ]
    ask(desk)
    notice = desk.answer.notice_above
    assert notice is not None
    assert "2 earlier messages" in notice.sentence
    conversation = desk.window.session.conversation
    assert conversation is not None
    desk.window.new_chat()
    desk.window.session.open(conversation)
    notice = desk.answer.notice_above
    assert notice is not None
    assert notice.button is not None
    notice.button.click()
    assert chat_dialog(desk).isVisible()


def test_a_chat_that_is_too_long_offers_to_leave_messages_out(desk: Desk) -> None:
    for _ in range(3):
        ask(desk, "one two three four")
    for engine in desk.workshop.engines:
        engine.context_limit = 10
    desk.workshop.script.error = SlipstreamError("Too long.")
    desk.workshop.script.blocks = ()
    with desk.qtbot.waitSignal(desk.window.session.answer_failed):
        desk.write("five")
    desk.qtbot.waitUntil(
        lambda: (
            desk.answer.notice is not None
            and desk.answer.notice.button is not None
            and "oldest" in desk.answer.notice.button.text()
        )
    )
    desk.workshop.script.error, desk.workshop.script.blocks = None, ("Yes.",)
    notice = desk.answer.notice
    assert notice is not None
    assert notice.button is not None
    with desk.qtbot.waitSignal(desk.window.session.answer_finished):
        notice.button.click()
    assert desk.workshop.requests[-1].overflow is Overflow.KEEP_ENDS


def test_an_answer_that_fails_elsewhere_changes_nothing_here(desk: Desk) -> None:
    script, session = desk.workshop.script, desk.window.session
    for text in ("one two three four", "five six seven eight"):
        ask(desk, text)
    script.events = [Started(5, 0, 0.01), Finished(FinishReason.LENGTH, "One ", (1,), stats(1))]
    ask(desk, "nine")
    here = session.conversation
    assert here is not None
    script.events, script.error = None, SlipstreamError("Too long.")
    desk.window.new_chat()
    desk.ask_and_wait_at_the_gate()
    for engine in desk.workshop.engines:
        engine.context_limit = 10
    session.open(here)
    assert script.gate is not None
    with desk.qtbot.waitSignals([session.answer_failed, desk.window.settings_desk.meter.changed]):
        script.gate.set()
    desk.qtbot.waitUntil(lambda: (use := desk.window.settings_desk.meter.use) is not None and use.full)
    assert desk.answer.notice is not None
    assert desk.answer.notice.button is not None
    assert desk.answer.notice.button.text() == "Continue"


def test_an_answer_that_fills_the_context_can_go_on(desk: Desk) -> None:
    desk.workshop.script.events = [
        Started(5, 0, 0.01),
        delta("One "),
        Finished(FinishReason.CONTEXT, "One ", (1,), stats(1)),
    ]
    ask(desk)
    notice = desk.answer.notice
    assert notice is not None
    assert notice.button is not None
    with desk.qtbot.waitSignal(desk.window.session.answer_finished):
        notice.button.click()
    request = desk.workshop.requests[-1]
    assert request.overflow is Overflow.KEEP_ENDS
    assert request.continuation is not None


def test_the_theme_and_the_size_of_text_change_at_once_and_stay(desk: Desk) -> None:
    dialog = program_dialog(desk)
    before = QApplication.font().pointSizeF()
    theme = dialog.look.rows["theme"].editor
    theme.show_value(Choice.DARK)
    theme.edited.emit()
    larger = next(
        a for a in desk.window.menus.view.actions() if "Ctrl+=" in [k.toString() for k in a.shortcuts()]
    )
    larger.trigger()

    assert Appearance.shared().choice is Choice.DARK
    assert QApplication.font().pointSizeF() == pytest.approx(before * 1.1)
    kept = json.loads(desk.window.preferences.path.read_text(encoding="utf-8"))
    assert (kept["theme"], kept["font_percent"]) == ("dark", 110)


def test_what_needs_a_reload_offers_it(desk: Desk) -> None:
    page = program_dialog(desk).machine
    assert page._strip.isHidden()
    desk.window.preferences.change(threads=2)
    assert not page._strip.isHidden()
    with desk.qtbot.waitSignal(desk.window.engine.loaded):
        page.reload.click()
    assert page._strip.isHidden()
    assert len(desk.workshop.engines) == 2


def test_settings_for_new_chats_lie_below_the_chats_own(desk: Desk) -> None:
    page = program_dialog(desk).chats
    system = page.layer["system"].editor
    assert isinstance(system, Text)
    system.setPlainText("Be kind.")
    assert ask(desk).messages[0].content == "Be kind."
    desk.window.settings_desk.options.set("system", "Be brief.")
    assert ask(desk).messages[0].content == "Be brief."


def test_a_broken_settings_file_is_told_on_the_board(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text("{", encoding="utf-8")
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), Workshop()).ready()
    notice = desk.window.board.get("settings")
    assert notice is not None
    assert "settings.broken-" in notice.sentence
    desk.close()


def test_every_field_has_a_name_a_screen_reader_can_say(desk: Desk) -> None:
    dialog, program = chat_dialog(desk), program_dialog(desk)
    rows = [*dialog.rows.values(), *program.look.rows.values(), *program.machine.rows.values()]
    for row in (*rows, *program.chats.rows.values(), *program.chats.layer.values()):
        assert row.editor.accessibleName()
        assert row.editor.focusPolicy() != Qt.FocusPolicy.NoFocus or row.editor.focusProxy() is not None
