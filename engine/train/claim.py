"""A folder has one writer at a time: two that number their files alike would overwrite each other's."""

from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from engine.errors import SlipstreamError


def claim(folder: Path, what: str) -> BaseFileLock:
    """The lock of the folder, which must exist; it is free again when released, or when the process dies.

    Errors: SlipstreamError when another process holds it.
    """
    lock = FileLock(folder / "writer.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise SlipstreamError(
            f"Another process is writing {what} to {folder}: wait for it or stop it."
        ) from error
    return lock
