"""Reasoning and answer are told apart as they stream."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.chat.answer import Answer, figures_to_keep
from app.chat.answer_text import AnswerText
from app.chat.prompt import DEFAULTS
from app.chat.reasoning import ReasoningClock, ReasoningSplitter, opened_before, split
from app.chat.reasoning_block import ReasoningBlock
from app.history.store import StoredMessage
from tests.fake_engine import delta

CASES = [
    ("<think>a b</think>answer", "a b", "answer"),
    ("\n <think>\na\n</think>\n\nanswer", "\na\n", "\n\nanswer"),
    ("<think></think>answer", "", "answer"),
    ("plain answer", "", "plain answer"),
    ("plain <think>x</think>", "", "plain <think>x</think>"),
    ("<thin air", "", "<thin air"),
    ("<", "", "<"),
    ("<think>never closed </thin", "never closed </thin", ""),
    ("<think>a </thinker> b</think>c</think>", "a </thinker> b", "c</think>"),
    ("", "", ""),
]


def fed(text: str, sizes: list[int], open_at_start: bool = False) -> tuple[str, str]:
    splitter = ReasoningSplitter(open_at_start)
    parts, start, turn = [], 0, 0
    while start < len(text):
        size = sizes[turn % len(sizes)]
        parts += splitter.feed(text[start : start + size])
        start, turn = start + size, turn + 1
    parts += splitter.finish()
    reasoning = "".join(part.text for part in parts if part.is_reasoning)
    return reasoning, "".join(part.text for part in parts if not part.is_reasoning)


@pytest.mark.parametrize(("text", "reasoning", "answer"), CASES)
def test_one_character_at_a_time(text: str, reasoning: str, answer: str) -> None:
    assert fed(text, [1]) == (reasoning, answer)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(CASES), st.lists(st.integers(1, 9), min_size=1), st.booleans())
def test_any_chunking_is_the_same(case: tuple[str, str, str], sizes: list[int], opened: bool) -> None:
    assert fed(case[0], sizes, opened) == fed(case[0], [1], opened)


def test_what_the_prompt_has_opened_is_reasoning() -> None:
    assert fed("a</think>b", [1], open_at_start=True) == ("a", "b")
    assert split("\na\n</think>\n\nb") == ("a", "\n\nb")


@pytest.mark.parametrize(
    ("text", "opened"),
    [
        ("a</think>b", True),
        ("<think>a</think>b", False),
        ("a", False),
        ("Write:\n```\n</think>\n```", False),
    ],
)
def test_a_stored_answer_shows_whether_its_prompt_had_opened_the_reasoning(text: str, opened: bool) -> None:
    assert opened_before(text) is opened


def test_nothing_is_shown_of_a_tag_before_it_is_sure() -> None:
    splitter = ReasoningSplitter()
    assert splitter.feed("<thi") == []
    assert not splitter.decided
    assert splitter.feed("nk>") == []
    assert splitter.thinking
    assert [part.text for part in splitter.feed("so</thi")] == ["so"]
    assert splitter.feed("nk>") == []
    assert not splitter.thinking


@pytest.fixture
def answer(qtbot: QtBot) -> AnswerText:
    answer = AnswerText()
    qtbot.addWidget(answer)
    answer.expect_width(600)
    return answer


def test_reasoning_is_a_closed_block_above_the_answer(answer: AnswerText) -> None:
    for letter in "<think>\nFirst *this*.</think>\n\nThe answer.":
        answer.append(letter)
    answer.finish()
    assert answer.thoughts is not None
    assert not answer.thoughts.is_open
    assert answer.thoughts.body is None  # nothing is laid out before it is opened
    assert answer.answer == "The answer."
    assert answer.source.startswith("<think>")
    answer.thoughts.open()
    assert answer.thoughts.body is not None
    assert [text.toPlainText() for text in answer.thoughts.body.texts()] == ["First this."]
    answer.thoughts.copy()
    assert QGuiApplication.clipboard().text() == "First *this*."


def test_empty_reasoning_shows_nothing(answer: AnswerText) -> None:
    answer.append("<think>\n\n</think>\n\nThe answer.")
    answer.finish()
    assert answer.thoughts is None


def test_reasoning_that_the_prompt_opened_moves_into_its_block(answer: AnswerText) -> None:
    for letter in "So I think.\n</think>\nThe answer.":
        answer.append(letter)
    answer.finish()
    assert answer.thoughts is not None
    assert answer.thoughts.source.strip() == "So I think."
    assert answer.answer == "The answer."


def test_the_line_tells_how_long_it_took(qtbot: QtBot) -> None:
    now = [100.0]
    block = ReasoningBlock(clock=lambda: now[0])
    qtbot.addWidget(block)
    block.append("hm")
    now[0] = 112.4
    block.open()
    assert block.toggle.text().endswith("Thinking… 12 s")
    now[0] = 113.0
    block.finish()
    now[0] = 200.0
    block.open(False)
    assert block.toggle.text().endswith("Thought for 13 s")


def test_open_reasoning_goes_on_streaming(answer: AnswerText) -> None:
    answer.append("<think>one")
    assert answer.thoughts is not None
    answer.thoughts.open()
    answer.append(" two</think>three")
    assert answer.thoughts.body is not None
    assert [text.toPlainText() for text in answer.thoughts.body.texts()] == ["one two"]


def test_how_long_it_was_reasoning_is_measured_as_it_streams() -> None:
    now = [10.0]
    clock = ReasoningClock(lambda: now[0])
    clock.feed("<thi")
    clock.feed("nk>so")
    now[0] = 15.0
    assert clock.seconds == 5.0
    clock.feed("</think>the answer")
    now[0] = 99.0
    clock.feed(" goes on")
    assert clock.seconds == 5.0


def test_an_answer_without_reasoning_took_no_time_for_it() -> None:
    clock = ReasoningClock()
    clock.feed("plain")
    clock.feed("<think>")
    assert clock.seconds is None


def test_a_stored_answer_tells_how_long_it_was_reasoning(answer: AnswerText) -> None:
    answer.append("<think>one</think>two")
    answer.finish(thought_s=12.4)
    assert answer.thoughts is not None
    assert answer.thoughts.toggle.text().endswith("Thought for 12 s")


def test_the_time_is_kept_with_the_figures_of_the_answer() -> None:
    thinking, plain = Answer(1, 2, "auto"), Answer(1, 3, "auto")
    thinking.add([delta("<think>one</think>two")], "")
    plain.add([delta("two")], "")
    assert isinstance(figures_to_keep(thinking, None)["thought_s"], float)
    assert figures_to_keep(plain, None)["thought_s"] is None


def test_an_answer_that_goes_on_after_its_reasoning_keeps_how_long_that_took() -> None:
    def gone_on(text: str) -> object:
        last = StoredMessage(2, "assistant", text, "stopped", '{"thought_s": 3.5}', 0.0)
        return figures_to_keep(Answer.of(last, 1, "auto", DEFAULTS), None)["thought_s"]

    assert gone_on("<think>one</think>two") == 3.5
    assert gone_on("<think>one") is None  # what follows is reasoning too
