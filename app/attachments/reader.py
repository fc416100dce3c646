"""Files are read one after the other in a thread, each in a process of its own; the window polls for the outcome."""

import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.attachments import apart
from app.attachments.document import Document
from app.attachments.refusal import Refusal

POLL_MS = 30
Read = Callable[[Path], Document | Refusal]


class Reader(QObject):
    """Numbers each file; `read` carries that number and a Document or a Refusal."""

    read = Signal(int, object)

    def __init__(self, parent: QObject | None = None, read: Read = apart.read) -> None:
        super().__init__(parent)
        self._read = read
        self._asked: deque[tuple[int, Path]] = deque()
        self._told: deque[tuple[int, Document | Refusal]] = deque()
        self._open: set[int] = set()
        self._numbers = 0
        self._thread: threading.Thread | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._poll)

    def ask(self, path: Path) -> int:
        self._numbers += 1
        self._open.add(self._numbers)
        self._asked.append((self._numbers, path))
        self._timer.start()
        self._wake()
        return self._numbers

    def forget(self, number: int) -> None:
        """What it comes to isn't wanted any more."""
        self._open.discard(number)

    def _wake(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._work, daemon=True, name="attachments")
            self._thread.start()

    def _work(self) -> None:
        while self._asked:
            number, path = self._asked.popleft()
            if number in self._open:
                self._told.append((number, self._read(path)))

    def _poll(self) -> None:
        while self._told:
            number, outcome = self._told.popleft()
            if number in self._open:
                self._open.discard(number)
                self.read.emit(number, outcome)
        if not self._open:
            self._timer.stop()
        elif self._asked:  # it was asked while the thread was about to end
            self._wake()
