"""From an answer to its tokens and figures, through the whole window over a fake engine."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.speculation.chip_popover import ChipPopover
from app.speculation.details_dialog import DetailsDialog
from app.speculation.state import Kind
from app.speculation.trace_codec import decode
from engine.events import Delta, Failed, Reading
from engine.request import Speculation
from tests.desk import Desk
from tests.fake_engine import FakeStore, Workshop
from tests.speculated import WordVocabulary, events

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
TEXT = "# Maps\n\nA *hash map* stores keys and values, so that a look-up is fast.\n" * 3


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    workshop = Workshop()
    vocabulary = WordVocabulary()
    workshop.script.tokenizer = vocabulary
    workshop.script.events = events(TEXT, vocabulary)
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop).ready()
    yield desk
    desk.close()


def told(desk: Desk) -> list[Delta]:
    return [event for event in desk.workshop.script.events or () if isinstance(event, Delta)]


def message_of(desk: Desk) -> int:
    session = desk.window.session
    assert session.conversation is not None
    return session.history.messages(session.conversation)[-1].id


def test_the_passes_of_an_answer_are_kept_with_it(desk: Desk) -> None:
    desk.ask()
    record = desk.window.history.record(message_of(desk))
    assert record is not None
    trace = decode(record)
    assert trace.tokens == tuple(token for delta in told(desk) for token in delta.tokens)
    assert [one.accepted for one in trace.passes] == [delta.accepted for delta in told(desk)]
    assert b"".join(trace.spelled()).decode() == TEXT
    assert trace.facts["pair"] == "starter"
    assert trace.facts["exact"] is True
    assert isinstance(trace.facts["sampling"], dict)


def test_a_failed_answer_keeps_its_passes(desk: Desk) -> None:
    some = told(desk)[:5]
    desk.workshop.script.events = [*some, Failed("The model could not go on.")]
    with desk.qtbot.waitSignal(desk.window.session.answer_failed):
        desk.write("Hello")
    record = desk.window.history.record(message_of(desk))
    assert record is not None
    assert len(decode(record).passes) == len(some)


def test_another_answer_has_a_record_of_its_own(desk: Desk) -> None:
    desk.ask()
    first = message_of(desk)
    desk.ask("More")
    records = [desk.window.history.record(message) for message in (first, message_of(desk))]
    assert all(records)
    assert first != message_of(desk)


def test_passes_are_written_while_the_answer_comes(desk: Desk) -> None:
    vocabulary = desk.workshop.script.tokenizer
    assert isinstance(vocabulary, WordVocabulary)
    desk.workshop.script.events = None
    desk.workshop.script.blocks = ("Hello ", "there ", "again.")
    for block in desk.workshop.script.blocks:
        vocabulary.number(block.encode())
    desk.ask_and_wait_at_the_gate()
    desk.window.insight.keeper.save()
    assert desk.window.session.answer is not None
    record = desk.window.history.record(desk.window.session.answer.message)
    assert record is not None
    assert len(decode(record).passes) == 1
    desk.open_gate()
    record = desk.window.history.record(message_of(desk))
    assert record is not None
    assert len(decode(record).passes) == 3


def test_an_answer_that_goes_on_keeps_its_first_passes(desk: Desk) -> None:
    desk.ask()
    count = len(told(desk))
    with desk.qtbot.waitSignal(desk.window.session.answer_finished):
        desk.window.session.go_on()
    record = desk.window.history.record(message_of(desk))
    assert record is not None
    trace = decode(record)
    assert len(trace.passes) == 2 * count
    assert [first for first, _ in trace.runs] == [0, count]
    assert trace.facts["from"] == len(TEXT)


def test_a_failure_ends_the_reading_of_the_prompt(desk: Desk) -> None:
    desk.workshop.script.events = [Reading(450, 1000), Failed("The model could not go on.")]
    with desk.qtbot.waitSignal(desk.window.session.answer_failed):
        desk.write("Hello")
    assert desk.window.chip.state.kind is Kind.READY


def test_ctrl_shift_t_shows_the_tokens_and_leads_back(desk: Desk, qtbot: QtBot) -> None:
    desk.ask()
    insight = desk.window.insight
    insight.toggle()
    assert desk.window.centre.currentWidget() is insight.page
    qtbot.waitUntil(lambda: insight.page.view.complete)
    shown = "".join(token.text for token in insight.page.view.tokens if not token.odd)
    assert shown == TEXT
    qtbot.keyClick(insight.page.view, Qt.Key.Key_Escape)
    assert desk.window.centre.currentWidget() is desk.window.view


def test_the_tokens_button_of_a_message_shows_its_tokens(desk: Desk) -> None:
    desk.ask()
    desk.answer.tokens_button.click()
    assert desk.window.centre.currentWidget() is desk.window.insight.page


def test_an_answer_without_a_record_says_so(desk: Desk) -> None:
    desk.ask()
    desk.window.history.set_record(message_of(desk), None)
    desk.window.insight.toggle()
    assert "No passes were recorded" in desk.window.insight.page._nothing.text()
    desk.window.history.set_record(message_of(desk), b"\xff")
    desk.window.insight.show_tokens(message_of(desk))
    assert "newer Slipstream" in desk.window.insight.page._nothing.text()


def test_the_details_hold_everything_and_can_be_copied(desk: Desk) -> None:
    desk.ask()
    desk.answer.figures_button.click()
    dialog = desk.window.findChild(DetailsDialog)
    assert dialog is not None
    dialog.copy_text()
    text = QGuiApplication.clipboard().text()
    stats = told(desk)[-1].stats
    for part in (f"Passes: {stats.target_passes}", "Speedup:", "Seed:", "Starter", "Guessed by:"):
        assert part in text
    dialog.copy_json()
    copied = json.loads(QGuiApplication.clipboard().text())
    assert copied["stats"]["drafted"] == stats.drafted
    assert copied["runs"][0]["pair"] == "starter"
    show = next(button for button in dialog.findChildren(QPushButton) if "tokens" in button.text())
    show.click()
    assert desk.window.centre.currentWidget() is desk.window.insight.page


def test_the_chip_explains_itself_and_offers_a_remedy(desk: Desk) -> None:
    desk.ask()
    desk.window.header.switch.set_value("off")
    desk.window.chip.click()
    popover = desk.window.findChild(ChipPopover)
    assert popover is not None
    assert popover.accessibleDescription() == desk.window.chip.state.tip
    popover.buttons[0].click()
    assert desk.window.header.switch.value() == "auto"


def test_a_pair_without_a_drafter_says_so_and_offers_another(desk: Desk) -> None:
    loaded = desk.window.chip.loaded
    assert loaded is not None
    loaded.unavailable[Speculation.DRAFT] = "this pair has no draft model"
    loaded.unavailable[Speculation.DFLASH] = "this pair has no trained drafter (DFlash or EAGLE)"
    advice = desk.window.insight.advice
    assert [bool(drafter.missing) for drafter in advice.drafters()] == [False, True]
    assert "Find a draft for this model…" in [remedy.text for remedy in advice.remedies()]


def test_a_long_prompt_shows_how_far_it_is_read(desk: Desk) -> None:
    states: list[str] = []
    events = list(desk.workshop.script.events or ())
    desk.workshop.script.events = [Reading(450, 1000), *events]
    desk.window.engine.reading.connect(lambda _reading: states.append(desk.window.chip.state.kind))
    desk.ask()
    assert states == [Kind.READING]
    assert desk.window.chip.state.kind is Kind.ON
