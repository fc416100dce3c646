"""Says what was deleted and takes it back; no question before, no time limit after."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from app.theme import SPACE_M, SPACE_S

TITLE_CHARS = 28


class UndoBar(QWidget):
    undo_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = QLabel(self)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setProperty("kind", "small")
        self._text.setWordWrap(True)
        self.button = QPushButton(self.tr("Undo"), self)
        self.button.setAccessibleName(self.tr("Undo the deletion"))
        self.button.clicked.connect(self.undo_asked)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_M, 0, 0, 0)
        row.setSpacing(SPACE_S)
        row.addWidget(self._text, 1)
        row.addWidget(self.button)
        self.hide()

    def offer(self, title: str) -> str:
        """What it says."""
        self._text.setText(self.tr("Deleted “{title}”").format(title=_short(title)))
        self.show()
        return self._text.text()


def _short(title: str) -> str:
    return title if len(title) <= TITLE_CHARS else title[: TITLE_CHARS - 1] + "…"
