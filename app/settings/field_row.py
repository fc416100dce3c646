"""One setting as a row: its name, its editor, a line that explains it, and a way back to the default."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.settings.editors import Editor, Text
from app.settings.words import Words
from app.theme import SPACE_S, SPACE_XS


class _Frame(QFrame):
    """Around a number; it shows where the focus is."""

    def __init__(self, field: QAbstractSpinBox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("numberFrame")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE_XS, SPACE_XS, SPACE_XS, SPACE_XS)
        layout.addWidget(field)
        field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.setProperty("focused", event.type() is QEvent.Type.FocusIn)
            self.style().unpolish(self)
            self.style().polish(self)
        return super().eventFilter(watched, event)


class FieldRow(QWidget):
    """`mark` says that the value is not the default; the way back shows only then."""

    edited = Signal()
    reset_asked = Signal()

    def __init__(self, words: Words, editor: Editor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.editor = editor
        self._words = words
        self.name = QLabel(words.title, self)
        self.name.setProperty("kind", "field")
        self.name.setBuddy(editor)
        self.explanation = QLabel(words.explanation, self)
        self.explanation.setProperty("kind", "small")
        self.explanation.setWordWrap(True)
        self.reset = QPushButton(self.tr("Reset"), self)
        self.reset.setProperty("kind", "action")
        self.reset.setCursor(Qt.CursorShape.PointingHandCursor)
        self.reset.setAccessibleName(self.tr("Reset: {name}").format(name=words.title))
        self.reset.clicked.connect(self.reset_asked)
        editor.setAccessibleName(words.title)
        editor.setAccessibleDescription(words.explanation)
        editor.edited.connect(self.edited)
        self._build()
        self.mark(changed=False)

    def mark(self, changed: bool, default: str = "") -> None:
        """`default`: what the way back leads to, in words."""
        if self.reset.hasFocus() and not changed:
            self.editor.setFocus()
        self.reset.setVisible(changed)
        self.reset.setToolTip(self.tr("Back to {value}").format(value=default) if default else "")
        if self.name.property("changed") != changed:
            self.name.setProperty("changed", changed)
            self.name.style().unpolish(self.name)
            self.name.style().polish(self.name)
        self.name.setAccessibleDescription(self.tr("Changed") if changed else "")

    def add(self, widget: QWidget) -> None:
        """Below the explanation."""
        self._column.addWidget(widget, 0, Qt.AlignmentFlag.AlignLeading)

    def complain(self, sentence: str) -> None:
        """In the place of the explanation; "" brings that back."""
        self.explanation.setText(sentence or self._words.explanation)
        self.explanation.setProperty("kind", "complaint" if sentence else "small")
        self.explanation.style().unpolish(self.explanation)
        self.explanation.style().polish(self.explanation)

    def _build(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(SPACE_S)
        top.addWidget(self.name)
        top.addWidget(self.reset)
        top.addStretch(1)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_XS)
        column.addLayout(top)
        if isinstance(self.editor, Text):
            column.addWidget(self.editor)
        else:
            top.addWidget(
                _Frame(self.editor, self) if isinstance(self.editor, QAbstractSpinBox) else self.editor
            )
        column.addWidget(self.explanation)
