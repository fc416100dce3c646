"""The scrolling conversation: follows the end unless the reader has left it; old messages come on demand."""

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.chat.message import AssistantMessage, MessageWidget
from app.theme import SPACE_L, SPACE_XL, Appearance

COLUMN = 760
FIRST_BATCH = 24  # messages built when a conversation opens
BATCH = 8  # built each time the reader comes near the top
AT_END = 4  # pixels

Build = Callable[[], MessageWidget]


def side_margin(width: int) -> int:
    """Centres the column of text in `width` pixels."""
    return max(SPACE_L, (width - COLUMN) // 2)


class Transcript(QScrollArea):
    """`following` is True while new text keeps the view at the end."""

    following_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.following = True
        self._older: deque[Build] = deque()
        self._messages: list[MessageWidget] = []
        self._body = QWidget(self)
        self._body.setAutoFillBackground(True)  # opaque: what lies behind is not painted with every word
        self._column = QVBoxLayout(self._body)
        self._column.setSpacing(SPACE_XL)
        self._column.addStretch(1)
        self.setWidget(self._body)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # the text never jumps sideways
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Conversation")
        self.jump = QPushButton("Jump to latest ↓", self)
        self.jump.setObjectName("jump")
        self.jump.clicked.connect(self.follow)
        self.jump.hide()
        self.verticalScrollBar().rangeChanged.connect(self._range_changed)
        self.verticalScrollBar().valueChanged.connect(self._moved)
        Appearance.shared().changed.connect(self.restyle)

    @property
    def messages(self) -> list[MessageWidget]:
        """Those that are built, oldest first."""
        return list(self._messages)

    def clear(self) -> None:
        self._older.clear()
        for message in self._messages:
            self._column.removeWidget(message)
            message.hide()
            message.deleteLater()
        self._messages = []
        self.follow()

    def show_all(self, builders: list[Build]) -> None:
        """Shows a conversation: the newest messages now, the rest when the reader scrolls up."""
        self.clear()
        self._older.extend(builders)
        self._build_older(FIRST_BATCH)
        self.follow()

    def add(self, message: MessageWidget) -> None:
        self._messages.append(message)
        self._column.insertWidget(self._column.count() - 1, message)
        message.fit_to(self._column_width())

    def remove(self, message: MessageWidget) -> None:
        self._messages.remove(message)
        self._column.removeWidget(message)
        message.hide()
        message.deleteLater()

    def last_answer(self) -> AssistantMessage | None:
        last = self._messages[-1] if self._messages else None
        return last if isinstance(last, AssistantMessage) else None

    def follow(self) -> None:
        self._set_following(True)
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())

    def restyle(self) -> None:
        for message in self._messages:
            message.restyle()
            message.fit_to(self._column_width())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.angleDelta().y() > 0 and self.verticalScrollBar().value() > 0:
            self._set_following(False)
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_End:
            self.follow()
        elif event.key() == Qt.Key.Key_Home:
            self._set_following(False)
            self.verticalScrollBar().setValue(0)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        side = side_margin(self.viewport().width())
        self._column.setContentsMargins(side, SPACE_XL, side, SPACE_XL)
        super().resizeEvent(event)
        for message in self._messages:
            message.fit_to(self._column_width())
        self.jump.adjustSize()
        self.jump.move((self.width() - self.jump.width()) // 2, self.height() - self.jump.height() - SPACE_L)

    def _column_width(self) -> int:
        margins = self._column.contentsMargins()
        return max(self.viewport().width() - margins.left() - margins.right(), 1)

    def _range_changed(self, _low: int, high: int) -> None:
        bar = self.verticalScrollBar()
        bar.setEnabled(high > 0)  # its handle is hidden when there is nothing to scroll
        if self.following:
            bar.setValue(high)

    def _moved(self, value: int) -> None:
        bar = self.verticalScrollBar()
        self._set_following(value >= bar.maximum() - AT_END)
        if value < self.viewport().height() and self._older and not self.following:
            QTimer.singleShot(0, self, self._more)

    def _more(self) -> None:
        """Builds older messages above and keeps what the reader sees where it is."""
        bar = self.verticalScrollBar()
        if not self._older or bar.value() >= self.viewport().height():
            return
        from_end = bar.maximum() - bar.value()
        self._build_older(BATCH)
        self._column.activate()
        self._body.adjustSize()
        bar.setValue(bar.maximum() - from_end)

    def _build_older(self, count: int) -> None:
        for _ in range(min(count, len(self._older))):
            message = self._older.pop()()
            self._messages.insert(0, message)
            self._column.insertWidget(0, message)
            message.fit_to(self._column_width())

    def _set_following(self, following: bool) -> None:
        if following != self.following:
            self.following = following
            self.following_changed.emit(following)
        self.jump.setVisible(not following)
