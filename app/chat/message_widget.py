"""What a user's message and an answer have in common: the row of actions, and their place in the history."""

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QGuiApplication
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.chat.message_actions import MessageActions
from app.theme import SPACE_S

COPIED_MS = 1500


class MessageWidget(QWidget):
    """`message_id` is None until the message is stored."""

    chosen = Signal(int)  # another version of the message
    branch_asked = Signal(int)
    compare_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message_id: int | None = None
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.row = MessageActions(self)
        self.row.chosen.connect(self.chosen)
        self.copy_button = self.row.add(self.tr("Copy"), self.copy_hint(), self.copy)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(SPACE_S)

    @property
    def source(self) -> str:
        raise NotImplementedError

    def place(self, message: int, siblings: tuple[int, ...]) -> None:
        """Where it stands in the history."""
        self.message_id = message
        self.row.show_versions(siblings, message)

    def offer(self, last: bool, ready: bool) -> None:
        """Whether it is the last message, and whether an answer can be asked for now."""
        self.row.always(last)

    def copy_hint(self) -> str:
        return self.tr("Copy the message")

    def copied(self) -> str:
        """What Copy puts into the clipboard."""
        return self.source

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self.copied())
        self.copy_button.setText(self.tr("Copied"))
        QTimer.singleShot(COPIED_MS, self.copy_button, lambda: self.copy_button.setText(self.tr("Copy")))

    def fit_to(self, width: int) -> None:
        """The column is so many pixels wide."""
        raise NotImplementedError

    def in_use(self) -> bool:
        """It holds something that would be lost if it were built again."""
        raise NotImplementedError

    def restyle(self) -> None:
        """New colours or sizes."""
        raise NotImplementedError

    def part_at(self, _y: int) -> QWidget:
        """The part of it that is `y` pixels below its top: what a reader looks at."""
        return self

    def lit_part(self) -> QWidget:
        """What lights up when the message was looked for."""
        return self

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.row.point(True)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.row.point(False)

    def _enable(self, button: QPushButton, name: str, ready: bool) -> None:
        """What asks for an answer waits for the one that is coming, and says so."""
        button.setEnabled(ready)
        button.setToolTip(name if ready else self.tr("Wait until the answer has ended, or stop it."))

    def _add_branch(self) -> None:
        name = self.tr("Open a new chat that holds everything up to here")
        self.branch_button = self.row.add(self.tr("Branch"), name, self._branch)

    def _branch(self) -> None:
        if self.message_id is not None:
            self.branch_asked.emit(self.message_id)

    def _add_compare(self) -> None:
        name = self.tr("Answer this plainly and with speculation, and compare")
        self.compare_button = self.row.add(self.tr("Compare"), name, self._compare)

    def _compare(self) -> None:
        if self.message_id is not None:
            self.compare_asked.emit(self.message_id)
