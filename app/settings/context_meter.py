"""Keeps the count of the open conversation's tokens up to date, in the engine's thread while it is idle."""

import contextlib
import threading
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from app.attachments.document import Document, from_json
from app.chat.prompt import make_request
from app.chat.session import ChatSession
from app.engine_worker import EngineLike
from app.history.store import StoredMessage
from app.settings.chat_options import ChatOptions
from app.settings.context_use import ContextUse, measure
from app.worker import Loaded, Task
from engine.errors import SlipstreamError
from engine.events import Delta
from engine.request import Request

DELAY_MS = 250  # after the last key


class ContextMeter(QObject):
    """`draft` gives what is being written: its text, and the JSON of what is attached to it."""

    changed = Signal(object)  # ContextUse, or None while nothing can be counted

    def __init__(
        self,
        session: ChatSession,
        options: ChatOptions,
        draft: Callable[[], tuple[str, str | None]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.use: ContextUse | None = None
        self._session, self._options, self._draft = session, options, draft
        self._task: Task | None = None
        self._closed = False
        self._stored: list[StoredMessage] | None = None  # the messages of the open conversation
        self._limit = 0  # of the pair that is loaded
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self._count)
        engine = session.engine
        for signal in (
            session.opened,
            session.branch_changed,
            session.answer_finished,
            session.answer_failed,
        ):
            signal.connect(self._history_changed)
        options.changed.connect(self.ask)
        engine.loaded.connect(self._loaded)
        engine.load_failed.connect(lambda _sentence: self._tell(None))
        session.deltas_arrived.connect(self._deltas)

    def ask(self, *_: object) -> None:
        """Something changed: count soon."""
        self._timer.start()

    def _history_changed(self, *_: object) -> None:
        self._stored = None
        self.ask()

    def close(self) -> None:
        """Nothing is counted any more: the history may be closed."""
        self._closed = True
        self._timer.stop()

    def _count(self) -> None:
        if self._closed:
            return
        if self._task is not None:
            self._task.cancel()
            self._task = None
        if self._session.answer is not None or self._session.engine.loading:
            return  # the end of either asks again
        asked = self._request()
        if asked is None:
            empty = ContextUse(self._limit, answer=self._options.now.max_tokens)
            self._tell(empty if self._limit else None)
            return
        self._task = self._session.engine.run(partial(_job, *asked))
        self._task.done.connect(self._done)
        self._task.failed.connect(self._failed)

    def _request(self) -> tuple[Request, str, list[Document]] | None:
        """What would be sent, and what of it is being written; None while there is nothing."""
        messages = self._messages()
        text, attached = self._draft()
        text = text.strip()
        if text or attached:
            messages.append(StoredMessage(0, "user", text, "complete", None, 0.0, attachments_json=attached))
        documents = [each for message in messages for each in from_json(message.attachments_json)]
        with contextlib.suppress(SlipstreamError):  # there is nothing to send yet
            return make_request(messages, "off", self._options.peek()), text, documents
        return None

    def _messages(self) -> list[StoredMessage]:
        """Of the open conversation; read again when it has changed, not with every word that is written."""
        conversation = self._session.conversation
        if self._stored is None and conversation is not None:
            with self._session.guarded():
                self._stored = self._session.history.messages(conversation)
        return list(self._stored or ())

    def _loaded(self, loaded: Loaded) -> None:
        self._limit = loaded.context_limit
        self.ask()

    def _done(self, use: object) -> None:
        self._task = None
        assert isinstance(use, ContextUse)
        self._tell(use)

    def _failed(self, _sentence: str) -> None:
        """The model's template refuses such a prompt; who sends it is told why."""
        self._task = None
        self._tell(None)

    def _deltas(self, conversation: int, deltas: list[Delta]) -> None:
        if self.use is not None and conversation == self._session.conversation:
            self._tell(self.use.grown(deltas[-1].stats.context_tokens))

    def _tell(self, use: ContextUse | None) -> None:
        self.use = use
        self.changed.emit(use)


def _job(
    request: Request,
    draft: str,
    documents: list[Document],
    engine: EngineLike,
    _report: Callable[[object], None],
    _cancel: threading.Event,
) -> ContextUse:
    return measure(engine, request, draft, documents)
