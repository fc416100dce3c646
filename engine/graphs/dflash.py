"""The graphs of a block drafter (DFlash, arXiv 2602.06036): one forward drafts a whole block.

What the target's tapped layers say of each committed token is fused into one vector (`fc`, then a norm), and every
layer takes keys and values from that vector: the context. The block is the last committed token and mask tokens;
its rows ask, and see the context and each other. They are written to the paged cache behind the context, where the
next pass writes over them: only context stays, and nothing has to be rolled back.

`build_context`, for R context rows, two or more: features float32 [R, taps * hidden], position_ids int64 [R], and the
cache inputs of attention.py. What is padding among the rows is written behind the context too, where nobody reads it.
Its outputs only keep the layers alive.

`build_block`, for B block rows: input_ids int64 [B]; position_ids int64 [B]; token_types int32 [B], all 1, unless every
layer is causal; and the cache inputs. Outputs: logits float32 [L, draft vocabulary], hidden float32 [L, hidden] of
the rows that predict. Where R and B are fixed, only the cache differs in size from pass to pass. The plugin's care
for sizes took a third of a draft's time after a pass of the target, which leaves none of the drafter in the caches.

With C rows of `context`, for causal layers, it reads context before it drafts, in the same inference: attention takes
one sequence of C + B rows. Inputs then are also features float32 [C, taps * hidden]; order int32 [C + B], which of
[context rows, block rows] is at each place of the sequence; and block_places int32 [B]. position_ids is [C + B], of the
places. What is padding among the context rows is put behind the block, as another sequence.

`build_step` (DSpark, arXiv 2607.05147), for one token after the other: logits and hidden of a block, row int32 [1], the
token int64 [1] drafted before it, and state [1, rank] where the head is recurrent. Outputs: logits [1, draft
vocabulary] with the bias that the previous token gives, state, and confidence [1, 1], the probability that the token
is accepted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
import openvino as ov
import openvino.opset16 as ops

from engine.graphs.attention import CacheInputs, paged_attention
from engine.graphs.dflash_shape import DrafterShape
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
    to_heads,
    to_rows,
)

_END = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class DrafterWeights:
    """`outputs` by name. `embedding` is the target's, and so is `head` unless the drafter has its own."""

    shape: DrafterShape
    outputs: Mapping[str, ov.Output]

    def __getitem__(self, name: str) -> ov.Output:
        return self.outputs[name]


@dataclass(frozen=True, slots=True)
class _Rows:
    """What all layers share."""

    tables: Tables
    caches: CacheInputs
    types: ov.Node
    joined: "_Joined | None" = None


@dataclass(frozen=True, slots=True)
class _Joined:
    """Context that is read with the block: its rows [C, 1, hidden], and how both make up attention's sequence."""

    features: ov.Node
    context: ov.Output
    order: ov.Node
    places: ov.Node

    @classmethod
    def create(cls, weights: DrafterWeights, context: int, block: int) -> Self:
        width = len(weights.shape.taps) * weights.shape.hidden
        features = parameter("features", [context, width], np.float32)
        order = parameter("order", [context + block], np.int32)
        places = parameter("block_places", [block], np.int32)
        return cls(features, _context(weights, features), order, places)

    def parameters(self) -> list[ov.Node]:
        return [self.features, self.order, self.places]

    def sequence(self, block: ov.Output) -> ov.Output:
        return gather_rows(ops.concat([self.context, block], 0).output(0), self.order)

    def block(self, sequence: ov.Output) -> ov.Output:
        return gather_rows(sequence, self.places)


def build_context(weights: DrafterWeights, rows: int = -1) -> ov.Model:
    """`rows`: -1 where their number differs from pass to pass."""
    shape = weights.shape
    features = parameter("features", [rows, len(shape.taps) * shape.hidden], np.float32)
    positions = parameter("position_ids", [rows], np.int64)
    inverse = inverse_frequencies(shape.head_dim, shape.rope_base)
    context, tables, caches = (
        _context(weights, features),
        rope_tables(positions, inverse),
        CacheInputs.create(),
    )
    results = [
        result(remembered(weights, index, context, tables, caches), f"layer.{index}")
        for index in range(shape.layers)
    ]
    return ov.Model(results, [features, positions, *caches.parameters()], "block_drafter_context")


