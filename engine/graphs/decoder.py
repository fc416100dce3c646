"""Builds the target's graph: a pre-norm decoder with rotary positions and grouped attention on a paged KV cache.

Inputs, all int32 but the first two (R rows, B blocks in use):
input_ids int64 [R], position_ids int64 [R], logit_rows [L] (which rows get logits), past_lens [1],
subsequence_begins [2], block_indices [B], block_indices_begins [2], max_context_len [],
key_cache.N and value_cache.N [blocks, kv_heads, 32, head_dim] (type and layout are the plugin's choice).
Outputs: logits float32 [L, vocab]; features float32 [R, taps * hidden] when layers are tapped.

q, k and v are one matmul, gate and up are one: fewer and wider matmuls decode faster (README, measured).
"""

from collections.abc import Sequence

import numpy as np
import openvino as ov
import openvino.opset16 as ops

from engine.graphs.attention import CacheInputs, paged_attention
from engine.graphs.weights import Weights

Tables = tuple[ov.Output, ov.Output]


def build_decoder(weights: Weights, taps: Sequence[int] = ()) -> ov.Model:
    """The paged decoder. `taps`: layers whose output (residual stream) is returned as features, in this order."""
    arch = weights.architecture
    ids = _parameter("input_ids", [-1], np.int64)
    positions = _parameter("position_ids", [-1], np.int64)
    logit_rows = _parameter("logit_rows", [-1], np.int32)
    caches = CacheInputs.create()
    tables = _rope_tables(weights, positions)
    column = ops.unsqueeze(ids, ops.constant(1, dtype=np.int64))
    hidden = ops.gather(weights[_embedding(weights)], column, ops.constant(0, dtype=np.int64)).output(0)
    tapped: dict[int, ov.Output] = {}
    for index in range(arch.layers):
        hidden = _layer(weights, f"layers.{index}.", hidden, tables, caches)
        if index in taps:
            tapped[index] = hidden
    logits = _head(weights, hidden, logit_rows)
    results = [_result(logits, "logits")]
    if taps:
        features = ops.concat([tapped[index] for index in taps], -1).output(0)
        width = len(taps) * arch.hidden
        results.append(_result(_reshape(features, [-1, width]), "features"))
    return ov.Model(results, [ids, positions, logit_rows, *caches.parameters()], "decoder")


def _parameter(name: str, shape: list[int], kind: type) -> ov.Node:
    node = ops.parameter(ov.PartialShape(shape), dtype=kind, name=name)
    node.output(0).get_tensor().set_names({name})
    return node


def _result(output: ov.Output, name: str) -> ov.Node:
    output.get_tensor().set_names({name})
    return ops.result(output)


def _reshape(output: ov.Output, shape: list[int]) -> ov.Output:
    return ops.reshape(output, ops.constant(shape, dtype=np.int64), True).output(0)


def _embedding(weights: Weights) -> str:
    return "embedding" if "embedding" in weights else "head"


def _rope_tables(weights: Weights, positions: ov.Node) -> Tables:
    """cos and sin, [R, 1, 1, head_dim], halves repeated (rotate-half form of RoFormer, arXiv 2104.09864)."""
    arch = weights.architecture
    exponents = np.arange(0, arch.head_dim, 2, dtype=np.float64) / arch.head_dim
    inverse = 1.0 / (arch.rope_base**exponents) / arch.rope_scale
    if "rope_factors" in weights:
        inverse = inverse / weights.vector("rope_factors")
    angles = np.concatenate([inverse, inverse]).astype(np.float32)
    at = ops.convert(_reshape(positions.output(0), [-1, 1, 1, 1]), "f32")
    phase = ops.multiply(at, ops.constant(angles.reshape(1, 1, 1, -1)))
    return ops.cos(phase).output(0), ops.sin(phase).output(0)


def _rms_norm(x: ov.Output, gamma: ov.Output, eps: float) -> ov.Output:
    square = ops.power(x, ops.constant(np.float32(2.0)))
    mean = ops.reduce_mean(square, ops.constant([-1], dtype=np.int64), True)
    root = ops.sqrt(ops.add(mean, ops.constant(np.float32(eps))))
    scaled = ops.multiply(x, ops.divide(ops.constant(np.float32(1.0)), root))
    return ops.multiply(gamma, scaled).output(0)


