"""The fetch queue in the window: how it goes on, what is ready, and what it needs of the user."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.models.manager_page import ManagerPage
from app.models.token_dialog import TokenDialog
from engine.models.meter import Listener
from engine.models.queue import FetchQueue, Item, State, Wanted

if TYPE_CHECKING:
    from app.main_window import MainWindow

QUEUE_FILE = "fetch-queue.json"
REFRESH_MS = 250
TOPIC, FILE_TOPIC = "fetch-queue", "fetch-queue-file"


class FetchDesk(QObject):
    queue_wanted = Signal()  # the user wants to see it

    def __init__(self, window: "MainWindow", page: ManagerPage) -> None:
        super().__init__(window)
        self._window = window
        self._store = window.store
        self._page = page
        home = Path(window.settings.fileName()).parent
        self.queue = FetchQueue(home / QUEUE_FILE, self._fetch, self._discard, window.log.sentence)
        self._states = {item.id: item.state for item in self.queue.items()}
        self._timer = QTimer(self)
        self._timer.setInterval(REFRESH_MS)
        self._timer.timeout.connect(self._poll)
        self._connect()
        if self.queue.held:
            text = self.tr("Some models were still being fetched when Slipstream ended.")
            window.board.put(TOPIC, text, self.tr("Show the queue"), self._want_queue, "plain")

    @property
    def active(self) -> bool:
        """Whether anything is being fetched, or would be if the user agreed."""
        return any(item.state in (State.WAITING, State.RUNNING) for item in self.queue.items())

    def add(self, wanted: Wanted) -> None:
        self.queue.add(wanted)
        self._begin()

    def ask_token(self, repo: str) -> TokenDialog:
        dialog = TokenDialog(repo, self._window.log, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.kept.connect(lambda kept: self._token_kept(repo, kept))
        dialog.open()
        return dialog

    def show(self) -> None:
        items = self.queue.items()
        self._page.show_queue(items, self.queue.held)
        states = {item.id: item.state for item in items}
        if states != self._states:
            before, self._states = self._states, states
            self._page.get.refresh({each.wanted.name: each for each in items if each.state is not State.DONE})
            for item in items:
                if before.get(item.id) is not item.state:
                    self._ended(item)
        if self.queue.problem:
            self._window.board.put(FILE_TOPIC, self.queue.problem)

    def drop_news(self) -> None:
        """The user has moved on."""
        if not self.queue.held:
            self._window.board.drop(TOPIC)

    def close(self) -> None:
        self._timer.stop()
        self.queue.close()

    def _begin(self) -> None:
        self._timer.start()
        self._poll()

    def _poll(self) -> None:
        self.show()
        if not self.active or self.queue.held:
            self._timer.stop()

    def _fetch(self, wanted: Wanted, progress: Listener, cancel: threading.Event) -> None:
        """In the queue's thread."""
        if wanted.order is not None:
            self._store.fetch_order(wanted.order, progress, cancel)
        else:
            self._store.fetch(wanted.name, progress, cancel)

    def _discard(self, wanted: Wanted) -> None:
        self._store.forget_arrived(wanted.name)

    def _ended(self, item: Item) -> None:
        title = item.wanted.title
        board, view = self._window.board, self._window.view
        if item.state is State.DONE:
            self._window.pairs.show()
            self._page.installed.refresh()
            text = self.tr("{model} is ready.").format(model=title)
            board.put(TOPIC, text, self.tr("Use it"), lambda: self._use(item), "plain")
            view.announce(text)
        elif item.state is State.FAILED and self._window.centre.currentWidget() is not self._page:
            text = self.tr("{model} could not be fetched.").format(model=title)
            board.put(TOPIC, text, self.tr("Show the queue"), self._want_queue)
            view.announce(text)

    def _use(self, item: Item) -> None:
        self._window.board.drop(TOPIC)
        with self._window.pairs.guarded():
            self._window.pairs.choose(self._store.pair(item.wanted.name))

    def _want_queue(self) -> None:
        self._window.board.drop(TOPIC)
        self.queue_wanted.emit()

    def _go_on(self) -> None:
        self._window.board.drop(TOPIC)
        self.queue.go_on()
        self._begin()

    def _resume(self, number: int) -> None:
        item = next((item for item in self.queue.items() if item.id == number), None)
        if item is not None and item.state is State.WAITING:
            self.queue.move(number, -len(self.queue.items()))
            self._go_on()
        else:
            self.queue.resume(number)
            self._begin()

    def _change(self, change: Callable[[], None]) -> None:
        change()
        self._poll()

    def _token_kept(self, repo: str, kept: bool) -> None:
        if not kept:
            text = self.tr("No keyring is there to keep the token: it holds until Slipstream ends.")
            self._window.board.put(FILE_TOPIC, text, tone="plain")
        for item in self.queue.items():
            if item.gated:
                self._resume(item.id)
        self._page.get.hub.look_again()

    def _connect(self) -> None:
        queue, tab, get = self.queue, self._page.queue, self._page.get
        get.fetch_asked.connect(self.add)
        get.queue_wanted.connect(self.queue_wanted)
        get.token_asked.connect(self.ask_token)
        tab.token_asked.connect(self.ask_token)
        tab.resume_asked.connect(self._resume)
        tab.go_on_asked.connect(self._go_on)
        tab.pause_asked.connect(lambda number: self._change(lambda: queue.pause(number)))
        tab.drop_asked.connect(lambda number: self._change(lambda: queue.drop(number)))
        tab.first_asked.connect(lambda number: self._change(lambda: queue.move(number, -len(queue.items()))))
