"""One palette, one type scale, one spacing scale; light, dark, or as the system says."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

SPACE_XS, SPACE_S, SPACE_M, SPACE_L, SPACE_XL = 4, 8, 12, 16, 24
TYPE_SCALE = {"small": 0.9, "body": 1.05, "h3": 1.12, "h2": 1.28, "h1": 1.5, "title": 1.7}
RADIUS = 8
SCROLL_BAR = 11


class Choice(StrEnum):
    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Colours:
    """Text on `page`, `side`, `raised` and `code` reaches at least 4.5 : 1 (WCAG AA); a test measures it."""

    dark: bool
    page: str
    side: str
    raised: str
    chosen: str
    code: str
    border: str
    control: str
    text: str
    muted: str
    accent: str
    on_accent: str
    danger: str
    danger_page: str
    pygments: str


LIGHT = Colours(
    dark=False,
    page="#ffffff",
    side="#f4f5f7",
    raised="#eceff4",
    chosen="#e1e6ee",
    code="#f6f7f9",
    border="#d9dde3",
    control="#868e99",
    text="#1c2129",
    muted="#59616e",
    accent="#0b63b8",
    on_accent="#ffffff",
    danger="#b3261e",
    danger_page="#fdeeec",
    pygments="default",
)
DARK = Colours(
    dark=True,
    page="#181b20",
    side="#131519",
    raised="#262b33",
    chosen="#2b323c",
    code="#111317",
    border="#333943",
    control="#717a87",
    text="#e4e7ec",
    muted="#9ea7b4",
    accent="#74b4f5",
    on_accent="#0c1a29",
    danger="#ff9b91",
    danger_page="#372120",
    pygments="github-dark",
)


class Appearance(QObject):
    """The colours in force; `changed` fires when the user or the system switches them."""

    changed = Signal()
    _shared: ClassVar["Appearance | None"] = None

    def __init__(self) -> None:
        super().__init__()
        self.choice = Choice.SYSTEM
        self.colours = LIGHT
        self._base_points = max(QApplication.font().pointSizeF(), 9.0)

    @classmethod
    def shared(cls) -> "Appearance":
        if cls._shared is None:
            cls._shared = cls()
            QGuiApplication.styleHints().colorSchemeChanged.connect(cls._shared._follow_system)
        return cls._shared

    def choose(self, choice: Choice) -> None:
        self.choice = choice
        self._apply()

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
        self.colours = DARK if dark else LIGHT
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.setPalette(palette(self.colours))
        app.setStyleSheet(stylesheet(self.colours, self))
        self.changed.emit()


def _system_is_dark() -> bool:
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


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


def stylesheet(c: Colours, look: Appearance) -> str:
    small = look.points("small")
    return f"""
    QToolTip {{ color: {c.text}; background: {c.raised}; border: 1px solid {c.border}; padding: 4px; }}
    #sidebar, #headerBar {{ background: {c.side}; }}
    #sidebar QListView {{ background: transparent; border: none; outline: none; }}
    #sidebar QListView::item {{ padding: 7px 8px; border: none; border-left: 3px solid transparent; }}
    #sidebar QListView::item:hover {{ background: {c.raised}; }}
    #sidebar QListView::item:selected {{ background: {c.chosen}; color: {c.text};
        border-left: 3px solid {c.accent}; }}
    QLineEdit {{ background: {c.page}; border: 1px solid {c.control}; border-radius: 6px;
        padding: 5px 8px; }}
    QLineEdit:focus {{ border: 1px solid {c.accent}; }}
    QPushButton {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.border};
        border-radius: 6px; padding: 6px 12px; }}
    QPushButton:hover {{ border-color: {c.control}; }}
    QPushButton:focus {{ border: 1px solid {c.accent}; }}
    QPushButton:disabled {{ color: {c.muted}; border-color: {c.border}; background: {c.side}; }}
    QPushButton[kind="primary"] {{ background: {c.accent}; color: {c.on_accent}; border-color: {c.accent};
        font-weight: 600; }}
    QPushButton[kind="primary"]:focus {{ border: 1px solid {c.text}; }}
    QPushButton[kind="primary"]:disabled {{ background: {c.raised}; color: {c.muted};
        border-color: {c.border}; }}
    QPushButton[kind="action"] {{ background: transparent; border: none; border-bottom: 1px solid transparent;
        border-radius: 0; color: {c.muted}; padding: 2px 0; font-size: {small}pt; }}
    QPushButton[kind="action"]:hover {{ color: {c.text}; }}
    QPushButton[kind="action"]:focus {{ border-bottom: 1px solid {c.accent}; color: {c.text}; }}
    QPushButton[kind="toggle"] {{ background: transparent; border: 1px solid {c.border}; color: {c.muted};
        padding: 3px 10px; }}
    QPushButton[kind="toggle"]:hover {{ color: {c.text}; border-color: {c.control}; }}
    QPushButton[kind="toggle"]:checked {{ background: {c.raised}; color: {c.text}; border-color: {c.control}; }}
    QPushButton[kind="toggle"]:focus {{ border-color: {c.accent}; }}
    QPushButton[kind="example"] {{ text-align: left; padding: 10px 14px; background: {c.page}; }}
    QPushButton[kind="example"]:hover {{ background: {c.side}; }}
    QLabel[kind="muted"] {{ color: {c.muted}; }}
    QLabel[kind="small"] {{ color: {c.muted}; font-size: {small}pt; }}
    QLabel[kind="title"] {{ font-size: {look.points("title")}pt; font-weight: 600; }}
    #userBubble {{ background: {c.raised}; border-radius: {RADIUS + 2}px; }}
    #codeBlock {{ background: {c.code}; border: 1px solid {c.border}; border-radius: {RADIUS}px; }}
    #codeHeader {{ background: transparent; }}
    #rule {{ background: {c.border}; border: none; }}
    #quoteBlock {{ border: none; border-left: 3px solid {c.border}; }}
    #notice {{ background: {c.danger_page}; border: none; border-left: 3px solid {c.danger};
        border-radius: 4px; }}
    #notice QLabel {{ color: {c.text}; background: transparent; }}
    #notice[tone="plain"] {{ background: {c.side}; border-left-color: {c.control}; }}
    #composerFrame {{ background: {c.page}; border: 1px solid {c.control}; border-radius: {RADIUS + 2}px; }}
    #composerFrame[focused="true"] {{ border: 1px solid {c.accent}; }}
    #composerFrame QPlainTextEdit {{ background: transparent; border: none; }}
    #card {{ background: {c.side}; border: 1px solid {c.border}; border-radius: {RADIUS + 2}px; }}
    QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
    QProgressBar {{ background: {c.raised}; border: none; border-radius: 3px; max-height: 6px; }}
    QProgressBar::chunk {{ background: {c.accent}; border-radius: 3px; }}
    #chip {{ color: {c.text}; background: {c.raised}; border-radius: 9px; padding: 3px 10px;
        font-size: {small}pt; }}
    QScrollBar:vertical {{ background: transparent; width: {SCROLL_BAR}px; margin: 0; }}
    QScrollBar:horizontal {{ background: transparent; height: {SCROLL_BAR}px; margin: 0; }}
    QScrollBar::handle {{ background: {c.control}; border-radius: 2px; margin: 3px; }}
    QScrollBar::handle:disabled {{ background: transparent; }}
    QScrollBar::handle:vertical {{ min-height: 32px; }}
    QScrollBar::handle:horizontal {{ min-width: 32px; }}
    QScrollBar::handle:hover {{ background: {c.muted}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QComboBox QAbstractItemView {{ background: {c.page}; border: 1px solid {c.control}; padding: 4px; outline: none;
        selection-background-color: {c.raised}; selection-color: {c.text}; }}
    QComboBox QAbstractItemView::item {{ min-height: 26px; padding: 0 6px; }}
    QMenuBar {{ background: {c.side}; }}
    QMenuBar::item {{ padding: 4px 10px; background: transparent; }}
    QMenuBar::item:selected {{ background: {c.raised}; border-radius: 4px; }}
    #jump {{ background: {c.raised}; border: 1px solid {c.control}; border-radius: 10px; padding: 5px 14px; }}
    QSplitter::handle {{ background: {c.border}; }}
    """
