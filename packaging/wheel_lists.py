"""Looks at another system's wheels without that system: `.venv/bin/python packaging/wheel_lists.py windows macos`.

Resolves packaging/requirements.txt as pip would there, reads the list of files at the end of each wheel (a few
kilobytes of a request, not the wheel), and writes the natives of OpenVINO and Qt to packaging/wheels/SYSTEM.txt:
tests compare builder/prune.py with them.
"""

import argparse
import io
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
from packaging.requirements import Requirement
from packaging.utils import parse_wheel_filename

from builder.project import PACKAGING, BuildError, tell
from builder.prune import MANAGED

PYTHON = "3.12"  # the workflow's
PLATFORMS = {"windows": "win_amd64", "macos": "macosx_14_0_arm64"}
MARKERS = {
    "windows": {
        "sys_platform": "win32",
        "platform_system": "Windows",
        "os_name": "nt",
        "platform_machine": "AMD64",
    },
    "macos": {
        "sys_platform": "darwin",
        "platform_system": "Darwin",
        "os_name": "posix",
        "platform_machine": "arm64",
    },
}
NATIVE = re.compile(r"\.(dll|pyd|exe|dylib|qm)$|\.so(\.|$)|\.framework/")
FOLDER = PACKAGING / "wheels"


def requirements(system: str) -> list[str]:
    """The lock file's entries that hold on `system`; pip itself would ask the markers about this machine."""
    text = (PACKAGING / "requirements.txt").read_text(encoding="utf-8")
    here = {"python_version": PYTHON, "python_full_version": f"{PYTHON}.0"} | MARKERS[system]
    entries = (entry.partition("\\")[0].strip() for entry in re.split(r"^(?=[a-z0-9])", text, flags=re.M)[1:])
    parsed = [Requirement(entry) for entry in entries]
    return [
        f"{need.name}{need.specifier}" for need in parsed if need.marker is None or need.marker.evaluate(here)
    ]


def resolve(system: str) -> list[str]:
    """Addresses of the wheels, one for each requirement. BuildError when one has no wheel there."""
    with tempfile.TemporaryDirectory() as folder:
        report, lock = Path(folder) / "report.json", Path(folder) / "lock.txt"
        lock.write_text("\n".join(requirements(system)), encoding="utf-8")
        there = ("--platform", PLATFORMS[system], "--python-version", PYTHON, "--only-binary=:all:")
        older = ("--ignore-requires-python",)  # pip before 24 would ask it about this machine
        quiet = ("--disable-pip-version-check", "--no-input", "-q", "-q", "--target", folder)
        command = (sys.executable, "-m", "pip", "install", "--dry-run", "--no-deps", *there, *older, *quiet)
        done = subprocess.run(
            [*command, "--report", str(report), "-r", str(lock)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise BuildError(f"{system}: {done.stderr.strip()}")
        installs = json.loads(report.read_text(encoding="utf-8"))["install"]
    return [install["download_info"]["url"] for install in installs]


def natives(url: str) -> Iterator[tuple[int, str]]:
    """(bytes, path) of the wheel's natives in the managed folders."""
    for entry in _directory(url):
        top, _, rest = entry.filename.partition("/")
        if top in MANAGED and NATIVE.search(rest) and not rest.startswith(("Qt/qml/", "qml/")):
            yield entry.file_size, entry.filename


def minimum_macos(urls: list[str]) -> tuple[int, int]:
    """The oldest macOS that all the wheels allow, from their tags."""
    tags = (tag.platform for url in urls for tag in parse_wheel_filename(url.rpartition("/")[2])[3])
    found = [re.fullmatch(r"macosx_(\d+)_(\d+)_(?:arm64|universal2)", tag) for tag in tags]
    return max((int(match[1]), int(match[2])) for match in found if match)


def _directory(url: str) -> list[zipfile.ZipInfo]:
    """The table of contents, which lies at the end of the file."""
    size = int(httpx.head(url, follow_redirects=True).headers["Content-Length"])
    for wanted in (200_000, 2_000_000):
        begin = max(0, size - wanted)
        reply = httpx.get(url, headers={"Range": f"bytes={begin}-{size - 1}"}, follow_redirects=True)
        reply.raise_for_status()
        tail = reply.content[-(size - begin) :]
        try:
            # zipfile takes what is missing in front for a preface, as in a self-extracting archive.
            return zipfile.ZipFile(io.BytesIO(tail)).infolist()
        except zipfile.BadZipFile:
            continue
    raise BuildError(f"{url} has no table of contents that can be read.")


def write(system: str) -> Path:
    urls = resolve(system)
    wanted = ("openvino-2", "pyside6_essentials-", "shiboken6-")
    chosen = [url for url in urls if url.rpartition("/")[2].startswith(wanted)]
    lines = [f"# {url.rpartition('/')[2]}" for url in chosen]
    if system == "macos":
        lines.append("# macOS {}.{} or later".format(*minimum_macos(urls)))
    found = sorted((path, size) for url in chosen for size, path in natives(url))
    lines += [f"{size} {path}" for path, size in found]
    FOLDER.mkdir(exist_ok=True)
    file = FOLDER / f"{system}.txt"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("systems", nargs="+", choices=PLATFORMS)
    try:
        for system in parser.parse_args().systems:
            tell(str(write(system)))
    except (BuildError, httpx.HTTPError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
