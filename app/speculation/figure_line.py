"""One line of figures below an answer; a click shows all of them. What does not fit is elided."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.speculation.numbers import count_of_tokens, decimal, percent, speed
from app.speculation.worth import speedup_of
from engine.metrics import Stats

ENOUGH_GUESSES = 10  # a share of fewer says nothing


class FigureLine(QPushButton):
    def __init__(self, name: str, run: Callable[[], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ""
        self.setProperty("kind", "action")
        self.setStyleSheet("text-align: left")
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda _checked=False: run())
        self.hide()

    def show_stats(self, stats: Stats | None) -> None:
        self._words = figures(stats) if stats is not None and stats.tokens else ""
        self.setAccessibleDescription(self._words)
        self.setVisible(bool(self._words))
        self.updateGeometry()
        self._elide()

    def sizeHint(self) -> QSize:
        self.ensurePolished()
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self._words) + 4, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(1, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        metrics = QFontMetrics(self.font())
        self.setText(metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, max(self.width(), 1)))


def figures(stats: Stats) -> str:
    """What was measured, nothing assumed; a speedup only where it rests on enough tokens."""
    tr = QCoreApplication.translate
    parts = [count_of_tokens(stats.tokens)]
    if stats.tokens_per_second:
        parts.append(speed(stats.tokens_per_second))
    speedup = speedup_of(stats)
    if speedup is not None:
        parts.append(tr("Figures", "{factor}× plain decoding").format(factor=decimal(speedup)))
    if stats.acceptance_rate is not None and stats.drafted >= ENOUGH_GUESSES:
        rate = percent(stats.acceptance_rate)
        parts.append(tr("Figures", "{rate} of the guesses right").format(rate=rate))
    return "  ·  ".join(parts)
