"""Gated delta net layers (arXiv 2412.06464, as in Qwen3.5) on OpenVINO's paged operations.

PagedCausalConv1D and PagedGatedDeltaNet read the state in the first of the listed blocks, go through the rows one
by one, and write the state after every `la.cache_interval` rows, and after the last, to the next listed block.
They have no Python class; the CPU plugin hands them out as an extension, by which a node factory makes them.
"""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Self

import numpy as np
import openvino as ov
import openvino.opset16 as ops
from openvino.utils.node_factory import NodeFactory

from engine.errors import SlipstreamError
from engine.graphs.architecture import LinearAttention
from engine.graphs.layers import linear, parameter, reshape, split
from engine.graphs.weights import Weights

L2_EPS = 1e-6  # of the unit length of queries and keys


@dataclass(slots=True)
class StateInputs:
    """Which state blocks a pass reads and writes (one set for the model) and the tables of every linear layer."""

    subsequence_begins: ov.Node
    block_indices: ov.Node
    block_indices_begins: ov.Node
    past_lens: ov.Node
    cache_interval: ov.Node
    tables: list[ov.Node] = field(default_factory=list)

    @classmethod
    def create(cls, subsequence_begins: ov.Node) -> Self:
        names = ("block_indices", "block_indices_begins", "past_lens", "cache_interval")
        return cls(subsequence_begins, *(parameter(f"la.{name}", [-1], np.int32) for name in names))

    def add_layer(self, shape: LinearAttention) -> tuple[ov.Node, ov.Node]:
        """Tables of the convolution's last inputs and of the delta rule's matrices."""
        index = len(self.tables) // 2
        state = [-1, shape.value_heads, shape.value_dim, shape.key_dim]
        pair = (
            parameter(f"conv_state_table.{index}", [-1, shape.channels, shape.kernel], np.float32),
            parameter(f"gated_delta_state_table.{index}", state, np.float32),
        )
        self.tables.extend(pair)
        return pair

    def shared(self) -> list[ov.Node]:
        """In the order in which the operations take them."""
        return [
            self.subsequence_begins,
            self.block_indices,
            self.block_indices_begins,
            self.past_lens,
            self.cache_interval,
        ]

    def parameters(self) -> list[ov.Node]:
        return [*self.shared()[1:], *self.tables]


@cache
def _factory() -> NodeFactory:
    libraries = sorted((Path(ov.__file__).parent / "libs").glob("*_cpu_plugin.*"))
    factory = NodeFactory()
    try:
        factory.add_extension(str(libraries[0]))
    except (IndexError, RuntimeError) as error:
        raise SlipstreamError(
            "This build of OpenVINO can't run models with linear attention: choose another model."
        ) from error
    return factory


def _paged(kind: str, inputs: list[ov.Output], attributes: dict[str, object] | None = None) -> ov.Output:
    factory = _factory()
    try:
        return factory.create(kind, inputs, attributes or {}).output(0)
    except RuntimeError as error:
        raise SlipstreamError(
            "This version of OpenVINO can't run models with linear attention: install the one that Slipstream names."
        ) from error


def linear_attention(w: Weights, layer: str, x: ov.Output, states: StateInputs) -> ov.Output:
    """x [R, 1, hidden] through one gated delta net: convolution, delta rule, gated norm, output projection."""
    shape = w.architecture.linear
    assert shape is not None
    conv_table, delta_table = states.add_layer(shape)
    shared = [node.output(0) for node in states.shared()]
    mixed, gate, decay, beta = _split_projection(w, layer, x, shape)
    convolved = _paged(
        "PagedCausalConv1D",
        [mixed, conv_table.output(0), w[layer + "conv"], _no_bias(), *shared],
    )
    query, key, value = _heads(ops.swish(convolved).output(0), shape)
    attended = _paged(
        "PagedGatedDeltaNet",
        [query, key, value, delta_table.output(0), _decay(w, layer, decay), _sigmoid(beta), *shared],
        {"use_qk_l2norm": True, "q_l2_norm_eps": L2_EPS, "k_l2_norm_eps": L2_EPS},
    )
    gated = _gated_norm(w, layer, attended, reshape(gate, [-1, shape.value_heads, shape.value_dim]))
    rows = reshape(gated, [-1, 1, shape.value_width])
    return linear(rows, w[layer + "linear_output"])


def _split_projection(w: Weights, layer: str, x: ov.Output, shape: LinearAttention) -> list[ov.Output]:
    """q, k, v together; output gate; decay; beta: one matmul, each [R, width]."""
    fused = reshape(linear(x, w[layer + "linear_input"]), [-1, shape.input_width])
    widths = [shape.channels, shape.value_width, shape.value_heads, shape.value_heads]
    return split(fused, widths)


def _heads(x: ov.Output, shape: LinearAttention) -> list[ov.Output]:
    widths = [shape.key_width, shape.key_width, shape.value_width]
    dims = [
        (shape.key_heads, shape.key_dim),
        (shape.key_heads, shape.key_dim),
        (shape.value_heads, shape.value_dim),
    ]
    return [reshape(part, [-1, *size]) for part, size in zip(split(x, widths), dims, strict=True)]


def _decay(w: Weights, layer: str, x: ov.Output) -> ov.Output:
    """The logarithm of what a state keeps: -exp(A) softplus(x + bias); `decay_rate` holds -exp(A)."""
    softened = ops.softplus(ops.add(x, w[layer + "decay_bias"]))
    return ops.multiply(softened, w[layer + "decay_rate"]).output(0)


def _sigmoid(x: ov.Output) -> ov.Output:
    return ops.sigmoid(x).output(0)


def _gated_norm(w: Weights, layer: str, x: ov.Output, gate: ov.Output) -> ov.Output:
    """RMS norm of each head, times its weight and the swish of the gate; all [R, heads, dim]."""
    square = ops.multiply(x, x)
    mean = ops.reduce_mean(square, ops.constant([-1], dtype=np.int64), True)
    root = ops.sqrt(ops.add(mean, ops.constant(np.float32(w.architecture.rms_eps))))
    normed = ops.multiply(ops.divide(x, root), w[layer + "linear_norm"])
    return ops.multiply(normed, ops.swish(gate)).output(0)


def _no_bias() -> ov.Output:
    return ops.constant(np.zeros(0, dtype=np.float32)).output(0)
