"""A layout that fills rows and begins a new one where the width ends."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """`across` and `down`: pixels between items and between rows. In right-to-left windows rows begin at the right."""

    def __init__(self, across: int = 8, down: int = 8, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._across, self._down = across, down
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max((place.bottom() + 1 for place in self._places(width)), default=0)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        parent = self.parentWidget()
        mirrored = parent is not None and parent.layoutDirection() is Qt.LayoutDirection.RightToLeft
        for item, place in zip(self._shown(), self._places(rect.width()), strict=True):
            if mirrored:
                place.moveLeft(rect.width() - place.right() - 1)
            item.setGeometry(place.translated(rect.topLeft()))

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._shown():
            size = size.expandedTo(item.minimumSize())
        return size

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _places(self, width: int) -> list[QRect]:
        places: list[QRect] = []
        corner, bottom = QPoint(0, 0), 0
        for item in self._shown():
            size = item.sizeHint()
            if corner.x() and corner.x() + size.width() > width:
                corner = QPoint(0, bottom + self._down)
            places.append(QRect(corner, size))
            bottom = max(bottom, corner.y() + size.height())
            corner += QPoint(size.width() + self._across, 0)
        return places
