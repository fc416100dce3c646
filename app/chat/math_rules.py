r"""Formulas in Markdown: $...$ and \(...\) in a line, $$...$$ and \[...\] on display.

The source of a formula is not Markdown: no emphasis, no escapes. An opening without its close is text, which is what a
formula is while it streams. Sums of money are no formulas: the rules for a lone $ are Pandoc's
(extension tex_math_dollars) and two more.
"""

import re
from html import escape

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

LONGEST = 4000  # characters between the delimiters: beyond that it is text
_CLOSERS = {"$$": "$$", r"\[": r"\]", r"\(": r"\)"}
_DOLLAR = re.compile(r"\$(?!\s)((?:[^$\\`]|\\.)+?)(?<!\s)\$(?![0-9A-Za-z])", re.DOTALL)
_FORMULA_SIGNS = set("\\^_={}+<>|")


def add_math(parser: MarkdownIt) -> None:
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("fence", "math_block", _block, interrupts)
    parser.inline.ruler.before("escape", "math", _inline)


def formula_html(tex: str, display: bool) -> str:
    """What stands for a formula in a block's HTML; `app.chat.formula_text` puts its picture there."""
    return f'<math d="{int(display)}">{escape(tex, quote=False)}</math>'


def _inline(state: StateInline, silent: bool) -> bool:
    found = _delimited(state.src, state.pos) or _dollars(state.src, state.pos)
    if found is None or found[1] > state.posMax:
        return False
    tex, end, display = found
    if not silent:
        token = state.push("math", "math", 0)
        token.content, token.meta = tex, {"display": display}
    state.pos = end
    return True


def _delimited(text: str, start: int) -> tuple[str, int, bool] | None:
    opener = text[start : start + 2]
    if opener not in _CLOSERS:
        return None
    end = text.find(_CLOSERS[opener], start + 2, start + 4 + LONGEST)
    tex = text[start + 2 : end].strip()
    return (tex, end + 2, opener != r"\(") if end > 0 and tex else None


def _dollars(text: str, start: int) -> tuple[str, int, bool] | None:
    if text[start] != "$" or (start and (text[start - 1].isalnum() or text[start - 1] == "$")):
        return None
    match = _DOLLAR.match(text, start, start + LONGEST)
    if match is None or _is_money(match[1]):
        return None
    return match[1], match.end(), False


def _is_money(content: str) -> bool:
    """Two sums, as in "$5, not 3$": begins with a digit, holds words, and no sign that only a formula has."""
    return content[0].isdigit() and " " in content and not _FORMULA_SIGNS & set(content)


def _block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    r"""From a line that begins with $$ or \[ to its close; without one, a paragraph up to the next empty line."""
    opener = state.src[state.bMarks[start] + state.tShift[start] :][:2]
    if state.is_code_block(start) or opener not in ("$$", r"\["):
        return False
    if silent:
        return True
    line, closed = start, False
    while line < end and not closed and not state.isEmpty(line) and state.sCount[line] >= state.blkIndent:
        text = _line(state, line)[2 if line == start else 0 :].rstrip()
        closed = text.endswith(_CLOSERS[opener])
        line += 1
    source = state.getLines(start, line, state.blkIndent, False).strip()
    state.line = line
    if closed and source[2:-2].strip() and len(source) < LONGEST:
        token = state.push("math_block", "math", 0)
        token.content, token.block, token.map = source[2:-2].strip(), True, [start, line]
    else:
        _paragraph(state, source, [start, line])
    return True


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _paragraph(state: StateBlock, content: str, lines: list[int]) -> None:
    state.push("paragraph_open", "p", 1).map = lines
    inline = state.push("inline", "", 0)
    inline.content, inline.map, inline.children = content, lines, []
    state.push("paragraph_close", "p", -1)
