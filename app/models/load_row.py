"""What a pair's loading is at, how long it has taken, and the way out of it; below the header while it lasts."""

import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from app.theme import SPACE_L, SPACE_M, SPACE_S
from engine.events import Progress

REVEAL_MS = 800  # a loading that takes no longer than this shows nothing but the bar
TICK_MS = 1000


class LoadRow(QWidget):
    stop_asked = Signal()

    def __init__(self, parent: QWidget | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._clock = clock
        self._began = 0.0
        self._progress: Progress | None = None
        self.label = QLabel(self)
        self.label.setProperty("kind", "muted")
        self.label.setWordWrap(True)
        self.stop = QPushButton(self.tr("Stop loading"), self)
        self.stop.clicked.connect(self.stop_asked)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_L, SPACE_S, SPACE_L, 0)
        row.setSpacing(SPACE_M)
        row.addWidget(self.label, 1)
        row.addWidget(self.stop)
        self._reveal = QTimer(self)
        self._reveal.setSingleShot(True)
        self._reveal.setInterval(REVEAL_MS)
        self._reveal.timeout.connect(self.show)
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self.refresh)
        self.hide()

    def begin(self) -> None:
        self._began, self._progress = self._clock(), None
        self.refresh()
        self._reveal.start()
        self._tick.start()

    def show_progress(self, progress: Progress) -> None:
        self._progress = progress
        self.refresh()

    def end(self) -> None:
        self._reveal.stop()
        self._tick.stop()
        self.hide()

    def refresh(self) -> None:
        seconds = int(self._clock() - self._began)
        took = self.tr("{minutes}:{seconds}").format(minutes=seconds // 60, seconds=f"{seconds % 60:02}")
        self.label.setText(
            self.tr("{step} ({time})", "a step of loading and the time since it began").format(
                step=self._step(), time=took
            )
        )

    def _step(self) -> str:
        if self._progress is None:
            return self.tr("Reading the model")
        step, done, total = in_words(self._progress.stage), self._progress.done, self._progress.total
        if total <= 1:
            return step
        return self.tr("{step}: {percent} %").format(step=step, percent=100 * done // total)


def in_words(stage: str) -> str:
    words = {
        "converting": QCoreApplication.translate("LoadRow", "Converting the model, only this first time"),
        "compiling": QCoreApplication.translate("LoadRow", "Preparing the model for this processor"),
        "measuring": QCoreApplication.translate(
            "LoadRow", "Warming up, and measuring the speed if that is new"
        ),
    }
    return words.get(stage, stage.capitalize())
