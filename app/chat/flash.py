"""Light around a message that was looked for; it fades."""

from PySide6.QtCore import QEvent, QObject, Qt, QVariantAnimation
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.colours import RADIUS
from app.theme import colours

SHOWN_MS = 1600
STRENGTH = 0.25  # of the accent, at first


class Flash(QWidget):
    """Lies over the whole of `target`, lets every click through, and removes itself."""

    def __init__(self, target: QWidget) -> None:
        super().__init__(target)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._strength = STRENGTH
        target.installEventFilter(self)
        self._fit(target)
        self._fading = QVariantAnimation(self)
        self._fading.setDuration(SHOWN_MS)
        self._fading.setStartValue(STRENGTH)
        self._fading.setEndValue(0.0)
        self._fading.valueChanged.connect(self._fade)
        self._fading.finished.connect(self.deleteLater)
        self._fading.start()
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and isinstance(watched, QWidget):
            self._fit(watched)
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        colour = QColor(colours().accent)
        colour.setAlphaF(self._strength)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(self.rect(), RADIUS, RADIUS)

    def _fit(self, target: QWidget) -> None:
        self.setGeometry(target.rect())

    def _fade(self, strength: float) -> None:
        self._strength = strength
        self.update()
