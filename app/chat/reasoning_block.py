"""What a model thought before it answered: one line, which opens to the whole text."""

from collections.abc import Callable
from time import monotonic

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.chat.block_view import BlockView
from app.theme import SPACE_M, SPACE_S

TAIL_CHARS = 300  # the newest text that is looked at for the line
TICK_MS = 1000
COPIED_MS = 1500
INSET = SPACE_M + 3  # with its line


class ReasoningBlock(QWidget):
    """Closed until the user opens it; its text is laid out only then."""

    def __init__(self, parent: QWidget | None = None, clock: Callable[[], float] = monotonic) -> None:
        super().__init__(parent)
        self.source = ""
        self.seconds = 0.0
        self.body: BlockView | None = None
        self._clock = clock
        self._begun = clock()
        self._told: float | None = None
        self._finished = False
        self._width = 0
        self.toggle = QPushButton(self)
        self.toggle.setProperty("kind", "action")
        self.toggle.setCheckable(True)
        self.toggle.toggled.connect(self._show_open)
        self.copy_button = QPushButton(self.tr("Copy"), self)
        self.copy_button.setProperty("kind", "action")
        self.copy_button.setAccessibleName(self.tr("Copy the reasoning"))
        self.copy_button.clicked.connect(self.copy)
        self._tail = QLabel(self)
        self._tail.setProperty("kind", "small")
        self._tail.setTextFormat(Qt.TextFormat.PlainText)
        self._tail.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._frame = QFrame(self)
        self._frame.setObjectName("quoteBlock")
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)  # else it may come just before the second is over
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tell)
        self._timer.start()
        self._build()
        self._show_open(False)

    @property
    def is_open(self) -> bool:
        return self.toggle.isChecked()

    def append(self, text: str) -> None:
        self.source += text
        if self.body is not None:
            self.body.append(text)
        self._show_tail()

    def told(self, seconds: float) -> None:
        """How long it took in truth, for the block was made later."""
        self._told = self.seconds = seconds
        self._tell()

    def finish(self) -> None:
        """The answer begins, or ends without one."""
        if self._finished:
            return
        self._finished = True
        if self._told is None:
            self.seconds = self._clock() - self._begun
        self._timer.stop()
        if self.body is not None:
            self.body.finish()
        self._tail.hide()
        self._tell()

    def open(self, opened: bool = True) -> None:
        self.toggle.setChecked(opened)

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self.source.strip())
        self.copy_button.setText(self.tr("Copied"))
        QTimer.singleShot(COPIED_MS, self.copy_button, lambda: self.copy_button.setText(self.tr("Copy")))

    def has_selection(self) -> bool:
        return self.body is not None and self.body.has_selection()

    def expect_width(self, width: int) -> None:
        self._width = width - INSET
        if self.body is not None:
            self.body.expect_width(self._width)

    def restyle(self) -> None:
        if self.body is not None:
            self.body.restyle()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._show_tail()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_tail()

    def _show_open(self, opened: bool) -> None:
        if opened and self.body is None:
            self.body = BlockView(self._frame)
            self.body.expect_width(self._width)
            self._inner.addWidget(self.body)
            self.body.append(self.source)
            if self._finished:
                self.body.finish()
        self._frame.setVisible(opened)
        self.copy_button.setVisible(opened)
        self._tail.setVisible(not opened and not self._finished)
        self._tell()

    def _tell(self) -> None:
        arrow = "▾" if self.is_open else "▸"
        self.toggle.setText(f"{arrow}  {self._sentence()}")
        self.toggle.setAccessibleName(self._sentence())
        hint = self.tr("Hide the reasoning") if self.is_open else self.tr("Show the reasoning")
        self.toggle.setToolTip(hint)
        self.toggle.setAccessibleDescription(hint)

    def _sentence(self) -> str:
        seconds = int(self.seconds if self._finished else self._clock() - self._begun)
        if self._finished:
            return (
                self.tr("Thought for {seconds} s").format(seconds=seconds)
                if seconds
                else self.tr("Reasoning")
            )
        return self.tr("Thinking… {seconds} s").format(seconds=seconds)

    def _show_tail(self) -> None:
        if self._finished or self.is_open:
            return
        line = " ".join(self.source[-TAIL_CHARS:].split())
        width = max(self._tail.width(), 1)
        self._tail.setText(self._tail.fontMetrics().elidedText(line, Qt.TextElideMode.ElideLeft, width))

    def _build(self) -> None:
        header = QHBoxLayout()
        header.setContentsMargins(0, 0, 0, 0)
        header.addWidget(self.toggle)
        header.addStretch(1)
        header.addWidget(self.copy_button)
        self._inner = QVBoxLayout(self._frame)
        self._inner.setContentsMargins(SPACE_M, 2, 0, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S - 2)
        layout.addLayout(header)
        layout.addWidget(self._tail)
        layout.addWidget(self._frame)
