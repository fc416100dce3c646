"""A code block: language, Copy, plain text while it streams, colours once it is closed."""

import math

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QResizeEvent, QTextCursor, QWheelEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.chat.highlight import Highlighter
from app.chat.markdown import Block
from app.chat.selectable import Selectable
from app.theme import SPACE_M, SPACE_S, Appearance, colours

COPIED_MS = 1500


class CodeText(Selectable, QPlainTextEdit):
    """Read-only, as tall as its lines, scrolling sideways only."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._measured = 0  # lines whose heights add up to `_above`
        self._above = 0.0
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self._write_left_to_right()
        self.horizontalScrollBar().rangeChanged.connect(self.fit)
        self.setFont(Appearance.shared().code_font())
        self.setAccessibleName(self.tr("Code"))

    def _write_left_to_right(self) -> None:
        """Whatever the language of the window, or of the comments."""
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        option = self.document().defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        self.document().setDefaultTextOption(option)

    def fit(self) -> None:
        height = math.ceil(self._text_height() + 2 * self.document().documentMargin()) + 1
        if self.horizontalScrollBar().maximum() > 0:
            height += self.horizontalScrollBar().sizeHint().height()
        if height != self.minimumHeight():
            self.setFixedHeight(height)

    def measure_again(self) -> None:
        """After a change that is more than text at the end."""
        self._measured, self._above = 0, 0.0
        self.fit()

    def _text_height(self) -> float:
        """Lines differ in height, by their script; each is measured once, but for the last, which may still grow."""
        last = self.document().lastBlock()
        while self._measured < last.blockNumber():
            block = self.document().findBlockByNumber(self._measured)
            self._above += self.blockBoundingRect(block).height()
            self._measured += 1
        return self._above + self.blockBoundingRect(last).height()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Everything is visible: a vertical scroll would only hide the first line."""
        super().scrollContentsBy(dx, dy)
        if dy and self.verticalScrollBar().value():
            self.verticalScrollBar().setValue(0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta: QPoint = event.angleDelta()
        sideways = abs(delta.x()) > abs(delta.y()) or event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if sideways and self.horizontalScrollBar().maximum():
            super().wheelEvent(event)
        else:
            event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()


class CodeBlock(QFrame):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("codeBlock")
        self.renders = 0
        self._code = ""
        self._closed = False
        self._language = QLabel(self)
        self._language.setProperty("kind", "small")
        self._copy = QPushButton(self.tr("Copy"), self)
        self._copy.setProperty("kind", "action")
        self._copy.setAccessibleName(self.tr("Copy code"))
        self._copy.clicked.connect(self.copy)
        self.text = CodeText(self)
        self.highlighter = Highlighter(self.text.document())
        self._build()

    def show_block(self, block: Block) -> None:
        """Appends what is new; colours the text when the block closes."""
        self.renders += 1
        self._language.setText(block.language or self.tr("text"))
        code = block.content.removesuffix("\n")
        if code.startswith(self._code):
            self._append(code[len(self._code) :])
        else:
            self.text.setPlainText(code)
            self.text.measure_again()
        self._code = code
        self.text.fit()
        if block.closed and not self._closed:
            self._closed = True
            self._highlight()

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self._code)
        self._copy.setText(self.tr("Copied"))
        QTimer.singleShot(COPIED_MS, self._copy, lambda: self._copy.setText(self.tr("Copy")))

    def restyle(self) -> None:
        self.text.setFont(Appearance.shared().code_font())
        self.text.measure_again()
        if self._closed:
            self._highlight()

    def _highlight(self) -> None:
        self.highlighter.start(self._code, self._language.text(), colours().pygments)

    def _append(self, text: str) -> None:
        cursor = QTextCursor(self.text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text)

    def _build(self) -> None:
        header = QHBoxLayout()
        header.setContentsMargins(SPACE_M, SPACE_S - 2, SPACE_M, 0)
        header.addWidget(self._language)
        header.addStretch()
        header.addWidget(self._copy)
        body = QVBoxLayout()
        body.setContentsMargins(SPACE_M, 0, SPACE_M, SPACE_S)
        body.addWidget(self.text)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S - 4)
        layout.addLayout(header)
        layout.addLayout(body)
