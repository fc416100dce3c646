"""One thread owns the engine. The window asks by queued signals and drains events on a timer."""

import contextlib
import gc
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal, Slot

from engine.errors import SlipstreamError
from engine.events import Delta, Event, Failed, Finished, Progress, Started
from engine.models.catalogue import Pair
from engine.request import Request, Speculation

DRAIN_MS = 50  # 20 times a second looks fluent, and each time costs the engine some of its processor
CLOSE_MS = 2000
NO_ENGINE = "No model is loaded. Choose a pair at the top of the window."
NO_RESULT = "The engine ended without a result. Send the message again."


class EngineLike(Protocol):
    """What the window uses of `engine.Engine`."""

    @property
    def exact(self) -> bool: ...
    @property
    def context_limit(self) -> int: ...
    def unavailable(self, speculation: Speculation) -> str | None: ...
    def generate(self, request: Request, cancel: threading.Event | None = None) -> Iterator[Event]: ...
    def close(self) -> None: ...


EngineFactory = Callable[[Pair, Callable[[Progress], None]], EngineLike]


@dataclass(frozen=True, slots=True)
class Loaded:
    pair: Pair
    exact: bool
    context_limit: int
    unavailable: dict[Speculation, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LoadFailed:
    message: str


Item = Event | Progress | Loaded | LoadFailed


class FailureLog:
    """Turns an exception into one sentence, and keeps its traceback in a file on this machine."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def sentence(self, error: BaseException) -> str:
        if isinstance(error, SlipstreamError):
            return str(error)
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as log:
                log.write(f"{datetime.now(UTC).isoformat(timespec='seconds')}\n")
                log.writelines(traceback.format_exception(error))
        what = str(error).strip().splitlines()
        cause = what[0][:200] if what else type(error).__name__
        return f"Something went wrong inside Slipstream: {cause}; details are in {self.path}"


class _AbandonedError(Exception):
    """The window closes while a model loads."""


class _Worker(QObject):
    """Lives in the engine's thread; answers into `outbox`, never by a signal."""

    def __init__(
        self,
        factory: EngineFactory,
        outbox: deque[tuple[int, Item]],
        log: FailureLog,
        closing: threading.Event,
    ) -> None:
        super().__init__()
        self._factory = factory
        self._outbox = outbox
        self._log = log
        self._closing = closing
        self._engine: EngineLike | None = None

    @Slot(int, object)
    def load(self, ticket: int, pair: Pair) -> None:
        def report(progress: Progress) -> None:
            if self._closing.is_set():
                raise _AbandonedError
            self._outbox.append((ticket, progress))

        if self._closing.is_set():
            return
        gc.disable()  # a vocabulary is a million small objects: each collection would stop the window, up to 0.7 s
        try:
            self._release()  # two pairs at once might not fit in memory
            engine = self._engine = self._factory(pair, report)
            reasons = {mode: engine.unavailable(mode) for mode in Speculation}
            loaded = Loaded(pair, engine.exact, engine.context_limit, reasons)
            self._outbox.append((ticket, loaded))
        except _AbandonedError:
            return
        except Exception as error:
            self._release()
            self._outbox.append((ticket, LoadFailed(self._log.sentence(error))))
        finally:
            gc.enable()

    @Slot(int, object, object)
    def generate(self, ticket: int, request: Request, cancel: threading.Event) -> None:
        if self._closing.is_set() or cancel.is_set():
            return
        try:
            ended = self._stream(ticket, request, cancel)
            if not ended and not cancel.is_set():
                self._outbox.append((ticket, Failed(NO_RESULT)))
        except Exception as error:
            self._outbox.append((ticket, Failed(self._log.sentence(error))))

    @Slot()
    def close(self) -> None:
        try:
            self._release()
        except Exception as error:
            self._log.sentence(error)
        QThread.currentThread().quit()

    def _stream(self, ticket: int, request: Request, cancel: threading.Event) -> bool:
        """Passes events on until the first final one; True when there was one."""
        if self._engine is None:
            raise SlipstreamError(NO_ENGINE)
        events = self._engine.generate(request, cancel)
        try:
            for event in events:
                self._outbox.append((ticket, event))
                if isinstance(event, Finished | Failed):
                    return True
        finally:
            if isinstance(events, Generator):
                events.close()
        return False

    def _release(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()


_left_running: list[QThread] = []  # a running QThread must not be destroyed


class EngineThread(QObject):
    """The window's side: owns the thread, numbers the requests, drops what belongs to older ones."""

    load_progress = Signal(object)  # Progress
    loaded = Signal(object)  # Loaded
    load_failed = Signal(str)
    started = Signal(object)  # Started
    deltas = Signal(object)  # list[Delta], everything since the last drain
    finished = Signal(object)  # Finished
    failed = Signal(str)
    _load = Signal(int, object)
    _generate = Signal(int, object, object)
    _close = Signal()

    def __init__(self, factory: EngineFactory, log: FailureLog, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._outbox: deque[tuple[int, Item]] = deque()
        self._tickets = 0
        self._load_ticket: int | None = None
        self._answer_ticket: int | None = None
        self._cancel = threading.Event()
        self._closing = threading.Event()
        self._thread = QThread()
        self._thread.setObjectName("slipstream-engine")
        self._worker = _Worker(factory, self._outbox, log, self._closing)
        self._worker.moveToThread(self._thread)
        queued = Qt.ConnectionType.QueuedConnection
        self._load.connect(self._worker.load, queued)
        self._generate.connect(self._worker.generate, queued)
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

    def load(self, pair: Pair) -> None:
        self._load_ticket = self._next_ticket()
        self._timer.start()
        self._load.emit(self._load_ticket, pair)

    def generate(self, request: Request) -> None:
        """Starts an answer; one that is still running is given up."""
        self.stop()
        self._cancel = threading.Event()
        self._answer_ticket = self._next_ticket()
        self._timer.start()
        self._generate.emit(self._answer_ticket, request, self._cancel)

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
            if ticket not in (self._load_ticket, self._answer_ticket):
                continue
            if isinstance(item, Delta):
                deltas.append(item)
            elif isinstance(item, Progress):
                progress = item
            else:
                self._deliver(deltas, progress)
                deltas, progress = [], None
                self._settle(item)
        self._deliver(deltas, progress)
        if self._load_ticket is None and self._answer_ticket is None:
            self._timer.stop()

    def _deliver(self, deltas: list[Delta], progress: Progress | None) -> None:
        if deltas:
            self.deltas.emit(deltas)
        if progress is not None:
            self.load_progress.emit(progress)

    def _settle(self, item: Item) -> None:
        if isinstance(item, Started):
            self.started.emit(item)
        elif isinstance(item, Loaded):
            self._load_ticket = None
            self.loaded.emit(item)
        elif isinstance(item, LoadFailed):
            self._load_ticket = None
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
