"""What runs in the engine's thread: loads, answers and jobs, one after the other."""

import gc
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from PySide6.QtCore import QCoreApplication, QObject, QThread, Slot

from app.failure_log import FailureLog
from engine.context import Fitted
from engine.detokeniser import Vocabulary
from engine.errors import SlipstreamError
from engine.events import Event, Failed, Finished, Progress
from engine.models.catalogue import Pair
from engine.request import Message, Request, Speculation


class EngineLike(Protocol):
    """What the window uses of `engine.Engine`."""

    @property
    def pair(self) -> Pair: ...
    @property
    def exact(self) -> bool: ...
    @property
    def context_limit(self) -> int: ...
    @property
    def opens_thinking(self) -> str: ...
    def unavailable(self, speculation: Speculation) -> str | None: ...
    def count_tokens(self, messages: Sequence[Message]) -> int: ...
    def fitted(self, request: Request) -> Fitted: ...
    def generate(self, request: Request, cancel: threading.Event | None = None) -> Iterator[Event]: ...
    def swap(self, pair: Pair, progress: Callable[[Progress], None]) -> bool: ...
    def close(self) -> None: ...


EngineFactory = Callable[[Pair, Callable[[Progress], None]], EngineLike]


@dataclass(frozen=True, slots=True)
class Loaded:
    """`vocabulary`: how the pair spells its tokens; None when the engine has none to show."""

    pair: Pair
    exact: bool
    context_limit: int
    unavailable: dict[Speculation, str | None] = field(default_factory=dict)
    opens_thinking: str = ""  # what the prompt opens of an answer's reasoning
    vocabulary: Vocabulary | None = None


@dataclass(frozen=True, slots=True)
class LoadFailed:
    message: str


@dataclass(frozen=True, slots=True)
class Reported:
    """What a job says on its way."""

    value: object


@dataclass(frozen=True, slots=True)
class Done:
    value: object


@dataclass(frozen=True, slots=True)
class JobFailed:
    message: str


# A job runs alone in the engine's thread: job(engine, report, cancel) -> result. It looks at `cancel` often.
Job = Callable[[EngineLike, Callable[[object], None], threading.Event], object]
Item = Event | Progress | Loaded | LoadFailed | Reported | Done | JobFailed


class _AbandonedError(Exception):
    """The window closes while a model loads."""


class Worker(QObject):
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

    @Slot(int, object, bool)
    def load(self, ticket: int, pair: Pair, anew: bool) -> None:
        def report(progress: Progress) -> None:
            if self._closing.is_set():
                raise _AbandonedError
            self._outbox.append((ticket, progress))

        if self._closing.is_set():
            return
        gc.disable()  # a vocabulary is a million small objects: each collection would stop the window, up to 0.7 s
        try:
            engine = self._engine_for(pair, report, anew)
            reasons = {mode: engine.unavailable(mode) for mode in Speculation}
            vocabulary = getattr(engine, "tokenizer", None)
            loaded = Loaded(
                pair, engine.exact, engine.context_limit, reasons, engine.opens_thinking, vocabulary
            )
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
                self._outbox.append((ticket, Failed(no_result())))
        except Exception as error:
            self._outbox.append((ticket, Failed(self._log.sentence(error))))

    @Slot(int, object, object)
    def run(self, ticket: int, job: Job, cancel: threading.Event) -> None:
        if self._closing.is_set() or cancel.is_set():
            return
        try:
            if self._engine is None:
                raise SlipstreamError(no_engine())
            value = job(self._engine, lambda said: self._outbox.append((ticket, Reported(said))), cancel)
            self._outbox.append((ticket, Done(value)))
        except Exception as error:
            self._outbox.append((ticket, JobFailed(self._log.sentence(error))))

    @Slot()
    def close(self) -> None:
        try:
            self._release()
        except Exception as error:
            self._log.sentence(error)
        QThread.currentThread().quit()

    def _engine_for(self, pair: Pair, report: Callable[[Progress], None], anew: bool) -> EngineLike:
        """The present one with another drafter, where that is all that differs; else a new one."""
        if anew or self._engine is None or not self._engine.swap(pair, report):
            self._release()  # two pairs at once might not fit in memory
            self._engine = self._factory(pair, report)
        return self._engine

    def _stream(self, ticket: int, request: Request, cancel: threading.Event) -> bool:
        """Passes events on until the first final one; True when there was one."""
        if self._engine is None:
            raise SlipstreamError(no_engine())
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


def no_engine() -> str:
    return QCoreApplication.translate("Worker", "No model is loaded. Choose a pair at the top of the window.")


def no_result() -> str:
    return QCoreApplication.translate("Worker", "The engine ended without a result. Send the message again.")
