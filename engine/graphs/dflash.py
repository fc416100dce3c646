"""The graphs of a block drafter (DFlash, arXiv 2602.06036): one forward drafts a whole block.

What the target's tapped layers say of each committed token is fused into one vector (`fc`, then a norm), and every
layer takes keys and values from that vector: the context. The block is the last committed token and mask tokens;
its rows ask, and see the context and each other. They are written to the paged cache behind the context, where the
next pass writes over them: only context stays, and nothing has to be rolled back.

`build_block`, inputs (C new context rows, B block rows): features float32 [C + 1, taps * hidden], whose last row is
padding, as one row alone would take other kernels; input_ids int64 [B]; position_ids int64 [C + B]; query_rows int32
[C + B], 0 for context and 1, 2, ... for the block; block_rows int32 [B], where the block is in those; logit_rows
int32 [L], which of the block's rows predict; token_types int32 [C + B], 1 for the block, unless every layer is
causal; and the cache inputs of attention.py. Outputs: logits float32 [L, draft vocabulary], hidden float32
[L, hidden].

`build_step` (DSpark, arXiv 2607.05147), for one token after the other: logits [1, draft vocabulary] and hidden [1,
hidden] of a row, token int64 [1] drafted before it, and state [1, rank] where the head is recurrent. Outputs: logits
with the bias that the previous token gives, state, and confidence [1, 1], the probability that the token is accepted.
"""

from collections.abc import Mapping
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class DrafterWeights:
    """`outputs` by name. `embedding` is the target's, and so is `head` unless the drafter has its own."""

    shape: DrafterShape
    outputs: Mapping[str, ov.Output]

    def __getitem__(self, name: str) -> ov.Output:
        return self.outputs[name]


@dataclass(frozen=True, slots=True)
class _Rows:
    """What all layers share: the fused context [C, 1, hidden], rotary tables of all rows and of the block's."""

    context: ov.Output
    tables: Tables
    block_tables: Tables
    queries: ov.Node
    block: ov.Node
    types: ov.Node
    caches: CacheInputs


def build_block(weights: DrafterWeights) -> ov.Model:
    shape = weights.shape
    width = len(shape.taps) * shape.hidden
    features = parameter("features", [-1, width], np.float32)
    ids, positions = parameter("input_ids", [-1], np.int64), parameter("position_ids", [-1], np.int64)
    names = ("query_rows", "block_rows", "logit_rows", "token_types")
    queries, block, logit_rows, types = (parameter(name, [-1], np.int32) for name in names)
    inverse = inverse_frequencies(shape.head_dim, shape.rope_base)
    rows = _Rows(
        context=_context(weights, features),
        tables=rope_tables(positions, inverse),
        block_tables=rope_tables(gather_rows(positions.output(0), block).get_node(), inverse),
        queries=queries,
        block=block,
        types=types,
        caches=CacheInputs.create(),
    )
    x = embed(weights["embedding"], ids)
    for index in range(shape.layers):
        x = _layer(weights, index, x, rows)
    hidden = rms_norm(gather_rows(x, logit_rows), weights["final_norm"], shape.rms_eps)
    flat = reshape(hidden, [-1, shape.hidden])
    results = [result(linear(flat, weights["head"]), "logits"), result(flat, "hidden")]
    inputs = [features, ids, positions, queries, block, logit_rows, *rows.caches.parameters()]
    if not all(shape.causal):
        inputs.append(types)
    return ov.Model(results, inputs, "block_drafter")


def _context(weights: DrafterWeights, features: ov.Node) -> ov.Output:
    shape = weights.shape
    fused = linear(features.output(0), weights["fc"])
    normed = rms_norm(fused, weights["hidden_norm"], shape.rms_eps)
    bounds = [ops.constant([value], dtype=np.int64) for value in (0, -1, 1, 0)]
    return reshape(ops.slice(normed, *bounds).output(0), [-1, 1, shape.hidden])


def _layer(w: DrafterWeights, index: int, x: ov.Output, rows: _Rows) -> ov.Output:
    layer, eps = f"layers.{index}.", w.shape.rms_eps
    normed = rms_norm(x, w[layer + "attention_norm"], eps)
    x = ops.add(x, _attention(w, index, normed, rows)).output(0)
    normed = rms_norm(x, w[layer + "mlp_norm"], eps)
    mixed = gated_mlp(normed, w[layer + "gate_up"], w[layer + "down"], w.shape.intermediate)
    return ops.add(x, mixed).output(0)


def _attention(w: DrafterWeights, index: int, x: ov.Output, rows: _Rows) -> ov.Output:
    shape, layer = w.shape, f"layers.{index}."
    dim, q_width, kv_width = shape.head_dim, shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
    query = to_heads(linear(x, w[layer + "q"]), shape.heads, dim)
    query = rotate(rms_norm(query, w[layer + "q_norm"], shape.rms_eps), rows.block_tables, dim)
    sources = ops.concat([rows.context, x], 0).output(0)
    key, value = split(linear(sources, w[layer + "kv"]), [kv_width, kv_width])
    key = rms_norm(to_heads(key, shape.kv_heads, dim), w[layer + "k_norm"], shape.rms_eps)
    mixed = paged_attention(
        _below_nothing(to_rows(query, q_width), rows.queries, q_width),
        to_rows(rotate(key, rows.tables, dim), kv_width),
        reshape(value, [-1, kv_width]),
        rows.caches,
        kv_heads=shape.kv_heads,
        head_dim=dim,
        scale=dim**-0.5,
        window=shape.windows[index],
        token_types=None if shape.causal[index] else rows.types.output(0),
    )
    return linear(reshape(gather_rows(mixed, rows.block), [-1, 1, q_width]), w[layer + "attention_output"])


def _below_nothing(query: ov.Output, rows: ov.Node, width: int) -> ov.Output:
    """A query for every row: the context asks nothing."""
    nothing = ops.constant(np.zeros((1, width), dtype=np.float32)).output(0)
    return gather_rows(ops.concat([nothing, query], 0).output(0), rows)


def build_step(weights: DrafterWeights) -> ov.Model:
    shape = weights.shape
    logits = parameter("logits", [1, shape.draft_vocab], np.float32)
    hidden = parameter("hidden", [1, shape.hidden], np.float32)
    token = parameter("token", [1], np.int64)
    state = parameter("state", [1, max(shape.markov_rank, 1)], np.float32)
    inputs, results = [logits, hidden], []
    biased, previous, new_state = logits.output(0), None, state.output(0)
    if shape.markov:
        inputs.append(token)
        previous = gather_rows(weights["markov_in"], token)
        latent, new_state = _latent(weights, previous, hidden.output(0), state.output(0))
        biased = ops.add(logits, linear(latent, weights["markov_out"])).output(0)
    if shape.markov == "rnn":
        inputs.append(state)
        results.append(result(new_state, "new_state"))
    results.append(result(biased, "biased"))
    if shape.confidence:
        results.append(result(_confidence(weights, hidden.output(0), previous), "confidence"))
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


def _confidence(w: DrafterWeights, hidden: ov.Output, previous: ov.Output | None) -> ov.Output:
    seen = hidden
    if w.shape.confidence_with_markov and previous is not None:
        seen = ops.concat([hidden, previous], -1).output(0)
    return ops.sigmoid(linear(seen, w["confidence"], w["confidence_bias"])).output(0)
