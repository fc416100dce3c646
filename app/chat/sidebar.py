"""Left of the conversation: new chat, search, the list of chats, what was deleted."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.chat.chat_list import ChatList
from app.chat.sections import Row
from app.chat.undo_bar import UndoBar
from app.history.rows import Hit
from app.history.search import MOST_HITS
from app.theme import SPACE_M, SPACE_S


class Sidebar(QWidget):
    """What is done to a chat or a folder comes from `list`."""

    new_asked = Signal()
    delete_asked = Signal(int)
    undo_asked = Signal()
    bin_asked = Signal()
    search_changed = Signal(str)
    search_left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.new_button = QPushButton(self.tr("New chat"), self)
        self.search = QLineEdit(self)
        self.list = ChatList(self)
        self.undo = UndoBar(self)
        self.bin_button = QPushButton(self)
        self._said = QLabel(self)
        self._said.setTextFormat(Qt.TextFormat.PlainText)
        self._later: Callable[[], None] | None = None  # what is shown once an editor has closed
        self._set_up_search()
        self._build()
        self._connect()

    def show_chats(self, rows: Sequence[Row], opened: int | None) -> None:
        self._show(rows, opened, "" if rows else self.tr("Your chats appear here."))

    def show_hits(self, hits: Sequence[Hit], opened: int | None) -> None:
        said = "" if hits else self.tr("No chat matches.")
        if len(hits) >= MOST_HITS:
            said = self.tr("The newest %n chat(s) with these words:", "", len(hits))
        self._show(hits, opened, said)
        self._announce(said or self.tr("%n chat(s) found", "", len(hits)))

    def show_bin(self, count: int) -> None:
        self.bin_button.setText(self.tr("Bin ({count})").format(count=count))
        self.bin_button.setVisible(count > 0)
        if not count:
            self.undo.hide()

    def offer_undo(self, title: str) -> None:
        self._announce(self.undo.offer(title or self.tr("Untitled")))

    def withdraw_undo(self) -> None:
        """Shows the whole list again, with what came back in it."""
        self.list.setFocus()
        self.undo.hide()
        self.search.clear()

    def _show(self, rows: Sequence[Row], opened: int | None, said: str) -> None:
        """Later, while a title is being written: its editor would vanish with the row."""
        if self.list.is_editing:
            self._later = lambda: self._show(rows, opened, said)
            return
        self._later = None
        self.list.show_rows(rows, opened)
        self._said.setText(said)
        self._said.setVisible(bool(said))

    def _announce(self, text: str) -> None:
        """For screen readers: what has changed while the focus is elsewhere."""
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    def _edited(self) -> None:
        later, self._later = self._later, None
        if later is not None:
            later()

    def _leave_search(self) -> None:
        self.search.clear()
        self.search_left.emit()

    def _into_list(self) -> None:
        self.list.setFocus()
        if not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self.list.chats.index(0))

    def _set_up_search(self) -> None:
        self.search.setPlaceholderText(self.tr("Search chats"))
        self.search.setAccessibleName(self.tr("Search chats"))
        self.search.setClearButtonEnabled(True)
        for widget, key, run, what in (
            (self.search, Qt.Key.Key_Escape, self._leave_search, self.tr("Leave the search")),
            (self.list, Qt.Key.Key_Escape, self._leave_search, self.tr("Leave the search")),
            (self.search, Qt.Key.Key_Down, self._into_list, self.tr("Go to the chats that were found")),
            (self.search, Qt.Key.Key_Return, self._into_list, self.tr("Go to the chats that were found")),
        ):
            shortcut = QShortcut(QKeySequence(key), widget)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.setWhatsThis(what)
            shortcut.activated.connect(run)

    def _connect(self) -> None:
        self.new_button.clicked.connect(self.new_asked)
        self.search.textChanged.connect(self.search_changed)
        self.list.delete_asked.connect(self.delete_asked)
        self.list.undo_asked.connect(self.undo_asked)
        self.list.edited.connect(self._edited, Qt.ConnectionType.QueuedConnection)
        self.undo.undo_asked.connect(self.undo_asked)
        self.bin_button.clicked.connect(self.bin_asked)

    def _build(self) -> None:
        self._said.setProperty("kind", "small")
        self._said.setWordWrap(True)
        self._said.setContentsMargins(SPACE_M, SPACE_S, 0, 0)
        self._said.hide()
        self.bin_button.setProperty("kind", "action")
        self.bin_button.setToolTip(self.tr("Chats that were deleted in the last 30 days"))
        self.bin_button.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_M)
        layout.setSpacing(SPACE_S)
        for widget in (self.new_button, self.search, self._said):
            layout.addWidget(widget)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.undo)
        below = QHBoxLayout()
        below.setContentsMargins(SPACE_M, 0, 0, 0)
        below.addWidget(self.bin_button)
        below.addStretch(1)
        layout.addLayout(below)
        self.setMinimumWidth(180)
        self.setMaximumWidth(360)
