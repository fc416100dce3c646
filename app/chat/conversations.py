"""Keeps the sidebar and the history in step: search, rename, pins, folders, delete, undo, the bin."""

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QObject, QSettings, Qt, QTimer, Signal

from app.chat.searching import Searching
from app.chat.sections import FOLDER, PINNED, rows_of
from app.chat.session import ChatSession
from app.chat.sidebar import Sidebar
from app.history.rows import Conversation, Hit

CLOSED = "sidebar/closed"  # in window.ini: the keys of sections that are closed
EVERY_MS = 10 * 60 * 1000


class Conversations(QObject):
    """`message_wanted` follows when a chat was opened at one of its messages."""

    message_wanted = Signal(int)

    def __init__(
        self, session: ChatSession, sidebar: Sidebar, settings: QSettings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._history = session.history
        self._sidebar = sidebar
        self._settings = settings
        self._closed = set(map(str, _as_list(settings.value(CLOSED))))
        self._searching = Searching(session.history.searcher(), self)
        self._searching.found.connect(self._found)
        self._searching.failed.connect(session.trouble)
        self._clock = QTimer(self)  # yesterday's chats are not today's
        self._clock.setInterval(EVERY_MS)
        self._clock.timeout.connect(self.refresh)
        self._clock.start()
        self._connect()

    def refresh(self) -> None:
        text = self._sidebar.search.text().strip()
        with self._session.guarded():
            self._sidebar.show_bin(self._history.count_deleted())
            self._sidebar.list.folders = self._history.folders()
            if text:
                self._searching.look_for(text)
                return
            self._searching.forget()
            rows = rows_of(
                self._history.conversations(),
                self._sidebar.list.folders,
                self._closed,
                datetime.now().astimezone(),
            )
            self._sidebar.show_chats(rows, self._session.conversation)

    def new_folder(self, conversation: int | None = None) -> None:
        """Its name is written in place."""
        name = self._free_name(self.tr("New folder"))
        with self._session.guarded():
            self._history.add_folder(name)
            if conversation is not None:
                self._take(conversation, name)
            self._sidebar.search.clear()
            self.refresh()
            self._sidebar.list.edit_section(FOLDER + name)

    def show_bin(self) -> None:
        from app.chat.bin_dialog import BinDialog

        dialog = BinDialog(self._session, self._sidebar.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.changed.connect(self.refresh)
        dialog.restored.connect(self._session.open)
        dialog.open()

    def _found(self, hits: list[Hit]) -> None:
        self._sidebar.show_hits(hits, self._session.conversation)

    def _open(self, row: Conversation | Hit) -> None:
        """A hit in a branch that isn't shown makes it the one that is."""
        if isinstance(row, Conversation):
            self._session.open(row.id)
            return
        conversation, message = row.conversation.id, row.message
        with self._session.guarded():
            shown = [m.id for m in self._history.messages(conversation)] if message is not None else []
            if message is not None and message not in shown:
                self._history.choose(message)
            self._session.open(conversation)
            if message is not None:
                self.message_wanted.emit(message)

    def _toggle(self, key: str) -> None:
        self._closed ^= {key}
        self._settings.setValue(CLOSED, sorted(self._closed))
        self.refresh()

    def _drop(self, conversation: int, key: str) -> None:
        """On the pinned ones, a folder, or an age: out of both."""
        with self._session.guarded():
            if key == PINNED:
                self._history.pin(conversation, True)
            else:
                self._take(conversation, key.removeprefix(FOLDER) if key.startswith(FOLDER) else None)
        self.refresh()

    def _take(self, conversation: int, folder: str | None) -> None:
        """A pinned chat would stay among the pinned ones, as if nothing had happened."""
        self._history.move(conversation, folder)
        self._history.pin(conversation, False)

    def _delete(self, conversation: int) -> None:
        history, session = self._history, self._session
        with session.guarded():
            deleted = history.conversation(conversation)
            if session.answer is not None and session.answer.conversation == conversation:
                session.stop()
            history.delete(conversation)
            self._sidebar.offer_undo(deleted.title if deleted else "")
            if session.conversation == conversation:
                session.new()
        self.refresh()

    def _undo(self) -> None:
        with self._session.guarded():
            brought_back = self._history.undo_delete()
            self._sidebar.withdraw_undo()
            if brought_back is not None and self._session.conversation is None:
                self._session.open(brought_back)
        self.refresh()

    def _rename_folder(self, folder: str, name: str) -> None:
        self._closed = {FOLDER + name if key == FOLDER + folder else key for key in self._closed}
        self._change(lambda: self._history.rename_folder(folder, name))

    def _change(self, run: Callable[[], object]) -> None:
        with self._session.guarded():
            run()
        self.refresh()

    def _free_name(self, name: str) -> str:
        taken, number, free = set(self._sidebar.list.folders), 1, name
        while free in taken:
            number += 1
            free = f"{name} ({number})"
        return free

    def _connect(self) -> None:
        session, sidebar, history = self._session, self._sidebar, self._history
        chats = sidebar.list
        sidebar.new_asked.connect(session.new)
        sidebar.delete_asked.connect(self._delete)
        sidebar.undo_asked.connect(self._undo)
        sidebar.bin_asked.connect(self.show_bin)
        sidebar.search_changed.connect(self.refresh)
        session.conversations_changed.connect(self.refresh)
        session.opened.connect(lambda conversation, _messages: chats.mark_opened(conversation))
        chats.opened.connect(self._open)
        chats.toggled.connect(self._toggle)
        chats.new_folder_asked.connect(self.new_folder)
        chats.chats.dropped.connect(self._drop)
        chats.chats.folder_renamed.connect(self._rename_folder)
        chats.chats.chat_renamed.connect(
            lambda chat, title: self._change(lambda: history.rename(chat, title))
        )
        chats.pin_asked.connect(lambda chat, pinned: self._change(lambda: history.pin(chat, pinned)))
        chats.move_asked.connect(lambda chat, folder: self._change(lambda: self._take(chat, folder)))
        chats.folder_removed.connect(lambda folder: self._change(lambda: history.remove_folder(folder)))


def _as_list(value: object) -> list[object]:
    """QSettings reads a list of one as a word, and an empty one as nothing."""
    if isinstance(value, list):
        return value
    return [value] if isinstance(value, str) and value else []
