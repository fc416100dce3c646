"""Writes an answer to the history while it comes. What can't be written now is kept and tried again."""

from PySide6.QtCore import QObject, QTimer, Signal

from app.history.store import HistoryStore
from engine.errors import SlipstreamError

SAVE_MS = 800  # with a timer that is late and a slow disk, no more than a second of an answer is at risk


class Recorder(QObject):
    """At most one answer comes at a time, but the ends of earlier ones may still wait for the disk."""

    failed = Signal(str)  # why nothing can be written at present; told once
    recovered = Signal()

    def __init__(self, history: HistoryStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history = history
        self._coming: int | None = None
        self._ends: dict[int, tuple[str, dict[str, object]]] = {}
        self._trouble = ""
        self._timer = QTimer(self)
        self._timer.setInterval(SAVE_MS)
        self._timer.timeout.connect(self.save)

    def begin(self, conversation: int, instead_of: int | None = None) -> int:
        """The id of a new, empty answer, which may take another one's place. Errors: SlipstreamError."""
        return self._record(self._history.start_assistant(conversation, instead_of))

    def resume(self, message: int) -> int:
        """An answer goes on. Errors: SlipstreamError."""
        self._history.resume(message)
        return self._record(message)

    def append(self, text: str) -> None:
        if self._coming is not None:
            self._history.append(self._coming, text)

    def end(self, state: str, stats: dict[str, object]) -> None:
        if self._coming is not None:
            self._ends[self._coming] = (state, stats)
            self._coming = None
            self.save()

    def save(self) -> bool:
        """False when something still waits for the disk; it is tried again each second."""
        try:
            for message, (state, stats) in list(self._ends.items()):
                self._history.finish(message, state, stats)
                del self._ends[message]
            self._history.flush()
        except SlipstreamError as error:
            self._tell(str(error))
            return False
        self._tell("")
        if self._coming is None:
            self._timer.stop()
        return True

    def _record(self, message: int) -> int:
        self._coming = message
        self._timer.start()
        return message

    def _tell(self, sentence: str) -> None:
        if sentence == self._trouble:
            return
        self._trouble = sentence
        if sentence:
            self.failed.emit(sentence)
        else:
            self.recovered.emit()
