"""What can be known about the Windows installer without Windows; packaging/windows/verify.sh installs it under Wine."""

import shutil
import struct
import subprocess
from dataclasses import replace
from pathlib import Path, PureWindowsPath

import pytest

from builder import icon_files, windows
from builder.project import ROOT, Build, BuildError


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """GIVEN a frozen program with awkward names."""
    build = Build("windows", "1.2.3", tmp_path / "build", tmp_path / "dist")
    for name in ("slipstream.exe", "slipstreamw.exe", "_internal/a $x/deep/ü.dll", "_internal/a $x/b.txt"):
        file = build.tree / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name, encoding="utf-8")
    icon = build.work / "icons" / "slipstream.ico"
    icon.parent.mkdir()
    icon.write_bytes(icon_files.ico(dict.fromkeys(icon_files.ICO_SIZES, b"PNG")))
    return build


def test_every_file_is_installed_once_and_removed_by_name(build: Build, tmp_path: Path) -> None:
    windows.write_lists(build.tree, tmp_path)
    installed = (tmp_path / "installed.nsh").read_text(encoding="utf-8").splitlines()
    removed = (tmp_path / "removed.nsh").read_text(encoding="utf-8").splitlines()

    assert [line for line in installed if line.startswith("File")] == [
        f'File "{build.tree / name}"'
        for name in ("slipstream.exe", "slipstreamw.exe", "_internal/a $x/b.txt", "_internal/a $x/deep/ü.dll")
    ]
    assert 'SetOutPath "$INSTDIR\\_internal\\a $$x\\deep"' in installed
    assert 'Delete "$INSTDIR\\_internal\\a $$x\\deep\\ü.dll"' in removed
    assert removed[-3:] == [
        'RMDir "$INSTDIR\\_internal\\a $$x\\deep"',
        'RMDir "$INSTDIR\\_internal\\a $$x"',
        'RMDir "$INSTDIR\\_internal"',
    ]


def test_the_uninstaller_never_deletes_a_folder_with_what_is_in_it() -> None:
    script = windows.SCRIPT.read_text(encoding="utf-8")

    assert "RMDir /r" not in script
    assert "RequestExecutionLevel user" in script
    assert "HKLM" not in script


def test_a_file_that_cannot_be_written_ends_setup_with_an_error() -> None:
    """GIVEN a full disk THEN nothing is registered: the errors of all files are looked at before."""
    script = windows.SCRIPT.read_text(encoding="utf-8")
    before, _, after = script.partition('!include "${LISTS}\\installed.nsh"')

    assert "AllowSkipFiles off" in before
    assert before.rstrip().endswith("ClearErrors")
    refusal = after[: after.index("WriteRegStr")]
    assert "${If} ${Errors}" in refusal
    assert "SetErrorLevel 2\n    Quit" in refusal


def test_the_folder_is_the_rest_of_the_command_line() -> None:
    setup, folder = PureWindowsPath("C:/a b/setup.exe"), PureWindowsPath("C:/c d")

    assert windows.silently(setup, folder) == '"C:\\a b\\setup.exe" /S /D=C:\\c d'


def test_windows_gets_the_numbers_of_a_trial_version(build: Build) -> None:
    assert replace(build, version="1.2rc1").release == "1.2"
    with pytest.raises(BuildError, match="no version"):
        _ = replace(build, version="next").release


def test_a_name_that_would_end_the_string_is_refused(build: Build, tmp_path: Path) -> None:
    (build.tree / 'a"b').touch()

    with pytest.raises(BuildError, match="quotation mark"):
        windows.write_lists(build.tree, tmp_path)


@pytest.mark.skipif(not shutil.which("makensis"), reason="needs makensis (Debian: nsis)")
def test_the_script_compiles_without_a_warning(build: Build, capfd: pytest.CaptureFixture[str]) -> None:
    setup = build.out / "Slipstream-1.2.3-setup.exe"
    windows.compile_installer(build, setup)

    assert "warning" not in "".join(capfd.readouterr()).lower()
    assert setup.read_bytes()[:2] == b"MZ"
    assert setup.stat().st_size > 50_000


def test_the_verification_script_is_sound_bash() -> None:
    subprocess.run(["bash", "-n", ROOT / "packaging/windows/verify.sh"], check=True)


def test_the_wizards_picture_is_a_whole_bitmap() -> None:
    data = icon_files.gradient_bmp(5, 3, (255, 0, 0), (0, 0, 255))
    row = 16  # 15 bytes, filled to a multiple of 4

    assert struct.unpack_from("<2sI", data) == (b"BM", len(data))
    assert len(data) == 54 + 3 * row
    assert data[54:57] == bytes((255, 0, 0))  # blue, green, red: the bottom comes first
    assert data[54 + 2 * row :][:3] == bytes((0, 0, 255))


def test_an_icon_file_points_at_its_images() -> None:
    pngs = {size: b"PNG" + bytes([size % 256]) * size for size in icon_files.ICO_SIZES}
    data = icon_files.ico(pngs)
    count = struct.unpack_from("<HHH", data)[2]

    assert count == len(icon_files.ICO_SIZES)
    for index, size in enumerate(icon_files.ICO_SIZES):
        width, _, _, _, _, bits, length, offset = struct.unpack_from("<BBBBHHII", data, 6 + 16 * index)
        assert (width, bits) == (size % 256, 32)
        assert data[offset : offset + length] == pngs[size]
