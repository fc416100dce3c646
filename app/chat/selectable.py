"""What the texts of a conversation have in common: they can be selected across, marked, and copied as Markdown."""

from typing import Any, Protocol

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QMenu, QPlainTextEdit, QTextEdit, QWidget

Edit = QTextEdit | QPlainTextEdit
CODE_POINTS = str.maketrans({"\u2029": "\n", "\u2028": "\n", "\u00a0": " "})


class Selection(Protocol):
    """Of all the texts of a conversation."""

    def begin(self, text: Edit) -> None: ...
    def extend(self, text: Edit, place: QPoint) -> bool: ...
    def select_message(self, text: Edit) -> None: ...
    def copy(self, as_shown: bool = False) -> None: ...


def selection_of(text: QWidget) -> Selection | None:
    """That of the transcript that holds the text."""
    parent = text.parentWidget()
    while parent is not None:
        selection: Selection | None = getattr(parent, "selection", None)
        if selection is not None:
            return selection
        parent = parent.parentWidget()
    return None


def selected_span(text: Edit) -> tuple[int, int]:
    """In code points of `shown`; Qt counts otherwise."""
    cursor = text.textCursor()
    start = len(_between(text, 0, cursor.selectionStart()))
    return start, start + len(cursor.selectedText())


def shown(text: Edit) -> str:
    """The letters of the whole text, paragraphs divided by U+2029."""
    cursor = QTextCursor(text.document())
    cursor.select(QTextCursor.SelectionType.Document)
    return cursor.selectedText()


def select(text: Edit, start: int, end: int) -> None:
    """In Qt's positions; from `start` to `end`, where the cursor is."""
    cursor = QTextCursor(text.document())
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    text.setTextCursor(cursor)


def _between(text: Edit, start: int, end: int) -> str:
    cursor = QTextCursor(text.document())
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText()


class Selectable:
    """Mixed into a text edit, before Qt's class. Outside a transcript the text keeps its own ways."""

    marks: dict[str, list[Any]]

    def mark(self, name: str, selections: list[Any]) -> None:
        """Formats laid over the text, QTextEdit.ExtraSelection each; several names keep theirs side by side."""
        self.marks = {**getattr(self, "marks", {}), name: selections}
        self.setExtraSelections([each for marks in self.marks.values() for each in marks])  # type: ignore[attr-defined]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)  # type: ignore[misc]
        selection = selection_of(self)  # type: ignore[arg-type]
        if selection is not None and event.button() is Qt.MouseButton.LeftButton:
            selection.begin(self)  # type: ignore[arg-type]

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            selection = selection_of(self)  # type: ignore[arg-type]
            if selection is not None and selection.extend(self, event.globalPosition().toPoint()):  # type: ignore[arg-type]
                return
        super().mouseMoveEvent(event)  # type: ignore[misc]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        selection = selection_of(self)  # type: ignore[arg-type]
        if selection is not None and event.matches(QKeySequence.StandardKey.Copy):
            selection.copy()
        elif selection is not None and event.matches(QKeySequence.StandardKey.SelectAll):
            selection.select_message(self)  # type: ignore[arg-type]
        else:
            super().keyPressEvent(event)  # type: ignore[misc]

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        selection = selection_of(self)  # type: ignore[arg-type]
        if selection is None:
            super().contextMenuEvent(event)  # type: ignore[misc]
        else:
            self._menu(selection, event).popup(event.globalPos())

    def _menu(self, selection: Selection, event: QContextMenuEvent) -> QMenu:
        menu: QMenu = QMenu(self)  # type: ignore[call-overload]
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        tr = self.tr  # type: ignore[attr-defined]
        menu.addAction(tr("Copy as Markdown"), selection.copy)
        menu.addAction(tr("Copy as shown"), lambda: selection.copy(as_shown=True))
        menu.addAction(tr("Select the whole message"), lambda: selection.select_message(self))  # type: ignore[arg-type]
        address = getattr(self, "anchorAt", lambda _place: "")(event.pos())
        if address:
            menu.addAction(tr("Copy the link's address"), lambda: QApplication.clipboard().setText(address))
        return menu
