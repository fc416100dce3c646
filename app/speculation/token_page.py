"""The page that shows an answer token by token, in place of the conversation."""

import json
from collections import Counter

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from app.speculation import numbers
from app.speculation.figure_rows import plain_label, set_text
from app.speculation.inspector import Inspector
from app.speculation.legend import Legend
from app.speculation.origins import Origin
from app.speculation.token_view import TokenView
from app.speculation.trace import Trace
from app.speculation.trace_export import as_json
from app.theme import SPACE_L, SPACE_M, SPACE_S

COUNT_MS = 500  # so often at most are the counts renewed while the answer grows
COPIED_MS = 1500


class TokenPage(QWidget):
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = TokenView(self)
        self.legend = Legend(self)
        self.inspector = Inspector(self)
        self._back = QPushButton(self.tr("Back to chat"), self)
        self._copy = QPushButton(self.tr("Copy as JSON"), self)
        self._title = plain_label(self.tr("Tokens of the answer"), "title")
        self._figures = plain_label(kind="muted")
        self._nothing = plain_label(kind="muted")
        self._counts: Counter[Origin] = Counter()
        self._counted = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(COUNT_MS)
        self._timer.timeout.connect(self._count)
        self._build()
        self._connect()

    def show_trace(self, trace: Trace, growing: bool = False) -> None:
        self._counts, self._counted = Counter(), 0
        self.legend.reset()
        self.view.isolate(None)
        self.inspector.clear()
        self.view.show_trace(trace, follow=growing)
        self._pages.setCurrentIndex(0)
        self._copy.setEnabled(True)
        self._count()

    def show_reason(self, sentence: str) -> None:
        """There is nothing to show, because of this."""
        self.show_trace(Trace())
        set_text(self._nothing, sentence)
        self._pages.setCurrentIndex(1)
        self._copy.setEnabled(False)

    def grow(self) -> None:
        self.view.grow()
        if not self._timer.isActive():
            self._timer.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.view.setFocus()

    def copy(self) -> None:
        text = json.dumps(as_json(self.view.trace), ensure_ascii=False, indent=1)
        QGuiApplication.clipboard().setText(text)
        self._copy.setText(self.tr("Copied"))
        QTimer.singleShot(COPIED_MS, self._copy, lambda: self._copy.setText(self.tr("Copy as JSON")))

    def _count(self) -> None:
        tokens = self.view.tokens
        self._counts.update(token.origin for token in tokens[self._counted :])
        self._counted = len(tokens)
        self.legend.show_counts(self._counts)
        passes = len(self.view.trace.passes)
        per_pass = numbers.decimal(len(tokens) / passes, 2) if passes and self.view.complete else numbers.NONE
        told = (
            numbers.count_of_tokens(len(tokens)),
            numbers.count_of_passes(passes),
            self.tr("{number} tokens per pass").format(number=per_pass),
        )
        set_text(self._figures, " · ".join(told))
        if not self.view.complete:
            self._timer.start()

    def _show_current(self, number: int) -> None:
        if 0 <= number < len(self.view.tokens):
            self.inspector.show_token(self.view.tokens[number], self.view.tokens, self.view.trace)
        else:
            self.inspector.clear()

    def _connect(self) -> None:
        self.view.current_changed.connect(self._show_current)
        self.legend.chosen.connect(self.view.isolate)
        self._back.clicked.connect(self.closed)
        self._copy.clicked.connect(self.copy)
        leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        leave.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        leave.setWhatsThis(self.tr("Leave the tokens, back to the chat"))
        leave.activated.connect(self.closed)

    def _build(self) -> None:
        for button in (self._back, self._copy):
            button.setProperty("kind", "toggle")
        top = QHBoxLayout()
        top.setSpacing(SPACE_S)
        top.addWidget(self._title, 1)
        top.addWidget(self._copy)
        top.addWidget(self._back)
        head = QVBoxLayout()
        head.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
        head.setSpacing(SPACE_S)
        head.addLayout(top)
        for widget in (self._figures, self.legend):
            head.addWidget(widget)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self.view)
        self._pages.addWidget(self._nothing)
        foot = QVBoxLayout()
        foot.setContentsMargins(SPACE_L, SPACE_S, SPACE_L, SPACE_M)
        foot.addWidget(self.inspector)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(_rule(self))
        column.addWidget(self._pages, 1)
        column.addWidget(_rule(self))
        column.addLayout(foot)


def _rule(parent: QWidget) -> QFrame:
    rule = QFrame(parent)
    rule.setObjectName("rule")
    rule.setFixedHeight(1)
    return rule
