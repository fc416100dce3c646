"""The pass of the current token: what was guessed, what was accepted, what the target wrote instead."""

from PySide6.QtCore import QLineF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.speculation.figure_rows import plain_label, set_text
from app.speculation.origins import ACCEPTED, Token, guess_text
from app.speculation.token_painter import TokenPainter
from app.speculation.token_words import describe, pass_line, visible
from app.speculation.trace import Trace
from app.theme import SPACE_S, SPACE_XS, Appearance, colours

GAP = 7.0


class PassStrip(QWidget):
    """The accepted guesses, the rejected ones struck out, then the target's own token."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tokens: list[Token] = []
        self._rejected: list[str] = []
        self._current = -1
        self._paint = TokenPainter()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_pass(self, tokens: list[Token], rejected: list[str], current: int) -> None:
        self._tokens, self._rejected, self._current = tokens, rejected, current
        self.update()

    def restyle(self) -> None:
        self._paint = TokenPainter()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(200, self._paint.row)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._paint.font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # tokens are in their own order
        drafted = [token for token in self._tokens if token.origin in ACCEPTED]
        own = [token for token in self._tokens if token.origin not in ACCEPTED]
        x = 1.0
        for token in drafted:
            x = self._draw(painter, x, token)
        for guess in self._rejected:
            x = self._draw_rejected(painter, x, guess)
        for token in own:
            x = self._draw(painter, x + (SPACE_S if drafted or self._rejected else 0), token)

    def _draw(self, painter: QPainter, x: float, token: Token) -> float:
        text = visible(token.text)
        box = self._paint.box(x, 0, self._paint.measure(text))
        self._paint.draw_ground(painter, box, token.origin)
        self._paint.draw_text(painter, box, text, QColor(colours().text), QColor(colours().muted))
        self._paint.draw_line(painter, box, token.origin)
        if token.number == self._current:
            painter.setPen(QPen(QColor(colours().text), 1.6))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, 0.5))
        return x + box.width() + GAP

    def _draw_rejected(self, painter: QPainter, x: float, guess: str) -> float:
        text = visible(guess)
        box = self._paint.box(x, 0, self._paint.measure(text))
        muted = QColor(colours().muted)
        self._paint.draw_text(painter, box, text, muted, muted)
        painter.setPen(QPen(QColor(colours().danger), 1.0))
        y = box.center().y() + 2
        painter.drawLine(QLineF(box.left() - 1, y, box.right() + 1, y))
        return x + box.width() + GAP


class Inspector(QWidget):
    """Two lines and a strip; as tall when there is nothing to show."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pass = plain_label(kind="small")
        self._words = plain_label()
        self.strip = PassStrip(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_XS)
        for widget in (self.strip, self._words, self._pass):
            column.addWidget(widget)
        self._words.setAlignment(Qt.AlignmentFlag.AlignTop)
        Appearance.shared().changed.connect(self._restyle)
        self._restyle()
        self.clear()

    def clear(self) -> None:
        self.strip.show_pass([], [], -1)
        set_text(
            self._words,
            self.tr("Point at a token, or move with the arrow keys, to see the pass that it came from."),
        )
        set_text(self._pass, self.tr("Ctrl with an arrow key jumps to the next correction."))

    def _restyle(self) -> None:
        """As tall for one line of words as for two: the tokens above stay where they are."""
        self.strip.restyle()
        self._words.setMinimumHeight(2 * self._words.fontMetrics().lineSpacing())

    def show_token(self, token: Token, tokens: list[Token], trace: Trace) -> None:
        """`tokens` are all of the answer."""
        one = trace.passes[token.step]
        first = token.number - token.place
        rejected = [guess_text(guess) for guess in one.rejected]
        self.strip.show_pass(tokens[first : first + len(one.tokens)], rejected, token.number)
        set_text(self._words, describe(token, trace))
        set_text(self._pass, pass_line(token.step, trace))