def build_block(weights: DrafterWeights, block: int = -1, context: int = 0) -> ov.Model:
    """`block`: its rows, -1 where that differs from pass to pass. `context`: rows that are read before it."""
    shape = weights.shape
    ids = parameter("input_ids", [block], np.int64)
    positions = parameter("position_ids", [block + context], np.int64)
    types = parameter("token_types", [block], np.int32)
    inverse = inverse_frequencies(shape.head_dim, shape.rope_base)
    joined = _Joined.create(weights, context, block) if context else None
    rows = _Rows(rope_tables(positions, inverse), CacheInputs.create(), types, joined)
    x = embed(weights["embedding"], ids)
    for index in range(shape.layers):
        x = _layer(weights, index, x, rows)
    flat = reshape(rms_norm(x, weights["final_norm"], shape.rms_eps), [-1, shape.hidden])
    if not shape.from_anchor:
        first, end, one, axis = (ops.constant([value], dtype=np.int64) for value in (1, _END, 1, 0))
        flat = ops.slice(flat, first, end, one, axis).output(0)
    results = [result(linear(flat, weights["head"]), "logits"), result(flat, "hidden")]
    inputs = [ids, positions, *rows.caches.parameters(), *(joined.parameters() if joined else [])]
    return ov.Model(results, inputs if all(shape.causal) else [*inputs, types], "block_drafter")


def _context(weights: DrafterWeights, features: ov.Node) -> ov.Output:
    shape = weights.shape
    fused = linear(features.output(0), weights["fc"])
    normed = rms_norm(fused, weights["hidden_norm"], shape.rms_eps)
    return reshape(normed, [-1, 1, shape.hidden])


def remembered(w: DrafterWeights, index: int, x: ov.Output, tables: Tables, caches: CacheInputs) -> ov.Output:
    """Keys and values of the context go to the cache. It asks nothing: a query must be there, and sees one row."""
    key, value = key_value(w, index, x, tables)
    dim, heads = w.shape.head_dim, w.shape.kv_heads
    return paged_attention(key, key, value, caches, kv_heads=heads, head_dim=dim, scale=dim**-0.5, window=1)


def key_value(w: DrafterWeights, index: int, x: ov.Output, tables: Tables) -> tuple[ov.Output, ov.Output]:
    """[R, kv_heads * dim] each."""
    shape, layer = w.shape, f"layers.{index}."
    width = shape.kv_heads * shape.head_dim
    key, value = split(linear(x, w[layer + "kv"]), [width, width])
    key = rms_norm(to_heads(key, shape.kv_heads, shape.head_dim), w[layer + "k_norm"], shape.rms_eps)
    return to_rows(rotate(key, tables, shape.head_dim), width), reshape(value, [-1, width])


def _layer(w: DrafterWeights, index: int, x: ov.Output, rows: _Rows) -> ov.Output:
    layer, eps = f"layers.{index}.", w.shape.rms_eps
    normed = rms_norm(x, w[layer + "attention_norm"], eps)
    x = ops.add(x, _attention(w, index, normed, rows)).output(0)
    normed = rms_norm(x, w[layer + "mlp_norm"], eps)
    mixed = gated_mlp(normed, w[layer + "gate_up"], w[layer + "down"], w.shape.intermediate)
    return ops.add(x, mixed).output(0)


