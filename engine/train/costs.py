"""What passes and drafts cost on this machine: passes as measured at load, drafts timed beside a plain pass."""

import shutil
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from engine import calibration
from engine.calibration import CalibrationFile, ModelCalibration
from engine.cost import measure_block
from engine.drafters.dflash import BlockDrafter
from engine.drafters.followers import follower_of
from engine.graphs.dflash import DrafterWeights
from engine.graphs.dflash_convert import draft_ids, drafter_weights
from engine.models.store import ModelStore
from engine.target import Target
from engine.train.bounds import Costs
from engine.train.drafter_folder import CONFIG_FILE, TENSOR_FILE
from engine.train.target_model import TargetModel

TURNS = (
    12  # of drafts and plain passes, timed in turn; the least of each count, since other programs may be busy
)


def measured_costs(
    store: ModelStore, target: TargetModel, drafter: Path, context: int, share: float | None = None
) -> Costs | None:
    """None when the target was never measured here. A draft's cost is its share of a plain pass now, of a plain pass
    then: so a machine that is busier now than it was then does not matter much. Or it is the `share` that is given.
    """
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        own = _converted(drafter, Path(folder), target)
        found = known_calibration(store, target.name, own.shape.taps)
        if found is None:
            return None
        forward, step = _shares(own, target, found.single) if share is None else (share, 0.0)
        plain = Costs(found.times, 0.0, 0.0, 0 if share is None else context).plain  # timed on empty caches
        return Costs(found.times, forward * plain, step * plain, context)


def known_calibration(store: ModelStore, name: str, taps: tuple[int, ...]) -> ModelCalibration | None:
    """Of the model with these layers tapped, or else with none: the taps cost a copy."""
    file = CalibrationFile(store.home / calibration.FILE)
    weights = calibration.identity(store.path(name))
    if weights is None:
        return None
    found = (file.find(calibration.fingerprint_of(weights, False, each)) for each in (taps, ()))
    return next((each for each in found if each is not None), None)


def _converted(drafter: Path, folder: Path, target: TargetModel) -> DrafterWeights:
    """Beside the drafter's own folder: training goes on there, and what is converted would stay as it is now."""
    for name in (CONFIG_FILE, TENSOR_FILE):
        shutil.copyfile(drafter / name, folder / name)
    return drafter_weights(folder, target.weights)


def _shares(own: DrafterWeights, target: TargetModel, single: bool) -> tuple[float, float]:
    """(forward, each token) of a draft, in plain passes."""
    model = Target(target.weights, taps=own.shape.taps)
    model.take_lone_rows(single)
    drafter = BlockDrafter(follower_of(own), draft_ids(own))
    model.forward([0])  # the first pass packs weights
    most = drafter.model.shape.longest_draft
    rounds = [(measure_block(drafter), _timed_pass(model)) for _ in range(TURNS)]
    whole, one = (min(cost.draft(k) for cost, _ in rounds) for k in (most, 1))
    plain, step = min(seconds for _, seconds in rounds), max(whole - one, 0.0) / max(most - 1, 1)
    return max(one - step, 0.0) / plain, step / plain


def _timed_pass(model: Target) -> float:
    start = time.perf_counter()
    model.forward([0])
    return time.perf_counter() - start
