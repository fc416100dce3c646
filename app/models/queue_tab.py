"""The fetch queue: how each goes, in words and as a bar, and buttons to pause, go on and give up."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.chat.notice import Notice
from app.models.fetch_page import STEPS, stage_in_words
from app.models.model_words import speed_in_words, time_in_words
from app.models.sizes import in_words
from app.speculation.figure_rows import plain_label
from app.theme import SPACE_M, SPACE_S
from engine.models.queue import Item, State

IN_QUEUE = (State.WAITING, State.RUNNING, State.PAUSED, State.FAILED)


class QueueRow(QFrame):
    """One fetch. Its buttons: pause or go on, first of all, give up."""

    pause_asked = Signal(int)
    resume_asked = Signal(int)
    drop_asked = Signal(int)
    first_asked = Signal(int)
    token_asked = Signal(str)

    def __init__(self, item: Item, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.item = item
        self._title = plain_label(item.wanted.title)
        self._title.setProperty("kind", "field")
        self._line = plain_label("", "small")
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(item.wanted.title)
        self.main = QPushButton(self)
        self.main.clicked.connect(self._main)
        self.first = QPushButton(self.tr("First"), self)
        self.first.setToolTip(self.tr("Fetch this one before the others"))
        self.first.clicked.connect(lambda: self.first_asked.emit(self.item.id))
        self.drop = QPushButton(self)
        self.drop.clicked.connect(lambda: self.drop_asked.emit(self.item.id))
        self.notice: Notice | None = None
        self._build()
        self.show_item(item, held=False, leads=True)

    def show_item(self, item: Item, held: bool, leads: bool) -> None:
        """`held`: nothing starts until the user agrees; `leads`: none that waits stands before it."""
        told = self.item.problem
        self.item = item
        self._line.setText(self._words(held))
        self._line.setAccessibleName(f"{item.wanted.title}: {self._line.text()}")
        self._show_bar()
        self.main.setText(self._deed(held))
        self.main.setVisible(item.state is not State.DONE)
        self.main.setAccessibleName(f"{self.main.text()}: {item.wanted.title}")
        done = item.state is State.DONE
        self.drop.setText(self.tr("Clear") if done else self.tr("Cancel"))
        self.drop.setToolTip("" if done else self.tr("Gives up and deletes what has arrived"))
        self.drop.setAccessibleName(f"{self.drop.text()}: {item.wanted.title}")
        self.first.setVisible(item.state is State.WAITING and not leads)
        if item.problem != told or (item.problem and self.notice is None):
            self._show_problem()

    def _words(self, held: bool) -> str:
        item = self.item
        amount = self.tr("{done} of {total}").format(done=in_words(item.done), total=in_words(item.total))
        there = amount if item.total else ""
        if item.state is State.RUNNING:
            return " · ".join(part for part in self._going(there) if part)
        words = {
            State.WAITING: self.tr("Interrupted") if held else self.tr("Waiting"),
            State.PAUSED: self.tr("Paused"),
            State.FAILED: self.tr("Stopped"),
            State.DONE: self.tr("Ready"),
        }[item.state]
        return f"{words} · {there}" if there and item.state is not State.DONE else words

    def _going(self, there: str) -> list[str]:
        item = self.item
        if item.stage != "download":
            return [stage_in_words(item.stage) if item.stage else self.tr("Connecting…"), there]
        pace = speed_in_words(item.speed) if item.speed is not None else ""
        return [there, pace, time_in_words(item.left_s) if item.left_s is not None else ""]

    def _show_bar(self) -> None:
        item = self.item
        self.bar.setVisible(item.state is not State.DONE)
        known = item.total > 0
        self.bar.setRange(0, STEPS if known or item.state is not State.RUNNING else 0)
        if known:
            self.bar.setValue(min(STEPS, item.done * STEPS // item.total))

    def _deed(self, held: bool) -> str:
        if self.item.state is State.FAILED:
            return self.tr("Try again")
        going = self.item.state in (State.RUNNING, State.WAITING) and not held
        return self.tr("Pause") if going else self.tr("Continue")

    def _main(self) -> None:
        going = self.main.text() == self.tr("Pause")
        (self.pause_asked if going else self.resume_asked).emit(self.item.id)

    def _show_problem(self) -> None:
        if self.notice is not None:
            self.notice.hide()
            self.notice.deleteLater()
            self.notice = None
        if self.item.problem:
            order = self.item.wanted.order
            action = self.tr("Access token…") if self.item.gated else ""
            repo = order.repo if order else ""
            self.notice = Notice(
                self.item.problem, action, lambda: self.token_asked.emit(repo), "error", self
            )
            self._column.addWidget(self.notice)

    def _build(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._title)
        words.addWidget(self._line)
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addLayout(words, 1)
        for button in (self.first, self.main, self.drop):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(SPACE_M, SPACE_M, SPACE_M, SPACE_M)
        self._column.setSpacing(SPACE_S)
        self._column.addLayout(row)
        self._column.addWidget(self.bar)


class QueueTab(QWidget):
    """Rows that stay the same widgets while their fetches go on, so that the keyboard's place is kept."""

    pause_asked = Signal(int)
    resume_asked = Signal(int)
    drop_asked = Signal(int)
    first_asked = Signal(int)
    token_asked = Signal(str)
    go_on_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: dict[int, QueueRow] = {}
        self.empty = plain_label(
            self.tr("Nothing is being fetched. What you choose under “Get models” comes here."), "muted"
        )
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._held: Notice | None = None
        self._build()

    def show_items(self, items: list[Item], held: bool) -> None:
        self._show_held(held)
        ids = [item.id for item in items]
        for gone in [number for number in self.rows if number not in ids]:
            row = self.rows.pop(gone)
            row.hide()
            row.deleteLater()
        waiting = [item.id for item in items if item.state is State.WAITING]
        for place, item in enumerate(items):
            row = self.rows.get(item.id) or self._new_row(item)
            row.show_item(item, held, leads=not waiting or waiting[0] == item.id)
            if self._column.indexOf(row) != place:
                self._column.insertWidget(place, row)
        self.empty.setVisible(not items)
        self._scroll.setVisible(bool(items))

    def _new_row(self, item: Item) -> QueueRow:
        row = self.rows[item.id] = QueueRow(item, self)
        row.pause_asked.connect(self.pause_asked)
        row.resume_asked.connect(self.resume_asked)
        row.drop_asked.connect(self.drop_asked)
        row.first_asked.connect(self.first_asked)
        row.token_asked.connect(self.token_asked)
        return row

    def _show_held(self, held: bool) -> None:
        if held == (self._held is not None):
            return
        if self._held is not None:
            self._held.hide()
            self._held.deleteLater()
            self._held = None
        else:
            text = self.tr("Slipstream ended before these fetches were complete.")
            self._held = Notice(text, self.tr("Continue all"), self.go_on_asked.emit, "plain", self)
            self._outer.insertWidget(0, self._held)

    def _build(self) -> None:
        inner = QWidget(self)
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(0, 0, SPACE_S, 0)
        self._column.setSpacing(SPACE_S)
        self._column.addStretch(1)
        self._scroll = QScrollArea(self)
        self._scroll.setAccessibleName(self.tr("Fetch queue"))
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(inner)
        self.empty.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(0, SPACE_M, 0, 0)
        self._outer.setSpacing(SPACE_M)
        self._outer.addWidget(self._scroll, 1)
        self._outer.addWidget(self.empty, 1)
