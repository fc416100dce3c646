"""The module that wraps the frozen program for each operating system."""

from importlib import import_module
from pathlib import Path
from typing import Protocol

from builder.project import Build


class System(Protocol):
    """What builder/linux.py, builder/windows.py and builder/macos.py offer."""

    def artefacts(self, build: Build) -> list[Path]:
        """Where the installers will lie."""

    def wrap(self, build: Build) -> list[Path]:
        """Makes the installers out of `build.tree` in `build.out`, and returns them."""

    def unwrap(self, artefact: Path, folder: Path) -> Path | None:
        """Takes the artefact apart into `folder` and returns the program in it; None where that can't be done."""


def of(build: Build) -> System:
    module: System = import_module(f"builder.{build.system}")  # type: ignore[assignment]
    return module
