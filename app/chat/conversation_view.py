"""Transcript, empty state and composer together: shows one conversation of the session."""

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.chat.answer import left_out_of, stored_stats, thought_of
from app.chat.busy_bar import BusyBar
from app.chat.composer import Composer
from app.chat.drafts import Drafts
from app.chat.empty_state import EmptyState
from app.chat.endings import Endings
from app.chat.entry import Entry
from app.chat.find_bar import FindBar
from app.chat.message import AssistantMessage, MessageWidget, UserMessage
from app.chat.session import ChatSession
from app.chat.transcript import Transcript, side_margin
from app.history.store import StoredMessage
from app.theme import SCROLL_BAR, SPACE_L
from engine.events import Finished

DRAFT_MS = 1000


class ConversationView(QWidget):
    details_asked = Signal(int)  # of the answer with this id
    tokens_asked = Signal(int)  # of the answer with this id
    compare_asked = Signal(int)  # of the prompt with this id, or of that of the answer with it

    def __init__(
        self, session: ChatSession, parent: QWidget | None = None, drafts: Drafts | None = None
    ) -> None:
        super().__init__(parent)
        self.session = session
        self.drafts = drafts or Drafts()
        self.transcript = Transcript(self)
        self.find_bar = FindBar(self.transcript, self)
        self.empty = EmptyState(self)
        self.busy = BusyBar(self)
        self.composer = Composer(self, session.engine)
        self._endings = Endings(session, self)
        self._shown: int | None = None
        self._draft_timer = QTimer(self)
        self._draft_timer.setSingleShot(True)
        self._draft_timer.setInterval(DRAFT_MS)
        self._build()
        self._connect()
        with session.guarded():
            known = [*session.history.conversations(), *session.history.deleted()]
            self.drafts.keep_only([conversation.id for conversation in known])
        self.composer.set_text(self.drafts.of(None))

    def open_conversation(self, conversation: int | None, messages: list[StoredMessage]) -> None:
        """Keeps what was being written in the conversation that is left."""
        self.keep_draft()
        self._shown = conversation
        self.composer.set_text(self.drafts.of(conversation))
        self.composer.tray.drop_notices()  # of files for the chat that is left
        self.transcript.show_all([self._entry(message) for message in messages])
        self._refresh()

    def keep_draft(self) -> None:
        self._draft_timer.stop()
        self.drafts.keep(self._shown, self.composer.text())

    def show_message(self, message: int) -> MessageWidget | None:
        """Scrolls to a message of the open conversation and lights it up; None when it is not on the branch shown."""
        entry = self.transcript.entries.find(message)
        return None if entry is None else self.transcript.light_up(entry)

    def add_below_composer(self, widget: QWidget) -> None:
        self._above_composer.addWidget(widget)

    def announce(self, text: str) -> None:
        """For screen readers: the beginning and the end, never each word."""
        event = QAccessibleAnnouncementEvent(self, text)
        QAccessible.updateAccessibility(event)

    def _send(self, text: str) -> None:
        """What could not be stored stays in the composer."""
        if self.session.send(text, self.composer.files.json()):
            self.composer.edit.clear()
            self.composer.files.sent()
            self.keep_draft()

    def _submitted(self) -> None:
        """Enter where nothing can be sent: the reason is in view, and is read out."""
        if self.busy.isVisible():
            self.announce(self.busy.sentence)

    def _branch_changed(self, conversation: int, messages: list[StoredMessage]) -> None:
        if conversation != self.session.conversation:
            return
        if self._shown is None:
            self.drafts.keep(None, "")
        self._shown = conversation
        self.transcript.change([self._entry(message) for message in messages])
        self._refresh()

    def _user_added(self) -> None:
        self.transcript.follow()

    def _answer_started(self, conversation: int, _mode: str) -> None:
        if conversation == self._shown:
            self.transcript.follow()
        self.announce(self.tr("Answer started"))

    def _text_arrived(self, conversation: int, text: str) -> None:
        live = self._live(conversation)
        if live is not None:
            live.append(text)

    def _left_out(self, conversation: int, count: int) -> None:
        live = self._live(conversation)
        if live is not None:
            live.say_above(self._endings.of_left_out(count))

    def _answer_finished(self, conversation: int, finished: Finished) -> None:
        live = self._streaming(conversation)
        if live is not None:
            live.finish(finished.stats)
            notice = self._endings.of_finished(finished, bool(live.source))
            if notice is not None:
                live.say(notice)
        self._settled(conversation)
        self.announce(self.tr("Answer finished, %n token(s)", "", finished.stats.tokens))

    def _answer_failed(self, conversation: int, sentence: str) -> None:
        live = self._streaming(conversation)
        if live is not None:
            live.finish()
            live.say(self._endings.of_failure(sentence))
        self._settled(conversation)
        self.announce(self.tr("The answer failed. {reason}").format(reason=sentence))

    def _settled(self, conversation: int) -> None:
        """The widgets know how to be built again as they are now."""
        if conversation == self._shown:
            with self.session.guarded():
                messages = self.session.history.messages(conversation)
                self.transcript.entries.renew([self._entry(message) for message in messages])
        self._refresh()

    def _live(self, conversation: int) -> AssistantMessage | None:
        """The widget of the answer that is coming, if it is on the branch shown."""
        answer = self.session.answer
        if answer is None or conversation != self._shown:
            return None
        entry = self.transcript.entries.find(answer.message)
        return entry.widget if entry is not None and isinstance(entry.widget, AssistantMessage) else None

    def _streaming(self, conversation: int) -> AssistantMessage | None:
        """The widget of the answer that has just ended."""
        if conversation != self._shown:
            return None
        answers = (each for each in self.transcript.messages if isinstance(each, AssistantMessage))
        return next((each for each in answers if each.streaming), None)

    def _entry(self, message: StoredMessage) -> Entry:
        return Entry(
            message.content,
            partial(self._stored, message),
            message.id,
            (message.id, message.siblings, self._is_live(message)),
            is_plain=message.role == "user",
        )

    def _stored(self, message: StoredMessage) -> MessageWidget:
        widget = self._user(message) if message.role == "user" else self._answer(message)
        widget.place(message.id, message.siblings)
        widget.chosen.connect(self._choose)
        widget.branch_asked.connect(self.session.branch)
        widget.compare_asked.connect(self.compare_asked)
        entries = self.transcript.entries
        widget.offer(bool(len(entries)) and entries[-1].message == message.id, self.session.answer is None)
        return widget

    def _user(self, message: StoredMessage) -> UserMessage:
        widget = UserMessage(message.content, message.attachments_json)
        widget.edited.connect(self.session.edit)
        return widget

    def _answer(self, message: StoredMessage) -> AssistantMessage:
        widget = AssistantMessage()
        widget.again_asked.connect(self.session.again)
        widget.details_asked.connect(self.details_asked)
        widget.tokens_asked.connect(self.tokens_asked)
        widget.append(message.content)
        coming = self.session.answer if self._is_live(message) else None
        left_out = coming.left_out if coming is not None else left_out_of(message)
        if left_out:
            widget.say_above(self._endings.of_left_out(left_out))
        if coming is not None:
            if self.session.engine.loading:
                widget.wait_for(self.tr("Waiting for the model to load…"))
            return widget
        widget.finish(stored_stats(message), thought_of(message))
        notice = self._endings.of_stored(message)
        if notice is not None:
            widget.say(notice)
        return widget

    def _is_live(self, message: StoredMessage) -> bool:
        return self.session.answer is not None and self.session.answer.message == message.id

    def _choose(self, message: int) -> None:
        self.transcript.stay()
        self.session.choose(message)

    def _refresh(self) -> None:
        """What can be done now, everywhere in the view."""
        answer = self.session.answer
        for entry in self.transcript.entries:
            if entry.widget is not None:
                entry.widget.offer(entry is self.transcript.entries[-1], answer is None)
        elsewhere = answer is not None and answer.conversation != self._shown
        self.busy.setVisible(elsewhere)
        if answer is not None and elsewhere:
            self.busy.say(self._title(answer.conversation))
        self.composer.set_answering(answer is not None and not elsewhere)
        self.composer.set_obstacle(self.busy.sentence if elsewhere else "")
        page = self.transcript if len(self.transcript.entries) else self.empty
        self._pages.setCurrentWidget(page)

    def _title(self, conversation: int) -> str:
        with self.session.guarded():
            known = self.session.history.conversations()
            return next((each.title for each in known if each.id == conversation), "")
        return ""

    def _stop(self) -> None:
        answer = self.session.answer
        if answer is not None and answer.conversation == self._shown:
            self.session.stop()

    def _show_coming(self) -> None:
        if self.session.answer is not None:
            self.session.open(self.session.answer.conversation)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The composer lines up with the text above it."""
        side = side_margin(self.width() - SCROLL_BAR)
        self._above_composer.setContentsMargins(side, 0, side + SCROLL_BAR, SPACE_L)
        super().resizeEvent(event)

    def _connect(self) -> None:
        session = self.session
        session.opened.connect(self.open_conversation)
        session.branch_changed.connect(self._branch_changed)
        session.user_added.connect(self._user_added)
        session.answer_started.connect(self._answer_started)
        session.left_out.connect(self._left_out)
        session.text_arrived.connect(self._text_arrived)
        session.answer_finished.connect(self._answer_finished)
        session.answer_failed.connect(self._answer_failed)
        self.composer.sent.connect(self._send)
        self.composer.edit.submitted.connect(self._submitted)
        self.composer.stopped.connect(session.stop)
        self.composer.edit.textChanged.connect(self._draft_timer.start)
        self._draft_timer.timeout.connect(self.keep_draft)
        self.busy.show_asked.connect(self._show_coming)
        self.busy.stop_asked.connect(session.stop)
        self.empty.picked.connect(session.send)
        stop = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        stop.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        stop.setWhatsThis(self.tr("Stop the answer"))
        stop.activated.connect(self._stop)

    def _build(self) -> None:
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self.transcript)
        self._pages.addWidget(self.empty)
        self._pages.setCurrentWidget(self.empty)
        lower = QWidget(self)
        self._above_composer = QVBoxLayout(lower)
        self._above_composer.setSpacing(0)
        self._above_composer.addWidget(self.busy)
        self._above_composer.addWidget(self.composer)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.find_bar)
        layout.addWidget(self._pages, 1)
        layout.addWidget(lower)
