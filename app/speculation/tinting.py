"""Tints behind the accepted text of answers that are shown as Markdown; where a letter's origin is in doubt, none."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate, groupby
from time import perf_counter

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit
from shiboken6 import isValid

from app.chat.block_view import BlockView
from app.chat.code_block import CodeText
from app.chat.markdown import Block, Kind
from app.chat.message import AssistantMessage
from app.chat.reasoning import CLOSE
from app.chat.rich_text import RichText
from app.chat.selectable import shown
from app.chat.transcript import Transcript
from app.speculation.accepted_spans import Span, accepted_spans
from app.speculation.alignment import NOWHERE, align, align_code
from app.speculation.keeper import Keeper
from app.speculation.origins import Origin
from app.speculation.tints import FAINT, tint
from app.speculation.trace import Trace
from app.theme import Appearance, colours
from engine.errors import SlipstreamError

NAME = "origins"  # of the marks
REFRESH_MS = 500
SLICE_S = 0.006
OPEN_BLOCKS = 2  # at the end of an answer that comes, may still change
UNKNOWN = (Kind.TABLE, Kind.MATH, Kind.RULE)  # their letters have no sure place in the source


class Tinting(QObject):
    """Follows the transcript while it is on; a few blocks at a time, so that the window stays alive."""

    def __init__(self, transcript: Transcript, keeper: Keeper, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.on = False
        self._transcript = transcript
        self._keeper = keeper
        self._waiting: dict[AssistantMessage, bool] = {}  # whether all of it is to be tinted anew
        self._work: Iterator[None] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._go_on)
        transcript.entries.appeared.connect(self._appeared)
        keeper.grew.connect(self._grew)
        Appearance.shared().changed.connect(self._all)

    def switch(self, on: bool) -> None:
        self.on = on
        self._all()

    @property
    def idle(self) -> bool:
        return self._work is None and not self._waiting

    def _all(self) -> None:
        for message in self._transcript.messages:
            if self.on:
                self._appeared(message)
            elif isinstance(message, AssistantMessage):
                _clear(message)

    def _appeared(self, message: object) -> None:
        if self.on and isinstance(message, AssistantMessage):
            self._waiting[message] = True
            self._timer.start(0)

    def _grew(self, grown: int) -> None:
        if not self.on:
            return
        for message in self._transcript.messages:
            if isinstance(message, AssistantMessage) and message.message_id == grown:
                self._waiting.setdefault(message, False)
        if not self._timer.isActive():
            self._timer.start(REFRESH_MS)

    def _go_on(self) -> None:
        end = perf_counter() + SLICE_S
        while perf_counter() < end:
            if self._work is None:
                if not self._waiting:
                    return
                message, anew = self._waiting.popitem()
                self._work = self._tint(message, anew)
            if next(self._work, self) is self:
                self._work = None
        self._timer.start(0)

    def _tint(self, message: AssistantMessage, anew: bool) -> Iterator[None]:
        """Block by block. Blocks that are complete keep their tints, unless `anew`."""
        trace = self._trace(message)
        if trace is None:
            return
        spans = Spans(accepted_spans(trace, message.source.replace("\r", "")))
        yield
        for view in message.text.views():
            begin, source, placed = _begin(message, view), view.source.replace("\r", ""), view.placed()
            for number, (block, text) in enumerate(placed):
                fixed = number < len(placed) - OPEN_BLOCKS and NAME in getattr(text, "marks", {})
                if begin is None or not isValid(text) or (fixed and not anew):
                    continue
                _mark(text, list(marks_of(block, text, source, spans.within(begin, block.start, block.end))))
                yield

    def _trace(self, message: AssistantMessage) -> Trace | None:
        if not self.on or message not in self._transcript.messages or message.message_id is None:
            return None
        try:
            return self._keeper.trace(message.message_id)
        except SlipstreamError:
            return None


class Spans:
    """In the order of the text."""

    def __init__(self, spans: list[Span]) -> None:
        self._spans = spans
        self._starts = [span.start for span in spans]

    def within(self, begin: int, start: int, end: int) -> list[Span]:
        """Those that touch the block from `start` to `end` of a view that begins at `begin`, from the block's start."""
        shift = begin + start
        first = max(bisect_right(self._starts, shift) - 1, 0)
        last = bisect_left(self._starts, begin + end)
        return [
            Span(span.start - shift, span.end - shift, span.origin)
            for span in self._spans[first:last]
            if span.end > shift
        ]


def marks_of(
    block: Block, text: RichText | CodeText, source: str, spans: list[Span]
) -> Iterator[tuple[int, int, Origin]]:
    """(start, end, origin) in the document's positions. `source`: of the view; `spans` count from the block's start."""
    if block.kind in UNKNOWN or not spans:
        return
    letters = shown(text)
    own = source[block.start : block.end]
    places = align_code(own, letters) if isinstance(text, CodeText) else align(own, letters)
    if places is None:
        return
    positions = [0, *accumulate(2 if ord(letter) > 0xFFFF else 1 for letter in letters)]  # Qt counts UTF-16
    starts = [span.start for span in spans]
    origins = [_origin_at(place, spans, starts) for place in places]
    for origin, group in groupby(range(len(origins)), key=lambda index: origins[index]):
        run = list(group)
        if origin is not None:
            yield positions[run[0]], positions[run[-1] + 1], origin


def _origin_at(place: int, spans: list[Span], starts: list[int]) -> Origin | None:
    if place == NOWHERE:
        return None
    index = bisect_right(starts, place) - 1
    return spans[index].origin if index >= 0 and place < spans[index].end else None


def _begin(message: AssistantMessage, view: BlockView) -> int | None:
    """Where the view's text begins in the answer."""
    whole, part = message.source.replace("\r", ""), view.source.replace("\r", "")
    after = 0
    if message.text.thoughts is not None and view is message.text.body:
        after = whole.find(CLOSE) + len(CLOSE)
    at = whole.find(part, after)
    return at if at >= 0 and part else None


def _mark(text: RichText | CodeText, marks: list[tuple[int, int, Origin]]) -> None:
    ground = colours().code if isinstance(text, CodeText) else colours().page
    selections = []
    for start, end, origin in marks:
        selection = QTextEdit.ExtraSelection()
        style = QTextCharFormat()
        style.setBackground(tint(origin, colours(), ground, FAINT))
        cursor = QTextCursor(text.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        selection.format, selection.cursor = style, cursor
        selections.append(selection)
    text.mark(NAME, selections)


def _clear(message: AssistantMessage) -> None:
    for view in message.text.views():
        for _, text in view.placed():
            text.mark(NAME, [])
