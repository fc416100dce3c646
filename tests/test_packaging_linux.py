"""What can be known about the frozen program and the .deb without freezing; packaging/linux/verify.py installs it."""

import gzip
import importlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from configparser import RawConfigParser
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import build as build_script
from app import __version__
from app.arguments import build_parser
from builder import checks, debian, libraries, linux, modules, project, prune, sbom, signing
from builder.libraries import Needs
from builder.project import APP_ID, PACKAGING, ROOT, Build, BuildError, version
from engine.system_libraries import QT_LIBRARIES

SYSTEM_SONAMES = frozenset({*libraries.PACKAGES, "libc.so.6", "libstdc++.so.6"})


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """GIVEN a frozen program of three files, its icons, and a fixed date."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    build = Build("linux", "1.2.3", tmp_path / "build", tmp_path / "dist")
    library = build.tree / "_internal" / "libx.so"
    library.parent.mkdir(parents=True)
    library.write_bytes(b"\0" * 3000)
    build.program.write_text("#!/bin/sh\n")
    bill = {"components": [{"name": "numpy", "version": "2.4", "licenses": [{"expression": "BSD-3-Clause"}]}]}
    (library.parent / "sbom.cdx.json").write_text(json.dumps(bill))
    (build.work / "icons").mkdir()
    for size in debian.ICON_SIZES:
        (build.work / "icons" / f"{size}.png").write_bytes(b"PNG")
    return build


def fields(control: str) -> dict[str, str]:
    """The one-line fields of a control file."""
    return dict(line.split(": ", 1) for line in control.splitlines() if not line.startswith(" "))


def test_the_version_is_the_programs_own() -> None:
    assert version() == __version__


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("openvino/libs/libopenvino.so.2641", True),
        ("openvino/libs/libopenvino_intel_cpu_plugin.so", True),
        ("openvino/libs/libopenvino_pytorch_frontend.so.2641", False),
        ("openvino/libs/libopenvino_intel_npu_plugin.so", False),
        ("openvino/include/openvino/openvino.hpp", False),
        ("PySide6/Qt/lib/libQt6Widgets.so.6", True),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/lib/libQt6Quick.so.6", False),
        ("PySide6/Qt/qml/QtQuick/libqtquick2plugin.so", False),
        ("libpython3.11.so.1.0", True),
        ("libssl.so.3", False),
        ("numpy.libs/libscipy_openblas64_-32a4b2a6.so", True),
        ("engine/assets/catalogue.json", True),
        ("engine/assets/drafters/smollm2/model.safetensors", True),
        ("engine/assets/drafters/smollm2/README.md", True),
        ("hf_xet/hf_xet.abi3.so", False),
        ("_cffi_backend.cpython-311-x86_64-linux-gnu.so", True),
    ],
)
def test_what_linux_keeps(path: str, kept: bool) -> None:
    assert prune.keeps(path, "linux") is kept


def test_libraries_at_the_top_stay_on_windows() -> None:
    assert prune.keeps("python3.dll", "windows")
    assert prune.kept(
        [("libssl-3.dll", "x", "BINARY"), ("openvino\\libs\\y.dll", "y", "BINARY")], "windows"
    ) == [("libssl-3.dll", "x", "BINARY")]


@pytest.mark.parametrize("path", ["ucrtbase.dll", "api-ms-win-crt-heap-l1-1-0.dll", "shiboken6/UCRTBASE.dll"])
def test_what_windows_has_itself_is_left_to_it(path: str) -> None:
    assert not prune.keeps(path, "windows")


def test_a_link_goes_with_what_it_leads_to() -> None:
    qt = "PySide6/Qt/lib"
    entries = [
        ("QtCore", f"{qt}/QtCore.framework/Versions/A/QtCore", "SYMLINK"),
        (f"{qt}/QtCore.framework/Versions/Current", "A", "SYMLINK"),
        ("QtQuick", f"{qt}/QtQuick.framework/Versions/A/QtQuick", "SYMLINK"),
        ("libopenvino.2641.dylib", "openvino/libs/libopenvino.2641.dylib", "SYMLINK"),
    ]

    assert prune.kept(entries, "macos") == [entries[0], entries[1], entries[3]]


@pytest.mark.parametrize("text", ["('x.pyz', [])", "", "('x.pyz',"])
def test_a_table_that_names_no_module_stops_the_build(tmp_path: Path, text: str) -> None:
    """GIVEN no list of modules THEN nobody can say that torch is not among them."""
    table = tmp_path / "PYZ-00.toc"
    table.write_text(text, encoding="utf-8")

    with pytest.raises(BuildError, match=r"table of modules|names no module"):
        modules.read(table)


@pytest.mark.parametrize(
    "name",
    [
        "_internal/torch/lib/libtorch.so",
        "transformers.models",
        "_internal/optimum-2.0.dist-info",
        "nncf",
        "_internal/PySide6/Qt/lib/libQt6WebEngineCore.so.6",
        "openvino_telemetry.main",
    ],
)
def test_what_may_not_be_shipped_is_found(name: str) -> None:
    assert checks.forbidden([name]) == [name]


def frozen_before(build: Build, version: str) -> None:
    """GIVEN the tables and metadata that a freeze leaves."""
    (build.tree / "_internal" / f"slipstream-{version}.dist-info").mkdir()
    table = modules.table(build)
    table.parent.mkdir(parents=True)
    table.write_text(repr(("x.pyz", [("app", "app/__init__.py", "PYMODULE")])), encoding="utf-8")


def test_an_older_freeze_is_not_wrapped_as_this_version(build: Build) -> None:
    frozen_before(build, "1.2.2")

    with pytest.raises(BuildError, match=r"is 1\.2\.2, not 1\.2\.3"):
        checks.check_tree(build)


def test_after_a_failure_no_installer_is_left(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    """GIVEN the results of an earlier run WHEN wrapping fails half-way THEN neither those nor its own stay."""
    frozen_before(build, "1.2.3")
    deb, archive = linux.artefacts(build)
    build.out.mkdir()
    for file in (archive, *signing.sums(build), build.out / "other.deb"):
        file.touch()

    def fail(_build: Build) -> list[Path]:
        assert not archive.exists()
        deb.touch()
        raise BuildError("no space.")

    monkeypatch.setattr(sbom, "write", lambda build: build.work / "bill.json")
    monkeypatch.setattr(linux, "wrap", fail)
    with pytest.raises(BuildError, match="no space"):
        build_script.make(build, smoke_home=None, reuse=True, smoke=False)

    assert [file.name for file in build.out.iterdir()] == ["other.deb"]


def test_what_only_sounds_like_it_is_not() -> None:
    names = [
        "engine.train.torch_loop",
        "pytorch_like",
        "_internal/openvino/libs/libopenvino.so",
        "tokenizers.models",
    ]

    assert checks.forbidden(names) == []


def test_dependencies_cover_what_doctor_asks_for() -> None:
    depends = libraries.dependencies(Needs(SYSTEM_SONAMES, (2, 35), (3, 4, 29)))

    assert "libc6 (>= 2.35)" in depends
    assert "libstdc++6 (>= 11)" in depends
    offered = {name for entry in depends for name in re.findall(r"[\w.+-]+", entry)}
    assert set(QT_LIBRARIES.values()) <= offered


def test_a_library_of_unknown_origin_stops_the_build() -> None:
    with pytest.raises(BuildError, match=r"libnew\.so\.1"):
        libraries.dependencies(Needs(frozenset({"libnew.so.1"}), (2, 35), ()))


def test_a_glibc_newer_than_promised_stops_the_build() -> None:
    with pytest.raises(BuildError, match=r"needs glibc 2\.36"):
        libraries.dependencies(Needs(frozenset(), (2, 36), ()))


def test_an_unknown_version_of_the_cpp_library_stops_the_build() -> None:
    newest = max(libraries.GCC_OF_GLIBCXX)
    unknown = (*newest[:2], newest[2] + 1)

    with pytest.raises(BuildError, match="GLIBCXX"):
        libraries.dependencies(Needs(frozenset(), (2, 35), unknown))
    assert "libstdc++6 (>= 11)" in libraries.dependencies(Needs(frozenset(), (2, 35), (3, 4, 9)))


def test_without_git_the_build_asks_for_a_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(BuildError, match="SOURCE_DATE_EPOCH"):
        project.source_date()


def test_what_changes_python_does_not_reach_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")

    own = project.without_python()
    assert "PATH" in own
    assert not [name for name in own if name.startswith("PYTHON")]


def test_a_command_that_hangs_is_told_in_a_sentence() -> None:
    with pytest.raises(BuildError, match="did not end in time"):
        project.run((sys.executable, "-c", "import time; time.sleep(600)"), timeout=0.01)


def test_what_cannot_be_cleared_stops_the_build(tmp_path: Path) -> None:
    """GIVEN a file where a folder was THEN it is not passed over; a folder that is not there is no failure."""
    (tmp_path / "file").touch()

    with pytest.raises(BuildError, match="can't be removed"):
        project.clear(tmp_path / "file")
    project.clear(tmp_path / "absent")


def test_what_a_real_program_links_to_is_found(tmp_path: Path) -> None:
    (tmp_path / "true").write_bytes(Path("/bin/true").read_bytes())

    found = libraries.needs(tmp_path)

    assert "libc.so.6" in found.sonames
    assert (2, 0) < found.glibc < (3, 0)


def test_a_package_without_its_bill_of_materials_is_not_made(build: Build, tmp_path: Path) -> None:
    next(build.tree.rglob("sbom.cdx.json")).unlink()

    with pytest.raises(BuildError, match=r"has no sbom\.cdx\.json"):
        debian.stage(build, tmp_path / "root")


def test_a_trial_version_is_upgraded_to_its_release(build: Build) -> None:
    trial = fields(debian.control(replace(build, version="1.2.3rc1"), [], 1))["Version"]
    final = fields(debian.control(build, [], 1))["Version"]

    subprocess.run(["dpkg", "--compare-versions", trial, "lt", final], check=True)


def test_the_builders_umask_does_not_show(build: Build, tmp_path: Path) -> None:
    """GIVEN a umask that shuts others out THEN dpkg's own files can be read all the same."""
    root = tmp_path / "root"
    before = os.umask(0o077)
    try:
        debian.stage(build, root)
    finally:
        os.umask(before)

    modes = {path.stat().st_mode & 0o777 for path in (root / "DEBIAN", *(root / "DEBIAN").iterdir())}
    assert modes == {0o755, 0o644}


