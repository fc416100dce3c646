"""The list of chats over a real history: sections, folders, search, keys, the bin. No engine, no window."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import contextlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QModelIndex, QObject, QPoint, QPointF, QSettings, Qt, Signal
from PySide6.QtGui import QAction, QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QMessageBox
from pytestqt.qtbot import QtBot

from app.chat.bin_dialog import BinDialog
from app.chat.chat_model import MIME, ROW
from app.chat.conversations import Conversations
from app.chat.sections import Section, rows_of
from app.chat.sidebar import Sidebar
from app.history.rows import Conversation, Hit
from app.history.store import HistoryStore
from engine.errors import SlipstreamError

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
NOW = datetime(2026, 11, 30, 15, 0).astimezone()


class Session(QObject):
    """What the sidebar needs of a chat session."""

    opened = Signal(object, object)
    conversations_changed = Signal()
    trouble = Signal(str)
    answer = None

    def __init__(self, history: HistoryStore) -> None:
        super().__init__()
        self.history = history
        self.conversation: int | None = None

    def open(self, conversation: int) -> None:
        self.conversation = conversation
        self.opened.emit(conversation, self.history.messages(conversation))

    def new(self) -> None:
        self.conversation = None
        self.opened.emit(None, [])

    @contextlib.contextmanager
    def guarded(self) -> Iterator[None]:
        try:
            yield
        except SlipstreamError as error:
            self.trouble.emit(str(error))


class Shelf:
    """A sidebar in use, with short names."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot = qtbot
        self.history = HistoryStore(folder / "history.sqlite3")
        self.session = Session(self.history)
        self.sidebar = Sidebar()
        self.settings = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
        self.conversations = Conversations(self.session, self.sidebar, self.settings, self.sidebar)  # type: ignore[arg-type]
        qtbot.addWidget(self.sidebar)
        self.sidebar.resize(260, 600)
        with qtbot.waitExposed(self.sidebar):
            self.sidebar.show()
        self.sidebar.activateWindow()
        self.list = self.sidebar.list
        self.chats = self.list.chats

    def chat(self, title: str, *messages: str) -> int:
        chat = self.history.create(title, "starter")
        for message in messages or ("Hello",):
            self.history.add_user(chat, message)
        self.conversations.refresh()
        return chat

    def shown(self) -> list[str]:
        """Sections in capitals."""
        rows = [self.chats.index(n) for n in range(self.chats.rowCount())]
        return [i.data().upper() if isinstance(i.data(ROW), Section) else i.data() for i in rows]

    def choose(self, chat: int) -> None:
        self.list.setCurrentIndex(self.chats.find(chat))

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.list.setFocus()
        self.qtbot.keyClick(self.list, key, modifier)

    def menu(self, index: QModelIndex) -> dict[str, QAction]:
        """The actions by name, those of submenus too."""
        return dict(actions_of(self.list.menu_for(index)))

    def write(self, text: str) -> None:
        """Into the editor that is open."""
        edit = self.list.viewport().findChildren(QLineEdit)[-1]
        edit.selectAll()
        self.qtbot.keyClicks(edit, text)
        self.qtbot.keyClick(edit, Qt.Key.Key_Return)
        self.qtbot.waitUntil(lambda: not self.list.is_editing)

    def search(self, text: str) -> None:
        with self.qtbot.waitSignal(self.conversations._searching.found):
            self.sidebar.search.setText(text)


def actions_of(menu: QMenu) -> Iterator[tuple[str, QAction]]:
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from actions_of(inner)
        else:
            yield action.text(), action


