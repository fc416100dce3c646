"""The doctor's findings: each problem is one line that names the cause and the cure."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import json
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app import cli
from app.doctor_dialog import DoctorDialog
from app.failure_log import FailureLog
from engine import doctor, doctor_files, processor, system_libraries
from engine.device import Device
from engine.doctor_files import Check
from engine.errors import SlipstreamError
from engine.models.catalogue import Pair
from engine.models.store import ModelStore
from tests.tiny_models import write_model

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


class FakeStore:
    """Stands for ModelStore; its models are present, damaged or not there."""

    def __init__(self, present: tuple[str, ...] = (), damaged: bool = False) -> None:
        self.present, self.damaged = present, damaged
        self.mended = ""

    def pair(self, name: str) -> Pair:
        return Pair(name, "Starter", "tiny", None)

    def is_installed(self, name: str) -> bool:
        return name in self.present

    def missing(self, pair: Pair) -> list[str]:
        return [name for name in pair.models if name not in self.present]

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
    monkeypatch.setattr(doctor, "in_child", lambda _work: doctor.Tried(True, None, None))
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


def write_damaged(store: ModelStore) -> None:
    (store.path("broken")).mkdir(parents=True)
    (store.path("broken") / "manifest.json").write_text("{", encoding="utf-8")


def test_a_damaged_model_is_a_problem_with_its_remedy(tmp_path: Path) -> None:
    store = ModelStore(tmp_path)
    write_damaged(store)

    (check,) = doctor_files.damaged(store)

    assert not check.ok
    assert "record of “broken” can't be read" in check.detail
    assert check.remedy == "slipstream models remove broken"


def test_conversions_are_counted_and_old_ones_named(tmp_path: Path) -> None:
    store = ModelStore(tmp_path)
    store.import_file(write_model(tmp_path / "m.gguf"), "m")
    assert "nothing yet" in doctor_files.model_cache(store).detail
    for name, size in (("int8-v2", 3_000_000), ("int8-v1", 5_000_000), ("int4-v2.partial", 1_000_000)):
        folder = store.path("m") / "openvino" / name
        folder.mkdir(parents=True)
        (folder / "weights.bin").write_bytes(bytes(size))
    (tmp_path / "calibration.json").write_text('{"a": 1, "b": 2}', encoding="utf-8")

    check = doctor_files.model_cache(store)

    assert check.ok
    assert "m 3 MB" in check.detail
    assert "6 MB of older versions can be deleted" in check.detail
    assert "int8-v1" in check.detail
    assert "speeds measured: 2" in check.detail
    (tmp_path / "calibration.json").write_text("{", encoding="utf-8")
    assert "measured anew" in doctor_files.model_cache(store).detail


@pytest.mark.parametrize(
    ("text", "fine"), [(None, True), ('{"theme": "dark"}', True), ("{", False), ("[]", False)]
)
def test_settings_that_can_not_be_read_are_a_problem(text: str | None, fine: bool, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "settings.json").write_text(text, encoding="utf-8")

    check = doctor_files.settings(tmp_path)

    assert check.ok is fine
    assert bool(check.remedy) is not fine


def test_settings_that_were_set_aside_are_named(tmp_path: Path) -> None:
    (tmp_path / "settings.broken-20260101-000000.json").touch()
    assert "settings.broken-20260101-000000.json" in doctor_files.settings(tmp_path).detail


def test_devices_come_with_their_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [Device("CPU", "A processor"), Device("NPU", "Neural", problem="it has no paged attention")]
    monkeypatch.setattr(doctor, "in_child", lambda _work: found)

    check = doctor._devices()

    assert check.ok
    assert check.detail == "devices: CPU (A processor), NPU (it has no paged attention)"


def test_the_window_shows_findings_as_they_come_and_copies_them(qtbot: QtBot, tmp_path: Path) -> None:
    gate = threading.Event()

    def look() -> Iterator[Check]:
        yield GOOD
        gate.wait(10)
        yield BAD

    dialog = DoctorDialog(FailureLog(tmp_path / "log"), look=look)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: "cores: 2 usable" in dialog.lines.toPlainText())
    assert "libegl1" not in dialog.lines.toPlainText()
    gate.set()
    qtbot.waitUntil(lambda: "1 problem" in dialog.status.text())

    dialog.copy.click()

    assert "sudo apt-get install libegl1" in QGuiApplication.clipboard().text()


def test_the_window_tells_a_doctor_who_fails(qtbot: QtBot, tmp_path: Path) -> None:
    def look() -> Iterator[Check]:
        yield GOOD
        raise SlipstreamError("No luck.")

    dialog = DoctorDialog(FailureLog(tmp_path / "log"), look=look)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.status.text() == "No luck.")


@pytest.mark.parametrize(("exact", "words"), [(True, "bit-identical"), (False, "not exact")])
def test_the_exactness_probe_is_told(exact: bool, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "in_child", lambda _work: doctor.Tried(exact, None, None))

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
