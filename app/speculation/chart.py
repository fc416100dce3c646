"""What both charts share: fonts and colours of the theme, and a description for those who can't see them."""

from PySide6.QtGui import QColor, QFontMetrics
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.theme import Appearance, colours


class Chart(QWidget):
    """Paints itself anew when its description, which says all that it shows, changes."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFont(Appearance.shared().font("small"))

    @property
    def metrics(self) -> QFontMetrics:
        return QFontMetrics(self.font())

    def describe(self, text: str) -> None:
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)
        self.update()

    def restyle(self) -> None:
        self.setFont(Appearance.shared().font("small"))
        self.update()


def accent(alpha: float = 1.0) -> QColor:
    colour = QColor(colours().accent)
    colour.setAlphaF(alpha)
    return colour


def muted() -> QColor:
    return QColor(colours().muted)
