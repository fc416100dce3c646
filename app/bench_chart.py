"""The benchmark's chart, drawn without a window: every mode's speed-up, then the best own mode's by kind of prompt."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QImage, QPainter, QPen

from app.theme import LIGHT
from engine.bench.result import beside
from engine.bench.summary import is_own, is_plain
from engine.errors import SlipstreamError

SCALE = 2  # pixels a unit: sharp on a dense screen
WIDTH, LEFT, RIGHT, MARGIN = 760, 212, 122, 16
TITLES, HEADING, LINE, BAR, AXIS = 56, 30, 22, 14, 30
TEXT, SMALL = 12, 11
# Blue, orange and grey differ in hue and in lightness: told apart with any kind of colour vision, and in print.
BEST, OWN, PEER, PLAIN = "#0b63b8", "#8fbce6", "#e69f00", "#a7aeb9"
NAMES = {"ngram": "n-gram", "draft": "draft model", "dflash": "trained drafter", "lookup": "prompt lookup"}
NAMES |= {"ngram-no-store": "n-gram, no store", "auto-no-store": "auto, no store"}
LEFT_ALIGNED, RIGHT_ALIGNED = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight


@dataclass(frozen=True, slots=True)
class Bar:
    """`note` stands behind the figure."""

    label: str
    speedup: float
    colour: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    heading: str
    bars: tuple[Bar, ...]

    @property
    def height(self) -> int:
        return HEADING + LINE * len(self.bars)


@dataclass(frozen=True, slots=True)
class Chart:
    title: str
    subtitle: str
    sections: tuple[Section, ...]

    @property
    def largest(self) -> float:
        return max((bar.speedup for section in self.sections for bar in section.bars), default=1.0)

    @property
    def height(self) -> int:
        return TITLES + sum(section.height for section in self.sections) + AXIS


def write_chart(result: Path) -> Path | None:
    """Draws the result file's summary beside it, as PNG; None when it has nothing to compare."""
    chart = chart_of(json.loads(result.read_text(encoding="utf-8")))
    if not chart.sections:
        return None
    application = _application()
    picture = beside(result, ".png")
    saved = draw(chart).save(str(picture))
    del application
    if not saved:
        raise SlipstreamError(f"{picture} could not be written.")
    return picture


def chart_of(result: dict[str, Any]) -> Chart:
    summary = {name: mode for name, mode in result["summary"].items() if mode["speedup_geomean"] is not None}
    best = _best(summary)
    machine, prompts = result["machine"], len({row["prompt_id"] for row in result["rows"]})
    subtitle = (
        f"{machine['processor']}, {machine['cores']} cores. Geometric means over {prompts} prompts, against "
        "Slipstream's plain decoding."
    )
    sections = (_modes(summary, best), *_by_context(result["by_context"], best), *_by_category(summary, best))
    return Chart(result["pair"]["title"], subtitle, tuple(s for s in sections if s.bars))


def _best(summary: dict[str, Any]) -> str | None:
    """The fastest of Slipstream's ways to speculate: "auto" as soon as it takes part, since that is what people get."""
    own = [mode for mode in summary if is_own(mode) and not is_plain(mode)]
    if "auto" in own:
        return "auto"
    return max(own, key=lambda mode: summary[mode]["speedup_geomean"], default=None)


def _modes(summary: dict[str, Any], best: str | None) -> Section:
    bars = [
        Bar(
            _name(mode),
            each["speedup_geomean"],
            _colour(mode, best),
            f"{each['tokens_per_second_median']:.0f} tokens/s",
        )
        for mode, each in summary.items()
    ]
    return Section("Every mode, all prompts", tuple(bars))


def _by_category(summary: dict[str, Any], best: str | None) -> Iterator[Section]:
    if best is None or len(found := summary[best]["speedup_by_category"]) < 2:
        return
    bars = [Bar(name.replace("_", " "), speedup, BEST) for name, speedup in found.items()]
    yield Section(f"{_name(best)}, by kind of prompt", tuple(bars))


def _by_context(contexts: dict[str, Any], best: str | None) -> Iterator[Section]:
    """For a run at several contexts."""
    if best is None:
        return
    found = [(context, modes[best]) for context, modes in contexts.items() if best in modes]
    bars = [
        Bar(
            f"{int(context):,} tokens",
            each["speedup_geomean"],
            BEST,
            f"{each['tokens_per_second_median']:.0f} tokens/s",
        )
        for context, each in found
        if each["speedup_geomean"] is not None
    ]
    yield Section(f"{_name(best)}, by length of the context", tuple(bars))


