"""The list of conversations: new, search, rename in place, delete with undo."""

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.theme import SPACE_M, SPACE_S

ID = Qt.ItemDataRole.UserRole


class Listed(Protocol):
    """What the list needs of a conversation."""

    @property
    def id(self) -> int: ...
    @property
    def title(self) -> str: ...


class ConversationList(QListWidget):
    """F2 renames, Delete deletes, Ctrl+Z brings back; Backspace does nothing."""

    delete_asked = Signal(int)
    undo_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Conversations")
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setUniformItemSizes(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu)
        self._delete = QAction("Delete", self)
        self._delete.setShortcut(QKeySequence(Qt.Key.Key_Delete))
        self._delete.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._delete.triggered.connect(self._ask_delete)
        self._rename = QAction("Rename", self)
        self._rename.setShortcut(QKeySequence(Qt.Key.Key_F2))
        self._rename.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._rename.triggered.connect(self._edit_current)
        undo = QAction("Undo", self)
        undo.setShortcut(QKeySequence(QKeySequence.StandardKey.Undo))
        undo.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        undo.triggered.connect(self.undo_asked)
        self.addActions([self._rename, self._delete, undo])

    def sizeHint(self) -> QSize:
        return QSize(220, 300)

    def _edit_current(self) -> None:
        if self.currentItem() is not None:
            self.editItem(self.currentItem())

    def _ask_delete(self) -> None:
        if self.currentItem() is not None:
            self.delete_asked.emit(self.currentItem().data(ID))

    def _menu(self, position: QPoint) -> None:
        item = self.itemAt(position)
        if item is not None:
            self.setCurrentItem(item)
            menu = QMenu(self)
            menu.addActions([self._rename, self._delete])
            menu.exec(self.viewport().mapToGlobal(position))


class Sidebar(QWidget):
    new_asked = Signal()
    opened = Signal(int)
    renamed = Signal(int, str)
    delete_asked = Signal(int)
    undo_asked = Signal()
    search_changed = Signal(str)
    search_left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.new_button = QPushButton("New chat", self)
        self.new_button.clicked.connect(self.new_asked)
        self.search = QLineEdit(self)
        self.search.setPlaceholderText("Search chats")
        self.search.setAccessibleName("Search chats")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self.search_changed)
        leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), self.search)
        leave.setContext(Qt.ShortcutContext.WidgetShortcut)
        leave.setWhatsThis(self.tr("Leave the search"))
        leave.activated.connect(self._leave_search)
        self.list = ConversationList(self)
        self.list.currentItemChanged.connect(self._selected)
        self.list.itemChanged.connect(self._edited)
        self.list.delete_asked.connect(self.delete_asked)
        self.list.undo_asked.connect(self.undo_asked)
        self._none = QLabel(self)
        self._none.setProperty("kind", "small")
        self._none.setContentsMargins(SPACE_M, SPACE_S, 0, 0)
        self._none.hide()
        self._undo_bar, self._undo_text = self._make_undo_bar()
        self._build()

    def show_conversations(self, conversations: Sequence[Listed], current: int | None) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        for conversation in conversations:
            item = QListWidgetItem(conversation.title or "Untitled")
            item.setData(ID, conversation.id)
            item.setToolTip(conversation.title)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            self.list.addItem(item)
            if conversation.id == current:
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)
        self._none.setText("No chat matches." if self.search.text() else "Your chats appear here.")
        self._none.setVisible(not conversations)

    def offer_undo(self, title: str) -> None:
        self._undo_text.setText(f"Deleted “{_short(title)}”")
        self._undo_bar.show()

    def withdraw_undo(self) -> None:
        """Shows the whole list again, with what came back in it."""
        self.list.setFocus()
        self._undo_bar.hide()
        self.search.clear()

    def _leave_search(self) -> None:
        self.search.clear()
        self.search_left.emit()

    def _selected(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.opened.emit(item.data(ID))

    def _edited(self, item: QListWidgetItem) -> None:
        self.renamed.emit(item.data(ID), item.text().strip())

    def _make_undo_bar(self) -> tuple[QWidget, QLabel]:
        bar = QWidget(self)
        text = QLabel(bar)
        text.setProperty("kind", "small")
        text.setWordWrap(True)
        undo = QPushButton("Undo", bar)
        undo.setAccessibleName("Undo the deletion")
        undo.clicked.connect(self.undo_asked)
        row = QHBoxLayout(bar)
        row.setContentsMargins(SPACE_S, 0, 0, 0)
        row.addWidget(text, 1)
        row.addWidget(undo)
        bar.hide()
        return bar, text

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_M)
        layout.setSpacing(SPACE_S)
        for widget in (self.new_button, self.search, self._none):
            layout.addWidget(widget)
        layout.addWidget(self.list, 1)
        layout.addWidget(self._undo_bar)
        self.setMinimumWidth(180)
        self.setMaximumWidth(360)


def _short(title: str, limit: int = 28) -> str:
    return title if len(title) <= limit else title[: limit - 1] + "…"
