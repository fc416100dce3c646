"""The window comes back as it was left."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSplitter
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from tests.desk import Desk
from tests.fake_engine import FakeStore, Workshop

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
Start = Callable[[], MainWindow]


@pytest.fixture
def start(qtbot: QtBot, tmp_path: Path) -> Iterator[Start]:
    """Each call is a start of the program; the window before it is closed first."""
    desks: list[Desk] = []

    def window() -> MainWindow:
        if desks:
            desks.pop().close()
        desks.append(Desk(qtbot, tmp_path, FakeStore.with_starter(), Workshop(), resized=False).ready())
        return desks[-1].window

    yield window
    desks.pop().close()


def sizes(window: MainWindow) -> list[int]:
    splitter = window.centralWidget()
    assert isinstance(splitter, QSplitter)
    return splitter.sizes()


def test_size_and_columns_come_back(start: Start) -> None:
    window = start()
    window.resize(790, 600)  # the offscreen platform's screen has 800 by 800
    splitter = window.centralWidget()
    assert isinstance(splitter, QSplitter)
    before = sizes(window)
    splitter.setSizes([before[0] + 20, before[1] - 20, before[2]])
    left = sizes(window)
    again = start()

    assert left[0] == before[0] + 20
    assert (again.width(), again.height()) == (790, 600)
    assert sizes(again) == pytest.approx(left, abs=1)


def test_hidden_and_shown_panels_come_back(start: Start) -> None:
    window = start()
    window.resize(1300, 700)
    window.toggle_panel()
    window.toggle_sidebar()
    again = start()
    assert (again.panel.isVisible(), again.sidebar.isVisible()) == (False, False)
    again.toggle_sidebar()
    third = start()
    assert (third.panel.isVisible(), third.sidebar.isVisible()) == (False, True)


def test_what_nobody_chose_follows_the_width(start: Start) -> None:
    window = start()
    window.resize(1300, 700)
    assert window.panel.isVisible()
    window.resize(900, 700)
    assert not window.panel.isVisible()
    assert window.sidebar.isVisible()


def test_a_maximised_window_comes_back_maximised(start: Start) -> None:
    start().showMaximized()
    assert start().isMaximized()


def test_a_window_whose_screen_is_gone_comes_back_on_one_that_is_there(start: Start) -> None:
    window = start()
    window.move(9000, 6000)
    again = start()

    screen = QGuiApplication.primaryScreen().availableGeometry()
    assert QRect(again.pos(), again.size()).intersects(screen)


@pytest.mark.parametrize("garbage", ["nonsense", 7])
def test_settings_that_were_damaged_are_passed_over(start: Start, garbage: object) -> None:
    window = start()
    close = window.shape.save
    window.shape.save = lambda: [  # type: ignore[method-assign]
        close(),
        window.settings.setValue("geometry", garbage),
        window.settings.setValue("splitter", garbage),
        window.settings.setValue("panel", garbage),
    ]
    assert start().isVisible()
