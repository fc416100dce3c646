"""What comes from outside (titles, file names, clipboards, broken files) does no more than be shown."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.attachments.attachments import PART_CHARS, tokens_of
from app.attachments.chip import Chip
from app.chat.bin_dialog import BinDialog
from app.chat.markdown import SPLIT_PARAGRAPH_CHARS, MarkdownStream
from app.chat.user_message import UserMessage
from app.history.titles import title_of
from app.speculation.compare_words import caveats
from app.worker import EngineLike
from engine.comparison import Comparison, Run, Side
from engine.errors import SlipstreamError
from engine.events import Finished, FinishReason
from engine.metrics import Stats
from engine.request import Message, Request
from tests.desk import Desk
from tests.fake_engine import FakeStore, Workshop

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
HOSTILE = '<b>Big</b> <img src="/dev/zero"> & <script>alert(1)</script>'


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), Workshop()).ready()
    yield desk
    desk.close()


def labels_with(widget: QWidget, text: str) -> list[QLabel]:
    return [label for label in widget.findChildren(QLabel) if text in label.text()]


def tip_as_read(tip: str) -> str:
    """As Qt shows what looks like HTML."""
    return QTextDocumentFragment.fromHtml(tip).toPlainText()


def test_a_title_of_html_is_text_where_it_is_deleted_and_where_it_is_answered(desk: Desk) -> None:
    desk.ask(HOSTILE)
    chats = desk.window.sidebar.list.chats
    shown = [chats.index(n).data(Qt.ItemDataRole.ToolTipRole) for n in range(len(chats.rows))]
    assert any("<b>Big</b>" in tip_as_read(tip) for tip in shown)
    desk.window.view.busy.say(HOSTILE)
    desk.window.sidebar.offer_undo(HOSTILE)
    found = labels_with(desk.window, "<b>Big</b>")
    assert len(found) == 2
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in found)


def test_a_file_name_of_html_is_text_in_its_chip(qtbot: QtBot) -> None:
    chip = Chip(HOSTILE, "1 token", removable=True)
    qtbot.addWidget(chip)
    assert chip.button is not None
    for tip in (chip.toolTip(), chip.button.toolTip()):
        assert HOSTILE in tip_as_read(tip)


def test_a_long_paste_goes_along_as_a_file(desk: Desk) -> None:
    composer = desk.window.view.composer
    QApplication.clipboard().setText("lorem ipsum " * 20_000)
    composer.edit.paste()
    assert composer.text() == ""
    (chip,) = composer.tray.chips
    assert chip.name == "Pasted text.txt"
    desk.qtbot.waitUntil(lambda: not composer.files.busy)
    assert "does not fit" in composer.tray.notices[0].sentence
    assert composer.files.documents() == []


def test_a_long_paste_that_fits_is_read_by_the_model(desk: Desk) -> None:
    composer = desk.window.view.composer
    QApplication.clipboard().setText("x" * 200_000)
    composer.edit.paste()
    desk.qtbot.waitUntil(lambda: not composer.files.busy)
    desk.ask("What is it?")
    assert "x" * 200_000 in desk.workshop.requests[-1].messages[-1].content


def test_a_message_of_megabytes_shows_its_beginning_and_copies_whole(desk: Desk) -> None:
    text = "lorem ipsum " * 200_000
    desk.window.session.send(text)
    desk.qtbot.waitUntil(lambda: desk.window.session.answer is None)
    message = next(m for m in desk.window.view.transcript.messages if isinstance(m, UserMessage))
    shown = message.bubble_text.toPlainText()
    assert shown.startswith("lorem ipsum ")
    assert len(shown) < 100_100
    assert "more characters, which Copy takes along" in shown[-60:]
    assert message.copied() == text


def test_a_long_paste_into_an_edited_message_stays_there(desk: Desk) -> None:
    desk.ask("Short")
    message = next(m for m in desk.window.view.transcript.messages if isinstance(m, UserMessage))
    message.edit()
    assert message.editor is not None
    QApplication.clipboard().setText("y" * 150_000)
    message.editor.edit.paste()
    assert message.editor.edit.toPlainText().endswith("y" * 150_000)


def test_a_paragraph_of_a_megabyte_is_cut_without_recursion() -> None:
    """Each cut used to parse the rest again, one call deeper: RecursionError, after minutes."""
    stream = MarkdownStream()
    text = "word " * 400_000
    stream.feed(text)
    stream.finish()
    assert len(stream.blocks) == len(text) // SPLIT_PARAGRAPH_CHARS
    assert "".join(text[block.start : block.end] for block in stream.blocks) == text


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("\u202egnp.exe", "gnp.exe"),
        ("\u200b\ufeff\n\u2066real\u2069 words\nmore", "real words"),
        ("a\x00b", "a b"),
        ("\u200e\u200e", ""),
        ("می\u200cخواهم 👨\u200d👩\u200d👧", "می\u200cخواهم 👨\u200d👩\u200d👧"),
    ],
)
def test_a_title_neither_hides_nor_turns_the_words_around_it(text: str, title: str) -> None:
    assert title_of(text) == title


def test_a_chat_renamed_to_nothing_visible_is_called_untitled(desk: Desk) -> None:
    desk.ask("Hello")
    conversation = desk.window.session.conversation
    assert conversation is not None
    desk.window.history.rename(conversation, "\u202e\u200b")
    desk.window.conversations.refresh()
    assert desk.chats == ["Untitled"]


def offered(desk: Desk) -> str:
    notice = desk.answer.notice
    return notice.button.text() if notice is not None and notice.button is not None else ""


def test_leaving_out_old_messages_is_offered_only_where_there_are_some(desk: Desk) -> None:
    """Of a lone question that is too long, each click only added another failed answer."""
    desk.ask("Hello")
    desk.workshop.script.error = SlipstreamError("The conversation has too many tokens.")
    desk.write("word " * 5000)
    desk.qtbot.waitUntil(lambda: offered(desk) == "Leave out the oldest messages")
    desk.window.new_chat()
    with desk.qtbot.waitSignal(desk.window.session.answer_failed):
        desk.write("word " * 5000)
    desk.qtbot.waitUntil(lambda: offered(desk) == "")
    assert desk.answer.notice is not None
    assert desk.answer.notice.sentence == "The conversation has too many tokens."


def test_the_bin_shows_a_title_of_html_as_text(desk: Desk) -> None:
    desk.ask(HOSTILE)
    conversation = desk.window.session.conversation
    assert conversation is not None
    desk.window.history.delete(conversation)
    dialog = BinDialog(desk.window.session, desk.window)
    assert "<b>Big</b>" in tip_as_read(dialog.list.item(0).toolTip())


def run(side: Side, speed: float, drafted: int) -> Run:
    stats = Stats(tokens=40, tokens_per_second=speed, drafted=drafted, target_passes=40)
    return Run(side, 0, Finished(FinishReason.STOP, "", tuple(range(40)), stats), 40 / speed)


@pytest.mark.parametrize(("drafted", "told"), [(0, True), (12, False)])
def test_a_speedup_without_a_single_draft_is_called_chance(drafted: int, told: bool) -> None:
    runs = (run(Side.PLAIN, 10.0, 0), run(Side.SPECULATIVE, 11.0, drafted))
    said = caveats(Comparison(Request((Message("user", "x"),)), 1, True, runs))
    assert any("Nothing was drafted" in sentence for sentence in said) is told


def test_megabytes_are_counted_in_parts_so_that_the_window_gets_its_turn() -> None:
    lengths: list[int] = []

    class Counting:
        def count_tokens(self, messages: list[Message]) -> int:
            lengths.append(len(messages[0].content))
            return 5 + len(messages[0].content)

    assert tokens_of(cast(EngineLike, Counting()), "x" * 1_000_000) == 1_000_000
    assert max(lengths) <= PART_CHARS
