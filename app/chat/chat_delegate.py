"""Paints a row of the chat list: a section, a chat, or a hit of a search with the words in bold."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPolygonF,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.chat.chat_model import ROW, ChatModel, id_of
from app.chat.sections import Section
from app.history.rows import Hit
from app.theme import SPACE_M, SPACE_S, SPACE_XS, Appearance, colours

CHEVRON = 4  # pixels from its middle to its ends
BAR = 3
SNIPPET_LINES = 2
Index = QModelIndex | QPersistentModelIndex
Marks = Sequence[tuple[int, int]]


class ChatDelegate(QStyledItemDelegate):
    """All rows are equally high, as long as the list shows chats or hits, not both."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        height = option.fontMetrics.height() + 2 * SPACE_S
        if isinstance(index.data(ROW), Hit):
            height += SNIPPET_LINES * QFontMetrics(_small()).lineSpacing() + SPACE_XS
        return QSize(100, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # each text in its own direction
        _background(painter, option, self._is_open(index))
        inner = option.rect.adjusted(SPACE_M, 0, -SPACE_S, 0)
        if option.direction == Qt.LayoutDirection.RightToLeft:
            inner = option.rect.adjusted(SPACE_S, 0, -SPACE_M, 0)
        if isinstance(row, Section):
            _section(painter, inner, row, option)
        elif isinstance(row, Hit):
            _hit(painter, inner, index.data(), row, option)
        else:
            _chat(painter, inner, index.data(), option)
        painter.restore()

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        edit = QLineEdit(parent)
        is_section = isinstance(index.data(ROW), Section)
        edit.setAccessibleName(self.tr("Name of the folder") if is_section else self.tr("Title of the chat"))
        return edit

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(option.rect.adjusted(0, 1, 0, -1))

    @staticmethod
    def _is_open(index: Index) -> bool:
        model = index.model()
        assert isinstance(model, ChatModel)
        return model.opened is not None and id_of(index.data(ROW)) == model.opened


def _background(painter: QPainter, option: QStyleOptionViewItem, is_open: bool) -> None:
    """The chat that is read has a bar at its side; the row of the keyboard a frame; that of the mouse a tint."""
    c, box = colours(), option.rect.adjusted(0, 1, 0, -1)
    painter.setPen(Qt.PenStyle.NoPen)
    hovered = option.state & QStyle.StateFlag.State_MouseOver
    if is_open or hovered:
        painter.setBrush(QColor(c.chosen if is_open else c.raised))
        painter.drawRoundedRect(box, SPACE_XS, SPACE_XS)
    if is_open:
        right = option.direction == Qt.LayoutDirection.RightToLeft
        left = box.right() - BAR + 1 if right else box.left()
        painter.fillRect(QRect(left, box.top(), BAR, box.height()), QColor(c.accent))
    if option.state & QStyle.StateFlag.State_HasFocus:
        painter.setPen(QColor(c.accent))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(0, 0, -1, -1), SPACE_XS, SPACE_XS)


def _section(painter: QPainter, box: QRect, section: Section, option: QStyleOptionViewItem) -> None:
    painter.setFont(_small(bold=True))
    painter.setPen(QColor(colours().muted))
    right = option.direction == Qt.LayoutDirection.RightToLeft
    _chevron(
        painter,
        QPointF(box.right() - CHEVRON if right else box.left() + CHEVRON, box.center().y() + 1),
        section.is_open,
        right,
    )
    gap = 2 * CHEVRON + SPACE_S
    text = box.adjusted(0 if right else gap, 0, -gap if right else 0, 0)
    if not section.is_open or not section.count:
        _line(painter, text, str(section.count), option, Qt.AlignmentFlag.AlignTrailing)
        wide = painter.fontMetrics().horizontalAdvance(str(section.count)) + SPACE_S
        text = text.adjusted(wide if right else 0, 0, 0 if right else -wide, 0)
    _line(painter, text, section.title, option)


def _chevron(painter: QPainter, at: QPointF, is_open: bool, right_to_left: bool) -> None:
    """Points down when open, else in the direction of reading."""
    half = CHEVRON / 2
    if is_open:
        points = [QPointF(-CHEVRON, -half), QPointF(0, half), QPointF(CHEVRON, -half)]
    else:
        way = -half if right_to_left else half
        points = [QPointF(-way, -CHEVRON), QPointF(way, 0), QPointF(-way, CHEVRON)]
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF([at + point for point in points]))


def _chat(painter: QPainter, box: QRect, title: str, option: QStyleOptionViewItem) -> None:
    painter.setFont(option.font)
    painter.setPen(QColor(colours().text))
    _line(painter, box, title, option)


def _hit(painter: QPainter, box: QRect, title: str, hit: Hit, option: QStyleOptionViewItem) -> None:
    c, top = colours(), box.top() + SPACE_S
    first = QRect(box.left(), top, box.width(), option.fontMetrics.height())
    elided = option.fontMetrics.elidedText(title, Qt.TextElideMode.ElideRight, first.width())
    marks = hit.title_marks if title == hit.conversation.title else ()
    painter.setPen(QColor(c.text))
    painter.setFont(option.font)
    _marked(painter, first, elided, marks, option)
    painter.setPen(QColor(c.muted))
    painter.setFont(_small())
    height = SNIPPET_LINES * painter.fontMetrics().lineSpacing()
    below = QRect(box.left(), first.bottom() + 1 + SPACE_XS // 2, box.width(), height)
    _marked(painter, below, hit.snippet, hit.marks, option)


def _marked(painter: QPainter, box: QRect, text: str, marks: Marks, option: QStyleOptionViewItem) -> None:
    """Wrapped in `box`, what doesn't fit is left out; the marks stand out by weight and colour."""
    layout = QTextLayout(text, painter.font())
    wrapped = QTextOption(_side(option))
    wrapped.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    wrapped.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(wrapped)
    layout.setFormats([_range(start, end) for start, end in marks])
    layout.beginLayout()
    metrics, top = painter.fontMetrics(), 0
    while top < box.height() and (line := layout.createLine()).isValid():
        line.setLineWidth(box.width())
        line.setPosition(
            QPointF(0, top + metrics.ascent() - line.ascent())
        )  # other scripts' letters are taller
        top += metrics.lineSpacing()
    layout.endLayout()
    layout.draw(painter, QPointF(box.topLeft()))


def _range(start: int, end: int) -> QTextLayout.FormatRange:
    span = QTextLayout.FormatRange()
    span.start, span.length = start, end - start
    span.format = QTextCharFormat()
    span.format.setFontWeight(QFont.Weight.Bold)
    span.format.setForeground(QColor(colours().accent))
    return span


def _line(
    painter: QPainter,
    box: QRect,
    text: str,
    option: QStyleOptionViewItem,
    side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeading,
) -> None:
    elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
    align = _side(option, side) | Qt.AlignmentFlag.AlignVCenter
    painter.drawText(box, int(align | Qt.TextFlag.TextSingleLine), elided)


def _side(
    option: QStyleOptionViewItem, side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeading
) -> Qt.AlignmentFlag:
    """Where the window's direction has it, whatever that of the text."""
    return QStyle.visualAlignment(option.direction, side) | Qt.AlignmentFlag.AlignAbsolute


def _small(bold: bool = False) -> QFont:
    return Appearance.shared().font("small", bold=bold)
