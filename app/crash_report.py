"""What Python knows when the program crashes, kept in SLIPSTREAM_HOME and sent to nobody.

`running.txt` is there while a window runs. faulthandler writes the threads' stacks into it when native code crashes; a
clean end removes it; the next start makes a report of it. No Qt here: `slipstream doctor` reads it too.
"""

import contextlib
import faulthandler
import platform
import sys
import time
from pathlib import Path
from typing import TextIO

from app import __version__

FOLDER = "crashes"
RUNNING = "running.txt"
MOST_REPORTS = 5
SIGNS = ("Fatal Python error", "Windows fatal exception")


class CrashWatch:
    """From the moment when the home is this process's own. Without a place to write, nothing is watched."""

    def __init__(self, home: Path) -> None:
        self._folder = home / FOLDER
        self._running = self._folder / RUNNING
        self._file: TextIO | None = None

    def begin(self) -> Path | None:
        """The report of the last run, if that crashed."""
        report = self._kept()
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            self._file = self._running.open("w", encoding="utf-8")
            self._file.write(_head())
            self._file.flush()
            faulthandler.enable(self._file)
        return report

    def end(self) -> None:
        if self._file is not None:
            faulthandler.disable()
            self._file.close()
            self._file = None
            with contextlib.suppress(OSError):
                self._running.unlink()

    def _kept(self) -> Path | None:
        try:
            if not any(sign in self._running.read_text("utf-8", "replace") for sign in SIGNS):
                return None  # it was killed, or the power failed
            when = time.strftime("%Y-%m-%d-%H%M%S", time.localtime(self._running.stat().st_mtime))
            report = self._running.rename(self._folder / f"crash-{when}.txt")
            for old in reports(self._folder.parent)[MOST_REPORTS:]:
                old.unlink()
        except OSError:
            return None
        return report


def reports(home: Path) -> list[Path]:
    """Newest first."""
    return sorted((home / FOLDER).glob("crash-*.txt"), reverse=True)


def _head() -> str:
    python = sys.version.split()[0]
    return f"Slipstream {__version__}, Python {python}, {platform.platform()}, {time.strftime('%Y-%m-%d %H:%M:%S')}\n\n"
