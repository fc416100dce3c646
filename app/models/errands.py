"""Slow work of the model manager on threads of its own; the window polls ten times a second."""

import threading
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from app.failure_log import FailureLog
from engine.events import Progress
from engine.models.hub import GatedError
from engine.models.meter import CancelledError

POLL_MS = 100
CLOSE_S = 1.0
Listener = Callable[[Progress], None]
Work = Callable[[Listener, threading.Event], object]


class Errand(QObject):
    """Ends with exactly one of `done`, `failed`, `cancelled`, in the window's thread; `gated` comes before `failed`."""

    progress = Signal(object)  # Progress
    done = Signal(object)
    failed = Signal(str)
    gated = Signal(str)  # the repository
    cancelled = Signal()

    def __init__(self, work: Work, log: FailureLog, parent: QObject) -> None:
        super().__init__(parent)
        self._log = log
        self._cancel = threading.Event()
        self._newest: deque[Progress] = deque(maxlen=1)
        self._result: object = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(work,), daemon=True, name="errand")
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._poll)
        self._thread.start()
        self._timer.start()

    def cancel(self) -> None:
        self._cancel.set()

    def abandon(self) -> None:
        """Nobody waits for it any more: no signal follows."""
        self._cancel.set()
        self._timer.stop()
        self.deleteLater()

    def close(self) -> None:
        self._cancel.set()
        self._timer.stop()
        self._thread.join(CLOSE_S)

    def _run(self, work: Work) -> None:
        try:
            self._result = work(self._newest.append, self._cancel)
        except BaseException as error:  # it crosses threads and is told in _poll
            self._error = error

    def _poll(self) -> None:
        if self._newest:
            self.progress.emit(self._newest.pop())
        if self._thread.is_alive():
            return
        self._timer.stop()
        if isinstance(self._error, CancelledError):
            self.cancelled.emit()
        elif self._error is not None:
            if isinstance(self._error, GatedError):
                self.gated.emit(self._error.repo)
            self.failed.emit(self._log.sentence(self._error))
        else:
            self.done.emit(self._result)
        self.deleteLater()
