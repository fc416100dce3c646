"""Takes in an OpenVINO model's folder, as optimum-intel writes it and the hub holds them.

The matrices keep their values and their scales bit for bit; the graph around them is Slipstream's own, which is what
makes speculation fast and lets drafters look inside. A model of another kind is kept whole and runs with OpenVINO's
graph (graphs.foreign). That it computes what OpenVINO does is seen before the model is installed.
"""

from pathlib import Path

import numpy as np
import openvino as ov
from numpy.typing import NDArray

from engine.device import compile_options, core
from engine.errors import SlipstreamError
from engine.graphs import foreign, ir_guard
from engine.graphs.checkpoint import Checkpoint, read_config
from engine.graphs.compress import WeightFormat
from engine.graphs.decoder_weights import compress_gguf
from engine.graphs.gguf_model import GgufModel
from engine.graphs.ir_file import IrFile
from engine.graphs.weights import Weights
from engine.models import checkpoint_vocab, disk, foreign_file, memory
from engine.models.catalogue import Catalogue
from engine.models.gguf_import import import_gguf
from engine.models.gguf_writer import GgufFile
from engine.models.meter import CancelledError, Meter
from engine.models.shelf import Shelf
from engine.models.staging import staged
from engine.target import Target
from engine.tokenizer import Tokenizer

MODEL = "openvino_model.xml"
PICTURES = "openvino_language_model.xml"
_MOST_DIFFERENCE = 0.2  # of logits, as a part of their size; two different models have about 1.4
_TEXT = "def mean(values):\n    return sum(values) / len(values)\n\nThe mean of 3, 4 and 8 is 5."
_MEMORY_PER_BYTE = 2.6  # of the weights, for either program's compiled model and what it is made of


def is_openvino(folder: Path) -> bool:
    return (folder / MODEL).is_file() or (folder / PICTURES).is_file()


class OtherGraphError(SlipstreamError):
    """The model is sound, but not one whose graph Slipstream builds."""


def is_ours(folder: Path) -> bool:
    """Whether the graph would be Slipstream's. Errors: SlipstreamError when the folder can't be imported."""
    try:
        open_ir(folder)
    except OtherGraphError:
        return False
    return True


def import_ir(folder: Path, name: str | None, shelf: Shelf, catalogue: Catalogue, meter: Meter) -> str:
    """Returns the model's name. Errors: SlipstreamError with the reason."""
    try:
        return _import_weights(folder, name, shelf, catalogue, meter)
    except OtherGraphError as reason:
        try:
            return _import_whole(folder, name, shelf, catalogue, meter)
        except CancelledError:
            raise
        except SlipstreamError as error:
            raise SlipstreamError(f"{reason} As it is it can't run either: {error}") from error


def _import_weights(folder: Path, name: str | None, shelf: Shelf, catalogue: Catalogue, meter: Meter) -> str:
    model = open_ir(folder)
    file = GgufFile(model)
    require_memory(file.size)
    with staged(shelf, meter, file.size) as place:
        meter.enter("copy", total=file.size, done=0)
        path = place / f"{folder.resolve().name}.gguf"
        file.write(folder, path, meter.add)
        del model, file
        meter.enter("compare")
        _require_agreement(folder / MODEL, path)
        return import_gguf(path, name, shelf, catalogue, meter)


def _import_whole(folder: Path, name: str | None, shelf: Shelf, catalogue: Catalogue, meter: Meter) -> str:
    """The model with OpenVINO's own graph."""
    size = sum(disk.size_of(folder / part) for part in (foreign.XML, foreign.BIN))
    require_memory(size)
    with staged(shelf, meter, size) as place:
        meter.enter("copy", total=size, done=0)
        path = place / f"{folder.resolve().name}.gguf"
        foreign_file.write(folder, path, meter.add)
        meter.enter("compare")
        _require_same(folder / MODEL, path, foreign.foreign_weights(path))
        return import_gguf(path, name, shelf, catalogue, meter)


