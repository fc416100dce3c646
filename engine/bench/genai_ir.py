"""Our compressed weights as the stateful model that openvino-genai expects: same matrices, its own attention.

Inputs input_ids, attention_mask, position_ids int64 [batch, tokens] and beam_idx int32 [batch]; keys and values are
variables that beam_idx reorders. Output logits [batch, tokens, vocabulary]. The sub-graph shapes are those that
OpenVINO's stateful-attention fusion and its paged-attention transformation look for.
"""

import json
from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset13 as ops
from openvino.op.util import Variable, VariableInfo

from engine.errors import SlipstreamError
from engine.graphs.weights import Weights

Tables = tuple[ov.Output, ov.Output]


def write_genai_model(weights: Weights, folder: Path) -> None:
    """openvino_model.xml and .bin, configuration, and a placeholder tokenizer: token ids go in and out."""
    if weights.architecture.linear:
        raise SlipstreamError("a model with linear attention can't be built for it: leave this peer out")
    folder.mkdir(parents=True, exist_ok=True)
    ov.save_model(build_stateful(weights), folder / "openvino_model.xml", compress_to_fp16=False)
    arch = weights.architecture
    config = {"model_type": arch.name, "vocab_size": arch.vocab, "num_hidden_layers": arch.layers}
    ov.save_model(build_placeholder_tokenizer(), folder / "openvino_tokenizer.xml")
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")


def build_placeholder_tokenizer() -> ov.Model:
    """Gives one and the same id for any text: speculation asks both models' tokenizers for a text and compares."""
    text = ov.op.Parameter(ov.Type.string, ov.PartialShape([-1]))
    text.output(0).get_tensor().set_names({"string_input"})
    shape = ops.concat([ops.shape_of(text).output(0), _ints([1]).output(0)], 0)
    results = []
    for value, name in ((0, "input_ids"), (1, "attention_mask")):
        output = ops.broadcast(_int(value), shape).output(0)
        output.get_tensor().set_names({name})
        results.append(ops.result(output))
    return ov.Model(results, [text], "tokenizer")


def build_stateful(weights: Weights) -> ov.Model:
    return _Builder(weights).build()


