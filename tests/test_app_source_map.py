"""A selection's Markdown is found from what is on the screen."""

import pytest

from app.chat.source_map import FORMULA, SourceMap

TEXT = "Some **bold words** and `code`, a [link](https://example.org/and/code) and *this* end."
SHOWN = "Some bold words and code, a link and this end."


@pytest.mark.parametrize(
    ("selected", "source"),
    [
        (SHOWN, TEXT[: len(TEXT)]),
        ("Some", "Some"),
        ("bold", "bold"),
        ("bold words", "bold words"),
        ("words and", "**words** and"),
        ("Some bold", "Some **bold**"),
        ("words and code, a li", "**words** and `code`, a [li](https://example.org/and/code)"),
        ("nk and this", "[nk](https://example.org/and/code) and *this*"),
        ("code", "code"),
        ("end.", "end."),
    ],
)
def test_a_selection_gives_its_markdown(selected: str, source: str) -> None:
    start = SHOWN.index(selected)
    assert SourceMap(SHOWN, TEXT, []).slice(start, start + len(selected)) == source


def test_list_items_keep_their_markers_between_them() -> None:
    source = "1. one `x`\n2. two\n   - three\n"
    shown = "one x\u2029two\u2029three"
    mapped = SourceMap(shown, source, [])
    assert mapped.slice(0, len(shown)) == "one `x`\n2. two\n   - three"
    assert mapped.slice(shown.index("two"), len(shown)) == "two\n   - three"
    assert mapped.slice(0, shown.index("two") + 2, with_ends=True) == "1. one `x`\n2. tw"


def test_formulas_come_with_their_delimiters() -> None:
    source = r"so $a_1$ and \(b\) or $$c$$."
    shown = f"so {FORMULA} and {FORMULA} or {FORMULA}."
    mapped = SourceMap(shown, source, ["a_1", "b", "c"])
    assert mapped.slice(3, 4) == "$a_1$"
    assert mapped.slice(3, len(shown)) == r"$a_1$ and \(b\) or $$c$$."


def test_entities_and_escapes_are_passed_over() -> None:
    mapped = SourceMap("a & b * c", r"a &amp; b \* c", [])
    assert mapped.slice(0, 9) == r"a &amp; b \* c"


def test_what_is_not_in_the_source_gives_nothing() -> None:
    assert SourceMap("elsewhere", "text", []).slice(0, 9) == ""


def test_a_table_gives_its_rows() -> None:
    source = "| a | b |\n|---|---|\n| one | two |\n"
    shown = "a\u2029b\u2029one\u2029two"
    assert SourceMap(shown, source, []).slice(0, len(shown)) == "a | b |\n|---|---|\n| one | two"
