"""Acceptance by position in the draft, as bars with their counts."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.speculation import numbers
from app.speculation.chart import Chart, accent, muted
from app.theme import SPACE_S, SPACE_XS, colours

ROWS = 8  # later positions share one more row
RADIUS = 2.0


@dataclass(frozen=True, slots=True)
class Row:
    """`drafted` tokens stood at these positions (counted from 1), and `accepted` of them were accepted."""

    label: str
    drafted: int
    accepted: int

    @property
    def rate(self) -> float:
        return self.accepted / self.drafted if self.drafted else 0.0

    @property
    def counts(self) -> str:
        return f"{numbers.whole(self.accepted)}/{numbers.whole(self.drafted)}"


def rows_of(accepted_by_position: Sequence[tuple[int, int]]) -> list[Row]:
    """(drafted, accepted) of each position, as in Stats, to at most nine rows."""
    rows = [
        Row(str(index + 1), drafted, accepted)
        for index, (drafted, accepted) in enumerate(accepted_by_position[:ROWS])
    ]
    rest = accepted_by_position[ROWS:]
    if rest:
        last = len(accepted_by_position)
        label = f"{ROWS + 1}–{last}" if len(rest) > 1 else str(last)
        rows.append(Row(label, sum(d for d, _ in rest), sum(a for _, a in rest)))
    return rows


class PositionBars(Chart):
    """Accepted is filled, rejected is hatched: the difference needs no colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Right guesses by their position in the pass"), parent)
        self._rows: list[Row] = []

    def show_positions(self, accepted_by_position: Sequence[tuple[int, int]]) -> None:
        rows = rows_of(accepted_by_position)
        if len(rows) != len(self._rows):
            self.updateGeometry()
        self._rows = rows
        self.describe(self._description())

    def sizeHint(self) -> QSize:
        return QSize(200, self._row_height * max(1, len(self._rows)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self._rows:
            painter.setPen(muted())
            painter.drawText(
                self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._description()
            )
        columns = self._columns()
        for index, row in enumerate(self._rows):
            self._paint_row(painter, row, index * self._row_height, columns)

    @property
    def _row_height(self) -> int:
        return self.metrics.height() + SPACE_XS

    def _columns(self) -> tuple[float, float, float]:
        """Widths of label, percentage and counts; the bar has the rest."""
        advance = self.metrics.horizontalAdvance
        labels = max((advance(row.label) for row in self._rows), default=0)
        counts = max((advance(row.counts) for row in self._rows), default=0)
        return labels, advance(numbers.percent(1.0)), counts

    def _paint_row(self, painter: QPainter, row: Row, top: int, columns: tuple[float, float, float]) -> None:
        label, rate, counts = columns
        height = self._row_height
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.setPen(muted())
        painter.drawText(QRectF(0, top, label, height), right, row.label)
        painter.drawText(QRectF(self.width() - counts, top, counts, height), right, row.counts)
        painter.setPen(QColor(colours().text))
        end = self.width() - counts - SPACE_S
        painter.drawText(QRectF(end - rate, top, rate, height), right, numbers.percent(row.rate))
        start = label + SPACE_S
        width = end - rate - SPACE_S - start
        if width > SPACE_S:
            bar = QRectF(start, top + height * 0.22, width, height * 0.56)
            self._paint_bar(painter, bar, row.rate)

    def _paint_bar(self, painter: QPainter, bar: QRectF, rate: float) -> None:
        painter.setPen(QPen(QColor(colours().control), 1))
        painter.setBrush(QBrush(QColor(colours().control), Qt.BrushStyle.BDiagPattern))
        painter.drawRoundedRect(bar.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        if rate > 0:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(accent())
            bar.setWidth(max(RADIUS, bar.width() * rate))
            painter.drawRoundedRect(bar, RADIUS, RADIUS)

    def _description(self) -> str:
        text = self.tr("position {position}: {rate}, {counts}")
        told = (
            text.format(position=row.label, rate=numbers.percent(row.rate), counts=row.counts)
            for row in self._rows
        )
        return "; ".join(told) or self.tr("Nothing guessed yet")
