"""The row below a message: what can be done with it, and its other versions."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from app.theme import SPACE_L


class ActionButton(QPushButton):
    """Text only. One that is not `seen` keeps its place, and can be reached by Tab."""

    focus_changed = Signal()

    def __init__(self, text: str, name: str, run: Callable[[], object], parent: QWidget) -> None:
        super().__init__(text, parent)
        self.seen = True
        self.setProperty("kind", "action")
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(lambda _checked=False: run())

    def show_as(self, seen: bool) -> None:
        if seen != self.seen:
            self.seen = seen
            self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.seen:
            super().paintEvent(event)


class MessageActions(QWidget):
    """Seen while the pointer or the focus is at the message, and below the last one; `add` goes from left to right."""

    chosen = Signal(int)  # another version

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._buttons: list[ActionButton] = []
        self._always = self._pointed = False
        self._siblings: tuple[int, ...] = ()
        self._at = 0
        self.previous = self._button("", self.tr("Previous version"), lambda: self._step(-1))
        self.next = self._button("", self.tr("Next version"), lambda: self._step(1))
        self.versions = QLabel(self)
        self.versions.setProperty("kind", "small")
        self._navigation = self._build_navigation()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(SPACE_L)
        self._row.addWidget(self._navigation)
        self._point_outwards()
        self.show_versions(())

    def add(self, text: str, name: str, run: Callable[[], object]) -> ActionButton:
        button = self._button(text, name, run)
        self._buttons.append(button)
        button.focus_changed.connect(self._show)
        self._row.addWidget(button)
        self._show()
        return button

    def push_left(self) -> None:
        self._row.addStretch(1)

    def push_right(self) -> None:
        """The versions then come last: nothing is unseen beside them."""
        self._row.insertStretch(0, 1)
        self._row.addWidget(self._navigation)

    def show_versions(self, siblings: tuple[int, ...], message: int | None = None) -> None:
        """ "‹ 2/3 ›", when there is more than one."""
        self._siblings = siblings
        self._at = siblings.index(message) if message in siblings else 0
        self._navigation.setVisible(len(siblings) > 1)
        self.versions.setText(f"{self._at + 1}/{len(siblings)}")
        self.versions.setAccessibleName(
            self.tr("Version {number} of {count}").format(number=self._at + 1, count=len(siblings))
        )
        self.previous.setEnabled(self._at > 0)
        self.next.setEnabled(self._at < len(siblings) - 1)

    def always(self, seen: bool) -> None:
        self._always = seen
        self._show()

    def point(self, pointed: bool) -> None:
        self._pointed = pointed
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LayoutDirectionChange:
            self._point_outwards()

    def _point_outwards(self) -> None:
        marks = "‹›" if self.layoutDirection() is Qt.LayoutDirection.LeftToRight else "›‹"
        self.previous.setText(marks[0])
        self.next.setText(marks[1])

    def _show(self) -> None:
        seen = self._always or self._pointed or any(button.hasFocus() for button in self._buttons)
        for button in self._buttons:
            button.show_as(seen)

    def _step(self, by: int) -> None:
        self.chosen.emit(self._siblings[self._at + by])

    def _button(self, text: str, name: str, run: Callable[[], object]) -> ActionButton:
        return ActionButton(text, name, run, self)

    def _build_navigation(self) -> QWidget:
        holder = QWidget(self)
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for widget in (self.previous, self.versions, self.next):
            row.addWidget(widget)
        for button in (self.previous, self.next):
            button.setProperty("kind", "chevron")
        return holder
