"""The widgets of one Markdown text: one a block, kept while the text streams."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.chat.code_block import CodeBlock, CodeText
from app.chat.markdown import Block, Kind, MarkdownStream
from app.chat.rich_text import RichText
from app.chat.selected_part import part_of
from app.theme import SPACE_M, SPACE_S, SPACE_XL

WIDE_GAP = SPACE_M + 2  # above and below code, tables, quotes and rules
ABOVE = {Kind.TEXT: SPACE_S + 2, Kind.HEADING: SPACE_M + 6}
BELOW = {Kind.TEXT: SPACE_S + 2, Kind.HEADING: SPACE_S + 2}
CONTINUED_GAP = 4
QUOTE_INSET = SPACE_M + 3  # with its line


class QuoteBlock(QFrame):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("quoteBlock")
        self.text = RichText(self)
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(SPACE_M, 2, 0, 2)
        self._layout.addWidget(self.text)

    def set_html(self, html: str) -> None:
        """Its line stands where its text begins to be read."""
        self.text.set_html(html)
        mirrored = self.text.document().firstBlock().textDirection() is Qt.LayoutDirection.RightToLeft
        if mirrored != bool(self.property("mirrored")):
            self.setProperty("mirrored", mirrored)
            left, right = (0, SPACE_M) if mirrored else (SPACE_M, 0)
            self._layout.setContentsMargins(left, 2, right, 2)
            self.style().polish(self)

    @property
    def renders(self) -> int:
        return self.text.renders


class Rule(QFrame):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rule")
        self.setFixedHeight(1)
        self.renders = 1


BlockWidget = RichText | CodeBlock | QuoteBlock | Rule


class BlockView(QWidget):
    """Shows Markdown as it arrives. Finished blocks are shown once; `renders` of each counts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.source = ""
        self._stream = MarkdownStream()
        self._settled = 0  # blocks that have their final look
        self._widgets: list[BlockWidget] = []
        self._holders: list[QWidget] = []  # what the layout holds: the widget, or what indents it
        self._shapes: list[tuple[Kind, int]] = []  # kind and indent
        self._blocks: list[Block] = []
        self._expected_width = 0
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._layout.setAlignment(Qt.AlignmentFlag.AlignTop)

    @property
    def widgets(self) -> list[BlockWidget]:
        return list(self._widgets)

    def expect_width(self, width: int) -> None:
        """Of blocks that are not laid out yet."""
        self._expected_width = width

    def append(self, text: str) -> None:
        self.source += text
        self._stream.feed(text)
        self._show()

    def finish(self) -> None:
        self._stream.finish()
        self._show()

    def texts(self) -> list[RichText | CodeText]:
        """The widgets that hold the text, in its order."""
        return [text for text in map(_text_of, self._widgets) if text is not None]

    def placed(self) -> list[tuple[Block, RichText | CodeText]]:
        """The blocks that hold text, each with the widget that shows it."""
        pairs = zip(self._blocks, map(_text_of, self._widgets), strict=True)
        return [(block, text) for block, text in pairs if text is not None]

    def selected_source(self) -> str:
        """Markdown: blocks that are selected as a whole to the letter, of the first and last perhaps a part."""
        chosen = [
            (block, text)
            for block, text in zip(self._blocks, map(_text_of, self._widgets), strict=True)
            if text is not None and text.textCursor().hasSelection()
        ]
        if len(chosen) == 1:
            return part_of(*chosen[0], self._plain, alone=True)
        if not chosen:
            return ""
        (first, first_text), (last, last_text) = chosen[0], chosen[-1]
        head = part_of(first, first_text, self._plain)
        tail = part_of(last, last_text, self._plain)
        gap = self._plain[len(self._plain[: first.end].rstrip()) : first.end]
        return f"{head}{gap}{self._plain[first.end : last.start]}{tail}"

    @property
    def _plain(self) -> str:
        return self.source.replace("\r", "")

    def has_selection(self) -> bool:
        return any(text.textCursor().hasSelection() for text in self.texts())

    def restyle(self) -> None:
        for widget in self._widgets:
            if isinstance(widget, QuoteBlock):
                widget.text.restyle()
            elif not isinstance(widget, Rule):
                widget.restyle()

    def _show(self) -> None:
        finished = self._stream.finished
        for index in range(self._settled, len(finished)):
            self._place(index, finished[index])
        self._settled = len(finished)
        for offset, block in enumerate(self._stream.tail):
            self._place(self._settled + offset, block)
        self._drop_from(self._settled + len(self._stream.tail))

    def _place(self, index: int, block: Block) -> None:
        if index < len(self._shapes) and self._shapes[index] != (block.kind, block.indent):
            self._drop_from(index)
        if index == len(self._widgets):
            self._add(block)
        self._blocks[index] = block
        widget = self._widgets[index]
        if isinstance(widget, CodeBlock):
            widget.show_block(block)
        elif isinstance(widget, QuoteBlock | RichText):
            widget.set_html(block.content)

    def _add(self, block: Block) -> None:
        widget = _widget_for(block.kind, self)
        if self._widgets:
            self._layout.addSpacing(_gap(self._shapes[-1][0], block))
        holder = _indented(widget, block.indent)
        self._layout.addWidget(holder)
        self._holders.append(holder)
        text = _text_of(widget)
        if isinstance(text, RichText):
            inset = QUOTE_INSET if isinstance(widget, QuoteBlock) else 0
            text.expect_width(self._expected_width - block.indent * SPACE_XL - inset)
        self._widgets.append(widget)
        self._shapes.append((block.kind, block.indent))
        self._blocks.append(block)

    def _drop_from(self, index: int) -> None:
        while len(self._widgets) > index:
            self._widgets.pop()
            self._shapes.pop()
            self._blocks.pop()
            holder = self._holders.pop()
            holder.hide()
            holder.deleteLater()
            self._layout.takeAt(self._layout.count() - 1)
            if self._widgets:
                self._layout.takeAt(self._layout.count() - 1)  # its gap


def _text_of(widget: BlockWidget) -> RichText | CodeText | None:
    if isinstance(widget, RichText):
        return widget
    return None if isinstance(widget, Rule) else widget.text


def _indented(widget: BlockWidget, indent: int) -> QWidget:
    if not indent:
        return widget
    holder = QWidget(widget.parentWidget())
    row = QHBoxLayout(holder)
    row.setContentsMargins(indent * SPACE_XL, 0, 0, 0)
    row.addWidget(widget)
    return holder


def _gap(above: Kind, block: Block) -> int:
    if block.continues:
        return CONTINUED_GAP
    return max(BELOW.get(above, WIDE_GAP), ABOVE.get(block.kind, WIDE_GAP))


def _widget_for(kind: Kind, parent: QWidget) -> BlockWidget:
    if kind is Kind.CODE:
        return CodeBlock(parent)
    if kind is Kind.QUOTE:
        return QuoteBlock(parent)
    if kind is Kind.RULE:
        return Rule(parent)
    return RichText(parent, wide=kind in (Kind.TABLE, Kind.MATH))
