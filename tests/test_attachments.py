"""Files with a message: how they are given, counted, shown, removed, refused, sent and kept."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import dataclasses
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import language
from app.attachments.attachments import RESERVE, Attachments
from app.attachments.document import Document, from_json
from app.attachments.reader import Reader
from app.attachments.refusal import Reason, Refusal
from app.attachments.tray import Tray
from app.attachments.words import facts, sentence
from app.chat.composer import Composer
from app.chat.user_message import UserMessage
from app.icons import path_of
from app.language import Language
from engine.models import paths
from tests.desk import Desk
from tests.fake_engine import FakeStore, Workshop

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


@pytest.fixture
def workshop() -> Workshop:
    return Workshop()


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, workshop: Workshop) -> Iterator[Desk]:
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop)
    yield desk.ready()
    desk.close()


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    file = tmp_path / "notes.md"
    file.write_text("buy milk", encoding="utf-8")
    return file


def attach(desk: Desk, *files: Path) -> Composer:
    composer = desk.window.view.composer
    composer.files.add(files)
    desk.qtbot.waitUntil(lambda: not composer.files.busy)
    return composer


def told(composer: Composer) -> list[str]:
    return [notice.sentence for notice in composer.tray.notices]


def as_files(*files: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    return data


def test_a_file_goes_with_the_message_and_stays_with_it(desk: Desk, workshop: Workshop, notes: Path) -> None:
    composer = attach(desk, notes)
    assert [(chip.name, "token" in chip.told) for chip in composer.tray.chips] == [("notes.md", True)]
    desk.ask("What is on the list?")

    [message] = workshop.requests[-1].messages
    assert message.content == "File notes.md:\n```md\nbuy milk\n```\n\nWhat is on the list?"
    assert composer.tray.chips == []
    conversation = desk.window.session.conversation
    assert conversation is not None
    stored = desk.window.history.messages(conversation)[0]
    assert stored.content == "What is on the list?"
    assert [document.text for document in from_json(stored.attachments_json)] == ["buy milk"]


def test_the_next_answer_still_knows_the_file(desk: Desk, workshop: Workshop, notes: Path) -> None:
    attach(desk, notes)
    desk.ask("one")
    desk.ask("two")
    assert "buy milk" in workshop.requests[-1].messages[0].content
    assert workshop.requests[-1].messages[-1].content == "two"


def test_the_message_shows_chips_and_copies_words_and_names(desk: Desk, notes: Path) -> None:
    attach(desk, notes)
    desk.ask("What is on the list?")
    message = desk.window.view.transcript.messages[0]
    assert isinstance(message, UserMessage)
    message.copy()

    assert message.source == "What is on the list?"
    assert QGuiApplication.clipboard().text() == "notes.md\n\nWhat is on the list?"


def test_files_are_dropped_on_the_window_and_pasted_into_the_editor(desk: Desk, notes: Path) -> None:
    window, composer = desk.window, desk.window.view.composer
    data = as_files(notes)
    none, left = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    enter = QDragEnterEvent(QPoint(40, 40), Qt.DropAction.CopyAction, data, left, none)
    QApplication.sendEvent(window, enter)
    drop = QDropEvent(QPointF(40, 40), Qt.DropAction.CopyAction, data, left, none)
    QApplication.sendEvent(window, drop)
    composer.edit.insertFromMimeData(data)

    assert enter.isAccepted()
    assert [item.name for item in composer.files.items] == ["notes.md"] * 2
    assert composer.text() == ""  # no address in the text


def test_files_that_are_dropped_on_a_message_that_is_edited_fall_to_the_window(
    desk: Desk, notes: Path
) -> None:
    """They go with the next message: an edited one keeps the files that it has."""
    desk.ask("Hello")
    sent = desk.window.view.transcript.messages[0]
    assert isinstance(sent, UserMessage)
    sent.edit()
    assert sent.editor is not None
    data, text = as_files(notes), QMimeData()
    text.setText("plain words")

    assert not sent.editor.edit.canInsertFromMimeData(data)
    assert sent.editor.edit.canInsertFromMimeData(text)
    assert desk.window.view.composer.edit.canInsertFromMimeData(data)


def test_text_that_is_pasted_stays_text(desk: Desk) -> None:
    data = QMimeData()
    data.setText("plain words")
    desk.window.view.composer.edit.insertFromMimeData(data)

    assert desk.window.view.composer.text() == "plain words"
    assert desk.window.view.composer.files.items == []


def test_a_picture_without_a_file_is_refused_when_it_is_pasted(desk: Desk) -> None:
    data = QMimeData()
    data.setImageData(QImage(4, 4, QImage.Format.Format_RGB32))
    composer = desk.window.view.composer
    assert composer.edit.canInsertFromMimeData(data)
    composer.edit.insertFromMimeData(data)

    assert [composer.text(), len(told(composer))] == ["", 1]


def test_a_picture_is_refused_with_the_reason(desk: Desk, tmp_path: Path) -> None:
    picture = tmp_path / "cat.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    composer = attach(desk, picture)

    assert composer.tray.chips == []
    assert told(composer) == [sentence(Refusal("cat.png", Reason.IMAGE))]
    assert "cat.png" in told(composer)[0]


def test_a_file_that_does_not_fit_says_by_how_much(desk: Desk, tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("word " * 5000, encoding="utf-8")
    composer = attach(desk, book)
    [engine] = desk.workshop.engines
    tokens = 5000 + len(["File", "book.txt:", "```txt", "```"])  # the fake engine's tokens are words

    assert composer.tray.chips == []
    assert QLocale().toString(tokens + RESERVE - engine.context_limit) in told(composer)[0]


def test_the_next_message_takes_the_reasons_away(desk: Desk, tmp_path: Path) -> None:
    composer = attach(desk, tmp_path)
    assert len(told(composer)) == 1
    desk.ask("Never mind")
    assert told(composer) == []


def test_another_message_that_is_edited_leaves_the_waiting_files(desk: Desk, notes: Path) -> None:
    desk.ask("one")
    composer = attach(desk, notes)
    message = desk.window.view.transcript.messages[0].message_id
    assert message is not None
    with desk.qtbot.waitSignal(desk.window.session.answer_finished):
        desk.window.session.edit(message, "two")

    assert [chip.name for chip in composer.tray.chips] == ["notes.md"]


def test_files_wait_in_their_conversation(desk: Desk, notes: Path) -> None:
    desk.ask("one")
    first = desk.window.session.conversation
    assert first is not None
    composer = attach(desk, notes)
    desk.window.new_chat()
    assert composer.tray.chips == []
    desk.window.session.open(first)
    assert [chip.name for chip in composer.tray.chips] == ["notes.md"]


def test_chips_are_removed_by_keyboard_and_the_focus_stays_near(desk: Desk, tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.txt" for name in "abc"]
    for file in files:
        file.write_text("text")
    composer = attach(desk, *files)
    desk.window.activateWindow()
    button = composer.tray.chips[1].button
    assert button is not None
    button.setFocus()
    desk.qtbot.waitUntil(button.hasFocus)
    names = []
    for _ in files:
        desk.qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Delete)
        names.append([chip.name for chip in composer.tray.chips])

    assert names == [["a.txt", "c.txt"], ["a.txt"], []]
    assert composer.edit.hasFocus()


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    gate = threading.Event()
    yield gate
    gate.set()


@pytest.fixture
def slow(qtbot: QtBot, gate: threading.Event) -> Attachments:
    """Files that are read only once the gate is open, each to a document with its own name."""

    def read(path: Path) -> Document | Refusal:
        gate.wait(10)
        return Document(path.name, 1, "0", "text")

    files = Attachments()
    files._reader = Reader(files, read)
    files._reader.read.connect(files._read)
    return files


def test_nothing_is_sent_while_a_file_is_read(qtbot: QtBot, gate: threading.Event, slow: Attachments) -> None:
    slow.add([Path("a.txt")])
    assert slow.busy
    gate.set()
    qtbot.waitUntil(lambda: not slow.busy)
    assert [document.name for document in slow.documents()] == ["a.txt"]


def test_the_composer_waits_for_its_files(desk: Desk, notes: Path) -> None:
    composer = desk.window.view.composer
    sent: list[str] = []
    composer.sent.connect(sent.append)
    composer.files.add([notes])
    composer.set_text("Hello")
    desk.qtbot.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == []
    assert not composer.button.isEnabled()
    desk.qtbot.waitUntil(lambda: not composer.files.busy)
    assert composer.button.isEnabled()


def test_a_file_that_was_removed_meanwhile_does_not_come_back(
    qtbot: QtBot, gate: threading.Event, slow: Attachments
) -> None:
    slow.add([Path("a.txt"), Path("b.txt")])
    slow.remove(slow.items[0])
    gate.set()
    qtbot.waitUntil(lambda: not slow.busy)
    assert [document.name for document in slow.documents()] == ["b.txt"]


def test_a_file_that_was_removed_before_its_turn_is_not_read(qtbot: QtBot, gate: threading.Event) -> None:
    """What follows would wait for it."""
    read: list[str] = []

    def wait_and_read(path: Path) -> Document | Refusal:
        read.append(path.name)
        gate.wait(10)
        return Document(path.name, 1, "0", "text")

    reader = Reader(None, wait_and_read)
    files = Attachments(reader=reader)
    files.add([Path("a.txt"), Path("b.txt"), Path("c.txt")])
    files.remove(files.items[1])
    gate.set()
    qtbot.waitUntil(lambda: not files.busy)
    assert read == ["a.txt", "c.txt"]


def test_files_that_wait_elsewhere_are_counted_for_another_model_too(desk: Desk, notes: Path) -> None:
    files = desk.window.view.composer.files
    desk.ask("Hello")
    files.add([notes])
    desk.qtbot.waitUntil(lambda: not files.busy)
    [item] = files.items
    desk.window.new_chat()
    assert item.document is not None
    item.document = dataclasses.replace(item.document, tokens=7)  # as another model would count
    with desk.qtbot.waitSignal(desk.window.engine.loaded):
        desk.window.pairs.load(desk.window.store.pair("starter"))
    desk.qtbot.waitUntil(lambda: item.document is not None and item.document.tokens != 7)


def test_refusals_are_announced_and_do_not_pile_up(qtbot: QtBot) -> None:
    files = Attachments()
    tray = Tray(files)
    qtbot.addWidget(tray)
    heard: list[str] = []
    tray.announced.connect(heard.append)
    for reason in Reason:
        files.refused.emit(Refusal("thing", reason, "7"))

    assert len(set(heard)) == len(Reason)
    assert all("thing" in words for words in heard)
    assert [notice.sentence for notice in tray.notices] == heard[-3:]


def test_a_name_in_braces_is_only_a_name() -> None:
    assert "{detail}.txt" in sentence(Refusal("{detail}.txt", Reason.UNREADABLE, "gone"))


def test_size_and_tokens_of_a_file_in_words(qapp: QApplication) -> None:
    language.install(qapp, Language.ENGLISH)
    assert facts(Document("a", 12_000, "0", "")) == "12 kB"
    assert facts(Document("a", 12_000, "0", "", 1)).endswith("1 token")
    assert facts(Document("a", 12_000, "0", "", 2)).endswith("2 tokens")


def test_every_icon_can_be_drawn() -> None:
    names = [file.stem for file in (paths.assets_dir() / "icons").glob("*.svg")]

    assert names
    assert all(not path_of(name).isEmpty() for name in names)
