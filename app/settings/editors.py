"""Editors of single values, alike from outside: `value`, `show`, and `edited` when the user changed it."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRegularExpression, QSignalBlocker, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QFontMetricsF,
    QRegularExpressionValidator,
    QStandardItemModel,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from app.theme import SPACE_S

LARGEST_SHOWN = 2**31 - 1  # of a spin box
STEP = 0.05
PADDING = 3  # pixels, as the style sheet has it
NUMBER_CHARS = 12  # a field for a number is at least so wide
SHORTEST = 14  # characters of a choice that are always seen


class Decimal(QDoubleSpinBox):
    edited = Signal()

    def __init__(self, low: float, high: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDecimals(2)
        self.setRange(low, high)
        self.setSingleStep(STEP)
        _fit(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.valueChanged.connect(lambda _value: self.edited.emit())

    def show_value(self, value: float) -> None:
        if value != self.value():  # else what is being written would be tidied up under the user's hands
            with QSignalBlocker(self):
                self.setValue(value)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Who scrolls past a field does not want to change it."""
        event.ignore()


class Whole(QSpinBox):
    edited = Signal()

    def __init__(self, low: float, high: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(int(low), int(min(high, LARGEST_SHOWN)))
        self.setGroupSeparatorShown(True)
        _fit(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.valueChanged.connect(lambda _value: self.edited.emit())

    def show_value(self, value: int) -> None:
        if value != self.value():  # else what is being written would be tidied up under the user's hands
            with QSignalBlocker(self):
                self.setValue(value)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class Choice(QComboBox):
    """Of `options`: value and what stands for it."""

    edited = Signal()

    def __init__(self, options: Sequence[tuple[object, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setMinimumContentsLength(SHORTEST)
        self.offer(options)
        self.activated.connect(lambda _index: self.edited.emit())

    def offer(self, options: Sequence[tuple[object, str]]) -> None:
        with QSignalBlocker(self):
            self.clear()
            for value, text in options:
                self.addItem(text, value)

    def allow(self, value: object, why: str, allowed: bool) -> None:
        """One that is not allowed is seen but can't be chosen; `why` is its tip."""
        row, model = self.findData(value), self.model()
        self.setItemData(row, why or None, Qt.ItemDataRole.ToolTipRole)
        if isinstance(model, QStandardItemModel) and (item := model.item(row)) is not None:
            item.setEnabled(allowed)

    def value(self) -> object:
        return self.currentData()

    def show_value(self, value: object) -> None:
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(value))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class Text(QPlainTextEdit):
    """Some lines high. `read` and `write` turn its text into the value and back."""

    edited = Signal()

    def __init__(
        self,
        lines: int,
        parent: QWidget | None = None,
        read: Callable[[str], object] = str,
        write: Callable[..., str] = str,
    ) -> None:
        super().__init__(parent)
        self._read, self._write, self._lines = read, write, lines
        self.setObjectName("settingText")
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._fit()
        self.textChanged.connect(self.edited)

    def value(self) -> object:
        return self._read(self.toPlainText())

    def show_value(self, value: object) -> None:
        """What means the same is left as the user writes it."""
        if self.value() != value:
            with QSignalBlocker(self):
                self.setPlainText(self._write(value))

    def _fit(self) -> None:
        around = 2 * self.document().documentMargin() + 2 * (self.frameWidth() + PADDING)
        self.setFixedHeight(int(self._lines * QFontMetricsF(self.font()).lineSpacing() + around + 2))


class Seed(QWidget):
    """A new seed for each answer (None), or always this one."""

    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = Choice(
            [(False, self.tr("New for each answer")), (True, self.tr("Always this one"))], self
        )
        self.number = QLineEdit(self)
        self.number.setValidator(QRegularExpressionValidator(QRegularExpression("[0-9]{1,19}"), self))
        self.number.setAccessibleName(self.tr("Seed as a number"))
        self.number.setMaxLength(19)
        self.setFocusProxy(self.kind)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_S)
        row.addWidget(self.kind)
        row.addWidget(self.number, 1)
        self.kind.edited.connect(self._chosen)
        self.number.textEdited.connect(lambda _text: self.edited.emit())
        self.show_value(None)

    def value(self) -> int | None:
        return int(self.number.text() or 0) if self.kind.value() else None

    def show_value(self, value: int | None) -> None:
        self.kind.show_value(value is not None)
        self.number.setVisible(value is not None)
        if value is not None and value != int(self.number.text() or -1):
            self.number.setText(str(value))

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        self.kind.setAccessibleName(name)

    def _chosen(self) -> None:
        self.number.setVisible(bool(self.kind.value()))
        self.edited.emit()


def _fit(field: QAbstractSpinBox) -> None:
    """Wide enough for a number. Its row draws the frame: Fusion's own can't be seen on a dark ground."""
    field.setFrame(False)
    field.setMinimumWidth(QFontMetrics(field.font()).horizontalAdvance("0" * NUMBER_CHARS))


Editor = Decimal | Whole | Choice | Text | Seed


def stops_from(text: str) -> list[str]:
    """One a line, without empty ones; \\n, \\t and \\\\ stand for what can't be written."""
    return [_unescaped(line) for line in text.split("\n") if line]


def stops_as_text(stops: Sequence[str]) -> str:
    return "\n".join(stop.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t") for stop in stops)


def _unescaped(line: str) -> str:
    marks = {"n": "\n", "t": "\t", "\\": "\\"}
    out, rest = "", line
    while rest:
        if rest[0] == "\\" and rest[1:2] in marks:
            out, rest = out + marks[rest[1]], rest[2:]
        else:
            out, rest = out + rest[0], rest[1:]
    return out
