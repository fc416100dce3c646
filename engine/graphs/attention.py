"""OpenVINO's PagedAttention operation and the cache inputs that every layer shares.

Input order as in OpenVINO 2026.4's PagedAttentionExtension (28 inputs); what is not used gets the empty
constant that the paged-attention transformation itself would put there.
"""

from dataclasses import dataclass, field
from typing import Self

import numpy as np
import openvino as ov
import openvino.opset16 as ops
from openvino.op import _PagedAttentionExtension

BLOCK = 32  # tokens in a KV block of the CPU plugin


@dataclass(slots=True)
class CacheInputs:
    """Block table inputs (one set for the model) and the key and value cache of every layer."""

    past_lens: ov.Node
    subsequence_begins: ov.Node
    block_indices: ov.Node
    block_indices_begins: ov.Node
    max_context_len: ov.Node
    caches: list[ov.Node] = field(default_factory=list)

    @classmethod
    def create(cls) -> Self:
        return cls(
            _int_parameter("past_lens", [-1]),
            _int_parameter("subsequence_begins", [-1]),
            _int_parameter("block_indices", [-1]),
            _int_parameter("block_indices_begins", [-1]),
            _int_parameter("max_context_len", []),
        )

    def add_layer(self) -> tuple[ov.Node, ov.Node]:
        index = len(self.caches) // 2
        pair = _cache_parameter(f"key_cache.{index}"), _cache_parameter(f"value_cache.{index}")
        self.caches.extend(pair)
        return pair

    def parameters(self) -> list[ov.Node]:
        return [
            self.past_lens,
            self.subsequence_begins,
            self.block_indices,
            self.block_indices_begins,
            self.max_context_len,
            *self.caches,
        ]


def _named(node: ov.Node, name: str) -> ov.Node:
    node.output(0).get_tensor().set_names({name})
    return node


def _int_parameter(name: str, shape: list[int]) -> ov.Node:
    return _named(ops.parameter(ov.PartialShape(shape), dtype=np.int32, name=name), name)


def _cache_parameter(name: str) -> ov.Node:
    shape = ov.PartialShape([-1, -1, -1, -1])
    return _named(ov.op.Parameter(ov.Type.dynamic, shape), name)


def _ints(values: list[int]) -> ov.Node:
    return ops.constant(np.array(values, dtype=np.int32))


def _int(value: int) -> ov.Node:
    return ops.constant(np.array(value, dtype=np.int32))


def _floats() -> ov.Node:
    return ops.constant(np.array([], dtype=np.float32))


def paged_attention(
    query: ov.Output,
    key: ov.Output,
    value: ov.Output,
    inputs: CacheInputs,
    *,
    kv_heads: int,
    head_dim: int,
    scale: float,
    window: int = 0,
    token_types: ov.Output | None = None,
) -> ov.Output:
    """Attention of query [R, heads * dim] over the paged cache, after key and value [R, kv_heads * dim] are stored.

    `window`: how many of the last tokens a row sees, 0 for all. `token_types` int32 [R]: neighbours of a type other
    than 0 see each other in both directions; without it, attention is causal.
    """
    key_cache, value_cache = inputs.add_layer()
    node = _PagedAttentionExtension(
        [
            query,
            key,
            value,
            key_cache.output(0),
            value_cache.output(0),
            inputs.past_lens.output(0),
            inputs.subsequence_begins.output(0),
            inputs.block_indices.output(0),
            inputs.block_indices_begins.output(0),
            ops.constant(np.array(scale, dtype=np.float32)).output(0),
            _int(window).output(0),  # sliding window
            _floats().output(0),  # alibi slopes
            inputs.max_context_len.output(0),
            _ints([]).output(0),  # score aggregation windows, one a sequence: none
            _ints([]).output(0),  # rotated block indices
            _ints([]).output(0),  # rotation deltas
            _floats().output(0),  # rotation look-up table
            _floats().output(0),  # xattention threshold
            _int(64).output(0),  # xattention block size
            _int(8).output(0),  # xattention stride
            ops.constant(np.zeros((0,), dtype=np.float32)).output(0),  # sinks
            _int(0).output(0),  # adaptive eviction: start size
            _ints([]).output(0),  # evictable sizes
            _ints([]).output(0),  # diversity block sets
            _ints([]).output(0),  # their begins
            token_types or _ints([]).output(0),
            ops.constant(np.zeros((0,), dtype=np.uint8)).output(0),  # tree mask
            _ints([]).output(0),  # its begins
        ]
    )
    info = node.get_rt_info()
    for prefix in ("k", "v"):
        info[f"num_{prefix}_heads"] = kv_heads
        info[f"{prefix}_head_size"] = head_dim
    return node.output(0)
