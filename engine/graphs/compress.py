"""Weight compression: asymmetric 4-bit groups and 8-bit rows, which OpenVINO decompresses inside matmuls."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import openvino as ov
import openvino.opset16 as ops
from numpy.typing import NDArray

Array = NDArray[np.float32]
Fit = tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.float16]]  # values, zero, scale
SHRINK = (0.94, 0.88, 0.8)  # parts of a group's range that the search tries beside the whole
REFITS = 2
SEARCH_CHUNK = 128  # rows searched at once: the temporaries stay in the processor's cache
CHUNK = 4096  # rows quantised at once: the temporaries of a whole output head would take gigabytes


class WeightFormat(StrEnum):
    INT4 = "int4"
    INT4_HEAD = "int4-head"  # the output head at 4 bits too, for drafts: a step of the 0.5B costs 10 % less
    INT8 = "int8"
    F16 = "f16"
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


def _quantise(weight: Array, bits: int, group: int) -> Fit:
    rows = weight.reshape(weight.shape[0], -1, group)
    return _fit(rows, *_range(rows), 2**bits - 1)


def _range(rows: Array) -> tuple[Array, Array]:
    """Least and largest of each group, [out, groups, 1]; zero is always between them."""
    low = np.minimum(rows.min(axis=2, keepdims=True), 0.0)
    return low, np.maximum(rows.max(axis=2, keepdims=True), 0.0)


def _fit(rows: Array, low: Array, high: Array, top: int) -> Fit:
    """A grid of `top` steps from `low` to `high`; weights outside are clipped."""
    scale = ((high - low) / top).astype(np.float16)
    scale = np.where(scale == 0, np.float16(1.0), scale)
    step = scale.astype(np.float32)
    zero = np.clip(np.rint(-low / step), 0, top)
    values = np.clip(np.rint(rows / step) + zero, 0, top)
    return values.astype(np.uint8), zero.astype(np.uint8), scale


def quantise_searched(weight: Array, bits: int, group: int) -> Compressed:
    """As `quantise`, but a group may clip: it takes the range of least loss, then the scale that fits its values best.

    The loss is the squared error times |weight| + the group's root mean square, as large weights matter more. At 4
    bits in groups of 128 it takes the divergence from the float32 logits from 0.058 to 0.045 nats on
    Qwen2.5-Coder 1.5B and from 0.097 to 0.090 on the 0.5B (tests/logits_check.py, 640 positions).
    """
    at = range(0, len(weight), SEARCH_CHUNK)
    parts = [_search(weight[begin : begin + SEARCH_CHUNK], 2**bits - 1, group) for begin in at]
    values, zero, scale = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Compressed(values, zero, scale, bits)


def _search(weight: Array, top: int, group: int) -> Fit:
    rows = weight.reshape(weight.shape[0], -1, group)
    low, high = _range(rows)
    best = _Best(rows, _fit(rows, low, high, top))
    for factor in SHRINK:
        best.consider(_fit(rows, factor * low, factor * high, top))
    for _ in range(REFITS):
        best.consider(best.refit(top))
    return best.fit


class _Best:
    """The fit of least loss so far, group by group, for `rows` [out, groups, size]."""

    def __init__(self, rows: Array, fit: Fit) -> None:
        self._rows = rows
        self._importance = np.abs(rows) + np.sqrt(np.square(rows).mean(axis=2, keepdims=True))
        self.fit = fit
        self._loss = self._loss_of(fit)

    def consider(self, fit: Fit) -> None:
        loss = self._loss_of(fit)
        better = loss < self._loss
        (values, zero, scale), (old_values, old_zero, old_scale) = fit, self.fit
        self.fit = (
            np.where(better, values, old_values),
            np.where(better, zero, old_zero),
            np.where(better, scale, old_scale),
        )
        self._loss = np.where(better, loss, self._loss)

    def refit(self, top: int) -> Fit:
        """The scale of least loss for the present values, then the values nearest to the weights on its grid."""
        values, zero, scale = self.fit
        centred = values.astype(np.float32) - zero
        weighted = self._importance * centred
        square = (weighted * centred).sum(axis=2, keepdims=True)
        product = (weighted * self._rows).sum(axis=2, keepdims=True)
        fitted = (product / np.where(square > 0, square, 1.0)).astype(np.float16)
        scale = np.where(fitted > 0, fitted, scale)
        moved = np.clip(np.rint(self._rows / scale.astype(np.float32)) + zero, 0, top)
        return moved.astype(np.uint8), zero, scale

    def _loss_of(self, fit: Fit) -> Array:
        values, zero, scale = fit
        error = (values.astype(np.float32) - zero) * scale - self._rows
        loss: Array = (self._importance * error * error).sum(axis=2, keepdims=True)
        return loss


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
    if form is WeightFormat.F16:
        return ops.convert(ops.constant(weight.astype(np.float16)), "f32").output(0)
    if form is WeightFormat.INT8:
        return constant(quantise(weight, 8, weight.shape[1]))
    return constant(quantise_searched(weight, 4, group_size(weight.shape[1])))
