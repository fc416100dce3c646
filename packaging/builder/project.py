"""Names, places and the version that every part of the build shares."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
NAME = "slipstream"
TITLE = "Slipstream"
APP_ID = "org.slipstream.slipstream"
SUMMARY = "Chat with language models on your own processor"
SYSTEMS = {"linux": "linux", "win32": "windows", "darwin": "macos"}


class BuildError(Exception):
    """One sentence that says what is wrong with the build."""


@dataclass(frozen=True, slots=True)
class Build:
    """One build: its system ("linux", "windows", "macos"), its version, and where things lie."""

    system: str
    version: str
    work: Path
    out: Path
    quick: bool = False  # compress little, for a trial

    @classmethod
    def for_this_machine(cls, out: Path, quick: bool = False) -> "Build":
        return cls(SYSTEMS[sys.platform], version(), ROOT / "build", out.absolute(), quick)

    @property
    def python(self) -> Path:
        """The clean environment's interpreter."""
        return self.work / "venv" / ("Scripts/python.exe" if self.system == "windows" else "bin/python")

    @property
    def tree(self) -> Path:
        """The frozen program: a folder with the executable and `_internal`."""
        return self.work / "frozen" / NAME

    @property
    def program(self) -> Path:
        return self.tree / (f"{NAME}.exe" if self.system == "windows" else NAME)


def version() -> str:
    """From app/__init__.py, read without importing it."""
    text = (ROOT / "app" / "__init__.py").read_text(encoding="utf-8")
    match = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    if match is None:
        raise BuildError("app/__init__.py has no __version__ line.")
    return match[1]


def source_date() -> int:
    """Seconds since the epoch for every time stamp in a package: SOURCE_DATE_EPOCH, else the last commit's time."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    told = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return int(told.stdout) if told.returncode == 0 and told.stdout.strip() else 0


def tell(text: str) -> None:
    sys.stdout.write(f"== {text}\n")
    sys.stdout.flush()


def run(command: Sequence[str | Path], **options: object) -> None:
    """Errors: BuildError when the command is not there or fails."""
    words = [str(word) for word in command]
    try:
        subprocess.run(words, check=True, **options)  # type: ignore[call-overload]
    except FileNotFoundError as error:
        raise BuildError(f"{words[0]} is not installed.") from error
    except subprocess.CalledProcessError as error:
        raise BuildError(f"{' '.join(words)[:300]} ended with {error.returncode}.") from error
