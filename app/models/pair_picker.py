"""The list of pairs at the top of the window: installed ones, and others with their download size."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from app.models.sizes import in_words
from app.theme import SPACE_M, SPACE_S, Appearance, colours
from engine.models.catalogue import Pair

NARROWEST, WIDEST = 160, 380
CHEVRON = 4.0  # half its width
RADIUS = 6.0


class PairPicker(QComboBox):
    """`chosen` fires for the user's choice only; the window says what is current by `show_current`."""

    chosen = Signal(object)  # Pair
    manage_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Models"))
        self.setToolTip(self.tr("Which models answer"))
        self.setPlaceholderText(self.tr("Choose a model"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(WIDEST)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._pairs: list[Pair] = []
        self._current: str | None = None
        self.activated.connect(self._activated)
        Appearance.shared().changed.connect(self.update)

    def show_pairs(self, pairs: Sequence[tuple[Pair, int]], current: str | None) -> None:
        """`pairs` with the bytes that a fetch would download (0: installed)."""
        self.clear()
        self._pairs = [pair for pair, _ in pairs]
        for pair, missing in pairs:
            text = pair.title
            if missing:
                text = self.tr("{model} — fetch {size}").format(model=pair.title, size=in_words(missing))
            self.addItem(text)
            self.setItemData(self.count() - 1, f"<p>{escape(text)}</p>", Qt.ItemDataRole.ToolTipRole)
        self.insertSeparator(self.count())
        self.addItem(self.tr("Manage models…"))
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 2 * SPACE_M)
        self.show_current(current)

    def show_current(self, name: str | None) -> None:
        self._current = name
        names = [pair.name for pair in self._pairs]
        self.setCurrentIndex(names.index(name) if name in names else -1)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Of what is chosen, not of the longest entry."""
        metrics = QFontMetrics(self.font())
        text = self.currentText() or self.placeholderText()
        width = metrics.horizontalAdvance(text) + 3 * SPACE_M + int(2 * CHEVRON) + 2
        return QSize(min(width, WIDEST), metrics.height() + SPACE_S)

    def minimumSizeHint(self) -> QSize:
        return QSize(min(NARROWEST, self.sizeHint().width()), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """As quiet as the switch beside it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        c = colours()
        edge = c.accent if self.hasFocus() else c.control if self.underMouse() else c.border
        painter.setPen(QPen(QColor(edge), 1))
        painter.setBrush(QColor(c.raised))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        self._paint_text(painter)
        self._paint_chevron(painter)

    def _paint_text(self, painter: QPainter) -> None:
        space = QRect(self.rect()).adjusted(SPACE_M, 0, -2 * SPACE_M - int(2 * CHEVRON), 0)
        text = self.currentText() or self.placeholderText()
        painter.setPen(QColor(colours().text if self.currentText() else colours().muted))
        elided = QFontMetrics(self.font()).elidedText(text, Qt.TextElideMode.ElideRight, space.width())
        painter.drawText(space, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, elided)

    def _paint_chevron(self, painter: QPainter) -> None:
        tip = QPointF(self.width() - SPACE_M - CHEVRON, self.height() / 2 + CHEVRON / 2)
        arms = (QPointF(-CHEVRON, -CHEVRON), QPointF(0, 0), QPointF(CHEVRON, -CHEVRON))
        painter.setPen(QPen(QColor(colours().muted), 1.5, c=Qt.PenCapStyle.RoundCap))
        painter.drawPolyline([tip + arm for arm in arms])

    def _activated(self, index: int) -> None:
        if 0 <= index < len(self._pairs):
            self.chosen.emit(self._pairs[index])
        elif index == self.count() - 1:
            self.show_current(self._current)
            self.manage_asked.emit()