@pytest.fixture
def shelf(qtbot: QtBot, tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(qtbot, tmp_path)
    yield shelf
    shelf.history.close()


def dated(number: int, days_ago: float, **changes: object) -> Conversation:
    moment = (NOW - timedelta(days=days_ago)).timestamp()
    return Conversation(number, f"chat {number}", moment, "starter", **changes)  # type: ignore[arg-type]


def layout(conversations: list[Conversation], folders: list[str], closed: set[str]) -> list[object]:
    rows = rows_of(conversations, folders, closed, NOW)
    return [row.title if isinstance(row, Section) else row.id for row in rows if not isinstance(row, Hit)]


def test_chats_stand_under_their_age() -> None:
    chats = [dated(n, days) for n, days in enumerate((0, 0.6, 0.7, 1.6, 2, 7.6, 8, 30.6, 31, 4000))]
    assert layout(chats, [], set()) == [
        *("Today", 0, 1, "Yesterday", 2, 3, "Last 7 days", 4, 5),
        *("Last 30 days", 6, 7, "Earlier", 8, 9),
    ]


def test_pinned_chats_come_first_then_folders_even_empty_ones() -> None:
    chats = [
        dated(1, 0),
        dated(2, 0, folder="b"),
        dated(3, 9, pinned=True, folder="b"),
        dated(4, 0, folder="?"),
    ]
    assert layout(chats, ["a", "b"], set()) == ["Pinned", 3, "a", "b", 2, "Today", 1, 4]


def test_a_closed_section_hides_its_chats_and_says_how_many() -> None:
    rows = rows_of([dated(1, 0), dated(2, 0)], ["a"], {"today"}, NOW)
    assert rows == [Section("folder/a", "a", 0, True), Section("today", "Today", 2, False)]


def test_enter_opens_a_chat_and_closes_a_section_for_the_next_time_too(shelf: Shelf, tmp_path: Path) -> None:
    first = shelf.chat("first")
    shelf.chat("second")
    shelf.choose(first)
    assert shelf.session.conversation is None  # walking through the list opens nothing
    shelf.press(Qt.Key.Key_Return)
    assert shelf.session.conversation == first
    shelf.list.setCurrentIndex(shelf.chats.index(0))
    shelf.press(Qt.Key.Key_Space)
    assert shelf.shown() == ["TODAY"]
    shelf.settings.sync()
    again = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    conversations = Conversations(shelf.session, shelf.sidebar, again, shelf.sidebar)  # type: ignore[arg-type]
    conversations.refresh()
    assert shelf.shown() == ["TODAY"]


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_the_arrows_close_and_open_sections_as_in_a_tree(shelf: Shelf, direction: Qt.LayoutDirection) -> None:
    into, out = Qt.Key.Key_Right, Qt.Key.Key_Left
    if direction == Qt.LayoutDirection.RightToLeft:
        into, out = out, into
    shelf.list.setLayoutDirection(direction)
    shelf.choose(shelf.chat("first"))
    shelf.press(out)
    assert shelf.list.currentIndex().row() == 0
    shelf.press(out)
    assert shelf.shown() == ["TODAY"]
    shelf.press(out)
    shelf.press(into)
    assert shelf.shown() == ["TODAY", "first"]


def test_f2_renames_in_place_and_an_empty_title_changes_nothing(shelf: Shelf) -> None:
    chat = shelf.chat("first")
    shelf.choose(chat)
    for text in ("Mine", "  "):
        shelf.press(Qt.Key.Key_F2)
        assert shelf.list.is_editing
        shelf.write(text)
    assert shelf.shown() == ["TODAY", "Mine"]
    shelf.history.edit_user(shelf.history.messages(chat)[0].id, "other text")
    assert shelf.history.conversations()[0].title == "Mine"


def test_an_answer_that_ends_does_not_close_the_editor(shelf: Shelf) -> None:
    shelf.choose(shelf.chat("first"))
    shelf.press(Qt.Key.Key_F2)
    shelf.chat("second")
    assert shelf.list.is_editing
    assert shelf.shown() == ["TODAY", "first"]
    shelf.write("Mine")
    shelf.qtbot.waitUntil(lambda: sorted(shelf.shown()) == ["Mine", "TODAY", "second"])


def test_delete_needs_no_question_and_the_next_chat_becomes_current(shelf: Shelf) -> None:
    first, second, third = (shelf.chat(title) for title in ("first", "second", "third"))
    shelf.session.open(second)
    shelf.choose(second)
    shelf.press(Qt.Key.Key_Backspace)
    assert len(shelf.shown()) == 4
    shelf.press(Qt.Key.Key_Delete)
    assert shelf.shown() == ["TODAY", "third", "first"]
    assert shelf.session.conversation is None
    assert shelf.list.currentIndex().data() == "first"
    assert shelf.sidebar.undo.isVisible()
    assert shelf.sidebar.bin_button.text() == "Bin (1)"
    shelf.press(Qt.Key.Key_Delete)
    shelf.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    shelf.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert shelf.shown() == ["TODAY", "third", "second", "first"]
    assert not shelf.sidebar.undo.isVisible()
    assert not shelf.sidebar.bin_button.isVisible()
    assert {first, third} < {c.id for c in shelf.history.conversations()}


def test_a_chat_moves_by_its_menu(shelf: Shelf) -> None:
    chat = shelf.chat("first")
    shelf.history.add_folder("Work & play")
    shelf.conversations.refresh()
    shelf.menu(shelf.chats.find(chat))["Work && play"].trigger()
    assert shelf.shown() == ["WORK & PLAY", "first"]
    shelf.menu(shelf.chats.find(chat))["Pin"].trigger()
    assert shelf.shown() == ["PINNED", "first", "WORK & PLAY"]
    shelf.menu(shelf.chats.find(chat))["Unpin"].trigger()
    assert not shelf.menu(shelf.chats.find(chat))["Work && play"].isEnabled()
    shelf.menu(shelf.chats.find(chat))["Out of its folder"].trigger()
    assert shelf.shown() == ["WORK & PLAY", "TODAY", "first"]


def test_a_new_folder_is_named_in_place(shelf: Shelf) -> None:
    chat = shelf.chat("first")
    shelf.history.add_folder("New folder")
    shelf.conversations.refresh()
    shelf.menu(shelf.chats.find(chat))["New folder"].trigger()
    assert shelf.list.is_editing
    shelf.write("Work")
    shelf.qtbot.waitUntil(lambda: shelf.shown() == ["NEW FOLDER", "WORK", "first"])
    shelf.list.setCurrentIndex(shelf.chats.find_section("folder/Work"))
    shelf.press(Qt.Key.Key_F2)
    shelf.write("Play")
    shelf.qtbot.waitUntil(lambda: shelf.shown() == ["NEW FOLDER", "PLAY", "first"])
    shelf.menu(shelf.chats.find_section("folder/Play"))["Remove folder, keep its chats"].trigger()
    assert shelf.shown() == ["NEW FOLDER", "TODAY", "first"]


def test_a_date_is_no_folder(shelf: Shelf) -> None:
    shelf.chat("first")
    today = shelf.chats.index(0)
    assert list(shelf.menu(today)) == ["New folder"]
    shelf.list.setCurrentIndex(today)
    shelf.press(Qt.Key.Key_F2)
    assert not shelf.list.is_editing
    shelf.press(Qt.Key.Key_Delete)
    assert shelf.shown() == ["TODAY", "first"]


def test_a_chat_is_dragged_to_a_section_or_onto_a_chat_in_it(shelf: Shelf) -> None:
    chat, other = shelf.chat("first"), shelf.chat("other")
    shelf.history.move(other, "Work")
    shelf.conversations.refresh()
    move = Qt.DropAction.MoveAction

    def drop(on: QModelIndex) -> None:
        carried = shelf.chats.mimeData([shelf.chats.find(chat)])
        assert not shelf.chats.dropMimeData(carried, move, -1, 0, on)

    drop(shelf.chats.find(other))
    assert shelf.shown() == ["WORK", "other", "first"]
    shelf.history.pin(other, True)
    shelf.conversations.refresh()
    drop(shelf.chats.find_section("pinned"))
    assert shelf.shown() == ["PINNED", "other", "first", "WORK"]
    shelf.chat("third")
    drop(shelf.chats.find_section("today"))
    assert shelf.shown() == ["PINNED", "other", "WORK", "TODAY", "third", "first"]
    strange = QMimeData()
    strange.setData(MIME, b"1; DROP TABLE")
    assert not shelf.chats.dropMimeData(strange, move, -1, 0, shelf.chats.index(0))


@pytest.mark.parametrize("share", [0.05, 0.5])
def test_a_dragged_chat_can_be_let_go_on_a_row_or_between_two(shelf: Shelf, share: float) -> None:
    chat, other = shelf.chat("first"), shelf.chat("other")
    shelf.history.move(other, "Work")
    shelf.conversations.refresh()
    row = shelf.list.visualRect(shelf.chats.find(other))
    place = QPoint(row.center().x(), row.top() + int(share * row.height()))
    carried = shelf.chats.mimeData([shelf.chats.find(chat)])
    move, left, none = Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    viewport = shelf.list.viewport()
    QApplication.sendEvent(viewport, QDragEnterEvent(place, move, carried, left, none))
    over = QDragMoveEvent(place, move, carried, left, none)
    QApplication.sendEvent(viewport, over)
    assert over.isAccepted()
    QApplication.sendEvent(viewport, QDropEvent(QPointF(place), move, carried, left, none))
    assert shelf.shown() == ["WORK", "other", "first"]


def test_a_search_shows_where_and_opens_the_chat_at_that_message(shelf: Shelf) -> None:
    chat = shelf.chat("first", "apples and 模型", "nothing")
    shelf.chat("second", "pears")
    shelf.search("模")
    assert shelf.shown() == ["first"]
    hit = shelf.chats.index(0).data(ROW)
    assert hit.snippet == "apples and 模型"
    shelf.list.setCurrentIndex(shelf.chats.index(0))
    with shelf.qtbot.waitSignal(shelf.conversations.message_wanted) as wanted:
        shelf.press(Qt.Key.Key_Return)
    assert shelf.session.conversation == chat
    assert wanted.args == [shelf.history.messages(chat)[0].id]


def test_a_hit_in_a_hidden_branch_is_shown(shelf: Shelf) -> None:
    chat = shelf.chat("first", "needle")
    hidden = shelf.history.messages(chat)[0].id
    shelf.history.edit_user(hidden, "thread")
    shelf.search("needle")
    shelf.list.setCurrentIndex(shelf.chats.index(0))
    shelf.press(Qt.Key.Key_Return)
    assert [m.id for m in shelf.history.messages(chat)] == [hidden]


def test_only_the_last_word_typed_is_answered(shelf: Shelf) -> None:
    shelf.chat("apples")
    shelf.chat("pears")
    with shelf.qtbot.waitSignal(shelf.conversations._searching.found):
        shelf.qtbot.keyClicks(shelf.sidebar.search, "app")
        shelf.qtbot.keyClicks(shelf.sidebar.search, "\bples")
    shelf.qtbot.waitUntil(lambda: shelf.shown() == ["apples"] or shelf.shown() == [])
    shelf.search("pears")
    assert shelf.shown() == ["pears"]
    shelf.sidebar.search.setFocus()
    shelf.qtbot.keyClick(shelf.sidebar.search, Qt.Key.Key_Escape)
    assert shelf.shown() == ["TODAY", "pears", "apples"]


def test_down_goes_from_the_search_into_the_list(shelf: Shelf) -> None:
    shelf.chat("apples")
    shelf.list.setCurrentIndex(QModelIndex())
    shelf.sidebar.search.setFocus()
    shelf.qtbot.keyClick(shelf.sidebar.search, Qt.Key.Key_Down)
    assert shelf.sidebar.focusWidget() is shelf.list
    assert shelf.list.currentIndex().row() == 0


def test_a_screen_reader_hears_what_a_row_is(shelf: Shelf) -> None:
    chat = shelf.chat("first")
    shelf.session.open(chat)
    spoken = [shelf.chats.index(n).data(Qt.ItemDataRole.AccessibleTextRole) for n in range(2)]
    assert spoken[0].startswith("Today, 1 chat")
    assert spoken[0].endswith(", open")
    assert spoken[1] == "first, being read"


def test_the_place_in_a_long_list_stays_while_chats_change(shelf: Shelf) -> None:
    with shelf.history._database.transaction() as connection:
        connection.executemany(
            "INSERT INTO conversations (title, pair, created_at, updated_at) VALUES (?, '', ?, ?)",
            [(f"chat {n}", n, n) for n in range(500)],
        )
    shelf.conversations.refresh()
    bar = shelf.list.verticalScrollBar()
    shelf.qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum() // 2)
    place = bar.value()
    shelf.history.pin(1, True)
    shelf.conversations.refresh()
    assert place > 0
    assert bar.value() == place
    pixels = shelf.list.grab().toImage()
    assert not pixels.isNull()


def test_the_bin_shows_restores_and_deletes_for_good(shelf: Shelf) -> None:
    first, second, third = (shelf.chat(title, f"text of {title}") for title in ("first", "second", "third"))
    for chat in (first, second, third):
        shelf.history.delete(chat)
    dialog = BinDialog(shelf.session, shelf.sidebar)  # type: ignore[arg-type]
    dialog.changed.connect(shelf.conversations.refresh)
    dialog.restored.connect(shelf.session.open)
    dialog.show()
    assert [dialog.list.item(n).text().split("  ")[0] for n in range(3)] == ["third", "second", "first"]
    assert dialog.text.toPlainText() == "text of third"
    dialog.restore.click()
    assert shelf.session.conversation == third
    assert shelf.shown() == ["TODAY", "third"]
    answer(dialog, "Cancel", dialog.purge.click)
    assert dialog.list.count() == 2
    answer(dialog, "Delete for good", dialog.purge.click)
    assert [c.id for c in shelf.history.deleted()] == [first]
    shelf.sidebar.offer_undo("first")
    answer(dialog, "Empty the bin", dialog.empty.click)
    assert shelf.history.deleted() == []
    assert not shelf.sidebar.undo.isVisible()  # nothing can come back
    assert not dialog.restore.isEnabled()
    assert not dialog.empty.isEnabled()


def test_the_bin_is_gone_once_it_is_closed(shelf: Shelf) -> None:
    shelf.history.delete(shelf.chat("first", "text"))
    shelf.conversations.show_bin()
    [dialog] = shelf.sidebar.findChildren(BinDialog)
    dialog.reject()
    shelf.qtbot.waitUntil(lambda: not shelf.sidebar.findChildren(BinDialog))


def answer(dialog: BinDialog, name: str, ask: object) -> None:
    assert callable(ask)
    ask()
    box = dialog.findChildren(QMessageBox)[-1]
    next(button for button in box.buttons() if button.text().replace("&", "") == name).click()
    box.deleteLater()
    QApplication.sendPostedEvents(box, QEvent.Type.DeferredDelete)


def test_what_the_history_refuses_is_told(shelf: Shelf) -> None:
    chat = shelf.chat("first")
    shelf.history._database._connection.execute("PRAGMA query_only = ON")
    with shelf.qtbot.waitSignal(shelf.session.trouble) as told:
        shelf.menu(shelf.chats.find(chat))["Pin"].trigger()
    assert "can't write" in told.args[0]
    assert shelf.shown() == ["TODAY", "first"]