def _attention(w: DrafterWeights, index: int, x: ov.Output, rows: _Rows) -> ov.Output:
    shape = w.shape
    if rows.joined:
        x = rows.joined.sequence(x)
    types = None if shape.causal[index] else rows.types.output(0)
    mixed = attended(w, index, x, rows.tables, rows.caches, types=types)
    if rows.joined:
        mixed = rows.joined.block(mixed)
    return linear(
        reshape(mixed, [-1, 1, shape.heads * shape.head_dim]), w[f"layers.{index}.attention_output"]
    )


def attended(
    w: DrafterWeights,
    index: int,
    x: ov.Output,
    tables: Tables,
    caches: CacheInputs,
    *,
    types: ov.Output | None = None,
) -> ov.Output:
    """What rows x [R, 1, hidden] find in the cache, themselves included: [R, heads * dim]."""
    shape, layer = w.shape, f"layers.{index}."
    dim = shape.head_dim
    query = to_heads(linear(x, w[layer + "q"]), shape.heads, dim)
    query = rotate(rms_norm(query, w[layer + "q_norm"], shape.rms_eps), tables, dim)
    key, value = key_value(w, index, x, tables)
    return paged_attention(
        to_rows(query, shape.heads * dim),
        key,
        value,
        caches,
        kv_heads=shape.kv_heads,
        head_dim=dim,
        scale=dim**-0.5,
        window=shape.windows[index],
        token_types=types,
    )


def build_step(weights: DrafterWeights, rows: int = -1) -> ov.Model:
    """`rows`: of the block's logits, -1 where that differs from pass to pass."""
    shape = weights.shape
    all_logits = parameter("logits", [rows, shape.draft_vocab], np.float32)
    all_hidden = parameter("hidden", [rows, shape.hidden], np.float32)
    row, token = parameter("row", [1], np.int32), parameter("token", [1], np.int64)
    state = parameter("state", [1, max(shape.markov_rank, 1)], np.float32)
    inputs, results = [all_logits, all_hidden, row], []
    logits, hidden = (gather_rows(each.output(0), row) for each in (all_logits, all_hidden))
    biased, previous, new_state = logits, None, state.output(0)
    if shape.markov:
        inputs.append(token)
        previous = gather_rows(weights["markov_in"], token)
        latent, new_state = _latent(weights, previous, hidden, state.output(0))
        biased = ops.add(logits, linear(latent, weights["markov_out"])).output(0)
    if shape.markov == "rnn":
        inputs.append(state)
        results.append(result(new_state, "new_state"))
    results.append(result(biased, "biased"))
    if shape.confidence:
        results.append(result(confidence(weights, hidden, previous), "confidence"))
    return ov.Model(results, inputs, "block_drafter_step")


def _latent(
    w: DrafterWeights, previous: ov.Output, hidden: ov.Output, state: ov.Output
) -> tuple[ov.Output, ov.Output]:
    """What gives the bias, from the previous token's vector [1, rank]; and the next state."""
    kind, rank = w.shape.markov, w.shape.markov_rank
    if kind == "vanilla":
        return previous, state
    if kind == "gated":
        asked = ops.concat([hidden, previous], -1).output(0)
        gate = ops.sigmoid(linear(asked, w["markov_mix"], w["markov_mix_bias"]))
        return ops.multiply(gate, previous).output(0), state
    asked = ops.concat([state, previous, hidden], -1).output(0)
    mixed = linear(asked, w["markov_mix"], w["markov_mix_bias"])
    gate, candidate, shown = split(mixed, [rank, rank, rank])
    kept = ops.sigmoid(gate)
    fresh = ops.multiply(ops.subtract(ops.constant(np.float32(1.0)), kept), ops.tanh(candidate))
    return ops.tanh(shown).output(0), ops.add(ops.multiply(kept, state), fresh).output(0)


def confidence(w: DrafterWeights, hidden: ov.Output, previous: ov.Output | None) -> ov.Output:
    seen = hidden
    if w.shape.confidence_with_markov and previous is not None:
        seen = ops.concat([hidden, previous], -1).output(0)
    return ops.sigmoid(linear(seen, w["confidence"], w["confidence_bias"])).output(0)
