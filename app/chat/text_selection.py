"""A selection that runs over the blocks of a message and over messages, and its Markdown.

Each text selects within itself, as Qt does it. When the pointer leaves it with the button down, everything between it
and the text under the pointer is selected too. Copy gives, message by message, the source of what is selected
(`BlockView.selected_source`).
"""

from itertools import groupby

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QScrollArea, QWidget

from app.chat.block_view import BlockView
from app.chat.entries import Entries
from app.chat.message import AssistantMessage, UserMessage
from app.chat.selectable import CODE_POINTS, Edit, select

SCROLL_STEP = 24  # pixels for each move of the pointer beyond the view


class TextSelection(QObject):
    def __init__(self, area: QScrollArea, entries: Entries) -> None:
        super().__init__(area)
        self._area = area
        self._entries = entries
        self._wide = False  # over more than one text

    def texts(self) -> list[Edit]:
        """Those that are laid out, in the order of reading."""
        return [text for message in self._entries.built() for text in texts_of(message)]

    def begin(self, text: Edit) -> None:
        self._wide = False
        for other in self.texts():
            if other is not text and other.textCursor().hasSelection():
                select(other, 0, 0)

    def extend(self, text: Edit, place: QPoint) -> bool:
        """False: the text goes on selecting within itself."""
        if not self._wide and text.viewport().rect().contains(text.viewport().mapFromGlobal(place)):
            return False
        self._wide = True
        self._scroll(place)
        texts = self.texts()
        here, there = texts.index(text), _index_at(texts, place)
        anchor = text.textCursor().anchor()
        end = texts[there].cursorForPosition(texts[there].viewport().mapFromGlobal(place)).position()
        low, high = min(here, there), max(here, there)
        for index, each in enumerate(texts):
            last = each.document().characterCount() - 1
            if index == here:
                select(each, anchor, end if here == there else last if there > here else 0)
            elif index == there:
                select(each, 0 if there > here else last, end)
            elif low < index < high:
                select(each, 0, last)
            elif each.textCursor().hasSelection():
                select(each, 0, 0)
        return True

    def select_message(self, text: Edit) -> None:
        self.begin(text)
        message = next(each for each in self._entries.built() if each.isAncestorOf(text))
        for each in texts_of(message):
            each.selectAll()

    def copy(self, as_shown: bool = False) -> None:
        copied = self.shown() if as_shown else self.source()
        if copied:
            QGuiApplication.clipboard().setText(copied)

    def source(self) -> str:
        parts = [
            view.selected_source() if view is not None else _plain(next(texts))
            for view, texts in groupby(self._selected(), _view_of)
        ]
        return "\n\n".join(parts)

    def shown(self) -> str:
        return "\n".join(_plain(text) for text in self._selected())

    def _selected(self) -> list[Edit]:
        return [text for text in self.texts() if text.textCursor().hasSelection()]

    def _scroll(self, place: QPoint) -> None:
        y = self._area.viewport().mapFromGlobal(place).y()
        bar = self._area.verticalScrollBar()
        if y < 0:
            bar.setValue(bar.value() - SCROLL_STEP)
        elif y > self._area.viewport().height():
            bar.setValue(bar.value() + SCROLL_STEP)


def texts_of(message: QWidget) -> list[Edit]:
    if isinstance(message, AssistantMessage):
        return [text for view in message.text.views() for text in view.texts()]
    return [message.bubble_text] if isinstance(message, UserMessage) else []


def _index_at(texts: list[Edit], place: QPoint) -> int:
    """The last text that begins above the place."""
    above = [index for index, text in enumerate(texts) if text.mapToGlobal(QPoint(0, 0)).y() <= place.y()]
    return above[-1] if above else 0


def _view_of(text: Edit) -> BlockView | None:
    parent = text.parentWidget()
    while parent is not None and not isinstance(parent, BlockView):
        parent = parent.parentWidget()
    return parent


def _plain(text: Edit) -> str:
    return text.textCursor().selectedText().translate(CODE_POINTS)
