"""The bar above the conversation: models, speculation switch, state chip, loading progress."""

import html

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.models.pair_picker import PairPicker
from app.speculation.switch import SpeculationSwitch
from app.state_chip import StateChip
from app.theme import SPACE_L, SPACE_M, SPACE_S
from engine.events import Progress

STEPS = 1000
CHIP_ROOM = 150  # pixels that the name of the switch leaves to the chip


class Header(QWidget):
    def __init__(self, chip: StateChip, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("headerBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.picker = PairPicker(self)
        self.switch = SpeculationSwitch(self)
        self._name = QLabel(self.tr("Speculation"), self)
        self._name.setProperty("kind", "muted")
        meaning = self.tr(
            "Guesses several tokens ahead and lets the model check them at once: the same text, sooner"
        )
        self._name.setToolTip(f"<p>{html.escape(meaning)}</p>")
        self.chip = chip
        self.panel_button = QPushButton(self.tr("Details"), self)
        self.panel_button.setProperty("kind", "toggle")
        self.panel_button.setCheckable(True)
        self.panel_button.setToolTip(self.tr("What speculation does, and what it is worth (Ctrl+Shift+P)"))
        self.panel_button.setAccessibleName(self.tr("Show or hide the speculation panel"))
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Loading"))
        self.bar.hide()
        self._build()

    def show_progress(self, progress: Progress) -> None:
        known = progress.total > 0
        self.bar.setRange(0, STEPS if known else 0)
        if known:
            self.bar.setValue(min(STEPS, progress.done * STEPS // progress.total))
        self.bar.show()

    def show_loading(self) -> None:
        self.bar.setRange(0, 0)
        self.bar.show()

    def loading_done(self) -> None:
        self.bar.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The switch's own name goes first where it is narrow."""
        super().resizeEvent(event)
        shown = (self.picker, self._name, self.switch, self.panel_button)
        needed = sum(widget.sizeHint().width() + SPACE_M for widget in shown) + 2 * SPACE_L + CHIP_ROOM
        self._name.setVisible(needed <= event.size().width())

    def _build(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(SPACE_L, SPACE_S, SPACE_L, SPACE_S)
        row.setSpacing(SPACE_M)
        row.addWidget(self.picker)
        row.addWidget(self._name)
        row.addWidget(self.switch)
        row.addWidget(self.chip)
        row.addStretch(1)
        row.addWidget(self.panel_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(row)
        layout.addWidget(self.bar)
