"""Builds the target's graph: a pre-norm decoder with rotary positions and grouped attention on a paged KV cache.

Inputs, all int32 but the first two (R rows, B blocks in use):
input_ids int64 [R], position_ids int64 [R], logit_rows [L] (which rows get logits), past_lens [1],
subsequence_begins [2], block_indices [B], block_indices_begins [2], max_context_len [],
with `padded_attention` also attention_rows [A] and kept_rows [R]: attention computes copies of the named rows, and of
those the kept ones go on; position_ids and subsequence_begins then are of attention's rows;
key_cache.N and value_cache.N [blocks, kv_heads, 32, head_dim] (type and layout are the plugin's choice).
A model with linear-attention layers has more (gated_delta.py): la.block_indices, la.block_indices_begins,
la.past_lens, la.cache_interval, conv_state_table.N, gated_delta_state_table.N.
Outputs: logits float32 [L, vocab]; features float32 [R, taps * hidden] when layers are tapped.

q, k and v are one matmul, gate and up are one: fewer and wider matmuls decode faster (README, measured).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import openvino as ov
import openvino.opset16 as ops

from engine.graphs.architecture import Architecture
from engine.graphs.attention import CacheInputs, paged_attention
from engine.graphs.gated_delta import StateInputs, linear_attention
from engine.graphs.layers import (
    Tables,
    embed,
    gated_mlp,
    gather_rows,
    inverse_frequencies,
    linear,
    parameter,
    reshape,
    result,
    rms_norm,
    rope_tables,
    rotate,
    split,
    times,
    to_heads,
    to_rows,
)
from engine.graphs.weights import Weights


@dataclass(frozen=True, slots=True)
class _Shared:
    """What all layers use: the rotary tables (of layers with a window of their own beside those of all others), the
    KV cache, the states of linear attention, and which rows attention takes and keeps if not all."""

    tables: Tables
    local_tables: Tables | None
    caches: CacheInputs
    states: StateInputs | None
    taken: ov.Node | None = None
    kept: ov.Node | None = None

    def take(self, x: ov.Output) -> ov.Output:
        return gather_rows(x, self.taken) if self.taken else x

    def keep(self, x: ov.Output) -> ov.Output:
        return gather_rows(x, self.kept) if self.kept else x


def build_decoder(weights: Weights, taps: Sequence[int] = (), padded_attention: bool = False) -> ov.Model:
    """The paged decoder. `taps`: layers whose output (residual stream) is returned as features, in this order.

    `padded_attention`: of all operations only attention gives other bits for a lone row than for one of several, so
    that it alone needs a second one. Not for models with linear-attention layers.
    """
    arch = weights.architecture
    ids = parameter("input_ids", [-1], np.int64)
    positions = parameter("position_ids", [-1], np.int64)
    logit_rows = parameter("logit_rows", [-1], np.int32)
    caches = CacheInputs.create()
    states = StateInputs.create(caches.subsequence_begins) if arch.linear else None
    chosen = [parameter(name, [-1], np.int32) for name in ("attention_rows", "kept_rows") if padded_attention]
    shared = _Shared(
        _rope_tables(weights, positions), _local_tables(arch, positions), caches, states, *chosen
    )
    hidden = embed(weights[_embedding(weights)], ids)
    if arch.embedding_scale != 1.0:
        hidden = times(hidden, arch.embedding_scale)
    tapped: dict[int, ov.Output] = {}
    for index in range(arch.layers):
        hidden = _layer(weights, index, hidden, shared)
        if index in taps:
            tapped[index] = hidden
    logits = _head(weights, hidden, logit_rows)
    results = [result(logits, "logits")]
    if taps:
        features = ops.concat([tapped[index] for index in taps], -1).output(0)
        width = len(taps) * arch.hidden
        results.append(result(reshape(features, [-1, width]), "features"))
    own = [ids, positions, logit_rows, *chosen]
    return ov.Model(
        results, [*own, *caches.parameters(), *(states.parameters() if states else [])], "decoder"
    )


def _embedding(weights: Weights) -> str:
    return "embedding" if "embedding" in weights else "head"


def _rope_tables(weights: Weights, positions: ov.Node) -> Tables:
    arch = weights.architecture
    inverse = inverse_frequencies(arch.rotary_dim or arch.head_dim, arch.rope_base) / arch.rope_scale
    if "rope_factors" in weights:
        inverse = inverse / weights.vector("rope_factors")
    return rope_tables(positions, inverse, arch.rope_magnitude)


def _local_tables(arch: Architecture, positions: ov.Node) -> Tables | None:
    if not arch.local_rope_base:
        return None
    return rope_tables(positions, inverse_frequencies(arch.head_dim, arch.local_rope_base))


def _rotate(x: ov.Output, tables: Tables, dim: int, rotary_dim: int) -> ov.Output:
    """x [R, heads, 1, dim] with its first rotary_dim elements (0: all) rotated by position."""
    if not rotary_dim:
        return rotate(x, tables, dim)
    first, rest = split(x, [rotary_dim, dim - rotary_dim])
    return ops.concat([rotate(first, tables, rotary_dim), rest], -1).output(0)


def _attention(w: Weights, index: int, x: ov.Output, shared: _Shared) -> ov.Output:
    arch, layer = w.architecture, f"layers.{index}."
    dim, q_rows, kv_rows = arch.head_dim, arch.heads * arch.head_dim, arch.kv_heads * arch.head_dim
    bias = w.find(layer + "qkv_bias")
    fused = shared.take(linear(x, w[layer + "qkv"], bias))
    widths = [q_rows, kv_rows, kv_rows, *([q_rows] if arch.output_gate else [])]
    parts = split(fused, widths)
    query, key = to_heads(parts[0], arch.heads, dim), to_heads(parts[1], arch.kv_heads, dim)
    if layer + "q_norm" in w:
        query = rms_norm(query, w[layer + "q_norm"], arch.rms_eps)
        key = rms_norm(key, w[layer + "k_norm"], arch.rms_eps)
    tables = shared.local_tables if shared.local_tables and arch.is_local(index) else shared.tables
    if arch.rotates(index):
        query, key = (_rotate(part, tables, dim, arch.rotary_dim) for part in (query, key))
    value = reshape(parts[2], [-1, kv_rows])
    mixed = paged_attention(
        to_rows(query, q_rows),
        to_rows(key, kv_rows),
        value,
        shared.caches,
        kv_heads=arch.kv_heads,
        head_dim=dim,
        scale=arch.attention_scale or dim**-0.5,
        window=arch.window_of(index),
    )
    mixed = reshape(mixed, [-1, 1, q_rows])
    if arch.output_gate:
        mixed = ops.multiply(mixed, ops.sigmoid(parts[3])).output(0)
    return linear(shared.keep(mixed), w[layer + "attention_output"])


def _layer(w: Weights, index: int, x: ov.Output, shared: _Shared) -> ov.Output:
    arch, layer = w.architecture, f"layers.{index}."
    normed = rms_norm(x, w[layer + "attention_norm"], arch.rms_eps)
    if shared.states and layer + "linear_input" in w:
        mixed = linear_attention(w, layer, normed, shared.states)
    else:
        mixed = _attention(w, index, normed, shared)
    x = ops.add(x, _after(w, layer + "attention_after", mixed)).output(0)
    normed = rms_norm(x, w[layer + "mlp_norm"], arch.rms_eps)
    mixed = gated_mlp(normed, w[layer + "gate_up"], w[layer + "down"], arch.intermediate, arch.activation)
    return ops.add(x, _after(w, layer + "mlp_after", mixed)).output(0)


def _after(w: Weights, name: str, x: ov.Output) -> ov.Output:
    """Gemma norms what a half of a layer adds."""
    return rms_norm(x, w[name], w.architecture.rms_eps) if name in w else x


def _head(w: Weights, hidden: ov.Output, logit_rows: ov.Node) -> ov.Output:
    normed = rms_norm(gather_rows(hidden, logit_rows), w["final_norm"], w.architecture.rms_eps)
    logits = linear(normed, w["head"])
    return ops.squeeze(logits, ops.constant([1], dtype=np.int64)).output(0)
