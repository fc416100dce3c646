"""The benchmark's chart: speed-ups by category and mode as horizontal bars, drawn without a window."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QImage, QPainter, QPen

from app.theme import LIGHT
from engine.bench.result import beside
from engine.errors import SlipstreamError

SCALE = 2  # pixels a unit: sharp on a dense screen
WIDTH, LEFT, RIGHT, BOTTOM = 760, 110, 60, 34
LEGEND_COLUMNS, LEGEND_LINE = 5, 18
BAR, GAP = 11, 12  # height of a bar, space between categories
TEXT, SMALL = 12, 10
# Okabe and Ito's palette: told apart with any kind of colour vision; plain is grey.
SERIES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")
PLAIN = "#b8bec7"


@dataclass(frozen=True, slots=True)
class Bars:
    """`speedups[mode][category]`; the first category is "all"."""

    title: str
    subtitle: str
    modes: tuple[str, ...]
    categories: tuple[str, ...]
    speedups: dict[str, dict[str, float]]

    @property
    def largest(self) -> float:
        return max((v for by_category in self.speedups.values() for v in by_category.values()), default=1.0)

    @property
    def top(self) -> int:
        """Where the bars begin, below titles and legend."""
        return 58 + LEGEND_LINE * -(-len(self.modes) // LEGEND_COLUMNS)

    @property
    def height(self) -> int:
        return self.top + BOTTOM + len(self.categories) * (len(self.modes) * BAR + GAP)


def write_chart(result: Path) -> Path | None:
    """Draws the result file's summary beside it, as PNG; None when it has nothing to compare."""
    bars = bars_of(json.loads(result.read_text(encoding="utf-8")))
    if not bars.modes:
        return None
    application = _application()
    picture = beside(result, ".png")
    saved = draw(bars).save(str(picture))
    del application
    if not saved:
        raise SlipstreamError(f"{picture} could not be written.")
    return picture


def bars_of(result: dict[str, Any]) -> Bars:
    summary = {name: mode for name, mode in result["summary"].items() if mode["speedup_geomean"] is not None}
    speedups = {
        name: {"all": mode["speedup_geomean"], **mode["speedup_by_category"]}
        for name, mode in summary.items()
    }
    categories = dict.fromkeys(category for by_category in speedups.values() for category in by_category)
    prompts = len({row["prompt_id"] for row in result["rows"]})
    subtitle = (
        f"{result['machine']['processor']}, {result['machine']['cores']} cores; {prompts} prompts, "
        "times Slipstream's fastest repeat of plain decoding"
    )
    return Bars(result["pair"]["title"], subtitle, tuple(speedups), tuple(categories), speedups)


def _application() -> QGuiApplication | None:
    """Fonts need one; the caller keeps it until the picture is done."""
    if QGuiApplication.instance() is not None:
        return None
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return QGuiApplication(["slipstream"])


def draw(bars: Bars) -> QImage:
    image = QImage(WIDTH * SCALE, bars.height * SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(SCALE)
    image.fill(QColor(LIGHT.page))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    try:
        _draw_titles(painter, bars)
        _draw_axis(painter, bars)
        for index, category in enumerate(bars.categories):
            _draw_category(painter, bars, category, _category_top(bars, index))
    finally:
        painter.end()
    return image


def _category_top(bars: Bars, index: int) -> float:
    return bars.top + GAP / 2 + index * (len(bars.modes) * BAR + GAP)


def _x(bars: Bars, speedup: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * speedup / max(bars.largest, 1.0)


def _draw_titles(painter: QPainter, bars: Bars) -> None:
    _text(painter, QRectF(16, 8, WIDTH - 32, 22), bars.title, TEXT + 2, LIGHT.text, bold=True)
    _text(painter, QRectF(16, 29, WIDTH - 32, 16), bars.subtitle, SMALL, LIGHT.muted)
    for index, mode in enumerate(bars.modes):
        line, column = divmod(index, LEGEND_COLUMNS)
        x, y = 16 + column * (WIDTH - 32) / LEGEND_COLUMNS, 50 + line * LEGEND_LINE
        painter.fillRect(QRectF(x, y + 4, 10, 10), QColor(_colour(bars.modes, index)))
        _text(painter, QRectF(x + 14, y, 200, 18), mode, SMALL, LIGHT.text)


def _draw_axis(painter: QPainter, bars: Bars) -> None:
    step = 0.5 if bars.largest <= 4 else 1.0
    bottom = bars.height - BOTTOM
    for tick in range(int(bars.largest / step) + 1):
        x = _x(bars, tick * step)
        strong = tick * step == 1.0
        pen = QPen(QColor(LIGHT.muted if strong else LIGHT.border), 1.0)
        painter.setPen(pen)
        painter.drawLine(QPointF(x, bars.top), QPointF(x, bottom))
        centre = Qt.AlignmentFlag.AlignHCenter
        _text(
            painter, QRectF(x - 30, bottom + 4, 60, 16), f"{tick * step:g}x", SMALL, LIGHT.muted, align=centre
        )


def _draw_category(painter: QPainter, bars: Bars, category: str, top: float) -> None:
    right = Qt.AlignmentFlag.AlignRight
    height = len(bars.modes) * BAR
    name = category.replace("_", " ")
    _text(
        painter,
        QRectF(0, top, LEFT - 10, height),
        name,
        TEXT,
        LIGHT.text,
        align=right,
        bold=category == "all",
    )
    for index, mode in enumerate(bars.modes):
        speedup = bars.speedups[mode].get(category)
        if speedup is None:
            continue
        y, end = top + index * BAR, _x(bars, speedup)
        painter.fillRect(QRectF(LEFT, y + 1, end - LEFT, BAR - 2), QColor(_colour(bars.modes, index)))
        _text(painter, QRectF(end + 4, y - 2, 60, BAR + 4), f"{speedup:.2f}", SMALL - 1, LIGHT.muted)


def _colour(modes: Sequence[str], index: int) -> str:
    if modes[index] == "plain":
        return PLAIN
    return SERIES[sum(mode != "plain" for mode in modes[:index]) % len(SERIES)]


def _text(
    painter: QPainter,
    box: QRectF,
    text: str,
    size: int,
    colour: str,
    *,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    bold: bool = False,
) -> None:
    font = QFont(painter.font())
    font.setPixelSize(size)
    font.setBold(bold)
    painter.setFont(font)
    painter.setPen(QColor(colour))
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | align, text)
