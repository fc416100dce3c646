"""All tokens of an answer, each in the colour and with the line of its origin. Painted: 20,000 tokens are no burden."""

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from app.speculation.figure_rows import tooltip
from app.speculation.origins import Origin, Token, TokenReader
from app.speculation.token_layout import Run, TokenLayout
from app.speculation.token_moves import TokenMoves
from app.speculation.token_painter import FADED, TokenPainter
from app.speculation.token_words import describe
from app.speculation.trace import Trace
from app.theme import SPACE_L, SPACE_M, Appearance, colours

PASSES, TOKENS = 300, 1200  # that are read, or laid out, at a time: some 10 ms
AT_END = 4


class TokenView(QAbstractScrollArea):
    """`current_changed` carries the number of the token under the pointer or the cursor, or -1."""

    current_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tokens: list[Token] = []
        self.current = -1
        self.only: Origin | None = None  # the others are faded
        self._cursor = -1  # by keyboard; the pointer only visits
        self._follows = False  # shows the end while the answer grows
        self._trace = Trace()
        self._reader = TokenReader(self._trace)
        self._paint = TokenPainter()
        self._layout = TokenLayout(self._paint.measure, 1.0)
        self._next: TokenLayout | None = None  # of another width, in the making
        self._work = QTimer(self)
        self._work.setInterval(0)
        self._work.timeout.connect(self._go_on)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName(self.tr("Tokens of the answer"))
        Appearance.shared().changed.connect(self.restyle)

    def show_trace(self, trace: Trace, follow: bool = False) -> None:
        self._follows = False
        self._trace, self._reader = trace, TokenReader(trace)
        self.tokens, self._cursor = [], -1
        self._layout, self._next = TokenLayout(self._paint.measure, self._room), None
        self._set_current(-1)
        self.verticalScrollBar().setValue(0)
        self._follows = follow
        self._go_on()

    def grow(self) -> None:
        """The trace has more passes."""
        if not self._work.isActive():
            self._go_on()

    def isolate(self, origin: Origin | None) -> None:
        self.only = origin
        self.viewport().update()

    def restyle(self) -> None:
        self._paint = TokenPainter()
        self._lay_out_again()

    @property
    def trace(self) -> Trace:
        return self._trace

    @property
    def complete(self) -> bool:
        return self._reader.at_end and self._next is None

    def own_keys(self) -> list[tuple[str, str]]:
        """For the list of shortcuts."""
        return [
            ("Right", self.tr("Next token, and its pass")),
            ("Left", self.tr("Previous token")),
            ("Ctrl+Right", self.tr("Next correction")),
            ("Ctrl+Left", self.tr("Previous correction")),
        ]

    def move_to(self, number: int) -> None:
        """Puts the cursor on a token, shows it, and tells screen readers."""
        if not 0 <= number < min(len(self.tokens), self._layout.count):
            return
        self._cursor = number
        self._set_current(number)
        self._scroll_to(self._layout.first_line_of(number))
        words = describe(self.tokens[number], self._trace)
        self.setAccessibleDescription(words)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        jump = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        target = self._moves().target(event.key(), jump)
        if target is None:
            super().keyPressEvent(event)
        else:
            self.move_to(target)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        found = self._token_at(event.position().toPoint())
        self._set_current(self._cursor if found is None else found)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self._token_at(event.position().toPoint())
        if found is not None:
            self.move_to(found)

    def leaveEvent(self, event: QEvent) -> None:
        self._set_current(self._cursor)
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._cursor < 0 and event.reason() in (
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
        ):
            self.move_to(0)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            found = self._token_at(event.pos())
            words = "" if found is None else tooltip(describe(self.tokens[found], self._trace))
            QToolTip.showText(event.globalPos(), words, self.viewport())
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._room != (self._next or self._layout).width:
            self._lay_out_again()
        self._fit()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        bar = self.verticalScrollBar()
        self._follows = bar.value() >= bar.maximum() - AT_END
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setFont(self._paint.font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # tokens are in their own order
        top = self.verticalScrollBar().value() - SPACE_M
        row = self._paint.row
        first = (event.rect().top() + top) // row
        last = (event.rect().bottom() + top) // row
        step = self.tokens[self.current].step if 0 <= self.current < len(self.tokens) else -1
        for number in range(max(first, 0), last + 1):
            self._paint_line(painter, self._layout.line(number), number * row - top, step)

    def _paint_line(self, painter: QPainter, runs: list[Run], top: int, step: int) -> None:
        ink, quiet = QColor(colours().text), QColor(colours().muted)
        quiet.setAlphaF(0.7)
        boxes = [(run, self._paint.box(SPACE_L + run.x, top, run.width)) for run in runs]
        for run, box in boxes:
            token = self.tokens[run.token]
            self._paint.draw_ground(painter, box, token.origin, self._is_faded(token))
        for run, box in boxes:
            token = self.tokens[run.token]
            faded = self._is_faded(token)
            painter.setOpacity(FADED if faded else 1.0)
            self._paint.draw_text(painter, box, run.text, quiet if run.mark or token.odd else ink, quiet)
            painter.setOpacity(1.0)
            self._paint.draw_line(painter, box, token.origin, faded)
            if token.step == step:
                self._paint_frame(painter, box, run.token == self.current)

    def _paint_frame(self, painter: QPainter, box: QRectF, current: bool) -> None:
        """Around the current token, and lighter around the others of its pass."""
        painter.setPen(
            QPen(QColor(colours().text if current else colours().control), 1.6 if current else 0.8)
        )
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, 0.5))

    def _is_faded(self, token: Token) -> bool:
        return self.only is not None and token.origin is not self.only

    def _moves(self) -> TokenMoves:
        return TokenMoves(
            self._layout,
            self.tokens,
            self._cursor,
            page=max(self.viewport().height() // self._paint.row - 1, 1),
            mirrored=self.layoutDirection() is Qt.LayoutDirection.RightToLeft,
        )

    def _token_at(self, place: QPoint) -> int | None:
        line = (place.y() + self.verticalScrollBar().value() - SPACE_M) // self._paint.row
        return self._layout.token_at(line, place.x() - SPACE_L)

    def _set_current(self, number: int) -> None:
        if number != self.current:
            self.current = number
            self.viewport().update()
            self.current_changed.emit(number)

    def _scroll_to(self, line: int) -> None:
        bar, row = self.verticalScrollBar(), self._paint.row
        top = line * row
        if top < bar.value():
            bar.setValue(top)
        elif top + row + 2 * SPACE_M > bar.value() + self.viewport().height():
            bar.setValue(top + row + 2 * SPACE_M - self.viewport().height())

    @property
    def _room(self) -> float:
        return float(max(self.viewport().width() - 2 * SPACE_L, 1))

    def _lay_out_again(self) -> None:
        """In the background; the present lines are shown until the new ones are complete."""
        self._next = TokenLayout(self._paint.measure, self._room)
        self._go_on()

    def _go_on(self) -> None:
        """Reads what is new, then lays out; a little at a time."""
        follows = self._follows
        if self._next is not None:
            self._advance(self._next)
            if self._next.count == len(self.tokens):
                self._swap(self._next)
        elif not self._reader.at_end:
            self.tokens.extend(self._reader.read(PASSES))
            while self._layout.count < len(self.tokens):
                self._layout.add(self.tokens[self._layout.count].text)
        self._fit()
        if follows:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
            self._follows = True
        if self.complete:
            self._work.stop()
        else:
            self._work.start()
        self.viewport().update()

    def _advance(self, layout: TokenLayout) -> None:
        for token in self.tokens[layout.count : layout.count + TOKENS]:
            layout.add(token.text)

    def _swap(self, layout: TokenLayout) -> None:
        """The token at the top stays there."""
        bar, row = self.verticalScrollBar(), self._paint.row
        line = self._layout.line(bar.value() // row)
        self._layout, self._next = layout, None
        self._fit()
        if line and bar.value():
            bar.setValue(layout.first_line_of(line[0].token) * row)

    def _fit(self) -> None:
        height = len(self._layout.starts) * self._paint.row + 2 * SPACE_M
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, height - self.viewport().height()))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(self._paint.row)
