"""Shows what was found in the texts that have widgets, and brings one occurrence into view."""

from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from app.chat.find_hits import Hit
from app.chat.message import AssistantMessage, MessageWidget
from app.chat.selectable import Edit, Selectable
from app.chat.text_selection import texts_of
from app.chat.transcript import Transcript
from app.theme import SPACE_XL, colours

NAME = "find"
TINT = 0.28  # of the accent, behind what was found
MOST_MARKS = 400  # in one text; painting them costs their number
FROM_TOP = 3  # the occurrence comes to this part of the view


class FindMarks:
    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._wanted = ""
        self._current: tuple[Edit, int] | None = None  # text and position

    def search(self, wanted: str) -> None:
        self._wanted, self._current = wanted, None
        self.refresh()

    def refresh(self) -> None:
        for message in self._transcript.messages:
            self.show(message)

    def show(self, message: MessageWidget) -> None:
        for text in texts_of(message):
            if isinstance(text, Selectable):
                found = self._found(text)
                current = [cursor for cursor in found[MOST_MARKS:] if self._is_current(text, cursor)]
                text.mark(NAME, [self._mark(text, cursor) for cursor in found[:MOST_MARKS] + current])

    def go_to(self, hit: Hit) -> None:
        message = self._transcript.reveal(hit.entry)
        number = hit.number
        if isinstance(message, AssistantMessage) and message.text.thoughts is not None:
            if number < hit.thoughts:
                message.text.thoughts.open()
                self._transcript.entries.lay_out()
            elif not message.text.thoughts.is_open:
                number -= hit.thoughts
        places = [(text, cursor) for text in texts_of(message) for cursor in self._found(text)]
        if places:
            text, cursor = places[min(number, len(places) - 1)]
            self._current = text, cursor.selectionStart()
            self._bring_into_view(text, cursor)
        self.refresh()

    def _found(self, text: Edit) -> list[QTextCursor]:
        found: list[QTextCursor] = []
        cursor = text.document().find(self._wanted) if self._wanted else QTextCursor()
        while not cursor.isNull():
            found.append(cursor)
            cursor = text.document().find(self._wanted, cursor)
        return found

    def _is_current(self, text: Edit, cursor: QTextCursor) -> bool:
        return self._current == (text, cursor.selectionStart())

    def _mark(self, text: Edit, cursor: QTextCursor) -> QTextEdit.ExtraSelection:
        mark = QTextEdit.ExtraSelection()
        style = QTextCharFormat()
        tint = QColor(colours().accent)
        if self._is_current(text, cursor):
            style.setForeground(QColor(colours().on_accent))
        else:
            tint.setAlphaF(TINT)
        style.setBackground(tint)
        mark.format, mark.cursor = style, cursor
        return mark

    def _bring_into_view(self, text: Edit, cursor: QTextCursor) -> None:
        end = QTextCursor(cursor)
        cursor = QTextCursor(cursor)
        cursor.setPosition(cursor.selectionStart())
        left, right = text.cursorRect(cursor), text.cursorRect(end)
        sideways = text.horizontalScrollBar()
        if right.right() > text.viewport().width() or left.left() < 0:
            sideways.setValue(sideways.value() + left.left() - SPACE_XL)
        body = self._transcript.widget()
        assert body is not None
        place = text.viewport().mapTo(body, left.topLeft())
        view = self._transcript.viewport().height()
        self._transcript.verticalScrollBar().setValue(place.y() - view // FROM_TOP)
