"""Formulas are drawn between the turns of the event loop, and never hold the window up."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from app.chat.formula_text import OBJECT
from app.chat.formulas import GIVE_UP_S, LONGEST, Formulas
from app.chat.rich_text import RichText
from app.chat.sliced_call import SlicedCall

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
ROOTS = (r"\frac{-b \pm \sqrt{b^2-4ac}}{2a}", False)


@pytest.fixture
def formulas(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Formulas]:
    formulas = Formulas()
    monkeypatch.setattr(Formulas, "_shared", formulas)
    yield formulas
    qtbot.waitUntil(lambda: not formulas.busy)


def drawn(qtbot: QtBot, formulas: Formulas, *wanted: tuple[str, bool]) -> None:
    assert [formulas.drawing(formula) for formula in wanted] == [None] * len(wanted)
    qtbot.waitUntil(lambda: not formulas.busy)


def test_a_computation_in_slices_comes_to_its_result() -> None:
    def step(number: int) -> int:
        return number + 1

    def count() -> int:
        number = 0
        while number < 1000:
            number = step(number)
        return number

    call = SlicedCall(count)
    slices = 1
    while not call.advance(0.0):
        slices += 1
    assert call.result == 1000
    assert slices > 100


def test_a_computation_runs_only_while_it_is_waited_for() -> None:
    steps = [0]

    def step() -> None:
        steps[0] += 1

    def forever() -> None:
        while True:
            step()

    before = threading.active_count()
    call = SlicedCall(forever)
    assert not call.advance(0.0)
    seen = steps[0]
    threading.Event().wait(0.01)
    assert steps[0] == seen
    call.give_up()
    assert call.result is None
    assert threading.active_count() == before


def test_a_failed_computation_has_no_result() -> None:
    call: SlicedCall[int] = SlicedCall(lambda: int("x"))
    while not call.advance(1.0):
        pass
    assert call.result is None


def test_a_formula_is_drawn_once(qtbot: QtBot, formulas: Formulas) -> None:
    drawn(qtbot, formulas, ROOTS)
    drawing = formulas.drawing(ROOTS)
    assert drawing is not None
    assert drawing.svg.startswith("<svg")
    assert 0 < drawing.descent < drawing.height
    assert not formulas.busy


def test_a_picture_has_the_colour_of_the_text_and_the_pixels_of_the_screen(
    qtbot: QtBot, formulas: Formulas
) -> None:
    drawn(qtbot, formulas, ROOTS)
    for ratio in (1.0, 1.5, 2.0):
        picture = formulas.picture(ROOTS, "#e00000", 20.0, ratio)
        assert picture is not None
        assert abs(picture.image.width() - picture.width * ratio) <= 1
        assert ink(picture.image) == {"#e00000"}


def ink(image: QImage) -> set[str]:
    """The colours of all opaque pixels."""
    colours = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return {QColor(colour).name() for colour in colours if colour.alpha() == 255}


@pytest.mark.parametrize("tex", [r"\frac{1}{", "x<y & z", "x" * (LONGEST + 1)])
def test_what_cannot_be_drawn_is_refused(qtbot: QtBot, formulas: Formulas, tex: str) -> None:
    formulas.drawing((tex, False))
    qtbot.waitUntil(lambda: not formulas.busy)
    drawing = formulas.drawing((tex, False))
    assert drawing is not None
    assert drawing.svg == ""


def test_a_hostile_formula_is_given_up(qtbot: QtBot, formulas: Formulas) -> None:
    """GIVEN nested fractions, whose cost doubles with each WHEN they are drawn THEN the next one still comes."""
    hostile = (r"\frac{1}{" * 60 + "1" + "}" * 60, True)
    assert formulas.drawing(hostile) is None
    assert formulas.drawing(("x", False)) is None
    qtbot.waitUntil(lambda: not formulas.busy, timeout=int(1000 * (20 * GIVE_UP_S)))
    refused, next_one = formulas.drawing(hostile), formulas.drawing(("x", False))
    assert refused is not None
    assert next_one is not None
    assert (refused.svg, bool(next_one.svg)) == ("", True)


def test_a_text_shows_sources_first_and_pictures_once_all_are_drawn(qtbot: QtBot, formulas: Formulas) -> None:
    text = RichText()
    qtbot.addWidget(text)
    text.set_html('<p>so <math d="0">a &lt; b</math> and <math d="1">x^2</math></p>')
    assert text.toPlainText() == "so $a < b$ and $$x^2$$"
    qtbot.waitUntil(lambda: not formulas.busy)
    assert text.toPlainText() == f"so {OBJECT} and {OBJECT}"
    assert text.renders == 2
    formulas.drawn.emit()
    assert text.renders == 2


def test_a_formula_that_is_refused_stays_as_its_source(qtbot: QtBot, formulas: Formulas) -> None:
    text = RichText()
    qtbot.addWidget(text)
    text.set_html(r'<p><math d="0">\frac{</math> and <math d="0">x</math></p>')
    qtbot.waitUntil(lambda: not formulas.busy)
    assert text.toPlainText() == rf"$\frac{{$ and {OBJECT}"


def test_a_wide_table_with_a_formula_begins_at_its_left(qtbot: QtBot, formulas: Formulas) -> None:
    text = RichText(wide=True)
    qtbot.addWidget(text)
    text.resize(300, 100)
    with qtbot.waitExposed(text):
        text.show()
    cells = "".join(f"<td>value{number}</td>" for number in range(20))
    text.set_html(f'<table><tr><td><math d="0">x</math></td>{cells}</tr></table>')
    qtbot.waitUntil(lambda: not formulas.busy)
    assert text.horizontalScrollBar().maximum() > 0
    assert text.horizontalScrollBar().value() == 0
