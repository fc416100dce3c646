"""How full the model's context is: a bar with numbers. Pressed, it leads to what happens when it is full."""

import html

from PySide6.QtCore import QLocale, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.settings.context_use import ContextUse
from app.theme import SPACE_S, SPACE_XS, Appearance, colours

BAR, THICKNESS = 72, 6  # pixels


class Gauge(QAbstractButton):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.use: ContextUse | None = None
        self.setAccessibleName(self.tr("Context"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        policy.setRetainSizeWhenHidden(True)  # the text above never jumps
        self.setSizePolicy(policy)
        Appearance.shared().changed.connect(self._restyle)
        self._restyle()
        self.show_use(None)

    def show_use(self, use: ContextUse | None) -> None:
        """None: nothing can be counted, and nothing is shown."""
        self.use = use
        self.setVisible(use is not None)
        if use is None:
            return
        words = self._words(use)
        if words != self.text():
            self.setText(words)
            self.updateGeometry()
        self.setAccessibleDescription(words)
        self.setToolTip(self._tip(use))
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        width = BAR + SPACE_S + metrics.horizontalAdvance(self.text()) + 2 * SPACE_XS
        return QSize(width, metrics.height() + 2 * SPACE_XS)

    def minimumSizeHint(self) -> QSize:
        return QSize(BAR, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.use is None:
            return
        c, painter = colours(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = QColor(c.danger if self.use.nearly_full else c.accent)
        rtl = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left = self.width() - SPACE_XS - BAR if rtl else SPACE_XS
        track = QRectF(left, (self.height() - THICKNESS) / 2, BAR, THICKNESS)
        self._paint_bar(painter, track, colour, rtl)
        alert = self.use.nearly_full or bool(self.use.left_out)
        painter.setPen(QColor(c.text if alert or self.underMouse() else c.muted))
        around = BAR + SPACE_S + SPACE_XS
        rect = self.rect().adjusted(SPACE_XS, 0, -around, 0) if rtl else self.rect().adjusted(around, 0, 0, 0)
        align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(rect, align, self.text())
        if self.hasFocus():
            painter.setPen(QPen(QColor(c.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)

    def _paint_bar(self, painter: QPainter, track: QRectF, colour: QColor, rtl: bool) -> None:
        assert self.use is not None
        painter.setPen(QPen(QColor(colours().border), 1))
        painter.setBrush(QColor(colours().chosen))
        painter.drawRoundedRect(track.adjusted(0.5, 0.5, -0.5, -0.5), THICKNESS / 2, THICKNESS / 2)
        if not self.use.used:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        filled = QRectF(track)
        filled.setWidth(max(track.width() * min(self.use.share, 1.0), THICKNESS))
        if rtl:
            filled.moveRight(track.right())
        painter.setBrush(colour)
        painter.drawRoundedRect(filled, THICKNESS / 2, THICKNESS / 2)

    def _words(self, use: ContextUse) -> str:
        numbers = self.tr("{used} of {limit} tokens").format(used=number(use.used), limit=number(use.limit))
        if use.left_out:
            return self.tr("{numbers} · %n message(s) left out", "", use.left_out).format(numbers=numbers)
        if use.full:
            return self.tr("{numbers} · full").format(numbers=numbers)
        if use.nearly_full:
            return self.tr("{numbers} · nearly full").format(numbers=numbers)
        return numbers

    def _tip(self, use: ContextUse) -> str:
        rows = [
            (self.tr("System prompt"), use.system),
            (self.tr("Conversation so far"), use.history),
            (self.tr("Attached files"), use.attachments),
            (self.tr("What you are writing"), use.draft),
            (self.tr("Room for the answer"), use.room),
        ]
        cells = "".join(
            f"<tr><td>{html.escape(name)}&nbsp;&nbsp;</td><td align='right'>{number(tokens)}</td></tr>"
            for name, tokens in rows
            if tokens or name == rows[-1][0]
        )
        title = self.tr("What the model reads, in tokens")
        return f"<p><b>{html.escape(title)}</b></p><table>{cells}</table>"

    def _restyle(self) -> None:
        self.setFont(Appearance.shared().font("small"))
        self.updateGeometry()
        self.update()


def number(value: int) -> str:
    return QLocale().toString(value)
