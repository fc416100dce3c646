"""Says above the composer why nothing can be sent: the model is answering in another conversation."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from app.theme import SPACE_L, SPACE_S


class BusyBar(QWidget):
    show_asked = Signal()
    stop_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sentence = ""
        self._label = QLabel(self)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setProperty("kind", "small")
        self._label.setWordWrap(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, SPACE_S)
        row.setSpacing(SPACE_L)
        row.addWidget(self._label, 1)
        self.show_button = self._button(self.tr("Show it"), self.show_asked)
        self.stop_button = self._button(self.tr("Stop it"), self.stop_asked)
        row.addWidget(self.show_button)
        row.addWidget(self.stop_button)
        self.hide()

    def say(self, title: str) -> None:
        self.sentence = self.tr(
            "“{title}” is being answered. You can send this when the answer has ended."
        ).format(title=title)
        self._label.setText(self.sentence)
        self.show()

    def _button(self, text: str, signal: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setProperty("kind", "action")
        button.clicked.connect(signal)
        return button
