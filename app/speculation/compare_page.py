"""The page of a comparison, from the prompt to the card; a page of the window's centre, like a conversation."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.chat.notice import Notice
from app.speculation.card import Card
from app.speculation.card_box import CardBox
from app.speculation.compare_form import CompareForm
from app.speculation.compare_result import CompareResult
from app.speculation.compare_texts import CompareTexts
from app.speculation.figure_rows import plain_label
from app.theme import SPACE_L, SPACE_M, SPACE_XL, Appearance
from engine.comparison import Comparison

COLUMN = 920  # pixels


class ComparePage(QScrollArea):
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Compare"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.form = CompareForm(self)
        self.result = CompareResult(self)
        self.texts = CompareTexts(self)
        self.cards = CardBox(self)
        self.cards.trouble.connect(self.say)
        self.notice: Notice | None = None
        self.back = QPushButton(self.tr("Back to chat"), self)
        self.back.setProperty("kind", "toggle")
        self.back.clicked.connect(self.left)
        self._build()
        self.clear()
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        escape.setWhatsThis(self.tr("End the comparison, or leave it"))
        escape.activated.connect(self._escape)
        Appearance.shared().changed.connect(self._restyle)

    def clear(self) -> None:
        self.say("")
        self.texts.clear()
        for part in (self.result, self.texts, self.cards):
            part.hide()

    def begin(self) -> None:
        self.clear()
        self.texts.show()
        self.form.set_running(True)

    def show_comparison(self, comparison: Comparison, ended: bool = False) -> None:
        self.result.show_comparison(comparison, ended)
        self.result.setVisible(comparison.identical is not None)

    def settle(self, comparison: Comparison | None, card: Card | None) -> None:
        """It has ended: `comparison` is what was measured, `card` if that is enough for one."""
        self.form.set_running(False)
        self.texts.flush()
        if comparison is not None:
            self.texts.settle(comparison)
            self.show_comparison(comparison, ended=True)
        if card is not None:
            self.cards.show_card(card)
        self.cards.setVisible(card is not None)

    def say(self, sentence: str, tone: str = "error") -> None:
        """One notice below the form; "" takes it away."""
        if self.notice is not None:
            self.notice.hide()
            self.notice.deleteLater()
            self.notice = None
        if sentence:
            self.notice = Notice(sentence, tone=tone, parent=self)
            self._column.insertWidget(self._column.indexOf(self.form) + 1, self.notice)

    def _escape(self) -> None:
        if self.form.cancel.isVisible():
            self.form.cancelled.emit()
        else:
            self.left.emit()

    def _restyle(self) -> None:
        self.result.restyle()
        self.texts.restyle()

    def _build(self) -> None:
        title = QLabel(self.tr("Compare"), self)
        title.setProperty("kind", "title")
        head = QHBoxLayout()
        head.addWidget(title, 1)
        head.addWidget(self.back)
        about = plain_label(
            self.tr(
                "One prompt, answered by plain decoding and with speculation in turn, each time from empty caches. "
                "The text should be the same; how much sooner it comes is measured here."
            ),
            "muted",
        )
        page = QWidget()
        page.setMaximumWidth(COLUMN)
        self._column = QVBoxLayout(page)
        self._column.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_XL)
        self._column.setSpacing(SPACE_M)
        self._column.addLayout(head)
        self._column.addWidget(about)
        for part in (self.form, self.result, self.texts, self.cards):
            self._column.addWidget(part)
        self._column.addStretch(1)
        outside = QWidget()
        centred = QHBoxLayout(outside)
        centred.setContentsMargins(0, 0, 0, 0)
        centred.addStretch(1)
        centred.addWidget(page, 1000)
        centred.addStretch(1)
        self.setWidget(outside)
