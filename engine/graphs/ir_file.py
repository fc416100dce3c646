"""Weights of an OpenVINO language model, by the names that they had in its Hugging Face checkpoint.

optimum-intel names each operation after the module that it came from (`__module.model.layers.0.mlp.up_proj/...`).
A matrix of 4 or 8 bits whose decompression is (values - zero) * scale is read on its own grid; every other constant
sub-graph is computed by OpenVINO.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import openvino as ov
from numpy.typing import NDArray

from engine.device import core
from engine.errors import SlipstreamError
from engine.graphs import ir_guard
from engine.graphs.packed import Packed
from engine.models import disk

_MODULE = re.compile(r"__module\.(.+?)/")
_LAYER = re.compile(r"layers\.\d+\..+$")
_FOLDED = frozenset(
    {"Convert", "Subtract", "Multiply", "Reshape", "Transpose", "Add"}
)  # between constant and matmul
_DEEPEST = 10
_INTEGERS = {"u4": (4, 0), "i4": (4, 8), "u8": (8, 0), "i8": (8, 128)}  # bits, and what makes it unsigned
_FLOATS = ("f32", "f16", "bf16")
_HALF = 65504.0


class IrFile:
    """As SafetensorsFile. `kind` of a matrix on a grid is U4 or U8."""

    def __init__(self, path: Path) -> None:
        """Errors: SlipstreamError when OpenVINO can't read the file or it needs an extension."""
        self._path = path
        self._constants: dict[str, bool] = {}
        ir_guard.require_readable(path)
        with self._explained():
            self._model = core().read_model(path)
            ir_guard.require_bounded(self._model, disk.size_of(path.with_suffix(".bin")), path.parent.name)
            self._outputs = {name: output for name, output in self._find() if name}

    def names(self) -> set[str]:
        return set(self._outputs)

    def shape(self, name: str) -> tuple[int, ...]:
        with self._explained():
            shape = tuple(self._outputs[name].get_shape())
        return shape if shape[-1] == 1 and len(shape) == 2 else tuple(s for s in shape if s != 1) or (1,)

    def kind(self, name: str) -> str:
        node = self._outputs[name].get_node()
        while node.get_input_size():
            node = node.input_value(0).get_node()
        kind = str(node.get_element_type().get_type_name()).upper()
        return kind if kind in ("F32", "F16", "BF16") else "F16"

    def read(self, name: str) -> NDArray[np.float32]:
        with self._explained():
            return _computed(self._outputs[name]).reshape(self.shape(name))

    def grid(self, name: str) -> Packed | None:
        with self._explained():
            return _grid(self._outputs[name])

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """OpenVINO's refusals, and what is missing from a graph, as one sentence."""
        try:
            yield
        except (RuntimeError, MemoryError, LookupError, ValueError, TypeError) as error:
            raise SlipstreamError(
                f"OpenVINO can't read {self._path.name} ({ir_guard.last_line(error)}): download the folder whole."
            ) from error

    def _find(self) -> Iterator[tuple[str, ov.Output]]:
        last = self._model.get_results()[0].input_value(0).get_node()
        for node in self._model.get_ordered_ops():
            kind, module = node.get_type_name(), _module(node)
            if kind == "MatMul" and (weight := self._constant_input(node)) is not None:
                head = _leads_to(node, last) or module == "lm_head"
                if module or head:
                    yield f"{'lm_head' if head else module}.weight", _upright(node, weight)
            elif kind == "Gather" and module == "model.embed_tokens":
                if (weight := self._constant_input(node)) is not None:
                    yield f"{module}.weight", weight
            elif kind in ("Multiply", "Add") and module:
                yield from self._vectors(node, kind, module)

    def _constant_input(self, node: ov.Node) -> ov.Output | None:
        inputs = [node.input_value(i) for i in range(node.get_input_size())][:2]
        found = [each for each in inputs if len(each.get_partial_shape()) == 2 and self._is_constant(each)]
        return found[0] if found else None

    def _is_constant(self, output: ov.Output, depth: int = 0) -> bool:
        """Each node is looked at once: a graph that adds a value to itself has a billion ways through thirty nodes."""
        node = output.get_node()
        if node.get_type_name() == "Constant":
            return True
        if depth >= _DEEPEST or node.get_type_name() not in _FOLDED:
            return False
        name = node.get_name()
        if name not in self._constants:
            inputs = [node.input_value(i) for i in range(node.get_input_size())]
            self._constants[name] = all(self._is_constant(each, depth + 1) for each in inputs)
        return self._constants[name]

    def _vectors(self, node: ov.Node, kind: str, module: str) -> Iterator[tuple[str, ov.Output]]:
        """The weight of a norm or the bias of a projection."""
        norm = module.rpartition(".")[2].endswith("norm")
        if (kind == "Multiply") != norm or not (norm or module.endswith("_proj")):
            return
        for index in range(2):
            given = node.input_value(index)
            static = self._is_constant(given) and given.get_partial_shape().is_static
            if static and np.prod(given.get_shape()) > 1:
                yield f"{module}.{'weight' if norm else 'bias'}", given


