"""What an empty chat shows: what Slipstream does, and three messages to try."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.chat.lesson import Lesson
from app.theme import SPACE_L, SPACE_S, SPACE_XL

WIDEST = 600


class Example(QPushButton):
    """A message to try; what does not fit is elided."""

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(text, parent)
        self._whole = text
        self.setProperty("kind", "example")
        self.setAccessibleName(text)
        self.setToolTip(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = event.size().width() - 2 * (SPACE_L - 1)  # inside the style sheet's padding and border
        self.setText(self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, room))


class EmptyState(QWidget):
    picked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = QLabel(self.tr("What would you like to know?"), self)
        title.setProperty("kind", "title")
        title.setWordWrap(True)
        hint = QLabel(
            self.tr("Slipstream guesses several words ahead, and the model checks them all at once."), self
        )
        hint.setProperty("kind", "muted")
        hint.setWordWrap(True)
        self.lesson = Lesson(self)
        column = QVBoxLayout()
        column.setSpacing(SPACE_S)
        column.addWidget(title)
        column.addWidget(hint)
        column.addSpacing(SPACE_S)
        column.addWidget(self.lesson)
        column.addSpacing(SPACE_L)
        for example in self._examples():
            button = Example(example, self)
            button.clicked.connect(lambda _checked=False, text=example: self.picked.emit(text))
            column.addWidget(button)
        self._frame = QWidget(self)
        self._frame.setMaximumWidth(WIDEST)
        self._frame.setLayout(column)
        column.setContentsMargins(0, 0, 0, 0)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        outer.addStretch(2)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self._frame, 100)
        row.addStretch(1)
        outer.addLayout(row)
        outer.addStretch(3)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is not room for everything, the messages to try are worth more than the lesson."""
        super().resizeEvent(event)
        layout = self._frame.layout()
        assert layout is not None
        width = min(event.size().width() - 2 * SPACE_XL, WIDEST)
        lesson = 0 if self.lesson.isVisibleTo(self) else self.lesson.heightForWidth(width) + SPACE_S
        self.lesson.setVisible(layout.heightForWidth(width) + lesson + 2 * SPACE_XL <= event.size().height())

    def _examples(self) -> list[str]:
        return [
            self.tr("Explain how a hash table works, with a short Python example"),
            self.tr("Make a table of three sorting algorithms: idea, time, memory"),
            self.tr("Rewrite this more clearly: the meeting was held by us on Monday"),
        ]