def _name(mode: str) -> str:
    """openvino-genai:lookup -> openvino-genai, prompt lookup"""
    peer, _, way = mode.rpartition(":")
    return f"{peer or 'Slipstream'}, {NAMES.get(way, way)}"


def _colour(mode: str, best: str | None) -> str:
    if mode == best:
        return BEST
    if not is_own(mode):
        return PEER
    return PLAIN if is_plain(mode) else OWN


def _application() -> QGuiApplication | None:
    """Fonts need one; the caller keeps it until the picture is done."""
    if QGuiApplication.instance() is not None:
        return None
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return QGuiApplication(["slipstream"])


def draw(chart: Chart) -> QImage:
    image = QImage(WIDTH * SCALE, chart.height * SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(SCALE)
    image.fill(QColor(LIGHT.page))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    try:
        _text(painter, QRectF(MARGIN, 8, WIDTH, 22), chart.title, TEXT + 3, LIGHT.text, bold=True)
        _text(painter, QRectF(MARGIN, 31, WIDTH, 18), chart.subtitle, SMALL, LIGHT.muted)
        top = TITLES
        for section in chart.sections:
            _draw_grid(painter, chart, top + HEADING - 4, top + section.height)
            _draw_section(painter, chart, section, top)
            top += section.height
        for speedup in _ticks(chart):
            box = QRectF(_x(chart, speedup) - 30, top + 4, 60, 16)
            _text(painter, box, f"{speedup:g}x", SMALL, LIGHT.muted, align=Qt.AlignmentFlag.AlignHCenter)
    finally:
        painter.end()
    return image


def _x(chart: Chart, speedup: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * speedup / max(chart.largest, 1.0)


def _ticks(chart: Chart) -> list[float]:
    step = 0.5 if chart.largest <= 4 else 1.0
    return [tick * step for tick in range(int(max(chart.largest, 1.0) / step) + 1)]


def _draw_grid(painter: QPainter, chart: Chart, top: float, bottom: float) -> None:
    for speedup in _ticks(chart):
        painter.setPen(QPen(QColor(LIGHT.muted if speedup == 1.0 else LIGHT.border), 1.0))
        painter.drawLine(QPointF(_x(chart, speedup), top), QPointF(_x(chart, speedup), bottom))


def _draw_section(painter: QPainter, chart: Chart, section: Section, top: float) -> None:
    heading = QRectF(MARGIN, top + 4, WIDTH - 2 * MARGIN, 20)
    _text(painter, heading, section.heading, TEXT, LIGHT.text, bold=True)
    for index, bar in enumerate(section.bars):
        _draw_bar(painter, chart, bar, top + HEADING + index * LINE)


def _draw_bar(painter: QPainter, chart: Chart, bar: Bar, y: float) -> None:
    end, height = _x(chart, bar.speedup), LINE - 4
    _text(painter, QRectF(0, y, LEFT - 10, height), bar.label, TEXT, LIGHT.text, align=RIGHT_ALIGNED)
    painter.fillRect(QRectF(LEFT, y + (height - BAR) / 2, end - LEFT, BAR), QColor(bar.colour))
    figure, place = f"{bar.speedup:.2f}x", QRectF(end + 6, y, 0, height)
    used = _over_grid(painter, place, figure, TEXT, LIGHT.text, bold=True)
    _over_grid(painter, place.translated(used + 6, 0), bar.note, SMALL, LIGHT.muted)


def _over_grid(
    painter: QPainter, place: QRectF, text: str, size: int, colour: str, *, bold: bool = False
) -> float:
    """Text from the left of `place` on that hides the grid lines behind it; returns its width."""
    width = QFontMetricsF(_font(painter, size, bold)).horizontalAdvance(text)
    painter.fillRect(place.adjusted(-3, 0, width + 3 if text else -3, 0), QColor(LIGHT.page))
    _text(painter, place.adjusted(0, 0, width + 2, 0), text, size, colour, bold=bold)
    return width


def _text(
    painter: QPainter,
    box: QRectF,
    text: str,
    size: int,
    colour: str,
    *,
    align: Qt.AlignmentFlag = LEFT_ALIGNED,
    bold: bool = False,
) -> None:
    painter.setFont(_font(painter, size, bold))
    painter.setPen(QColor(colour))
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | align, text)


def _font(painter: QPainter, size: int, bold: bool) -> QFont:
    font = QFont(painter.font())
    font.setPixelSize(size)
    font.setBold(bold)
    return font
