"""The three standard streams, which may be closed, full, or of another encoding."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Literal, TextIO

from engine.errors import SlipstreamError


class OutputError(SlipstreamError):
    """Standard output takes no more; what it was given last is lost."""


def prepare() -> bool:
    """Stand-ins for closed streams, UTF-8 for the others; whether there is a standard output.

    Without a stand-in `print` would send error sentences to standard output.
    """
    has_output = sys.stdout is not None
    sys.stdin = sys.stdin or _nothing("r")
    sys.stdout = sys.stdout or _nothing("w")
    sys.stderr = sys.stderr or _nothing("w")
    _speak_utf8(sys.stdin, "strict")
    _speak_utf8(sys.stdout, "replace")
    _speak_utf8(sys.stderr, "backslashreplace")
    return has_output


def say(text: str, end: str = "\n") -> None:
    """To standard output, at once. Errors: OutputError; BrokenPipeError when the reader has gone."""
    try:
        sys.stdout.write(text + end)
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)
        raise
    except OSError as error:
        silence(sys.stdout)
        raise OutputError(f"The output can't be written: {error.strerror or error}.") from error


def tell(text: str, end: str = "\n") -> None:
    """To standard error, at once; when nobody listens, the work goes on."""
    mutter(sys.stderr, text + end)


def mutter(stream: TextIO, text: str) -> None:
    """Write what may be lost."""
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        silence(stream)


def silence(stream: TextIO) -> None:
    """Lead the stream nowhere, so that Python does not complain about what is left in it at exit."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, stream.fileno())
        finally:
            os.close(nowhere)
        stream.flush()


def _nothing(mode: Literal["r", "w"]) -> TextIO:
    return Path(os.devnull).open(mode, encoding="utf-8")


def _speak_utf8(stream: TextIO, errors: str) -> None:
    """Whatever the locale or the code page: an answer may hold any character."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors=errors)
