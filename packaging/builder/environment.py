"""The clean environment that is frozen: the run time, PyInstaller and this project, and nothing else."""

import venv

from builder.project import PACKAGING, ROOT, Build, clear, run, tell, without_python

LOCKS = ("requirements.txt", "requirements-package.txt")


def prepare(build: Build) -> None:
    """Makes build/venv anew from the lock files, each package checked against its hash."""
    folder = build.work / "venv"
    tell(f"A clean environment in {folder}")
    clear(folder)
    venv.create(folder, with_pip=True)
    pip = (build.python, "-m", "pip", "--no-input", "--disable-pip-version-check", "-qq")
    locks = [word for lock in LOCKS for word in ("-r", PACKAGING / lock)]
    own = without_python() | {"PIP_USER": "0"}
    steps = (
        ("install", "--require-hashes", "--only-binary=:all:", *locks),
        ("install", "--no-deps", "--no-build-isolation", ROOT),
        # OpenVINO's usage reporting; it is optional, and Slipstream promises to send nothing.
        ("uninstall", "-y", "openvino-telemetry"),
    )
    for step in steps:
        run((*pip, *step), env=own, cwd=build.work)
