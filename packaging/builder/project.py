"""Names, places and the version that every part of the build shares."""

import os
import re
import shutil
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
    def release(self) -> str:
        """The numbers of the version, without rc1 and the like, for systems that take numbers only."""
        match = re.match(r"\d+(\.\d+)*", self.version)
        if match is None:
            raise BuildError(f"{self.version} is no version: it does not begin with a number.")
        return match[0]

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
    command = ["git", "log", "-1", "--format=%ct"]
    try:
        told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        return int(told.stdout)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        raise BuildError(
            "git does not tell when the last commit was; install git, or set SOURCE_DATE_EPOCH."
        ) from error


def tell(text: str) -> None:
    sys.stdout.write(f"== {text}\n")
    sys.stdout.flush()


def clear(folder: Path) -> None:
    """Removes a folder of an earlier build. Errors: BuildError when some of it would stay."""
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise BuildError(f"{folder} can't be removed: {error}.") from error


def without_python() -> dict[str, str]:
    """The environment but for what changes how a Python works or where it looks for modules."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def run(command: str | Sequence[str | Path], *, secret: str = "", **options: object) -> None:
    """Errors: BuildError when the command is not there, fails or takes too long; tells its words, but for `secret`.

    A string is a whole command line, as Windows passes it.
    """
    words = [command] if isinstance(command, str) else [str(word) for word in command]
    try:
        subprocess.run(command if isinstance(command, str) else words, check=True, **options)  # type: ignore[call-overload]
    except FileNotFoundError as error:
        raise BuildError(f"{words[0]} is not installed.") from error
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        ended = f"ended with {error.returncode}" if hasattr(error, "returncode") else "did not end in time"
        shown = " ".join("***" if secret and word == secret else word for word in words)
        # Without its cause, which names all the words.
        raise BuildError(f"{shown[:300]} {ended}.") from (None if secret else error)
