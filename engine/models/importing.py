"""One door for everything that a person has: a GGUF file, whole or split, or the folder of a model or drafter."""

from dataclasses import replace
from pathlib import Path

from engine.errors import SlipstreamError
from engine.events import Progress
from engine.graphs.checkpoint import Checkpoint
from engine.graphs.compress import WeightFormat
from engine.graphs.convert import converted_weights, default_format
from engine.graphs.decoder_weights import is_tied
from engine.graphs.foreign import is_foreign
from engine.graphs.gguf_model import GgufModel
from engine.graphs.hybrid import Source
from engine.models import (
    checkpoint_import,
    dflash_import,
    disk,
    gguf_header,
    ir_import,
    manifest,
    memory,
    optimum_import,
)
from engine.models.catalogue import Catalogue
from engine.models.formats import FormatOffer, offers, predicted_bytes
from engine.models.gguf_import import import_gguf
from engine.models.gguf_parts import find, import_parts, is_part
from engine.models.meter import Meter
from engine.models.shelf import Shelf

AS_IT_IS = "as it is"
_FOLDER_FILES = (".xml", ".bin", ".safetensors", ".json")  # that stand for the folder which they lie in


def import_path(path: Path, name: str | None, shelf: Shelf, catalogue: Catalogue, meter: Meter) -> str:
    """Returns the model's name. `path`: a GGUF file (any part of a split one), or a folder (or a file in it) with a
    Hugging Face checkpoint, an OpenVINO model or a trained drafter.

    Errors: SlipstreamError with the reason, and nothing is left of the try.
    """
    path = _meant(path)
    if not path.is_dir():
        if is_part(path):
            return import_parts(path, name, shelf, catalogue, meter)
        return import_gguf(path, name, shelf, catalogue, meter)
    if ir_import.is_openvino(path):
        return ir_import.import_ir(path, name, shelf, catalogue, meter)
    if checkpoint_import.is_model(path):
        return checkpoint_import.import_checkpoint(path, name, shelf, catalogue, meter)
    if checkpoint_import.model_type(path):
        return optimum_import.import_other(path, name, shelf, catalogue, meter)
    take = dflash_import.import_drafter if dflash_import.is_checkpoint(path) else import_gguf
    return take(path, name, shelf, catalogue, meter)


def formats(path: Path, measure: bool = True) -> list[FormatOffer]:
    """What `import_path` could make of it; a model that comes compressed keeps its format, which is the only offer.

    Errors: SlipstreamError with the reason when the model can't be imported.
    """
    meant = _meant(path)
    if meant.is_dir() and ir_import.is_openvino(meant) and not ir_import.is_ours(meant):
        return [FormatOffer(AS_IT_IS, _stored_bytes(meant), None, True)]
    model = _source(meant)
    arch = model.architecture
    if model.packed("blk.0.ffn_down.weight") is not None:
        return [FormatOffer(AS_IT_IS, _stored_bytes(_meant(path)), None, True)]
    whole = _meant(path).is_dir() or not is_part(_meant(path))
    tied = is_tied(model) if whole else not model.has("output.weight")
    return offers(arch, tied, default_format(arch.hidden), measure)


def choose(folder: Path, form: WeightFormat, meter: Meter) -> None:
    """Converts the installed model's weights to this format and remembers it, unless they came compressed.

    Errors: SlipstreamError when disk or memory do not suffice; the model is then as it was.
    """
    if is_foreign(folder / manifest.MODEL_FILE):
        return
    model = GgufModel.open(folder / manifest.MODEL_FILE)
    if model.packed("blk.0.ffn_down.weight") is not None:
        return
    arch = model.architecture
    needed = predicted_bytes(arch, is_tied(model), form)
    _require_memory(needed + 3 * 4 * arch.hidden * max(arch.vocab, arch.intermediate))
    del model

    def told(progress: Progress) -> None:
        meter.tick()
        if meter.stage != "convert":
            meter.enter("convert", total=progress.total, done=0)
        meter.at(progress.done)

    converted_weights(folder, form, told)
    manifest.write(folder, replace(manifest.read(folder), weights=form.value))
    meter.finish()


def _require_memory(needed: int) -> None:
    free = memory.free_bytes()
    if needed > free:
        raise SlipstreamError(
            f"Converting the weights needs about {needed / 1e9:.1f} GB of memory, but only {free / 1e9:.1f} GB is "
            "free: close other programs or choose a smaller format."
        )


def _source(path: Path) -> Source:
    """Of a split model only what the headers say can be had."""
    if path.is_dir():
        return ir_import.open_ir(path) if ir_import.is_openvino(path) else Checkpoint.open(path)
    if is_part(path):
        parts = find(path)
        tensors = {name: tensor for part in parts for name, tensor in part.header.tensors.items()}
        return GgufModel(path, replace(parts[0].header, tensors=tensors))
    gguf_header.check(path)
    return GgufModel.open(path)


def _stored_bytes(path: Path) -> int:
    return disk.size_of(path.joinpath(ir_import.MODEL).with_suffix(".bin") if path.is_dir() else path)


def _meant(path: Path) -> Path:
    """A folder's file stands for the folder, and a folder with nothing but one GGUF file for that file."""
    if path.is_file() and path.suffix in _FOLDER_FILES:
        return path.parent
    if not path.is_dir() or (path / "config.json").exists():
        return path
    files = sorted(file for file in path.glob("*.gguf") if file.is_file())
    if len(files) > 1 and not is_part(files[0]):
        raise SlipstreamError(f"{path} holds several GGUF files: name the one to import.")
    return files[0] if files else path
