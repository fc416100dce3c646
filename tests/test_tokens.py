"""The token view: every token with its origin, by mouse, keyboard and screen reader; colours told apart by all."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import json
from itertools import combinations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication
from pytestqt.qtbot import QtBot

from app.speculation.legend import Entry
from app.speculation.origins import ACCEPTED, Origin, TokenReader, origin_of
from app.speculation.speller import Speller
from app.speculation.tints import line_colour, tint
from app.speculation.token_page import TokenPage
from app.speculation.token_view import TokenView
from app.speculation.trace import Pass, Spelling, Trace
from app.speculation.trace_codec import TraceWriter
from app.theme import DARK, LIGHT, Appearance, Choice, Colours
from tests.speculated import WordVocabulary, passes

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
TEXT = "A hash map stores keys and values.\n\n    def get(self, key):\n        return self.table[key]\n"


def traced(text: str, sources: tuple[str, ...] = ("draft", "ngram")) -> Trace:
    vocabulary, writer = WordVocabulary(), TraceWriter()
    speller = Speller(vocabulary)
    for delta in passes(text, vocabulary, sources):
        writer.add(speller.pass_of(delta))
    return writer.trace


def a(*texts: bytes) -> tuple[Spelling, ...]:
    return tuple(Spelling(number, text) for number, text in enumerate(texts))


@pytest.fixture
def view(qtbot: QtBot) -> TokenView:
    view = TokenView()
    qtbot.addWidget(view)
    view.resize(420, 300)
    view.show()
    qtbot.waitExposed(view)
    return view


@pytest.fixture
def page(qtbot: QtBot) -> TokenPage:
    page = TokenPage()
    qtbot.addWidget(page)
    page.resize(800, 600)
    page.show()
    qtbot.waitExposed(page)
    return page


def test_the_origin_of_every_token_follows_from_its_pass() -> None:
    accepted = Pass(a(b"x", b"y", b"z"), 2, a(b"q", b"r"), "ngram", 0.1)
    assert [origin_of(accepted, place) for place in range(3)] == [
        Origin.NGRAM,
        Origin.NGRAM,
        Origin.CORRECTED,
    ]
    whole = Pass(a(b"x", b"y"), 1, (), "dflash", 0.1)
    assert [origin_of(whole, place) for place in range(2)] == [Origin.DFLASH, Origin.BONUS]
    assert origin_of(Pass(a(b"x"), 0, (), "plain", 0.1), 0) is Origin.PLAIN
    assert origin_of(Pass(a(b"x"), 0, a(b"q"), "draft", 0.1), 0) is Origin.CORRECTED


def test_the_text_of_the_tokens_is_the_answer() -> None:
    tokens = TokenReader(traced(TEXT)).read(10_000)
    assert "".join(token.text for token in tokens if not token.odd) == TEXT
    assert [token.text for token in tokens if token.odd] == ["<|end|>"]
    assert [token.number for token in tokens] == list(range(len(tokens)))


def test_half_a_character_is_shown_as_bytes_and_the_whole_one_after_it() -> None:
    trace = Trace([Pass(a("字".encode()[:1], "字".encode()[1:]), 0, (), "plain", 0.1)])
    assert [(token.text, token.odd) for token in TokenReader(trace).read(9)] == [
        ("⟨E5⟩", True),
        ("字", False),
    ]


def test_a_growing_trace_is_read_on(view: TokenView) -> None:
    whole = traced(TEXT)
    growing = Trace()
    view.show_trace(growing)
    for one in whole.passes:
        growing.passes.append(one)
        view.grow()
    assert "".join(token.text for token in view.tokens if not token.odd) == TEXT


def test_the_keyboard_reaches_every_token_and_each_correction(view: TokenView, qtbot: QtBot) -> None:
    view.show_trace(traced(TEXT))
    qtbot.waitUntil(lambda: view.complete)
    qtbot.keyClick(view, Qt.Key.Key_Home)
    for number in range(1, len(view.tokens)):
        qtbot.keyClick(view, Qt.Key.Key_Right)
        assert view.current == number
    qtbot.keyClick(view, Qt.Key.Key_Home)
    corrected = [token.number for token in view.tokens if token.origin is Origin.CORRECTED]
    assert corrected
    for number in corrected:
        qtbot.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
        assert view.current == number
        assert "Rejected:" in view.accessibleDescription()
    qtbot.keyClick(view, Qt.Key.Key_End)
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert 0 < view.current < len(view.tokens) - 1


def test_pointing_at_a_token_visits_it_and_leaves_the_cursor(view: TokenView, qtbot: QtBot) -> None:
    view.show_trace(traced(TEXT))
    qtbot.waitUntil(lambda: view.complete)
    view.move_to(3)
    seen: list[int] = []
    view.current_changed.connect(seen.append)
    qtbot.mouseMove(view.viewport(), QPoint(20, 24))
    qtbot.waitUntil(lambda: view.current == 0)
    qtbot.mouseMove(view.viewport(), QPoint(view.viewport().width() - 2, 24))
    qtbot.waitUntil(lambda: view.current == 3)
    assert seen[0] == 0


def test_a_long_answer_comes_in_slices(view: TokenView, qtbot: QtBot) -> None:
    view.show_trace(traced(TEXT * 150))
    assert not view.complete
    qtbot.waitUntil(lambda: view.complete)
    view.resize(300, 200)
    qtbot.waitUntil(lambda: view.complete)
    view.move_to(len(view.tokens) - 1)
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()


def test_the_page_counts_every_origin_and_isolates_one(page: TokenPage, qtbot: QtBot) -> None:
    page.show_trace(traced(TEXT))
    entries = [entry for entry in page.legend.findChildren(Entry) if entry.isVisible()]
    assert {entry.origin for entry in entries} == {token.origin for token in page.view.tokens}
    entry = next(entry for entry in entries if entry.origin is Origin.CORRECTED)
    count = sum(token.origin is Origin.CORRECTED for token in page.view.tokens)
    assert f" {count} ·" in entry.text()
    qtbot.mouseClick(entry, Qt.MouseButton.LeftButton)
    assert page.view.only is Origin.CORRECTED
    qtbot.mouseClick(entry, Qt.MouseButton.LeftButton)
    assert page.view.only is None


def test_the_page_copies_the_passes_as_json(page: TokenPage) -> None:
    trace = traced(TEXT)
    page.show_trace(trace)
    page.copy()
    copied = json.loads(QGuiApplication.clipboard().text())
    assert [[token["id"] for token in one["tokens"]] for one in copied["passes"]] == [
        [spelling.token for spelling in one.tokens] for one in trace.passes
    ]


def test_a_reason_takes_the_place_of_tokens(page: TokenPage) -> None:
    page.show_reason("Nothing was recorded.")
    assert page._nothing.isVisible()
    assert not page.view.isVisible()
    page.show_trace(traced(TEXT))
    assert page.view.isVisible()


@pytest.mark.parametrize("choice", [Choice.LIGHT, Choice.DARK])
def test_each_origin_is_drawn_in_its_tint_and_line(view: TokenView, qtbot: QtBot, choice: Choice) -> None:
    Appearance.shared().choose(choice)
    view.show_trace(Trace([Pass(a(b"mmmmmm", b"wwwwww"), 1, (), "draft", 0.1)]))
    image = view.viewport().grab().toImage()
    seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(60)}
    for origin in (Origin.DRAFT, Origin.BONUS):
        assert tint(origin, Appearance.shared().colours).name() in seen
    assert tint(Origin.NGRAM, Appearance.shared().colours).name() not in seen
    Appearance.shared().choose(Choice.SYSTEM)


def linear(colour: QColor) -> list[float]:
    values = (colour.redF(), colour.greenF(), colour.blueF())
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]


def luminance(colour: QColor) -> float:
    return sum(share * value for share, value in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))


def contrast(one: QColor, other: QColor) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


MARKED = (*ACCEPTED, Origin.CORRECTED, Origin.BONUS)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_text_is_legible_on_every_tint_and_lines_are_seen(colours: Colours) -> None:
    page = QColor(colours.page)
    for origin in MARKED:
        assert contrast(QColor(colours.text), tint(origin, colours)) >= 4.5
        assert contrast(QColor(colours.muted), tint(origin, colours)) >= 3.0
        assert contrast(line_colour(origin, colours), page) >= 3.0


# Machado, Oliveira and Fernandes (2009), severity 1.0, in linear RGB
PROTAN = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
DEUTAN = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))


def lab(rgb: list[float]) -> tuple[float, float, float]:
    r, g, b = (min(max(value, 0.0), 1.0) for value in rgb)
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("matrix", [PROTAN, DEUTAN], ids=["protan", "deutan"])
def test_lines_differ_for_people_who_see_fewer_colours(
    colours: Colours, matrix: tuple[tuple[float, ...], ...]
) -> None:
    seen = {}
    for origin in MARKED:
        rgb = linear(line_colour(origin, colours))
        seen[origin] = lab([sum(m * v for m, v in zip(row, rgb, strict=True)) for row in matrix])
    for one, other in combinations(MARKED, 2):
        distance = sum((a - b) ** 2 for a, b in zip(seen[one], seen[other], strict=True)) ** 0.5
        assert distance > 8.0, (one, other, distance)
