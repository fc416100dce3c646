"""What went wrong with the chats' file, in words that say what to do."""

import errno
import sqlite3
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from engine.errors import SlipstreamError

DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
NO_SPACE = {errno.ENOSPC, errno.EDQUOT} if hasattr(errno, "EDQUOT") else {errno.ENOSPC}


def code_of(error: sqlite3.Error) -> int:
    """The primary result code; 0 for errors that Python's module raises by itself."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def is_damage(error: sqlite3.Error) -> bool:
    return code_of(error) in DAMAGED


def explain(error: sqlite3.Error | OSError, path: Path) -> SlipstreamError:
    """The sentence for a failure while the chats at `path` were read or written."""
    if isinstance(error, OSError):
        return SlipstreamError(_no_space(path) if error.errno in NO_SPACE else _not_writable(path))
    code = code_of(error)
    if code == sqlite3.SQLITE_FULL:
        return SlipstreamError(_no_space(path))
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return SlipstreamError(_not_writable(path))
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        locked = QCoreApplication.translate(
            "History", "Another program keeps {file} locked; close it and try again."
        )
        return SlipstreamError(locked.format(file=path))
    if code in DAMAGED:
        return SlipstreamError(
            QCoreApplication.translate(
                "History",
                "The file of your chats is damaged; start Slipstream again, and it restores the last backup.",
            )
        )
    if code == sqlite3.SQLITE_IOERR:
        failed = QCoreApplication.translate(
            "History", "The disk failed while {file} was in use; check the disk, then try again."
        )
        return SlipstreamError(failed.format(file=path))
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
        return SlipstreamError(
            QCoreApplication.translate("History", "This chat no longer exists; start a new one.")
        )
    other = QCoreApplication.translate(
        "History", "Your chats could not be read or written ({reason}); start Slipstream again."
    )
    return SlipstreamError(other.format(reason=error))


class InUseError(SlipstreamError):
    """Another Slipstream has these chats open."""


def in_use(path: Path) -> InUseError:
    running = QCoreApplication.translate(
        "History",
        "Slipstream is already running with the chats in {folder}; use its window, "
        "or choose another SLIPSTREAM_HOME.",
    )
    return InUseError(running.format(folder=path.parent))


def _no_space(path: Path) -> str:
    full = QCoreApplication.translate(
        "History", "The disk is full, so your chats can't be saved; free some space where {folder} lies."
    )
    return full.format(folder=path.parent)


def _not_writable(path: Path) -> str:
    refused = QCoreApplication.translate(
        "History", "Slipstream can't write to {folder}; allow it to, or choose another SLIPSTREAM_HOME."
    )
    return refused.format(folder=path.parent)
