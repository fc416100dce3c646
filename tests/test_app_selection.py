"""Selecting over blocks and messages, and what Copy gives."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from pytestqt.qtbot import QtBot

from app.chat.message import AssistantMessage, UserMessage
from app.chat.selectable import Edit, select
from app.chat.transcript import Transcript

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
ANSWER = """# Title

Some **bold words** and `code`.

```python
x = 1
```

1. one

   ```sh
   ls
   ```
2. two

> A quote.
"""


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    transcript = Transcript()
    qtbot.addWidget(transcript)
    transcript.resize(800, 900)
    with qtbot.waitExposed(transcript):
        transcript.show()
    transcript.add(UserMessage("The *question* of a user"))
    answer = AssistantMessage()
    transcript.add(answer)
    answer.append("<think>hidden</think>" + ANSWER)
    answer.finish()
    transcript.entries.arrange()
    qtbot.waitUntil(lambda: transcript.selection.texts()[-1].height() > 5)
    return transcript


def texts(transcript: Transcript) -> dict[str, Edit]:
    return {text.toPlainText(): text for text in transcript.selection.texts()}


def drag(transcript: Transcript, first: Edit, start: int, last: Edit, end: int) -> None:
    """From a place in one text to one in another."""
    select(first, start, start)
    transcript.selection.begin(first)
    cursor = QTextCursor(last.document())
    cursor.setPosition(end)
    inside = last.cursorRect(cursor).center()
    assert transcript.selection.extend(first, last.viewport().mapToGlobal(inside))


def copied(transcript: Transcript) -> str:
    transcript.selection.copy()
    return QGuiApplication.clipboard().text()


def test_all_blocks_of_a_message_give_its_source(qtbot: QtBot, transcript: Transcript) -> None:
    text = texts(transcript)["Title"]
    qtbot.keyClick(text, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(text, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == ANSWER.rstrip()


def test_from_the_middle_of_one_block_to_that_of_another(transcript: Transcript) -> None:
    shown = texts(transcript)
    drag(transcript, shown["Some bold words and code."], len("Some bold "), shown["two"], 2)
    lines = copied(transcript).split("\n")
    assert lines[0] == "**words** and `code`."
    assert lines[2:5] == ["```python", "x = 1", "```"]
    assert lines[-1] == "2. tw"


def test_upwards_over_two_messages(transcript: Transcript) -> None:
    shown = texts(transcript)
    drag(transcript, shown["Title"], 5, shown["The *question* of a user"], 4)
    assert copied(transcript) == "*question* of a user\n\n# Title"
    transcript.selection.copy(as_shown=True)
    assert QGuiApplication.clipboard().text() == "*question* of a user\nTitle"


def test_a_part_of_code_among_others_stays_code(transcript: Transcript) -> None:
    shown = texts(transcript)
    drag(transcript, shown["Title"], 0, shown["x = 1"], 1)
    assert copied(transcript).endswith("`code`.\n\n```python\nx\n```")


def test_code_alone_comes_without_its_fence(transcript: Transcript) -> None:
    code = texts(transcript)["x = 1"]
    code.selectAll()
    assert copied(transcript) == "x = 1"


def test_a_new_selection_ends_the_old_one(transcript: Transcript) -> None:
    shown = texts(transcript)
    drag(transcript, shown["Title"], 0, shown["two"], 2)
    transcript.selection.begin(shown["two"])
    assert not shown["Title"].textCursor().hasSelection()
    drag(transcript, shown["A quote."], 3, shown["two"], 1)
    drag(transcript, shown["A quote."], 3, shown["two"], 2)
    assert not shown["Title"].textCursor().hasSelection()


def test_inside_one_text_qt_selects(transcript: Transcript) -> None:
    text = texts(transcript)["Title"]
    transcript.selection.begin(text)
    assert not transcript.selection.extend(text, text.viewport().mapToGlobal(QPoint(3, 3)))


def test_reasoning_is_selected_only_when_it_is_open(transcript: Transcript) -> None:
    answer = transcript.messages[1]
    assert isinstance(answer, AssistantMessage)
    assert "hidden" not in texts(transcript)
    assert answer.text.thoughts is not None
    answer.text.thoughts.open()
    assert "hidden" in texts(transcript)


def test_a_message_with_a_selection_keeps_its_widget(transcript: Transcript) -> None:
    message = transcript.messages[0]
    assert not message.in_use()
    texts(transcript)["The *question* of a user"].selectAll()
    assert message.in_use()
