"""A model whose graph is not ours: OpenVINO's own, made to work on a paged cache by OpenVINO's transformation.

So models run of which only optimum-intel knows how they compute. Nothing can look inside them: no layers are tapped,
and a lone token is a pass of two rows. Model and weights are kept inside a GGUF file, as two tensors of bytes beside
the vocabulary, so that everything about files is the same for all models.
"""

from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset16 as ops
from numpy.typing import NDArray
from openvino._offline_transformations import paged_attention_transformation

from engine.device import core
from engine.errors import SlipstreamError
from engine.graphs import ir_guard
from engine.graphs.architecture import Architecture
from engine.graphs.layers import gather_rows, parameter, result
from engine.graphs.weights import LARGEST_GROUP, Weights
from engine.models import gguf_header, memory

ARCHITECTURE = gguf_header.FOREIGN
XML, BIN = "openvino_model.xml", "openvino_model.bin"
FACTS = ("block_count", "embedding_length", "vocab_size", "context_length")
_BLOCKS = ("past_lens", "subsequence_begins", "block_indices", "block_indices_begins", "max_context_len")
_INPUTS = ("input_ids", "position_ids", *_BLOCKS)
_BEGINNING = 128
_MARK = b"general.architecture" + bytes([8, 0, 0, 0, len(ARCHITECTURE), *[0] * 7]) + ARCHITECTURE.encode()
_MOST_STEPS = 8  # steps back from the logits to the head's matrix


def is_foreign(path: Path) -> bool:
    """Whether the GGUF file holds an OpenVINO model; a file that can't be read does not."""
    try:
        with path.open("rb") as file:
            begin = file.read(_BEGINNING)
    except OSError:
        return False
    return begin.startswith(b"GGUF") and _MARK in begin


def foreign_weights(path: Path) -> Weights:
    """The model in this GGUF file. Errors: SlipstreamError when OpenVINO can't read it or make it paged."""
    with memory.explaining(path.name):
        header = gguf_header.read(path)
        xml, binary = (_bytes(path, header, name) for name in (XML, BIN))
    arch = _architecture(header)
    return Weights(arch, {}, lambda: paged(xml.tobytes(), binary), _group(xml.tobytes(), binary))


def paged(xml: bytes, binary: NDArray[np.uint8]) -> ov.Model:
    """Inputs and outputs as those of decoder.build_decoder. Errors: SlipstreamError."""
    ir_guard.require_known_operations(xml, "The model")
    try:
        model = core().read_model(xml, ov.Tensor(binary, shared_memory=True))
        ir_guard.require_bounded(model, binary.nbytes, "The model")
        paged_attention_transformation(model)
        return _with_chosen_rows(model)
    except (RuntimeError, MemoryError, LookupError, ValueError, TypeError) as error:
        raise SlipstreamError(
            f"OpenVINO can't prepare this model for a paged cache ({ir_guard.last_line(error)}): "
            "choose another one."
        ) from error


def _with_chosen_rows(model: ov.Model) -> ov.Model:
    """The head only computes the rows that are asked for."""
    rows = parameter("logit_rows", [-1], np.int32)
    logits = next((each for each in model.outputs if "logits" in each.get_names()), model.outputs[0])
    head = _head(logits.get_node().input_value(0))
    chosen = gather_rows(head.input_value(0), rows)
    head.input(0).replace_source_output(chosen)
    own = [*model.get_parameters()]
    unknown = [name for each in own if not _is_known(name := each.output(0).get_any_name())]
    if unknown:
        raise SlipstreamError(
            f"This model has an input '{unknown[0]}' that Slipstream does not know: choose another."
        )
    last = ops.squeeze(logits.get_node().input_value(0), ops.constant([1], dtype=np.int64)).output(0)
    last = ops.convert(last, "f32").output(0)
    return ov.Model([result(last, "logits")], [*own, rows], "foreign")


def _is_known(name: str) -> bool:
    return name in _INPUTS or name.startswith(("key_cache.", "value_cache."))


def _head(output: ov.Output) -> ov.Node:
    for _ in range(_MOST_STEPS):
        node = output.get_node()
        if node.get_type_name() == "MatMul":
            return node
        output = node.input_value(0)
    raise SlipstreamError("The output of this model is not a matrix of its vocabulary: choose another one.")


def _bytes(path: Path, header: gguf_header.Header, name: str) -> NDArray[np.uint8]:
    tensor = header.tensors.get(name)
    if tensor is None:
        raise SlipstreamError(f"{path.name} has no '{name}': import the model again.")
    begin = header.start + tensor.offset
    return np.memmap(
        path, np.uint8, "c", begin, (tensor.bytes,)
    )  # OpenVINO asks for memory that can be written


def _group(xml: bytes, binary: NDArray[np.uint8]) -> int:
    """Weights in the smallest group of a 4-bit matrix (see Weights.activation_group)."""
    ir_guard.require_known_operations(xml, "The model")
    try:
        model = core().read_model(xml, ov.Tensor(binary, shared_memory=True))
    except RuntimeError:
        return LARGEST_GROUP
    four = [
        int(node.get_output_shape(0)[-1])
        for node in model.get_ops()
        if node.get_type_name() == "Constant"
        and node.get_output_element_type(0) in (ov.Type.u4, ov.Type.i4)
        and node.get_output_shape(0)[-1] > 1
    ]
    return min([*four, LARGEST_GROUP])


def _architecture(header: gguf_header.Header) -> Architecture:
    """What the engine has to know; the graph itself knows the rest."""
    told = {key: header.facts.get(f"{ARCHITECTURE}.{key}") for key in FACTS}
    sizes = {key: value for key, value in told.items() if isinstance(value, int) and value > 0}
    if len(sizes) != len(FACTS):
        raise SlipstreamError("The model's file does not say how large it is: import the model again.")
    return Architecture(
        name=ARCHITECTURE,
        layers=sizes["block_count"],
        hidden=sizes["embedding_length"],
        intermediate=1,
        heads=1,
        kv_heads=1,
        head_dim=1,
        vocab=sizes["vocab_size"],
        context=sizes["context_length"],
        rms_eps=0.0,
        rope_base=1.0,
    )
