"""Formulas as drawings: LaTeX to SVG by ziamath, one at a time, between the turns of the event loop.

A formula of everyday length takes ziamath 2 to 30 ms; one that nests its braces doubles that with each level, so work
on one is given up after GIVE_UP_S. ziamath is imported with the first formula, not with the program.
"""

import contextlib
import math
import threading
from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import QByteArray, QObject, QRectF, QTimer, Signal
from PySide6.QtGui import QImage, QPainter

from app.chat.sliced_call import SlicedCall

LONGEST = 1500  # characters; a longer formula stays as its source
SLICE_S = 0.004
HARD_S = 0.06  # a formula that takes longer leaves the processor to the engine for
REST_MS = 12  # after each slice
GIVE_UP_S = 0.4
EM = 16.0  # pixels: the size that is drawn, for every other one is scaled
MARGIN = 1.0  # pixels around the drawing
INK = "#010203"  # stands for the colour of the text
IMPORT_POLL_MS = 30
KEPT = 2000  # drawings and, each, pictures

Formula = tuple[str, bool]  # LaTeX; True: on display


@dataclass(frozen=True, slots=True)
class Drawing:
    """Lengths in pixels at EM; `svg` is empty when the formula can't be drawn."""

    svg: str = ""
    width: float = 0.0
    height: float = 0.0
    descent: float = 0.0  # below the line of writing


@dataclass(frozen=True, slots=True)
class Picture:
    """`descent`: whole pixels of it below the line of writing."""

    image: QImage
    width: int
    height: int
    descent: int


class Formulas(QObject):
    """The program's drawings. `drawn` tells that a formula which was asked for is ready, or refused."""

    drawn = Signal()
    _shared: ClassVar["Formulas | None"] = None

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._drawings: OrderedDict[Formula, Drawing] = OrderedDict()
        self._pictures: OrderedDict[tuple[Formula, str, float, float], Picture] = OrderedDict()
        self._waiting: deque[Formula] = deque()
        self._call: SlicedCall[Drawing] | None = None
        self._import: threading.Thread | None = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._work)

    @classmethod
    def shared(cls) -> "Formulas":
        if cls._shared is None:
            cls._shared = cls()
        return cls._shared

    def drawing(self, formula: Formula) -> Drawing | None:
        """None: not yet; it has been put in the queue."""
        if len(formula[0]) > LONGEST:
            return Drawing()
        if formula in self._drawings:
            return self._drawings[formula]
        if formula not in self._waiting:
            self._waiting.append(formula)
            self._timer.start(0)
        return None

    def picture(self, formula: Formula, colour: str, em: float, ratio: float) -> Picture | None:
        """The drawing in pixels of a screen with this device pixel ratio; None when there is none."""
        drawing = self._drawings.get(formula)
        if drawing is None or not drawing.svg:
            return None
        key = (formula, colour, em, ratio)
        if key not in self._pictures:
            self._pictures[key] = _painted(drawing, colour, em / EM, ratio)
            _forget_oldest(self._pictures)
        return self._pictures[key]

    @property
    def busy(self) -> bool:
        return self._timer.isActive()

    def _work(self) -> None:
        if not self._imported():
            return
        if self._call is None:
            tex, display = self._waiting[0]
            self._call = SlicedCall(lambda: _draw(tex, display))
        if self._call.advance(SLICE_S):
            self._settle(self._call.result)
        elif self._call.used_s > GIVE_UP_S:
            self._call.give_up()
            self._settle(None)
        elif self._call.used_s > HARD_S:
            self._timer.setInterval(REST_MS)

    def _imported(self) -> bool:
        """Not in slices: an import that waits would lock others out."""
        if self._import is None:
            self._import = threading.Thread(target=_import_ziamath, daemon=True)
            self._import.start()
        waits = self._import.is_alive()
        self._timer.setInterval(IMPORT_POLL_MS if waits else 0)
        return not waits

    def _settle(self, drawing: Drawing | None) -> None:
        self._call = None
        self._drawings[self._waiting.popleft()] = drawing or Drawing()
        _forget_oldest(self._drawings)
        if not self._waiting:
            self._timer.stop()
        self.drawn.emit()


def _import_ziamath() -> None:
    with contextlib.suppress(ImportError):  # then every formula stays as its source
        import ziamath.zmath  # noqa: F401
        from ziamath.config import config

        config.svg2 = False  # QtSvg draws no <use> of a <symbol>


def _draw(tex: str, display: bool) -> Drawing:
    from ziamath.zmath import Latex

    formula = Latex(tex, size=EM, color=INK, inline=not display, margin=MARGIN)
    width, height = formula.getsize()
    if not (0 < width < 20_000 and 0 < height < 20_000):
        return Drawing()
    box = formula.node.bbox
    return Drawing(formula.svg(), width + 2 * MARGIN, box.ymax - box.ymin + 2 * MARGIN, MARGIN - box.ymin)


def _painted(drawing: Drawing, colour: str, scale: float, ratio: float) -> Picture:
    from PySide6.QtSvg import QSvgRenderer

    descent = max(0, math.ceil(scale * drawing.descent))
    ascent = math.ceil(scale * (drawing.height - drawing.descent))
    width, height = math.ceil(scale * drawing.width), max(1, ascent + descent)
    image = QImage(
        math.ceil(width * ratio), math.ceil(height * ratio), QImage.Format.Format_ARGB32_Premultiplied
    )
    image.fill(0)
    image.setDevicePixelRatio(ratio)
    top = ascent - scale * (drawing.height - drawing.descent)
    painter = QPainter(image)
    svg = QSvgRenderer(QByteArray(drawing.svg.replace(INK, colour).encode()))
    svg.render(painter, QRectF(0, top, scale * drawing.width, scale * drawing.height))
    painter.end()
    return Picture(image, width, height, descent)


def _forget_oldest(kept: OrderedDict) -> None:  # type: ignore[type-arg]
    while len(kept) > KEPT:
        kept.popitem(last=False)
