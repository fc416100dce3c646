"""“Find a draft for this model” in the window, over a fake engine."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.models import pairing_words as words
from app.models.pairing_row import PairingRow
from app.models.pairing_view import PairingView
from engine.errors import SlipstreamError
from engine.models.catalogue import Pair
from engine.models.gain import Basis, Gain
from engine.models.pairing import Candidate
from tests.desk import Desk
from tests.fake_engine import FakeStore, Workshop

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "does not support raise", extend=True)

CODER = FakeStore().pair("coder")
ROUGH = Gain(1.14, 1.52, Basis.SIZES, (0.55, 0.8))
HERE = Candidate("near", "Near", True, True, predicted=ROUGH)
COMES = Candidate(
    CODER.draft or "", "Small coder", False, True, pair="coder", download_bytes=500_000_000, predicted=ROUGH
)
UNLIKE = Candidate("other", "Other", True, False, "token 3 is 'a' in the target and 'b' in the draft")
UNKNOWN = Candidate("unknown", "Unknown", False, None, "whether it fits can be told when it is fetched")


class PairingStore(FakeStore):
    """Installed: the target of the coder pair, and a draft that the catalogue does not know."""

    def __init__(self, home: Path) -> None:
        super().__init__(CODER.target, "near", *FakeStore().pair("starter").models)
        self.home = home
        self.made: list[Pair] = []

    def pairs(self) -> list[Pair]:
        return [*super().pairs(), *self.made, Pair("alone", "Coder alone", CODER.target, None)]

    def make_pair(self, target: str, draft: str) -> Pair:
        self.made.append(Pair(f"{target}+{draft}", "Made here", target, draft))
        return self.made[-1]


@pytest.fixture
def workshop() -> Workshop:
    return Workshop()


@pytest.fixture
def store(tmp_path: Path) -> PairingStore:
    return PairingStore(tmp_path)


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, store: PairingStore, workshop: Workshop) -> Iterator[Desk]:
    """The coder's target is loaded without a draft."""
    desk = Desk(qtbot, tmp_path, store, workshop).ready()
    desk.window.pairing.look = lambda _target: [HERE, COMES, UNKNOWN, UNLIKE]
    with qtbot.waitSignal(desk.window.engine.loaded):
        desk.window.pairs.load(store.pairs()[-1])
    yield desk
    desk.close()


def opened(desk: Desk) -> PairingView:
    pairing = desk.window.pairing
    pairing.open()
    assert pairing._dialog is not None
    view = pairing._dialog.view
    desk.qtbot.waitUntil(lambda: bool(view.rows) and (view.rows[0].isVisible() or view.others.isVisible()))
    return view


def row(view: PairingView, candidate: Candidate) -> PairingRow:
    return next(each for each in view.rows if each.candidate.name == candidate.name)


def shown(row: PairingRow) -> set[QPushButton]:
    return {button for button in row.buttons if not button.isHidden()}


def test_each_draft_says_what_it_gains_or_why_it_does_not_fit(desk: Desk) -> None:
    view = opened(desk)
    here, comes, unlike = (row(view, each) for each in (HERE, COMES, UNLIKE))
    assert shown(here) == {here.use, here.trial}
    assert shown(comes) == {comes.fetch}
    assert "500" in comes.fetch.text()
    assert "1.1× to 1.5×" in here.about.text()
    assert "assuming 55" in here.about.text()
    assert not unlike.isVisible()
    view.others.click()
    assert unlike.isVisible()
    assert unlike.about.text() == "Token 3 is 'a' in the target and 'b' in the draft."
    assert shown(unlike) == shown(row(view, UNKNOWN)) == set()


