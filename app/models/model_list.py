"""A list of models or pairs under headings: a title and what matters most, each cut where the row ends."""

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.theme import SPACE_M, SPACE_S, SPACE_XS, Appearance, colours

ROW = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Row:
    """`state` stands at the end of the first line; `faint`: nothing can be done with it. Without `what`: a heading."""

    title: str
    line: str = ""
    state: str = ""
    what: object = None
    faint: bool = False

    @property
    def spoken(self) -> str:
        return ", ".join(part for part in (self.title, self.state, self.line) if part)


class ModelList(QListWidget):
    """`shown` for the row that is current, `asked` when the user clicks one or presses Enter on it."""

    shown = Signal(object)
    asked = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("modelList")
        self.setAccessibleName(name)
        self.setItemDelegate(_Delegate(self))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setUniformItemSizes(False)
        self.currentItemChanged.connect(lambda _item, _before: self.shown.emit(self.current()))
        self.itemClicked.connect(lambda _item: self._ask())
        Appearance.shared().changed.connect(self._restyle)

    def show_rows(self, rows: list[Row]) -> None:
        """What was current stays so if it is still there."""
        current = self.current()
        self.blockSignals(True)
        self.clear()
        for row in rows:
            item = QListWidgetItem(row.title, self)
            item.setData(ROW, row)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, row.spoken)
            if row.what is None:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
            else:
                item.setToolTip("\n".join(part for part in (row.title, row.line) if part))
        self.blockSignals(False)
        places = [index for index, row in enumerate(rows) if row.what is not None]
        there = next((index for index in places if rows[index].what == current), None)
        if there is None:
            there = places[0] if places else None
        if there is None:
            self.shown.emit(None)
            return
        self.blockSignals(True)
        self.setCurrentRow(there)
        self.blockSignals(False)
        self.shown.emit(rows[there].what)

    def choose(self, what: object) -> None:
        for index, row in enumerate(self.rows()):
            if row.what == what:
                self.setCurrentRow(index)

    def current(self) -> object:
        item = self.currentItem()
        return item.data(ROW).what if item is not None else None

    def rows(self) -> list[Row]:
        return [self.item(index).data(ROW) for index in range(self.count())]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentItem() is not None:
            self._ask()
            return
        super().keyPressEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 120)

    def _ask(self) -> None:
        if self.current() is not None:
            self.asked.emit(self.current())

    def _restyle(self) -> None:
        self.doItemsLayout()
        self.viewport().update()


class _Delegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row = index.data(ROW)
        title, small = QFontMetrics(option.font), QFontMetrics(Appearance.shared().font("small"))
        if row.what is None:
            return QSize(100, title.height() + 2 * SPACE_S)
        return QSize(100, title.height() + small.height() + 2 * SPACE_S)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # each text in its own direction
        mirrored = option.direction is Qt.LayoutDirection.RightToLeft
        if row.what is not None:
            _background(painter, option)
        inner = option.rect.adjusted(SPACE_M, SPACE_S, -SPACE_M, -SPACE_S)
        if row.what is None:
            font = QFont(option.font)
            font.setWeight(QFont.Weight.DemiBold)
            _text(painter, inner, row.title, font, colours().muted, at_right=mirrored)
        else:
            _two_lines(painter, inner, row, option.font, mirrored)
        painter.restore()


def _background(painter: QPainter, option: QStyleOptionViewItem) -> None:
    c, state = colours(), option.state
    chosen = bool(state & QStyle.StateFlag.State_Selected)
    if not chosen and not state & QStyle.StateFlag.State_MouseOver:
        return
    painter.setPen(QColor(c.accent) if state & QStyle.StateFlag.State_HasFocus else Qt.PenStyle.NoPen)
    painter.setBrush(QColor(c.chosen if chosen else c.raised))
    painter.drawRoundedRect(option.rect.adjusted(2, 1, -2, -1), SPACE_XS + 2, SPACE_XS + 2)


def _two_lines(painter: QPainter, box: QRect, row: Row, font: QFont, mirrored: bool) -> None:
    c, small = colours(), Appearance.shared().font("small")
    first = QRect(box.left(), box.top(), box.width(), QFontMetrics(font).height())
    second = QRect(box.left(), first.bottom() + 1, box.width(), QFontMetrics(small).height())
    taken = QFontMetrics(small).horizontalAdvance(row.state) + SPACE_S if row.state else 0
    beside = first.adjusted(taken if mirrored else 0, 0, 0 if mirrored else -taken, 0)
    _text(painter, beside, row.title, font, c.muted if row.faint else c.text, at_right=mirrored)
    _text(painter, first, row.state, small, c.muted, at_right=not mirrored)
    _text(painter, second, row.line, small, c.muted, at_right=mirrored)


def _text(painter: QPainter, box: QRect, text: str, font: QFont, colour: str, *, at_right: bool) -> None:
    side = Qt.AlignmentFlag.AlignRight if at_right else Qt.AlignmentFlag.AlignLeft
    painter.setFont(font)
    painter.setPen(QColor(colour))
    cut = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | side | Qt.AlignmentFlag.AlignAbsolute, cut)
