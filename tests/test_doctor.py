"""The doctor's findings: each problem is one line that names the cause and the cure."""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from app import cli
from engine import doctor, processor, system_libraries
from engine.doctor import Check
from engine.errors import SlipstreamError
from engine.models.catalogue import Pair


class FakeStore:
    """Stands for ModelStore; its models are present, damaged or not there."""

    def __init__(self, present: tuple[str, ...] = (), damaged: bool = False) -> None:
        self.present, self.damaged = present, damaged
        self.mended = ""

    def pair(self, name: str) -> Pair:
        return Pair(name, "Starter", "tiny", None)

    def is_installed(self, name: str) -> bool:
        return name in self.present

    def verify(self, name: str) -> list[str]:
        if self.damaged:
            raise SlipstreamError(f"{name} does not match its hash.")
        return [self.mended] if self.mended else []


def end_like_a_crash() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def raise_in_the_child() -> None:
    raise SlipstreamError("no luck")


@pytest.mark.parametrize(
    ("flags", "missing"), [("fpu sse2 avx2 avx512f amx_tile", False), ("fpu sse2 avx", True), (None, False)]
)
def test_avx2_is_missing_only_where_the_system_says_so(
    flags: str | None, missing: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    if flags is not None:
        cpuinfo.write_text(f"processor\t: 0\nflags\t\t: {flags}\n", encoding="utf-8")
    read = processor.linux_flags(cpuinfo)
    monkeypatch.setattr(processor.sys, "platform", "linux")
    monkeypatch.setattr(processor, "is_x86", lambda: True)
    monkeypatch.setattr(processor, "linux_flags", lambda _path: read)

    assert processor.missing_avx2() is missing


def test_an_arm_processor_needs_no_avx2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor, "is_x86", lambda: False)
    monkeypatch.setattr(processor, "linux_flags", lambda _path: {"asimd"})

    assert not processor.missing_avx2()


def test_features_are_named_as_people_know_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor.sys, "platform", "linux")
    monkeypatch.setattr(processor, "linux_flags", lambda _path: {"avx2", "avx512f", "avx_vnni", "amx_tile"})

    assert processor.features() == ["AVX2", "AVX-512", "VNNI", "AMX"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has these libraries")
def test_a_missing_library_is_told_by_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        system_libraries, "QT_LIBRARIES", {"libc.so.6": "libc6", "libnot-there.so.9": "libnot-there9"}
    )

    assert system_libraries.missing() == {"libnot-there.so.9": "libnot-there9"}
    assert system_libraries.install_command(["a", "b"]) == "sudo apt-get install a b"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a desktop")
def test_a_display_that_does_not_answer_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISPLAY", ":4711")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))

    assert system_libraries.display() is None


def test_a_crash_in_the_child_is_an_exception_here() -> None:
    with pytest.raises(SlipstreamError, match="ended without an answer"):
        doctor.in_child(end_like_a_crash)


def test_an_error_in_the_child_arrives_here() -> None:
    with pytest.raises(SlipstreamError, match="no luck"):
        doctor.in_child(raise_in_the_child)


def test_a_native_crash_of_openvino_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "openvino_devices", end_like_a_crash)

    check = doctor._devices()

    assert not check.ok
    assert "does not load" in check.detail


def named(checks: list[Check]) -> dict[str, Check]:
    return {check.name: check for check in checks}


def test_a_starter_that_is_not_there_is_no_problem() -> None:
    found = named(doctor._starter(FakeStore()))

    assert found["starter"].ok
    assert found["starter"].detail.startswith("not installed")
    assert found["exactness"].ok
    assert "not run" in found["exactness"].detail


def test_a_damaged_starter_is_a_problem() -> None:
    found = named(doctor._starter(FakeStore(("tiny",), damaged=True)))

    assert not found["starter"].ok
    assert "tiny does not match its hash" in found["starter"].detail
    assert "fetch" in found["starter"].remedy
    assert "not run" in found["exactness"].detail


def test_a_damaged_conversion_is_told_and_is_no_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "in_child", lambda _work: True)
    store = FakeStore(("tiny",))
    store.mended = "A conversion was deleted."

    found = named(doctor._starter(store))

    assert found["starter"].ok
    assert store.mended in found["starter"].detail
    assert "bit-identical" in found["exactness"].detail


def test_a_home_that_is_a_file_is_one_problem_among_the_other_checks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home = tmp_path / "file"
    home.touch()
    monkeypatch.setenv("SLIPSTREAM_HOME", str(home))
    monkeypatch.setattr(doctor, "_devices", lambda: Check("openvino", True, "CPU"))

    found = named(doctor.checks())

    assert "processor" in found
    assert not found["models"].ok
    assert str(home) in found["models"].detail
    assert found["models"].remedy == "set SLIPSTREAM_HOME to another folder"


@pytest.mark.parametrize(("exact", "words"), [(True, "bit-identical"), (False, "not exact")])
def test_the_exactness_probe_is_told(exact: bool, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "in_child", lambda _work: exact)

    assert words in named(doctor._starter(FakeStore(("tiny",))))["exactness"].detail


def test_without_avx2_openvino_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor, "features", list)
    monkeypatch.setattr(processor, "is_x86", lambda: True)

    found = named(doctor.checks())

    assert not found["processor"].ok
    assert "openvino" not in found


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PACKAGES", ("numpy", "no-such-package"))

    check = doctor._packages()

    assert not check.ok
    assert check.detail == "missing: no-such-package"


def test_little_memory_and_little_disk_are_problems(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SLIPSTREAM_HOME", str(tmp_path / "not" / "yet"))
    monkeypatch.setattr(doctor, "LEAST_MEMORY", 2**60)
    monkeypatch.setattr(doctor, "LEAST_DISK", 2**60)

    assert not doctor._memory().ok
    assert not doctor._disk().ok
    assert str(tmp_path / "not" / "yet") in doctor._disk().detail


GOOD = Check("cores", True, "2 usable")
BAD = Check("system libraries", False, "the window needs libegl1", "sudo apt-get install libegl1")


def test_the_command_prints_one_line_a_problem_and_ends_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(doctor, "checks", lambda: [GOOD, BAD])

    assert cli.main(["doctor"]) == 1

    told = capsys.readouterr()
    assert told.out == "ok       cores: 2 usable\n"
    assert told.err == (
        "problem  system libraries: the window needs libegl1; sudo apt-get install libegl1.\n"
    )


def test_the_command_ends_with_0_when_all_is_well(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(doctor, "checks", lambda: [GOOD])

    assert cli.main(["doctor"]) == 0
    assert capsys.readouterr().err == ""


def test_the_json_holds_every_check(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(doctor, "checks", lambda: [GOOD, BAD])

    assert cli.main(["doctor", "--json"]) == 1

    report = json.loads(capsys.readouterr().out)
    assert report["ok"] is False
    assert report["checks"][1] == {
        "name": "system libraries",
        "ok": False,
        "detail": "the window needs libegl1",
        "remedy": "sudo apt-get install libegl1",
    }
