"""The page of the models: what is installed, what can be had, what is being fetched."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from app.failure_log import FailureLog
from app.models.details import Details
from app.models.fetch_page import STEPS, stage_in_words
from app.models.get_tab import GetTab
from app.models.installed_tab import InstalledTab
from app.models.queue_tab import IN_QUEUE, QueueTab
from app.models.sizes import in_words
from app.speculation.figure_rows import plain_label
from app.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL
from engine.events import Progress
from engine.models.queue import Item
from engine.models.store import ModelStore

COLUMN = 1040  # pixels


class ManagerPage(QWidget):
    left = Signal()
    cancel_asked = Signal()  # of what the work bar shows

    def __init__(self, store: ModelStore, log: FailureLog, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Models"))
        self.installed = InstalledTab(store, log, self)
        self.get = GetTab(store, log, self)
        self.queue = QueueTab(self)
        self.tabs = QTabBar(self)
        self.tabs.setAccessibleName(self.tr("Models"))
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        for text in (self.tr("Installed"), self.tr("Get models"), self.tr("Queue")):
            self.tabs.addTab(text)
        self.back = QPushButton(self.tr("Back to chat"), self)
        self.back.setProperty("kind", "toggle")
        self.back.clicked.connect(self.left)
        self._stack = QStackedWidget(self)
        for page in (self.installed, self.get, self.queue):
            self._stack.addWidget(page)
        self.tabs.currentChanged.connect(self._stack.setCurrentIndex)
        self.work = _WorkBar(self)
        self.work.cancel.clicked.connect(self.cancel_asked)
        self._build()
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        escape.setWhatsThis(self.tr("Leave the models"))
        escape.activated.connect(self.left)

    def show_tab(self, tab: QWidget) -> None:
        self.tabs.setCurrentIndex(self._stack.indexOf(tab))

    def shown_details(self) -> Details:
        return self.get.details if self._stack.currentWidget() is self.get else self.installed.details

    def show_queue(self, items: list[Item], held: bool) -> None:
        self.queue.show_items(items, held)
        count = sum(item.state in IN_QUEUE for item in items)
        text = self.tr("Queue ({count})").format(count=count) if count else self.tr("Queue")
        if self.tabs.tabText(2) != text:
            self.tabs.setTabText(2, text)

    def _build(self) -> None:
        title = QLabel(self.tr("Models"), self)
        title.setProperty("kind", "title")
        head = QHBoxLayout()
        head.addWidget(title, 1)
        head.addWidget(self.back)
        inner = QWidget(self)
        inner.setMaximumWidth(COLUMN)
        column = QVBoxLayout(inner)
        column.setContentsMargins(SPACE_XL, SPACE_L, SPACE_XL, SPACE_M)
        column.setSpacing(SPACE_S)
        column.addLayout(head)
        column.addWidget(self.tabs)
        column.addWidget(self._stack, 1)
        column.addWidget(self.work)
        centred = QHBoxLayout(self)
        centred.setContentsMargins(0, 0, 0, 0)
        centred.addStretch(1)
        centred.addWidget(inner, 1000)
        centred.addStretch(1)


class _WorkBar(QWidget):
    """An import or a check that is going on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = plain_label("", "small")
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.cancel = QPushButton(self.tr("Cancel"), self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_M)
        row.addWidget(self.text, 2)
        row.addWidget(self.bar, 1)
        row.addWidget(self.cancel)
        self.hide()

    def begin(self, title: str) -> None:
        self._title = title
        self.text.setText(title)
        self.bar.setRange(0, 0)
        self.bar.setAccessibleName(title)
        self.cancel.setEnabled(True)
        self.show()

    def show_progress(self, progress: Progress) -> None:
        known = progress.total > 0
        self.bar.setRange(0, STEPS if known else 0)
        words = [self._title, stage_in_words(progress.stage)]
        if known:
            self.bar.setValue(min(STEPS, progress.done * STEPS // progress.total))
            amount = self.tr("{done} of {total}")
            words.append(amount.format(done=in_words(progress.done), total=in_words(progress.total)))
        self.text.setText(" · ".join(words))
