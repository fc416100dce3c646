"""One line of a long text around what was searched for in it."""

import re
from collections.abc import Sequence

BEFORE = 24  # characters that are shown before the first word
LENGTH = 120


def snippet_of(text: str, words: Sequence[str]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The line, and where the words stand in it; without such a place (its case folds to other letters) the
    beginning of the text."""
    pattern = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    first = re.search(pattern, text, re.IGNORECASE)
    start = _word_start(text, max(0, first.start() - BEFORE)) if first else 0
    line = _plain(text[start : start + LENGTH], words)
    line = ("…" if start else "") + line + ("…" if start + LENGTH < len(text) else "")
    return line, marks_in(line, words)


def marks_in(line: str, words: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """(start, end) of every place of a word, in order."""
    pattern = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return tuple(found.span() for found in re.finditer(pattern, line, re.IGNORECASE)) if pattern else ()


def _plain(text: str, words: Sequence[str]) -> str:
    """In one line, without Markdown's signs unless they are looked for."""
    if not any(sign in word for word in words for sign in "*`#"):
        text = re.sub(r"\*\*|`+|^#+ +", "", text, flags=re.MULTILINE)
    return " ".join(text.split())


def _word_start(text: str, at: int) -> int:
    """The next beginning of a word, when one is near; Chinese has none."""
    space = text.find(" ", at, at + BEFORE // 2) if at else -1
    return space + 1 if space >= 0 else at
