"""The clean environment that is frozen: the run time, PyInstaller and this project, and nothing else."""

import os
import shutil
import venv

from builder.project import PACKAGING, ROOT, Build, run, tell

LOCKS = ("requirements.txt", "requirements-package.txt")


def prepare(build: Build) -> None:
    """Makes build/venv anew from the lock files, each package checked against its hash."""
    folder = build.work / "venv"
    tell(f"A clean environment in {folder}")
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    pip = (build.python, "-m", "pip", "--no-input", "--disable-pip-version-check", "-qq")
    locks = [word for lock in LOCKS for word in ("-r", PACKAGING / lock)]
    quiet = {"env": os.environ | {"PIP_USER": "0"}, "cwd": build.work}
    run((*pip, "install", "--require-hashes", *locks), **quiet)
    run((*pip, "install", "--no-deps", "--no-build-isolation", ROOT), **quiet)
    # OpenVINO's usage reporting; it is optional, and Slipstream promises to send nothing.
    run((*pip, "uninstall", "-y", "openvino-telemetry"), **quiet)
