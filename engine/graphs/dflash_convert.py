"""A trained drafter's folder as weights for its graphs, with the target's embedding and head. Cached as models are."""

from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset16 as ops
from filelock import FileLock
from numpy.typing import NDArray

from engine.device import core
from engine.errors import SlipstreamError
from engine.graphs.compress import WeightFormat, weight_output
from engine.graphs.dflash import DrafterWeights
from engine.graphs.dflash_checkpoint import TENSOR_FILE, Checkpoint, compress_checkpoint
from engine.graphs.dflash_shape import DrafterShape, misfit, shape_from_json
from engine.graphs.weights import Weights, load_outputs, save_outputs
from engine.models import conversions, disk

REVISION = conversions.REVISIONS["dflash"]
Own = tuple[dict[str, ov.Output], DrafterShape]


def drafter_weights(folder: Path, target: Weights, form: WeightFormat = WeightFormat.INT8) -> DrafterWeights:
    """The drafter in `folder` for this target. Errors: SlipstreamError when it is damaged or does not fit."""
    own, shape = converted_drafter(folder, form)
    reason = misfit(shape, target.architecture)
    if reason is not None:
        raise SlipstreamError(f"The drafter “{folder.name}” can't draft for this target: {reason}.")
    embedding = target.find("embedding") or target["head"]
    if shape.feeds_back and form is WeightFormat.INT8:
        form = WeightFormat.INT4  # it is read for every token of a draft, as a draft model's
    head = own.get("head") or _borrowed_head(own, target, form)
    return DrafterWeights(shape, own | {"embedding": embedding, "head": head})


def draft_ids(weights: DrafterWeights) -> NDArray[np.int64] | None:
    """Target ids of the drafted tokens, ascending; None when all are drafted."""
    output = weights.outputs.get("draft_ids")
    return None if output is None else np.array(output.get_node().get_data(), dtype=np.int64)


def converted_drafter(folder: Path, form: WeightFormat) -> Own:
    """The drafter's own outputs: from the cache, else converted and kept there."""
    cache = conversion_path(folder, form).parent
    found = _cached(cache)
    if found is not None:
        return found
    with disk.explaining(folder):
        cache.parent.mkdir(exist_ok=True)
        with FileLock(cache.parent / "convert.lock"):  # another process may be converting the same drafter
            return _cached(cache) or _convert(folder, cache, form)


def conversion_path(folder: Path, form: WeightFormat = WeightFormat.INT8) -> Path:
    """Where the converted drafter lies, or will lie."""
    return folder / "openvino" / f"{form}-v{REVISION}" / "weights.xml"


def _cached(cache: Path) -> Own | None:
    if (cache / "weights.xml").exists():
        with suppress(SlipstreamError):
            return load_outputs(cache / "weights.xml", shape_from_json)
    return None


def _convert(folder: Path, cache: Path, form: WeightFormat) -> Own:
    checkpoint = Checkpoint(folder)
    with conversions.replacing(cache) as partial:
        disk.require_space((folder / TENSOR_FILE).stat().st_size, partial)
        outputs = compress_checkpoint(checkpoint, form)
        save_outputs(outputs, asdict(checkpoint.shape), partial / "weights.xml")
    return load_outputs(cache / "weights.xml", shape_from_json)


def _borrowed_head(own: dict[str, ov.Output], target: Weights, form: WeightFormat) -> ov.Output:
    """The target's head, or those of its rows that the drafter drafts."""
    if "draft_ids" not in own:
        return target["head"]
    rows = ops.gather(target["head"], own["draft_ids"], ops.constant(0, dtype=np.int64))
    chosen = core().compile_model(ov.Model([ops.result(rows)], [], "rows"), "CPU")([])[0]
    return weight_output(np.asarray(chosen, dtype=np.float32), form)
