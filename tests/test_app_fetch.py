"""The first-run page: what is offered, how it goes on, and what a failure looks like."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import threading
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.models.fetch_page import FetchPage
from app.models.pair_picker import PairPicker
from app.models.shop import Shop, missing_bytes
from app.models.sizes import in_words
from app.worker import FailureLog
from engine.errors import SlipstreamError
from engine.events import Progress
from tests.fake_engine import FakeStore

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


class Counter:
    """A shop with its page, and the pairs that it installed."""

    def __init__(self, qtbot: QtBot, store: FakeStore, folder: Path) -> None:
        self.store = store
        self.page = FetchPage()
        qtbot.addWidget(self.page)
        self.shop = Shop(store, FailureLog(folder / "log.txt"), self.page)
        self.installed: list[str] = []
        self.shop.installed.connect(lambda pair: self.installed.append(pair.name))
        self.shop.offer(store.pair("starter"))


@pytest.fixture
def store() -> FakeStore:
    return FakeStore()


@pytest.fixture
def counter(qtbot: QtBot, store: FakeStore, tmp_path: Path) -> Counter:
    return Counter(qtbot, store, tmp_path)


def test_the_offer_names_size_licence_and_source(counter: Counter) -> None:
    words = " ".join(label.text() for label in counter.page.findChildren(type(counter.page.title)))
    for fact in ("Welcome", "SmolLM2 135M Instruct", "98 MB", "Apache-2.0", "huggingface.co"):
        assert fact in words
    assert counter.page.fetch.text() == "Fetch 98 MB"
    assert counter.page.cancel.isHidden()  # there is nothing else to go to


def test_fetch_installs_the_pair(qtbot: QtBot, counter: Counter, store: FakeStore) -> None:
    with qtbot.waitSignal(counter.shop.installed):
        counter.page.fetch.click()
    assert counter.installed == ["starter"]
    assert missing_bytes(store, store.pair("starter")) == 0


def test_progress_is_shown_in_bytes(qtbot: QtBot, counter: Counter, store: FakeStore) -> None:
    store.gate = threading.Event()
    counter.page.fetch.click()
    qtbot.waitUntil(lambda: "49 MB of 98 MB" in counter.page.status.text())
    assert not counter.page.fetch.isEnabled()
    assert counter.page.bar.value() * 2 == counter.page.bar.maximum()
    store.gate.set()
    qtbot.waitUntil(lambda: counter.installed == ["starter"])


def test_cancel_ends_the_fetch(qtbot: QtBot, counter: Counter, store: FakeStore) -> None:
    store.gate = threading.Event()
    counter.page.fetch.click()
    with qtbot.waitSignal(counter.shop.fetcher.cancelled):
        counter.page.cancel.click()
    assert counter.page.fetch.isEnabled()
    assert counter.page.notice is not None
    assert counter.installed == []


def test_a_failure_is_told_inline_and_retry_works(qtbot: QtBot, counter: Counter, store: FakeStore) -> None:
    store.fetch_error = SlipstreamError("The disk is full. Free 50 MB, then try again.")
    with qtbot.waitSignal(counter.shop.fetcher.failed):
        counter.page.fetch.click()
    notice = counter.page.notice
    assert notice is not None
    assert notice.sentence == "The disk is full. Free 50 MB, then try again."
    store.fetch_error = None
    assert notice.button is not None
    with qtbot.waitSignal(counter.shop.installed):
        notice.button.click()
    assert counter.page.notice is None


def test_late_progress_does_not_undo_an_error(counter: Counter) -> None:
    counter.page.show_error("It stopped.")
    counter.page.show_progress(Progress("download", 1, 2))
    assert counter.page.status.isHidden()
    assert counter.page.fetch.isEnabled()


def test_the_picker_tells_what_must_be_fetched(qtbot: QtBot, store: FakeStore) -> None:
    picker = PairPicker()
    qtbot.addWidget(picker)
    picker.show_pairs([(pair, missing_bytes(store, pair)) for pair in store.pairs()], "coder")
    texts = [picker.itemText(index) for index in range(picker.count())]
    assert texts[0].endswith("fetch 98 MB")
    assert texts[1].endswith("GB")
    assert picker.currentIndex() == 1
    with qtbot.waitSignal(picker.chosen) as chosen:
        picker.activated.emit(0)
    assert chosen.args[0].name == "starter"


@pytest.mark.parametrize(
    ("size", "words"), [(999, "1 kB"), (98_362_432, "98 MB"), (1_608_721_000, "1.6 GB"), (-5, "0 kB")]
)
def test_sizes_in_words(size: int, words: str) -> None:
    assert in_words(size) == words
