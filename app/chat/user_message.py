"""The user's words in a bubble, which turns into an editor on demand."""

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.attachments.chip import SentFiles
from app.attachments.document import from_json
from app.chat.message_editor import MessageEditor
from app.chat.message_widget import MessageWidget
from app.chat.rich_text import RichText
from app.theme import SPACE_M, SPACE_S, SPACE_XL, SPACE_XS

WIDEST = 0.75  # of the column
NARROWEST = 24  # pixels
LEADING = 5
LONGEST_SHOWN = 100_000  # characters; Qt lays out a million in a second


class UserMessage(MessageWidget):
    edited = Signal(int, str)  # message, its new text

    def __init__(self, text: str, attachments_json: str | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source = text
        self._files = from_json(attachments_json)
        self.editor: MessageEditor | None = None
        self._ready = True
        self.setAccessibleName(self.tr("You"))
        self.edit_button = self.row.add(self.tr("Edit"), self.tr("Edit and send again"), self.edit)
        self._add_branch()
        self._add_compare()
        self.row.push_right()
        self._layout.setSpacing(SPACE_XS)
        self._bubble = QFrame(self)
        self._bubble.setObjectName("userBubble")
        self._text = RichText(self._bubble)
        self._text.setAccessibleName(self.tr("Your message"))
        self._inner = QVBoxLayout(self._bubble)
        below = SPACE_S + 2 - LEADING  # the last line has its leading below it
        self._inner.setContentsMargins(SPACE_M + 2, SPACE_S + 2, SPACE_M + 2, below)
        self._inner.addWidget(self._text)
        row = QHBoxLayout()
        row.addSpacing(SPACE_XL * 2)
        row.addStretch(1)
        row.addWidget(self._bubble, 0)
        if self._files:
            self._layout.addWidget(SentFiles(self._files, self))
        self._layout.addLayout(row)
        self._layout.addWidget(self.row)
        self._text.set_plain(self._shown())
        self._unwrapped = self._text.unwrapped_width()

    @property
    def source(self) -> str:
        return self._source

    @property
    def bubble_text(self) -> RichText:
        return self._text

    def copied(self) -> str:
        """The user's words, and which files went with them."""
        names = [document.name for document in self._files]
        return "\n".join([*names, "", self._source] if names else [self._source])

    def offer(self, last: bool, ready: bool) -> None:
        super().offer(last, ready)
        self._ready = ready
        self._enable(self.edit_button, self.edit_button.accessibleName(), ready)
        if self.editor is not None:
            self.editor.set_ready(ready)

    def edit(self) -> None:
        if self.editor is not None or self.message_id is None:
            return
        self.editor = MessageEditor(self._source, self)
        self.editor.cancelled.connect(self.stop_editing)
        self.editor.sent.connect(self._send)
        self.editor.set_ready(self._ready)
        self._layout.insertWidget(0, self.editor)
        self._bubble.hide()
        self.row.hide()
        self.editor.edit.setFocus()

    def stop_editing(self) -> None:
        if self.editor is None:
            return
        self.editor.hide()
        self.editor.deleteLater()
        self.editor = None
        self._bubble.show()
        self.row.show()
        self.edit_button.setFocus()

    def fit_to(self, width: int) -> None:
        """As wide as its text, up to a share of the column; longer lines wrap."""
        margins = self._inner.contentsMargins()
        around = margins.left() + margins.right()
        widest = int(width * WIDEST) - around
        self._bubble.setFixedWidth(max(min(self._unwrapped, widest), NARROWEST) + around)

    def lit_part(self) -> QWidget:
        return self._bubble

    def in_use(self) -> bool:
        return self.editor is not None or self._text.textCursor().hasSelection()

    def restyle(self) -> None:
        self._text.restyle()
        self._unwrapped = self._text.unwrapped_width()

    def _shown(self) -> str:
        """Imported texts may have megabytes: their beginning; copying gives all."""
        rest = len(self._source) - LONGEST_SHOWN
        if rest <= 0:
            return self._source
        more = self.tr("… and {count} more characters, which Copy takes along").format(
            count=QLocale().toString(rest)
        )
        return f"{self._source[:LONGEST_SHOWN]}\n{more}"

    def _send(self, text: str) -> None:
        if self.message_id is not None:
            self.edited.emit(self.message_id, text)
