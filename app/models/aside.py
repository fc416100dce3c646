"""Work beside the window: one question at a time on a thread of its own, answered in the window's thread."""

import gc
import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.failure_log import FailureLog

POLL_MS = 50


class Aside(QObject):
    """A newer question replaces an older one, whose answer is dropped. Ends with one of `done` and `failed`."""

    done = Signal(object)
    failed = Signal(str)

    def __init__(self, log: FailureLog, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._log = log
        self._question: _Question | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._poll)

    @property
    def running(self) -> bool:
        return self._question is not None

    def ask(self, work: Callable[[], object]) -> None:
        self._question = _Question(work)
        self._question.start()
        self._timer.start()

    def drop(self) -> None:
        self._question = None
        self._timer.stop()

    def _poll(self) -> None:
        question = self._question
        if question is None or question.is_alive():
            return
        self.drop()
        if question.error is not None:
            self.failed.emit(self._log.sentence(question.error))
        else:
            self.done.emit(question.answer)


class _Question(threading.Thread):
    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__(daemon=True, name="slipstream-aside")
        self._work = work
        self.answer: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        gc.disable()  # a vocabulary is a million small objects: each collection would stop the window
        try:
            self.answer = self._work()
        except BaseException as error:  # it crosses threads and is told in _poll
            self.error = error
        finally:
            gc.enable()
