"""What the subcommands share when they talk to a terminal: progress, Ctrl-C, sizes in words."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TextIO

from app.commands.streams import mutter
from engine.errors import SlipstreamError
from engine.events import Progress


class UsageError(SlipstreamError):
    """The arguments make no sense; the program ends with 2 instead of 1."""


def megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{size / 1e3:,.0f} kB"


class ProgressLine:
    """Shows Progress on `stream`: one line that is rewritten in a terminal, else a line a quarter."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._shown: tuple[str, int] | None = None
        self._open = False

    def __call__(self, progress: Progress) -> None:
        countable = progress.total > 1
        percent = min(100, 100 * progress.done // progress.total) if countable else 0
        step = percent if self._terminal else percent // 25 * 25
        if self._shown == (progress.stage, step):
            return
        self._shown = (progress.stage, step)
        self._write(f"{progress.stage}: {step} %" if countable else f"{progress.stage} ...")

    def _write(self, line: str) -> None:
        if self._terminal:
            mutter(self._stream, f"\r\x1b[K{line}")
            self._open = True
        else:
            mutter(self._stream, f"{line}\n")

    def close(self) -> None:
        """Leave the line empty for what comes next."""
        if self._open:
            mutter(self._stream, "\r\x1b[K")
        self._open = False


@contextmanager
def progress_line() -> Iterator[ProgressLine]:
    line = ProgressLine(sys.stderr)
    try:
        yield line
    finally:
        line.close()


@contextmanager
def interruptible() -> Iterator[threading.Event]:
    """The first Ctrl-C sets the event, so that work stops where it is safe; the second one raises."""
    cancel = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        if cancel.is_set():
            raise KeyboardInterrupt
        cancel.set()

    previous = signal.signal(signal.SIGINT, stop)
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, previous)