def _linear(x: ov.Output, weight: ov.Output, bias: ov.Output | None = None) -> ov.Output:
    product = ops.matmul(x, weight, False, True)
    return (product if bias is None else ops.add(product, bias)).output(0)


def _rotate(x: ov.Output, tables: Tables, dim: int) -> ov.Output:
    """x [R, heads, 1, dim] rotated by position."""
    cos, sin = tables
    axis = ops.constant(-1, dtype=np.int64)
    halves = ops.variadic_split(x, axis, ops.constant([dim // 2, dim // 2], dtype=np.int64))
    turned = ops.multiply(halves.output(1), ops.constant(np.float32(-1.0)))
    swapped = ops.concat([turned.output(0), halves.output(0)], -1)
    return ops.add(ops.multiply(x, cos), ops.multiply(swapped, sin)).output(0)


def _heads(x: ov.Output, heads: int, dim: int) -> ov.Output:
    split = _reshape(x, [0, 0, heads, dim])
    return ops.transpose(split, ops.constant([0, 2, 1, 3], dtype=np.int64)).output(0)


def _rows(x: ov.Output, width: int) -> ov.Output:
    back = ops.transpose(x, ops.constant([0, 2, 1, 3], dtype=np.int64)).output(0)
    return _reshape(back, [-1, width])


def _attention(w: Weights, layer: str, x: ov.Output, tables: Tables, caches: CacheInputs) -> ov.Output:
    arch = w.architecture
    dim, q_rows, kv_rows = arch.head_dim, arch.heads * arch.head_dim, arch.kv_heads * arch.head_dim
    bias = w.find(layer + "qkv_bias")
    fused = _linear(x, w[layer + "qkv"], bias)
    axis = ops.constant(-1, dtype=np.int64)
    parts = ops.variadic_split(fused, axis, ops.constant([q_rows, kv_rows, kv_rows], dtype=np.int64))
    query, key = (_heads(parts.output(i), n, dim) for i, n in ((0, arch.heads), (1, arch.kv_heads)))
    if layer + "q_norm" in w:
        query = _rms_norm(query, w[layer + "q_norm"], arch.rms_eps)
        key = _rms_norm(key, w[layer + "k_norm"], arch.rms_eps)
    query, key = _rotate(query, tables, dim), _rotate(key, tables, dim)
    value = _reshape(parts.output(2), [-1, kv_rows])
    mixed = paged_attention(
        _rows(query, q_rows),
        _rows(key, kv_rows),
        value,
        caches,
        kv_heads=arch.kv_heads,
        head_dim=dim,
        scale=dim**-0.5,
    )
    return _linear(_reshape(mixed, [-1, 1, q_rows]), w[layer + "attention_output"])


def _mlp(w: Weights, layer: str, x: ov.Output) -> ov.Output:
    width = w.architecture.intermediate
    fused = _linear(x, w[layer + "gate_up"])
    sizes = ops.constant([width, width], dtype=np.int64)
    gate_up = ops.variadic_split(fused, ops.constant(-1, dtype=np.int64), sizes)
    gated = ops.multiply(ops.swish(gate_up.output(0)), gate_up.output(1))
    return _linear(gated.output(0), w[layer + "down"])


def _layer(w: Weights, layer: str, x: ov.Output, tables: Tables, caches: CacheInputs) -> ov.Output:
    eps = w.architecture.rms_eps
    normed = _rms_norm(x, w[layer + "attention_norm"], eps)
    x = ops.add(x, _attention(w, layer, normed, tables, caches)).output(0)
    normed = _rms_norm(x, w[layer + "mlp_norm"], eps)
    return ops.add(x, _mlp(w, layer, normed)).output(0)


def _head(w: Weights, hidden: ov.Output, logit_rows: ov.Node) -> ov.Output:
    wanted = ops.gather(hidden, logit_rows, ops.constant(0, dtype=np.int64)).output(0)
    normed = _rms_norm(wanted, w["final_norm"], w.architecture.rms_eps)
    logits = _linear(normed, w["head"])
    return ops.squeeze(logits, ops.constant([1], dtype=np.int64)).output(0)