def test_the_package_is_staged_whole(build: Build, tmp_path: Path) -> None:
    root = tmp_path / "root"
    debian.stage(build, root)

    assert (root / "usr/bin/slipstream").resolve() == root / "usr/lib/slipstream/slipstream"
    assert (root / "usr/lib/slipstream/slipstream").stat().st_mode & 0o777 == 0o755
    assert (root / "usr/lib/slipstream/_internal/libx.so").stat().st_mode & 0o777 == 0o644
    control = fields((root / "DEBIAN/control").read_text())
    assert control["Package"] == "slipstream"
    assert control["Version"] == "1.2.3"
    assert int(control["Installed-Size"]) >= 4
    assert "numpy 2.4: BSD-3-Clause" in (root / "usr/share/doc/slipstream/copyright").read_text()
    sums = (root / "DEBIAN/md5sums").read_text().splitlines()
    assert (
        subprocess.run(
            ["md5sum", "--check", "--quiet", root / "DEBIAN/md5sums"], cwd=root, check=False
        ).returncode
        == 0
    )
    assert len(sums) == sum(file.is_file() and not file.is_symlink() for file in (root / "usr").rglob("*"))


@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="needs dpkg-deb")
def test_the_installers_lie_where_they_are_looked_for(build: Build, tmp_path: Path) -> None:
    """GIVEN a small program WHEN wrapped and unwrapped THEN it is there, and the promised glibc is named."""
    shutil.copyfile("/bin/true", build.tree / "_internal" / "true")
    artefacts = linux.wrap(replace(build, quick=True))

    assert artefacts == linux.artefacts(build)
    for artefact in artefacts:
        folder = tmp_path / artefact.suffix
        folder.mkdir()
        assert linux.unwrap(artefact, folder).is_file()
    readme = next(tmp_path.glob(".xz/*/README.txt")).read_text()
    assert "glibc 2.35" in readme
    assert not re.findall("@[A-Z_]+@", readme)


