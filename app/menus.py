"""The menu bar: a feature adds its action with `window.menus.add(...)`; F1 lists what is there."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from app.theme import Appearance, Choice

if TYPE_CHECKING:
    from app.main_window import MainWindow


class Menus(QObject):
    """`chat`, `edit`, `view`, `tools` and `help`; one that is empty is not shown."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._bar = window.menuBar()
        self.chat = self._menu(self.tr("&Chat"))
        self.edit = self._menu(self.tr("&Edit"))
        self.view = self._menu(self.tr("&View"))
        self.tools = self._menu(self.tr("&Tools"))
        self.help = self._menu(self.tr("&Help"))
        self._fill()

    def add(self, menu: QMenu, text: str, keys: str, run: Callable[[], object]) -> QAction:
        """`text` is translated already; `keys` in Qt's portable form ("Ctrl+N"), or "". In `chat`, above Quit."""
        action = self._append(menu, text, keys, run)
        if menu is self.chat:
            menu.insertAction(self._above_quit, action)
        return action

    def separate(self, menu: QMenu) -> None:
        line = menu.addSeparator()
        if menu is self.chat:
            menu.insertAction(self._above_quit, line)

    def _fill(self) -> None:
        window = self._window
        self._above_quit = self.chat.addSeparator()
        self._append(self.chat, self.tr("&Quit"), "Ctrl+Q", window.close)
        self.add(self.chat, self.tr("&New chat"), "Ctrl+N", window.new_chat)
        self.add(self.chat, self.tr("&Search chats"), "Ctrl+K", window.focus_search)
        self.add(self.edit, self.tr("&Write a message"), "Ctrl+L", window.focus_composer)
        self.add(self.edit, self.tr("&Find in this chat"), "Ctrl+F", window.view.find_bar.open)
        self.add(self.edit, self.tr("&Copy last answer"), "Ctrl+Shift+C", window.copy_last_answer)
        self._add_themes()
        self.separate(self.view)
        self.add(self.view, self.tr("Speculation &panel"), "Ctrl+Shift+P", window.toggle_panel)
        self.add(self.view, self.tr("Chat &list"), "Ctrl+Shift+S", window.toggle_sidebar)
        self.add(self.help, self.tr("&Keyboard shortcuts"), "F1", self.show_shortcuts)
        self.separate(self.help)
        self.add(self.help, self.tr("Check this &computer…"), "", self._doctor)
        self.add(self.help, self.tr("Check for &updates…"), "", self._check_for_updates)
        self.add(self.help, self.tr("&About Slipstream"), "", self._about)

    def show_shortcuts(self) -> None:
        from app.shortcuts import show_shortcuts

        show_shortcuts(self._window)

    def _menu(self, title: str) -> QMenu:
        menu = self._bar.addMenu(title)
        menu.menuAction().setVisible(False)
        return menu

    def _append(self, menu: QMenu, text: str, keys: str, run: Callable[[], object]) -> QAction:
        action = QAction(text, menu)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda _checked=False: run())
        menu.addAction(action)
        menu.menuAction().setVisible(True)
        return action

    def _check_for_updates(self) -> None:
        from app.update_dialog import show_update_check

        show_update_check(self._window.log, self._window)

    def _doctor(self) -> None:
        from app.doctor_dialog import show_doctor

        show_doctor(self._window.log, self._window)

    def _about(self) -> None:
        from app.about import show_about

        show_about(self._window)

    def _add_themes(self) -> None:
        menu = self.view.addMenu(self.tr("Th&eme"))
        self.view.menuAction().setVisible(True)
        group = QActionGroup(menu)
        names = {
            Choice.SYSTEM: self.tr("As the system"),
            Choice.LIGHT: self.tr("Light"),
            Choice.DARK: self.tr("Dark"),
        }
        for choice in Choice:
            action = QAction(names[choice], menu, checkable=True)
            action.setChecked(choice is Appearance.shared().choice)
            action.triggered.connect(lambda _checked=False, wanted=choice: self._window.choose_theme(wanted))
            group.addAction(action)
            menu.addAction(action)
        self._themes = group
        Appearance.shared().changed.connect(self._show_theme)

    def _show_theme(self) -> None:
        for choice, action in zip(Choice, self._themes.actions(), strict=True):
            action.setChecked(choice is Appearance.shared().choice)
