"""What is measured of a model at its first load, and kept for the next: is it exact here, and what does a pass cost?

One small file in the user's folder. It may be deleted at any time; when it does not serve, the model is measured anew.
"""

import hashlib
import json
import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import openvino as ov

from engine import cost, processor
from engine.cost import PassTimes
from engine.device import compile_options
from engine.exactness import settle
from engine.load_options import AUTOMATIC, CPU, LoadOptions
from engine.models import disk, manifest
from engine.target import Target

VERSION = 3  # of what is measured, and of the graph that it is measured on
FILE = "calibration.json"
TRIES = 3
MOST = 64  # entries; the oldest go


@dataclass(frozen=True, slots=True)
class ModelCalibration:
    """`exact` is None for a draft model, of which nobody asks it. `tries`: loads that timed it. `single`:
    a lone token is one row (Target.take_lone_rows).
    """

    times: PassTimes
    exact: bool | None = None
    tries: int = 1
    single: bool = False

    @property
    def settled(self) -> bool:
        """Another program disturbs one measurement or two; a machine that is always busy is as it is."""
        return self.times.steady or self.tries >= TRIES


class CalibrationFile:
    """Calibrations by fingerprint. Reading and writing never fail: a file that does not serve is as good as none."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def find(self, fingerprint: str) -> ModelCalibration | None:
        with suppress(KeyError, TypeError, ValueError, OverflowError):
            return _calibration(self._entries()[fingerprint])
        return None

    def keep(self, fingerprint: str, calibration: ModelCalibration) -> None:
        entries = self._entries()
        entries.pop(fingerprint, None)
        entries[fingerprint] = asdict(calibration)
        latest = dict(list(entries.items())[-MOST:])
        with suppress(OSError):  # a home that can't be written to costs a second at every load, no more
            disk.write_atomically(self._path, json.dumps(latest, indent=1) + "\n")

    def _entries(self) -> dict[str, Any]:
        with suppress(OSError, ValueError, RecursionError):
            found = json.loads(self._path.read_text(encoding="utf-8"))
            if isinstance(found, dict):
                return found
        return {}


def calibrate(
    model: Target, folder: Path, file: CalibrationFile, *, drafting: bool, anew: bool = False
) -> ModelCalibration:
    """Of the model in `folder`: from the file, or measured now and kept there. Leaves the model empty."""
    weights = identity(folder)
    fingerprint = fingerprint_of(weights, drafting, model.taps, model.loaded_with) if weights else None
    found = file.find(fingerprint) if fingerprint and not anew else None
    if found is not None and not drafting:
        model.take_lone_rows(found.single)
    if found is not None and found.settled:
        _warm_up(model)
        return found
    exact = None if drafting else found.exact if found else settle(model)
    times = cost.measure_step(model) if drafting else cost.measure(model)
    measured = ModelCalibration(times, exact, single=model.least_rows == 1)
    measured = _better(found, measured) if found else measured
    if fingerprint:
        file.keep(fingerprint, measured)
    return measured


def _warm_up(model: Target) -> None:
    """A model's first pass packs its weights, whatever its rows: for a 1.5B that takes 4.5 s of processor time, against
    0.1 s of a later pass. It belongs to the load, not to the first answer.
    """
    model.forward([0, 0])
    model.release([])


def _better(old: ModelCalibration, new: ModelCalibration) -> ModelCalibration:
    """Of two measurements that were disturbed, the quicker is nearer to what the model itself takes."""
    quicker = min(old.times, new.times, key=lambda times: sum(times.seconds))
    return replace(new, times=new.times if new.times.steady else quicker, tries=old.tries + 1)


def identity(folder: Path) -> str | None:
    """Names the weights that the model in `folder` runs with; None if its record does not say."""
    try:
        source = manifest.read(folder).sha256
    except manifest.DamagedError:
        return None
    return "/".join([source, *sorted(path.name for path in folder.glob("openvino/*-v*"))])


def fingerprint_of(
    weights: str, drafting: bool, taps: Sequence[int] = (), loaded_with: LoadOptions = AUTOMATIC
) -> str:
    """Everything that the measured values depend on, as one word."""
    device, threads = loaded_with.device, loaded_with.threads
    facts = {
        "version": VERSION,
        "weights": weights,
        "drafting": drafting,
        "taps": list(taps),
        "options": compile_options(device, "f16" if drafting else "f32", 128, threads),
        "openvino": ov.get_version(),
        "processor": processor.name(),
        "features": processor.features(),
        "cores": processor.usable_cores(),
    }
    if device != CPU:
        facts["device"] = device
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def _calibration(entry: dict[str, Any]) -> ModelCalibration:
    """Errors: KeyError, TypeError or ValueError for what can't have been measured."""
    rows, seconds, per_token = (
        tuple(map(float, entry["times"][name])) for name in ("rows", "seconds", "per_token")
    )
    if not rows or not len(rows) == len(seconds) == len(per_token):
        raise ValueError("lists of different lengths")
    if not all(map(math.isfinite, (*rows, *seconds, *per_token))) or min(rows + seconds) <= 0.0:
        raise ValueError("not a time")
    if any(left >= right for left, right in pairwise(rows)):
        raise ValueError("rows out of order")
    exact, steady, single = entry["exact"], entry["times"]["steady"], entry["single"]
    if exact not in (True, False, None) or steady not in (True, False) or single not in (True, False):
        raise TypeError("not a verdict")
    change = float(entry["times"]["change"])
    if not 0.0 <= change < math.inf:
        raise ValueError("not a time")
    times = PassTimes(tuple(map(int, rows)), seconds, per_token, bool(steady), change)
    return ModelCalibration(times, exact, int(entry["tries"]), bool(single))
