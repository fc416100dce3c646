"""The words of a message as they are shown, from its Markdown alone: what is searched before it has a widget."""

import re
from html import unescape

from app.chat.markdown import Block, Kind, parse
from app.chat.reasoning import split

_FORMULA = re.compile(r"<math.*?</math>", re.DOTALL)
_BREAK = re.compile(r"<br\s*/?>|</(?:p|li|td|th|h\d)>")
_TAG = re.compile(r"<[^>]*>")


def shown_words(source: str, is_plain: bool) -> tuple[list[str], list[str]]:
    """Of the reasoning and of the rest, one a block. `is_plain`: the source is no Markdown."""
    if is_plain:
        return [], [source]
    reasoning, answer = split(source)
    return [_words(block) for block in parse(reasoning)], [_words(block) for block in parse(answer)]


def count(words: list[str], wanted: str) -> int:
    """Without regard to case; nothing is found across two lines or blocks."""
    folded = wanted.casefold()
    return sum(line.casefold().count(folded) for text in words for line in text.split("\n"))


def _words(block: Block) -> str:
    if block.kind is Kind.CODE:
        return block.content
    html = _FORMULA.sub("\ufffc", block.content).replace("\n", " ")
    return unescape(_TAG.sub("", _BREAK.sub("\n", html)))
