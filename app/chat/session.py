"""What happens when a message is sent: stored first, answered second, every ending recorded.

One answer at a time. It belongs to its conversation: the reader may look at another one meanwhile.
"""

import contextlib
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, Signal

from app.chat.answer import Answer, figures_to_keep, seed_of
from app.chat.prompt import Options, make_request, with_seed
from app.chat.recorder import Recorder
from app.history.store import HistoryStore, StoredMessage
from app.history.titles import title_of
from app.speculation.trace_codec import TraceError, decode
from app.worker import EngineThread, Loaded
from engine.errors import SlipstreamError
from engine.events import Delta, Finished, FinishReason, Started
from engine.models.catalogue import Pair
from engine.request import Continuation, Request

MODES = ("auto", "on", "off")


class ChatSession(QObject):
    """Signals carry the conversation they belong to. `options` gives what a conversation's answers are made with.

    What asks for an answer gives False when one is coming already, or when the history refused.
    """

    opened = Signal(object, object)  # conversation id or None, list[StoredMessage]
    branch_changed = Signal(
        int, object
    )  # conversation, list[StoredMessage]: it grew, or another branch is shown
    user_added = Signal(int, str)
    answer_started = Signal(int, str)  # conversation, mode
    text_arrived = Signal(int, str)  # conversation, what it adds to the answer
    deltas_arrived = Signal(int, object)  # conversation, list[Delta]
    answer_finished = Signal(
        int, object
    )  # conversation, Finished: of an answer that went on, text and figures of all
    answer_failed = Signal(int, str)
    conversations_changed = Signal()
    left_out = Signal(int, int)  # conversation, how many earlier messages the model does not read
    room_asked = Signal()  # earlier messages may be left out, so that the last answer can go on
    context_asked = Signal()  # the user wants to change what is left out
    trouble = Signal(str)  # what the history could not do

    def __init__(self, history: HistoryStore, engine: EngineThread, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.history = history
        self.engine = engine
        self.conversation: int | None = None
        self.pair: Pair | None = None
        self.mode = "auto"
        self.options: Callable[[int], Options] = lambda _conversation: Options()
        self.answer: Answer | None = None
        self._opener = ""  # what the prompt has opened of the answer's reasoning
        engine.loaded.connect(self._loaded)
        engine.started.connect(self._answer_begun)
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

    def send(self, text: str, attachments_json: str | None = None) -> bool:
        """Stores the message (committed before anything else) and asks for the answer; False: it was not stored."""
        if self.answer is not None:
            return False
        stored = False
        with self.guarded():
            if self.conversation is None:
                self.conversation = self.history.create(title_of(text), self.pair.name if self.pair else "")
            self.history.add_user(self.conversation, text, attachments_json)
            stored = True
            self._answer_user(self.conversation, text)
        return stored

    def edit(self, message: int, text: str) -> bool:
        """Sends another text in the place of a user's message, with what was attached to that."""
        if self.answer is not None or self.conversation is None:
            return False
        with self.guarded():
            messages = self.history.messages(self.conversation)
            old = next((each for each in messages if each.id == message), None)
            if old is None:
                return False
            self.history.edit_user(message, text, old.attachments_json)
            self._answer_user(self.conversation, text)
            return True
        return False

    def again(self, message: int | None = None) -> bool:
        """Answers once more: instead of `message`, or of the last one of the open conversation."""
        if self.answer is not None or self.conversation is None:
            return False
        with self.guarded():
            messages = self.history.messages(self.conversation)
            ids = [each.id for each in messages]
            if not ids or message not in (None, *ids):
                return False
            at = ids.index(message) if message is not None else len(ids) - 1
            replaced = messages[at].role == "assistant"
            self._begin(
                self.conversation, messages[: at if replaced else at + 1], ids[at] if replaced else None
            )
            return True
        return False

    def go_on(self) -> bool:
        """The last answer of the open conversation is continued where it ended."""
        if self.answer is not None or self.conversation is None:
            return False
        with self.guarded():
            messages = self.history.messages(self.conversation)
            if not messages or messages[-1].role != "assistant":
                return False
            *before, last = messages
            begun = Continuation(last.content, self._tokens(last.id))
            options = with_seed(self.options(self.conversation), seed_of(last))
            request = make_request(before, self.mode, options, begun)
            self.recorder.resume(last.id)
            self._start(Answer.of(last, self.conversation, self.mode, options), request)
            return True
        return False

    def choose(self, message: int) -> None:
        """Shows the branch of another version of a message."""
        with self.guarded():
            self.history.choose(message)
            if self.conversation is not None:
                self._tell_branch(self.conversation)

    def branch(self, message: int) -> None:
        """Opens a new conversation that holds everything up to `message`."""
        with self.guarded():
            conversation = self.history.branch(message)
            if copy := self.history.conversation(conversation):
                self.history.rename(conversation, self.tr("{title} (branch)").format(title=copy.title))
            self.conversations_changed.emit()
            self.open(conversation)

    def stop(self) -> None:
        """At once: the text so far is kept, what still comes is dropped."""
        if self.answer is not None and self.engine.stop() and self.answer is not None:
            answer = self.answer
            self._finished(Finished(FinishReason.CANCELLED, "", tuple(answer.tokens), answer.stats))

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

    def _answer_user(self, conversation: int, text: str) -> None:
        messages = self._tell_branch(conversation)
        self.user_added.emit(conversation, text)
        self._begin(conversation, messages)

    def _begin(self, conversation: int, messages: list[StoredMessage], instead_of: int | None = None) -> None:
        options = self.options(conversation)
        request = make_request(messages, self.mode, options)
        message = self.recorder.begin(conversation, instead_of)
        self._start(Answer(conversation, message, self.mode, options=options), request)

    def _start(self, answer: Answer, request: Request) -> None:
        self.answer = answer
        self.conversations_changed.emit()
        with self.guarded():  # the answer comes, whether or not it can be shown now
            self._tell_branch(answer.conversation)
        self.answer_started.emit(answer.conversation, answer.mode)
        self.engine.generate(request)

    def _tell_branch(self, conversation: int) -> list[StoredMessage]:
        messages = self.history.messages(conversation)
        self.branch_changed.emit(conversation, messages)
        return messages

    def _tokens(self, message: int) -> tuple[int, ...]:
        """Of a stored answer, as far as they were recorded."""
        try:
            record = self.history.record(message)
            return () if record is None else decode(record).tokens
        except TraceError:
            return ()

    def _loaded(self, loaded: Loaded) -> None:
        self._opener = loaded.opens_thinking

    def _answer_begun(self, started: Started) -> None:
        if self.answer is not None and started.left_out:
            self.answer.left_out = len(started.left_out)
            self.left_out.emit(self.answer.conversation, self.answer.left_out)

    def _deltas(self, deltas: list[Delta]) -> None:
        answer = self.answer
        if answer is not None:
            self._add(answer, answer.add(deltas, self._opener))
            self.deltas_arrived.emit(answer.conversation, deltas)

    def _add(self, answer: Answer, text: str) -> None:
        self.recorder.append(text)
        self.text_arrived.emit(answer.conversation, text)

    def _finished(self, finished: Finished) -> None:
        answer = self.answer
        if answer is None:
            return
        if rest := answer.end(finished, self._opener):
            self._add(answer, rest)
        self.answer = None
        state = "stopped" if finished.reason is FinishReason.CANCELLED else "complete"
        self._settle(answer, state, finished.reason)
        self.answer_finished.emit(answer.conversation, answer.whole(finished))

    def _failed(self, sentence: str) -> None:
        answer, self.answer = self.answer, None
        if answer is not None:
            self._settle(answer, "failed", None)
            self.answer_failed.emit(answer.conversation, sentence)

    def _settle(self, answer: Answer, state: str, reason: FinishReason | None) -> None:
        self.recorder.end(state, figures_to_keep(answer, reason))
        self.conversations_changed.emit()
