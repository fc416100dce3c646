"""The program's settings: in force at once where that is possible; where not, it says so and offers the way."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QScrollArea, QTabWidget, QVBoxLayout, QWidget

from app.dialog_size import open_at
from app.settings.program_pages import ChatsPage, FilesPage, LookPage, MachinePage
from app.settings.settings import Settings
from app.theme import SPACE_M, SPACE_XL
from engine.load_options import LoadOptions

if TYPE_CHECKING:
    from engine.device import Device

WIDTH, HEIGHT = 620, 500


class ProgramDialog(QDialog):
    """`reload` loads the present pair again; `loaded_with` tells what it was loaded with, None without one."""

    def __init__(
        self,
        settings: Settings,
        reload: Callable[[], object],
        loaded_with: Callable[[], LoadOptions | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self._settings, self._loaded_with = settings, loaded_with
        self.tabs = QTabWidget(self)
        self.tabs.setObjectName("settingsTabs")
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.look = LookPage(settings, self)
        self.chats = ChatsPage(settings, self)
        self.machine = MachinePage(settings, reload, self)
        self.files = FilesPage(settings.path.parent, self)
        for page, title in (
            (self.look, self.tr("Appearance")),
            (self.chats, self.tr("New chats")),
            (self.machine, self.tr("Speed and memory")),
            (self.files, self.tr("Files and privacy")),
        ):
            self.tabs.addTab(_scrolling(page), title)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        buttons.setContentsMargins(SPACE_XL, 0, SPACE_XL, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, SPACE_M, 0, SPACE_M)
        column.addWidget(self.tabs, 1)
        column.addWidget(buttons)
        settings.changed.connect(self.refresh)
        open_at(self, WIDTH, HEIGHT)

    def refresh(self) -> None:
        for page in (self.look, self.chats, self.machine):
            page.refresh()
        loaded = self._loaded_with()
        self.machine.show_pending(loaded is not None and loaded != self._settings.now.load_options)

    def show_devices(self, found: "list[Device]") -> None:
        self.machine.show_devices(found)

    def showEvent(self, event: QShowEvent) -> None:
        self.refresh()
        super().showEvent(event)


def _scrolling(page: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidget(page)
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    return area
