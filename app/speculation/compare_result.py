"""The verdict, the speedup, both speeds, and what a reader should know of them."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from app.speculation import compare_words as words
from app.speculation import numbers
from app.speculation.compare_bars import SpeedBars
from app.speculation.figure_rows import plain_label, set_text
from app.speculation.switching_row import SwitchingRow
from app.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, SPACE_XS
from engine.comparison import Comparison, Side

STACKED_BELOW = 560  # pixels


class CompareResult(QFrame):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.verdict = plain_label(kind="compareVerdict")
        self.verdict.setAccessibleName(self.tr("Verdict"))
        self.note = plain_label(kind="muted")
        self.speedup = QLabel(self)
        self.speedup.setProperty("kind", "compareNumber")
        self.speedup.setAccessibleName(self.tr("Speedup"))
        self.meaning = plain_label()
        self.spread = plain_label(kind="muted")
        self.bars = SpeedBars(self)
        self.caveats = plain_label(kind="muted")
        self._figures = QGridLayout()
        self._labels: list[tuple[QLabel, QLabel]] = []
        self._build()

    def show_comparison(self, comparison: Comparison, ended: bool) -> None:
        _mark(self.verdict, "different", comparison.divergence is not None)
        set_text(self.verdict, words.verdict(comparison))
        set_text(self.note, words.verdict_note(comparison))
        speedup = comparison.speedup
        _mark(self.speedup, "gains", speedup is not None and speedup.median > 1.0)
        set_text(self.speedup, numbers.NONE if speedup is None else words.times(speedup.median))
        set_text(self.meaning, "" if speedup is None else words.faster(speedup))
        set_text(self.spread, words.spread(comparison))
        self.bars.show_speeds({side: comparison.speed(side) for side in Side})
        for (name, figure), (label, value) in zip(words.figures(comparison), self._labels, strict=True):
            set_text(label, name)
            set_text(value, figure)
            value.setAccessibleName(f"{name}: {figure}")
        set_text(self.caveats, "\n".join(words.caveats(comparison, ended)))
        for label in (self.verdict, self.note, self.caveats):
            label.setVisible(bool(label.text()))

    def restyle(self) -> None:
        self.bars.restyle()

    def _build(self) -> None:
        number = QVBoxLayout()
        number.setSpacing(SPACE_XS)
        for widget in (self.speedup, self.meaning, self.spread):
            number.addWidget(widget)
        number.addStretch(1)
        middle = SwitchingRow(STACKED_BELOW, SPACE_XL)
        middle.row.addLayout(number, 2)
        middle.row.addWidget(self.bars, 3, Qt.AlignmentFlag.AlignVCenter)
        self._lay_out_figures()
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_XL, SPACE_L, SPACE_XL, SPACE_L)
        column.setSpacing(SPACE_S)
        column.addWidget(self.verdict)
        column.addWidget(self.note)
        column.addSpacing(SPACE_S)
        column.addWidget(middle)
        column.addSpacing(SPACE_S)
        column.addLayout(self._figures)
        column.addWidget(self.caveats)

    def _lay_out_figures(self) -> None:
        """Two by two."""
        self._figures.setHorizontalSpacing(SPACE_XL)
        self._figures.setVerticalSpacing(SPACE_M)
        for index in range(4):
            name, value = plain_label(kind="small"), plain_label()
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._labels.append((name, value))
            both = QVBoxLayout()
            both.setSpacing(2)
            both.addWidget(name)
            both.addWidget(value)
            self._figures.addLayout(both, index // 2, index % 2)
            self._figures.setColumnStretch(index % 2, 1)


def _mark(label: QLabel, name: str, value: bool) -> None:
    """A property that the style sheet asks for."""
    if label.property(name) != value:
        label.setProperty(name, value)
        label.style().unpolish(label)
        label.style().polish(label)