def test_no_placeholder_is_left(build: Build, tmp_path: Path) -> None:
    root = tmp_path / "root"
    debian.stage(build, root)
    texts = [
        file
        for file in (root / "usr/share").rglob("*")
        if file.is_file() and file.suffix not in (".png", ".gz")
    ]
    pressed = [gzip.decompress(file.read_bytes()).decode() for file in (root / "usr/share").rglob("*.gz")]

    assert not re.findall("@[A-Z_]+@", "".join([*(file.read_text() for file in texts), *pressed]))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("slipstream", []), ("slipstream-import", ["models", "import", 'a $x "y".gguf'])],
)
def test_menu_entries_start_commands_that_exist(name: str, expected: list[str], tmp_path: Path) -> None:
    """GIVEN a stand-in for the program THEN it is called as the command line understands it."""
    entry = RawConfigParser(interpolation=None, delimiters="=")
    entry.optionxform = str  # type: ignore[assignment,method-assign]
    entry.read_string((PACKAGING / "linux" / f"{name}.desktop").read_text())
    section = entry["Desktop Entry"]

    assert section["Type"] == "Application"
    assert section.get("TryExec", section["Exec"]) == section["Icon"] == "slipstream"
    program = tmp_path / "slipstream"
    program.write_text('#!/bin/sh\nfor word; do printf "%s\\n" "$word" >>"$TOLD"; done\n')
    program.chmod(0o755)
    # The file's own escapes, then those of a command line, of which shlex leaves that of the dollar to others.
    line = section["Exec"].replace("\\\\", "\\").replace("\\$", "$")
    command = shlex.split(line.replace("%f", "'a $x \"y\".gguf'"))
    own = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "TOLD": str(tmp_path / "told")}
    subprocess.run(command, env=own, input="\n", text=True, check=True, stdout=subprocess.DEVNULL)

    told = tmp_path / "told"
    words = told.read_text().splitlines() if told.exists() else []
    assert words == expected
    build_parser().parse_args(words)


