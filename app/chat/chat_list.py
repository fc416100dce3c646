"""The list of chats: sections that open and close, rename in place, drag to a folder, everything by keyboard."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu, QWidget

from app.chat.chat_delegate import ChatDelegate
from app.chat.chat_model import ROW, ChatModel, conversation_of, id_of
from app.chat.sections import Row, Section
from app.history.rows import Conversation, Hit


class ChatList(QListView):
    """Enter opens, F2 renames, Delete deletes, Ctrl+Z brings back; Backspace does nothing."""

    opened = Signal(object)  # Conversation or Hit
    toggled = Signal(str)  # a section's key
    delete_asked = Signal(int)
    undo_asked = Signal()
    pin_asked = Signal(int, bool)
    move_asked = Signal(int, object)  # a folder's name, or None
    new_folder_asked = Signal(object)  # the conversation that goes into it, or None
    folder_removed = Signal(str)
    export_asked = Signal(int)
    edited = Signal()  # an editor has closed

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.folders: Sequence[str] = ()
        self.chats = ChatModel(self)
        self.setModel(self.chats)
        delegate = ChatDelegate(self)
        delegate.closeEditor.connect(self.edited)
        self.setItemDelegate(delegate)
        self.setAccessibleName(self.tr("Conversations"))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.clicked.connect(self._activate)
        self._add_actions()

    def show_rows(self, rows: Sequence[Row], opened: int | None) -> None:
        """The current row and the place in the list stay, as far as they are still there."""
        current, number = self.currentIndex().data(ROW), self.currentIndex().row()
        place = self.verticalScrollBar().value()
        self.chats.show(rows, opened)
        index = self._same(current)
        if not index.isValid() and self.chats.rows and number >= 0:
            index = self.chats.index(min(number, len(self.chats.rows) - 1))
        if not index.isValid():
            index = self.chats.find(opened)
        self.setCurrentIndex(index)
        self.verticalScrollBar().setValue(place)

    def mark_opened(self, conversation: int | None) -> None:
        """Painted only: a changed row would reset the editor that may be open in it."""
        self.chats.opened = conversation
        self.viewport().update()

    @property
    def is_editing(self) -> bool:
        return self.state() == QAbstractItemView.State.EditingState

    def edit_section(self, key: str) -> None:
        index = self.chats.find_section(key)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)
            self.edit(index)

    def sizeHint(self) -> QSize:
        return QSize(220, 300)

    def own_keys(self) -> list[tuple[str, str]]:
        return [
            ("Return", self.tr("Open the chat, or open and close the section")),
            ("Left", self.tr("Close the section")),
            ("Right", self.tr("Open the section")),
            ("Shift+F10", self.tr("Menu of the chat: pin, move to a folder, export")),
        ]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, row = event.key(), self.currentIndex().data(ROW)
        if self.is_editing:  # what the editor leaves over
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or (
            key == Qt.Key.Key_Space and isinstance(row, Section)
        ):
            self._activate(self.currentIndex())
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            from_left = self.layoutDirection() == Qt.LayoutDirection.LeftToRight
            self._step(into=(key == Qt.Key.Key_Right) == from_left)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_keyboard = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_keyboard else self.indexAt(event.pos())
        place = self.visualRect(index).center() if by_keyboard else event.pos()
        if index.isValid():
            self.setCurrentIndex(index)
        self._show_menu(self.menu_for(index), place)

    def menu_for(self, index: QModelIndex) -> QMenu:
        row, menu = index.data(ROW), QMenu(self)
        if isinstance(row, Section):
            if row.folder is not None:
                menu.addAction(self._rename)
                _add(
                    menu,
                    self.tr("Remove folder, keep its chats"),
                    partial(self.folder_removed.emit, row.folder),
                )
                menu.addSeparator()
        elif row is not None:
            self._add_chat_actions(menu, conversation_of(row))
            return menu
        _add(menu, self.tr("New folder"), partial(self.new_folder_asked.emit, None))
        return menu

    def _add_chat_actions(self, menu: QMenu, chat: Conversation) -> None:
        menu.addAction(self._rename)
        pin = self.tr("Unpin") if chat.pinned else self.tr("Pin")
        _add(menu, pin, partial(self.pin_asked.emit, chat.id, not chat.pinned))
        move = menu.addMenu(self.tr("Move to folder"))
        for folder in self.folders:
            action = _add(move, folder.replace("&", "&&"), partial(self.move_asked.emit, chat.id, folder))
            action.setEnabled(folder != chat.folder)
        move.addSeparator()
        _add(move, self.tr("New folder"), partial(self.new_folder_asked.emit, chat.id))
        if chat.folder is not None:
            _add(move, self.tr("Out of its folder"), partial(self.move_asked.emit, chat.id, None))
        _add(menu, self.tr("Export…"), partial(self.export_asked.emit, chat.id))
        menu.addSeparator()
        menu.addAction(self._delete)

    def _show_menu(self, menu: QMenu, place: QPoint) -> None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.viewport().mapToGlobal(place))

    def _same(self, row: Row | None) -> QModelIndex:
        """Where what the row showed is now."""
        if isinstance(row, Section):
            return self.chats.find_section(row.key)
        return self.chats.find(id_of(row)) if row is not None else QModelIndex()

    def _activate(self, index: QModelIndex) -> None:
        row = index.data(ROW)
        if isinstance(row, Section):
            self.toggled.emit(row.key)
        elif row is not None:
            self.opened.emit(row)

    def _step(self, into: bool) -> None:
        """As in a tree: into a section or out of it."""
        index = self.currentIndex()
        row = index.data(ROW)
        if isinstance(row, Section):
            if row.is_open != into:
                self.toggled.emit(row.key)
        elif row is not None and not into and not isinstance(row, Hit):
            self.setCurrentIndex(self.chats.section_above(index.row()))

    def _edit_current(self) -> None:
        index = self.currentIndex()
        if index.isValid() and index.flags() & Qt.ItemFlag.ItemIsEditable:
            self.edit(index)

    def _ask_delete(self) -> None:
        row = self.currentIndex().data(ROW)
        if row is not None and not isinstance(row, Section):
            self.delete_asked.emit(conversation_of(row).id)

    def _add_actions(self) -> None:
        self._rename = self._action(self.tr("Rename"), QKeySequence(Qt.Key.Key_F2))
        self._rename.triggered.connect(self._edit_current)
        self._delete = self._action(self.tr("Delete"), QKeySequence(Qt.Key.Key_Delete))
        self._delete.triggered.connect(self._ask_delete)
        undo = self._action(self.tr("Undo"), QKeySequence(QKeySequence.StandardKey.Undo))
        undo.triggered.connect(self.undo_asked)

    def _action(self, text: str, keys: QKeySequence) -> QAction:
        action = QAction(text, self)
        action.setShortcut(keys)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.addAction(action)
        return action


def _add(menu: QMenu, text: str, run: Callable[[], object]) -> QAction:
    action = menu.addAction(text)
    action.triggered.connect(lambda _checked=False: run())
    return action
