"""The scrolling conversation: follows the end unless the reader has left it; far messages have no widgets."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.chat.entries import Entries
from app.chat.entry import Entry
from app.chat.flash import Flash
from app.chat.message import AssistantMessage, MessageWidget
from app.chat.text_selection import TextSelection
from app.theme import SPACE_L, SPACE_S, SPACE_XL, Appearance

COLUMN = 760
AT_END = 4  # pixels


def side_margin(width: int) -> int:
    """Centres the column of text in `width` pixels."""
    return max(SPACE_L, (width - COLUMN) // 2)


class _Body(QWidget):
    """Tells when what it holds may have moved: the scroll bar's range alone does not."""

    laid_out = Signal()

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self.laid_out.emit()
        return handled


class Transcript(QScrollArea):
    """`following` is True while new text keeps the view at the end."""

    following_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("transcript")
        self.following = True
        self._body = _Body(self)
        self._body.setAutoFillBackground(True)  # opaque: what lies behind is not painted with every word
        self._column = QVBoxLayout(self._body)
        self._column.setSpacing(SPACE_S)  # the row of actions, mostly unseen, adds to it
        self._column.addStretch(1)
        self.entries = Entries(self, self._column)
        self._body.laid_out.connect(self.entries.anchor.hold)
        self.selection = TextSelection(self, self.entries)
        self.setWidget(self._body)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # the text never jumps sideways
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Conversation"))
        self.jump = QPushButton(self.tr("Jump to latest ↓"), self)
        self.jump.setObjectName("jump")
        self.jump.clicked.connect(self.follow)
        self.jump.hide()
        self.verticalScrollBar().rangeChanged.connect(self._range_changed)
        self.verticalScrollBar().valueChanged.connect(self._moved)
        Appearance.shared().changed.connect(self.restyle)

    @property
    def messages(self) -> list[MessageWidget]:
        """Those that have a widget, oldest first; the newest ones always do."""
        return self.entries.built()

    def clear(self) -> None:
        self.entries.clear()
        self.follow()

    def show_all(self, entries: list[Entry]) -> None:
        """Shows a conversation from its end; the rest is built where the reader comes near it."""
        self.entries.show(entries)
        self.follow()

    def add(self, message: MessageWidget) -> None:
        self.entries.add(message)

    def change(self, entries: list[Entry]) -> None:
        """Shows another branch of the conversation, or one that has grown."""
        self.entries.change(entries)
        if not self.following:
            self._moved(self.verticalScrollBar().value())

    def stay(self) -> None:
        """What comes does not move the view."""
        self._set_following(False)

    def reveal(self, entry: Entry) -> MessageWidget:
        """The message's widget, built if need be, with its beginning in view."""
        self._set_following(False)
        message = self.entries.require(entry)
        self.verticalScrollBar().setValue(message.y() - SPACE_XL)
        return message

    def light_up(self, entry: Entry) -> MessageWidget:
        message = self.reveal(entry)
        Flash(message.lit_part())
        return message

    def last_answer(self) -> AssistantMessage | None:
        last = self.entries[-1].widget if len(self.entries) else None
        return last if isinstance(last, AssistantMessage) else None

    def follow(self) -> None:
        self._set_following(True)
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())

    def restyle(self) -> None:
        for message in self.messages:
            message.restyle()
        self.entries.fit_to(self._column_width())

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.DevicePixelRatioChange:  # formulas are pictures of pixels
            self.restyle()
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.angleDelta().y() > 0 and self.verticalScrollBar().value() > 0:
            self._set_following(False)
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_End:
            self.follow()
        elif event.key() == Qt.Key.Key_Home:
            self._set_following(False)
            self.verticalScrollBar().setValue(0)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        side = side_margin(self.viewport().width())
        self._column.setContentsMargins(side, SPACE_XL, side, SPACE_XL)
        super().resizeEvent(event)
        self.entries.fit_to(self._column_width())
        self.jump.adjustSize()
        self.jump.move((self.width() - self.jump.width()) // 2, self.height() - self.jump.height() - SPACE_L)

    def _column_width(self) -> int:
        margins = self._column.contentsMargins()
        return max(self.viewport().width() - margins.left() - margins.right(), 1)

    def _range_changed(self, _low: int, high: int) -> None:
        bar = self.verticalScrollBar()
        bar.setEnabled(high > 0)  # its handle is hidden when there is nothing to scroll
        if self.following:
            bar.setValue(high)
        else:
            self.entries.anchor.hold()

    def _moved(self, value: int) -> None:
        if not self.entries.anchor.holding:
            self._set_following(value >= self.verticalScrollBar().maximum() - AT_END)
            self.entries.look()
        self.entries.soon()

    def _set_following(self, following: bool) -> None:
        if following != self.following:
            self.following = self.entries.anchor.pinned = following
            self.entries.look()
            self.following_changed.emit(following)
        self.jump.setVisible(not following)
