"""Transcript, empty state and composer together: shows one conversation of the session."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.chat.composer import Composer
from app.chat.empty_state import EmptyState
from app.chat.entries import Entry
from app.chat.message import AssistantMessage, MessageWidget, UserMessage
from app.chat.notice import Notice
from app.chat.session import ChatSession, latest_answers, stored_stats
from app.chat.transcript import Transcript, side_margin
from app.history.store import StoredMessage
from app.theme import SCROLL_BAR, SPACE_L
from engine.events import Delta, Finished, FinishReason

WAITING_FOR_MODEL = "Waiting for the model to load…"
ENDINGS = {
    FinishReason.CANCELLED: "Stopped.",
    FinishReason.LENGTH: "The answer reached its length limit.",
    FinishReason.CONTEXT: "The conversation fills the model's memory. Start a new chat to go on.",
}
STATES = {
    "interrupted": "This answer was interrupted when Slipstream ended.",
    "failed": "This answer could not be finished.",
    "stopped": "Stopped.",
}


class ConversationView(QWidget):
    def __init__(self, session: ChatSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.transcript = Transcript(self)
        self.empty = EmptyState(self)
        self.composer = Composer(self)
        self._drafts: dict[int | None, str] = {}
        self._shown: int | None = None
        self._live: AssistantMessage | None = None
        self._build()
        self._connect()

    def open_conversation(self, conversation: int | None, messages: list[StoredMessage]) -> None:
        """Keeps what was being written in the conversation that is left."""
        self._drafts[self._shown] = self.composer.text()
        self._shown = conversation
        self._live = None
        self.composer.set_text(self._drafts.pop(conversation, ""))
        shown = latest_answers(messages)
        self.transcript.show_all(
            [Entry(message.content, partial(self._stored, message)) for message in shown]
        )
        self._offer_again()
        self._choose_page()

    def _send(self, text: str) -> None:
        """What could not be stored stays in the composer."""
        if self.session.send(text):
            self.composer.edit.clear()

    def _user_added(self, conversation: int, text: str) -> None:
        self._shown = conversation
        self.transcript.add(UserMessage(text))
        self.transcript.follow()
        self._choose_page()

    def _answer_started(self, conversation: int, _mode: str) -> None:
        self.composer.set_answering(True)
        if conversation != self._shown:
            return
        previous = self.transcript.last_answer()
        if previous is not None:
            self.transcript.remove(previous)
        self._live = self._new_answer()
        if self.session.engine.loading:
            self._live.wait_for(WAITING_FOR_MODEL)
        self.transcript.add(self._live)
        self.transcript.follow()
        self._offer_again()
        self.announce("Answer started")

    def _deltas_arrived(self, conversation: int, deltas: list[Delta]) -> None:
        if self._live is not None and conversation == self._shown:
            self._live.append("".join(delta.text for delta in deltas))

    def _answer_finished(self, conversation: int, finished: Finished) -> None:
        self.composer.set_answering(False)
        live = self._take_live(conversation)
        if live is None:
            return
        if finished.text.startswith(live.source):
            live.append(finished.text[len(live.source) :])
        live.finish(finished.stats)
        ending = ENDINGS.get(finished.reason)
        if ending or not live.source:
            live.say(Notice(ending or "The model gave no answer.", tone="plain"))
        self._offer_again()
        self.announce(f"Answer finished, {finished.stats.tokens} tokens")

    def _answer_failed(self, conversation: int, sentence: str) -> None:
        self.composer.set_answering(False)
        live = self._take_live(conversation)
        if live is None:
            return
        live.finish()
        live.say(Notice(sentence, "Try again", self.session.again))
        self._offer_again()
        self.announce(f"The answer failed. {sentence}")

    def announce(self, text: str) -> None:
        """For screen readers: the beginning and the end, never each word."""
        event = QAccessibleAnnouncementEvent(self, text)
        QAccessible.updateAccessibility(event)

    def _take_live(self, conversation: int) -> AssistantMessage | None:
        if conversation != self._shown:
            return None
        live, self._live = self._live, None
        return live

    def _stored(self, message: StoredMessage) -> MessageWidget:
        if message.role == "user":
            return UserMessage(message.content)
        answer = self._new_answer()
        answer.append(message.content)
        if message.state == "streaming" and self._is_live(message):
            self._live = answer
            return answer
        answer.finish(stored_stats(message))
        if message.state in STATES:
            plain = message.state == "stopped"
            run = None if plain else self.session.again
            answer.say(Notice(STATES[message.state], "" if plain else "Try again", run, "plain"))
        return answer

    def _is_live(self, message: StoredMessage) -> bool:
        return self.session.answer is not None and self.session.answer.message == message.id

    def _new_answer(self) -> AssistantMessage:
        answer = AssistantMessage()
        answer.again.connect(self.session.again)
        return answer

    def _offer_again(self) -> None:
        """Only the last answer can be given once more, and only while none is coming."""
        for message in self.transcript.messages:
            if isinstance(message, AssistantMessage):
                last = message is self.transcript.last_answer()
                message.offer_again(last and self.session.answer is None)

    def _choose_page(self) -> None:
        page = self.transcript if self.transcript.messages else self.empty
        self._pages.setCurrentWidget(page)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The composer lines up with the text above it."""
        side = side_margin(self.width() - SCROLL_BAR)
        self._above_composer.setContentsMargins(side, 0, side + SCROLL_BAR, SPACE_L)
        super().resizeEvent(event)

    def _connect(self) -> None:
        session = self.session
        session.opened.connect(self.open_conversation)
        session.user_added.connect(self._user_added)
        session.answer_started.connect(self._answer_started)
        session.deltas_arrived.connect(self._deltas_arrived)
        session.answer_finished.connect(self._answer_finished)
        session.answer_failed.connect(self._answer_failed)
        self.composer.sent.connect(self._send)
        self.composer.stopped.connect(session.stop)
        self.empty.picked.connect(session.send)
        stop = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        stop.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        stop.setWhatsThis(self.tr("Stop the answer"))
        stop.activated.connect(session.stop)

    def _build(self) -> None:
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self.transcript)
        self._pages.addWidget(self.empty)
        self._pages.setCurrentWidget(self.empty)
        lower = QWidget(self)
        self._above_composer = QVBoxLayout(lower)
        self._above_composer.addWidget(self.composer)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._pages, 1)
        layout.addWidget(lower)