class _Builder:
    def __init__(self, weights: Weights) -> None:
        self._weights, self._arch = weights, weights.architecture
        self._ids = _parameter("input_ids", [-1, -1], np.int64)
        self._mask = _parameter("attention_mask", [-1, -1], np.int64)
        self._positions = _parameter("position_ids", [-1, -1], np.int64)
        self._beam = _parameter("beam_idx", [-1], np.int32)
        self._assigns: list[ov.Node] = []

    def build(self) -> ov.Model:
        name = "embedding" if "embedding" in self._weights else "head"
        hidden = ops.gather(self._weights[name], self._ids, _int(0)).output(0)
        tables = self._rope_tables()
        mask = self._causal_mask(hidden)
        for index in range(self._arch.layers):
            hidden = self._layer(index, hidden, tables, mask)
        normed = self._norm(hidden, "final_norm")
        logits = ops.matmul(normed, self._weights["head"], False, True)
        logits.output(0).get_tensor().set_names({"logits"})
        inputs = [self._ids, self._mask, self._positions, self._beam]
        return ov.Model([ops.result(logits)], self._assigns, inputs, "stateful")

    def _rope_tables(self) -> Tables:
        """cos and sin, [batch, 1, tokens, head_dim], halves repeated."""
        arch = self._arch
        exponents = np.arange(0, arch.head_dim, 2, dtype=np.float64) / arch.head_dim
        inverse = 1.0 / (arch.rope_base**exponents) / arch.rope_scale
        if "rope_factors" in self._weights:
            inverse = inverse / self._weights.vector("rope_factors")
        angles = np.concatenate([inverse, inverse]).astype(np.float32)
        at = ops.convert(ops.unsqueeze(self._positions, _ints([1, 3])), "f32")
        phase = ops.multiply(at, ops.constant(angles.reshape(1, 1, 1, -1)))
        return ops.cos(phase).output(0), ops.sin(phase).output(0)

    def _causal_mask(self, hidden: ov.Output) -> ov.Output:
        """Additive, [batch, 1, tokens, all tokens]: zero where a token may look, the least float elsewhere."""
        new = _dimension(self._ids, 1)
        everything = _dimension(self._mask, 1)
        past = ops.subtract(everything, new)
        rows = ops.unsqueeze(ops.add(ops.range(_int(0), new, _int(1), "i64"), past), _int(1))
        columns = ops.unsqueeze(ops.range(_int(0), everything, _int(1), "i64"), _int(0))
        seen = ops.unsqueeze(ops.less_equal(columns, rows), _ints([0, 1]))
        real = ops.unsqueeze(ops.not_equal(self._mask, _int(0)), _ints([1, 2]))
        allowed = ops.logical_and(seen, real)
        least = ops.constant(np.float32(np.finfo(np.float32).min))
        return ops.select(allowed, ops.constant(np.float32(0.0)), least).output(0)

    def _layer(self, index: int, x: ov.Output, tables: Tables, mask: ov.Output) -> ov.Output:
        layer = f"layers.{index}."
        attended = self._attention(index, self._norm(x, layer + "attention_norm"), tables, mask)
        x = ops.add(x, attended).output(0)
        return ops.add(x, self._mlp(layer, self._norm(x, layer + "mlp_norm"))).output(0)

    def _mlp(self, layer: str, x: ov.Output) -> ov.Output:
        width = self._arch.intermediate
        fused = ops.matmul(x, self._weights[layer + "gate_up"], False, True)
        parts = ops.variadic_split(fused, _int(-1), _ints([width, width]))
        gated = ops.multiply(ops.swish(parts.output(0)), parts.output(1))
        return ops.matmul(gated, self._weights[layer + "down"], False, True).output(0)

    def _attention(self, index: int, x: ov.Output, tables: Tables, mask: ov.Output) -> ov.Output:
        arch, layer = self._arch, f"layers.{index}."
        fused = ops.matmul(x, self._weights[layer + "qkv"], False, True).output(0)
        if (bias := self._weights.find(layer + "qkv_bias")) is not None:
            fused = ops.add(fused, bias).output(0)
        sizes = [count * arch.head_dim for count in (arch.heads, arch.kv_heads, arch.kv_heads)]
        parts = ops.variadic_split(fused, _int(-1), _ints(sizes))
        query, key = self._heads(parts.output(0), arch.heads), self._heads(parts.output(1), arch.kv_heads)
        value = self._heads(parts.output(2), arch.kv_heads)
        if layer + "q_norm" in self._weights:
            query, key = self._norm(query, layer + "q_norm"), self._norm(key, layer + "k_norm")
        query, key = self._rotate(query, tables), self._rotate(key, tables)
        keys = self._repeated(self._remembered(f"past_key_values.{index}.key", key))
        values = self._repeated(self._remembered(f"past_key_values.{index}.value", value))
        mixed = ops.scaled_dot_product_attention(query, keys, values, mask, causal=False)
        back = ops.transpose(mixed, _ints([0, 2, 1, 3]))
        rows = ops.reshape(back, _ints([0, 0, arch.heads * arch.head_dim]), True)
        return ops.matmul(rows, self._weights[layer + "attention_output"], False, True).output(0)

    def _heads(self, x: ov.Output, heads: int) -> ov.Output:
        split = ops.reshape(x, _ints([0, 0, heads, self._arch.head_dim]), True)
        return ops.transpose(split, _ints([0, 2, 1, 3])).output(0)

    def _rotate(self, x: ov.Output, tables: Tables) -> ov.Output:
        half = self._arch.head_dim // 2
        halves = ops.variadic_split(x, _int(-1), _ints([half, half]))
        turned = ops.multiply(halves.output(1), ops.constant(np.float32(-1.0)))
        swapped = ops.concat([turned.output(0), halves.output(0)], -1)
        return ops.add(ops.multiply(x, tables[0]), ops.multiply(swapped, tables[1])).output(0)

    def _remembered(self, name: str, new: ov.Output) -> ov.Output:
        """The variable's rows, then `new` [batch, kv_heads, tokens, head_dim]; both are what it holds next."""
        arch = self._arch
        info = VariableInfo()
        info.data_shape = ov.PartialShape([-1, arch.kv_heads, -1, arch.head_dim])
        info.data_type, info.variable_id = ov.Type.f32, name
        variable = Variable(info)
        batch = ops.unsqueeze(_dimension(self._ids, 0), _int(0))
        shape = ops.concat([batch, _ints([arch.kv_heads]), _ints([0]), _ints([arch.head_dim])], 0)
        empty = ops.broadcast(ops.constant(np.float32(0.0)), shape)
        past = ops.gather(ops.read_value(empty, variable), self._beam, _int(0))
        full = ops.concat([past.output(0), new], 2)
        self._assigns.append(ops.assign(full, variable))
        return full.output(0)

    def _repeated(self, x: ov.Output) -> ov.Output:
        """Every key or value head for each of the query heads that share it."""
        arch = self._arch
        groups = arch.heads // arch.kv_heads
        if groups == 1:
            return x
        shape = ops.concat(
            [
                ops.unsqueeze(_dimension(x.get_node(), 0), _int(0)),
                _ints([arch.kv_heads, groups]),
                ops.unsqueeze(_dimension(x.get_node(), 2), _int(0)),
                _ints([arch.head_dim]),
            ],
            0,
        )
        wide = ops.broadcast(ops.unsqueeze(x, _int(2)), shape, broadcast_spec="BIDIRECTIONAL")
        return ops.reshape(wide, _ints([0, arch.heads, -1, arch.head_dim]), True).output(0)

    def _norm(self, x: ov.Output, name: str) -> ov.Output:
        square = ops.power(x, ops.constant(np.float32(2.0)))
        mean = ops.reduce_mean(square, _ints([-1]), True)
        root = ops.sqrt(ops.add(mean, ops.constant(np.float32(self._arch.rms_eps))))
        scaled = ops.multiply(x, ops.divide(ops.constant(np.float32(1.0)), root))
        return ops.multiply(self._weights[name], scaled).output(0)


def _parameter(name: str, shape: list[int], kind: type) -> ov.Node:
    node = ops.parameter(ov.PartialShape(shape), dtype=kind, name=name)
    node.output(0).get_tensor().set_names({name})
    return node


def _int(value: int) -> ov.Node:
    return ops.constant(np.array(value, dtype=np.int64))


def _ints(values: list[int]) -> ov.Node:
    return ops.constant(np.array(values, dtype=np.int64))


def _dimension(node: ov.Node, axis: int) -> ov.Node:
    return ops.gather(ops.shape_of(node), _int(axis), _int(0))
