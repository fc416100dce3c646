"""What happens when a message is sent: stored first, answered second, every ending recorded.

One answer at a time. It belongs to its conversation: the reader may look at another one meanwhile.
"""

import contextlib
import dataclasses
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal

from app.chat.recorder import Recorder
from app.history.store import HistoryStore, StoredMessage
from app.history.titles import title_of
from app.worker import EngineThread
from engine.errors import SlipstreamError
from engine.events import Delta, Finished, FinishReason
from engine.metrics import Stats
from engine.models.catalogue import Pair
from engine.request import Message, Request, Speculation

MAX_TOKENS = 2048
FIXED_DRAFT_TOKENS = 5
MODES = ("auto", "on", "off")


@dataclass(slots=True)
class Answer:
    """The one that is coming."""

    conversation: int
    message: int
    mode: str
    parts: list[str] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    stats: Stats = field(default_factory=Stats)

    @property
    def text(self) -> str:
        return "".join(self.parts)


class ChatSession(QObject):
    """Signals carry the conversation they belong to."""

    opened = Signal(object, object)  # conversation id or None, list[StoredMessage]
    user_added = Signal(int, str)
    answer_started = Signal(int, str)  # conversation, mode
    deltas_arrived = Signal(int, object)  # conversation, list[Delta]
    answer_finished = Signal(int, object)  # conversation, Finished
    answer_failed = Signal(int, str)
    conversations_changed = Signal()
    trouble = Signal(str)  # what the history could not do

    def __init__(self, history: HistoryStore, engine: EngineThread, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.history = history
        self.engine = engine
        self.conversation: int | None = None
        self.pair: Pair | None = None
        self.mode = "auto"
        self.answer: Answer | None = None
        engine.deltas.connect(self._deltas)
        engine.finished.connect(self._finished)
        engine.failed.connect(self._failed)
        self.recorder = Recorder(history, self)

    def new(self) -> None:
        self.conversation = None
        self.opened.emit(None, [])

    def open(self, conversation: int) -> None:
        with self.guarded():
            messages = self.history.messages(conversation)
            self.conversation = conversation
            self.opened.emit(conversation, messages)

    def send(self, text: str) -> bool:
        """Stores the message (committed before anything else) and asks for the answer; False: it was not stored."""
        if self.answer is not None:
            return False
        with self.guarded():
            if self.conversation is None:
                self.conversation = self.history.create(title_of(text), self.pair.name if self.pair else "")
            self.history.add_user(self.conversation, text)
            self.user_added.emit(self.conversation, text)
            self._answer(self.conversation)
            return True
        return False

    def again(self) -> None:
        """Answers the last message of the open conversation once more."""
        if self.answer is None and self.conversation is not None:
            self._answer(self.conversation)

    def stop(self) -> None:
        """At once: the text so far is kept, what still comes is dropped."""
        if self.answer is not None and self.engine.stop() and self.answer is not None:
            answer = self.answer
            ids = tuple(answer.tokens)
            self._finished(Finished(FinishReason.CANCELLED, answer.text, ids, answer.stats))

    def close(self) -> bool:
        """False when something could not be written."""
        self.stop()
        return self.recorder.save()

    @contextlib.contextmanager
    def guarded(self) -> Iterator[None]:
        """What the history refuses is told in words, and the rest of the block is left out."""
        try:
            yield
        except SlipstreamError as error:
            self.trouble.emit(str(error))

    def _answer(self, conversation: int) -> None:
        with self.guarded():
            request = make_request(self.history.messages(conversation), self.mode)
            message = self.recorder.begin(conversation)
            self.answer = Answer(conversation, message, self.mode)
            self.conversations_changed.emit()
            self.answer_started.emit(conversation, self.mode)
            self.engine.generate(request)

    def _deltas(self, deltas: list[Delta]) -> None:
        answer = self.answer
        if answer is None:
            return
        text = "".join(delta.text for delta in deltas)
        answer.parts.append(text)
        answer.stats = deltas[-1].stats
        for delta in deltas:
            answer.tokens.extend(delta.tokens)
        self.recorder.append(text)
        self.deltas_arrived.emit(answer.conversation, deltas)

    def _finished(self, finished: Finished) -> None:
        answer, self.answer = self.answer, None
        if answer is None:
            return
        missing = finished.text[len(answer.text) :]
        if missing and finished.text.startswith(answer.text):
            self.recorder.append(missing)
        state = "stopped" if finished.reason is FinishReason.CANCELLED else "complete"
        self._settle(state, finished.stats)
        self.answer_finished.emit(answer.conversation, finished)

    def _failed(self, sentence: str) -> None:
        answer, self.answer = self.answer, None
        if answer is not None:
            self._settle("failed", answer.stats)
            self.answer_failed.emit(answer.conversation, sentence)

    def _settle(self, state: str, stats: Stats) -> None:
        self.recorder.end(state, dataclasses.asdict(stats))
        self.conversations_changed.emit()


def make_request(messages: Sequence[StoredMessage], mode: str) -> Request:
    """The conversation as the model sees it: of several answers to one message, the last one counts."""
    turns: list[Message] = []
    for message in messages:
        if message.role == "assistant" and turns and turns[-1].role == "assistant":
            turns.pop()
        if message.content:
            turns.append(Message("assistant" if message.role == "assistant" else "user", message.content))
    if turns and turns[-1].role == "assistant":
        turns.pop()  # it is answered once more
    return Request(
        tuple(turns),
        max_tokens=MAX_TOKENS,
        speculation=Speculation.OFF if mode == "off" else Speculation.AUTO,
        draft_tokens=FIXED_DRAFT_TOKENS if mode == "on" else None,
    )


def latest_answers(messages: Sequence[StoredMessage]) -> list[StoredMessage]:
    """What is shown: of answers that follow each other, the last."""
    shown: list[StoredMessage] = []
    for message in messages:
        if shown and message.role == "assistant" and shown[-1].role == "assistant":
            shown.pop()
        shown.append(message)
    return shown


def stored_stats(message: StoredMessage) -> Stats | None:
    try:
        values = json.loads(message.stats_json or "")
        known = {f.name for f in dataclasses.fields(Stats)}
        return Stats(**{name: value for name, value in values.items() if name in known})
    except (ValueError, TypeError, AttributeError):
        return None
