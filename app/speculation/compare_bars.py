"""Both speeds as bars, with the spread of the repeats."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.speculation import compare_words as words
from app.speculation.chart import Chart, accent
from app.theme import SPACE_S, SPACE_XS, colours
from engine.comparison import Side, Spread

BAR = 16
RADIUS = 3.0


class SpeedBars(Chart):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Speed of both sides"), parent)
        self._speeds: dict[Side, Spread | None] = dict.fromkeys(Side)

    def show_speeds(self, speeds: dict[Side, Spread | None]) -> None:
        self._speeds = speeds
        self.describe("; ".join(f"{words.side_name(side)}: {words.speed(speeds[side])}" for side in speeds))

    def sizeHint(self) -> QSize:
        return QSize(240, len(Side) * self._row_height)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.sizeHint().height())

    @property
    def _row_height(self) -> int:
        return self.metrics.height() + SPACE_XS + BAR + SPACE_S

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # each text by its own letters
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        known = [spread.most for spread in self._speeds.values() if spread is not None]
        for index, side in enumerate((Side.SPECULATIVE, Side.PLAIN)):
            self._paint_row(painter, side, index * self._row_height, max(known, default=1.0))

    def _paint_row(self, painter: QPainter, side: Side, top: int, largest: float) -> None:
        spread, height = self._speeds[side], self.metrics.height()
        line = QRectF(0, top, self.width(), height)
        leading, trailing = Qt.AlignmentFlag.AlignLeading, Qt.AlignmentFlag.AlignTrailing
        painter.setPen(QColor(colours().text))
        painter.drawText(line, self._aligned(leading), words.side_name(side))
        painter.drawText(line, self._aligned(trailing), words.speed(spread))
        full = QRectF(0, top + height + SPACE_XS, self.width(), BAR)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours().raised))
        painter.drawRoundedRect(full, RADIUS, RADIUS)
        if spread is None:
            return
        painter.setBrush(accent() if side is Side.SPECULATIVE else QColor(colours().control))
        painter.drawRoundedRect(self._part(full, 0.0, spread.median / largest), RADIUS, RADIUS)
        if spread.most > spread.least:
            self._paint_whisker(painter, self._part(full, spread.least / largest, spread.most / largest))

    def _paint_whisker(self, painter: QPainter, extent: QRectF) -> None:
        painter.setPen(QPen(QColor(colours().text), 1.5))
        middle = extent.center().y()
        left, right = extent.left() + 1, extent.right() - 1
        painter.drawLine(int(left), int(middle), int(right), int(middle))
        for end in (left, right):
            painter.drawLine(int(end), int(middle - BAR / 4), int(end), int(middle + BAR / 4))

    def _part(self, full: QRectF, begin: float, end: float) -> QRectF:
        """From the leading edge, whichever that is."""
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            begin, end = 1.0 - end, 1.0 - begin
        return QRectF(
            full.left() + begin * full.width(), full.top(), (end - begin) * full.width(), full.height()
        )

    def _aligned(self, edge: Qt.AlignmentFlag) -> Qt.AlignmentFlag:
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left = (edge is Qt.AlignmentFlag.AlignLeading) is not mirrored
        side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
        return side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
