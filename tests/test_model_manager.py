"""The manager's page over a real store, a hub on loopback and a fake engine: what a user does there."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.models.errands import Errand
from app.models.import_dialog import ImportDialog
from app.models.model_file import looks_like_model
from app.models.model_list import ModelList, Row
from app.models.pairing_dialog import PairingDialog
from app.models.queue_tab import QueueRow
from engine.models import hub_token
from engine.models.manifest import InstalledModel
from engine.models.queue import Item, State, Wanted
from engine.models.store import ModelStore
from tests.desk import Desk
from tests.fake_engine import Workshop
from tests.fake_hub import FakeHub
from tests.fake_registry import FakeRegistry, Fault
from tests.gguf_files import tiny_gguf
from tests.tiny_checkpoints import Folder, write

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "does not support raise", extend=True)

REPO = "maker/tiny-GGUF"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    with FakeRegistry() as registry:
        monkeypatch.setenv("HF_ENDPOINT", registry.url)
        yield FakeHub(registry)


@pytest.fixture
def store(hub: FakeHub, tmp_path: Path) -> ModelStore:
    store = hub.store(tmp_path / "home", attempts=1)
    store.import_file(tiny_gguf(tmp_path / "first.gguf", title="First model"))
    store.import_file(tiny_gguf(tmp_path / "second.gguf", seed=2, title="Second model"))
    return store


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, store: ModelStore) -> Iterator[Desk]:
    desk = Desk(qtbot, tmp_path, store, Workshop()).ready()  # type: ignore[arg-type]
    desk.window.manager.open()
    yield desk
    desk.close()


def rows(list_of: ModelList) -> list[Row]:
    return [row for row in list_of.rows() if row.what is not None]


def choose(desk: Desk, title: str) -> None:
    tab = desk.window.manager.page.installed
    tab.list.choose(next(row.what for row in rows(tab.list) if row.title == title))


def press(desk: Desk, text: str) -> None:
    details = desk.window.manager.page.shown_details()
    desk.qtbot.mouseClick(details.button(text), Qt.MouseButton.LeftButton)


def found(desk: Desk) -> None:
    tab = desk.window.manager.page.get
    desk.window.manager.page.show_tab(tab)
    tab.field.setText("tiny")
    desk.qtbot.keyClick(tab.field, Qt.Key.Key_Return)
    desk.qtbot.waitUntil(lambda: bool(rows(tab.list)) and tab.button.isEnabled(), timeout=20_000)


def test_what_is_installed_is_told(desk: Desk, store: ModelStore) -> None:
    tab = desk.window.manager.page.installed
    assert {row.title for row in rows(tab.list)} == {"First model", "Second model"}
    choose(desk, "Second model")
    assert tab.details.title.text() == "Second model"
    model = next(model for model in store.installed() if model.title == "Second model")
    assert model.sha256.startswith(tab.details.fact("SHA-256").rstrip("…"))
    assert tab.details.fact("Licence") == model.licence


def test_the_loaded_one_was_used_last_and_is_not_removed(desk: Desk, store: ModelStore) -> None:
    assert desk.window.session.pair is not None
    (used,) = store.last_used()
    assert used == desk.window.session.pair.target
    first = rows(desk.window.manager.page.installed.list)[0].what
    assert isinstance(first, InstalledModel)
    assert first.name == used
    assert not desk.window.manager.page.installed.details.button("Remove").isEnabled()


def test_a_removed_model_comes_back(desk: Desk, store: ModelStore) -> None:
    page = desk.window.manager.page
    other = rows(page.installed.list)[1]
    page.installed.list.choose(other.what)
    press(desk, "Remove")
    assert [row.title for row in rows(page.installed.list)] != [other.title]
    assert len(store.installed()) == 1
    page.installed.undo_asked.emit()
    assert len(rows(page.installed.list)) == 2


def test_a_check_finds_every_byte_in_place_or_says_what_is_wrong(desk: Desk, store: ModelStore) -> None:
    details = desk.window.manager.page.installed.details
    press(desk, "Verify")
    desk.qtbot.waitUntil(lambda: details.notice is not None)
    assert details.notice is not None
    assert "Every byte" in details.notice.sentence

    model = desk.window.manager.page.installed.list.current()
    assert isinstance(model, InstalledModel)
    file = store.path(model.name) / "model.gguf"
    file.write_bytes(file.read_bytes()[:-1] + b"\x7f")
    press(desk, "Verify")
    desk.qtbot.waitUntil(lambda: desk.window.board.get("models-manager") is not None)


def test_use_loads_the_model_and_goes_back_to_the_chat(desk: Desk) -> None:
    window = desk.window
    other = rows(window.manager.page.installed.list)[1]
    window.manager.page.installed.list.choose(other.what)
    with desk.qtbot.waitSignal(window.engine.loaded):
        press(desk, "Use")
    assert window.session.pair is not None
    assert window.session.pair.title == other.title
    assert window.centre.currentWidget() is window.view


def test_drafts_are_looked_for_in_the_pairing_dialog(desk: Desk) -> None:
    press(desk, "Find a draft…")
    (dialog,) = desk.window.findChildren(PairingDialog)
    assert dialog.isVisible()
    dialog.close()


def test_the_page_is_worked_by_keys(desk: Desk) -> None:
    window = desk.window
    tabs = window.manager.page.tabs
    desk.qtbot.keyClick(tabs, Qt.Key.Key_Right)
    assert window.manager.page.get.isVisibleTo(window)
    desk.qtbot.keyClick(window.manager.page.get.field, Qt.Key.Key_Escape)
    assert window.centre.currentWidget() is window.view


def test_the_picker_leads_to_the_manager(desk: Desk) -> None:
    window = desk.window
    window.show_page(window.view)
    picker = window.header.picker
    before = picker.currentText()
    picker.activated.emit(picker.count() - 1)
    assert window.centre.currentWidget() is window.manager.page
    assert picker.currentText() == before


def test_nothing_is_asked_of_the_network_before_the_user_does(desk: Desk, hub: FakeHub) -> None:
    page = desk.window.manager.page
    for tab in (page.get, page.queue, page.installed):
        page.show_tab(tab)
    page.get.field.setText("tiny")
    assert hub.registry.asked == []


def test_a_search_result_is_fetched_by_the_queue(
    desk: Desk, hub: FakeHub, store: ModelStore, tmp_path: Path
) -> None:
    content = tiny_gguf(tmp_path / "t.gguf", seed=3).read_bytes()
    files = {"t-Q8_0.gguf": content + bytes(8), "t-Q4_K_M.gguf": content}
    hub.add(REPO, files, tags=["gguf"], gguf={"architecture": "llama"})
    hub.add("b/strange", {}, tags=["gguf"], gguf={"architecture": "mamba"})
    found(desk)
    page = desk.window.manager.page
    assert [row.state for row in rows(page.get.list)] == ["", "Does not run"]

    press(desk, "Show its files")
    desk.qtbot.waitUntil(lambda: page.get.hub.box is not None)
    assert page.get.hub.box is not None
    assert page.get.hub.box.currentText().startswith("Q4_K_M")
    page.get.details.buttons[0].click()
    desk.qtbot.waitUntil(lambda: store.is_installed("tiny-q4_k_m"), timeout=20_000)
    desk.qtbot.waitUntil(lambda: desk.window.board.get("fetch-queue") is not None)
    assert len(rows(page.installed.list)) == 3


def test_a_gated_model_asks_for_the_token_and_goes_on(
    desk: Desk, hub: FakeHub, store: ModelStore, tmp_path: Path
) -> None:
    hub.add(
        REPO,
        {"t-Q8_0.gguf": tiny_gguf(tmp_path / "t.gguf", seed=3).read_bytes()},
        tags=["gguf"],
        gated="auto",
    )
    hub.lock(REPO, "hf_mine")
    found(desk)
    page, manager = desk.window.manager.page, desk.window.manager
    press(desk, "Show its files")
    desk.qtbot.waitUntil(lambda: page.get.hub.box is not None)
    page.get.details.buttons[0].click()
    desk.qtbot.waitUntil(lambda: [item.gated for item in manager.fetches.queue.items()] == [True])
    desk.qtbot.waitUntil(lambda: all(row.notice is not None for row in page.queue.rows.values()))

    dialog = manager.fetches.ask_token(REPO)
    dialog.field.setText("hf_mine")
    dialog.save.click()

    desk.qtbot.waitUntil(lambda: store.is_installed("tiny-q8_0"), timeout=20_000)
    notice = desk.window.board.get("fetch-queue-file")
    assert notice is not None
    assert "until Slipstream ends" in notice.sentence
    assert hub_token.keeper.get(hub.registry.url) == "hf_mine"


def test_a_fetch_is_paused_gone_on_with_and_cancelled(desk: Desk, hub: FakeHub, tmp_path: Path) -> None:
    content = tiny_gguf(tmp_path / "t.gguf", seed=3).read_bytes()
    hub.add(REPO, {"t-Q8_0.gguf": content}, tags=["gguf"])
    path = hub.path(REPO, "t-Q8_0.gguf")
    hub.registry.faults[path].extend([Fault(after=10, hang=True)] * 2)
    found(desk)
    page, queue = desk.window.manager.page, desk.window.manager.fetches.queue
    press(desk, "Show its files")
    desk.qtbot.waitUntil(lambda: page.get.hub.box is not None)
    page.get.details.buttons[0].click()
    page.show_tab(page.queue)
    desk.qtbot.waitUntil(lambda: hub.registry.served[path] == 10)
    (row,) = page.queue.rows.values()
    assert row.main.text() == "Pause"
    row.main.click()
    assert row.main.text() == "Continue"
    row.main.click()
    desk.qtbot.waitUntil(lambda: hub.registry.served[path] == 20)
    row.drop.click()
    assert page.queue.rows == {}
    assert queue.items() == []
    assert page.queue.empty.isVisibleTo(page)
    hub.registry.release.set()


def test_what_an_earlier_run_left_is_offered_and_not_begun(
    qtbot: QtBot, hub: FakeHub, store: ModelStore, tmp_path: Path
) -> None:
    from engine.models import queue_file

    queue_file.write(tmp_path / "fetch-queue.json", [Item(0, Wanted("first", "First model"))])
    desk = Desk(qtbot, tmp_path, store, Workshop()).ready()  # type: ignore[arg-type]
    notice = desk.window.board.get("fetch-queue")
    assert notice is not None
    assert notice.button is not None
    assert desk.window.manager.fetches.queue.items()[0].state is State.WAITING
    notice.button.click()
    page = desk.window.manager.page
    assert page.queue.isVisibleTo(page)
    page.queue.go_on_asked.emit()
    qtbot.waitUntil(lambda: desk.window.manager.fetches.queue.items()[0].state is State.DONE)
    desk.close()


def test_a_model_dropped_on_the_window_is_imported_in_the_format_that_was_chosen(
    desk: Desk, store: ModelStore, tmp_path: Path
) -> None:
    folder = write(tmp_path / "dropped", Folder("llama"))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(folder))])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(desk.window, QDragEnterEvent(QPoint(5, 5), copy, data, left, none))
    QApplication.sendEvent(desk.window, QDropEvent(QPointF(5, 5), copy, data, left, none))
    (dialog,) = desk.window.findChildren(ImportDialog)
    desk.qtbot.waitUntil(dialog.take.isEnabled, timeout=30_000)
    assert [text.split(",")[0] for text in dialog.choices()] == ["int4", "int8", "f16"]
    assert all("tokens/s" in text for text in dialog.choices())
    dialog.choose("int8")
    dialog.take.click()
    tab = desk.window.manager.page.installed
    desk.qtbot.waitUntil(lambda: len(rows(tab.list)) == 3, timeout=30_000)
    model = tab.list.current()
    assert isinstance(model, InstalledModel)
    assert (model.name, model.weights) == ("dropped", "int8")


def test_what_can_not_be_imported_says_why(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "torn.gguf"
    path.write_bytes(b"GGUF")
    dialog = desk.window.manager.offer_import(path)
    desk.qtbot.waitUntil(dialog.bar.isHidden)
    assert "torn" in dialog.state.text()
    assert dialog.take.isHidden()


def test_models_are_told_from_attachments(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    (tmp_path / "model.GGUF").touch()
    (tmp_path / "ir").mkdir()
    (tmp_path / "ir/openvino_model.xml").touch()
    (tmp_path / "photos").mkdir()
    names = ["notes.txt", "model.GGUF", "ir", "photos", "missing"]
    assert [looks_like_model(tmp_path / name) for name in names] == [False, True, True, False, False]


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ({"state": State.RUNNING}, "Connecting…"),
        ({"state": State.RUNNING, "stage": "verify", "done": 5, "total": 10}, "Checking · 0 kB of 0 kB"),
        (
            {
                "state": State.RUNNING,
                "stage": "download",
                "done": 1,
                "total": 2,
                "speed": 2e6,
                "left_s": 600.0,
            },
            "0 kB of 0 kB · 2 MB/s · 10 minute",
        ),
        ({"state": State.PAUSED, "done": 10**9, "total": 3 * 10**9}, "Paused · 1.0 GB of 3.0 GB"),
        ({"state": State.WAITING}, "Waiting"),
        ({"state": State.DONE, "total": 9}, "Ready"),
    ],
)
def test_a_fetch_in_words(qtbot: QtBot, item: dict[str, object], words: str) -> None:
    row = QueueRow(Item(1, Wanted("a", "A"), **item))  # type: ignore[arg-type]
    qtbot.addWidget(row)
    assert any(label.text().startswith(words) for label in row.findChildren(QLabel))


def test_an_errand_that_is_abandoned_tells_nothing(qtbot: QtBot, desk: Desk) -> None:
    gate = threading.Event()
    told: list[object] = []

    def wait(_progress: object, _cancel: object) -> bool:
        return gate.wait(10)

    errand = Errand(wait, desk.window.log, desk.window)
    errand.done.connect(told.append)
    errand.abandon()
    gate.set()
    qtbot.wait(200)
    assert told == []
