"""Another text for a message that was sent: in the place of its bubble."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.chat.composer import MessageEdit
from app.theme import SPACE_M, SPACE_S


class MessageEditor(QFrame):
    """Enter sends, Esc cancels, Shift+Enter starts a new line."""

    sent = Signal(str)
    cancelled = Signal()

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composerFrame")
        self.edit = MessageEdit(self)
        self.edit.setAccessibleName(self.tr("Edit the message"))
        self.edit.setAccessibleDescription(self.tr("Enter sends, Escape cancels"))
        self.edit.setPlainText(text)
        self.edit.moveCursor(self.edit.textCursor().MoveOperation.End)
        self.edit.submitted.connect(self._send)
        self.edit.escaped.connect(self.cancelled)
        self.edit.text_given.connect(self.edit.insertPlainText)
        self.edit.textChanged.connect(self._refresh)
        self.edit.installEventFilter(self)
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.clicked.connect(self.cancelled)
        self.send = QPushButton(self.tr("Send"), self)
        self.send.setProperty("kind", "primary")
        self.send.clicked.connect(self._send)
        self._hint = QLabel(self)
        self._hint.setProperty("kind", "small")
        self._hint.setWordWrap(True)
        self._build()
        self.set_ready(True)

    def set_ready(self, ready: bool) -> None:
        """Whether an answer can be asked for now."""
        self._ready = ready
        kept = self.tr("The version so far is kept, with its answers.")
        self._hint.setText(kept if ready else self.tr("You can send this when the answer has ended."))
        self._refresh()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc is the editor's: it would stop an answer anywhere else."""
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().eventFilter(watched, event)

    def _send(self) -> None:
        text = self.edit.toPlainText().strip()
        if text and self._ready:
            self.sent.emit(text)

    def _refresh(self) -> None:
        self.send.setEnabled(self._ready and bool(self.edit.toPlainText().strip()))

    def _build(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE_S)
        buttons.addWidget(self._hint, 1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.send)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_M, SPACE_S, SPACE_S, SPACE_S)
        layout.setSpacing(SPACE_S)
        layout.addWidget(self.edit)
        layout.addLayout(buttons)
