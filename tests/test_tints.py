"""Tints behind accepted text: the letters that were guessed and accepted, and no others."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from app.chat.selectable import shown
from app.speculation.accepted_spans import accepted_spans
from app.speculation.origins import ACCEPTED, TokenReader
from app.speculation.speller import Speller
from app.speculation.tinting import NAME
from app.speculation.trace import Pass, Spelling, Trace
from app.speculation.trace_codec import TraceWriter
from tests.desk import Desk
from tests.fake_engine import FakeStore, Workshop
from tests.speculated import WordVocabulary, events, passes

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"
TEXT = f"# Maps 😀\n\nA *hash map* stores **keys** and values.\n\n```python\nprint(1)\n```\n\n{TABLE}"


def traced(
    text: str, facts: dict[str, object] | None = None, writer: TraceWriter | None = None
) -> TraceWriter:
    vocabulary, writer = WordVocabulary(), writer or TraceWriter()
    speller = Speller(vocabulary)
    writer.begin(facts or {"from": 0})
    for delta in passes(text, vocabulary):
        writer.add(speller.pass_of(delta))
    return writer


@given(words=st.lists(st.sampled_from([" the", " map", "s", ".", "\n", " 字", "é"]), min_size=1, max_size=60))
def test_the_spans_hold_the_accepted_tokens_and_nothing_else(words: list[str]) -> None:
    text = "".join(words)
    trace = traced(text).trace
    spans = accepted_spans(trace, text)
    accepted = [
        token for token in TokenReader(trace).read(10_000) if token.origin in ACCEPTED and not token.odd
    ]
    assert "".join(text[span.start : span.end] for span in spans) == "".join(token.text for token in accepted)
    assert all(span.start < span.end for span in spans)
    assert all(a.end <= b.start for a, b in itertools.pairwise(spans))


def test_an_answer_that_went_on_has_spans_in_both_parts() -> None:
    first, second = "The first part is here.", " And the second part is there."
    writer = traced(first)
    traced(second, {"from": len(first)}, writer)
    spans = accepted_spans(writer.trace, first + second)
    assert any(span.start < len(first) for span in spans)
    assert any(span.start >= len(first) for span in spans)


def test_what_the_prompt_had_opened_is_passed_over() -> None:
    text = "So the answer is four, as everybody knows."
    plain = accepted_spans(traced(text).trace, text)
    opened = accepted_spans(traced(text).trace, "<think>\n" + text)
    assert [(span.start, span.end) for span in opened] == [(span.start + 8, span.end + 8) for span in plain]


def test_another_text_has_no_spans() -> None:
    assert accepted_spans(traced("The text as it was made.").trace, "Another text altogether, edited.") == []
    half = Trace([Pass((Spelling(1, b"\xe5"),), 1, (), "draft", 0.1)], [(0, {})])
    assert accepted_spans(half, "x") == []


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    workshop, vocabulary = Workshop(), WordVocabulary()
    workshop.script.tokenizer = vocabulary
    workshop.script.events = events(TEXT, vocabulary)
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), workshop).ready()
    yield desk
    desk.close()


def marked(desk: Desk) -> list[str]:
    """The tinted letters of each text of the last answer."""
    found = []
    for _, text in desk.answer.text.body.placed():
        marks = getattr(text, "marks", {}).get(NAME, [])
        found.append("".join(mark.cursor.selectedText() for mark in marks))
    return found


def test_the_window_tints_accepted_letters_but_no_table(desk: Desk, qtbot: QtBot) -> None:
    desk.ask()
    tinting = desk.window.insight.tinting
    assert not any(marked(desk))
    tinting.switch(True)
    qtbot.waitUntil(lambda: tinting.idle)
    *tinted, table = marked(desk)
    assert table == ""
    trace = desk.window.insight.keeper.trace(desk.answer.message_id or 0)
    assert trace is not None
    accepted = "".join(TEXT[span.start : span.end] for span in accepted_spans(trace, TEXT))
    letters = [letter for letter in "".join(tinted) if letter.isalnum()]
    assert letters
    assert (
        letters == [letter for letter in accepted[: accepted.find("|")] if letter.isalnum()][: len(letters)]
    )
    for text, (_, widget) in zip(tinted, desk.answer.text.body.placed(), strict=False):
        assert len(text) <= len(shown(widget))
    tinting.switch(False)
    assert not any(marked(desk))


def test_tints_follow_an_answer_that_comes(desk: Desk, qtbot: QtBot) -> None:
    tinting = desk.window.insight.tinting
    tinting.switch(True)
    desk.ask()
    qtbot.waitUntil(lambda: tinting.idle and any(marked(desk)))
