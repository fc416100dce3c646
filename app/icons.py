"""Line icons out of assets/icons, painted in the colour of the text: sharp at every scale, right in every theme.

Only paths of absolute M, L, C and Z in a box of 16: the window carries no SVG module.
"""

import re
import xml.etree.ElementTree as ET
from functools import cache
from html import escape

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QWidget

from app.theme import SPACE_S, Appearance, colours
from engine.models import paths

BOX = 16.0
STROKE = 1.3
COUNTS = {"M": 2, "L": 2, "C": 6, "Z": 0}


@cache
def path_of(name: str) -> QPainterPath:
    """In a box of `BOX` units. Errors: ValueError for a path with other commands."""
    path = QPainterPath()
    root = ET.parse(paths.assets_dir() / "icons" / f"{name}.svg").getroot()
    for element in root.iter("{http://www.w3.org/2000/svg}path"):
        _draw(path, element.get("d", ""))
    return path


def _draw(path: QPainterPath, commands: str) -> None:
    for command, numbers in re.findall(r"([A-Za-z])([^A-Za-z]*)", commands):
        values = [float(number) for number in numbers.replace(",", " ").split()]
        if COUNTS.get(command) != len(values):
            raise ValueError(f"{command}{numbers} is not drawn here")
        if command == "M":
            path.moveTo(*values)
        elif command == "L":
            path.lineTo(*values)
        elif command == "C":
            path.cubicTo(*values)
        else:
            path.closeSubpath()


def paint(painter: QPainter, name: str, box: QRectF, colour: str) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(box.topLeft())
    painter.scale(box.width() / BOX, box.height() / BOX)
    pen = QPen(QColor(colour), STROKE)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path_of(name))
    painter.restore()


class IconButton(QPushButton):
    """A button of one icon; `name` is what it does, for the tooltip and for screen readers."""

    def __init__(self, icon: str, name: str, parent: QWidget | None = None, scale: float = 1.0) -> None:
        """`scale`: the icon's height in heights of the text."""
        super().__init__(parent)
        self._icon = icon
        self._scale = scale
        self.setProperty("kind", "icon")
        self.setAccessibleName(name)
        self.setToolTip(f"<p>{escape(name)}</p>")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        Appearance.shared().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        side = round(_height(self) * self._scale) + SPACE_S
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        paint(QPainter(self), self._icon, _middle(self, self._scale), _colour(self))


class Icon(QWidget):
    """The same without a button: decoration, left out by screen readers."""

    def __init__(self, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        side = round(_height(self))
        self.setFixedSize(side, side)
        Appearance.shared().changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        paint(QPainter(self), self._icon, _middle(self), colours().muted)


def _height(widget: QWidget) -> float:
    return QFontMetricsF(widget.font()).height()


def _middle(widget: QWidget, scale: float = 1.0) -> QRectF:
    side = _height(widget) * scale
    box = QRectF(0, 0, side, side)
    box.moveCenter(QRectF(widget.rect()).center())
    return box


def _colour(button: QPushButton) -> str:
    strong = button.isEnabled() and (button.underMouse() or button.hasFocus())
    return colours().text if strong else colours().muted
