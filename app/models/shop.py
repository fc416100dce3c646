"""The fetch page and its fetcher, tied together: a pair goes in, an installed pair comes out."""

from PySide6.QtCore import QObject, Signal

from app.models.fetch_page import FetchPage, Offer
from app.models.fetcher import Fetcher
from app.worker import FailureLog
from engine.models.catalogue import Pair
from engine.models.store import ModelStore


def missing_bytes(store: ModelStore, pair: Pair) -> int:
    """0 when the pair is installed; at least 1 when it is not."""
    if not store.missing(pair):
        return 0
    return max(1, store.missing_bytes(pair))


def can_be_used(store: ModelStore, pair: Pair) -> bool:
    """Installed, or known to the catalogue so that it can be fetched."""
    return all(store.is_installed(name) or name in store.catalogue.models for name in pair.models)


def stands_in_picker(store: ModelStore, pair: Pair) -> bool:
    """What is installed, and what the first page can fetch; the manager has the rest."""
    entries = [store.catalogue.models.get(name) for name in store.missing(pair)]
    return all(entry is not None and entry.folder is None for entry in entries)


class Shop(QObject):
    installed = Signal(object)  # Pair
    dismissed = Signal()

    def __init__(
        self, store: ModelStore, log: FailureLog, page: FetchPage, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._store = store
        self._page = page
        self._pair: Pair | None = None
        self.fetcher = Fetcher(store, log, self)
        page.fetch_asked.connect(self._start)
        page.cancel_asked.connect(self.fetcher.cancel)
        page.dismissed.connect(self.dismissed)
        self.fetcher.progress.connect(page.show_progress)
        self.fetcher.cancelled.connect(page.show_cancelled)
        self.fetcher.failed.connect(page.show_error)
        self.fetcher.done.connect(self._done)

    def offer(self, pair: Pair) -> None:
        """Shows the pair, unless another one is being fetched: then that one stays in view."""
        if self.fetcher.running:
            return
        models = self._store.catalogue.models
        entries = tuple(models[name] for name in pair.models if name in models)
        first = not self._store.installed()
        self._page.offer(Offer(pair, entries, missing_bytes(self._store, pair), first))

    def _start(self, pair: Pair) -> None:
        self._pair = pair
        self.fetcher.start(pair)

    def _done(self) -> None:
        if self._pair is not None:
            self.installed.emit(self._pair)
