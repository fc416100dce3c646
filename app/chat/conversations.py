"""Keeps the sidebar and the history in step: search, rename, delete, undo."""

from PySide6.QtCore import QObject

from app.chat.session import ChatSession
from app.chat.sidebar import Sidebar


class Conversations(QObject):
    def __init__(self, session: ChatSession, sidebar: Sidebar, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._sidebar = sidebar
        sidebar.new_asked.connect(session.new)
        sidebar.opened.connect(session.open)
        sidebar.renamed.connect(self._rename)
        sidebar.delete_asked.connect(self._delete)
        sidebar.undo_asked.connect(self._undo)
        sidebar.search_changed.connect(self.refresh)
        session.conversations_changed.connect(self.refresh)
        session.opened.connect(self.refresh)

    def refresh(self) -> None:
        history, text = self._session.history, self._sidebar.search.text().strip()
        with self._session.guarded():
            found = [hit.conversation for hit in history.search(text)] if text else history.conversations()
            self._sidebar.show_conversations(found, self._session.conversation)

    def _rename(self, conversation: int, title: str) -> None:
        """Without a title the old one stays."""
        with self._session.guarded():
            if title:
                self._session.history.rename(conversation, title)
        self.refresh()

    def _delete(self, conversation: int) -> None:
        history, session = self._session.history, self._session
        with session.guarded():
            title = next((c.title for c in history.conversations() if c.id == conversation), "")
            if session.answer is not None and session.answer.conversation == conversation:
                session.stop()
            history.delete(conversation)
            self._sidebar.offer_undo(title)
            if session.conversation == conversation:
                session.new()
        self.refresh()

    def _undo(self) -> None:
        with self._session.guarded():
            brought_back = self._session.history.undo_delete()
            self._sidebar.withdraw_undo()
            if brought_back is not None and self._session.conversation is None:
                self._session.open(brought_back)
        self.refresh()
