"""Above the editor: the chips of the files that go with the message, and why others don't."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.attachments.attachments import Attachments, Item
from app.attachments.chip import Chip
from app.attachments.refusal import Refusal
from app.attachments.words import facts, sentence
from app.chat.notice import Notice
from app.flow_layout import FlowLayout
from app.theme import SPACE_S, SPACE_XS

MOST_NOTICES = 3


class Tray(QWidget):
    left = Signal()  # the last chip that had the focus is gone
    announced = Signal(str)  # for screen readers

    def __init__(self, files: Attachments, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._files = files
        self.chips: list[Chip] = []
        self.notices: list[Notice] = []
        self._chips = QWidget(self)
        self._chips.setAccessibleName(self.tr("Attached files"))
        self._flow = FlowLayout(SPACE_S, SPACE_XS, self._chips)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, SPACE_XS)
        self._column.setSpacing(SPACE_S)
        self._column.addWidget(self._chips)
        files.changed.connect(self._show)
        files.refused.connect(self._refused)
        self._show()

    def drop_notices(self) -> None:
        for notice in list(self.notices):
            self._drop(notice)

    def _show(self) -> None:
        focused = next((at for at, chip in enumerate(self.chips) if _has_focus(chip)), None)
        for chip in self.chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self.chips = [self._chip(item) for item in self._files.items]
        for chip in self.chips:
            self._flow.addWidget(chip)
            chip.show()
        self._fit()
        if focused is not None:
            self._focus(focused)

    def _chip(self, item: Item) -> Chip:
        if item.document is None:
            told = self.tr("reading…")
        elif item.counting and item.document.tokens is None:
            told = self.tr("counting…")
        else:
            told = facts(item.document)
        chip = Chip(item.name, told, removable=True, parent=self._chips)
        chip.remove_asked.connect(lambda: self._files.remove(item))
        return chip

    def _focus(self, place: int) -> None:
        """The chip that took the place of one that had the focus, so that a row of them can be removed."""
        if not self.chips:
            self.left.emit()
            return
        button = self.chips[min(place, len(self.chips) - 1)].button
        if button is not None:
            button.setFocus()

    def _refused(self, refusal: Refusal) -> None:
        words = sentence(refusal)
        notice = Notice(words, self.tr("Dismiss"), lambda: self._drop(notice), parent=self)
        self.notices.append(notice)
        self._column.insertWidget(0, notice)
        for old in self.notices[:-MOST_NOTICES]:
            self._drop(old)
        self._fit()
        self.announced.emit(words)

    def _drop(self, notice: Notice) -> None:
        self.notices.remove(notice)
        self._column.removeWidget(notice)
        notice.hide()
        notice.deleteLater()
        self._fit()

    def _fit(self) -> None:
        self._chips.setVisible(bool(self.chips))
        self.setVisible(bool(self.chips or self.notices))


def _has_focus(chip: Chip) -> bool:
    return chip.button is not None and chip.button.hasFocus()
