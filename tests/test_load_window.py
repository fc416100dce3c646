"""Loading seen from the window: its steps and time, the way out of it, and what happens when memory is short."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.models.facts_beside import _memory
from app.models.load_row import LoadRow
from app.models.memory_words import part_in_words
from engine.events import Progress
from engine.models.catalogue import Pair
from engine.models.memory import MemoryEstimate, MemoryPart, MemoryShortError, Part
from engine.models.store import ModelStore
from tests.desk import Desk
from tests.fake_engine import PATIENCE_S, FakeEngine, FakeStore, Workshop
from tests.tiny_models import write_model

GB = 10**9
PARTS = (MemoryPart(Part.WEIGHTS, "m", 2 * GB), MemoryPart(Part.FILE, "m", GB))
SHORT = MemoryEstimate(PARTS, 4096, 1, free=GB)
TIGHT = MemoryEstimate(PARTS, 4096, 1, free=2 * GB)


@dataclass
class CarefulWorkshop(Workshop):
    """Knows which pairs do not fit, and can be held in the middle of a loading."""

    short: set[str] = field(default_factory=set)
    estimate: MemoryEstimate | None = None
    hold: threading.Event | None = None
    overridden: list[str] = field(default_factory=list)

    def __call__(self, pair: Pair, progress: Callable[[Progress], None]) -> FakeEngine:
        if self.hold is not None:
            progress(Progress("converting", 1, 4))
            self.hold.wait(PATIENCE_S)
            progress(Progress("compiling", 0, 1))
        engine = super().__call__(pair, progress)
        engine.estimate = self.estimate  # type: ignore[attr-defined]
        return engine

    def check(self, pair: Pair, present: int) -> None:
        if pair.name in self.short:
            raise MemoryShortError(SHORT)

    def anyway(self, pair: Pair, progress: Callable[[Progress], None]) -> FakeEngine:
        self.overridden.append(pair.name)
        return self(pair, progress)


@pytest.fixture
def workshop() -> CarefulWorkshop:
    return CarefulWorkshop()


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, workshop: CarefulWorkshop) -> Iterator[Desk]:
    store = FakeStore.with_starter()
    store.have.update(store.pair("coder").models)
    desk = Desk(qtbot, tmp_path, store, workshop)
    yield desk
    if workshop.hold is not None:
        workshop.hold.set()
    desk.close()


def choose(desk: Desk, name: str) -> None:
    desk.window.pairs.choose(desk.window.store.pair(name))


def test_a_pair_that_does_not_fit_leaves_the_present_one_answering(
    desk: Desk, workshop: CarefulWorkshop
) -> None:
    # GIVEN a loaded starter, and a pair that needs more memory than there is
    desk.ready()
    workshop.short = {"coder"}
    # WHEN it is chosen
    with desk.qtbot.waitSignal(desk.window.engine.load_failed):
        choose(desk, "coder")
    # THEN both numbers are told, and the starter answers on
    notice = desk.window.board.get("models")
    assert notice is not None
    assert "3.0 GB" in notice.sentence
    assert "1.0 GB" in notice.sentence
    assert desk.window.chip.loaded is not None
    assert desk.window.session.pair == desk.window.store.pair("starter")
    assert not workshop.engines[0].closed
    desk.ask()


def test_what_does_not_fit_is_loaded_anyway_by_one_click(desk: Desk, workshop: CarefulWorkshop) -> None:
    desk.ready()
    workshop.short = {"coder"}
    with desk.qtbot.waitSignal(desk.window.engine.load_failed):
        choose(desk, "coder")
    notice = desk.window.board.get("models")
    assert notice is not None
    assert notice.button is not None

    with desk.qtbot.waitSignal(desk.window.engine.loaded):
        notice.button.click()

    assert workshop.overridden == ["coder"]
    assert workshop.engines[0].closed
    assert desk.window.board.get("models") is None


def test_without_a_loaded_pair_the_refusal_says_that_there_is_none(
    qtbot: QtBot, tmp_path: Path, workshop: CarefulWorkshop
) -> None:
    workshop.short = {"starter"}
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop)
    try:
        qtbot.waitUntil(lambda: desk.window.board.get("models") is not None)
        assert desk.window.chip.loaded is None
        assert workshop.engines == []
    finally:
        desk.close()


def test_a_tight_fit_is_loaded_with_a_warning(
    qtbot: QtBot, tmp_path: Path, workshop: CarefulWorkshop
) -> None:
    workshop.estimate = TIGHT
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop)
    try:
        desk.ready()
        notice = desk.window.board.get("models")
        assert notice is not None
        assert "2.0 GB is free" in notice.sentence
        assert notice.property("tone") == "plain"
    finally:
        desk.close()


def test_a_loading_is_stopped_and_begun_again(desk: Desk, workshop: CarefulWorkshop) -> None:
    # GIVEN a loading that is at its conversion
    desk.ready()
    workshop.hold = threading.Event()
    with desk.qtbot.waitSignal(desk.window.engine.load_progress):
        choose(desk, "coder")
    # WHEN it is stopped
    desk.window.load_row.stop.click()
    # THEN the window says so at once, and what was being loaded never arrives
    assert not desk.window.engine.loading
    assert desk.window.chip.loaded is None
    assert desk.window.load_row.isHidden()
    notice = desk.window.board.get("models")
    assert notice is not None
    assert notice.button is not None
    workshop.hold.set()
    # AND it can be loaded all the same
    with desk.qtbot.waitSignal(desk.window.engine.loaded):
        notice.button.click()
    assert [engine.pair.name for engine in workshop.engines] == ["starter", "coder"]
    assert workshop.engines[0].closed


def test_another_choice_ends_the_loading_that_runs(desk: Desk, workshop: CarefulWorkshop) -> None:
    desk.ready()
    workshop.hold = threading.Event()
    with desk.qtbot.waitSignal(desk.window.engine.load_progress):
        choose(desk, "coder")

    with desk.qtbot.waitSignal(desk.window.engine.loaded):
        choose(desk, "starter")
        workshop.hold.set()

    assert [engine.pair.name for engine in workshop.engines] == ["starter", "starter"]


def test_steps_and_time_are_told(qtbot: QtBot) -> None:
    now = [0.0]
    row = LoadRow(clock=lambda: now[0])
    qtbot.addWidget(row)

    row.begin()
    assert row.isHidden()
    now[0] = 75.4
    row.show_progress(Progress("converting", 3, 12))
    assert "25 %" in row.label.text()
    assert "1:15" in row.label.text()
    row.show_progress(Progress("compiling", 0, 1))
    assert "%" not in row.label.text()
    row.end()
    assert row.isHidden()


def test_the_manager_lists_what_memory_is_for(tmp_path: Path) -> None:
    store = ModelStore(tmp_path)
    store.import_file(write_model(tmp_path / "m.gguf"), "m")

    told = _memory(store, "m").splitlines()

    assert "512 tokens" in told[0]
    assert {line.partition(":")[0] for line in told[1:]} == {
        part_in_words(part) for part in Part if part is not Part.STATES
    }
