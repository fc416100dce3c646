"""What can be known about the macOS bundle without a Mac; and both other systems' wheels against the prune table."""

import os
import plistlib
import re
import shlex
import struct
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import httpx
import pytest

import wheel_lists
from app import __version__
from builder import icon_files, macos
from builder.project import APP_ID, ROOT, Build, BuildError
from builder.prune import KEPT, keeps

SYSTEMS = ("windows", "macos")
NEEDED = {
    "windows": ("openvino.dll", "*_intel_cpu_plugin.dll", "*_ir_frontend.dll", "tbb12.dll", "qwindows.dll"),
    "macos": ("libopenvino.*.dylib", "*_arm_cpu_plugin.so", "*_ir_frontend.*.dylib", "libqcocoa.dylib"),
}
LARGEST = {"windows": 130e6, "macos": 220e6}  # bytes of OpenVINO and Qt together


def native_files(system: str) -> dict[str, int]:
    """Path -> bytes, from the list that packaging/wheel_lists.py has written."""
    lines = (wheel_lists.FOLDER / f"{system}.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split(" ", 1) for line in lines if not line.startswith("#")]
    return {path: int(size) for size, path in rows}


def listed_wheels(system: str) -> list[str]:
    text = (wheel_lists.FOLDER / f"{system}.txt").read_text(encoding="utf-8")
    return re.findall(r"^# (\S+\.whl)$", text, re.MULTILINE)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_pattern_of_the_prune_table_names_a_file_of_the_wheels(system: str) -> None:
    files = native_files(system)

    assert [
        pattern for pattern in KEPT[system] if not any(fnmatchcase(file, pattern) for file in files)
    ] == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_runs_is_kept_and_the_rest_is_not(system: str) -> None:
    files = native_files(system)
    kept = {file: size for file, size in files.items() if keeps(file, system)}

    for pattern in NEEDED[system]:
        assert any(fnmatchcase(Path(file).name, pattern) for file in kept), pattern
    assert sum(kept.values()) < LARGEST[system] < sum(files.values())
    assert [
        file for file in kept if re.search(r"(?i)npu|gpu|pytorch|tensorflow|qml|quick|designer", file)
    ] == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_lists_are_of_the_versions_in_the_lock_file(system: str) -> None:
    pinned = {need.partition("==")[0]: need.partition("==")[2] for need in wheel_lists.requirements(system)}

    for wheel in listed_wheels(system):
        name, version = wheel.split("-")[:2]
        assert pinned[name.replace("_", "-")] == version, "run packaging/wheel_lists.py windows macos"


def test_the_lock_file_is_read_for_the_other_system() -> None:
    windows, mac = map(wheel_lists.requirements, SYSTEMS)

    assert any(need.startswith("colorama==") for need in windows)
    assert not any(need.startswith("colorama==") for need in mac)
    assert len([need for need in windows if need.startswith("numpy==")]) == 1


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_requirement_has_a_wheel_there(system: str) -> None:
    """The only test here that asks the package index; left out where there is none."""
    try:
        httpx.head("https://pypi.org/simple/openvino/", timeout=5).raise_for_status()
    except httpx.HTTPError:
        pytest.skip("the package index can't be reached")
    wheels = wheel_lists.resolve(system)

    assert len(wheels) == len(wheel_lists.requirements(system))
    assert set(listed_wheels(system)) <= {wheel.rpartition("/")[2] for wheel in wheels}


def test_the_oldest_macos_is_the_wheels(tmp_path: Path) -> None:
    text = (wheel_lists.FOLDER / "macos.txt").read_text(encoding="utf-8")

    assert f"# macOS {macos.MINIMUM} or later" in text
    wheels = [
        "a-1-py3-none-macosx_11_0_arm64.whl",
        "b-1-py3-none-macosx_10_9_universal2.macosx_12_3_arm64.whl",
    ]
    assert wheel_lists.minimum_macos(wheels) == (12, 3)


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """GIVEN a bundle as PyInstaller lays it out."""
    build = Build("macos", "1.2.3", tmp_path / "build", tmp_path / "dist")
    contents = macos.app(build) / "Contents"
    for folder in ("MacOS", "Frameworks/deep/er", "Resources"):
        (contents / folder).mkdir(parents=True)
    (contents / "Info.plist").write_bytes(plistlib.dumps(macos.info_plist(build.version)))
    (contents / "MacOS/slipstream").write_bytes(macos.MACH_O[0])
    (contents / "Frameworks/a.dylib").write_bytes(macos.MACH_O[1])
    (contents / "Frameworks/deep/er/b.so").write_bytes(macos.MACH_O[0])
    (contents / "Frameworks/c.dylib").symlink_to("a.dylib")
    (contents / "Frameworks/notes.txt").write_text("no code")
    (contents / "Resources/slipstream.icns").write_bytes(b"icns")
    return build


def test_info_plist_survives_a_round_trip_and_names_what_macos_needs() -> None:
    plist = plistlib.loads(plistlib.dumps(macos.info_plist("1.2.3")))

    assert plist["CFBundleIdentifier"] == APP_ID
    assert plist["CFBundleShortVersionString"] == plist["CFBundleVersion"] == "1.2.3"
    assert plist["LSMinimumSystemVersion"] == macos.MINIMUM
    assert plist["LSBackgroundOnly"] is False  # PyInstaller sets it for programs that have a console, too
    assert plist["NSHighResolutionCapable"] is True


def test_entitlements_allow_what_openvino_and_the_lgpl_need_and_no_more() -> None:
    entitlements = plistlib.loads(macos.ENTITLEMENTS.read_bytes())

    assert entitlements == {
        f"com.apple.security.cs.{name}": True
        for name in ("allow-jit", "allow-unsigned-executable-memory", "disable-library-validation")
    }


def test_code_is_found_from_the_inside_out_and_links_are_not_signed(build: Build) -> None:
    app = macos.app(build)

    assert [str(file.relative_to(app / "Contents")) for file in macos.code(app)] == [
        "Frameworks/deep/er/b.so",
        "Frameworks/a.dylib",
    ]


def test_a_sound_bundle_passes(build: Build) -> None:
    macos.check_bundle(macos.app(build))


@pytest.mark.parametrize("lost", ["MacOS/slipstream", "Resources/slipstream.icns"])
def test_a_bundle_that_lacks_something_does_not(build: Build, lost: str) -> None:
    (macos.app(build) / "Contents" / lost).unlink()

    with pytest.raises(BuildError, match="lacks or misplaces"):
        macos.check_bundle(macos.app(build))


def test_code_among_the_resources_is_refused(build: Build) -> None:
    (macos.app(build) / "Contents/Resources/x.so").write_bytes(macos.MACH_O[0])

    with pytest.raises(BuildError, match=r"x\.so"):
        macos.check_bundle(macos.app(build))


def test_the_image_is_compressed_and_named() -> None:
    command = macos.image_command(Path("folder"), Path("a.dmg"))

    assert command[command.index("-format") + 1] == "ULFO"
    assert command[-1] == "a.dmg"


def test_an_icns_holds_every_size_under_its_name() -> None:
    pngs = {size: b"PNG" * size for size in icon_files.ICNS_TYPES.values()}
    data = icon_files.icns(pngs)
    assert struct.unpack_from(">4sI", data) == (b"icns", len(data))

    place, found = 8, {}
    while place < len(data):
        kind, length = struct.unpack_from(">4sI", data, place)
        found[kind.decode()] = data[place + 8 : place + length]
        place += length
    assert found == {kind: pngs[size] for kind, size in icon_files.ICNS_TYPES.items()}


def test_the_script_that_writes_the_lists_says_how_it_is_used() -> None:
    told = subprocess.run(
        [sys.executable, ROOT / "packaging/wheel_lists.py", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert "windows" in told.stdout


def test_the_workflow_builds_on_three_systems_by_the_one_command() -> None:
    workflow = (ROOT / ".github/workflows/build.yml").read_text(encoding="utf-8")

    assert re.search(r"os: \[ubuntu-\S+, windows-\S+, macos-14\]", workflow)
    assert f'python-version: "{wheel_lists.PYTHON}"' in workflow
    assert re.findall(r"- run: (.*)$", workflow, re.MULTILINE) == ["python packaging/build.py"]


@pytest.mark.parametrize(("tag", "passes"), [(f"v{__version__}", True), ("v9.9.9", False)])
def test_the_workflow_builds_no_tag_of_another_version(tag: str, passes: bool) -> None:
    workflow = (ROOT / ".github/workflows/build.yml").read_text(encoding="utf-8")
    (step,) = re.findall(r"- if: github\.ref_type == 'tag'\n +run: (.*)$", workflow, re.MULTILINE)
    command = [sys.executable, *shlex.split(step)[1:]]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"GITHUB_REF_NAME": tag}, capture_output=True, check=False
    )

    assert (done.returncode == 0) is passes
