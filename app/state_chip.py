"""The chip in the header: what speculation does now, or what the model is doing instead. A click says why."""

import html
from dataclasses import replace

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.speculation.state import Kind, State, reading, state_of
from app.worker import Loaded
from engine.events import Reading
from engine.metrics import Stats
from engine.request import Speculation

SIDES = 20  # pixels of padding, as in the theme's style sheet
SLACK = 4  # fractions of pixels that the metrics round off
NARROWEST = 60
REFRESH_MS = 500  # the draft length changes with every pass; nobody could read that


class StateChip(QPushButton):
    """`words` is the whole text; what does not fit is elided. `state` is what its explanation is about."""

    changed = Signal(object)  # State
    asked = Signal()  # why?

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chip")
        self.setAccessibleName(self.tr("State of speculation"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.words = ""
        self.state = State(Kind.NO_MODEL, "")
        self.loaded: Loaded | None = None
        self._mode = "auto"
        self._stats: Stats | None = None
        self._ended = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(REFRESH_MS)
        self._timer.timeout.connect(self.refresh)
        self.clicked.connect(self.asked)
        self.hide()

    def say(self, text: str, tip: str = "") -> None:
        """For the time while no model answers."""
        self.loaded = None
        self._show(State(Kind.NO_MODEL, text, tip))

    def load_failed(self, sentence: str) -> None:
        self.say(self.tr("No model loaded"), sentence)

    def engine_loaded(self, loaded: Loaded) -> None:
        self.loaded, self._stats = loaded, None
        self.refresh()

    def set_mode(self, mode: str) -> None:
        self._mode, self._stats = mode, None
        self.refresh()

    def show_reading(self, progress: Reading) -> None:
        """The prompt of the next answer."""
        if self.loaded is not None:
            self._show(reading(progress.done, progress.total))

    def show_stats(self, stats: Stats, ended: bool = False) -> None:
        """Of the latest pass; the last one of an answer said what was decided, which the end does not repeat."""
        if ended and self._stats is not None and not stats.pace_reason:
            last = self._stats
            stats = replace(stats, pace_reason=last.pace_reason, draft_tokens_now=last.draft_tokens_now)
        self._stats, self._ended = stats, ended
        if ended or self.state.kind is Kind.READING:
            self.refresh()
        elif not self._timer.isActive():
            self._timer.start()

    def refresh(self) -> None:
        """Says what is known now."""
        self._timer.stop()
        if self.loaded is None:
            return
        reason = self.loaded.unavailable.get(Speculation.AUTO)
        state = state_of(self._mode, reason, self._stats, self._ended)
        if not self.loaded.exact and self._mode != "off" and reason is None:
            tip = self.tr("On this device the text may differ from the one without drafts.")
            state = replace(state, tip=f"{state.tip} {tip}".strip())
        self._show(state)
        self.changed.emit(self.state)

    def sizeHint(self) -> QSize:
        self.ensurePolished()
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self.words) + SIDES + SLACK, metrics.height() + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(min(NARROWEST, self.sizeHint().width()), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _show(self, state: State) -> None:
        self.state = state
        if state.text != self.words:
            self.words = state.text
            self.setAccessibleDescription(state.text)
            self.updateGeometry()
            self._elide()
        self.setToolTip(f"<p>{html.escape(state.tip)}</p>" if state.tip else "")
        self.setVisible(bool(state.text))

    def _elide(self) -> None:
        space = max(self.width() - SIDES, NARROWEST - SIDES)
        text = QFontMetrics(self.font()).elidedText(self.words, Qt.TextElideMode.ElideRight, space)
        self.setText(text.replace("&", "&&"))