def open_ir(folder: Path) -> Checkpoint:
    """Errors: SlipstreamError for what is missing; OtherGraphError for a model of another kind or without names."""
    if not (folder / MODEL).is_file():
        raise SlipstreamError(
            f"{folder.name} is a model that also sees pictures, which Slipstream does not run yet."
        )
    if not (folder / "config.json").is_file():
        raise SlipstreamError(
            f"{folder.name} has no config.json, which says what its numbers mean: take it from the model's own page, "
            "or import the GGUF file or checkpoint that the folder was made from."
        )
    checkpoint_vocab.require(folder)
    weights = IrFile(folder / MODEL)
    try:
        model = Checkpoint(read_config(folder), [weights], whole_norms=True)
        model.require_all_read()
    except SlipstreamError as error:
        raise OtherGraphError(str(error)) from error
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as error:
        raise SlipstreamError(
            f"The config.json of {folder.name} is incomplete or wrong about {error}: download the folder whole."
        ) from error
    if not model.has("token_embd.weight") or not model.has("output_norm.weight"):
        raise OtherGraphError(
            f"The weights of {folder.name} have no names that Slipstream knows: "
            "take a conversion by optimum-intel, or the model's own checkpoint."
        )
    return model


def require_memory(size: int) -> None:
    """Errors: SlipstreamError when two programs' models of `size` bytes, one after the other, do not fit."""
    needed, free = int(size * _MEMORY_PER_BYTE) + memory.WORKING_BYTES, memory.free_bytes()
    if needed > free:
        raise SlipstreamError(
            f"This import needs about {needed / 1e9:.1f} GB of memory, but only {free / 1e9:.1f} GB is free: "
            "close other programs and try again."
        )


def _require_agreement(xml: Path, path: Path) -> None:
    try:
        weights = compress_gguf(GgufModel.open(path), WeightFormat.INT8)
    except SlipstreamError as error:
        raise OtherGraphError(str(error)) from error
    _require_same(xml, path, weights)


def _require_same(xml: Path, path: Path, weights: Weights) -> None:
    tokens = Tokenizer.from_gguf(path).encode(_TEXT)[:64]
    theirs = _logits(xml, tokens)
    difference = relative_difference(theirs, Target(weights).forward(tokens))
    if not difference < _MOST_DIFFERENCE:
        raise OtherGraphError(
            f"Slipstream computes something else of {xml.parent.name} than OpenVINO does (by {difference:.0%}): "
            "it has parts which Slipstream does not know; take another conversion, or the model's own checkpoint."
        )


def relative_difference(reference: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Root mean square of the difference of centred logits by that of the reference's; infinite for other shapes."""
    if reference.shape != other.shape:
        return float("inf")
    a, b = (each - each.mean(axis=-1, keepdims=True) for each in (reference, other))
    return float(np.sqrt(np.square(a - b).mean() / max(np.square(a).mean(), 1e-30)))


def _logits(xml: Path, tokens: list[int]) -> NDArray[np.float32]:
    """What the model in the folder computes by itself, [tokens, vocabulary]."""
    try:
        compiled = core().compile_model(core().read_model(xml), "CPU", compile_options("CPU"))
        request = compiled.create_infer_request()
        for port in compiled.inputs:
            request.set_tensor(port, ov.Tensor(_input(port, tokens)))
        request.infer()
        logits = np.array(request.get_tensor(compiled.outputs[0]).data, dtype=np.float32)
    except (RuntimeError, MemoryError, LookupError, ValueError, TypeError) as error:
        raise SlipstreamError(
            f"OpenVINO itself can't run {xml.parent.name} ({ir_guard.last_line(error)}): "
            "choose another conversion of the model."
        ) from error
    return logits.reshape(-1, logits.shape[-1])


def _input(port: ov.ConstOutput, tokens: list[int]) -> NDArray[np.generic]:
    name, count = port.any_name, len(tokens)
    kind = port.get_element_type().to_dtype()
    if name == "input_ids":
        return np.array([tokens], dtype=kind)
    if name == "attention_mask":
        return np.ones((1, count), dtype=kind)
    if name == "position_ids":
        return np.arange(count, dtype=kind)[None]
    if name == "beam_idx":
        return np.zeros(1, dtype=kind)
    shape = [size.get_length() if size.is_static else 0 for size in port.get_partial_shape()]
    return np.zeros([1, *shape[1:]], dtype=kind)  # keys and values of a model that keeps no state
