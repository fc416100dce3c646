"""A file as a chip: its name and its size; with a way to remove it as long as it isn't sent."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.attachments.document import Document
from app.attachments.words import facts
from app.icons import Icon, IconButton
from app.theme import SPACE_S, SPACE_XS

WIDEST_NAME = 22  # times the width of an x


class Chip(QFrame):
    remove_asked = Signal()

    def __init__(self, name: str, told: str, removable: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("fileChip")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.name = name
        self.told = told
        self.setAccessibleName(f"{name}, {told}")
        self.setToolTip(f"<p>{escape(name)}</p>")  # a name is never read as HTML
        label = QLabel(self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        metrics = QFontMetrics(label.font())
        widest = WIDEST_NAME * metrics.horizontalAdvance("x")
        label.setText(metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, widest))
        small = QLabel(told, self)
        small.setProperty("kind", "small")
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_S, SPACE_XS, SPACE_XS if removable else SPACE_S, SPACE_XS)
        row.setSpacing(SPACE_XS + 2)
        row.addWidget(Icon("file", self))
        row.addWidget(label)
        row.addWidget(small)
        self.button: IconButton | None = None
        if removable:
            self.button = IconButton("cross", self.tr("Remove {name}").format(name=name), self)
            self.button.clicked.connect(self.remove_asked)
            row.addWidget(self.button)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.button is not None and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.remove_asked.emit()
        else:
            super().keyPressEvent(event)


class SentFiles(QWidget):
    """The chips above a message that was sent."""

    def __init__(self, documents: Sequence[Document], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        names = ", ".join(document.name for document in documents)
        self.setAccessibleName(self.tr("Attached: {names}").format(names=names))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_XS)
        for document in documents:
            chip = Chip(document.name, facts(document), removable=False, parent=self)
            column.addWidget(chip, 0, Qt.AlignmentFlag.AlignRight)
