"""The project's own rules as checks: imports, module lengths, lock files, what the README promises."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from app import __version__

ROOT = Path(__file__).parent.parent
LONGEST_MODULE = 350
TRAINING_ONLY = {"torch", "transformers", "optimum", "nncf"}


def modules_after(program: str) -> set[str]:
    """The top-level packages that a fresh interpreter has imported after running `program`."""
    told = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys; print(*sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {name.partition(".")[0] for name in told.stdout.split()}


def engine_modules() -> list[str]:
    """Every module of the engine but the trainer, which needs an extra."""
    files = sorted((ROOT / "engine").rglob("*.py"))
    names = [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files]
    return [name.removesuffix(".__init__") for name in names if not name.startswith("engine.train")]


def test_the_engine_imports_no_window_and_no_training_framework() -> None:
    imported = modules_after(f"import {', '.join(engine_modules())}")

    assert "openvino" in imported or "numpy" in imported  # the import did something
    assert imported & {"PySide6", "shiboken6", "app"} == set()
    assert imported & TRAINING_ONLY == set()


@pytest.mark.parametrize(
    "program",
    [
        "import app.cli",
        "import app.commands.ask, app.commands.models, app.commands.bench, app.commands.doctor",
        "from app.arguments import build_parser; build_parser().parse_args(['ask', 'Hello'])",
    ],
)
def test_the_command_line_starts_without_qt_and_without_native_code(program: str) -> None:
    """The processor is checked first, so nothing native may come in with the parser."""
    imported = modules_after(program)

    assert imported & {"PySide6", "openvino", "numpy", "tokenizers"} == set()


def test_no_module_is_too_long() -> None:
    lengths = {
        str(file.relative_to(ROOT)): len(file.read_text(encoding="utf-8").splitlines())
        for folder in ("app", "engine")
        for file in (ROOT / folder).rglob("*.py")
    }

    assert {file: length for file, length in lengths.items() if length > LONGEST_MODULE} == {}


def test_the_readme_begins_with_the_two_commands() -> None:
    top = (ROOT / "README.md").read_text(encoding="utf-8")[:1500]

    assert "bash packaging/start.sh" in top
    assert "bash packaging/test.sh" in top


def test_continuous_integration_runs_the_readmes_test_command() -> None:
    assert re.search(r"^exec bash packaging/test\.sh\b", (ROOT / ".ci/run").read_text(encoding="utf-8"), re.M)


@pytest.mark.parametrize(
    "script", [".ci/run", "packaging/start.sh", "packaging/test.sh", "packaging/setup.sh"]
)
def test_the_scripts_are_sound_bash(script: str) -> None:
    subprocess.run(["bash", "-n", ROOT / script], check=True)


def locked(name: str) -> dict[str, str]:
    """Package -> its lines in a lock file."""
    text = (ROOT / "packaging" / name).read_text(encoding="utf-8")
    entries = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    return {entry.partition("==")[0]: entry for entry in entries}


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_lock_files_pin_everything_by_hash_and_hold_no_training_framework(name: str) -> None:
    packages = locked(name)

    assert all("--hash=sha256:" in entry for entry in packages.values())
    assert packages.keys() & TRAINING_ONLY == set()
    assert not [package for package in packages if package.startswith("nvidia")]


def test_the_lock_files_hold_what_pyproject_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["dependency-groups"]

    def names(requirements: list[str]) -> set[str]:
        return {re.split(r"[^\w-]", requirement)[0].lower() for requirement in requirements}

    assert names(project["project"]["dependencies"] + groups["build"]) <= locked("requirements.txt").keys()
    assert names(groups["dev"]) <= locked("requirements-dev.txt").keys()


def test_the_version_flag_works_as_a_program() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "app", "--version"], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert told.stdout == f"slipstream {__version__}\n"
    assert told.stderr == ""


def test_the_licence_is_whole() -> None:
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")

    assert "Apache License" in licence
    assert "END OF TERMS AND CONDITIONS" in licence
