"""A sentence with an optional action, inline where it belongs."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from app.theme import SPACE_M, SPACE_S


class Notice(QFrame):
    """`tone` is "error" or "plain"."""

    def __init__(
        self,
        sentence: str,
        action: str = "",
        run: Callable[[], object] | None = None,
        tone: str = "error",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setProperty("tone", tone)
        self.sentence = sentence
        label = QLabel(sentence, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        label.setAccessibleName(sentence)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE_M, SPACE_S, SPACE_S, SPACE_S)
        layout.setSpacing(SPACE_M)
        layout.addWidget(label, 1)
        self.button: QPushButton | None = None
        if action and run is not None:
            self.button = QPushButton(action, self)
            self.button.clicked.connect(lambda _checked=False: run())
            layout.addWidget(self.button)
