"""How one token looks, in the token view, its legend and its inspector alike."""

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from app.speculation.origins import Origin
from app.speculation.tints import line_colour, tint
from app.theme import Appearance, colours

SPACE_DOT = "·"
LEADING = 1.55  # line height / font height: room for the line below the text
PAD = 2.0  # the tint above and below the letters
LINE = 1.6
FADED = 0.35  # of what is not looked for


def token_font() -> QFont:
    font = Appearance.shared().code_font()
    font.setPointSizeF(Appearance.shared().points("body"))
    return font


class TokenPainter:
    """Measures and draws with one font; made anew when the look changes. Widths are kept by text."""

    def __init__(self) -> None:
        self.font = token_font()
        self.metrics = QFontMetricsF(self.font)
        self.row = round(self.metrics.height() * LEADING)
        self._widths: dict[str, float] = {}

    def measure(self, text: str) -> float:
        width = self._widths.get(text)
        if width is None:
            width = self._widths[text] = self.metrics.horizontalAdvance(text)
        return width

    def box(self, x: float, top: float, width: float) -> QRectF:
        height = self.metrics.height() + 2 * PAD
        return QRectF(x, top + (self.row - height) / 2 - 1, width, height)

    def draw_ground(self, painter: QPainter, box: QRectF, origin: Origin, faded: bool = False) -> None:
        if origin is Origin.PLAIN:
            return
        colour = tint(origin, colours(), strength=FADED if faded else 1.0)
        painter.fillRect(box.adjusted(0.5, 0, -0.5, 0), colour)

    def draw_line(self, painter: QPainter, box: QRectF, origin: Origin, faded: bool = False) -> None:
        """The cue that needs no colour."""
        if origin is Origin.PLAIN:
            return
        colour = line_colour(origin, colours())
        colour.setAlphaF(FADED if faded else 1.0)
        y = box.bottom() - LINE / 2
        draw_cue(painter, QLineF(box.left() + 1.5, y, box.right() - 1.5, y), origin, colour)

    def draw_text(self, painter: QPainter, box: QRectF, text: str, ink: QColor, quiet: QColor) -> None:
        """Spaces as faint dots, so that they can be seen and do not disturb."""
        y = box.center().y() + (self.metrics.ascent() - self.metrics.descent()) / 2
        if " " not in text:
            painter.setPen(ink)
            painter.drawText(QPointF(box.left(), y), text)
            return
        painter.setPen(quiet)
        for index, letter in enumerate(text):
            if letter == " ":
                x = box.left() + self.measure(text[:index])
                painter.drawText(QPointF(x, y), SPACE_DOT)
        painter.setPen(ink)
        word = text.lstrip(" ")
        if word.strip(" "):
            x = box.left() + self.measure(text[: len(text) - len(word)])
            painter.drawText(QPointF(x, y), word)


def draw_cue(painter: QPainter, line: QLineF, origin: Origin, colour: QColor) -> None:
    """Solid: n-gram. Long dashes: store. Double: draft model. Dashed: DFlash/EAGLE. Waves: corrected. Dotted: bonus."""
    pen = QPen(colour, LINE)
    if origin is Origin.CORRECTED:
        painter.setPen(QPen(colour, LINE * 0.8))
        painter.drawPolyline(_wave(line))
        return
    if origin is Origin.DRAFT:
        painter.setPen(QPen(colour, LINE * 0.6))
        painter.drawLine(line.translated(0, -1.6))
        painter.drawLine(line.translated(0, 0.8))
        return
    if origin is Origin.STORE:
        pen.setDashPattern([5.0, 1.5])
    elif origin is Origin.DFLASH:
        pen.setDashPattern([2.5, 1.5])
    elif origin is Origin.BONUS:
        pen.setDashPattern([0.1, 2.0])
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.drawLine(line)


def _wave(line: QLineF) -> QPolygonF:
    points, x, up = [], line.x1(), True
    while x < line.x2():
        points.append(QPointF(x, line.y1() - 1.2 if up else line.y1() + 1.2))
        x, up = x + 2.5, not up
    points.append(QPointF(line.x2(), line.y1()))
    return QPolygonF(points)
