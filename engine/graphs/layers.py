"""Pieces that every graph here is built of: norms, linear layers, rotary positions, the gated MLP.

Rows are tokens: hidden states are [R, 1, hidden], heads [R, heads, 1, dim].
"""

import numpy as np
import openvino as ov
import openvino.opset16 as ops
from numpy.typing import NDArray

Tables = tuple[ov.Output, ov.Output]
LAST = -1


def parameter(name: str, shape: list[int], kind: type) -> ov.Node:
    node = ops.parameter(ov.PartialShape(shape), dtype=kind, name=name)
    node.output(0).get_tensor().set_names({name})
    return node


def result(output: ov.Output, name: str) -> ov.Node:
    output.get_tensor().set_names({name})
    return ops.result(output)


def reshape(output: ov.Output, shape: list[int]) -> ov.Output:
    """0 keeps a dimension, -1 takes what is left."""
    return ops.reshape(output, ops.constant(shape, dtype=np.int64), True).output(0)


def times(output: ov.Output, factor: float) -> ov.Output:
    return ops.multiply(output, ops.constant(np.float32(factor))).output(0)


def gather_rows(matrix: ov.Output, rows: ov.Node) -> ov.Output:
    return ops.gather(matrix, rows, ops.constant(0, dtype=np.int64)).output(0)


def embed(embedding: ov.Output, ids: ov.Node) -> ov.Output:
    """ids [R] as hidden states [R, 1, hidden]."""
    return gather_rows(embedding, ops.unsqueeze(ids, ops.constant(1, dtype=np.int64)))


def split(x: ov.Output, sizes: list[int]) -> list[ov.Output]:
    """`x` cut along its last axis."""
    cut = ops.variadic_split(x, ops.constant(LAST, dtype=np.int64), ops.constant(sizes, dtype=np.int64))
    return [cut.output(i) for i in range(len(sizes))]


def inverse_frequencies(dim: int, base: float) -> NDArray[np.float64]:
    """Rotations per position of each pair, [dim / 2] (RoFormer, arXiv 2104.09864)."""
    exponents = np.arange(0, dim, 2, dtype=np.float64) / dim
    frequencies: NDArray[np.float64] = 1.0 / base**exponents
    return frequencies


def rope_tables(positions: ov.Node, inverse: NDArray[np.float64], magnitude: float = 1.0) -> Tables:
    """cos and sin of positions [R], times `magnitude`, [R, 1, 1, dim], halves repeated (the rotate-half form)."""
    angles = np.concatenate([inverse, inverse]).astype(np.float32)
    at = ops.convert(reshape(positions.output(0), [-1, 1, 1, 1]), "f32")
    phase = ops.multiply(at, ops.constant(angles.reshape(1, 1, 1, -1)))
    cos, sin = ops.cos(phase).output(0), ops.sin(phase).output(0)
    return (cos, sin) if magnitude == 1.0 else (times(cos, magnitude), times(sin, magnitude))


def rms_norm(x: ov.Output, gamma: ov.Output, eps: float) -> ov.Output:
    square = ops.power(x, ops.constant(np.float32(2.0)))
    mean = ops.reduce_mean(square, ops.constant([LAST], dtype=np.int64), True)
    root = ops.sqrt(ops.add(mean, ops.constant(np.float32(eps))))
    scaled = ops.multiply(x, ops.divide(ops.constant(np.float32(1.0)), root))
    return ops.multiply(gamma, scaled).output(0)


def linear(x: ov.Output, weight: ov.Output, bias: ov.Output | None = None) -> ov.Output:
    product = ops.matmul(x, weight, False, True)
    return (product if bias is None else ops.add(product, bias)).output(0)


def rotate(x: ov.Output, tables: Tables, dim: int) -> ov.Output:
    """x [R, heads, 1, dim] rotated by position."""
    cos, sin = tables
    first, second = split(x, [dim // 2, dim // 2])
    turned = ops.multiply(second, ops.constant(np.float32(-1.0)))
    swapped = ops.concat([turned.output(0), first], LAST)
    return ops.add(ops.multiply(x, cos), ops.multiply(swapped, sin)).output(0)


def to_heads(x: ov.Output, heads: int, dim: int) -> ov.Output:
    """[R, 1, heads * dim] as [R, heads, 1, dim]."""
    cut = reshape(x, [0, 0, heads, dim])
    return ops.transpose(cut, ops.constant([0, 2, 1, 3], dtype=np.int64)).output(0)


def to_rows(x: ov.Output, width: int) -> ov.Output:
    """[R, heads, 1, dim] as [R, width]."""
    back = ops.transpose(x, ops.constant([0, 2, 1, 3], dtype=np.int64)).output(0)
    return reshape(back, [-1, width])


def gated_mlp(
    x: ov.Output, gate_up: ov.Output, down: ov.Output, width: int, activation: str = "silu"
) -> ov.Output:
    """SwiGLU or, with "gelu", GEGLU (arXiv 2002.05202) of `width`; gate and up are one matrix."""
    gate, up = split(linear(x, gate_up), [width, width])
    active = ops.swish(gate) if activation == "silu" else ops.gelu(gate, "tanh")
    return linear(ops.multiply(active, up).output(0), down)
