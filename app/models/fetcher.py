"""Fetches a pair on a thread of its own; the window polls the newest progress ten times a second."""

import threading
from collections import deque

from PySide6.QtCore import QObject, QTimer, Signal

from app.worker import FailureLog
from engine.events import Progress
from engine.models.catalogue import Pair
from engine.models.store import ModelStore

POLL_MS = 100
CLOSE_S = 1.0


class Fetcher(QObject):
    """One fetch at a time. Ends with exactly one of `done`, `cancelled`, `failed`."""

    progress = Signal(object)  # Progress
    done = Signal()
    cancelled = Signal()
    failed = Signal(str)

    def __init__(self, store: ModelStore, log: FailureLog, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._log = log
        self._cancel = threading.Event()
        self._thread: threading.Thread | None = None
        self._newest: deque[Progress] = deque(maxlen=1)
        self._error: BaseException | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._poll)

    @property
    def running(self) -> bool:
        return self._thread is not None

    def start(self, pair: Pair) -> None:
        if self._thread is not None:
            return
        self._cancel = threading.Event()
        self._error = None
        self._newest.clear()
        self._thread = threading.Thread(target=self._fetch, args=(pair.name, self._cancel), daemon=True)
        self._thread.start()
        self._timer.start()

    def cancel(self) -> None:
        self._cancel.set()

    def close(self) -> None:
        """The window closes: what was fetched stays on disk, for the store to go on with."""
        self._timer.stop()
        self._cancel.set()
        if self._thread is not None:
            self._thread.join(CLOSE_S)
        self._thread = None

    def _fetch(self, name: str, cancel: threading.Event) -> None:
        try:
            self._store.fetch(name, self._newest.append, cancel)
        except BaseException as error:  # it crosses threads and is told in _poll
            self._error = error

    def _poll(self) -> None:
        if self._newest:
            self.progress.emit(self._newest.pop())
        if self._thread is None or self._thread.is_alive():
            return
        self._timer.stop()
        self._thread = None
        if self._cancel.is_set():
            self.cancelled.emit()
        elif self._error is not None:
            self.failed.emit(self._log.sentence(self._error))
        else:
            self.done.emit()
