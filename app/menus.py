"""Menus and shortcuts of the window; F1 lists the shortcuts."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMessageBox

from app.theme import Appearance, Choice

if TYPE_CHECKING:
    from app.main_window import MainWindow

SHORTCUTS = (
    ("Enter", "Send the message"),
    ("Shift+Enter", "Start a new line"),
    ("Esc", "Stop the answer; leave the search"),
    ("Ctrl+N", "New chat"),
    ("Ctrl+K", "Search chats"),
    ("Ctrl+L", "Write a message"),
    ("Ctrl+Shift+C", "Copy the last answer as Markdown"),
    ("Ctrl+Shift+P", "Show or hide the speculation panel"),
    ("Ctrl+Shift+S", "Show or hide the chat list"),
    ("F2", "Rename the selected chat"),
    ("Del", "Delete the selected chat"),
    ("Ctrl+Z", "Bring the deleted chat back, from the list of chats"),
    ("Ctrl+Q", "Quit"),
)


def add_menus(window: "MainWindow") -> None:
    bar = window.menuBar()
    chat = bar.addMenu("&Chat")
    _add(chat, "&New chat", "Ctrl+N", window.new_chat)
    _add(chat, "&Search chats", "Ctrl+K", window.focus_search)
    _add(chat, "&Write a message", "Ctrl+L", window.focus_composer)
    _add(chat, "&Copy last answer", "Ctrl+Shift+C", window.copy_last_answer)
    chat.addSeparator()
    _add(chat, "&Quit", "Ctrl+Q", window.close)
    view = bar.addMenu("&View")
    _add_themes(view.addMenu("&Theme"), window)
    view.addSeparator()
    _add(view, "Speculation &panel", "Ctrl+Shift+P", window.toggle_panel)
    _add(view, "Chat &list", "Ctrl+Shift+S", window.toggle_sidebar)
    help_menu = bar.addMenu("&Help")
    _add(help_menu, "&Keyboard shortcuts", "F1", lambda: show_shortcuts(window))
    help_menu.addSeparator()
    _add(help_menu, "Check for &updates…", "", lambda: _check_for_updates(window))
    _add(help_menu, "&About Slipstream", "", lambda: _about(window))


def show_shortcuts(window: "MainWindow") -> None:
    rows = "".join(f"<tr><td><b>{keys}</b>&nbsp;&nbsp;</td><td>{what}</td></tr>" for keys, what in SHORTCUTS)
    box = QMessageBox(window)
    box.setWindowTitle("Keyboard shortcuts")
    box.setText(f"<table cellpadding='3'>{rows}</table>")
    box.open()


def _check_for_updates(window: "MainWindow") -> None:
    from app.update_dialog import show_update_check

    show_update_check(window.log, window)


def _about(window: "MainWindow") -> None:
    from app.about import show_about

    show_about(window)


def _add_themes(menu: QMenu, window: "MainWindow") -> None:
    group = QActionGroup(menu)
    for choice in Choice:
        action = QAction(choice.value.capitalize(), menu, checkable=True)
        action.setChecked(choice is Appearance.shared().choice)
        action.triggered.connect(lambda _checked=False, wanted=choice: window.choose_theme(wanted))
        group.addAction(action)
        menu.addAction(action)


def _add(menu: QMenu, text: str, keys: str, run: Callable[[], object]) -> None:
    action = QAction(text, menu)
    action.setShortcut(QKeySequence(keys))
    action.triggered.connect(lambda _checked=False: run())
    menu.addAction(action)
