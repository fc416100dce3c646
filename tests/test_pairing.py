"""Which drafts fit a target and why not, what they would gain, and what a trial measures and keeps."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine import calibration
from engine.calibration import CalibrationFile, ModelCalibration
from engine.cost import PassTimes
from engine.errors import SlipstreamError
from engine.events import Delta, Event, Failed, Progress
from engine.metrics import Stats
from engine.models import gain
from engine.models.catalogue import Catalogue, Pair
from engine.models.gain import Basis
from engine.models.gains_file import FILE, GainsFile, Trial
from engine.models.pairing import Candidate, candidates
from engine.models.store import ModelStore
from engine.models.trial import PROMPTS, Trying, trial, try_pair
from engine.request import Request, Speculation
from tests.dflash_checkpoints import Drafter, write_drafter
from tests.tiny_models import Shape, write_model

TARGET = Shape("llama", hidden=128, intermediate=256, layers=4, context=600)
SMALL = replace(TARGET, layers=1)
MODELS = {
    "target": TARGET,
    "copy": TARGET,
    "larger": replace(TARGET, layers=6),
    "near": SMALL,
    "nearer": replace(SMALL, hidden=64, intermediate=96, seed=5),
    "added": replace(SMALL, added=("<think>",), seed=6),
    "other": replace(SMALL, rename={65: "x"}, seed=7),
}
HUB = {"kind": "hub", "repo": "someone/something", "file": "model.gguf", "revision": "main"}
NOT_YET = {
    "title": "EAGLE-3 for it",
    "repo": "someone/eagle",
    "target": "target",
    "licence": "MIT",
    "reason": "Not yet.",
}


def entry(title: str, size: int, architecture: str = "llama", form: str = "gguf") -> dict[str, object]:
    return {
        "title": title,
        "licence": "MIT",
        "architecture": architecture,
        "size_bytes": size,
        "sha256": "0" * 64,
        "sources": [HUB],
        "format": form,
    }


CATALOGUE = {
    "models": {
        "target": entry("Target", 900_000),
        "made": entry("Made for it", 100_000),
        "relative": entry("Of its family", 100_000),
        "stranger": entry("Of another family", 100_000, "qwen2"),
        "giant": entry("Giant", 9_000_000_000),
        "elsewhere": entry("Drafter of another", 50_000, "block drafter", "dflash"),
    },
    "pairs": {"fine": {"title": "Fine", "target": "target", "draft": "made"}},
    "not_yet": [NOT_YET],
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ModelStore:
    folder = tmp_path_factory.mktemp("pairing")
    full = Catalogue.parse(CATALOGUE)
    models = {name: each for name, each in full.models.items() if name != "target"}
    store = ModelStore(folder / "home", replace(full, models=models))
    for name, shape in MODELS.items():
        store.import_file(write_model(folder / f"{name}.gguf", shape), name)
    for name, hidden, taps in (("block", 128, (0, 2)), ("narrow", 64, (0, 1)), ("deep", 128, (0, 3))):
        shape = Drafter("z-lab", hidden=hidden, taps=taps, block_size=7)
        store.import_file(write_drafter(folder / name, shape), name)
    return store


@pytest.fixture(scope="module")
def found(store: ModelStore) -> dict[str, Candidate]:
    return {each.name: each for each in candidates(store, "target", free=10**12)}


def sha256(store: ModelStore, name: str) -> str:
    return next(model.sha256 for model in store.installed() if model.name == name)


def test_what_fits_is_named(found: dict[str, Candidate]) -> None:
    fitting = {name for name, each in found.items() if each.fits}
    assert fitting == {"near", "nearer", "added", "block", "made"}
    assert "target" not in found
    assert all(not found[name].reason for name in fitting)
    assert found["block"].block
    assert (found["made"].installed, found["made"].download_bytes, found["made"].pair) == (
        False,
        100_000,
        "fine",
    )


@pytest.mark.parametrize(
    ("name", "fits", "reason"),
    [
        ("copy", False, "it is the same model"),
        ("larger", False, "it is no smaller"),
        ("other", False, "token 65 is 'A' in the target and 'x' in the draft"),
        ("narrow", False, "it reads hidden states of 64 numbers, and the target's have 128"),
        ("deep", False, "it reads layer 4, and of the target's 4 layers the last can't be read"),
        ("giant", False, "it is larger"),
        ("stranger", False, r"it is of another family \(qwen2, not llama\)"),
        ("elsewhere", False, "it was made for another model"),
        ("relative", None, "whether it fits can be told when it is fetched"),
        ("someone/eagle", False, "Not yet"),
    ],
)
def test_what_does_not_fit_says_why(
    found: dict[str, Candidate], name: str, fits: bool | None, reason: str
) -> None:
    assert found[name].fits is fits
    with pytest.raises(AssertionError, match=reason):
        raise AssertionError(found[name].reason)
    assert found[name].gain is None


def test_the_best_comes_first_and_the_useless_last(found: dict[str, Candidate]) -> None:
    ranked = list(found.values())
    gains = [each.gain.middle for each in ranked if each.gain]
    assert gains == sorted(gains, reverse=True)
    order = [each.fits for each in ranked]
    assert order == sorted(order, key=[True, None, False].index)


def test_too_little_memory_is_a_reason(store: ModelStore) -> None:
    near = {each.name: each for each in candidates(store, "target", free=10**6)}["near"]
    assert near.fits is False
    assert "of memory, but only 0.0 GB is free" in near.reason


def test_for_a_target_that_is_not_here_the_catalogue_knows_the_drafts(store: ModelStore) -> None:
    empty = ModelStore(store.home.parent / "empty", Catalogue.parse(CATALOGUE))
    ranked = candidates(empty, "target")
    assert ranked[0].name == "made"
    assert ranked[0].fits is True
    assert ranked[0].predicted is not None
    with pytest.raises(SlipstreamError, match="There is no model called 'nothing'"):
        candidates(store, "nothing")


# Gains


def keep_times(store: ModelStore, name: str, drafting: bool, seconds: tuple[float, ...]) -> None:
    weights = calibration.identity(store.path(name))
    assert weights is not None
    rows = tuple(range(1, len(seconds) + 1))
    times = PassTimes(rows, seconds, (0.0,) * len(rows))
    file = CalibrationFile(store.home / calibration.FILE)
    file.keep(calibration.fingerprint_of(weights, drafting), ModelCalibration(times))


def test_measured_costs_make_a_better_prediction_than_sizes(store: ModelStore) -> None:
    """GIVEN a target whose rows are free, and a draft whose step takes a tenth of a pass."""
    keep_times(store, "target", False, (1.0, 1.0))
    keep_times(store, "near", True, (0.1,))
    found = {each.name: each for each in candidates(store, "target", free=10**12)}
    near, sizes = found["near"].predicted, found["nearer"].predicted
    assert near is not None
    assert sizes is not None
    assert (near.basis, sizes.basis) == (Basis.COSTS, Basis.SIZES)
    assert near.accepted == gain.ASSUMED
    low, high = gain.ASSUMED
    by_hand = [max((1 - p ** (k + 1)) / (1 - p) / (1.0 + 0.1 * k) for k in range(1, 11)) for p in (low, high)]
    assert [near.least, near.most] == pytest.approx(by_hand)


def test_a_draft_that_is_as_slow_as_its_target_promises_nothing() -> None:
    slow = gain.from_sizes(1.0, 1.0, whole=False)
    assert (slow.least, slow.most) == (1.0, pytest.approx(1.0))
    assert gain.from_sizes(1.0, 0.1, whole=True).most > gain.from_sizes(1.0, 0.1, whole=False).most


def test_a_trial_is_remembered_for_these_files_and_this_machine(store: ModelStore, tmp_path: Path) -> None:
    file = GainsFile(tmp_path)
    assert file.find("a" * 64, "b" * 64) is None
    file.keep("a" * 64, "b" * 64, Trial(20.0, 36.0, 0.7, "2026-11-30"))
    found = file.find("a" * 64, "b" * 64)
    assert found is not None
    assert (found.basis, found.least, found.when, found.outdated) == (Basis.TRIAL, 1.8, "2026-11-30", False)
    assert file.find("a" * 64, "c" * 64) is None

    kept = json.loads((tmp_path / FILE).read_text())
    (only,) = kept.values()
    assert only["target_sha256"] == "a" * 64
    only["versions"]["openvino"] = "1"
    (tmp_path / FILE).write_text(json.dumps(kept))
    older = file.find("a" * 64, "b" * 64)
    assert older is not None
    assert older.outdated
    only["processor"] = "another"
    (tmp_path / FILE).write_text(json.dumps(kept))
    assert file.find("a" * 64, "b" * 64) is None
    (tmp_path / FILE).write_text("{torn")
    assert file.find("a" * 64, "b" * 64) is None


def test_a_measured_gain_counts_more_than_a_predicted_one(store: ModelStore) -> None:
    trial_of = Trial(10.0, 90.0, 0.9, "2026-11-30")
    GainsFile(store.home).keep(sha256(store, "target"), sha256(store, "added"), trial_of)
    best = candidates(store, "target", free=10**12)[0]
    assert best.name == "added"
    assert best.measured is not None
    assert best.gain is best.measured
    assert best.predicted is not None


class TimedEngine:
    """Two tokens a pass with speculation and one without; each pass takes a second of `now`."""

    def __init__(self, passes: int = 1000, error: str = "") -> None:
        self.now, self.passes, self.error = 0.0, passes, error
        self.asked: list[Request] = []
        self.closed = 0
        self.cancel_at: int | None = None
        self.pair = Pair("alone", "Alone", "target", None)
        self.swaps: list[str | None] = []
        self.fixed = False  # its target would have to be another

    def swap(self, pair: Pair, progress: Callable[[Progress], None]) -> bool:
        if self.fixed:
            return False
        progress(Progress("compiling", 0, 1))
        self.pair = pair
        self.swaps.append(pair.draft)
        return True

    def generate(self, request: Request, cancel: threading.Event | None = None) -> Iterator[Event]:
        self.asked.append(request)
        tokens = 1 if request.speculation is Speculation.OFF else 2
        try:
            for n in range(1, self.passes + 1):
                if self.error:
                    yield Failed(self.error)
                if cancel is not None and len(self.asked) == self.cancel_at:
                    cancel.set()
                self.now += 1.0
                accepted = n * (tokens - 1)
                stats = Stats(tokens=n * tokens, decode_s=float(n), drafted=2 * accepted, accepted=accepted)
                yield Delta("x", (1,) * tokens, (), 0, "draft", 1.0, stats)
        finally:
            self.closed += 1


def tried(engine: TimedEngine, seconds: float = 60.0) -> list[Trying | Trial]:
    return list(trial(engine, threading.Event(), seconds, lambda: engine.now))


def test_a_trial_measures_both_ways_within_its_time() -> None:
    engine = TimedEngine()
    *on_the_way, last = tried(engine)
    assert isinstance(last, Trial)
    assert (last.plain, last.drafted, last.speedup, last.accepted) == (1.0, 2.0, 2.0, 0.5)
    assert [step.done for step in on_the_way if isinstance(step, Trying)] == pytest.approx(
        [n / (2 * PROMPTS) for n in range(2 * PROMPTS + 1)]
    )
    modes = [asked.speculation for asked in engine.asked[1:]]
    assert modes == [Speculation.OFF, Speculation.AUTO, Speculation.AUTO, Speculation.OFF, *modes[:2]]
    prompts = [asked.messages for asked in engine.asked[1:]]
    assert prompts[0::2] == prompts[1::2]
    assert engine.closed == len(engine.asked)
    most = 60.0 + len(engine.asked)  # each answer ends with the pass in which its time is over
    assert 60.0 <= engine.now <= most


def test_a_trial_of_a_slow_model_still_compares_two_passes() -> None:
    assert isinstance(tried(TimedEngine(), seconds=0.0)[-1], Trial)


def test_a_cancelled_trial_measures_nothing() -> None:
    engine, cancel = TimedEngine(), threading.Event()
    engine.cancel_at = 3
    told = list(trial(engine, cancel, 60.0, lambda: engine.now))
    assert all(isinstance(step, Trying) for step in told)
    assert len(engine.asked) == 3


def test_a_trial_that_fails_says_why() -> None:
    with pytest.raises(SlipstreamError, match="out of order"):
        tried(TimedEngine(error="The model is out of order."))
    with pytest.raises(SlipstreamError, match="nothing that could be timed"):
        tried(TimedEngine(passes=0))


NEAR = Pair("target+near", "Near", "target", "near")


def measured(engine: TimedEngine, cancel: threading.Event) -> Iterator[Trying | Trial]:
    return trial(engine, cancel, 60.0, lambda: engine.now)


def test_a_draft_is_tried_and_the_old_one_put_back(store: ModelStore) -> None:
    engine, told = TimedEngine(), []
    before = engine.pair
    last = try_pair(engine, store, NEAR, told.append, threading.Event(), measure=measured)
    assert last is not None
    assert engine.pair == before
    assert engine.swaps == ["near", None]
    assert isinstance(told[0], Progress)
    assert isinstance(told[-1], Trying)
    found = {each.name: each for each in candidates(store, "target", free=10**12)}["near"]
    assert found.measured is not None
    assert found.measured.least == last.speedup


def test_the_present_pair_is_tried_as_it_is(store: ModelStore) -> None:
    engine = TimedEngine()
    engine.pair = NEAR
    assert try_pair(engine, store, NEAR, lambda _: None, threading.Event(), measure=measured) is not None
    assert engine.swaps == []


def test_the_old_draft_comes_back_whatever_happens(store: ModelStore) -> None:
    failing, cancelled, fixed = TimedEngine(error="Out of order."), TimedEngine(), TimedEngine()
    with pytest.raises(SlipstreamError, match="Out of order"):
        try_pair(failing, store, NEAR, lambda _: None, threading.Event(), measure=measured)
    cancelled.cancel_at = 2
    assert try_pair(cancelled, store, NEAR, lambda _: None, threading.Event(), measure=measured) is None
    assert failing.swaps == cancelled.swaps == ["near", None]
    fixed.fixed = True
    with pytest.raises(SlipstreamError, match="use it for the chat first"):
        try_pair(fixed, store, NEAR, lambda _: None, threading.Event(), measure=measured)
