"""Searches the history while the user types, in a thread of its own: only the newest question is answered."""

import contextlib
import threading

from PySide6.QtCore import QObject, QTimer, Signal

from app.history.search import Searcher
from engine.errors import SlipstreamError

PAUSE_MS = 120  # between two keys of a word


class Searching(QObject):
    found = Signal(object)  # list[Hit]
    failed = Signal(str)
    _done = Signal(str, object, str)  # text, list[Hit] or None, what went wrong

    def __init__(self, searcher: Searcher, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._searcher = searcher
        self._wanted: str | None = None
        self._running = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._start)
        self._done.connect(self._finished)

    def look_for(self, text: str) -> None:
        """`found` or `failed` follows, unless another text is looked for meanwhile."""
        self._wanted = text
        self._searcher.cancel()
        self._pause.start()

    def forget(self) -> None:
        self._wanted = None
        self._pause.stop()
        self._searcher.cancel()

    def _start(self) -> None:
        if self._wanted is not None and not self._running:
            self._running = True
            threading.Thread(target=self._search, args=(self._wanted,), name="search", daemon=True).start()

    def _search(self, text: str) -> None:
        hits, trouble = None, ""
        try:
            hits = self._searcher.search(text)
        except SlipstreamError as error:
            trouble = str(error)
        with contextlib.suppress(RuntimeError):  # the window is gone
            self._done.emit(text, hits, trouble)

    def _finished(self, text: str, hits: object, trouble: str) -> None:
        self._running = False
        if text != self._wanted:
            self._start()
        elif trouble:
            self.failed.emit(trouble)
        elif hits is None:
            self._start()
        else:
            self.found.emit(hits)
