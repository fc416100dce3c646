"""Tokens per pass over the answer, as a small line."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.speculation import numbers
from app.speculation.chart import Chart, accent, muted

HEIGHT = 52
DOT = 3.0
GAP = 6.0
PLAIN = 1.0  # tokens per pass without drafts
LOWEST_TOP = 2.0  # so that plain decoding is not drawn at the top


@dataclass(frozen=True, slots=True)
class Scale:
    """From values to pixels: value 0 at `floor`, `top` at `ceiling`; the first of `count` points at `left`."""

    top: float
    floor: float
    ceiling: float
    left: float
    right: float
    count: int

    def y(self, value: float) -> float:
        return self.floor + (self.ceiling - self.floor) * value / self.top

    def point(self, index: int, value: float) -> QPointF:
        x = self.left + (self.right - self.left) * index / max(1, self.count - 1)
        return QPointF(x, self.y(value))


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
        scale = self._scale()
        self._paint_plain(painter, scale)
        if self._values:
            self._paint_line(painter, scale)

    def _scale(self) -> Scale:
        top = max(LOWEST_TOP, *self._values) if self._values else LOWEST_TOP
        return Scale(
            top=top,
            floor=self.height() - DOT - 1,
            ceiling=DOT + 1,
            left=max(self.metrics.horizontalAdvance(_mark(value)) for value in (PLAIN, top)) + GAP,
            right=self.width() - DOT - 1,
            count=len(self._values),
        )

    def _paint_plain(self, painter: QPainter, scale: Scale) -> None:
        y = scale.y(PLAIN)
        painter.setPen(muted())
        self._paint_mark(painter, scale, PLAIN)
        if y - scale.ceiling > self.metrics.height():
            self._paint_mark(painter, scale, scale.top)
        painter.setPen(QPen(muted(), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(scale.left, y), QPointF(self.width(), y))

    def _paint_mark(self, painter: QPainter, scale: Scale, value: float) -> None:
        height = self.metrics.height()
        y = min(max(scale.y(value) - height / 2, 0.0), self.height() - height)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(0, y, scale.left - GAP, height), right, _mark(value))

    def _paint_line(self, painter: QPainter, scale: Scale) -> None:
        points = [scale.point(index, value) for index, value in enumerate(self._values)]
        floor = float(self.height())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent(0.18))
        painter.setRenderHint(
            QPainter.RenderHint.Antialiasing, False
        )  # the line covers this edge; 1.6 ms less
        painter.drawPolygon([*points, QPointF(points[-1].x(), floor), QPointF(points[0].x(), floor)])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(accent(), 1.5))
        painter.drawPolyline(points)
        painter.setBrush(accent())
        painter.drawEllipse(points[-1], DOT, DOT)

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
