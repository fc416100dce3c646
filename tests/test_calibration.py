"""What was measured at a first load serves the next one, and only where it belongs."""

import json
from pathlib import Path

import pytest

from engine import calibration, cost, device, processor
from engine.calibration import CalibrationFile, ModelCalibration, calibrate, fingerprint_of, identity
from engine.cost import PassTimes
from engine.graphs.convert import converted_weights
from engine.load_options import LoadOptions
from engine.models.store import ModelStore
from engine.target import Target
from tests.tiny_models import Shape, write_model

TIMES = PassTimes((2, 5), (0.03, 0.04), (1e-6, 2e-6))


@pytest.fixture
def file(tmp_path: Path) -> CalibrationFile:
    return CalibrationFile(tmp_path / calibration.FILE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An installed and converted model."""
    store = ModelStore(tmp_path / "home")
    store.import_file(write_model(tmp_path / "m.gguf", Shape(hidden=128, intermediate=256)), "m")
    return store.path("m")


@pytest.fixture
def model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Target:
    monkeypatch.setattr(cost, "PATIENCE_S", 60.0)
    monkeypatch.setattr(cost, "AGREEMENT", 1e9)  # a busy machine is steady enough here
    return Target(converted_weights(folder))


def test_what_is_kept_is_found(file: CalibrationFile) -> None:
    assert file.find("a") is None
    file.keep("a", ModelCalibration(TIMES, True))
    file.keep("b", ModelCalibration(PassTimes((1,), (0.01,), (0.0,))))
    assert file.find("a") == ModelCalibration(TIMES, True)
    assert file.find("b") == ModelCalibration(PassTimes((1,), (0.01,), (0.0,)), None)
    file.keep("a", ModelCalibration(TIMES, False))
    assert file.find("a") == ModelCalibration(TIMES, False)


def test_old_entries_go(file: CalibrationFile) -> None:
    for number in range(calibration.MOST + 5):
        file.keep(str(number), ModelCalibration(TIMES))
    assert file.find("4") is None
    assert file.find("5") == ModelCalibration(TIMES)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "null", "7", '{"a": 1}', '{"a": {"times": []}}', "[" * 100_000, "\0" * 50]
)
def test_damaged_file_is_ignored_and_replaced(content: str, file: CalibrationFile, tmp_path: Path) -> None:
    (tmp_path / calibration.FILE).write_text(content, encoding="utf-8")
    assert file.find("a") is None
    file.keep("a", ModelCalibration(TIMES, True))
    assert file.find("a") == ModelCalibration(TIMES, True)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("rows", []),
        ("rows", [2]),
        ("rows", [5, 2]),
        ("rows", [0, 2]),
        ("seconds", [0.0, 0.1]),
        ("seconds", [-1.0, 0.1]),
        ("seconds", [float("nan"), 0.1]),
        ("seconds", ["x", 0.1]),
        ("per_token", [float("inf"), 0.0]),
        ("per_token", None),
    ],
)
def test_numbers_that_no_machine_gives_are_ignored(
    name: str, values, file: CalibrationFile, tmp_path
) -> None:
    file.keep("a", ModelCalibration(TIMES, True))
    path = tmp_path / calibration.FILE
    entries = json.loads(path.read_text(encoding="utf-8"))
    entries["a"]["times"][name] = values
    path.write_text(json.dumps(entries), encoding="utf-8")
    assert file.find("a") is None


def test_verdict_must_be_one(file: CalibrationFile, tmp_path: Path) -> None:
    file.keep("a", ModelCalibration(TIMES, True))
    path = tmp_path / calibration.FILE
    path.write_text(path.read_text(encoding="utf-8").replace("true", '"maybe"'), encoding="utf-8")
    assert file.find("a") is None


def test_home_that_refuses_is_no_error(tmp_path: Path) -> None:
    for path in (tmp_path / "missing" / "folder" / "f.json", tmp_path):
        CalibrationFile(path).keep("a", ModelCalibration(TIMES))
        assert CalibrationFile(path).find("a") is None


def test_second_load_measures_nothing(model: Target, folder: Path, file, monkeypatch) -> None:
    measured = calibrate(model, folder, file, drafting=False)
    assert measured.exact is True
    assert measured.times.rows == cost.KNOTS
    assert model.tokens == []
    passes = []
    forward = model.forward
    monkeypatch.setattr(model, "forward", lambda rows: (passes.append(len(rows)), forward(rows))[1])
    assert calibrate(model, folder, file, drafting=False) == measured
    assert (passes, model.tokens) == ([2], [])  # warm, and empty again


def test_anew_measures_in_any_case(model: Target, folder: Path, file: CalibrationFile) -> None:
    weights = identity(folder)
    assert weights
    file.keep(fingerprint_of(weights, False), ModelCalibration(TIMES, False))
    assert calibrate(model, folder, file, drafting=False) == ModelCalibration(TIMES, False)
    measured = calibrate(model, folder, file, drafting=False, anew=True)
    assert measured.exact is True
    assert calibrate(model, folder, file, drafting=False) == measured


def test_draft_model_has_an_entry_of_its_own(model: Target, folder: Path, file: CalibrationFile) -> None:
    target, draft = (calibrate(model, folder, file, drafting=drafting) for drafting in (False, True))
    assert (len(draft.times.rows), draft.exact) == (1, None)
    assert calibrate(model, folder, file, drafting=True) == draft
    assert calibrate(model, folder, file, drafting=False) == target


def test_disturbed_times_are_measured_again_a_few_times(
    model: Target, folder: Path, file, monkeypatch
) -> None:
    """GIVEN a machine on which no two passes agree THEN the quicker times of three loads, and one verdict."""
    monkeypatch.setattr(cost, "AGREEMENT", 0.0)
    calibrations = [calibrate(model, folder, file, drafting=False) for _ in range(5)]
    sums = [sum(each.times.seconds) for each in calibrations]
    assert [each.tries for each in calibrations] == [1, 2, 3, 3, 3]
    assert sums == sorted(sums, reverse=True)
    assert calibrations[2] == calibrations[4]
    assert all(each.exact and not each.times.steady for each in calibrations)


def test_undisturbed_times_end_the_search(model: Target, folder: Path, file) -> None:
    weights = identity(folder)
    assert weights
    instant = PassTimes((2, 5), (1e-9, 1e-9), (0.0, 0.0), steady=False)
    file.keep(fingerprint_of(weights, False), ModelCalibration(instant, False))
    second = calibrate(model, folder, file, drafting=False)
    assert (second.settled, second.exact, second.times.rows) == (True, False, cost.KNOTS)
    assert calibrate(model, folder, file, drafting=False) == second


def test_busy_machine_is_not_kept_busy(model: Target, monkeypatch) -> None:
    """GIVEN no patience THEN each point is timed once: a pass that changes the number of rows, and one after;
    the one before them all packs the weights."""
    monkeypatch.setattr(cost, "PATIENCE_S", 0.0)
    passes = []
    forward = model.forward
    monkeypatch.setattr(model, "forward", lambda rows: (passes.append(len(rows)), forward(rows))[1])
    assert not cost.measure(model).steady
    assert sorted(passes) == sorted([1, *(2 * [*cost.KNOTS, *cost.FAR_KNOTS])])


def test_model_without_a_record_is_measured_every_time(model: Target, folder: Path, file) -> None:
    (folder / "manifest.json").unlink()
    assert identity(folder) is None
    assert calibrate(model, folder, file, drafting=True).times.rows == (1,)


def test_fingerprint_changes_with_everything_that_times_depend_on(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = {fingerprint_of("w", False), fingerprint_of("w", True), fingerprint_of("v", False)}
    for module, name, value in (
        (calibration.ov, "get_version", lambda: "9999.1"),
        (calibration, "VERSION", 99),
        (
            calibration,
            "compile_options",
            lambda *given: {**device.compile_options(*given), "NUM_STREAMS": "2"},
        ),
        (processor, "name", lambda: "Another Processor"),
        (processor, "usable_cores", lambda: 99),
    ):
        with monkeypatch.context() as changed:
            changed.setattr(module, name, value)
            seen.add(fingerprint_of("w", False))
    for other in (LoadOptions(threads=1), LoadOptions(device="GPU.0"), LoadOptions(device="GPU.1")):
        seen.add(fingerprint_of("w", False, loaded_with=other))
    assert len(seen) == 11
    assert fingerprint_of("w", False) in seen


def test_identity_changes_with_the_conversion(model: Target, folder: Path) -> None:
    before = identity(folder)
    (folder / "openvino" / "int4-v9").mkdir()
    assert identity(folder) != before
