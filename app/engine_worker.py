"""What runs in the engine's thread: loads, answers and jobs, one after the other."""

import gc
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QCoreApplication, QObject, QThread, Slot

from app.failure_log import FailureLog
from engine.context import Fitted
from engine.detokeniser import Vocabulary
from engine.errors import SlipstreamError
from engine.events import Event, Failed, Finished, Progress
from engine.models import memory
from engine.models.catalogue import Pair
from engine.models.memory import MemoryEstimate, MemoryShortError
from engine.models.shipped import LeftOut
from engine.request import Message, Request, Speculation
from engine.stored_answers import FoundStore


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


@runtime_checkable
class CarefulFactory(Protocol):
    """Knows before the present pair is given up whether another one fits into memory."""

    def check(self, pair: Pair, present: int) -> None:
        """`present`: bytes that the pair which is loaded gives back. Errors: MemoryShortError."""

    def anyway(self, pair: Pair, progress: Callable[[Progress], None]) -> EngineLike:
        """Loads it even where memory seems too short."""


@dataclass(frozen=True, slots=True)
class Order:
    """A pair to load; `anew`: its target too, if that is loaded already; `anyway`: even where memory seems short.

    `cancel`: the user stopped it; `superseded`: another order came, which may use what is loaded now.
    """

    pair: Pair
    anew: bool = False
    anyway: bool = False
    cancel: threading.Event = field(default_factory=threading.Event)
    superseded: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True, slots=True)
class Loaded:
    """`vocabulary`: how the pair spells its tokens; None when the engine has none to show."""

    pair: Pair
    exact: bool
    context_limit: int
    unavailable: dict[Speculation, str | None] = field(default_factory=dict)
    opens_thinking: str = ""  # what the prompt opens of an answer's reasoning
    vocabulary: Vocabulary | None = None
    estimate: MemoryEstimate | None = None
    note: str = ""  # why the pair is without the drafter that should have come with the program


@dataclass(frozen=True, slots=True)
class LoadFailed:
    """`estimate`: of memory, where that is why. `kept`: the pair that was loaded is still there."""

    message: str
    estimate: MemoryEstimate | None = None
    kept: bool = False


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
    """The window closes while a model loads, or the user has stopped it."""


class _KeptError(MemoryShortError):
    """Refused before the pair that was loaded was given up."""


def _loaded(pair: Pair, engine: EngineLike) -> Loaded:
    return Loaded(
        pair,
        engine.exact,
        engine.context_limit,
        {mode: engine.unavailable(mode) for mode in Speculation},
        engine.opens_thinking,
        getattr(engine, "tokenizer", None),
        getattr(engine, "estimate", None),
        _note(pair, getattr(engine, "left_out", None), getattr(engine, "answers", None)),
    )


def _note(pair: Pair, left_out: LeftOut | None, answers: FoundStore | None) -> str:
    """What the user chose is not told again."""
    drafter = "" if left_out is None or left_out.chosen else left_out.sentence(pair)
    return " ".join(filter(None, (drafter, answers.refused if answers else "")))


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

    @Slot(int, object)
    def load(self, ticket: int, order: Order) -> None:
        def report(progress: Progress) -> None:
            self._require(order)
            self._outbox.append((ticket, progress))

        if self._closing.is_set() or order.superseded.is_set():
            return
        gc.disable()  # a vocabulary is a million small objects: each collection would stop the window, up to 0.7 s
        try:
            self._require(order)
            engine = self._engine_for(order, report)
            self._require(order)
            self._outbox.append((ticket, _loaded(order.pair, engine)))
        except _AbandonedError:
            self._release()
        except _KeptError as refused:
            self._outbox.append((ticket, LoadFailed(str(refused), refused.estimate, kept=True)))
        except Exception as error:
            self._release()
            estimate = error.estimate if isinstance(error, MemoryShortError) else None
            self._outbox.append((ticket, LoadFailed(self._log.sentence(error), estimate)))
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

    def _require(self, order: Order) -> None:
        if self._closing.is_set() or order.cancel.is_set() or order.superseded.is_set():
            raise _AbandonedError

    def _engine_for(self, order: Order, report: Callable[[Progress], None]) -> EngineLike:
        """The present one with another drafter, where that is all that differs; else a new one."""
        if not self._swapped(order, report) or self._engine is None:
            build = self._checked(order)
            self._release()  # two pairs at once might not fit in memory
            self._engine = build(order.pair, report)
        return self._engine

    def _swapped(self, order: Order, report: Callable[[Progress], None]) -> bool:
        """Errors: _KeptError."""
        if order.anew or order.anyway or self._engine is None:
            return False
        try:
            return self._engine.swap(order.pair, report)
        except MemoryShortError as error:
            raise _KeptError(error.estimate) from error

    def _checked(self, order: Order) -> EngineFactory:
        """What builds the engine. Errors: _KeptError, MemoryShortError."""
        factory = self._factory
        if not isinstance(factory, CarefulFactory):
            return factory
        if order.anyway:
            return factory.anyway
        try:
            factory.check(order.pair, memory.own_bytes() if self._engine else 0)
        except MemoryShortError as error:
            if self._engine is None:
                raise
            raise _KeptError(error.estimate) from error
        return factory

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
