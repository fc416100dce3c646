"""The Markdown that answers are written in: CommonMark, tables, strikethrough, task lists, formulas.

Raw HTML is text. A footnote's label and its note stay as they are written: CommonMark alone would take the note for
the address of a link, and hide it. Pictures are links: one on this computer asks before it is shown, any other is
never loaded.
"""

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock, reference
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from app.chat.math_rules import add_math, formula_html

PICTURE = "picture:"  # the scheme of a link that shows a picture of this computer
_TASK = re.compile(r"\[([ xX])\](?=\s)\s*")
_LOCAL = re.compile(r"file:///|/(?!/)|[A-Za-z]:[\\/]")  # a host's name is not local
_BAD_SCHEMES = re.compile(r"\s*(javascript|vbscript|data|file):", re.IGNORECASE)


class _Renderer(RendererHTML):
    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        token = tokens[idx]
        source = str(token.attrs.get("src", ""))
        alt = self.renderInlineAsText(token.children or [], options, env) or "picture"
        target = PICTURE + source if _LOCAL.match(source) else source
        return f'<a href="{escape(target)}">[{escape(alt)}]</a>'

    def math(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return formula_html(tokens[idx].content, bool(tokens[idx].meta["display"]))

    def math_block(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return f'<p align="center">{formula_html(tokens[idx].content, True)}</p>'

    def link_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """A file's address may stand in a picture, never in a link."""
        if _BAD_SCHEMES.match(str(tokens[idx].attrs.get("href", ""))):
            tokens[idx].attrs.pop("href")
        return self.renderToken(tokens, idx, options, env)


def make_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer)
    parser.enable(["table", "strikethrough"])
    accepts = parser.validateLink
    parser.validateLink = lambda url: accepts(url) or url.startswith("file:///")  # type: ignore[method-assign]
    parser.block.ruler.at("reference", _reference)
    parser.core.ruler.after("inline", "tasks", _tasks)
    add_math(parser)
    return parser


def _reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    first = state.bMarks[start] + state.tShift[start]
    return not state.src.startswith("[^", first) and reference(state, start, end, silent)


def _tasks(state: StateCore) -> None:
    """Items that begin with [ ] or [x] get the box that Qt draws for these classes."""
    for item, paragraph, inline in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        if item.type != "list_item_open" or paragraph.type != "paragraph_open" or not inline.children:
            continue
        text = inline.children[0]
        match = _TASK.match(text.content) if text.type == "text" else None
        if match:
            item.attrs["class"] = "unchecked" if match[1] == " " else "checked"
            text.content = text.content[match.end() :]
