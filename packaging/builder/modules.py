"""The modules in pure Python, which lie in one archive; PyInstaller leaves a table of them beside it."""

import ast
from pathlib import Path

from builder.project import Build, BuildError


def table(build: Build) -> Path:
    return build.work / "pyinstaller" / build.tree.name / "PYZ-00.toc"


def read(table: Path) -> dict[str, str]:
    """Dotted name -> source file, as this system writes paths. Errors: BuildError when no module is named."""
    try:
        _, entries = ast.literal_eval(table.read_text(encoding="utf-8"))
        sources = {str(name): str(source) for name, source, _ in entries}
    except (OSError, SyntaxError, TypeError, ValueError) as error:
        raise BuildError(f"{table} is not PyInstaller's table of modules: {error}.") from error
    if not sources:
        raise BuildError(f"{table} names no module, so it can't be told what is inside.")
    return sources
