"""Mixers of hybrid models (Qwen3.5) as compressed weights: gated delta nets, and attention with an output gate.

Sources name tensors as GGUF files of the architecture `qwen35` do. Such files hold value heads tiled over the key heads
(llama.cpp's broadcast); here they are grouped by key head, as in the checkpoints and in OpenVINO's operation.
"""

from typing import Protocol

import numpy as np
import openvino as ov
import openvino.opset16 as ops

from engine.graphs.architecture import Architecture, LinearAttention
from engine.graphs.compress import Array, WeightFormat, weight_output
from engine.graphs.packed import Packed

_VALUE_ROWS = ("attn_gate.weight", "ssm_alpha.weight", "ssm_beta.weight", "ssm_a", "ssm_dt.bias")
_VALUES_AFTER_KEYS = ("attn_qkv.weight", "ssm_conv1d.weight")


class Source(Protocol):
    """A model on disk. `tiled_values`: value heads are in llama.cpp's order."""

    architecture: Architecture
    tiled_values: bool

    @property
    def elements(self) -> int: ...

    def tensor(self, name: str, every: int = 1) -> Array: ...

    def has(self, name: str) -> bool: ...

    def rows(self, name: str) -> int: ...

    def packed(self, name: str) -> Packed | None: ...

    def rope_factors(self) -> Array | None: ...

    def head_name(self) -> str: ...

    def require_all_read(self) -> None: ...


def is_linear(model: Source, index: int) -> bool:
    return model.has(f"blk.{index}.ssm_out.weight")


def linear_mixer(model: Source, index: int, form: WeightFormat) -> dict[str, ov.Output]:
    """The outputs that graphs.gated_delta asks for."""
    shape = model.architecture.linear
    assert shape is not None
    source, name = f"blk.{index}.", f"layers.{index}."

    def rows(part: str, size: int) -> Array:
        return _grouped(model, model.tensor(source + part), shape, size)

    keys = 2 * shape.key_width
    mixed = model.tensor(source + "attn_qkv.weight")
    values = _grouped(model, mixed[keys:], shape, shape.value_dim)
    gate, decay, beta = (
        rows("attn_gate.weight", shape.value_dim),
        rows("ssm_alpha.weight", 1),
        rows("ssm_beta.weight", 1),
    )
    conv = model.tensor(source + "ssm_conv1d.weight").reshape(shape.channels, shape.kernel)
    conv = np.concatenate([conv[:keys], _grouped(model, conv[keys:], shape, shape.value_dim)])
    output = _grouped(model, model.tensor(source + "ssm_out.weight").T, shape, shape.value_dim).T
    return {
        name + "linear_input": weight_output(np.concatenate([mixed[:keys], values, gate, decay, beta]), form),
        name + "linear_output": weight_output(np.ascontiguousarray(output), form),
        name + "conv": _constant(conv[:, None]),
        name + "decay_rate": _constant(rows("ssm_a", 1)),
        name + "decay_bias": _constant(rows("ssm_dt.bias", 1)),
        name + "linear_norm": _constant(model.tensor(source + "ssm_norm.weight")),
    }


def queries_and_gates(arch: Architecture, weight: Array) -> tuple[Array, Array]:
    """The query matrix and the output gate's, which lie head by head in one: [heads * 2 * dim, hidden]."""
    heads = weight.reshape(arch.heads, 2, arch.head_dim, -1)
    width = arch.heads * arch.head_dim
    return heads[:, 0].reshape(width, -1), heads[:, 1].reshape(width, -1)


def _grouped(model: Source, values: Array, shape: LinearAttention, size: int) -> Array:
    """`values` [value_heads * size, ...] with the heads grouped by key head."""
    if not model.tiled_values:
        return values
    tiled = values.reshape(shape.value_heads // shape.key_heads, shape.key_heads, size, -1)
    return tiled.swapaxes(0, 1).reshape(values.shape)


def tiled_heads(values: Array, name: str, arch: Architecture) -> Array:
    """The tensor `name` of a checkpoint with value heads as GGUF files hold them."""
    shape, part = arch.linear, name.split(".", 2)[-1]
    if shape is None or not name.startswith("blk."):
        return values
    if part in _VALUE_ROWS:
        return _tiled(values, shape)
    if part == "ssm_out.weight":
        return np.ascontiguousarray(_tiled(values.T, shape).T)
    if part in _VALUES_AFTER_KEYS:
        keys = 2 * shape.key_width
        return np.concatenate([values[:keys], _tiled(values[keys:], shape)])
    return values


def _tiled(values: Array, shape: LinearAttention) -> Array:
    each = len(values) // shape.value_heads
    grouped = values.reshape(shape.key_heads, shape.value_heads // shape.key_heads, each, -1)
    return grouped.swapaxes(0, 1).reshape(values.shape)


def _constant(values: Array) -> ov.Output:
    return ops.constant(np.ascontiguousarray(values)).output(0)
