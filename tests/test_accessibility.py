"""What a screen reader and the keyboard find: every widget that takes the focus has a name, and can be reached."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QFontComboBox,
    QLabel,
    QMenuBar,
    QSpinBox,
    QSplitterHandle,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.about import show_about
from app.shortcuts import show_shortcuts
from app.update_dialog import UpdateDialog
from tests.desk import Desk
from tests.fake_engine import FakeStore, Workshop

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
ANSWER = """Look:

```python
print("code")
```

| a | b |
|---|---|
| 1 | 2 |

> said

1. one
2. two
"""


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    workshop = Workshop()
    workshop.script.blocks = [ANSWER]
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop)
    yield desk.ready()
    desk.close()


def nameless(root: QWidget) -> list[str]:
    """Widgets that take the focus and tell a screen reader nothing."""
    found = [root, *root.findChildren(QWidget)]
    return [f"{type(w).__name__} in {path(w)}" for w in found if takes_focus(w) and not spoken(w)]


def takes_focus(widget: QWidget) -> bool:
    """Not what Qt makes inside its own widgets, nor what stays hidden until it has something to say."""
    parent = widget.parentWidget()
    inner = (
        isinstance(parent, QSpinBox | QDoubleSpinBox | QFontComboBox)
        or (isinstance(parent, QAbstractScrollArea) and widget.objectName().startswith("qt_"))
        or isinstance(parent.parentWidget() if parent else None, QComboBox)
    )
    empty = widget.isHidden() or (isinstance(widget, QLabel) and not widget.text())
    return widget.focusPolicy() != Qt.FocusPolicy.NoFocus and not inner and not empty


def spoken(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name).strip() if interface is not None else ""


def path(widget: QWidget) -> str:
    parents = []
    while (widget := widget.parentWidget()) is not None:
        parents.append(type(widget).__name__)
    return " < ".join(parents)


def test_everything_in_the_window_that_takes_the_focus_has_a_name(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("text")
    desk.ask("A question")
    desk.window.view.composer.files.add([file, tmp_path])  # a chip and a refusal
    desk.qtbot.waitUntil(lambda: not desk.window.view.composer.files.busy)

    assert nameless(desk.window) == []


def test_so_has_everything_in_the_dialogs(desk: Desk) -> None:
    dialogs = [
        show_about(desk.window),
        show_shortcuts(desk.window),
        UpdateDialog(desk.window.log, desk.window),
    ]

    assert [name for dialog in dialogs for name in nameless(dialog)] == []


def test_tab_reaches_everything_and_comes_back(desk: Desk) -> None:
    desk.ask("A question")
    desk.window.activateWindow()
    desk.window.focus_composer()
    start = QApplication.focusWidget()
    seen: list[QWidget] = []
    while (widget := QApplication.focusWidget()) is not None and (not seen or widget is not start):
        seen.append(widget)
        assert len(seen) < 200
        desk.qtbot.keyClick(widget, Qt.Key.Key_Tab)
    stops = [w for w in desk.window.findChildren(QWidget) if reachable(w)]

    assert [f"{type(w).__name__} in {path(w)}" for w in stops if w not in seen] == []


def test_the_focus_can_be_seen_wherever_it_is(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("text")
    desk.ask("A question")
    desk.window.view.composer.files.add([file])
    desk.qtbot.waitUntil(lambda: not desk.window.view.composer.files.busy)
    desk.window.activateWindow()
    unseen = []
    for widget in [w for w in desk.window.findChildren(QWidget) if reachable(w)]:
        clear_focus()
        before = picture_around(widget)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        if picture_around(widget) == before:
            unseen.append(f"{type(widget).__name__} {spoken(widget)!r} in {path(widget)}")
    assert unseen == [], "\n".join(unseen)


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_the_window_is_mirrored_with_the_direction(desk: Desk, direction: Qt.LayoutDirection) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    try:
        app.setLayoutDirection(direction)
        desk.ask("سؤال")
        composer, window = desk.window.view.composer, desk.window
        left_to_right = [window.sidebar, composer.attach, composer.button, window.panel]
        places = [widget.mapTo(window, widget.rect().center()).x() for widget in left_to_right]
    finally:
        app.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

    assert places == sorted(places, reverse=direction is Qt.LayoutDirection.RightToLeft)


def clear_focus() -> None:
    focused = QApplication.focusWidget()
    if focused is not None:
        focused.clearFocus()


def picture_around(widget: QWidget) -> QImage:
    top = widget.window()
    place = QRect(widget.mapTo(top, widget.rect().topLeft()), widget.size()).adjusted(-6, -6, 6, 6)
    return top.grab(place).toImage()


def reachable(widget: QWidget) -> bool:
    takes_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    special = isinstance(widget, QMenuBar | QSplitterHandle)
    return (
        takes_tab
        and widget.isVisible()
        and widget.isEnabled()
        and widget.focusProxy() is None
        and not special
    )
