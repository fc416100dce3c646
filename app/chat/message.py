"""An answer: Markdown that streams, how it ended, and what can be done with it."""

from bisect import bisect_right

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QLabel, QWidget

from app.chat.answer_text import AnswerText
from app.chat.block_view import BlockView
from app.chat.message_widget import MessageWidget
from app.chat.notice import Notice
from app.chat.user_message import UserMessage
from app.speculation.figure_line import FigureLine
from engine.metrics import Stats

__all__ = ["AssistantMessage", "MessageWidget", "UserMessage"]


class AssistantMessage(MessageWidget):
    """Streams; afterwards offers what can be done with it. Copy gives the Markdown source."""

    again_asked = Signal(int)
    details_asked = Signal(int)
    tokens_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Answer"))
        self.streaming = True
        self.text = AnswerText(self)
        self.notice: Notice | None = None
        self.notice_above: Notice | None = None
        self._ready = self._last = False
        self._waiting = QLabel(self.tr("Thinking…"), self)
        self._waiting.setProperty("kind", "muted")
        self.again_button = self.row.add(self.tr("Try again"), self.tr("Answer once more"), self._again)
        self._add_branch()
        self._add_compare()
        self.tokens_button = self.row.add(
            self.tr("Tokens"), self.tr("Where each token came from"), self._tokens
        )
        self.figures_button = FigureLine(self.tr("How this answer was made"), self._details, self)
        self.row.push_left()
        self.row.hide()
        for widget in (self._waiting, self.text, self.figures_button, self.row):
            self._layout.addWidget(widget)

    @property
    def body(self) -> BlockView:
        """The answer itself, without what was thought before."""
        return self.text.body

    @property
    def source(self) -> str:
        return self.text.source

    def copied(self) -> str:
        return self.text.answer

    def append(self, text: str) -> None:
        if text:
            self._waiting.hide()
            self.text.append(text)

    def wait_for(self, what: str) -> None:
        self._waiting.setText(what)

    def finish(self, stats: Stats | None = None, thought_s: float | None = None) -> None:
        self.streaming = False
        self._waiting.hide()
        self.text.finish(thought_s)
        self.figures_button.show_stats(stats)
        self.copy_button.setEnabled(bool(self.text.answer))
        self.row.show()

    def say(self, notice: Notice) -> None:
        """One notice below the text: why it ended early, and what can be done."""
        if self.notice is not None:
            self.notice.deleteLater()
        self.notice = notice
        self._layout.insertWidget(self._layout.indexOf(self.row), notice)
        self._offer()

    def say_above(self, notice: Notice) -> None:
        """One notice above the text: what the model had to read."""
        if self.notice_above is not None:
            self.notice_above.deleteLater()
        self.notice_above = notice
        self._layout.insertWidget(0, notice)

    def offer(self, last: bool, ready: bool) -> None:
        super().offer(last, ready)
        self._last, self._ready = last, ready
        self._offer()

    def copy_hint(self) -> str:
        return self.tr("Copy the answer as Markdown")

    def part_at(self, y: int) -> QWidget:
        blocks = self.body.widgets
        first = bisect_right(blocks, y, key=lambda block: block.mapTo(self, QPoint(0, block.height())).y())
        return blocks[first] if first < len(blocks) else self

    def fit_to(self, width: int) -> None:
        """An answer takes the whole column."""
        self.text.expect_width(width)

    def in_use(self) -> bool:
        return self.streaming or self.text.has_selection()

    def restyle(self) -> None:
        self.text.restyle()

    def _offer(self) -> None:
        """What the notice offers is of the last answer only."""
        self._enable(self.again_button, self.again_button.accessibleName(), self._ready)
        button = self.notice.button if self.notice is not None else None
        if button is not None:
            button.setVisible(self._last)
            button.setEnabled(self._ready)

    def _again(self) -> None:
        if self.message_id is not None:
            self.again_asked.emit(self.message_id)

    def _tokens(self) -> None:
        if self.message_id is not None:
            self.tokens_asked.emit(self.message_id)

    def _details(self) -> None:
        if self.message_id is not None:
            self.details_asked.emit(self.message_id)
