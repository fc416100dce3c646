"""What is asked before a comparison, and how far it is while it runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.speculation import compare_words as words
from app.speculation import numbers
from app.speculation.compare_progress import CompareProgress
from app.speculation.figure_rows import plain_label
from app.speculation.switching_row import SwitchingRow
from app.theme import SPACE_M, SPACE_S, SPACE_XS
from engine.compare import REPEATS
from engine.request import Message, Sampling

STEPS = 1000
STACKED_BELOW = 520  # pixels
PROMPT_LINES = 4
MAX_TOKENS = 256
MOST_TOKENS, MOST_REPEATS = 8192, 25


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asked for; `mode` is one of `compare_words.modes`."""

    messages: tuple[Message, ...]
    mode: str
    repeats: int
    max_tokens: int


class CompareForm(QWidget):
    asked = Signal(object)  # Wish
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._before: tuple[Message, ...] = ()
        self._make_fields()
        self._make_progress()
        self._build()
        self.set_running(False)
        self._refresh()

    def show_prompt(self, text: str, before: Sequence[Message] = ()) -> None:
        """`before`: the messages of the conversation that the prompt belongs to, a system prompt included."""
        self._before = tuple(before)
        self.prompt.setPlainText(text)
        self.with_before.setText(self.tr("With the %n message(s) before it", "", len(before)))
        self.with_before.setVisible(bool(before))
        self.with_before.setChecked(bool(before))

    def show_modes(self, modes: Mapping[str, str], chosen: str) -> None:
        """Value -> name."""
        self.mode.clear()
        for mode, name in modes.items():
            self.mode.addItem(name, mode)
        self.mode.setCurrentIndex(max(self.mode.findData(chosen), 0))

    def show_sampling(self, sampling: Sampling) -> None:
        told = " · ".join(words.settings(sampling))
        self.sampling.setText(self.tr("As set for the chat: {settings}").format(settings=told))

    def set_running(self, running: bool) -> None:
        for field in (self.prompt, self.with_before, self.mode, self.repeats, self.max_tokens):
            field.setEnabled(not running)
        focused = self.start.hasFocus() or self.cancel.hasFocus()
        self.start.setVisible(not running)
        self.cancel.setVisible(running)
        if focused:
            (self.cancel if running else self.start).setFocus()
        self.bar.setVisible(running)
        self.status.setVisible(running)
        self.bar.setRange(0, 0)

    def wait(self, sentence: str) -> None:
        self.status.setText(sentence)

    def show_progress(self, progress: CompareProgress) -> None:
        now = progress.now
        if now is None:
            return
        self.bar.setRange(0, STEPS)
        self.bar.setValue(round(progress.fraction * STEPS))
        told = self.tr("Answer {number} of {total}: {side}").format(
            number=now.number, total=now.total, side=words.side_name(now.side)
        )
        said = [told]
        if progress.read is not None:
            said.append(self.tr("reading the prompt, {share}").format(share=numbers.percent(progress.read)))
        if (left := progress.seconds_left()) is not None:
            said.append(self._left(left))
        self.status.setText(" · ".join(said))

    def _left(self, seconds: float) -> str:
        if seconds < 90:
            return self.tr("about %n second(s) left", "", max(round(seconds), 1))
        return self.tr("about %n minute(s) left", "", round(seconds / 60))

    def _ask(self) -> None:
        text = self.prompt.toPlainText().strip()
        if not text or not self.start.isEnabled():
            return
        before = self._before if self.with_before.isChecked() else ()
        messages = (*before, Message("user", text))
        wish = Wish(
            messages, self.mode.currentData() or "auto", self.repeats.value(), self.max_tokens.value()
        )
        self.asked.emit(wish)

    def _refresh(self) -> None:
        self.start.setEnabled(bool(self.prompt.toPlainText().strip()) and self.prompt.isEnabled())

    def _make_fields(self) -> None:
        self.prompt = QPlainTextEdit(self)
        self.prompt.setObjectName("comparePrompt")
        self.prompt.setPlaceholderText(self.tr("What should be answered by both?"))
        self.prompt.setAccessibleName(self.tr("Prompt"))
        self.prompt.setTabChangesFocus(True)
        self.prompt.setFixedHeight(PROMPT_LINES * self.fontMetrics().lineSpacing() + 2 * SPACE_M)
        self.prompt.textChanged.connect(self._refresh)
        self.with_before = QCheckBox(self)
        self.with_before.hide()
        self.mode = QComboBox(self)
        self.sampling = plain_label(kind="small")
        self.repeats = _spin(1, MOST_REPEATS, REPEATS)
        self.max_tokens = _spin(8, MOST_TOKENS, MAX_TOKENS, step=64)
        self.start = QPushButton(self.tr("Compare"), self)
        self.start.setProperty("kind", "primary")
        self.start.setToolTip(self.tr("Start the comparison (Ctrl+Enter)"))
        self.start.clicked.connect(self._ask)
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.setToolTip(self.tr("End the comparison; what was measured is kept (Esc)"))
        self.cancel.clicked.connect(self.cancelled)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.setWhatsThis(self.tr("Start the comparison"))
            shortcut.activated.connect(self._ask)

    def _make_progress(self) -> None:
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress of the comparison"))
        self.status = QLabel(self)
        self.status.setProperty("kind", "muted")
        self.status.setWordWrap(True)

    def _build(self) -> None:
        options = QHBoxLayout()
        options.setSpacing(SPACE_M)
        for name, field in (
            (self.tr("Speculation"), self.mode),
            (self.tr("Repeats"), self.repeats),
            (self.tr("Tokens at most"), self.max_tokens),
        ):
            options.addWidget(_labelled(name, field))
        options.addStretch(1)
        tallest = max(field.sizeHint().height() for field in (self.mode, self.repeats, self.max_tokens))
        for field in (self.mode, self.repeats, self.max_tokens):
            field.setMinimumHeight(tallest)
        switching = SwitchingRow(STACKED_BELOW, SPACE_M)
        switching.row.addLayout(options, 1)
        for button in (self.start, self.cancel):
            switching.row.addWidget(button, 0, Qt.AlignmentFlag.AlignBottom)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_S)
        column.addWidget(self.prompt)
        column.addWidget(self.with_before)
        column.addWidget(switching)
        column.addWidget(self.sampling)
        column.addSpacing(SPACE_XS)
        column.addWidget(self.bar)
        column.addWidget(self.status)


def _spin(least: int, most: int, value: int, step: int = 1) -> QSpinBox:
    spin = QSpinBox()
    spin.setRange(least, most)
    spin.setValue(value)
    spin.setSingleStep(step)
    return spin


def _labelled(name: str, field: QWidget) -> QWidget:
    """The name above the field, so that long names widen nothing."""
    both = QWidget()
    label = QLabel(name, both)
    label.setProperty("kind", "small")
    label.setBuddy(field)
    field.setAccessibleName(name)
    column = QVBoxLayout(both)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(SPACE_XS)
    column.addWidget(label)
    column.addWidget(field)
    return both
