"""The bin: what was deleted, its text, back again or away for good."""

from collections.abc import Callable
from html import escape

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.chat.session import ChatSession
from app.dialog_size import open_at
from app.history.rows import Conversation
from app.theme import SPACE_L, SPACE_M

CHAT = Qt.ItemDataRole.UserRole


class BinDialog(QDialog):
    changed = Signal()
    restored = Signal(int)

    def __init__(self, session: ChatSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setWindowTitle(self.tr("Bin"))
        self.list = QListWidget(self)
        self.list.setObjectName("binList")
        self.list.setAccessibleName(self.tr("Deleted chats"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setAccessibleName(self.tr("Text of the deleted chat"))
        self.restore = QPushButton(self.tr("Restore"), self)
        self.purge = QPushButton(self.tr("Delete for good…"), self)
        self.empty = QPushButton(self.tr("Empty the bin…"), self)
        self._said = QLabel(self.tr("Deleted chats stay here for 30 days."), self)
        self._nothing = QLabel(
            self.tr("The bin is empty. A chat that you delete stays here for 30 days, and can be restored."),
            self,
        )
        self._both = QSplitter(self)
        self._build()
        self._connect()
        self._fill()

    def _fill(self, row: int = 0) -> None:
        self.list.clear()
        with self._session.guarded():
            for chat in self._session.history.deleted():
                item = QListWidgetItem(_label(chat, self.tr("Untitled")))
                item.setData(CHAT, chat)
                item.setToolTip(f"<p>{escape(chat.title)}</p>")
                self.list.addItem(item)
        self.list.setCurrentRow(min(row, self.list.count() - 1))
        self._shown()

    def _shown(self) -> None:
        chat = self._current()
        for button in (self.restore, self.purge):
            button.setEnabled(chat is not None)
        filled = self.list.count() > 0
        for widget in (self._said, self._both, self.restore, self.purge, self.empty):
            widget.setVisible(filled)
        self._nothing.setVisible(not filled)
        self.empty.setEnabled(filled)
        self.text.setPlainText("")
        if chat is not None:
            with self._session.guarded():
                messages = self._session.history.messages(chat.id)
                self.text.setPlainText("\n\n".join(message.content for message in messages))

    def _current(self) -> Conversation | None:
        item = self.list.currentItem()
        chat = item.data(CHAT) if item is not None else None
        return chat if isinstance(chat, Conversation) else None

    def _restore(self) -> None:
        chat = self._current()
        if chat is not None:
            with self._session.guarded():
                self._session.history.restore(chat.id)
                self.changed.emit()
                self.restored.emit(chat.id)
            self._fill(self.list.currentRow())

    def _ask_purge(self) -> None:
        chat = self._current()
        if chat is not None:
            title = chat.title or self.tr("Untitled")
            question = self.tr("Delete “{title}” for good? It can't be brought back.").format(title=title)
            self._ask(question, self.tr("Delete for good"), lambda: self._session.history.purge(chat.id))

    def _ask_empty(self) -> None:
        question = self.tr("Delete %n chat(s) for good? They can't be brought back.", "", self.list.count())
        self._ask(question, self.tr("Empty the bin"), self._session.history.empty_bin)

    def _ask(self, question: str, action: str, run: Callable[[], object]) -> None:
        box = QMessageBox(QMessageBox.Icon.Warning, self.windowTitle(), question, parent=self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        yes = box.addButton(action, QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        yes.clicked.connect(lambda: self._change(run))
        box.open()

    def _change(self, run: Callable[[], object]) -> None:
        row = self.list.currentRow()
        with self._session.guarded():
            run()
        self._fill(row)
        self.changed.emit()

    def _connect(self) -> None:
        self.list.currentRowChanged.connect(self._shown)
        self.list.itemActivated.connect(self._restore)
        self.restore.clicked.connect(self._restore)
        self.purge.clicked.connect(self._ask_purge)
        self.empty.clicked.connect(self._ask_empty)
        delete = QShortcut(QKeySequence(Qt.Key.Key_Delete), self.list)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.setWhatsThis(self.tr("Delete for good"))
        delete.activated.connect(self._ask_purge)

    def _build(self) -> None:
        for label in (self._said, self._nothing):
            label.setProperty("kind", "muted")
            label.setWordWrap(True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._both.setChildrenCollapsible(False)
        self._both.setHandleWidth(SPACE_M)
        self._both.setObjectName("gap")
        self._both.addWidget(self.list)
        self._both.addWidget(self.text)
        self._both.setSizes([300, 400])
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        row = QHBoxLayout()
        for button in (self.restore, self.purge, self.empty):
            button.setAutoDefault(False)
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        layout.setSpacing(SPACE_M)
        layout.addWidget(self._said)
        layout.addWidget(self._both, 1)
        layout.addWidget(self._nothing, 1)
        layout.addLayout(row)
        open_at(self, 760, 480)


def _label(chat: Conversation, untitled: str) -> str:
    when = QDateTime.fromSecsSinceEpoch(int(chat.deleted_at or 0))
    date = QLocale().toString(when.date(), QLocale.FormatType.ShortFormat)
    return f"{' '.join(chat.title.split()) or untitled}  ·  {date}"