def test_using_a_draft_swaps_it_and_keeps_engine_and_chat(
    desk: Desk, workshop: Workshop, store: PairingStore
) -> None:
    """GIVEN a chat WHEN a draft is chosen THEN the engine that answered it goes on with the draft."""
    desk.ask("Hello")
    chat, engines = desk.window.session.conversation, len(workshop.engines)
    view = opened(desk)
    with desk.qtbot.waitSignal(desk.window.engine.loaded):
        row(view, HERE).use.click()
    assert len(workshop.engines) == engines
    assert workshop.engines[-1].pair == store.made[0]
    assert desk.window.session.conversation == chat
    assert not view.isVisible()
    used = opened(desk)
    desk.qtbot.waitUntil(lambda: any(each.in_use.isVisible() for each in used.rows))
    assert not row(used, HERE).use.isVisible()


def test_another_target_keeps_the_chat(desk: Desk, workshop: Workshop, store: PairingStore) -> None:
    desk.ask("Hello")
    chat, engines = desk.window.session.conversation, len(workshop.engines)
    with desk.qtbot.waitSignal(desk.window.engine.loaded):
        desk.window.pairs.choose(store.pair("starter"))
    assert len(workshop.engines) == engines + 1
    assert desk.window.session.conversation == chat
    desk.ask("And again")
    assert workshop.requests[-1].messages[0].content == "Hello"


def test_one_click_fetches_the_best_and_loads_the_pair(desk: Desk, workshop: Workshop) -> None:
    view = opened(desk)
    with desk.qtbot.waitSignal(desk.window.shop.installed), desk.qtbot.waitSignal(desk.window.engine.loaded):
        row(view, COMES).fetch.click()
    assert workshop.engines[-1].pair == CODER


def test_a_draft_whose_model_is_missing_fetches_that(
    desk: Desk, workshop: Workshop, store: PairingStore
) -> None:
    """GIVEN the drafts of a model that is only in the catalogue, of which one is here."""
    store.have.discard(CODER.target)
    store.have.add(COMES.name)
    with desk.qtbot.waitSignal(desk.window.shop.installed), desk.qtbot.waitSignal(desk.window.engine.loaded):
        desk.window.pairing.use(CODER.target, replace(COMES, installed=True))
    assert store.is_installed(CODER.target)
    assert workshop.engines[-1].pair == CODER


def test_a_trial_can_be_watched_and_its_result_is_shown(
    desk: Desk, workshop: Workshop, store: PairingStore
) -> None:
    """GIVEN a draft WHEN it is tried THEN the old pair answers again and what was measured stands in its row."""
    asked: list[str] = []

    def look(target: str) -> list[Candidate]:
        asked.append(target)
        tried = (store.home / "gains.json").exists()
        measured = Gain(1.8, 1.8, Basis.TRIAL, when="2026-11-30") if tried else None
        return [replace(HERE, measured=measured)]

    desk.window.pairing.look = look
    view = opened(desk)
    before = workshop.engines[-1].pair
    row(view, HERE).trial.click()
    assert row(view, HERE).stop.isVisible()
    assert row(view, HERE).bar.isVisible()
    desk.qtbot.waitUntil(lambda: "Measured 1.8× on this machine" in row(view, HERE).about.text())
    assert shown(row(view, HERE)) == {row(view, HERE).use, row(view, HERE).trial}
    assert workshop.engines[-1].pair == before
    assert workshop.requests[-1].baseline is False
    assert set(asked) == {CODER.target}


def test_a_trial_can_be_stopped(desk: Desk, workshop: Workshop, store: PairingStore) -> None:
    workshop.script.gate, workshop.script.gate_at = threading.Event(), 1
    view = opened(desk)
    before = workshop.engines[-1].pair
    row(view, HERE).trial.click()
    desk.qtbot.waitUntil(lambda: bool(workshop.requests))
    row(view, HERE).stop.click()
    assert desk.window.pairing.trying is None
    desk.qtbot.waitUntil(lambda: workshop.engines[-1].pair == before)
    assert not (store.home / "gains.json").exists()
    workshop.script.gate = None
    desk.ask("Hello")


