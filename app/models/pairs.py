"""Which pair answers: loads it, offers to fetch it, and says how that goes."""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.models.fetch_page import stage_in_words
from app.models.shop import can_be_used, missing_bytes
from app.worker import Loaded
from engine.errors import SlipstreamError
from engine.events import Progress
from engine.models.catalogue import Pair
from engine.request import Speculation

if TYPE_CHECKING:
    from app.main_window import MainWindow

STARTER = "starter"


class Pairs(QObject):
    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._store = window.store
        engine, shop = window.engine, window.shop
        engine.load_progress.connect(self._progress)
        engine.loaded.connect(self._loaded)
        engine.load_failed.connect(self._load_failed)
        window.header.picker.chosen.connect(self.choose)
        shop.installed.connect(self._installed)
        shop.dismissed.connect(lambda: window.show_page(window.view))

    def start(self, last: object) -> None:
        """Loads the pair named `last`, else an installed one, else offers the starter."""
        with self.guarded():
            self.show()
            installed = [pair for pair in self._store.pairs() if not missing_bytes(self._store, pair)]
            first = installed[0] if installed else None
            pair = next((pair for pair in installed if pair.name == last), first)
            if pair is not None:
                self.load(pair)
                self._window.focus_composer()
            else:
                self.offer(self._store.pair(STARTER))

    @contextlib.contextmanager
    def guarded(self) -> Iterator[None]:
        """What the model store refuses is told in words, and the rest of the block is left out."""
        self._window.board.drop("models")
        try:
            yield
        except SlipstreamError as error:
            self._window.board.put("models", str(error))

    def load(self, pair: Pair) -> None:
        """Loads a pair in the engine's thread, or only its drafter if the rest is there; the conversation stays."""
        window = self._window
        window.session.stop()
        window.session.pair = pair
        window.header.picker.show_current(pair.name)
        window.header.show_loading()
        window.chip.say(self.tr("Loading…"))
        window.header.switch.set_unavailable(None)
        window.board.drop("models")
        window.engine.load(pair, anew=window.settings_desk.outdated)
        window.show_page(window.view)

    def offer(self, pair: Pair) -> None:
        window = self._window
        window.shop.offer(pair)
        window.show_page(window.fetch_page)
        window.fetch_page.fetch.setFocus()

    def choose(self, pair: Pair) -> None:
        window = self._window
        with self.guarded():
            if missing_bytes(self._store, pair):
                self.offer(pair)
                window.header.picker.show_current(self._current)
            elif window.session.pair != pair or not (window.chip.loaded or window.engine.loading):
                self.load(pair)
            else:
                window.show_page(window.view)

    def show(self) -> None:
        """What can be chosen, in the header's list."""
        usable = [pair for pair in self._store.pairs() if can_be_used(self._store, pair)]
        sizes = [(pair, missing_bytes(self._store, pair)) for pair in usable]
        self._window.header.picker.show_pairs(sizes, self._current)

    @property
    def _current(self) -> str | None:
        pair = self._window.session.pair
        return pair.name if pair else None

    def _progress(self, progress: Progress) -> None:
        self._window.header.show_progress(progress)
        self._window.chip.say(f"{stage_in_words(progress.stage)}…")

    def _loaded(self, loaded: Loaded) -> None:
        self._window.header.loading_done()
        self._window.settings.setValue("pair", loaded.pair.name)
        self._window.header.switch.set_unavailable(loaded.unavailable.get(Speculation.AUTO))
        self._window.chip.engine_loaded(loaded)

    def _load_failed(self, sentence: str) -> None:
        window = self._window
        window.header.loading_done()
        window.chip.load_failed(sentence)
        pair = window.session.pair
        if pair is not None:
            window.board.put("models", sentence, self.tr("Try again"), lambda: self.load(pair))
            window.view.announce(sentence)

    def _installed(self, pair: Pair) -> None:
        with self.guarded():
            self.show()
            self.load(pair)
            self._window.focus_composer()
