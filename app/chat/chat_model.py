"""The rows of the chat list as Qt's views want them; thousands cost nothing until they are painted."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import (
    QAbstractListModel,
    QByteArray,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from app.chat.sections import Row, Section
from app.history.rows import Conversation, Hit
from app.history.titles import legible

ROW = Qt.ItemDataRole.UserRole  # the Row itself
MIME = "application/x-slipstream-chat"
Index = QModelIndex | QPersistentModelIndex


class ChatModel(QAbstractListModel):
    """`opened` is the id of the conversation that is being read."""

    chat_renamed = Signal(int, str)
    folder_renamed = Signal(str, str)
    dropped = Signal(int, str)  # a conversation on a section's key

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Row] = []
        self.opened: int | None = None

    def show(self, rows: Sequence[Row], opened: int | None) -> None:
        self.opened = opened
        if rows != self.rows:
            self.beginResetModel()
            self.rows = list(rows)
            self.endResetModel()

    def find(self, conversation: int | None) -> QModelIndex:
        """Not valid when it isn't in the list."""
        return next(
            (self.index(n) for n, row in enumerate(self.rows) if id_of(row) == conversation is not None),
            QModelIndex(),
        )

    def find_section(self, key: str) -> QModelIndex:
        keys = (
            self.index(n) for n, row in enumerate(self.rows) if isinstance(row, Section) and row.key == key
        )
        return next(keys, QModelIndex())

    def section_above(self, number: int) -> QModelIndex:
        """Of the row with this number; that row itself if it is one."""
        above = (n for n in range(number, -1, -1) if isinstance(self.rows[n], Section))
        found = next(above, None)
        return QModelIndex() if found is None else self.index(found)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not 0 <= index.row() < len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return self._title(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"<p>{escape(self._title(row))}</p>"  # a title is never read as HTML
        if role == Qt.ItemDataRole.EditRole:
            return row.title if isinstance(row, Section) else conversation_of(row).title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(row)
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row, name = self.rows[index.row()], str(value).strip()
        if role != Qt.ItemDataRole.EditRole or not name or name == self.data(index, role):
            return False
        if not isinstance(row, Section):
            self.chat_renamed.emit(conversation_of(row).id, name)
        elif row.folder is not None:
            self.folder_renamed.emit(row.folder, name)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        flag = Qt.ItemFlag
        if not 0 <= index.row() < len(self.rows):
            return flag.ItemIsDropEnabled  # between two rows
        row = self.rows[index.row()]
        flags = flag.ItemIsEnabled | flag.ItemIsSelectable
        if isinstance(row, Hit):
            return flags | flag.ItemIsEditable
        if isinstance(row, Conversation):
            return flags | flag.ItemIsEditable | flag.ItemIsDragEnabled | flag.ItemIsDropEnabled
        return flags | flag.ItemIsDropEnabled | (flag.ItemIsEditable if row.folder else flag.NoItemFlags)

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Sequence[Index]) -> QMimeData:
        data = QMimeData()
        ids = [id_of(self.rows[index.row()]) for index in indexes]
        data.setData(MIME, QByteArray(str(ids[0]).encode()))
        return data

    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, _column: int, parent: Index
    ) -> bool:
        """False: the view takes no row away; the list is shown anew by whoever moved the chat."""
        number = parent.row() if parent.isValid() else row - 1
        carried = bytes(data.data(MIME).data())
        if action == Qt.DropAction.MoveAction and carried.isdigit() and 0 <= number < len(self.rows):
            section = self.section_above(number).data(ROW)
            if isinstance(section, Section):
                self.dropped.emit(int(carried), section.key)
        return False

    def _title(self, row: Row) -> str:
        if isinstance(row, Section):
            return row.title
        return legible(conversation_of(row).title) or self.tr("Untitled")

    def _spoken(self, row: Row) -> str:
        """For screen readers."""
        if isinstance(row, Section):
            chats = self.tr("%n chat(s)", "", row.count)
            state = self.tr("open") if row.is_open else self.tr("closed")
            return self.tr("{section}, {chats}, {state}").format(section=row.title, chats=chats, state=state)
        title = self._title(row)
        if isinstance(row, Hit) and row.snippet:
            return self.tr("{title}: {snippet}").format(title=title, snippet=row.snippet)
        if conversation_of(row).id == self.opened:
            return self.tr("{title}, being read").format(title=title)
        return title


def conversation_of(row: Conversation | Hit) -> Conversation:
    return row.conversation if isinstance(row, Hit) else row


def id_of(row: Row) -> int | None:
    return None if isinstance(row, Section) else conversation_of(row).id
