"""The live panel: what speculation does in this answer, and what it is worth."""

import time
from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QPalette, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.speculation import definitions, words
from app.speculation.figure_rows import FigureRows, plain_label, set_text, tooltip
from app.speculation.positions import PositionBars
from app.speculation.record import AnswerRecord
from app.speculation.sparkline import Sparkline
from app.speculation.state import State
from app.theme import SPACE_L, SPACE_M, SPACE_S, Appearance
from engine.events import Delta, Finished, Started

REFRESH_MS = 500  # numbers that change faster can't be read
AGE_MS = 1000  # the baseline grows older when nothing else happens, too
NARROW, WIDE = 260, 340
PACE_LINES = 3  # as tall as most reasons, so that what is below rarely moves
NUMBER_SCALE = 1.6  # of the largest step of the type scale


class SpeculationPanel(QWidget):
    """Feed it from the window's thread, as fast as you like; it paints only while it is visible."""

    def __init__(self, parent: QWidget | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Speculation"))
        self._clock = clock
        self._record: AnswerRecord | None = None
        self.refreshes = 0
        self._timer = self._new_timer(REFRESH_MS)
        self._timer.setSingleShot(True)
        self._age_timer = self._new_timer(AGE_MS)
        self._build()
        Appearance.shared().changed.connect(self._restyle)
        self._restyle()
        self._refresh()

    def answer_started(self, mode: str) -> None:
        """`mode` is the switch's value: "auto", "on" or "off"."""
        self._record = AnswerRecord(mode, self._clock)
        self._refresh()

    def prompt_read(self, started: Started) -> None:
        if self._record is not None:
            self._record.start(started)
            self._soon()

    def block_arrived(self, delta: Delta) -> None:
        if self._record is not None:
            self._record.add(delta)
            self._soon()

    def answer_finished(self, finished: Finished) -> None:
        if self._record is not None:
            self._record.finish(finished)
            self._refresh()

    def set_state(self, state: State) -> None:
        set_text(self._state, state.text)
        self._state.show()
        self._state.setToolTip(tooltip(state.tip))

    def clear(self) -> None:
        self._record = None
        self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._age_timer.start()
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._age_timer.stop()

    def _new_timer(self, milliseconds: int) -> QTimer:
        timer = QTimer(self)
        timer.setInterval(milliseconds)
        timer.timeout.connect(self._refresh)
        return timer

    def _soon(self) -> None:
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    def _refresh(self) -> None:
        self._timer.stop()
        self.refreshes += 1
        record = self._record
        drafting = record is not None and not record.plain
        self._show_sections(record is not None, drafting)
        if record is None:
            set_text(self._caption, words.idle())
            return
        self._show_figures(record)
        if drafting:
            self._show_drafts(record)
        lines = self._body.layout()
        if lines is not None:
            lines.activate()  # every new width at once, so that one paint shows them all

    def _show_sections(self, answering: bool, drafting: bool) -> None:
        for widget in (self._headline, *self._draft_sections):
            widget.setVisible(drafting)
        self._figures.setVisible(answering)
        self._details.setVisible(answering)
        for key in definitions.DRAFT_FIGURES:
            self._figures.show_row(key, drafting)
        self._details.show_row("drafted", drafting)

    def _show_figures(self, record: AnswerRecord) -> None:
        set_text(self._caption, words.off())
        self._figures.rename("speed", self.tr("Speed") if record.finished else self.tr("Speed now"))
        for rows, texts in (
            (self._figures, words.figures(record)),
            (self._details, words.details(record)),
        ):
            for key, text in texts.items():
                rows.show_figure(key, text)

    def _show_drafts(self, record: AnswerRecord) -> None:
        number, caption = words.headline(record)
        set_text(self._headline, number)
        set_text(self._caption, caption)
        self._sparkline.show_speeds(record.speeds.speeds(), record.stats.plain_tokens_per_second)
        self._positions.show_positions(record.stats.accepted_by_position)
        set_text(self._pace, words.pace(record))

    def _build(self) -> None:
        self._title = plain_label(self.tr("Speculation"), "panelTitle")
        self._state = plain_label(kind="muted")
        self._state.hide()  # until there is something to say
        self._headline = plain_label(kind="panelNumber")
        self._headline.setAccessibleName(self.tr("Speedup"))
        self._caption = plain_label(kind="muted")
        for label in (self._headline, self._caption):
            label.setToolTip(tooltip(definitions.speedup()))
        self._figures = FigureRows(definitions.figures())
        self._details = FigureRows(definitions.details())
        self._sparkline = Sparkline()
        self._positions = PositionBars()
        self._pace = plain_label(kind="muted")
        self._pace.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._draft_sections = (
            self._section(self.tr("Speed"), definitions.sparkline(), self._sparkline),
            self._section(self.tr("Right guesses by position"), definitions.positions(), self._positions),
            self._section(self.tr("Guesses in a pass"), definitions.pace(), self._pace),
        )
        self._lay_out()

    def _section(self, name: str, meaning: str, content: QWidget) -> QWidget:
        section = QWidget()
        column = QVBoxLayout(section)
        column.setContentsMargins(0, SPACE_S, 0, 0)
        column.setSpacing(SPACE_S)
        heading = plain_label(name, "panelHeading")
        for widget in (heading, content):
            widget.setToolTip(tooltip(meaning))
            column.addWidget(widget)
        return section

    def _lay_out(self) -> None:
        self._body = body = QWidget()
        body.setBackgroundRole(QPalette.ColorRole.AlternateBase)
        body.setAutoFillBackground(True)  # opaque: what lies behind is not painted with every figure
        column = QVBoxLayout(body)
        column.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_L)
        column.setSpacing(SPACE_S)
        top = (self._title, self._state, self._headline, self._caption, self._figures)
        sparkline, positions, pace = self._draft_sections
        for widget in (*top, sparkline, pace, positions, self._details):
            column.addWidget(widget)
        column.insertSpacing(column.indexOf(self._details), SPACE_S)
        column.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setObjectName("speculationScroll")
        scroll.setAccessibleName(self.tr("Figures of speculation"))
        scroll.setWidget(body)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        self.setMinimumWidth(NARROW)
        self.setMaximumWidth(WIDE)

    def _restyle(self) -> None:
        self.setStyleSheet(_stylesheet(Appearance.shared()))
        for chart in (self._sparkline, self._positions):
            chart.restyle()
        self._pace.setMinimumHeight(PACE_LINES * self._pace.fontMetrics().lineSpacing())


def _stylesheet(look: Appearance) -> str:
    return f"""
    QLabel[kind="panelTitle"] {{ font-size: {look.points("h3")}pt; font-weight: 600; }}
    QLabel[kind="panelHeading"] {{ font-weight: 600; }}
    QLabel[kind="panelNumber"] {{ font-size: {NUMBER_SCALE * look.points("title")}pt; font-weight: 600; }}
    """
