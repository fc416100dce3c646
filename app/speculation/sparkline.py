"""Tokens per pass over the answer, as a small line."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.speculation import numbers
from app.speculation.chart import Chart, accent, muted

HEIGHT = 52
DOT = 3.0
GAP = 6.0
PLAIN = 1.0  # tokens per pass without drafts


class Sparkline(Chart):
    """From zero to the peak; the dashed line is plain decoding, one token a pass."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Tokens per pass over the answer", parent)
        self._values: list[float] = []

    def show_values(self, values: Sequence[float]) -> None:
        self._values = list(values)
        self.describe(self._description())

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_plain(painter)
        if self._values:
            self._paint_line(painter)

    def _paint_plain(self, painter: QPainter) -> None:
        y = self._y(PLAIN)
        painter.setPen(muted())
        self._paint_mark(painter, PLAIN)
        if y - self._y(self._top) > self.metrics.height():
            self._paint_mark(painter, self._top)
        painter.setPen(QPen(muted(), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(self._left, y), QPointF(self.width(), y))

    def _paint_mark(self, painter: QPainter, value: float) -> None:
        height = self.metrics.height()
        y = min(max(self._y(value) - height / 2, 0.0), self.height() - height)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(0, y, self._left - GAP, height), right, _mark(value))

    def _paint_line(self, painter: QPainter) -> None:
        points = [QPointF(self._x(i), self._y(value)) for i, value in enumerate(self._values)]
        floor = float(self.height())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent(0.18))
        painter.drawPolygon([*points, QPointF(points[-1].x(), floor), QPointF(points[0].x(), floor)])
        painter.setPen(QPen(accent(), 1.5))
        painter.drawPolyline(points)
        painter.setBrush(accent())
        painter.drawEllipse(points[-1], DOT, DOT)

    @property
    def _top(self) -> float:
        return max(2.0, *self._values) if self._values else 2.0

    @property
    def _left(self) -> float:
        return max(self.metrics.horizontalAdvance(_mark(value)) for value in (PLAIN, self._top)) + GAP

    def _x(self, index: int) -> float:
        room = self.width() - self._left - DOT - 1
        return self._left + room * index / max(1, len(self._values) - 1)

    def _y(self, value: float) -> float:
        room = self.height() - 2 * DOT - 2
        return DOT + 1 + room * (1.0 - value / self._top)

    def _description(self) -> str:
        if not self._values:
            return "No pass yet"
        now, peak = self._values[-1], max(self._values)
        mean = sum(self._values) / len(self._values)
        return (
            f"Now {numbers.decimal(now)}, mean {numbers.decimal(mean)}, peak {numbers.decimal(peak)}; "
            "plain decoding is 1"
        )


def _mark(value: float) -> str:
    return numbers.decimal(value, 0 if value == int(value) else 1)
