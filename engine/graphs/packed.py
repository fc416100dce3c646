"""Matrices that came compressed from an OpenVINO model, kept on their own grid inside a GGUF file.

GGUF has no type for 4 or 8 bits with a scale and a zero point for each of a row's groups, so that a matrix NAME is
stored as NAME.u4 (two values a byte, low half first) or NAME.u8, NAME.zero (both I8, read as unsigned) and NAME.scale
(F16 [out, groups]). Nothing is rounded again, and no other program is meant to read it.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.errors import SlipstreamError
from engine.graphs.compress import Array, Compressed, Fit

_BITS = {"u4": 4, "u8": 8}
ZERO, SCALE = "zero", "scale"
Packed = Compressed


class Stored(Protocol):
    @property
    def shape(self) -> tuple[int, ...]: ...


def is_packed(name: str, names: Container[str]) -> bool:
    return any(f"{name}.{kind}" in names for kind in _BITS)


def write(name: str, matrix: Packed) -> dict[str, NDArray[Any]]:
    """The arrays to store, by tensor name: int8, and float16 for the scale."""
    values: NDArray[np.uint8] = matrix.values.reshape(len(matrix.values), -1)
    kind = next(kind for kind, bits in _BITS.items() if bits == matrix.bits)
    if matrix.bits == 4:
        values = np.bitwise_or(values[:, 0::2], values[:, 1::2] << np.uint8(4))
    return {
        f"{name}.{kind}": values.view(np.int8),
        f"{name}.{ZERO}": matrix.zero[..., 0].view(np.int8),
        f"{name}.{SCALE}": matrix.scale[..., 0],
    }


def read(name: str, bytes_of: Callable[[str], NDArray[np.uint8]], stored: Mapping[str, Stored]) -> Packed:
    """Errors: SlipstreamError when the parts do not fit together."""
    kind = next(kind for kind in _BITS if f"{name}.{kind}" in stored)
    values = bytes_of(f"{name}.{kind}")
    zero, scale = bytes_of(f"{name}.{ZERO}"), bytes_of(f"{name}.{SCALE}").view(np.float16)
    if kind == "u4":
        values = np.stack([values & 15, values >> 4], axis=-1).reshape(len(values), -1)
    out, columns = values.shape
    if zero.shape != scale.shape or len(zero) != out or columns % max(1, zero.shape[1]):
        raise SlipstreamError(
            f"The parts of the matrix '{name}' do not fit together: import the model again."
        )
    groups = zero.shape[1]
    return Packed(values.reshape(out, groups, -1), zero[..., None], scale[..., None], _BITS[kind])


def as_float(matrix: Packed, every: int = 1) -> Array:
    """[out, in] of every n-th row."""
    values = matrix.values[::every].astype(np.float32) - matrix.zero[::every]
    values *= matrix.scale[::every].astype(np.float32)
    return np.asarray(values.reshape(len(values), -1), dtype=np.float32)


def joined(parts: Sequence[Packed]) -> Packed | None:
    """The matrices one below the other, on the finest of their grids; None when the groups can't be made alike."""
    sizes = [part.values.shape[2] for part in parts]
    size, bits = min(sizes), max(part.bits for part in parts)
    if any(each % size for each in sizes):
        return None
    alike = [_regrouped(part, size) for part in parts]
    values, zero, scale = (np.concatenate(column) for column in zip(*alike, strict=True))
    return Packed(values, zero, scale, bits)


def _regrouped(part: Packed, size: int) -> Fit:
    times = part.values.shape[2] // size
    zero, scale = np.repeat(part.zero, times, axis=1), np.repeat(part.scale, times, axis=1)
    return part.values.reshape(len(part.values), -1, size), zero, scale


def rows_of(matrix: Packed, order: NDArray[np.int64]) -> Packed:
    """The rows in another order, or some of them."""
    return Packed(matrix.values[order], matrix.zero[order], matrix.scale[order], matrix.bits)
