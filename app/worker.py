"""One thread owns the engine. The window asks by queued signals and drains events on a timer."""

import threading
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal, Slot

from app.engine_worker import (
    Done,
    EngineFactory,
    EngineLike,
    Item,
    Job,
    JobFailed,
    Loaded,
    LoadFailed,
    Order,
    Reported,
    Worker,
    no_engine,
)
from app.failure_log import FailureLog
from engine.events import Delta, Failed, Finished, Progress, Reading, Started
from engine.models.catalogue import Pair
from engine.request import Request

__all__ = ["EngineFactory", "EngineLike", "EngineThread", "FailureLog", "Job", "Loaded", "Task", "no_engine"]

DRAIN_MS = 50  # 20 times a second looks fluent, and each time costs the engine some of its processor
CLOSE_MS = 2000

_left_running: list[QThread] = []  # a running QThread must not be destroyed


class Task(QObject):
    """A job in the engine's thread, seen from the window. One of `done` and `failed` ends it, if it isn't cancelled."""

    progress = Signal(object)
    done = Signal(object)
    failed = Signal(str)

    def __init__(self, forget: "Callable[[Task], None]", parent: QObject) -> None:
        super().__init__(parent)
        self.cancelled = threading.Event()
        self._forget = forget

    def cancel(self) -> None:
        self.cancelled.set()
        self._forget(self)


