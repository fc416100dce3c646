"""Find in a conversation: counted from the sources, shown in the texts."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.chat.entry import Entry
from app.chat.find_bar import FindBar
from app.chat.find_marks import MOST_MARKS
from app.chat.find_text import count, shown_words
from app.chat.message import AssistantMessage, MessageWidget, UserMessage
from app.chat.text_selection import texts_of
from app.chat.transcript import Transcript
from tests.desk import Desk
from tests.fake_engine import FakeStore, Script, Workshop

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
WITH_WORD = """<think>needle in thought</think>A **nee**dle, [needle](https://needle.org).

```python
needle = "Needle"
```

- one needle
"""


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    transcript = Transcript()
    qtbot.addWidget(transcript)
    transcript.resize(800, 500)
    with qtbot.waitExposed(transcript):
        transcript.show()
    return transcript


@pytest.fixture
def bar(qtbot: QtBot, transcript: Transcript) -> Iterator[FindBar]:
    parent = QWidget()
    qtbot.addWidget(parent)
    bar = FindBar(transcript, parent)
    parent.show()
    bar.open()
    yield bar
    del parent


def answer(source: str) -> MessageWidget:
    widget = AssistantMessage()
    widget.append(source)
    widget.finish()
    return widget


def entry(source: str, is_plain: bool = False) -> Entry:
    return Entry(source, lambda: UserMessage(source) if is_plain else answer(source), is_plain=is_plain)


def show(transcript: Transcript, sources: list[str]) -> None:
    transcript.show_all([entry(source, index % 2 == 0) for index, source in enumerate(sources)])


def search(qtbot: QtBot, bar: FindBar, wanted: str) -> None:
    bar.field.setText(wanted)
    qtbot.waitUntil(lambda: not bar._timer.isActive() and not bar._hits.busy)


def marks(transcript: Transcript) -> list[tuple[str, bool]]:
    """What is marked in the widgets, and whether it is the current one."""
    found = []
    for message in transcript.messages:
        for text in texts_of(message):
            selections: list[QTextEdit.ExtraSelection] = text.extraSelections()
            found += [
                (each.cursor.selectedText(), each.format.background().color().alpha() == 255)
                for each in selections
            ]
    return found


def test_words_are_counted_as_they_are_shown() -> None:
    thoughts, rest = shown_words(WITH_WORD + "- $needle$\n", is_plain=False)
    assert count(thoughts, "needle") == 1
    assert count(rest, "NEEDLE") == 5  # not in the address, not in the formula
    assert count(shown_words("a **needle**", is_plain=True)[1], "**needle") == 1


def test_hits_are_counted_marked_and_stepped_through(
    qtbot: QtBot, transcript: Transcript, bar: FindBar
) -> None:
    show(transcript, ["a needle", WITH_WORD, "none"])
    search(qtbot, bar, "needle")
    assert bar.count.text() == "1 of 7"
    seen = [bar.count.text()]
    for _ in range(7):
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)
        seen.append(bar.count.text())
    assert seen[1:] == [f"{number} of 7" for number in (2, 3, 4, 5, 6, 7, 1)]
    qtbot.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar.count.text() == "7 of 7"
    found = marks(transcript)
    assert len(found) == 7  # the reasoning was opened on the way
    assert [current for _, current in found].count(True) == 1
    assert found[-1] == ("needle", True)


def test_a_message_without_a_widget_is_found_built_and_scrolled_to(
    qtbot: QtBot, transcript: Transcript, bar: FindBar
) -> None:
    sources = [f"message {number}\n\n" + "words " * 200 for number in range(80)]
    sources[5] += "\n\nthe needle is here"
    show(transcript, sources)
    wanted = transcript.entries[5]
    assert wanted.widget is None
    search(qtbot, bar, "needle")
    assert bar.count.text() == "1 of 1"
    assert wanted.widget is not None
    text = texts_of(wanted.widget)[-1]
    place = text.mapTo(transcript.viewport(), text.rect().center())
    assert 0 < place.y() < transcript.viewport().height()
    assert not transcript.following
    assert marks(transcript) == [("needle", True)]


def test_closing_leaves_no_mark(qtbot: QtBot, transcript: Transcript, bar: FindBar) -> None:
    show(transcript, ["a needle"])
    search(qtbot, bar, "needle")
    assert marks(transcript) != []
    qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert bar.isHidden()
    assert marks(transcript) == []


def test_nothing_found_is_said(qtbot: QtBot, transcript: Transcript, bar: FindBar) -> None:
    show(transcript, ["a needle"])
    search(qtbot, bar, "haystack")
    assert bar.count.text() == "Not found"
    search(qtbot, bar, "")
    assert bar.count.text() == ""


def test_another_chat_is_searched_without_moving_it(
    qtbot: QtBot, transcript: Transcript, bar: FindBar
) -> None:
    show(transcript, ["a needle"])
    search(qtbot, bar, "needle")
    show(transcript, ["words " * 500, "needle " * 3, "words " * 500])
    qtbot.waitUntil(lambda: not bar._hits.busy)
    assert transcript.following
    assert len(marks(transcript)) == 3
    bar.next()
    assert bar.count.text() == "1 of 3"


def test_steps_go_round_and_know_their_place(qtbot: QtBot, transcript: Transcript, bar: FindBar) -> None:
    show(transcript, ["x x", "none", "x"])
    search(qtbot, bar, "x")
    hits = bar._hits
    places = [hits.at(position) for position in range(4)]
    assert [hit and (list(transcript.entries).index(hit.entry), hit.number) for hit in places] == [
        (0, 0),
        (0, 1),
        (2, 0),
        (0, 0),
    ]
    assert [hits.position(hit) for hit in places if hit is not None] == [0, 1, 2, 0]


def test_very_many_occurrences_are_counted_but_not_all_marked(
    qtbot: QtBot, transcript: Transcript, bar: FindBar
) -> None:
    show(transcript, ["x " * 3000])
    search(qtbot, bar, "x")
    assert bar.count.text() == "1 of 3000"
    assert len(marks(transcript)) == MOST_MARKS
    qtbot.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar.count.text() == "3000 of 3000"
    assert len(marks(transcript)) == MOST_MARKS + 1


def test_the_menu_opens_it_in_the_window(qtbot: QtBot, tmp_path: Path) -> None:
    workshop = Workshop(Script(blocks=["A **needle** in text.\n\n", "And one needle more."]))
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop).ready()
    desk.ask("Where is the needle?")
    [action] = [
        each for each in desk.window.findChildren(QAction) if each.shortcut() == QKeySequence("Ctrl+F")
    ]
    action.trigger()
    bar = desk.window.view.find_bar
    assert bar.isVisible()
    search(qtbot, bar, "needle")
    assert bar.count.text().endswith("of 3")
    desk.close()
