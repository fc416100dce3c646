"""One palette, one type scale, one spacing scale; light, dark, or as the system says."""

from enum import StrEnum
from typing import ClassVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from app.colours import DARK, LIGHT, RADIUS, SCROLL_BAR, Colours, with_more_contrast
from app.stylesheet import stylesheet

SPACE_XS, SPACE_S, SPACE_M, SPACE_L, SPACE_XL = 4, 8, 12, 16, 24
TYPE_SCALE = {"small": 0.9, "body": 1.05, "h3": 1.12, "h2": 1.28, "h1": 1.5, "title": 1.7}

__all__ = ["DARK", "LIGHT", "RADIUS", "SCROLL_BAR", "Colours"]


class Choice(StrEnum):
    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Appearance(QObject):
    """The colours in force; `changed` fires when the user or the system switches them."""

    changed = Signal()
    _shared: ClassVar["Appearance | None"] = None

    def __init__(self) -> None:
        super().__init__()
        self.choice = Choice.SYSTEM
        self.colours = LIGHT
        self._system_points = self._base_points = max(QApplication.font().pointSizeF(), 9.0)

    @classmethod
    def shared(cls) -> "Appearance":
        if cls._shared is None:
            cls._shared = cls()
            hints = QGuiApplication.styleHints()
            hints.colorSchemeChanged.connect(cls._shared._follow_system)
            if hasattr(hints, "accessibility"):  # Qt 6.10
                hints.accessibility().contrastPreferenceChanged.connect(cls._shared._apply)
        return cls._shared

    def choose(self, choice: Choice) -> None:
        self.choice = choice
        self._apply()

    def enlarge(self, percent: int) -> None:
        """All text, against the system's size."""
        self._base_points = self._system_points * percent / 100
        font = QFont(QApplication.font())
        font.setPointSizeF(self._base_points)
        QApplication.setFont(font)
        self._apply()

    @property
    def share(self) -> float:
        """Of the system's text size: 1.5 when the user wants half as much again."""
        return self._base_points / self._system_points

    def font(self, step: str = "body", bold: bool = False) -> QFont:
        font = QFont(QApplication.font())
        font.setPointSizeF(self.points(step))
        font.setBold(bold)
        return font

    def code_font(self) -> QFont:
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setPointSizeF(self.points("small"))
        return font

    def points(self, step: str) -> float:
        return round(self._base_points * TYPE_SCALE[step], 1)

    def _follow_system(self) -> None:
        if self.choice is Choice.SYSTEM:
            self._apply()

    def _apply(self) -> None:
        dark = self.choice is Choice.DARK or (self.choice is Choice.SYSTEM and _system_is_dark())
        plain = DARK if dark else LIGHT
        self.colours = with_more_contrast(plain) if _system_wants_contrast() else plain
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.setPalette(palette(self.colours))
        sheet = stylesheet(self.colours, self)
        if sheet != app.styleSheet():  # setting it styles every widget anew
            app.setStyleSheet(sheet)
        self.changed.emit()


def _system_is_dark() -> bool:
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


def _system_wants_contrast() -> bool:
    hints = QGuiApplication.styleHints()
    wanted = Qt.ContrastPreference.HighContrast
    return hasattr(hints, "accessibility") and hints.accessibility().contrastPreference() is wanted


def colours() -> Colours:
    return Appearance.shared().colours


def palette(c: Colours) -> QPalette:
    role = QPalette.ColorRole
    result = QPalette()
    for which, value in {
        role.Window: c.page,
        role.Base: c.page,
        role.AlternateBase: c.side,
        role.Button: c.raised,
        role.ToolTipBase: c.raised,
        role.WindowText: c.text,
        role.Text: c.text,
        role.ButtonText: c.text,
        role.ToolTipText: c.text,
        role.PlaceholderText: c.muted,
        role.Highlight: c.accent,
        role.HighlightedText: c.on_accent,
        role.Link: c.accent,
        role.LinkVisited: c.accent,
        role.Accent: c.accent,
    }.items():
        result.setColor(which, QColor(value))
    for which in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, which, QColor(c.muted))
    return result
