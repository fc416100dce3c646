"""The text of an answer as it streams: the reasoning in a block that opens, the rest as Markdown."""

from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.chat.block_view import BlockView
from app.chat.reasoning import CLOSE, ReasoningSplitter, opened_before
from app.chat.reasoning_block import ReasoningBlock
from app.theme import SPACE_M


class AnswerText(QWidget):
    """`source` is all that came, `answer` what a reader is to have: without the reasoning."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source = ""
        self.thoughts: ReasoningBlock | None = None
        self.body = BlockView(self)
        self._splitter = ReasoningSplitter()
        self._width = 0
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(SPACE_M)
        self._layout.addWidget(self.body)

    @property
    def answer(self) -> str:
        return self.body.source.lstrip("\n") if self.thoughts is not None else self.body.source

    def append(self, text: str) -> None:
        before, self.source = self.source, self.source + text
        closes = CLOSE in before[-len(CLOSE) :] + text
        if closes and not self._splitter.thinking and self.thoughts is None and opened_before(self.source):
            self._begin_again()
            text = self.source
        self._take(text)

    def finish(self, thought_s: float | None = None) -> None:
        """`thought_s`: how long it was reasoning, when that was not seen here."""
        if self.thoughts is not None and thought_s is not None:
            self.thoughts.told(thought_s)
        for part in self._splitter.finish():
            self._show(part.text, part.is_reasoning)
        if self.thoughts is not None:
            self.thoughts.finish()
        self.body.finish()

    def expect_width(self, width: int) -> None:
        self._width = width
        self.body.expect_width(width)
        if self.thoughts is not None:
            self.thoughts.expect_width(width)

    def views(self) -> list[BlockView]:
        """The laid out texts, in their order."""
        thoughts = self.thoughts.body if self.thoughts is not None and self.thoughts.is_open else None
        return [self.body] if thoughts is None else [thoughts, self.body]

    def has_selection(self) -> bool:
        return any(view.has_selection() for view in self.views())

    def restyle(self) -> None:
        self.body.restyle()
        if self.thoughts is not None:
            self.thoughts.restyle()

    def _take(self, text: str) -> None:
        for part in self._splitter.feed(text):
            self._show(part.text, part.is_reasoning)
        if self.thoughts is not None and not self._splitter.thinking:
            self.thoughts.finish()

    def _show(self, text: str, is_reasoning: bool) -> None:
        if not is_reasoning:
            self.body.append(text)
        elif self.thoughts is not None:
            self.thoughts.append(text)
        elif text.strip():
            self.thoughts = ReasoningBlock(self)
            self.thoughts.expect_width(self._width)
            self._layout.insertWidget(0, self.thoughts)
            self.thoughts.append(text.lstrip())

    def _begin_again(self) -> None:
        """What was shown as the answer turns out to have been the reasoning, which the prompt had opened."""
        self._splitter = ReasoningSplitter(open_at_start=True)
        self._layout.removeWidget(self.body)
        self.body.hide()
        self.body.deleteLater()
        self.body = BlockView(self)
        self.body.expect_width(self._width)
        self._layout.addWidget(self.body)
