"""F1 lists what is there, and nothing else."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence, QShortcut
from pytestqt.qtbot import QtBot

from app.shortcuts import ShortcutDialog, keys_of, plain
from tests.desk import Desk
from tests.fake_engine import FakeStore, Workshop

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), Workshop())
    yield desk.ready()
    desk.close()


def native(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def test_an_action_that_is_added_is_listed_with_its_menu(desk: Desk) -> None:
    ran: list[int] = []
    action = desk.window.menus.add(desk.window.menus.tools, "Do a &thing…", "Ctrl+9", lambda: ran.append(1))
    action.trigger()

    [key] = [key for key in keys_of(desk.window) if key.what == "Do a thing"]
    assert (key.keys, key.where) == ("Ctrl+9", "Tools")
    assert ran == [1]


def test_quit_stays_last_in_its_menu(desk: Desk) -> None:
    menu = desk.window.menus.chat
    desk.window.menus.add(menu, "Another", "", lambda: None)

    assert plain(menu.actions()[-1].text()) == "Quit"
    assert menu.actions()[-2].isSeparator()


def test_no_two_actions_of_the_menus_share_their_keys(desk: Desk) -> None:
    """Qt would call such keys ambiguous and do nothing at all."""
    titles = tuple(plain(action.text()) for action in desk.window.menuBar().actions())
    menus = [key.keys for key in keys_of(desk.window) if key.where.startswith(titles)]

    assert sorted({keys for keys in menus if menus.count(keys) > 1}) == []


def test_every_shortcut_outside_the_menus_says_what_it_does(desk: Desk) -> None:
    shortcuts = desk.window.findChildren(QShortcut)
    silent = [(s.key().toString(), s.parent()) for s in shortcuts if not s.whatsThis()]

    assert silent == []


def test_the_composers_keys_are_listed(desk: Desk) -> None:
    keys = {(key.keys, key.what) for key in keys_of(desk.window)}

    assert (native("Return"), "Send the message") in keys
    assert (native("F2"), "Rename") in keys  # an action of the chat list's own


def test_the_search_narrows_the_list_by_words_and_keys(desk: Desk) -> None:
    dialog = ShortcutDialog(keys_of(desk.window), desk.window)
    everything = dialog.shown()

    dialog.search.setText("CHAT new")
    assert [what for _, what in dialog.shown()] == ["New chat"]
    dialog.search.setText("ctrl+shift+p")
    assert [what for _, what in dialog.shown()] == ["Speculation panel"]
    dialog.search.clear()
    assert dialog.shown() == everything


@pytest.mark.parametrize(
    ("text", "bare"), [("&Chat", "Chat"), ("Find…", "Find"), ("聊天(&C)", "聊天"), ("(a) &b", "(a) b")]
)
def test_the_mark_of_a_mnemonic_is_taken_off(text: str, bare: str) -> None:
    assert plain(text) == bare