def _module(node: ov.Node) -> str:
    """The module's name as it begins in checkpoints; empty for what belongs to none."""
    found = _MODULE.match(node.get_friendly_name())
    if not found:
        return ""
    name = found[1]
    if layer := _LAYER.search(name):
        return f"model.{layer[0]}"
    last = name.rpartition(".")[2]
    return {"embed_tokens": "model.embed_tokens", "norm": "model.norm", "lm_head": "lm_head"}.get(last, "")


def _leads_to(node: ov.Node, last: ov.Node) -> bool:
    """Whether the last operation before the result is this one, but for changes of type."""
    while last.get_type_name() in ("Convert", "Squeeze", "Reshape"):
        last = last.input_value(0).get_node()
    return bool(last.get_friendly_name() == node.get_friendly_name())


def _upright(node: ov.Node, weight: ov.Output) -> ov.Output:
    if not node.get_attributes().get("transpose_b", False):
        raise SlipstreamError(
            "This OpenVINO model stores its matrices the other way round, which is not supported: "
            "choose another conversion of the model."
        )
    return weight


def _computed(output: ov.Output) -> NDArray[np.float32]:
    model = ov.Model([ov.opset16.result(output)], [], "constant")
    compiled = core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    return np.array(compiled([])[0], dtype=np.float32)


def _skip(output: ov.Output, *kinds: str) -> ov.Output:
    while output.get_node().get_type_name() in kinds:
        output = output.get_node().input_value(0)
    return output


def _grid(output: ov.Output) -> Packed | None:
    """(values - zero) * scale, with one scale for each group of a row; None for any other sub-graph."""
    product = _skip(output, "Convert", "Reshape").get_node()
    if product.get_type_name() != "Multiply":
        return None
    scale = _skip(product.input_value(1), "Convert").get_node()
    inner = _skip(product.input_value(0), "Convert").get_node()
    zero = None
    if inner.get_type_name() == "Subtract":
        zero = _skip(inner.input_value(1), "Convert").get_node()
        inner = _skip(inner.input_value(0), "Convert").get_node()
    if inner.get_type_name() != "Constant" or scale.get_type_name() != "Constant":
        return None
    return _packed(inner, scale, zero, list(output.get_shape()))


def _packed(values: Any, scale: Any, zero: Any, shape: list[int]) -> Packed | None:
    known = _integers(values)
    if known is None or str(scale.get_element_type().get_type_name()) not in _FLOATS:
        return None
    unsigned, bits, middle = known
    grouped = list(values.get_shape())
    out, size = grouped[0], grouped[-1]
    if out != shape[0] or int(np.prod(grouped)) != int(np.prod(shape)) or len(grouped) not in (2, 3):
        return None
    groups = grouped[1] if len(grouped) == 3 else 1
    steps = np.asarray(scale.get_data(), dtype=np.float32)
    if steps.size not in (1, out * groups) or not np.abs(steps).max() < _HALF:
        return None
    zeros = np.full((out, groups, 1), middle, dtype=np.uint8)
    if zero is not None:
        told = _integers(zero) if zero.get_type_name() == "Constant" else None
        if told is None or told[1:] != (bits, middle) or told[0].size not in (1, out * groups):
            return None
        zeros[:] = told[0].reshape(-1, groups if told[0].size > 1 else 1, 1)
    wide = np.empty((out, groups, 1), dtype=np.float16)
    wide[:] = steps.reshape(-1, groups if steps.size > 1 else 1, 1)
    return Packed(unsigned.reshape(out, groups, size), zeros, wide, bits)


def _integers(constant: Any) -> tuple[NDArray[np.uint8], int, int] | None:
    """Unsigned values, their bits, and what was added to make them so."""
    kind = str(constant.get_element_type().get_type_name())
    if kind not in _INTEGERS:
        return None
    bits, middle = _INTEGERS[kind]
    raw = np.asarray(constant.get_data()).view(np.uint8).reshape(-1)
    if bits == 4:
        raw = np.stack([raw & 15, raw >> 4], axis=-1).reshape(-1)[: int(np.prod(constant.get_shape()))]
    return raw ^ np.uint8(middle), bits, middle
