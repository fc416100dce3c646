"""The streamed blocks equal the blocks of the whole text, and finished ones stay as they were."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.chat.markdown import SPLIT_PARAGRAPH_CHARS, Block, Kind, MarkdownStream, parse

SAMPLE = """# Title with *stress*

A paragraph with `code`,
over two lines.

Set as heading
---

1. one

2. two
   - nested
3. three

> quoted
> twice

| a | b |
|---|:-:|
| 1 | 2 |

```python
def f():
    return "``"
```
after

- [ ] to do
- [x] done

$$
x_1 + y_1
$$
so $a_1$ it is.

~~~
still open
"""
PIECES = st.sampled_from(
    [
        "word ",
        "\n",
        "\n\n",
        "# ",
        "- ",
        "1. ",
        "> ",
        "```",
        "```\n",
        "    ",
        "|",
        "---\n",
        "*",
        "`",
        "<b>",
        "~~~\n",
        "1. one\n   ```py\n   x = 1\n",
        "   ```\n",
        "   more\n",
        "$$",
        "$x_1$ ",
        "\\[",
        "\\]\n",
        "[ ] ",
        "[^1]: ",
    ]
)


def stream(chunks: list[str]) -> MarkdownStream:
    result = MarkdownStream()
    for chunk in chunks:
        result.feed(chunk)
    result.finish()
    return result


def placed(block: Block, text: str) -> tuple[Kind, str, str]:
    return block.kind, block.content, text[block.start : block.end].rstrip()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 9), min_size=1))
def test_any_chunking_gives_the_blocks_of_the_whole(sizes: list[int]) -> None:
    chunks, start = [], 0
    while start < len(SAMPLE):
        size = sizes[len(chunks) % len(sizes)]
        chunks.append(SAMPLE[start : start + size])
        start += size
    assert [b.content for b in stream(chunks).finished] == [b.content for b in parse(SAMPLE)]


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, max_size=30))
def test_any_text_streamed_by_characters_equals_the_whole(pieces: list[str]) -> None:
    text = "".join(pieces)
    streamed = stream(list(text)).finished
    assert [placed(b, text) for b in streamed] == [placed(b, text) for b in parse(text)]


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, max_size=30))
def test_a_finished_block_never_changes(pieces: list[str]) -> None:
    markdown = MarkdownStream()
    for piece in pieces:
        before = list(markdown.finished)
        markdown.feed(piece)
        assert markdown.finished[: len(before)] == before


def test_raw_html_is_text_and_a_picture_is_a_link() -> None:
    [block] = parse('<img src="http://x.test/a.png"> ![cat](http://x.test/b.png)')
    assert "<img" not in block.content
    assert '<a href="http://x.test/b.png">[cat]</a>' in block.content


@pytest.mark.parametrize("target", ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x"])
def test_a_dangerous_target_makes_no_link(target: str) -> None:
    assert "href" not in parse(f"[click]({target})")[0].content


def test_a_line_that_may_close_the_fence_is_held_back() -> None:
    markdown = MarkdownStream()
    markdown.feed("```py\nx = 1\n``")
    assert [(b.kind, b.content, b.closed) for b in markdown.tail] == [(Kind.CODE, "x = 1\n", False)]
    markdown.feed("`\nafter")
    assert [(b.kind, b.closed) for b in markdown.finished] == [(Kind.CODE, True)]


def test_a_long_list_is_finished_item_by_item_and_keeps_its_numbers() -> None:
    text = "".join(f"1. item {n} with a few words\n" for n in range(1, 201))
    markdown = stream([text[i : i + 7] for i in range(0, len(text), 7)])
    starts = [b.content.partition("\n")[0] for b in markdown.finished]
    items = sum(b.content.count("<li>") for b in markdown.finished)
    assert items == 200
    assert len(starts) > 2
    number = 1
    for block in markdown.finished:
        assert f"item {number} " in block.content
        assert number == 1 or block.content.startswith(f'<ol start="{number}">')
        number += block.content.count("<li>")


def test_a_paragraph_without_end_is_broken_and_loses_nothing() -> None:
    text = "word " * (SPLIT_PARAGRAPH_CHARS // 2)
    markdown = stream([text[i : i + 50] for i in range(0, len(text), 50)])
    assert len(markdown.finished) == 3
    assert sum(b.content.count("word") for b in markdown.finished) == SPLIT_PARAGRAPH_CHARS // 2


LIST_WITH_CODE = """1. First:

   ```python
   a = 1
   ```

   Then this.
2. Second
   - deeper
     ```
     b
     ```
   - and on
