"""GGUF to compressed OpenVINO weights, cached beside the model. Torch is not involved."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from filelock import FileLock

from engine.errors import SlipstreamError
from engine.graphs.compress import WeightFormat
from engine.graphs.decoder_weights import Listener, compress_gguf
from engine.graphs.foreign import foreign_weights, is_foreign
from engine.graphs.gguf_model import GgufModel
from engine.graphs.hybrid import Source
from engine.graphs.weights import Weights, load_weights, save_weights
from engine.models import conversions, disk, manifest

REVISION = conversions.REVISIONS["gguf"]
_BYTES_PER_WEIGHT = {  # at most
    WeightFormat.INT4: 0.8,
    WeightFormat.INT4_HEAD: 0.8,
    WeightFormat.INT8: 1.05,
    WeightFormat.F16: 2.0,
    WeightFormat.F32: 4.0,
}


def default_format(hidden: int, drafting: bool = False) -> WeightFormat:
    """8 bits where rows do not divide by 128 (small models lose speed and quality with small 4-bit groups)."""
    if hidden % 128:
        return WeightFormat.INT8
    return WeightFormat.INT4_HEAD if drafting else WeightFormat.INT4


def converted_weights(
    folder: Path,
    form: WeightFormat | None = None,
    progress: Listener | None = None,
    drafting: bool = False,
) -> Weights:
    """Weights of the model in `folder` (model.gguf), converted once and then read from the cache.

    Without `form` it is the one that was chosen for the model, else what suits its sizes.

    A damaged cache is made again. Errors: SlipstreamError when the file can't be used or the disk refuses.
    """
    if is_foreign(folder / manifest.MODEL_FILE):
        return foreign_weights(folder / manifest.MODEL_FILE)
    form = form or _chosen(folder, drafting)
    forms = [form] if form else _usable_formats(drafting)
    found = _cached(folder, forms)
    if found is not None:
        return found
    model = GgufModel.open(folder / "model.gguf")
    form = form or default_format(model.architecture.hidden, drafting)
    cache = folder / "openvino"
    with disk.explaining(folder):
        cache.mkdir(exist_ok=True)
        with FileLock(cache / "convert.lock"):  # another process may be converting the same model
            return _cached(folder, forms) or _convert(model, form, cache / _cache_name(form), progress)


def found_conversion(folder: Path, drafting: bool = False) -> Path | None:
    """The file that `converted_weights` would read first, damaged or not."""
    form = _chosen(folder, drafting)
    paths = [_cache_path(folder, each) for each in ([form] if form else _usable_formats(drafting))]
    return next((path for path in paths if path.exists()), None)


def planned_format(folder: Path, hidden: int, drafting: bool = False) -> WeightFormat:
    """What `converted_weights` would make."""
    return _chosen(folder, drafting) or default_format(hidden, drafting)


def _chosen(folder: Path, drafting: bool) -> WeightFormat | None:
    """What the model's record says, if it has one."""
    try:
        told = manifest.read(folder).weights
    except manifest.DamagedError:
        return None
    if told not in {form.value for form in WeightFormat}:
        return None
    return WeightFormat.INT4_HEAD if drafting and told == WeightFormat.INT4 else WeightFormat(told)


def _cache_name(form: WeightFormat) -> str:
    return f"{form}-v{REVISION}"


def _cache_path(folder: Path, form: WeightFormat) -> Path:
    return folder / "openvino" / _cache_name(form) / "weights.xml"


def _usable_formats(drafting: bool) -> list[WeightFormat]:
    four_bits = WeightFormat.INT4_HEAD if drafting else WeightFormat.INT4
    return [four_bits, WeightFormat.INT8, WeightFormat.F32]


def _cached(folder: Path, forms: Sequence[WeightFormat]) -> Weights | None:
    """What an earlier conversion left, if it is whole."""
    for each in forms:
        path = _cache_path(folder, each)
        if path.exists():
            with suppress(SlipstreamError):
                return load_weights(path)
    return None


def _convert(model: Source, form: WeightFormat, target: Path, progress: Listener | None) -> Weights:
    with conversions.replacing(target) as partial:
        disk.require_space(int(model.elements * _BYTES_PER_WEIGHT[form]), partial)
        save_weights(compress_gguf(model, form, progress), partial / "weights.xml")
    return load_weights(target / "weights.xml")
