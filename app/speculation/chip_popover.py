"""Why speculation is in the state it is in, and what can be done about it: opens below the chip."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.speculation.figure_rows import plain_label
from app.speculation.state import State
from app.theme import SPACE_M, SPACE_S, SPACE_XS

WIDTH = 340


@dataclass(frozen=True, slots=True)
class Remedy:
    """Something that can be done: its name, and what does it."""

    text: str
    run: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Drafter:
    """A way to guess tokens: `missing` says why this pair hasn't it, else "" ."""

    name: str
    missing: str = ""


class ChipPopover(QFrame):
    def __init__(
        self, state: State, drafters: Sequence[Drafter], remedies: Sequence[Remedy], parent: QWidget
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("popover")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(self.tr("Speculation: {state}").format(state=state.text))
        self.setAccessibleDescription(state.tip)
        self.setFixedWidth(WIDTH)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_M)
        column.setSpacing(SPACE_S)
        column.addWidget(plain_label(state.text, "heading"))
        if state.tip:
            column.addWidget(plain_label(state.tip))
        if drafters:
            column.addSpacing(SPACE_XS)
            column.addWidget(plain_label(self.tr("What can guess with this pair"), "small"))
            for drafter in drafters:
                column.addLayout(_line(drafter))
        self.buttons = [self._button(remedy) for remedy in remedies]
        if self.buttons:
            column.addSpacing(SPACE_XS)
        for button in self.buttons:
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)

    def open_below(self, chip: QWidget) -> None:
        """Inside the window of the chip where there is room."""
        layout = self.layout()
        if layout is not None:
            self.setFixedHeight(layout.heightForWidth(WIDTH))  # of its wrapped lines
        window = chip.window()
        corner = chip.mapTo(window, QPoint(0, chip.height() + SPACE_XS))
        if self.isRightToLeft():
            corner.setX(corner.x() + chip.width() - self.width())
        corner.setX(max(SPACE_S, min(corner.x(), window.width() - self.width() - SPACE_S)))
        self.move(window.mapToGlobal(corner))
        self.show()
        if self.buttons:
            self.buttons[0].setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def _button(self, remedy: Remedy) -> QPushButton:
        button = QPushButton(remedy.text, self)
        button.clicked.connect(lambda _checked=False: (self.close(), remedy.run()))
        return button


def _line(drafter: Drafter) -> QHBoxLayout:
    """Present or missing by a sign and by words, not by colour."""
    row = QHBoxLayout()
    row.setSpacing(SPACE_S)
    sign = QLabel("–" if drafter.missing else "✓")
    sign.setFixedWidth(sign.fontMetrics().horizontalAdvance("✓"))
    row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
    text = f"{drafter.name}: {drafter.missing}" if drafter.missing else drafter.name
    row.addWidget(plain_label(text, "muted" if drafter.missing else ""), 1)
    return row
