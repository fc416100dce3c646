"""What the reader looks at, and where: the view is moved so that it stays there, whatever grows or is built above."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QScrollArea, QWidget
from shiboken6 import isValid

from app.chat.entry import Entry


class Anchor:
    """A part of an entry (a block of an answer), and how many pixels below the top of `area`'s view it is."""

    def __init__(self, area: QScrollArea) -> None:
        self._area = area
        self._entry: Entry | None = None
        self._part: QWidget | None = None
        self._below = 0
        self.pinned = True  # to the conversation's end: nothing is held
        self.holding = False  # the view is being moved to stay where it is: the reader has not scrolled
        self.missed = False  # it could not be held, or to blank space only

    def look(self, seen: Sequence[Entry]) -> None:
        """Notes the first part that can be seen, of a message that is built if there is one."""
        top = self._area.verticalScrollBar().value()
        first = next((entry for entry in seen if entry.widget is not None), seen[0] if seen else None)
        self._entry = first
        if first is not None:
            self._part = first.place if first.widget is None else first.widget.part_at(top - first.place.y())
            self._below = self._height(first) - top
        self.missed = False

    def hold(self) -> None:
        """Brings it back to where it was."""
        if self._entry is None or self.pinned:
            return
        bar, value = self._area.verticalScrollBar(), self._height(self._entry) - self._below
        self.holding = True
        try:
            bar.setValue(value)
        finally:
            self.holding = False
        self.missed = self.missed or bar.value() != value

    def forget(self, gone: Sequence[Entry]) -> None:
        if self._entry in gone:
            self._entry = None

    def built(self, entry: Entry, blank: int) -> None:
        """There are `blank` pixels less: the view is as far into the message as it was into the blank space."""
        if entry is self._entry and entry.widget is not None:
            self._part = entry.widget
            self._below = round(self._below * entry.widget.sizeHint().height() / max(blank, 1))
            self.missed = True

    def _height(self, entry: Entry) -> int:
        """Pixels from the column's top; a part that is gone counts as its message."""
        body, part = self._area.widget(), self._part
        assert body is not None
        if part is None or not isValid(part) or part.isHidden() or not body.isAncestorOf(part):
            part = self._part = entry.place
        return part.mapTo(body, QPoint(0, 0)).y()
