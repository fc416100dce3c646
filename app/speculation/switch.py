"""The switch Auto / On / Off: one of three segments, by mouse, arrow keys or screen reader."""

import html

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QRadioButton, QSizePolicy, QWidget

from app.theme import SPACE_M, SPACE_S, Appearance, colours

RADIUS = 6.0


class Segment(QRadioButton):
    """A radio button to keyboard and screen reader, a segment to the eye."""

    def __init__(self, text: str, tip: str, parent: QWidget) -> None:
        super().__init__(text, parent)
        self.setAccessibleName(self.tr("Speculation: {choice}").format(choice=text))
        self.setAccessibleDescription(tip)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:
        bold = self.font()
        bold.setBold(True)
        size = QFontMetrics(bold).size(0, self.text())
        return QSize(size.width() + 2 * SPACE_M, size.height() + SPACE_S)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, position: QPoint) -> bool:
        return self.rect().contains(position)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inside = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        if self.isChecked():
            self._paint_choice(painter, inside)
        if self.hasFocus():
            painter.setPen(QPen(QColor(colours().text), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(inside, RADIUS - 1, RADIUS - 1)
        font = painter.font()
        font.setBold(self.isChecked())
        painter.setFont(font)
        painter.setPen(self._ink())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())

    def _paint_choice(self, painter: QPainter, inside: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen if self.isEnabled() else QPen(QColor(colours().control)))
        painter.setBrush(QColor(colours().accent) if self.isEnabled() else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(inside, RADIUS - 1, RADIUS - 1)

    def _ink(self) -> QColor:
        if not self.isEnabled():
            return QColor(colours().muted)
        if self.isChecked():
            return QColor(colours().on_accent)
        return QColor(colours().text if self.underMouse() else colours().muted)


class SpeculationSwitch(QWidget):
    """`changed` carries "auto", "on" or "off", whoever changed it."""

    changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Speculation"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._group = QButtonGroup(self)
        choices = self._choices()
        self._tips = {value: tip for value, (_, tip) in choices.items()}
        self._segments = {value: Segment(text, tip, self) for value, (text, tip) in choices.items()}
        for segment in self._segments.values():
            row.addWidget(segment)
            self._group.addButton(segment)
        self._segments["auto"].setChecked(True)
        self.set_unavailable(None)
        self._group.buttonToggled.connect(self._toggled)
        Appearance.shared().changed.connect(self.update)

    def _choices(self) -> dict[str, tuple[str, str]]:
        """Value -> its text and what it means."""
        return {
            "auto": (
                self.tr("Auto"),
                self.tr("Guess as many tokens ahead as pay by what was measured, and none when none pay"),
            ),
            "on": (self.tr("On"), self.tr("Always guess, the same number of tokens in each pass")),
            "off": (self.tr("Off"), self.tr("Decode plainly, one token a pass; the text is the same")),
        }

    def value(self) -> str:
        return next(value for value, segment in self._segments.items() if segment.isChecked())

    def set_value(self, value: str) -> None:
        if value not in self._segments:
            raise ValueError(f"{value!r} is none of {', '.join(self._segments)}")
        self._segments[value].setChecked(True)

    def set_unavailable(self, reason: str | None) -> None:
        """Dims the switch and says why nothing can be drafted; None makes it usable again."""
        self.setEnabled(reason is None)
        not_available = self.tr("Speculation is not available: {reason}")
        why = not_available.format(reason=reason) if reason else ""
        self.setAccessibleDescription(why)
        for value, segment in self._segments.items():
            segment.setToolTip(f"<p>{html.escape(why or self._tips[value])}</p>")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours().border), 1))
        painter.setBrush(QColor(colours().raised))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)

    def _toggled(self, _segment: QRadioButton, checked: bool) -> None:
        if checked:
            self.changed.emit(self.value())
