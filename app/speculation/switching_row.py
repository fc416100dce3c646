"""A row whose parts stand below each other where it is narrow."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

SIDEWAYS, STACKED = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom


class SwitchingRow(QWidget):
    """`stacked_below` in pixels of its own width."""

    def __init__(self, stacked_below: int, spacing: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stacked_below = stacked_below
        self.row = QBoxLayout(SIDEWAYS, self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(spacing)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wanted = STACKED if event.size().width() < self._stacked_below else SIDEWAYS
        if self.row.direction() is not wanted:
            self.row.setDirection(wanted)
