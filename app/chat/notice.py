"""A sentence with an optional action, inline where it belongs; and a board for those of the whole window."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.theme import SPACE_L, SPACE_M, SPACE_S


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
        self._mirror()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LayoutDirectionChange:
            self._mirror()

    def _mirror(self) -> None:
        """The edge stands where the sentence begins."""
        self.setProperty("mirrored", self.isRightToLeft())
        self.style().unpolish(self)
        self.style().polish(self)


class NoticeBoard(QWidget):
    """At most one notice a topic, below the header; without an action of its own a notice can be dismissed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notices: dict[str, Notice] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(SPACE_L, SPACE_S, SPACE_L, SPACE_S)
        self._column.setSpacing(SPACE_S)
        self.hide()

    def put(
        self,
        topic: str,
        sentence: str,
        action: str = "",
        run: Callable[[], object] | None = None,
        tone: str = "error",
    ) -> None:
        self.drop(topic)
        notice = Notice(sentence, action or self.tr("Dismiss"), run or (lambda: self.drop(topic)), tone, self)
        self._notices[topic] = notice
        self._column.addWidget(notice)
        self.show()

    def drop(self, topic: str) -> None:
        notice = self._notices.pop(topic, None)
        if notice is not None:
            notice.hide()
            notice.deleteLater()
        self.setVisible(bool(self._notices))

    def get(self, topic: str) -> Notice | None:
        return self._notices.get(topic)
