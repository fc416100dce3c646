"""JSON that a stranger wrote, read so that a file can cost no more memory and time than a real one does."""

import json
import stat
from pathlib import Path
from typing import Any

LARGEST = 100_000_000  # bytes; several times those of the largest tokenizer.json
SMALL = 16_000_000  # of a file of settings
# Of the largest size: there may be one bracket or comma to so many bytes, as each costs some 60 bytes of memory.
_BYTES_PER_PART = 40


def read_text(path: Path, largest: int = SMALL) -> str:
    """Errors: OSError, or ValueError when it is no regular file (a pipe never ends), is too large or no UTF-8."""
    told = path.stat()
    if not stat.S_ISREG(told.st_mode):
        raise ValueError("it is no regular file")
    if told.st_size > largest:
        raise ValueError("it is too large")
    return path.read_text(encoding="utf-8")


def read(path: Path, largest: int = SMALL) -> Any:
    """Errors: as read_text; ValueError also for what is no JSON, nests too deeply or has too many parts."""
    return parse(read_text(path, largest), largest)


def parse(text: str, largest: int = SMALL) -> Any:
    """Errors: ValueError."""
    if text.count(",") + text.count("[") + text.count("{") > largest // _BYTES_PER_PART:
        raise ValueError("it has too many parts")
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("it nests too deeply") from error
