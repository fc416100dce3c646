"""One message: the user's words in a bubble, the model's as Markdown with its actions below."""

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.chat.block_view import BlockView
from app.chat.notice import Notice
from app.chat.rich_text import RichText
from app.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL
from engine.metrics import Stats

WIDEST = 0.75  # of the column: the user's bubble
NARROWEST = 24  # pixels
COPIED_MS = 1500


class UserMessage(QWidget):
    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source = text
        self.setAccessibleName("You")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        bubble = QFrame(self)
        bubble.setObjectName("userBubble")
        self._text = RichText(bubble)
        self._text.setAccessibleName("Your message")
        inner = QVBoxLayout(bubble)
        inner.setContentsMargins(SPACE_M + 2, SPACE_S + 1, SPACE_M + 2, SPACE_S + 1)
        inner.addWidget(self._text)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE_XL * 2, 0, 0, 0)
        layout.addStretch(1)
        layout.addWidget(bubble, 0)
        self._bubble = bubble
        self._inner = inner
        self._text.set_plain(text)
        self._unwrapped = self._text.unwrapped_width()

    def fit_to(self, width: int) -> None:
        """As wide as its text, up to a share of the column; longer lines wrap."""
        margins = self._inner.contentsMargins()
        around = margins.left() + margins.right()
        widest = int(width * WIDEST) - around
        self._bubble.setFixedWidth(max(min(self._unwrapped, widest), NARROWEST) + around)

    def in_use(self) -> bool:
        """It holds something that would be lost if it were built again."""
        return self._text.textCursor().hasSelection()

    def restyle(self) -> None:
        self._text.restyle()
        self._unwrapped = self._text.unwrapped_width()


class AssistantMessage(QWidget):
    """Streams; afterwards offers Copy (the Markdown source) and, for the last answer, Try again."""

    again = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Answer")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.body = BlockView(self)
        self._waiting = QLabel("Thinking…", self)
        self._waiting.setProperty("kind", "muted")
        self.notice: Notice | None = None
        self.copy_button = _action("Copy", "Copy the answer as Markdown", self.copy)
        self.again_button = _action("Try again", "Answer once more", self.again.emit)
        self._figures = QLabel(self)
        self._figures.setProperty("kind", "small")
        self._footer = QWidget(self)
        footer = QHBoxLayout(self._footer)
        footer.setContentsMargins(0, 0, 0, 0)
        footer.setSpacing(SPACE_L)
        footer.addWidget(self.copy_button)
        footer.addWidget(self.again_button)
        footer.addWidget(self._figures, 1)
        self._footer.hide()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(SPACE_S)
        for widget in (self._waiting, self.body, self._footer):
            self._layout.addWidget(widget)

    @property
    def source(self) -> str:
        return self.body.source

    def append(self, text: str) -> None:
        if text:
            self._waiting.hide()
            self.body.append(text)

    def wait_for(self, what: str) -> None:
        self._waiting.setText(what)

    def finish(self, stats: Stats | None = None) -> None:
        self._waiting.hide()
        self.body.finish()
        self._figures.setText(figures(stats) if stats else "")
        self.copy_button.setEnabled(bool(self.source))
        self._footer.show()

    def say(self, notice: Notice) -> None:
        """One notice below the text: why it ended early, and what can be done."""
        if self.notice is not None:
            self.notice.deleteLater()
        self.notice = notice
        self._layout.insertWidget(self._layout.indexOf(self._footer), notice)

    def offer_again(self, offered: bool) -> None:
        button = self.notice.button if self.notice is not None else None
        self.again_button.setVisible(offered and button is None)  # one button for one action
        if button is not None:
            button.setVisible(offered)

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self.source)
        self.copy_button.setText("Copied")
        QTimer.singleShot(COPIED_MS, self.copy_button, lambda: self.copy_button.setText("Copy"))

    def fit_to(self, width: int) -> None:
        """An answer takes the whole column."""
        self.body.expect_width(width)

    def in_use(self) -> bool:
        """It holds something that would be lost if it were built again."""
        return self.body.has_selection()

    def restyle(self) -> None:
        self.body.restyle()


MessageWidget = UserMessage | AssistantMessage


def figures(stats: Stats) -> str:
    """What was measured, nothing assumed."""
    parts = [f"{stats.tokens} tokens"]
    if stats.tokens_per_second:
        parts.append(f"{stats.tokens_per_second:.1f} tokens/s")
    if stats.speedup and stats.drafted:
        parts.append(f"{stats.speedup:.2f}× plain decoding")
    return "  ·  ".join(parts)


def _action(text: str, name: str, run: Callable[[], object]) -> QPushButton:
    button = QPushButton(text)
    button.setProperty("kind", "action")
    button.setAccessibleName(name)
    button.setToolTip(name)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    button.clicked.connect(lambda _checked=False: run())
    return button