class EngineThread(QObject):
    """The window's side: owns the thread, numbers the requests, drops what belongs to older ones."""

    load_progress = Signal(object)  # Progress
    loaded = Signal(object)  # Loaded
    load_failed = Signal(str)  # `failure` has the rest
    load_cancelled = Signal()
    reading = Signal(object)  # Reading
    started = Signal(object)  # Started
    deltas = Signal(object)  # list[Delta], everything since the last drain
    finished = Signal(object)  # Finished
    failed = Signal(str)
    _load = Signal(int, object)
    _generate = Signal(int, object, object)
    _run = Signal(int, object, object)
    _close = Signal()

    def __init__(self, factory: EngineFactory, log: FailureLog, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._outbox: deque[tuple[int, Item]] = deque()
        self._tickets = 0
        self._load_ticket: int | None = None
        self._order: Order | None = None
        self.failure: LoadFailed | None = None  # of the latest loading
        self._answer_ticket: int | None = None
        self._tasks: dict[int, Task] = {}
        self.request: Request | None = None  # of the latest answer
        self._cancel = threading.Event()
        self._closing = threading.Event()
        self._thread = QThread()
        self._thread.setObjectName("slipstream-engine")
        self._worker = Worker(factory, self._outbox, log, self._closing)
        self._worker.moveToThread(self._thread)
        queued = Qt.ConnectionType.QueuedConnection
        self._load.connect(self._worker.load, queued)
        self._generate.connect(self._worker.generate, queued)
        self._run.connect(self._worker.run, queued)
        self._close.connect(self._worker.close, queued)
        self._timer = QTimer(self)
        self._timer.setInterval(DRAIN_MS)
        self._timer.timeout.connect(self.drain)
        self._thread.start()

    @property
    def answering(self) -> bool:
        return self._answer_ticket is not None

    @property
    def loading(self) -> bool:
        return self._load_ticket is not None

    def load(self, pair: Pair, anew: bool = False, anyway: bool = False) -> None:
        """A pair with the target that is loaded only loads its drafter, unless everything is to be loaded `anew`;
        `anyway`: even where memory seems too short. A loading that still runs is given up."""
        if self._order is not None:
            self._order.superseded.set()
        self._order = Order(pair, anew, anyway)
        self._load_ticket = self._next_ticket()
        self._timer.start()
        self._load.emit(self._load_ticket, self._order)

    def cancel_load(self) -> None:
        """Nothing is loaded then; the thread is free after the step that it is at."""
        if self._order is not None and self._load_ticket is not None:
            self._order.cancel.set()
            self._load_ticket = None
            self.load_cancelled.emit()

    def generate(self, request: Request) -> None:
        """Starts an answer; one that is still running is given up."""
        self.stop()
        self._cancel = threading.Event()
        self.request = request
        self._answer_ticket = self._next_ticket()
        self._timer.start()
        self._generate.emit(self._answer_ticket, request, self._cancel)

    def run(self, job: Job) -> "Task":
        """Runs `job(engine, report, cancel)` when the thread is free, after what was asked before.

        An answer asked meanwhile waits for its end. Its Task tells progress and result in the window's thread.
        """
        task = Task(self._cancel_task, self)
        ticket = self._next_ticket()
        self._tasks[ticket] = task
        self._timer.start()
        self._run.emit(ticket, job, task.cancelled)
        return task

    def stop(self) -> bool:
        """Cancels the answer at once: what arrived is delivered, what still comes is dropped."""
        if self._answer_ticket is None:
            return False
        self._cancel.set()
        self.drain()
        stopped = self._answer_ticket is not None
        self._answer_ticket = None
        return stopped

    def close(self, timeout_ms: int = CLOSE_MS) -> bool:
        """Ends thread and engine; False when the thread is still busy after `timeout_ms`."""
        self._closing.set()
        self._cancel.set()
        for task in self._tasks.values():
            task.cancelled.set()
        self._tasks.clear()
        self._timer.stop()
        self._load_ticket = self._answer_ticket = None
        self._close.emit()
        if self._thread.wait(timeout_ms):
            return True
        _left_running.append(self._thread)
        return False

    @Slot()
    def drain(self) -> None:
        """Delivers what the worker wrote: Deltas in one list, only the newest Progress, then the ends."""
        deltas: list[Delta] = []
        progress: Progress | None = None
        while self._outbox:
            ticket, item = self._outbox.popleft()
            if ticket in self._tasks:
                self._tell(ticket, item)
            elif ticket not in (self._load_ticket, self._answer_ticket):
                continue
            elif isinstance(item, Delta):
                deltas.append(item)
            elif isinstance(item, Progress):
                progress = item
            else:
                self._deliver(deltas, progress)
                deltas, progress = [], None
                self._settle(item)
        self._deliver(deltas, progress)
        if self._load_ticket is None and self._answer_ticket is None and not self._tasks:
            self._timer.stop()

    def _deliver(self, deltas: list[Delta], progress: Progress | None) -> None:
        if deltas:
            self.deltas.emit(deltas)
        if progress is not None:
            self.load_progress.emit(progress)

    def _tell(self, ticket: int, item: Item) -> None:
        task = self._tasks[ticket]
        if isinstance(item, Reported):
            task.progress.emit(item.value)
            return
        del self._tasks[ticket]
        if isinstance(item, Done):
            task.done.emit(item.value)
        elif isinstance(item, JobFailed):
            task.failed.emit(item.message)
        task.deleteLater()

    def _cancel_task(self, task: "Task") -> None:
        """What it still says is dropped; no signal follows."""
        for ticket, known in list(self._tasks.items()):
            if known is task:
                del self._tasks[ticket]
                task.deleteLater()

    def _settle(self, item: Item) -> None:
        if isinstance(item, Reading):
            self.reading.emit(item)
        elif isinstance(item, Started):
            self.started.emit(item)
        elif isinstance(item, Loaded):
            self._load_ticket = None
            self.loaded.emit(item)
        elif isinstance(item, LoadFailed):
            self._load_ticket, self.failure = None, item
            self.load_failed.emit(item.message)
        elif isinstance(item, Finished):
            self._answer_ticket = None
            self.finished.emit(item)
        elif isinstance(item, Failed):
            self._answer_ticket = None
            self.failed.emit(item.message)

    def _next_ticket(self) -> int:
        self._tickets += 1
        return self._tickets


def threads_left_running() -> bool:
    """True when a thread outlived its window: the program must then end without destroying it."""
    return any(thread.isRunning() for thread in _left_running)
