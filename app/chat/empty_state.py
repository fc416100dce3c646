"""What an empty chat shows: one sentence and three messages to try."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.theme import SPACE_L, SPACE_S, SPACE_XL


class EmptyState(QWidget):
    picked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = QLabel(self.tr("What would you like to know?"), self)
        title.setProperty("kind", "title")
        title.setWordWrap(True)
        hint = QLabel(
            self.tr(
                "Slipstream guesses several words ahead and lets the model check them at once: the same answer, "
                "sooner, and all of it on this computer."
            ),
            self,
        )
        hint.setProperty("kind", "muted")
        hint.setWordWrap(True)
        column = QVBoxLayout()
        column.setSpacing(SPACE_S)
        column.addWidget(title)
        column.addWidget(hint)
        column.addSpacing(SPACE_L)
        for example in self._examples():
            button = QPushButton(example, self)
            button.setProperty("kind", "example")
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(lambda _checked=False, text=example: self.picked.emit(text))
            button.setMinimumWidth(0)
            column.addWidget(button)
        frame = QWidget(self)
        frame.setMaximumWidth(560)
        frame.setLayout(column)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        outer.addStretch(2)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(frame, 100)
        row.addStretch(1)
        outer.addLayout(row)
        outer.addStretch(3)

    def _examples(self) -> list[str]:
        return [
            self.tr("Explain how a hash table works, with a short Python example"),
            self.tr("Make a table of three sorting algorithms: idea, time, memory"),
            self.tr("Rewrite this more clearly: the meeting was held by us on Monday"),
        ]
