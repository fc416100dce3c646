"""Block widgets: finished ones are left alone, code can be copied, links are checked."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication, QTextDocument
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.chat.block_view import BlockView
from app.chat.code_block import CodeBlock
from app.chat.highlight import tokens_by_line
from app.chat.links import is_safe_link
from app.chat.message import AssistantMessage
from app.chat.rich_text import RichText
from app.chat.transcript import Transcript
from app.speculation.figure_line import figures
from app.theme import SPACE_XL
from engine.metrics import Stats

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
CODE = 'def greet(name):\n    """Two\n    lines."""\n    return f"Hi {name}"\n'


@pytest.fixture
def view(qtbot: QtBot) -> BlockView:
    view = BlockView()
    qtbot.addWidget(view)
    view.resize(600, 400)
    return view


def shown_text(view: BlockView) -> list[str]:
    return [widget.toPlainText() for widget in view.widgets if isinstance(widget, RichText)]


def test_finished_blocks_are_never_rendered_again(view: BlockView) -> None:
    view.append("First paragraph.\n\nSecond paragraph.\n\nTh")
    before = [widget.renders for widget in view.widgets[:2]]
    for word in ("ird", " goes", " on", " and", " on.\n\n", "# Head\n\n", "last"):
        view.append(word)
    view.finish()
    assert [widget.renders for widget in view.widgets[:2]] == before
    assert shown_text(view) == [
        "First paragraph.",
        "Second paragraph.",
        "Third goes on and on.",
        "Head",
        "last",
    ]


def test_the_source_is_kept_to_the_letter(view: BlockView) -> None:
    source = "# A\r\n\n*b* <i>c</i>\n```\nx\n"
    for letter in source:
        view.append(letter)
    view.finish()
    assert view.source == source


def test_code_is_plain_until_it_closes_and_highlighted_once(qtbot: QtBot, view: BlockView) -> None:
    view.append("```python\n" + CODE)
    code = view.widgets[0]
    assert isinstance(code, CodeBlock)
    assert code.highlighter.runs == 0
    view.append("```\n")
    view.append("after")
    view.finish()
    assert code.highlighter.runs == 1
    qtbot.waitUntil(lambda: not code.highlighter.busy)
    first = code.text.document().firstBlock()
    assert first.layout().formats() != []
    assert code.text.toPlainText() == CODE.rstrip("\n")


def test_a_long_code_block_shows_its_last_line(qtbot: QtBot, view: BlockView) -> None:
    view.append("```\n" + "line\n" * 500 + "日本語\n" * 100 + "```\n")
    view.finish()
    view.grab()
    code = view.widgets[0]
    assert isinstance(code, CodeBlock)
    document = code.text.document()
    lines = [code.text.blockBoundingRect(document.findBlockByNumber(n)).height() for n in range(600)]
    assert sum(lines) <= code.text.viewport().height() <= sum(lines) + 4


def test_copy_gives_the_code(view: BlockView) -> None:
    view.append("```python\n" + CODE + "```\n")
    view.finish()
    code = view.widgets[0]
    assert isinstance(code, CodeBlock)
    code.copy()
    assert QGuiApplication.clipboard().text() == CODE.rstrip("\n")


def test_a_text_that_turns_into_a_table_changes_its_widget(view: BlockView) -> None:
    view.append("| a | b |\n")
    view.append("|---|---|\n| 1 | 2 |\n\nafter")
    view.finish()
    assert len(view.widgets) == 2
    assert "1" in shown_text(view)[0]
    assert "|" not in shown_text(view)[0]


def test_highlighting_spans_lines() -> None:
    lines = list(tokens_by_line(CODE, "python"))
    assert len(lines) == CODE.count("\n") + 1
    kinds = {str(kind) for _, _, kind in lines[2]}
    assert any("Doc" in kind for kind in kinds)  # the second line of a string is still a string


def test_highlighting_counts_as_qt_does() -> None:
    [line] = list(tokens_by_line('x = "😀" + y', "python"))
    start, width, _ = line[-1]
    assert start + width == QTextDocument('x = "😀" + y').characterCount() - 1


def test_an_unknown_language_stays_plain() -> None:
    assert list(tokens_by_line("x", "no-such-language")) == []


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://example.org/a", True),
        ("http://example.org", True),
        ("mailto:a@example.org", True),
        ("file:///etc/passwd", False),
        ("javascript:alert(1)", False),
        ("smb://host/share", False),
        ("relative/path", False),
        ("https:///no-host", False),
    ],
)
def test_only_web_and_mail_links_are_opened(url: str, safe: bool) -> None:
    assert is_safe_link(QUrl(url)) is safe


def test_a_block_reads_no_file(qtbot: QtBot) -> None:
    text = RichText()
    qtbot.addWidget(text)
    assert text.loadResource(QTextDocument.ResourceType.ImageResource, QUrl("file:///etc/hostname")) is None


def test_copying_an_answer_gives_its_markdown(qtbot: QtBot) -> None:
    answer = AssistantMessage()
    qtbot.addWidget(answer)
    answer.append("**bold** and `code`\n")
    answer.finish()
    answer.copy()
    assert QGuiApplication.clipboard().text() == "**bold** and `code`\n"


def test_figures_name_a_speedup_only_when_it_was_measured() -> None:
    assert "plain" not in figures(Stats(tokens=3, tokens_per_second=20.0))
    assert "plain" not in figures(Stats(tokens=3, tokens_per_second=20.0, speedup=1.0))
    few = Stats(tokens=3, tokens_per_second=20.0, drafted=4, speedup=1.8)
    assert "plain" not in figures(few)
    assert "1.8× plain decoding" in figures(replace(few, tokens=300))
    assert "guesses" not in figures(replace(few, acceptance_rate=0.25, accepted=1))
    assert "25" in figures(replace(few, drafted=40, acceptance_rate=0.25, accepted=10))


def test_code_inside_a_list_can_be_copied_and_is_indented(view: BlockView) -> None:
    view.append("1. Install:\n\n   ```bash\n   pip install x\n   ```\n2. Run\n")
    view.finish()
    view.grab()  # lays out
    code = view.widgets[1]
    assert isinstance(code, CodeBlock)
    code.copy()
    assert QGuiApplication.clipboard().text() == "pip install x"
    assert code.x() == SPACE_XL
    assert view.widgets[2].x() == 0


def test_direction_goes_by_the_text(view: BlockView) -> None:
    view.append("> مرحبا بالعالم\n\n> Hello\n\n```python\n# مرحبا\n```\n\nمرحبا\n\nHello")
    view.finish()
    view.grab()
    right_to_left, left_to_right = Qt.LayoutDirection.RightToLeft, Qt.LayoutDirection.LeftToRight
    directions = [text.document().firstBlock().textDirection() for text in view.texts()]
    assert directions == [right_to_left, left_to_right, left_to_right, right_to_left, left_to_right]
    assert [quote.property("mirrored") for quote in view.widgets[:2]] == [True, None]


def test_the_view_never_jumps_back_while_text_comes(qtbot: QtBot) -> None:
    """GIVEN a transcript WHEN an answer streams in THEN its height only grows, from the first block on."""
    transcript = Transcript()
    qtbot.addWidget(transcript)
    transcript.resize(800, 300)
    with qtbot.waitExposed(transcript):
        transcript.show()
    answer = AssistantMessage()
    transcript.add(answer)
    heights: list[int] = []
    transcript.verticalScrollBar().rangeChanged.connect(lambda _low, high: heights.append(high))
    for _ in range(8):
        answer.append("A paragraph of some words that take more than one line of the column, surely.\n\n" * 4)
        answer.append("> A quote.\n\n1. Item:\n\n   ```py\n   x = 1\n   ```\n\n")
        QApplication.processEvents()
    assert len(heights) > 4
    assert heights == sorted(heights)


def test_a_block_that_comes_is_as_tall_at_once_as_it_stays(qtbot: QtBot) -> None:
    """Several lines taller for a moment, it would shake what is read above it."""
    transcript, message = Transcript(), AssistantMessage()
    qtbot.addWidget(transcript)
    transcript.resize(800, 300)
    transcript.add(message)
    transcript.show()
    qtbot.waitExposed(transcript)
    message.append("First paragraph, which is long enough for two lines.\n\n")
    qtbot.waitUntil(message.body.widgets[0].isVisible)
    message.append(
        "Second one, which is long enough for two lines.\n\n> A quote of many words.\n\n- And a list."
    )
    texts = message.body.texts()
    at_once = [text.minimumHeight() for text in texts]
    qtbot.waitUntil(texts[-1].isVisible)
    QApplication.processEvents()
    assert at_once == [text.minimumHeight() for text in texts]
