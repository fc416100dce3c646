"""Tokens in lines: nothing lost, nothing out of its place."""

from hypothesis import given
from hypothesis import strategies as st

from app.speculation.token_layout import HANG, LINE_BREAK, TAB, TokenLayout

PIECES = st.sampled_from(
    [" the", " under", "standing", "\n", "\n\n", "x", " ", "    ", "\t", ".", "字", "a\nb", ""]
)
TEXTS = st.lists(PIECES | st.text(max_size=12), max_size=80)


def laid_out(texts: list[str], width: float) -> TokenLayout:
    layout = TokenLayout(lambda text: 10.0 * len(text), width)
    for text in texts:
        layout.add(text)
    return layout


@given(texts=TEXTS, width=st.integers(1, 400))
def test_every_token_is_drawn_once_and_whole(texts: list[str], width: int) -> None:
    layout = laid_out(texts, width)
    for number, text in enumerate(texts):
        signs = {LINE_BREAK: "\n", TAB: "\t"}
        drawn = "".join(signs[run.text] if run.mark else run.text for run in layout.runs_of(number))
        assert drawn == text
        assert all(run.token == number for run in layout.runs_of(number))


@given(texts=TEXTS, width=st.integers(60, 400))
def test_lines_are_whole_and_inside_the_width(texts: list[str], width: int) -> None:
    layout = laid_out(texts, width)
    lines = [layout.line(number) for number in range(len(layout.starts))]
    assert [run for line in lines for run in line] == layout.runs
    for line in lines:
        x = 0.0
        for run in line:
            assert run.x == x
            x += run.width
            if not run.mark and run.text.strip(" "):
                assert x <= max(width - HANG * 10.0, 10.0)


@given(texts=TEXTS, width=st.integers(60, 400))
def test_what_is_drawn_at_a_place_is_found_there(texts: list[str], width: int) -> None:
    layout = laid_out(texts, width)
    for number in range(layout.count):
        line = layout.first_line_of(number)
        run = layout.runs_of(number)[0]
        if run.width:
            assert layout.token_at(line, run.x + run.width / 2) == number
        else:
            assert layout.token_at(line, run.x, nearest=True) is not None


@given(texts=TEXTS, more=TEXTS, width=st.integers(60, 400))
def test_growing_never_moves_a_finished_line(texts: list[str], more: list[str], width: int) -> None:
    layout = laid_out(texts, width)
    before = [list(map(repr, layout.line(number))) for number in range(len(layout.starts) - 1)]
    for text in more:
        layout.add(text)
    assert [list(map(repr, layout.line(number))) for number in range(len(before))] == before


def lines_of(texts: list[str], width: float) -> list[str]:
    layout = laid_out(texts, width)
    return ["".join(run.text for run in layout.line(number)) for number in range(len(layout.starts))]


def test_a_word_of_several_tokens_moves_to_the_next_line_as_a_whole() -> None:
    assert lines_of(["Some text", " under", "stand", "ing", " it"], 190) == ["Some text ", "understanding it"]


def test_a_word_longer_than_a_line_is_broken() -> None:
    assert lines_of(["An", " under", "stand", "ing"], 120) == ["An ", "understand", "ing"]
