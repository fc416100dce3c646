"""The chip in the header: what speculation does now, or what the model is doing instead."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QWidget

from app.speculation.state import State, state_of
from app.worker import Loaded
from engine.metrics import Stats
from engine.request import Speculation


class StateChip(QLabel):
    changed = Signal(object)  # State

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chip")
        self.setAccessibleName("State of speculation")
        self.loaded: Loaded | None = None
        self._mode = "auto"
        self._stats: Stats | None = None
        self.hide()

    def say(self, text: str, tip: str = "") -> None:
        """For the time while no model answers."""
        self.loaded = None
        self._show(text, tip)

    def load_failed(self, sentence: str) -> None:
        self.say("No model loaded", sentence)

    def engine_loaded(self, loaded: Loaded) -> None:
        self.loaded, self._stats = loaded, None
        self._refresh()

    def set_mode(self, mode: str) -> None:
        self._mode, self._stats = mode, None
        self._refresh()

    def show_stats(self, stats: Stats) -> None:
        self._stats = stats
        self._refresh()

    def _refresh(self) -> None:
        if self.loaded is None:
            return
        reason = self.loaded.unavailable.get(Speculation.AUTO)
        state: State = state_of(self._mode, reason, self._stats)
        self._show(state.text, state.tip)
        self.changed.emit(state)

    def _show(self, text: str, tip: str) -> None:
        if text != self.text():
            self.setText(text)
        self.setToolTip(tip)
        self.setVisible(bool(text))