def test_a_trial_that_fails_says_why(desk: Desk, workshop: Workshop) -> None:
    workshop.script.swap_error = SlipstreamError("There is too little memory: close other programs.")
    view = opened(desk)
    row(view, HERE).trial.click()
    desk.qtbot.waitUntil(lambda: view.notice is not None)
    assert view.notice is not None
    assert view.notice.sentence == "There is too little memory: close other programs."


def test_a_trial_needs_the_model_that_is_loaded(desk: Desk) -> None:
    view = PairingView(desk.window.pairing)
    desk.qtbot.addWidget(view)
    view.show_target("smollm2-135m-instruct-q4_1")
    view.show()
    desk.qtbot.waitUntil(lambda: bool(view.rows))
    assert not row(view, HERE).trial.isEnabled()
    assert "Load this model first" in row(view, HERE).trial.toolTip()


def test_the_buttons_are_reached_by_keys_and_the_focus_stays(desk: Desk) -> None:
    view = opened(desk)
    row(view, HERE).use.setFocus()
    old = row(view, HERE)
    desk.window.pairing.changed.emit()
    desk.qtbot.waitUntil(lambda: row(view, HERE) is not old)
    for button in row(view, HERE).buttons:
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
        assert HERE.title in button.accessibleName()


def test_the_model_manager_shows_the_drafts_of_any_model(desk: Desk) -> None:
    desk.window.manager.page.installed.drafts_asked.emit("smollm2-135m-instruct-q4_1")
    dialog = desk.window.pairing._dialog
    assert dialog is not None
    assert dialog.isVisible()
    assert dialog.heading.text() == "Drafts for SmolLM2 135M Instruct"
    assert dialog.view.target == "smollm2-135m-instruct-q4_1"


def test_nothing_that_fits_says_what_to_do(desk: Desk) -> None:
    desk.window.pairing.look = lambda _target: [UNLIKE]
    view = opened(desk)
    assert "A smaller model of the same family does" in view.status.text()


def test_a_store_that_can_not_be_read_is_told(desk: Desk) -> None:
    def refuse(_target: str) -> list[Candidate]:
        raise SlipstreamError("The models can't be read: check the disk.")

    desk.window.pairing.look = refuse
    desk.window.pairing.open()
    dialog = desk.window.pairing._dialog
    assert dialog is not None
    desk.qtbot.waitUntil(lambda: dialog.view.notice is not None)
    assert dialog.view.notice is not None
    assert "check the disk" in dialog.view.notice.sentence


@pytest.mark.parametrize(
    ("gain", "said"),
    [
        (Gain(1.0, 1.02, Basis.SIZES, (0.5, 0.8)), "Hardly any gain"),
        (Gain(1.2, 1.6, Basis.COSTS, (0.5, 0.8)), "About 1.2× to 1.6× by both models' speed here"),
        (Gain(1.8, 1.8, Basis.TRIAL, when="2020-11-30"), "Measured 1.8× on this machine, 30 Nov 2020"),
        (Gain(0.9, 0.9, Basis.TRIAL, when="2020-01-02", outdated=True), "with an earlier version"),
        (Gain(0.6, 0.6, Basis.TRIAL, when="2020-01-02"), "it is slower than plain decoding"),
    ],
)
def test_a_gain_in_words(qtbot: QtBot, gain: Gain, said: str) -> None:
    assert said in words.gain_in_words(gain)
    short = words.gain_in_short(gain)
    assert len(short) < len(words.gain_in_words(gain))
    assert ("measured" in short) == (gain.basis is Basis.TRIAL)


def test_the_chip_offers_the_search_where_no_draft_is_loaded(desk: Desk, workshop: Workshop) -> None:
    workshop.script.unavailable = "this pair has no draft model"
    with desk.qtbot.waitSignal(desk.window.engine.loaded):
        desk.window.pairs.load(Pair("alone", "Coder alone", CODER.target, None))
    remedies = {remedy.text: remedy.run for remedy in desk.window.insight.advice.remedies()}
    remedies["Find a draft for this model…"]()
    assert desk.window.pairing._dialog is not None
    assert desk.window.pairing._dialog.isVisible()
