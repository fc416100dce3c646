"""Where the user writes: Enter sends, Shift+Enter breaks the line, an input method is left alone."""

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
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

from app.attachments.attachments import Attachments
from app.attachments.drop import paths_in
from app.attachments.refusal import Reason, Refusal
from app.attachments.tray import Tray
from app.icons import IconButton
from app.theme import SPACE_S, SPACE_XS, Appearance
from app.worker import EngineThread

MAX_LINES = 8
LONGEST_PASTE = 100_000  # characters; ten times as many hold the window up for a second
ATTACH_SCALE = 1.35  # as tall as a line of the editor


class MessageEdit(QPlainTextEdit):
    """Grows with its lines to `MAX_LINES`, then scrolls. Files are left to the window, unless it `takes_files`."""

    submitted = Signal()
    escaped = Signal()
    files_given = Signal(object)  # list[Path], pasted or dropped
    picture_given = Signal()  # pixels without a file
    text_given = Signal(str)  # pasted or dropped, and longer than LONGEST_PASTE

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.takes_files = False
        self._composing = False
        self.setPlaceholderText(self.tr("Write a message"))
        self.setAccessibleName(self.tr("Message"))
        self.setAccessibleDescription(self.tr("Enter sends, Shift and Enter start a new line"))
        self.setTabChangesFocus(True)
        self._restyle()
        Appearance.shared().changed.connect(self._restyle)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self._fit()

    def _restyle(self) -> None:
        self.setFont(Appearance.shared().font())
        self._fit()

    def own_keys(self) -> list[tuple[str, str]]:
        return [
            ("Return", self.tr("Send the message")),
            ("Shift+Return", self.tr("Start a new line")),
            ("Esc", self.tr("Stop the answer")),
        ]

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        if paths_in(source) or (source.hasImage() and not source.hasText()):
            return self.takes_files
        return super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Files are attached; Qt would write their addresses into the text."""
        paths: list[Path] = paths_in(source)
        if paths:
            self.files_given.emit(paths)
        elif source.hasImage() and not source.hasText():
            self.picture_given.emit()
        elif len(text := source.text()) > LONGEST_PASTE:
            self.text_given.emit(text)
        else:
            super().insertFromMimeData(source)

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
    """The editor, the files that go with it, and one button that is Send, or Stop while an answer comes."""

    sent = Signal(str)
    stopped = Signal()
    attach_asked = Signal()

    def __init__(self, parent: QWidget | None = None, engine: EngineThread | None = None) -> None:
        """`engine` counts the files' tokens; without it they are sent uncounted."""
        super().__init__(parent)
        self.setObjectName("composerFrame")
        self.files = Attachments(engine, self)
        self.tray = Tray(self.files, self)
        self.edit = MessageEdit(self)
        self.edit.takes_files = True
        self.attach = IconButton("attach", self.tr("Attach files (Ctrl+O)"), self, ATTACH_SCALE)
        self.button = QPushButton(self)
        self._answering = False
        self._obstacle = ""
        self._build()
        self.edit.submitted.connect(self._submit)
        self.edit.escaped.connect(self._escape)
        self.edit.textChanged.connect(self._refresh)
        self.edit.files_given.connect(self.files.add)
        self.edit.picture_given.connect(self._refuse_picture)
        self.edit.text_given.connect(lambda text: self.files.add_text(self.tr("Pasted text.txt"), text))
        self.files.changed.connect(self._refresh)
        self.attach.clicked.connect(self.attach_asked)
        self.tray.left.connect(self.edit.setFocus)
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
        if self._can_send() and not self._answering:
            self.tray.drop_notices()
            self.sent.emit(self.text().strip())

    def _refuse_picture(self) -> None:
        self.files.refused.emit(Refusal(self.tr("What you pasted"), Reason.IMAGE))

    def _can_send(self) -> bool:
        return bool(self.text().strip()) and not self._obstacle and not self.files.busy

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
        self.button.setEnabled(self._answering or self._can_send())
        kind = "stop" if self._answering else "primary"
        if self.button.property("kind") != kind:
            self.button.setProperty("kind", kind)
            self.button.style().unpolish(self.button)
            self.button.style().polish(self.button)

    def _build(self) -> None:
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout()
        row.setSpacing(SPACE_XS)
        row.addWidget(self.attach, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.edit, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignBottom)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE_S, SPACE_S, SPACE_S, SPACE_S)
        layout.setSpacing(0)
        layout.addWidget(self.tray)
        layout.addLayout(row)
        for before, after in ((self.edit, self.button), (self.button, self.attach)):
            self.setTabOrder(before, after)
