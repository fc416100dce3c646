"""The window's place and size, and what stands beside the conversation: as the user left it, as far as it fits."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QSplitter

if TYPE_CHECKING:
    from app.main_window import MainWindow

PANEL_FITS = 1100  # narrower windows hide the panel, then the chat list
SIDEBAR_FITS = 760
FIRST_SIZE = (1280, 800)


class WindowShape:
    """`panel` and `sidebar`: whether the user wants them; None: as the width allows."""

    def __init__(self, window: "MainWindow", splitter: QSplitter) -> None:
        self._window = window
        self._splitter = splitter
        self.panel = _wish(window.settings, "panel")
        self.sidebar = _wish(window.settings, "sidebar")

    def restore(self) -> None:
        """Qt itself brings a window back whose screen is gone."""
        settings = self._window.settings
        geometry, sizes = settings.value("geometry"), settings.value("splitter")
        if not (isinstance(geometry, QByteArray) and self._window.restoreGeometry(geometry)):
            self._window.resize(*FIRST_SIZE)
        if isinstance(sizes, QByteArray):
            self._splitter.restoreState(sizes)
            self._splitter.setHandleWidth(1)  # which the state carries along
        self.fit()

    def save(self) -> None:
        settings = self._window.settings
        settings.setValue("geometry", self._window.saveGeometry())
        settings.setValue("splitter", self._splitter.saveState())
        for key, wish in (("panel", self.panel), ("sidebar", self.sidebar)):
            settings.setValue(key, "" if wish is None else str(wish))

    def toggle_panel(self) -> None:
        self.panel = not self._window.panel.isVisible()
        self.fit()

    def toggle_sidebar(self) -> None:
        self.sidebar = not self._window.sidebar.isVisible()
        self.fit()

    def fit(self) -> None:
        """To the window's width."""
        window, width = self._window, self._window.width()
        window.panel.setVisible(width >= PANEL_FITS if self.panel is None else self.panel)
        window.header.panel_button.setChecked(window.panel.isVisibleTo(window))
        window.sidebar.setVisible(width >= SIDEBAR_FITS if self.sidebar is None else self.sidebar)


def _wish(settings: QSettings, key: str) -> bool | None:
    return {"True": True, "False": False}.get(str(settings.value(key, "")))
