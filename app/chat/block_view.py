"""The widgets of one Markdown text: one a block, kept while the text streams."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.chat.code_block import CodeBlock
from app.chat.markdown import Block, Kind, MarkdownStream
from app.chat.rich_text import RichText
from app.theme import SPACE_M, SPACE_S

GAP = {
    Kind.HEADING: SPACE_M + 6,
    Kind.CODE: SPACE_M,
    Kind.TABLE: SPACE_M,
    Kind.QUOTE: SPACE_M,
    Kind.RULE: SPACE_M,
}
CONTINUED_GAP = 4


class QuoteBlock(QFrame):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("quoteBlock")
        self.text = RichText(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE_M, 2, 0, 2)
        layout.addWidget(self.text)

    @property
    def renders(self) -> int:
        return self.text.renders


class Rule(QFrame):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.HLine)
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
        self._kinds: list[Kind] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._layout.setAlignment(Qt.AlignmentFlag.AlignTop)

    @property
    def widgets(self) -> list[BlockWidget]:
        return list(self._widgets)

    def append(self, text: str) -> None:
        self.source += text
        self._stream.feed(text)
        self._show()

    def finish(self) -> None:
        self._stream.finish()
        self._show()

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
        if index < len(self._kinds) and self._kinds[index] is not block.kind:
            self._drop_from(index)
        if index == len(self._widgets):
            self._add(block)
        widget = self._widgets[index]
        if isinstance(widget, CodeBlock):
            widget.show_block(block)
        elif isinstance(widget, QuoteBlock):
            widget.text.set_html(block.content)
        elif isinstance(widget, RichText):
            widget.set_html(block.content)

    def _add(self, block: Block) -> None:
        widget = _widget_for(block.kind, self)
        if self._widgets:
            gap = CONTINUED_GAP if block.continues else GAP.get(block.kind, SPACE_S + 2)
            self._layout.addSpacing(gap)
        self._layout.addWidget(widget)
        self._widgets.append(widget)
        self._kinds.append(block.kind)

    def _drop_from(self, index: int) -> None:
        while len(self._widgets) > index:
            widget = self._widgets.pop()
            self._kinds.pop()
            self._layout.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
            if self._widgets:
                self._layout.takeAt(self._layout.count() - 1)  # its gap


def _widget_for(kind: Kind, parent: QWidget) -> BlockWidget:
    if kind is Kind.CODE:
        return CodeBlock(parent)
    if kind is Kind.QUOTE:
        return QuoteBlock(parent)
    if kind is Kind.RULE:
        return Rule(parent)
    return RichText(parent)
