"""Keeps the passes of the answer that comes, and writes them beside its text: once a second and at its end."""

import dataclasses
from datetime import UTC, datetime

from PySide6.QtCore import QObject, QTimer, Signal

from app.chat.session import ChatSession
from app.speculation.speller import Speller
from app.speculation.trace import Facts, Trace
from app.speculation.trace_codec import TraceWriter, decode
from app.worker import EngineThread, Loaded
from engine.errors import SlipstreamError
from engine.events import Delta
from engine.request import Request

SAVE_MS = 1000


class Keeper(QObject):
    """What can't be written now is tried again each second; the recorder of the texts tells the user."""

    grew = Signal(int)  # message: more of its passes are known

    def __init__(self, session: ChatSession, engine: EngineThread, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._engine = engine
        self._loaded: Loaded | None = None
        self._speller: Speller | None = None
        self._message: int | None = None
        self._writer: TraceWriter | None = None
        self._unwritten: dict[int, TraceWriter] = {}
        self._timer = QTimer(self)
        self._timer.setInterval(SAVE_MS)
        self._timer.timeout.connect(self.save)
        engine.loaded.connect(self._engine_loaded)
        session.answer_started.connect(self._started)
        session.deltas_arrived.connect(self._arrived)
        session.answer_finished.connect(self._ended)
        session.answer_failed.connect(self._ended)

    def trace(self, message: int) -> Trace | None:
        """Of a stored or a coming answer; None where nothing was recorded. Errors: SlipstreamError."""
        if message == self._message and self._writer is not None:
            return self._writer.trace
        if message in self._unwritten:
            return self._unwritten[message].trace
        record = self._session.history.record(message)
        return None if record is None else decode(record)

    def save(self) -> None:
        for message, writer in list(self._unwritten.items()):
            try:
                self._session.history.set_record(message, writer.encoded())
            except SlipstreamError:
                continue
            del self._unwritten[message]
        if not self._unwritten and self._message is None:
            self._timer.stop()

    def _engine_loaded(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self._speller = Speller(loaded.vocabulary) if loaded.vocabulary is not None else None

    def _started(self) -> None:
        self._writer = None
        self._message = self._session.answer.message if self._session.answer else None

    def _arrived(self, _conversation: int, deltas: list[Delta]) -> None:
        if self._message is None or self._speller is None:
            return
        if self._writer is None:
            self._writer = self._begin(self._message)
        for delta in deltas:
            self._writer.add(self._speller.pass_of(delta))
        self._unwritten[self._message] = self._writer
        if not self._timer.isActive():
            self._timer.start()
        self.grew.emit(self._message)

    def _ended(self) -> None:
        message, self._message, self._writer = self._message, None, None
        self.save()
        if message is not None:
            self.grew.emit(message)

    def _begin(self, message: int) -> TraceWriter:
        """An answer that goes on keeps the passes it has."""
        writer = TraceWriter()
        request = self._engine.request
        if request is not None and request.continuation is not None:
            try:
                record = self._session.history.record(message)
                writer = TraceWriter.resume(record) if record else writer
            except SlipstreamError:
                pass  # damaged or unreadable: the new passes are kept
        answer = self._session.answer
        writer.begin(facts_of(self._loaded, request, answer.mode if answer is not None else ""))
        return writer


def facts_of(loaded: Loaded | None, request: Request | None, mode: str) -> Facts:
    """What an answer was made with. `from` counts the characters of the text that it went on after."""
    facts: dict[str, object] = {"at": datetime.now(UTC).isoformat(timespec="seconds"), "switch": mode}
    if loaded is not None:
        pair = loaded.pair
        facts |= {"pair": pair.name, "title": pair.title, "models": list(pair.models), "exact": loaded.exact}
    if request is not None:
        facts |= {
            "sampling": dataclasses.asdict(request.sampling),
            "max_tokens": request.max_tokens,
            "speculation": request.speculation.value,
            "draft_tokens": request.draft_tokens,
            "from": len(request.continuation.text) if request.continuation else 0,
        }
    return facts
