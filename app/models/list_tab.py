"""A list and the details of its current row, side by side or, where it is narrow, one above the other."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.models.details import Details
from app.models.model_list import ModelList
from app.theme import SPACE_M, SPACE_S

NARROW = 36  # times the height of the text
SHARES = (46, 54)  # of the list and of the details


class ListTab(QWidget):
    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = ModelList(name, self)
        self.details = Details(self)
        self._splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(1)
        self._splitter.addWidget(self.list)
        self._splitter.addWidget(self.details)
        for place, share in enumerate(SHARES):
            self._splitter.setStretchFactor(place, share)
        self._shared = False  # the shares were given once; after that they are the user's
        self.top = QVBoxLayout()
        self.top.setContentsMargins(0, 0, 0, 0)
        self.top.setSpacing(SPACE_S)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, SPACE_M, 0, 0)
        column.setSpacing(SPACE_M)
        column.addLayout(self.top)
        column.addWidget(self._splitter, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < NARROW * self.fontMetrics().height()
        wanted = Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal
        if self._splitter.orientation() is not wanted or not self._shared:
            self._shared = True
            self._splitter.setOrientation(wanted)
            self._splitter.setSizes([10 * share for share in SHARES])