3. Third
"""


def test_code_inside_a_list_is_a_block_of_its_own() -> None:
    blocks = parse(LIST_WITH_CODE)
    assert [(b.kind, b.indent, b.language) for b in blocks] == [
        (Kind.TEXT, 0, ""),
        (Kind.CODE, 1, "python"),
        (Kind.TEXT, 1, ""),
        (Kind.TEXT, 0, ""),
        (Kind.CODE, 2, ""),
        (Kind.TEXT, 1, ""),
        (Kind.TEXT, 0, ""),
    ]
    assert [b.content for b in blocks if b.kind is Kind.CODE] == ["a = 1\n", "b\n"]
    assert blocks[2].content == "<p>Then this.</p>"
    assert [b.content.partition("\n")[0] for b in blocks if b.content.startswith("<ol")] == [
        "<ol>",
        '<ol start="2">',
        '<ol start="3">',
    ]


def test_every_part_of_a_list_with_code_is_whole() -> None:
    for block in parse(LIST_WITH_CODE):
        if block.kind is Kind.TEXT:
            for tag in ("ol", "ul", "li", "p"):
                assert len(re.findall(f"<{tag}[ >]", block.content)) == block.content.count(f"</{tag}>")


def test_code_inside_a_list_is_open_until_its_fence_closes() -> None:
    markdown = MarkdownStream()
    markdown.feed("1. one\n   ```py\n   x = 1\n")
    assert [(b.kind, b.closed) for b in markdown.tail] == [(Kind.TEXT, True), (Kind.CODE, False)]
    markdown.feed("   ```\n")
    assert [(b.kind, b.closed) for b in markdown.tail] == [(Kind.TEXT, True), (Kind.CODE, True)]


def test_each_block_knows_its_source() -> None:
    blocks = parse(SAMPLE)
    assert blocks[0].start == 0
    assert blocks[-1].end == len(SAMPLE)
    assert all(above.end == below.start for above, below in pairwise(blocks))
    [code] = [b for b in blocks if b.language == "python"]
    assert SAMPLE[code.start : code.end].strip() == '```python\ndef f():\n    return "``"\n```'


def test_parts_of_a_list_know_their_source() -> None:
    sources = [LIST_WITH_CODE[b.start : b.end] for b in parse(LIST_WITH_CODE)]
    assert "".join(sources) == LIST_WITH_CODE
    assert sources[2] == "   Then this.\n"
    assert sources[5].strip() == "- and on"


def test_split_blocks_still_cover_the_text() -> None:
    text = "word " * (SPLIT_PARAGRAPH_CHARS // 2) + "\n\n" + "1. item with a few words\n" * 200
    finished = stream([text[i : i + 50] for i in range(0, len(text), 50)]).finished
    assert "".join(text[b.start : b.end] for b in finished) == text


def test_tasks_get_a_box() -> None:
    [block] = parse("- [ ] to do\n- [x] **done**\n- [z] no task\n- [ ]")
    assert '<li class="unchecked">to do</li>' in block.content
    assert '<li class="checked"><strong>done</strong></li>' in block.content
    assert "<li>[z] no task</li>" in block.content
    assert "<li>[ ]</li>" in block.content


def test_a_footnote_stays_as_it_is_written() -> None:
    label, note = parse("As said.[^1]\n\n[^1]: see https://example.org/x")
    assert label.content == "<p>As said.[^1]</p>"
    assert note.content.startswith("<p>[^1]: see")


@pytest.mark.parametrize("text", ["$x_1$", r"\(x_1\)", "so $x_1$.", "**$x_1$**"])
def test_a_formula_in_a_line(text: str) -> None:
    assert '<math d="0">x_1</math>' in parse(text)[0].content


@pytest.mark.parametrize("text", ["$$x_1$$", r"\[x_1\]", "$$\nx_1\n$$", "so\n\\[\nx_1\n\\]\nand"])
def test_a_formula_on_display(text: str) -> None:
    [block] = [b for b in parse(text) if b.kind is Kind.MATH]
    assert block.content == '<p align="center"><math d="1">x_1</math></p>'


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $10.",
        "From $5-$10 or US$5 and CA$7",
        "I have $5, not 3$ or so",
        r"\$x\$",
        "`$x$`",
        "a $ b $ c",
        "$$\nx\n\ny\n$$",
        "unfinished $x",
        "$$\nunfinished",
        r"\[ unfinished",
        "$$$$",
    ],
)
def test_what_is_no_formula_is_text(text: str) -> None:
    assert all("<math" not in block.content for block in parse(text))


def test_a_picture_of_this_computer_asks_first() -> None:
    [block] = parse("![cat](file:///home/me/cat.png) ![dog](/tmp/dog.png) ![x](//host/x.png)")
    assert '<a href="picture:file:///home/me/cat.png">[cat]</a>' in block.content
    assert '<a href="picture:/tmp/dog.png">[dog]</a>' in block.content
    assert '<a href="//host/x.png">[x]</a>' in block.content
