"""The streamed blocks equal the blocks of the whole text, and finished ones stay as they were."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.chat.markdown import SPLIT_PARAGRAPH_CHARS, Kind, MarkdownStream, parse

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
    ]
)


def stream(chunks: list[str]) -> MarkdownStream:
    result = MarkdownStream()
    for chunk in chunks:
        result.feed(chunk)
    result.finish()
    return result


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
    assert [(b.kind, b.content) for b in streamed] == [(b.kind, b.content) for b in parse(text)]


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
