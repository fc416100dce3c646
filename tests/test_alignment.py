"""Rendered letters and their places in the Markdown: right, or none at all."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import itertools
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication

from app.chat.markdown import Kind, parse
from app.speculation.alignment import ENTITY, NOWHERE, PICTURE, align, align_code

WORD = st.text("abcé字", min_size=1, max_size=5)


def marked(before: str, after: str) -> st.SearchStrategy[tuple[str, str]]:
    return WORD.map(lambda word: (f"{before}{word}{after}", word))


PIECE = st.one_of(
    WORD.map(lambda word: (word, word)),
    marked("**", "**"),
    marked("*", "*"),
    marked("~~", "~~"),
    marked("`", "`"),
    marked("[", "](http://a.b/c_(d))"),
    marked("[", '](http://a.b "abc")'),
    st.sampled_from(
        [("\\*", "*"), ("&amp;", "&"), ("&lt;", "<"), ("1.5", "1.5"), ("(a)", "(a)"), ("a_b", "a_b")]
    ),
)
PARAGRAPH = st.lists(PIECE, min_size=1, max_size=8)


def shown_by_qt(html: str) -> str:
    document = QTextDocument()
    document.setHtml(html)
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    return cursor.selectedText()


def is_the_same(source: str, place: int, letter: str) -> bool:
    """The letter itself, a character reference for it, or white space for white space."""
    entity = ENTITY.match(source, place)
    if entity and unescape(entity[0]) == letter:
        return True
    return source[place] == letter or (letter.isspace() and source[place] in " \t\n\\\u00a0")


def check(source: str, shown: str, places: list[int]) -> None:
    """Every letter has its own place, in order; what has none is white space."""
    assert len(places) == len(shown)
    found = [(place, letter) for place, letter in zip(places, shown, strict=True) if place != NOWHERE]
    assert all(a[0] < b[0] for a, b in itertools.pairwise(found))
    assert all(is_the_same(source, place, letter) for place, letter in found)
    lost = [letter for place, letter in zip(places, shown, strict=True) if place == NOWHERE]
    assert not "".join(lost).strip().strip(PICTURE)


@given(
    paragraphs=st.lists(PARAGRAPH, min_size=1, max_size=3),
    style=st.sampled_from(["", "- ", "> ", "1. ", "## "]),
)
def test_every_letter_of_known_markdown_is_found(paragraphs: list[list[tuple[str, str]]], style: str) -> None:
    source = "\n\n".join(style + " ".join(piece for piece, _ in pieces) for pieces in paragraphs)
    shown = "\u2029".join(" ".join(text for _, text in pieces) for pieces in paragraphs)
    places = align(source, shown)
    assert places is not None
    check(source, shown, places)
    assert places.count(NOWHERE) == len(paragraphs) - 1


@given(text=st.text("ab *_`[]()\\\n-#>1.&;~|!<:/", max_size=60))
@settings(max_examples=300)
def test_whatever_is_rendered_is_given_its_own_place_or_none(qapp_module: QApplication, text: str) -> None:
    for block in parse(text):
        if block.kind in (Kind.TABLE, Kind.RULE, Kind.MATH):
            continue
        source = text[block.start : block.end]
        if block.kind is Kind.CODE:
            shown, places = (
                block.content.removesuffix("\n"),
                align_code(source, block.content.removesuffix("\n")),
            )
        else:
            shown = shown_by_qt(block.content)
            places = align(source, shown)
        if places is None:
            continue
        check(source, shown, places)


@pytest.fixture(scope="module")
def qapp_module(qapp_cls: type[QApplication]) -> QApplication:
    running = QApplication.instance()
    return running if isinstance(running, QApplication) else qapp_cls([])


@pytest.mark.parametrize(
    "source",
    [
        'A **hash map** stores *keys* and `values`,\nsee [the article](https://a.b/c_(d) "t") for more.\n',
        "- one\n- two with **bold**\n  and more\n\n- three\n",
        "1. first\n2. 2 apples & pears &amp; plums\n   - inner `x = 1`\n",
        "> quoted *text*\n> goes on\n",
        "## A heading ##\n",
        "Setext\n======\n",
        "<https://a.b/c> and https://plain.com/a_b\n",
        "Line one  \nline two\\\nline three\n",
        "snake_case_name and 2 * 3 * 4 = 24\n",
    ],
)
def test_what_answers_look_like_is_found(qapp_module: QApplication, source: str) -> None:
    for block in parse(source):
        shown = shown_by_qt(block.content)
        places = align(source[block.start : block.end], shown)
        assert places is not None, shown


def test_words_in_an_address_are_not_taken_for_the_text() -> None:
    source = '[map](https://map.org "a map") map'
    assert align(source, "map map") == [1, 2, 3, *range(source.rindex(" map"), len(source))]


def test_code_is_found_behind_its_indentation() -> None:
    source = "   ```python\n   if x:\n       y()\n\n   z()\n   ```\n"
    shown = "if x:\n    y()\n\nz()"
    places = align_code(source, shown)
    assert places is not None
    check(source, shown, places)


def test_letters_beside_a_formula_are_found_and_the_formula_is_nowhere() -> None:
    source = "so **x** is $a^2$ here"
    places = align(source, f"so x is {PICTURE} here")
    assert places is not None
    check(source, f"so x is {PICTURE} here", places)
    assert places.count(NOWHERE) == 1


def test_a_doubt_gives_no_places_at_all() -> None:
    assert align("some text", "some other text") is None
    assert align("first second", "second") is None
    assert align_code("```\nabc\n```", "abd") is None
