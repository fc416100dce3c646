"""F1: every key of the window, read out of the actions and widgets that act on it, so that the list can't lie."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMenuBar,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.dialog_size import open_at
from app.theme import SPACE_L, SPACE_M


@dataclass(frozen=True, slots=True)
class Key:
    """`keys` as this system writes them, what they do, and in which menu or part of the window."""

    keys: str
    what: str
    where: str


@runtime_checkable
class HasKeys(Protocol):
    """A widget that takes keys itself instead of by an action says which."""

    def own_keys(self) -> list[tuple[str, str]]:
        """(keys in Qt's portable form, what they do in the user's language)."""
        ...


def keys_of(window: QMainWindow) -> list[Key]:
    """Menus first, then shortcuts outside the menus (`whatsThis` says what they do), then the widgets' own keys."""
    found = [key for action in window.menuBar().actions() for key in _of_menu(action.menu())]
    found += [_of_shortcut(shortcut) for shortcut in window.findChildren(QShortcut) if shortcut.whatsThis()]
    for widget in window.findChildren(QWidget):
        if not isinstance(widget, QMenu | QMenuBar):
            found += _of_widget(widget)
    return list(dict.fromkeys(found))


def _of_shortcut(shortcut: QShortcut) -> Key:
    """In the part of the window that has it, if that has a name."""
    parent = shortcut.parent()
    where = parent.accessibleName() if isinstance(parent, QWidget) else ""
    outside = QCoreApplication.translate("Shortcuts", "Window")
    return Key(_native(shortcut.key()), shortcut.whatsThis(), where or outside)


def _of_widget(widget: QWidget) -> Iterator[Key]:
    where = widget.accessibleName()
    for action in widget.actions():
        yield from _of_action(action, where)
    if isinstance(widget, HasKeys):
        for keys, what in widget.own_keys():
            yield Key(_native(QKeySequence(keys)), what, where)


def _of_menu(menu: QObject | None, above: str = "") -> Iterator[Key]:
    if not isinstance(menu, QMenu):
        return
    where = above + plain(menu.title())
    for action in menu.actions():
        yield from _of_action(action, where)
        yield from _of_menu(action.menu(), f"{where}: ")


def _of_action(action: QAction, where: str) -> Iterator[Key]:
    for keys in action.shortcuts():
        yield Key(_native(keys), plain(action.text()), where)


def plain(text: str) -> str:
    """Without the mark of the letter that opens it: "&File" or, as in Chinese menus, "文件(&F)"."""
    bare = text.rstrip("…")
    if bare.endswith(")") and "(&" in bare:
        bare = bare[: bare.rindex("(&")]
    return bare.replace("&", "").strip()


def _native(keys: QKeySequence) -> str:
    return keys.toString(QKeySequence.SequenceFormat.NativeText)


class ShortcutDialog(QDialog):
    def __init__(self, keys: list[Key], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(self.tr("Search keys or actions"))
        self.search.setAccessibleName(self.tr("Search keyboard shortcuts"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.list = QTreeWidget(self)
        self.list.setAccessibleName(self.tr("Keyboard shortcuts"))
        self.list.setHeaderLabels([self.tr("What it does"), self.tr("Keys")])
        self.list.setRootIsDecorated(False)
        self.list.setItemsExpandable(False)
        self.list.setIndentation(SPACE_M)
        self._groups: dict[str, tuple[QTreeWidgetItem, list[QTreeWidgetItem]]] = {}
        self._fill(keys)
        self._build()

    def shown(self) -> list[tuple[str, str]]:
        """(keys, what) of the rows that the search leaves."""
        rows = [row for _, below in self._groups.values() for row in below]
        return [(row.text(1), row.text(0)) for row in rows if not row.isHidden()]

    def _fill(self, keys: list[Key]) -> None:
        for key in keys:
            if key.where not in self._groups:
                self._groups[key.where] = (self._group(key.where), [])
            group, rows = self._groups[key.where]
            rows.append(QTreeWidgetItem(group, [key.what, key.keys]))
            rows[-1].setData(0, Qt.ItemDataRole.AccessibleTextRole, f"{key.what}: {key.keys}")
        self.list.expandAll()

    def _group(self, where: str) -> QTreeWidgetItem:
        group = QTreeWidgetItem(self.list, [where])
        group.setFlags(Qt.ItemFlag.ItemIsEnabled)
        group.setFirstColumnSpanned(True)
        font = group.font(0)
        font.setBold(True)
        group.setFont(0, font)
        return group

    def _filter(self, wanted: str) -> None:
        words = wanted.casefold().split()
        for where, (group, rows) in self._groups.items():
            for row in rows:
                text = f"{row.text(0)} {row.text(1)} {where}".casefold()
                row.setHidden(not all(word in text for word in words))
            group.setHidden(all(row.isHidden() for row in rows))

    def _build(self) -> None:
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        column.setSpacing(SPACE_M)
        column.addWidget(self.search)
        column.addWidget(self.list, 1)
        column.addWidget(buttons)
        self.search.setFocus()
        open_at(self, 560, 600)


def show_shortcuts(window: QMainWindow) -> ShortcutDialog:
    dialog = ShortcutDialog(keys_of(window), window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    return dialog
