"""The origins of an answer's tokens with their counts; a click shows only one of them."""

from collections.abc import Mapping

from PySide6.QtCore import QLineF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QWidget

from app.flow_layout import FlowLayout
from app.speculation import numbers
from app.speculation.figure_rows import tooltip
from app.speculation.origins import Origin
from app.speculation.tints import line_colour, tint
from app.speculation.token_painter import LINE, draw_cue
from app.speculation.token_words import origin_meaning, origin_name
from app.theme import RADIUS, SPACE_S, SPACE_XS, Appearance, colours

SWATCH = 22


class Entry(QPushButton):
    """Checked: all other tokens are faded."""

    def __init__(self, origin: Origin, parent: QWidget) -> None:
        super().__init__(parent)
        self.origin = origin
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tooltip(origin_meaning(origin)))
        self.setAccessibleDescription(origin_meaning(origin))
        self.hide()

    def show_count(self, count: int, total: int) -> None:
        share = numbers.percent(count / total) if total else numbers.NONE
        self.setText(f"{origin_name(self.origin)}  {numbers.whole(count)} · {share}")
        self.setAccessibleName(self.text())
        self.setVisible(count > 0)

    def sizeHint(self) -> QSize:
        self.setFont(Appearance.shared().font("small"))
        text = QFontMetrics(self.font()).size(0, self.text())
        return QSize(text.width() + SWATCH + 4 * SPACE_S, text.height() + SPACE_S)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        c = colours()
        outer = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        strong = self.hasFocus() or self.isChecked()
        painter.setPen(QPen(QColor(c.accent if strong else c.border), 1.5 if strong else 1.0))
        painter.setBrush(QColor(c.raised) if self.isChecked() or self.underMouse() else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(outer, RADIUS - 2, RADIUS - 2)
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left = self.width() - SPACE_S - SWATCH if mirrored else SPACE_S
        self._paint_swatch(painter, QRectF(left, SPACE_XS + 1, SWATCH, self.height() - 2 * SPACE_XS - 2))
        painter.setPen(QColor(c.text))
        space = QRectF(outer).adjusted(
            *((SPACE_S, 0, -SWATCH - SPACE_S, 0) if mirrored else (SWATCH + 2 * SPACE_S, 0, 0, 0))
        )
        align = Qt.AlignmentFlag.AlignVCenter | (
            Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        )
        painter.drawText(space, align, self.text())

    def _paint_swatch(self, painter: QPainter, box: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        if self.origin is Origin.PLAIN:
            painter.setPen(QPen(QColor(colours().control), 1))
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
            return
        painter.fillRect(box, tint(self.origin, colours()))
        y = box.bottom() - LINE / 2
        draw_cue(
            painter, QLineF(box.left(), y, box.right(), y), self.origin, line_colour(self.origin, colours())
        )


class Legend(QWidget):
    """`chosen` carries the one Origin that is to be seen, or None."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries = {origin: Entry(origin, self) for origin in Origin}
        row = FlowLayout(SPACE_S, SPACE_S, self)
        for entry in self._entries.values():
            row.addWidget(entry)
            entry.clicked.connect(lambda checked, entry=entry: self._clicked(entry, checked))
        Appearance.shared().changed.connect(self.update)

    def show_counts(self, counts: Mapping[Origin, int]) -> None:
        total = sum(counts.values())
        for origin, entry in self._entries.items():
            entry.show_count(counts.get(origin, 0), total)
        self.updateGeometry()

    def reset(self) -> None:
        for entry in self._entries.values():
            entry.setChecked(False)

    def _clicked(self, clicked: Entry, checked: bool) -> None:
        for entry in self._entries.values():
            entry.setChecked(entry is clicked and checked)
        self.chosen.emit(clicked.origin if checked else None)
