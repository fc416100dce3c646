"""Weight compression: asymmetric 4-bit groups and 8-bit rows, which OpenVINO decompresses inside matmuls."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import openvino as ov
import openvino.opset16 as ops
from numpy.typing import NDArray

Array = NDArray[np.float32]
CHUNK = 4096  # rows quantised at once: the temporaries of a whole output head would take gigabytes


class WeightFormat(StrEnum):
    INT4 = "int4"
    INT4_HEAD = "int4-head"  # the output head at 4 bits too, for drafts: a step of the 0.5B costs 10 % less
    INT8 = "int8"
    F32 = "f32"  # for tests of the graph itself


@dataclass(frozen=True, slots=True)
class Compressed:
    """values [out, groups, size] unsigned; weight = (values - zero) * scale, scale and zero [out, groups, 1]."""

    values: NDArray[np.uint8]
    zero: NDArray[np.uint8]
    scale: NDArray[np.float16]
    bits: int


def group_size(row: int) -> int:
    """The largest of 128, 64, 32 that divides a row of `row` elements; the whole row when none does."""
    return next((size for size in (128, 64, 32) if row % size == 0), row)


def quantise(weight: Array, bits: int, group: int) -> Compressed:
    """Asymmetric min-max quantisation of `weight` [out, in] in groups of `group` along the row."""
    parts = [_quantise(weight[at : at + CHUNK], bits, group) for at in range(0, len(weight), CHUNK)]
    values, zero, scale = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Compressed(values, zero, scale, bits)


def _quantise(
    weight: Array, bits: int, group: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.float16]]:
    rows = weight.reshape(weight.shape[0], -1, group)
    low = np.minimum(rows.min(axis=2, keepdims=True), 0.0)
    high = np.maximum(rows.max(axis=2, keepdims=True), 0.0)
    top = 2**bits - 1
    scale = ((high - low) / top).astype(np.float16)
    scale = np.where(scale == 0, np.float16(1.0), scale)
    step = scale.astype(np.float32)
    zero = np.clip(np.rint(-low / step), 0, top)
    values = np.clip(np.rint(rows / step) + zero, 0, top)
    return values.astype(np.uint8), zero.astype(np.uint8), scale


def constant(compressed: Compressed) -> ov.Output:
    """Float32 [out, in] output of the decompression sub-graph."""
    out, groups, size = compressed.values.shape
    values, zero, scale = compressed.values, compressed.zero, compressed.scale
    if groups == 1:
        values, zero, scale = values[:, 0], zero[:, 0], scale[:, 0]
    centred = ops.subtract(_half(values, compressed.bits), _half(zero, compressed.bits))
    weight = ops.multiply(centred, ops.constant(scale)).output(0)
    if groups > 1:
        weight = ops.reshape(weight, ops.constant([out, groups * size], dtype=np.int64), False).output(0)
    return ops.convert(weight, "f32").output(0)


def _half(values: NDArray[np.uint8], bits: int) -> ov.Node:
    return ops.convert(_unsigned(values, bits), "f16")


def _unsigned(values: NDArray[np.uint8], bits: int) -> ov.Node:
    if bits == 8:
        return ops.constant(values)
    flat = values.reshape(-1)
    if flat.size % 2:
        flat = np.append(flat, np.uint8(0))
    packed = flat[0::2] | (flat[1::2] << 4)
    tensor = ov.Tensor(packed, ov.Shape(values.shape), ov.Type.u4)
    return ops.constant(tensor, shared_memory=False)


def weight_output(weight: Array, form: WeightFormat) -> ov.Output:
    """`weight` [out, in] in the given format, as a float32 output for a matmul or a gather."""
    if form is WeightFormat.F32:
        return ops.constant(weight).output(0)
    if form is WeightFormat.INT8:
        return constant(quantise(weight, 8, weight.shape[1]))
    return constant(quantise(weight, 4, group_size(weight.shape[1])))
