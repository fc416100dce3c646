"""Tokens per second over the answer, as a small line, with the plain speed as another."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.speculation import numbers
from app.speculation.chart import Chart, accent, muted

HEIGHT = 60
DOT = 3.0
GAP = 6.0
HEADROOM = 1.15  # above the highest speed
STEPS = (
    1,
    1.5,
    2,
    3,
    4,
    6,
    8,
)  # the scale ends at one of these times a power of ten, so that it rarely moves


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


def calm_top(highest: float) -> float:
    """The next of 1, 1.5, 2, 3, 4, 6, 8, 10, 15 … above the highest speed."""
    unit = 1.0
    while True:
        for step in STEPS:
            if step * unit >= highest:
                return step * unit
        unit *= 10


class Sparkline(Chart):
    """From zero up; the dashed line is plain decoding, if it was measured."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Tokens per second over the answer"), parent)
        self._values: list[float] = []
        self._plain: float | None = None

    def show_speeds(self, values: Sequence[float], plain: float | None) -> None:
        self._values, self._plain = list(values), plain
        self.describe(self._description())

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self._values:
            painter.setPen(muted())
            painter.drawText(
                self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._description()
            )
            return
        scale = self._scale()
        self._paint_ground(painter, scale)
        self._paint_line(painter, scale)

    def _scale(self) -> Scale:
        top = calm_top(max(HEADROOM * max(self._values), HEADROOM * (self._plain or 0.0), 1.0))
        marks = [top] if self._plain is None else [top, self._plain]
        return Scale(
            top=top,
            floor=self.height() - DOT - 1,
            ceiling=DOT + 1,
            left=max(self.metrics.horizontalAdvance(_mark(value)) for value in marks) + GAP,
            right=self.width() - DOT - 1,
            count=len(self._values),
        )

    def _paint_ground(self, painter: QPainter, scale: Scale) -> None:
        """The marks at the left, the base line, the plain speed."""
        painter.setPen(muted())
        plain = self._plain
        if plain is None or scale.y(plain) - scale.ceiling > self.metrics.height():
            self._paint_mark(painter, scale, scale.top)
        faint = muted()
        faint.setAlphaF(0.35)
        painter.setPen(QPen(faint, 1))
        painter.drawLine(QPointF(scale.left, scale.floor), QPointF(self.width(), scale.floor))
        if plain is not None:
            painter.setPen(muted())
            self._paint_mark(painter, scale, plain)
            painter.setPen(QPen(muted(), 1, Qt.PenStyle.DashLine))
            y = round(scale.y(plain)) + 0.5
            painter.drawLine(QPointF(scale.left, y), QPointF(self.width(), y))

    def _paint_mark(self, painter: QPainter, scale: Scale, value: float) -> None:
        height = self.metrics.height()
        y = min(max(scale.y(value) - height / 2, 0.0), self.height() - height)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(0, y, scale.left - GAP, height), right, _mark(value))

    def _paint_line(self, painter: QPainter, scale: Scale) -> None:
        points = [scale.point(index, value) for index, value in enumerate(self._values)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent(0.18))
        painter.setRenderHint(
            QPainter.RenderHint.Antialiasing, False
        )  # the line covers this edge; 1.6 ms less
        ends = [QPointF(points[-1].x(), scale.floor), QPointF(points[0].x(), scale.floor)]
        painter.drawPolygon([*points, *ends])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(accent(), 1.5))
        painter.drawPolyline(points)
        painter.setBrush(accent())
        painter.drawEllipse(points[-1], DOT, DOT)

    def _description(self) -> str:
        if not self._values:
            return self.tr("Nothing measured yet")
        now, peak = self._values[-1], max(self._values)
        text = self.tr("Now {now}, highest {peak}").format(now=numbers.speed(now), peak=numbers.speed(peak))
        if self._plain is None:
            return text
        return f"{text}; " + self.tr("plain decoding {plain}").format(plain=numbers.speed(self._plain))


def _mark(value: float) -> str:
    return numbers.decimal(value, 0 if value >= 10 or value == int(value) else 1)
