"""What every frozen program must pass before it is given to anybody."""

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from builder import modules, systems
from builder.project import NAME, ROOT, Build, BuildError, run, tell

# What must never be shipped: trainers and converters (gigabytes), a browser, a reporter of usage.
FORBIDDEN = re.compile(
    r"(?i)(^|[/\\.-])(torch|torchvision|transformers|optimum|nncf|openvino_telemetry)([/\\.-]|$)|webengine"
)
LARGEST_TREE = {"linux": 330e6, "windows": 330e6, "macos": 400e6}  # bytes


def check_tree(build: Build) -> None:
    """Errors: BuildError when the program is not there, is another version's, holds what is forbidden, is too large."""
    if not build.program.is_file():
        raise BuildError(f"{build.program} is not there; run packaging/build.py without --reuse.")
    frozen = frozen_version(build.tree)
    if frozen != build.version:
        raise BuildError(f"the frozen program is {frozen}, not {build.version}; run it without --reuse.")
    wrong = forbidden([*_files(build.tree), *modules.read(modules.table(build))])
    if wrong:
        raise BuildError(f"the frozen program holds {', '.join(wrong[:5])}.")
    size = tree_size(build.tree)
    tell(f"The frozen program has {size / 1e6:.1f} MB")
    if size > LARGEST_TREE[build.system]:
        raise BuildError(f"the frozen program has {size / 1e6:.0f} MB, which is too much.")


def frozen_version(tree: Path) -> str:
    """From the metadata that the program shows; empty when there is none."""
    found = next(tree.glob(f"_internal/{NAME}-*.dist-info"), None)
    return found.name.removeprefix(f"{NAME}-").removesuffix(".dist-info") if found else ""


def forbidden(names: Iterable[str]) -> list[str]:
    """Those among paths and dotted module names that may not be shipped. An own drafter for torch is no torch."""
    return [name for name in names if FORBIDDEN.search(name) and not name.startswith(("app.", "engine."))]


def tree_size(tree: Path) -> int:
    """Bytes of all files; a link counts as nothing."""
    return sum(file.stat().st_size for file in tree.rglob("*") if file.is_file() and not file.is_symlink())


def smoke_home(build: Build, given: Path | None) -> Path:
    """A SLIPSTREAM_HOME with the starter: a copy of the given one, or what the frozen program fetches itself."""
    home = build.work / "smoke-home"
    model = Path("models") / _starter()
    if given is not None and not (home / model).is_dir():
        shutil.copytree(given / model, home / model)
    tell("The frozen program fetches the starter, if it is not there")
    run((build.program, "models", "fetch", "starter"), env=_clean_environment(home))
    return home


def smoke(program: Path, home: Path) -> None:
    """`--smoke`: a hidden window, the starter, one answer. Errors: BuildError."""
    tell(f"Trying {program} --smoke")
    run((program, "--smoke"), env=_clean_environment(home), cwd=tempfile.gettempdir(), timeout=900)


def smoke_wrapped(build: Build, artefact: Path, home: Path) -> None:
    """The same out of the finished artefact, where it can be taken apart on this system."""
    with tempfile.TemporaryDirectory(prefix="slipstream-unwrapped-", dir=build.work) as folder:
        program = systems.of(build).unwrap(artefact, Path(folder))
        if program is None:
            tell(f"{artefact.name} can't be tried on this system")
        else:
            smoke(program, home)


def _starter() -> str:
    catalogue = json.loads((ROOT / "assets" / "catalogue.json").read_text(encoding="utf-8"))
    return str(catalogue["pairs"]["starter"]["target"])


def _files(tree: Path) -> list[str]:
    return [str(file.relative_to(tree)) for file in tree.rglob("*")]


def _clean_environment(home: Path) -> dict[str, str]:
    """Without anything that could lend the program a Python or a Qt of this machine."""
    lent = ("PYTHON", "QT_", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
    own = {name: value for name, value in os.environ.items() if not name.startswith(lent)}
    return own | {"SLIPSTREAM_HOME": str(home)}
