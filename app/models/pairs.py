"""Which pair answers: loads it, offers to fetch it, and says how that goes."""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.models import memory_words
from app.models.fetch_page import stage_in_words
from app.models.shop import missing_bytes, stands_in_picker
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
        self._present: Loaded | None = None
        engine, shop = window.engine, window.shop
        engine.load_progress.connect(self._progress)
        engine.loaded.connect(self._loaded)
        engine.load_failed.connect(self._load_failed)
        engine.load_cancelled.connect(self._cancelled)
        window.load_row.stop_asked.connect(engine.cancel_load)
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

    def load(self, pair: Pair, anyway: bool = False) -> None:
        """Loads a pair in the engine's thread, or only its drafter if the rest is there; the conversation stays.

        `anyway`: even where memory seems too short.
        """
        window = self._window
        window.session.stop()
        window.session.pair = pair
        window.header.picker.show_current(pair.name)
        window.header.show_loading()
        window.load_row.begin()
        window.chip.say(self.tr("Loading…"))
        window.header.switch.set_unavailable(None)
        window.board.drop("models")
        window.engine.load(pair, anew=window.settings_desk.outdated, anyway=anyway)
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
        usable = [pair for pair in self._store.pairs() if stands_in_picker(self._store, pair)]
        sizes = [(pair, missing_bytes(self._store, pair)) for pair in usable]
        self._window.header.picker.show_pairs(sizes, self._current)

    @property
    def _current(self) -> str | None:
        pair = self._window.session.pair
        return pair.name if pair else None

    def _progress(self, progress: Progress) -> None:
        self._window.header.show_progress(progress)
        self._window.load_row.show_progress(progress)
        self._window.chip.say(f"{stage_in_words(progress.stage)}…")

    def _loaded(self, loaded: Loaded) -> None:
        self._end_loading()
        self._window.settings.setValue("pair", loaded.pair.name)
        self._show_loaded(loaded)
        if loaded.estimate is not None and (sentence := memory_words.sentence(loaded.estimate)):
            self._window.board.put("models", sentence, tone="plain")
        elif loaded.note:
            self._window.board.put("models", loaded.note, tone="plain")

    def _show_loaded(self, loaded: Loaded) -> None:
        self._present = loaded
        self._window.header.switch.set_unavailable(loaded.unavailable.get(Speculation.AUTO))
        self._window.chip.engine_loaded(loaded)

    def _load_failed(self, sentence: str) -> None:
        window, failure = self._window, self._window.engine.failure
        self._end_loading()
        pair = window.session.pair
        short = failure.estimate if failure else None
        sentence = memory_words.sentence(short) if short else sentence
        if failure and failure.kept and self._present:
            self._keep(self._present)
        else:
            self._present = None
            window.chip.load_failed(sentence)
        if pair is not None:
            action = self.tr("Load anyway") if short else self.tr("Try again")
            window.board.put("models", sentence, action, lambda: self.load(pair, anyway=short is not None))
            window.view.announce(sentence)

    def _keep(self, loaded: Loaded) -> None:
        """The pair that was there before still is."""
        self._window.session.pair = loaded.pair
        self._window.header.picker.show_current(loaded.pair.name)
        self._show_loaded(loaded)

    def _cancelled(self) -> None:
        self._end_loading()
        self._present = None
        pair = self._window.session.pair
        sentence = self.tr("Loading was stopped: no model is loaded.")
        self._window.chip.load_failed(sentence)
        if pair is not None:
            self._window.board.put("models", sentence, self.tr("Load it"), lambda: self.load(pair), "plain")

    def _end_loading(self) -> None:
        self._window.header.loading_done()
        self._window.load_row.end()

    def _installed(self, pair: Pair) -> None:
        with self.guarded():
            self.show()
            self.load(pair)
            self._window.focus_composer()
