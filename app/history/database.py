"""The opened file: locked against a second Slipstream, checked, restored if damaged, migrated."""

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from PySide6.QtCore import QCoreApplication

from app.history.backups import Backups, quick_check
from app.history.schema import migrate, refuse_newer
from app.history.trouble import explain, in_use, is_damage

BUSY_MS = 5000  # patience with other programs that read or write the file
LOCK_PATIENCE_S = 1.0  # a Slipstream that is just closing


class Database:
    """One connection, for one thread. Every failure is a SlipstreamError.

    Why synchronous=NORMAL: with a write-ahead log no crash of the program can lose or tear a commit; only a power
    cut can take the last seconds. A `durable` transaction is on the disk when it ends, which costs one fsync.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notice: str | None = None
        self._backups = Backups(path)
        self._lock = self._lock_or_refuse()
        try:
            with self._in_words():
                self._connection = self._opened()
        except BaseException:
            self._unlock()
            raise

    def read(self, query: str, values: Sequence[object] = ()) -> list[sqlite3.Row]:
        with self._in_words():
            return self._connection.execute(query, values).fetchall()

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        with self._in_words():
            yield self._connection

    @contextlib.contextmanager
    def transaction(self, durable: bool = False) -> Iterator[sqlite3.Connection]:
        """Commits at the end, rolls back on any exception."""
        with self._in_words():
            if durable:
                self._connection.execute("PRAGMA synchronous = FULL")
            try:
                with self._begun():
                    yield self._connection
            finally:
                if durable:
                    self._connection.execute("PRAGMA synchronous = NORMAL")

    def close(self) -> None:
        self._connection.close()
        self._unlock()

    @contextlib.contextmanager
    def _begun(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # a full disk may have rolled back already
                self._connection.execute("ROLLBACK")
            raise

    @contextlib.contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise explain(error, self.path) from error

    def _lock_or_refuse(self) -> FileLock | None:
        """Two windows on the same chats would each take the other's answer for an interrupted one."""
        lock = FileLock(f"{self.path}.lock")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock.acquire(timeout=LOCK_PATIENCE_S)
        except Timeout:
            raise in_use(self.path) from None
        except NotImplementedError:  # a network file system without locks
            return None
        except OSError as error:
            raise explain(error, self.path) from error
        return lock

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.release()

    def _opened(self) -> sqlite3.Connection:
        try:
            connection = self._connect()
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            self._recover()
            connection = self._connect()
        try:
            self._bring_up_to_date(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect(self) -> sqlite3.Connection:
        """A connection to a sound database that this Slipstream understands."""
        if not self.path.exists():
            self.path.touch(mode=0o600)
        connection = sqlite3.connect(self.path, isolation_level=None, timeout=BUSY_MS / 1000)
        try:
            refuse_newer(connection)
            _configure(connection)
            if not quick_check(connection):
                raise _Damaged
        except BaseException:
            connection.close()
            raise
        return connection

    def _recover(self) -> None:
        aside = self._backups.set_aside()
        backup = self._backups.restore()
        if backup is None:
            told = QCoreApplication.translate(
                "History",
                "The file of your chats was damaged and is kept as {file}. "
                "There was no backup yet, so the list starts empty.",
            )
            self.notice = told.format(file=aside.name)
        else:
            told = QCoreApplication.translate(
                "History",
                "The file of your chats was damaged and is kept as {file}. You see the backup of {time}.",
            )
            self.notice = told.format(file=aside.name, time=f"{self._backups.time_of(backup):%Y-%m-%d %H:%M}")

    def _bring_up_to_date(self, connection: sqlite3.Connection) -> None:
        migrate(connection, lambda: self._backups.write(connection))
        if connection.execute("SELECT 1 FROM conversations").fetchone() and self._backups.is_due():
            try:
                self._backups.write(connection)
            except (sqlite3.Error, OSError) as error:
                told = QCoreApplication.translate("History", "Today's backup of your chats failed. {reason}")
                self.notice = told.format(reason=explain(error, self.path))


class _Damaged(sqlite3.DatabaseError):
    """What quick_check found, in the shape of the errors that SQLite raises by itself."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def _configure(connection: sqlite3.Connection) -> None:
    connection.row_factory = sqlite3.Row
    settings: dict[str, Any] = {
        "journal_mode": "WAL",
        "synchronous": "NORMAL",
        "fullfsync": "ON",  # macOS: through the drive's own cache too
        "foreign_keys": "ON",
        "secure_delete": "FAST",
        "journal_size_limit": 4 << 20,
    }
    for name, value in settings.items():
        connection.execute(f"PRAGMA {name} = {value}")