def test_the_mime_type_is_the_one_that_the_import_opens() -> None:
    mime = ElementTree.parse(PACKAGING / "linux" / "mime.xml").getroot()
    kind = mime[0].attrib["type"]

    assert f"MimeType={kind};" in (PACKAGING / "linux" / "slipstream-import.desktop").read_text()
    assert [node.attrib["pattern"] for node in mime[0] if node.tag.endswith("glob")] == ["*.gguf"]


def test_the_metainfo_names_this_release(build: Build) -> None:
    metainfo = ElementTree.fromstring(debian.filled("metainfo.xml", build))

    assert metainfo.findtext("id") == APP_ID
    assert metainfo.findtext("launchable") == "slipstream.desktop"
    release = metainfo.find("releases/release")
    assert release is not None
    assert release.attrib == {"version": "1.2.3", "date": "2023-11-14"}


def test_the_manual_page_tells_of_every_command() -> None:
    page = (PACKAGING / "linux" / "slipstream.1").read_text()
    commands = re.findall(r"^    (\w+) ", build_parser().format_help(), re.MULTILINE)

    assert {"ask", "models", "bench", "doctor"} <= set(commands)
    assert [command for command in commands if command not in page] == []


def openvino_hook() -> dict[str, Any]:
    """The hook runs inside PyInstaller, so it is read here with a stand-in for its one import."""
    source = (PACKAGING / "hooks" / "hook-openvino.py").read_text()
    source = source.replace("from PyInstaller.utils.hooks import collect_dynamic_libs", "")
    hook: dict[str, Any] = {"collect_dynamic_libs": lambda name, search_patterns: [name, *search_patterns]}
    exec(compile(source, "hook-openvino.py", "exec"), hook)
    return hook


def test_the_hook_keeps_converters_and_telemetry_out() -> None:
    hook = openvino_hook()

    assert "openvino" in hook["binaries"]
    assert {"openvino.tools", "openvino_telemetry"} <= set(hook["excludedimports"])


@pytest.mark.parametrize(("platform", "suppressed"), [("linux", True), ("darwin", False)])
def test_macos_keeps_the_links_by_which_libraries_find_each_other(
    monkeypatch: pytest.MonkeyPatch, platform: str, suppressed: bool
) -> None:
    monkeypatch.setattr(sys, "platform", platform)

    assert bool(openvino_hook()["bindepend_symlink_suppression"]) is suppressed


def test_the_build_tools_are_pinned_by_hash() -> None:
    lock = (PACKAGING / "requirements-package.txt").read_text()
    entries = re.split(r"^(?=[a-z0-9])", lock, flags=re.MULTILINE)[1:]
    group = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]["package"]
    names = {re.split(r"[^\w-]", need)[0] for need in group}

    assert all("--hash=sha256:" in entry for entry in entries)
    assert names <= {entry.partition("==")[0] for entry in entries}


@pytest.mark.parametrize(
    ("code", "text", "passes"),
    [
        (0, "", True),
        (2, "E: slipstream: bogus-mail-host x\n", True),
        (2, "W: slipstream: odd-tag\n", False),
        (1, "", False),
    ],
)
def test_a_lintian_that_fails_itself_proves_nothing(
    monkeypatch: pytest.MonkeyPatch, code: int, text: str, passes: bool
) -> None:
    monkeypatch.syspath_prepend(PACKAGING / "linux")
    verify = importlib.import_module("verify")
    done = subprocess.CompletedProcess(["lintian"], code, text, "it crashed")

    if passes:
        verify.judge(done)
    else:
        with pytest.raises(SystemExit):
            verify.judge(done)


@pytest.mark.parametrize("script", ["build.py", "linux/verify.py"])
def test_the_scripts_explain_themselves_without_installed_packages(script: str) -> None:
    told = subprocess.run(
        [sys.executable, "-S", PACKAGING / script, "--help"], capture_output=True, text=True, check=True
    )

    assert "usage:" in told.stdout
