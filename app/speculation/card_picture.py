"""The card as a picture: 1200 x 630 units, the shape that links are shown in, drawn at two pixels a unit."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QImage, QPainter, QPen
from PySide6.QtWidgets import QApplication

from app.colours import Colours
from app.speculation import compare_words as words
from app.speculation import numbers
from app.speculation.card import Card
from engine.comparison import Side, Spread
from engine.models import paths

SCALE = 2
WIDTH, HEIGHT, MARGIN = 1200, 630, 60
INNER = WIDTH - 2 * MARGIN
SMALLEST = 0.62  # of its size, before a text is cut
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def draw(card: Card, colours: Colours) -> QImage:
    image = QImage(WIDTH * SCALE, HEIGHT * SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(SCALE)
    image.fill(QColor(colours.page))
    painter = QPainter(image)
    painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # each text by its own letters
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    try:
        _Drawing(painter, card, colours).paint()
    finally:
        painter.end()
    return image


class _Drawing:
    """One card, from top to bottom. All boxes are in units."""

    def __init__(self, painter: QPainter, card: Card, colours: Colours) -> None:
        self._painter = painter
        self._card = card
        self._comparison = card.comparison
        self._c = colours

    def paint(self) -> None:
        self._paint_head()
        self._paint_speedup()
        self._paint_bars()
        self._paint_verdict()
        self._paint_figures()
        self._paint_foot()

    def _paint_head(self) -> None:
        c, card = self._c, self._card
        brand = self._paint_brand()
        room = INNER - brand - 40
        self._text(QRectF(MARGIN, 38, room, 46), card.facts.pair["title"], 34, c.text, bold=True)
        self._text(QRectF(MARGIN, 84, room, 32), card.machine(), 22, c.muted)
        if card.prompt:
            line = f"“{' '.join(card.prompt.split())}”"
            self._text(QRectF(MARGIN, 120, INNER, 34), line, 22, c.text, shrink=False)

    def _paint_brand(self) -> float:
        """The name with its icon, at the right; returns its width."""
        name = "Slipstream"
        width = QFontMetricsF(self._font(28, bold=True)).horizontalAdvance(name)
        left = WIDTH - MARGIN - width
        self._text(QRectF(left, 42, width + 4, 40), name, 28, self._c.text, bold=True)
        icon = QImage(str(paths.assets_dir() / "icon.png"))
        if not icon.isNull():
            self._painter.drawImage(QRectF(left - 52, 42, 40, 40), icon)
        return width + 52

    def _paint_speedup(self) -> None:
        c, speedup = self._c, self._comparison.speedup
        shown = numbers.NONE if speedup is None else words.times(speedup.median)
        gains = speedup is not None and speedup.median > 1.0
        self._text(QRectF(MARGIN - 6, 152, 460, 150), shown, 132, c.accent if gains else c.text, bold=True)
        if speedup is None:
            return
        self._text(QRectF(MARGIN, 302, 460, 34), words.faster(speedup), 25, c.text)
        self._text(QRectF(MARGIN, 336, 460, 30), words.spread(self._comparison), 20, c.muted)

    def _paint_bars(self) -> None:
        speeds = {side: self._comparison.speed(side) for side in Side}
        largest = max((spread.most for spread in speeds.values() if spread is not None), default=1.0)
        for index, side in enumerate((Side.SPECULATIVE, Side.PLAIN)):
            self._paint_bar(side, speeds[side], largest, 170 + 98 * index)

    def _paint_bar(self, side: Side, spread: Spread | None, largest: float, top: float) -> None:
        c, left = self._c, 580.0
        room = WIDTH - MARGIN - left
        self._text(QRectF(left, top, room * 0.55, 36), words.side_name(side), 24, c.text)
        self._text(
            QRectF(left + room * 0.55, top, room * 0.45, 36),
            words.speed(spread),
            24,
            c.text,
            RIGHT,
            bold=True,
        )
        full = QRectF(left, top + 40, room, 34)
        self._rounded(full, c.raised)
        if spread is None:
            return
        fill = c.accent if side is Side.SPECULATIVE else c.control
        self._rounded(QRectF(left, full.top(), room * spread.median / largest, full.height()), fill)
        if spread.most > spread.least:
            self._paint_whisker(full, spread.least / largest, spread.most / largest)

    def _paint_whisker(self, full: QRectF, least: float, most: float) -> None:
        middle, half = full.center().y(), full.height() / 5
        begin, end = full.left() + full.width() * least, full.left() + full.width() * most - 1.5
        for colour, width in ((self._c.page, 6.0), (self._c.text, 2.5)):
            self._painter.setPen(_round_pen(colour, width))
            self._painter.drawLine(QPointF(begin, middle), QPointF(end, middle))
            for x in (begin, end):
                self._painter.drawLine(QPointF(x, middle - half), QPointF(x, middle + half))

    def _paint_verdict(self) -> None:
        c, comparison = self._c, self._comparison
        box = QRectF(MARGIN, 386, INNER, 60)
        different = comparison.divergence is not None
        self._rounded(box, c.danger_page if different else c.side, radius=12)
        if comparison.identical is not None:
            self._paint_mark(QPointF(box.left() + 36, box.center().y()), not different)
        inside = box.adjusted(68, 0, -24, 0)
        said = words.verdict(comparison)
        width = self._text(inside, said, 28, c.text, bold=True)
        note = self._note()
        self._text(inside.adjusted(width + 18, 2, 0, 2), note, 21, c.muted)

    def _note(self) -> str:
        """Without the tokens themselves, which are part of the answer."""
        divergence = self._comparison.divergence
        if divergence is None:
            return words.verdict_note(self._comparison)
        return "" if divergence.margin is None else words.margin(divergence.margin)

    def _paint_mark(self, centre: QPointF, good: bool) -> None:
        """A tick or an exclamation mark: told apart without colour."""
        painter, c = self._painter, self._c
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(c.accent if good else c.danger))
        painter.drawEllipse(centre, 17, 17)
        painter.setPen(_round_pen(c.on_accent if good else c.page, 4))
        x, y = centre.x(), centre.y()
        if good:
            painter.drawPolyline([QPointF(x - 8, y), QPointF(x - 2, y + 6), QPointF(x + 8, y - 6)])
        else:
            painter.drawLine(QPointF(x, y - 8), QPointF(x, y + 1))
            painter.drawPoint(QPointF(x, y + 8))

    def _paint_figures(self) -> None:
        figures = words.figures(self._comparison)
        step = INNER / len(figures)
        for index, (name, figure) in enumerate(figures):
            left, room = MARGIN + index * step, step - 20
            self._text(QRectF(left, 460, room, 26), name, 19, self._c.muted)
            self._text(QRectF(left, 486, room, 32), figure, 23, self._c.text)

    def _paint_foot(self) -> None:
        c, card = self._c, self._card
        self._painter.setPen(QPen(QColor(c.border), 1.5))
        self._painter.drawLine(QPointF(MARGIN, 532), QPointF(WIDTH - MARGIN, 532))
        models = " · ".join(f"{name} {sha}" for name, sha in card.hashes())
        self._text(QRectF(MARGIN, 541, INNER, 25), " · ".join(card.settings()), 18, c.muted)
        self._text(QRectF(MARGIN, 566, INNER, 25), models, 18, c.muted)
        made = f"{card.versions()} · {card.facts.at:%Y-%m-%d}"
        width = self._text(QRectF(MARGIN, 591, INNER, 25), made, 18, c.muted)
        rest = QRectF(MARGIN + width + 24, 591, INNER - width - 24, 25)
        self._text(rest, " ".join(words.caveats(self._comparison)), 18, c.muted, RIGHT)

    def _rounded(self, box: QRectF, colour: str, radius: float = 6) -> None:
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(QBrush(QColor(colour)))
        self._painter.drawRoundedRect(box, radius, radius)

    def _text(
        self,
        box: QRectF,
        text: str,
        size: float,
        colour: str,
        align: Qt.AlignmentFlag = LEFT,
        *,
        bold: bool = False,
        shrink: bool = True,
    ) -> float:
        """On one line: smaller where it is too long, then cut. Returns its width."""
        if not text or box.width() <= 0:
            return 0.0
        font = self._font(size, bold)
        least = size * SMALLEST if shrink else size
        while size - 1 >= least and QFontMetricsF(font).horizontalAdvance(text) > box.width():
            size -= 1
            font = self._font(size, bold)
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        self._painter.setFont(font)
        self._painter.setPen(QColor(colour))
        self._painter.drawText(
            box, align | Qt.AlignmentFlag.AlignAbsolute | Qt.TextFlag.TextSingleLine, shown
        )
        return metrics.horizontalAdvance(shown)

    def _font(self, size: float, bold: bool = False) -> QFont:
        font = QFont(QApplication.font())
        font.setPixelSize(max(round(size), 1))
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return font


def _round_pen(colour: str, width: float) -> QPen:
    pen = QPen(QColor(colour), width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    return pen
