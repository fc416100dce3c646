"""The graphs of an EAGLE head (EAGLE, arXiv 2401.15077; several fused layers, EAGLE-3, arXiv 2503.01840).

One layer. A row is the embedding of the token at its place beside what the target said of the place before: its tapped
layers, fused by `fc`. Where the target has not been yet, the layer's own state takes that place, so drafts come one
after the other. Rows of committed tokens, with the target's features, stay in the cache; those of drafts are written
behind them, where the next draft writes over them.

`build_context`, for C rows: features float32 [C, taps * hidden] of the places before the rows', input_ids int64 [C],
position_ids int64 [C], and the cache inputs of attention.py. Its output only keeps the layer alive.

`build_first`: the same, and row int32 [1], the one that drafts; rows behind it are padding. `build_next`, for one row:
state float32 [1, hidden], input_ids [1], position_ids [1] and the cache inputs. Outputs of both: logits [1, draft
vocabulary], new_state [1, hidden], hidden [1, hidden] (that state, normed) and confidence [1, 1], the probability that
the token is accepted.
"""

import numpy as np
import openvino as ov
import openvino.opset16 as ops

from engine.graphs.attention import CacheInputs
from engine.graphs.dflash import DrafterWeights, attended, confidence, remembered
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
)

_LAYER = "layers.0."


def build_context(w: DrafterWeights, rows: int) -> ov.Model:
    inputs, x, tables = _after_the_target(w, rows)
    caches = CacheInputs.create()
    kept = remembered(w, 0, rms_norm(x, w[_LAYER + "attention_norm"], w.shape.rms_eps), tables, caches)
    return ov.Model([result(kept, "kept")], [*inputs, *caches.parameters()], "eagle_context")


def build_first(w: DrafterWeights, rows: int) -> ov.Model:
    inputs, x, tables = _after_the_target(w, rows)
    caches, row = CacheInputs.create(), parameter("row", [1], np.int32)
    mixed = _attended(w, x, tables, caches)
    results = _drafted(w, gather_rows(x, row), gather_rows(mixed, row))
    return ov.Model(results, [*inputs, row, *caches.parameters()], "eagle_first")


def build_next(w: DrafterWeights) -> ov.Model:
    state = parameter("state", [1, w.shape.hidden], np.float32)
    ids, positions, tables = _places(w, 1)
    caches = CacheInputs.create()
    x = _entered(w, state.output(0), ids)
    results = _drafted(w, x, _attended(w, x, tables, caches))
    return ov.Model(results, [state, ids, positions, *caches.parameters()], "eagle_next")


def _after_the_target(w: DrafterWeights, rows: int) -> tuple[list[ov.Node], ov.Output, Tables]:
    """The inputs, and the rows x [R, 1, hidden], of tokens beside what the target said before them."""
    features = parameter("features", [rows, len(w.shape.taps) * w.shape.hidden], np.float32)
    ids, positions, tables = _places(w, rows)
    return [features, ids, positions], _entered(w, linear(features.output(0), w["fc"]), ids), tables


def _places(w: DrafterWeights, rows: int) -> tuple[ov.Node, ov.Node, Tables]:
    ids, positions = parameter("input_ids", [rows], np.int64), parameter("position_ids", [rows], np.int64)
    inverse = inverse_frequencies(w.shape.head_dim, w.shape.rope_base)
    return ids, positions, rope_tables(positions, inverse)


def _entered(w: DrafterWeights, states: ov.Output, ids: ov.Node) -> ov.Output:
    """Rows [R, 1, hidden] of states [R, hidden] and the tokens after them."""
    normed = reshape(rms_norm(states, w["hidden_norm"], w.shape.rms_eps), [-1, 1, w.shape.hidden])
    embedded = rms_norm(embed(w["embedding"], ids), w["embed_norm"], w.shape.rms_eps)
    return linear(ops.concat([normed, embedded], -1).output(0), w["input"])


def _attended(w: DrafterWeights, x: ov.Output, tables: Tables, caches: CacheInputs) -> ov.Output:
    return attended(w, 0, rms_norm(x, w[_LAYER + "attention_norm"], w.shape.rms_eps), tables, caches)


def _drafted(w: DrafterWeights, x: ov.Output, mixed: ov.Output) -> list[ov.Node]:
    """From one row x [1, 1, hidden] and what it found [1, heads * dim]."""
    shape = w.shape
    width = shape.heads * shape.head_dim
    x = ops.add(x, linear(reshape(mixed, [-1, 1, width]), w[_LAYER + "attention_output"])).output(0)
    normed = rms_norm(x, w[_LAYER + "mlp_norm"], shape.rms_eps)
    x = ops.add(x, gated_mlp(normed, w[_LAYER + "gate_up"], w[_LAYER + "down"], shape.intermediate)).output(0)
    state = reshape(x, [-1, shape.hidden])
    hidden = rms_norm(state, w["final_norm"], shape.rms_eps)
    results = [
        result(linear(hidden, w["head"]), "logits"),
        result(state, "new_state"),
        result(hidden, "hidden"),
    ]
    return [*results, result(confidence(w, hidden, None), "confidence")] if shape.confidence else results
