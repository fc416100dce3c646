"""A long computation of pure Python, done a few milliseconds at a time without its cooperation.

It has a thread of its own, which runs only while the caller waits for it: nothing is ever computed beside the window's
thread, where each change of the interpreter's owner would cost the window up to 5 ms.
"""

import sys
import threading
from collections.abc import Callable
from time import perf_counter
from types import FrameType
from typing import Generic, TypeVar

T = TypeVar("T")


class _GivenUp(BaseException):
    """Ends the computation at its next call of a function; no handler for Exception catches it."""


class SlicedCall(Generic[T]):
    """`advance` until it returns True, then read `result`; None when the computation failed or was given up."""

    def __init__(self, function: Callable[[], T]) -> None:
        self.result: T | None = None
        self.used_s = 0.0
        self._function = function
        self._go, self._back = threading.Semaphore(0), threading.Semaphore(0)
        self._until = 0.0
        self._given_up = False
        self._done = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def advance(self, seconds: float) -> bool:
        """Computes for about so long; True when nothing is left to do."""
        if self._done:
            return True
        start = perf_counter()
        self._until = start + seconds
        self._go.release()
        self._back.acquire()
        self.used_s += perf_counter() - start
        return self._done

    def give_up(self) -> None:
        self._given_up = True
        while not self.advance(0.0):
            pass
        self._thread.join()

    def _run(self) -> None:
        self._go.acquire()
        sys.settrace(self._called)
        try:
            self.result = self._function()
        except (Exception, _GivenUp):
            self.result = None
        finally:
            sys.settrace(None)
            self._done = True
            self._back.release()

    def _called(self, _frame: FrameType, _event: str, _argument: object) -> None:
        """Before each call of a Python function: hands the interpreter back when the slice is over."""
        if perf_counter() > self._until and not self._given_up:
            self._back.release()
            self._go.acquire()
        if self._given_up:
            raise _GivenUp
