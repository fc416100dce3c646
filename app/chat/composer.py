"""Where the user writes: Enter sends, Shift+Enter breaks the line, an input method is left alone."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QInputMethodEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.theme import SPACE_M, SPACE_S, Appearance

MAX_LINES = 8


class MessageEdit(QPlainTextEdit):
    """Grows with its lines to `MAX_LINES`, then scrolls."""

    submitted = Signal()
    escaped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._composing = False
        self.setPlaceholderText(self.tr("Write a message"))
        self.setAccessibleName(self.tr("Message"))
        self.setAccessibleDescription(self.tr("Enter sends, Shift and Enter start a new line"))
        self.setTabChangesFocus(True)
        self.setFont(Appearance.shared().font())
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self._fit()

    def own_keys(self) -> list[tuple[str, str]]:
        return [
            ("Return", self.tr("Send the message")),
            ("Shift+Return", self.tr("Start a new line")),
            ("Esc", self.tr("Stop the answer")),
        ]

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and self._composing:
            event.ignore()  # it belongs to the input method
        elif enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.submitted.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        lines = min(max(int(self.document().size().height()), 1), MAX_LINES)
        margins = self.contentsMargins()
        around = 2 * self.document().documentMargin() + margins.top() + margins.bottom()
        height = int(lines * QFontMetricsF(self.font()).lineSpacing() + around + 2)
        if height != self.minimumHeight():
            self.setFixedHeight(height)


class Composer(QFrame):
    """The editor and one button that is Send, or Stop while an answer comes."""

    sent = Signal(str)
    stopped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composerFrame")
        self.edit = MessageEdit(self)
        self.button = QPushButton(self)
        self._answering = False
        self._obstacle = ""
        self._build()
        self.edit.submitted.connect(self._submit)
        self.edit.escaped.connect(self._escape)
        self.edit.textChanged.connect(self._refresh)
        self.button.clicked.connect(self._pressed)
        self.edit.installEventFilter(self)
        self._refresh()

    def set_answering(self, answering: bool) -> None:
        self._answering = answering
        self._refresh()

    def set_obstacle(self, sentence: str) -> None:
        """Why nothing can be sent now; "": it can."""
        self._obstacle = sentence
        self._refresh()

    def text(self) -> str:
        return self.edit.toPlainText()

    def set_text(self, text: str) -> None:
        self.edit.setPlainText(text)
        self.edit.moveCursor(self.edit.textCursor().MoveOperation.End)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.setProperty("focused", event.type() is QEvent.Type.FocusIn)
            self.style().unpolish(self)
            self.style().polish(self)
        return super().eventFilter(watched, event)

    def _submit(self) -> None:
        text = self.text().strip()
        if text and not self._answering and not self._obstacle:
            self.sent.emit(text)

    def _escape(self) -> None:
        if self._answering:
            self.stopped.emit()

    def _pressed(self) -> None:
        if self._answering:
            self.stopped.emit()
        else:
            self._submit()
        self.edit.setFocus()

    def _refresh(self) -> None:
        self.button.setText(self.tr("Stop") if self._answering else self.tr("Send"))
        stop, send = self.tr("Stop the answer (Esc)"), self.tr("Send the message (Enter)")
        name = stop if self._answering else self._obstacle or send
        self.button.setAccessibleName(name)
        self.button.setToolTip(name)
        self.button.setEnabled(self._answering or (bool(self.text().strip()) and not self._obstacle))
        kind = "stop" if self._answering else "primary"
        if self.button.property("kind") != kind:
            self.button.setProperty("kind", kind)
            self.button.style().unpolish(self.button)
            self.button.style().polish(self.button)

    def _build(self) -> None:
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        column = QVBoxLayout()
        column.addStretch()
        column.addWidget(self.button)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE_M, SPACE_S, SPACE_S, SPACE_S)
        layout.setSpacing(SPACE_S)
        layout.addWidget(self.edit, 1)
        layout.addLayout(column)
