"""The Markdown of what is selected in one block."""

from app.chat.code_block import CodeText
from app.chat.markdown import Block
from app.chat.rich_text import RichText
from app.chat.selectable import CODE_POINTS, selected_span, shown
from app.chat.source_map import SourceMap


def part_of(block: Block, text: RichText | CodeText, source: str, alone: bool = False) -> str:
    """`source`: of the whole view. `alone`: nothing else is selected, so code comes without its fence."""
    start, end = selected_span(text)
    letters = shown(text)
    own = source[block.start : block.end].rstrip()
    if isinstance(text, CodeText):
        whole = (start, end) == (0, len(letters))
        code = letters[start:end].translate(CODE_POINTS)
        return code if alone else own if whole else f"```{block.language}\n{code}\n```"
    if (start, end) == (0, len(letters)):
        return own.lstrip("\n")
    return SourceMap(letters, own, text.formulas).slice(start, end, with_ends=not alone)
