"""Copies of the chats beside them: one before each schema change, and one a day."""

import contextlib
import shutil
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

STAMP = "%Y%m%dT%H%M%S%fZ"
KEPT = 3
EVERY = timedelta(days=1)
SIDE_FILES = ("-wal", "-shm", "-journal")


class Backups:
    """Of the database at `path`; they lie in the folder `backups` next to it. Errors: sqlite3.Error, OSError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.folder = path.parent / "backups"

    def all(self) -> list[Path]:
        """Newest first."""
        return sorted(self.folder.glob(f"{self.path.stem}-*{self.path.suffix}"), reverse=True)

    def write(self, connection: sqlite3.Connection) -> Path:
        """A whole copy under a temporary name first, so that a torn one is never taken for a backup."""
        self.folder.mkdir(parents=True, exist_ok=True)
        backup = self.folder / f"{self.path.stem}-{_now():{STAMP}}{self.path.suffix}"
        unfinished = backup.with_suffix(".part")
        unfinished.touch(mode=0o600)
        try:
            connection.execute("VACUUM INTO ?", (str(unfinished),))
            unfinished.replace(backup)
        finally:
            unfinished.unlink(missing_ok=True)
        for old in self.all()[KEPT:]:
            old.unlink(missing_ok=True)
        return backup

    def is_due(self) -> bool:
        newest = next(iter(self.all()), None)
        return newest is None or _now() - self.time_of(newest) >= EVERY

    def time_of(self, backup: Path) -> datetime:
        """When it was made, in the local time zone; the oldest of times for a file that was renamed by hand."""
        try:
            stamp = backup.stem.rpartition("-")[2]
            return datetime.strptime(stamp, STAMP).replace(tzinfo=UTC).astimezone()
        except ValueError:
            return datetime(1970, 1, 2, tzinfo=UTC)

    def set_aside(self) -> Path:
        """Move the damaged database away, with what SQLite keeps beside it."""
        aside = self.path.with_name(f"{self.path.stem}-damaged-{_now():{STAMP}}{self.path.suffix}")
        for side in SIDE_FILES:
            with contextlib.suppress(FileNotFoundError):
                self.path.with_name(self.path.name + side).replace(aside.with_name(aside.name + side))
        self.path.replace(aside)
        return aside

    def restore(self) -> Path | None:
        """Put the newest sound backup in the database's place; None when there is none."""
        for backup in self.all():
            if is_sound(backup):
                copy = self.path.with_name(self.path.name + ".part")
                shutil.copyfile(backup, copy)
                copy.chmod(0o600)
                copy.replace(self.path)
                return backup
        return None


def is_sound(path: Path) -> bool:
    try:
        with contextlib.closing(sqlite3.connect(path)) as connection:
            return quick_check(connection)
    except sqlite3.Error:
        return False


def quick_check(connection: sqlite3.Connection) -> bool:
    """May also raise sqlite3.DatabaseError: some damage shows before the check can say so."""
    return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")


def _now() -> datetime:
    return datetime.now(UTC)
