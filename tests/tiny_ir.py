"""A tiny Llama as an OpenVINO model in the form that optimum-intel gives it: named operations, compressed constants.

Written from the papers as tests.tiny_models is; it keeps no state: all tokens of a text go in at once.
"""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset16 as ops
from numpy.typing import NDArray

from tests.tiny_checkpoints import Folder, tensors, write

LLAMA = Folder("llama")
Constant = Callable[[NDArray[np.float32]], ov.Node]


def halves(values: NDArray[np.float32]) -> ov.Node:
    return ops.convert(ops.constant(values.astype(np.float16)), "f32")


def signed_bytes(values: NDArray[np.float32]) -> ov.Node:
    """8 bits, one scale a row, no zero point."""
    scale = (np.abs(values).max(axis=1, keepdims=True) / 127).astype(np.float16)
    rounded = np.rint(values / scale.astype(np.float32)).astype(np.int8)
    product = ops.multiply(ops.convert(ops.constant(rounded), "f16"), ops.constant(scale))
    return ops.convert(product, "f32")


def grouped_nibbles(values: NDArray[np.float32], size: int = 64) -> ov.Node:
    """4 bits in groups, with zero points."""
    out = len(values)
    rows = values.reshape(out, -1, size)
    low = np.minimum(rows.min(axis=2, keepdims=True), 0)
    scale = ((np.maximum(rows.max(axis=2, keepdims=True), 0) - low) / 15).astype(np.float16)
    step = scale.astype(np.float32)
    zero = np.clip(np.rint(-low / step), 0, 15).astype(np.uint8)
    rounded = np.clip(np.rint(rows / step) + zero, 0, 15).astype(np.uint8)
    centred = ops.subtract(ops.convert(_nibbles(rounded), "f16"), ops.convert(_nibbles(zero), "f16"))
    grouped = ops.multiply(centred, ops.constant(scale))
    return ops.convert(ops.reshape(grouped, ops.constant([out, values.shape[1]]), False), "f32")


def squares(values: NDArray[np.float32]) -> ov.Node:
    """A decompression that no one knows: values times themselves, sign kept in a second constant."""
    root = ops.constant(np.sqrt(np.abs(values)))
    return ops.multiply(ops.multiply(root, root), ops.constant(np.sign(values)))


def _nibbles(values: NDArray[np.uint8]) -> ov.Node:
    flat = values.reshape(-1)
    packed = flat[0::2] | (flat[1::2] << 4)
    return ops.constant(ov.Tensor(packed, ov.Shape(values.shape), ov.Type.u4), shared_memory=False)


def write_ir(folder: Path, constant: Constant, shape: Folder = LLAMA, named: bool = True) -> Path:
    """config.json, tokenizer.json and openvino_model.xml with its .bin."""
    write(folder, shape)
    (folder / "model.safetensors").unlink()
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    ov.save_model(
        _Builder(tensors(shape), config, constant, named).model(), folder / "openvino_model.xml", False
    )
    return folder


class _Builder:
    def __init__(
        self, values: dict[str, NDArray[np.float32]], config: dict[str, int], constant: Constant, named: bool
    ) -> None:
        self._values, self._config, self._constant, self._named = values, config, constant, named
        self._ids = _parameter("input_ids")
        self._mask = _parameter("attention_mask")
        self._positions = _parameter("position_ids")

    def model(self) -> ov.Model:
        config = self._config
        table = self._constant(self._values["model.embed_tokens.weight"])
        x = self._name(ops.gather(table, self._ids, _int(0)), "model.embed_tokens/ov_ext::embedding/Gather")
        for index in range(config["num_hidden_layers"]):
            x = self._layer(f"model.layers.{index}.", x)
        x = self._norm("model.norm", x)
        logits = self._linear("lm_head", x)
        logits.output(0).get_tensor().set_names({"logits"})
        return ov.Model([ops.result(logits)], [self._ids, self._mask, self._positions], "Model0")

    def _layer(self, layer: str, x: ov.Node) -> ov.Node:
        x = ops.add(x, self._attention(layer + "self_attn", self._norm(layer + "input_layernorm", x)))
        normed = self._norm(layer + "post_attention_layernorm", x)
        gate, up = (self._linear(f"{layer}mlp.{part}_proj", normed) for part in ("gate", "up"))
        return ops.add(x, self._linear(layer + "mlp.down_proj", ops.multiply(ops.swish(gate), up)))

    def _attention(self, module: str, x: ov.Node) -> ov.Node:
        heads, kv_heads = self._config["num_attention_heads"], self._config["num_key_value_heads"]
        q = self._rotated(self._heads(self._linear(f"{module}.q_proj", x), heads))
        k = self._rotated(self._heads(self._linear(f"{module}.k_proj", x), kv_heads))
        v = self._heads(self._linear(f"{module}.v_proj", x), kv_heads)
        repeated = ops.constant(np.repeat(np.arange(kv_heads), heads // kv_heads))
        k, v = (ops.gather(each, repeated, _int(1)) for each in (k, v))
        mixed = ops.scaled_dot_product_attention(q, k, v, causal=True)
        rows = ops.transpose(mixed, ops.constant([0, 2, 1, 3]))
        return self._linear(f"{module}.o_proj", ops.reshape(rows, ops.constant([0, 0, -1]), True))

    def _heads(self, x: ov.Node, heads: int) -> ov.Node:
        cut = ops.reshape(x, ops.constant([0, 0, heads, self._config["head_dim"]]), True)
        return ops.transpose(cut, ops.constant([0, 2, 1, 3]))

    def _rotated(self, x: ov.Node) -> ov.Node:
        dim = self._config["head_dim"]
        frequency = self._config["rope_theta"] ** (-np.arange(0, dim, 2) / dim)
        at = ops.convert(ops.unsqueeze(self._positions, ops.constant([1, 3])), "f32")
        phase = ops.multiply(at, ops.constant(np.concatenate([frequency, frequency]).astype(np.float32)))
        first, second = ops.split(x, _int(3), 2).outputs()
        turned = ops.concat([ops.negative(second).output(0), first], 3)
        return ops.add(ops.multiply(x, ops.cos(phase)), ops.multiply(turned, ops.sin(phase)))

    def _norm(self, module: str, x: ov.Node) -> ov.Node:
        mean = ops.reduce_mean(ops.multiply(x, x), ops.constant([-1]), True)
        scaled = ops.divide(
            x, ops.sqrt(ops.add(mean, ops.constant(np.float32(self._config["rms_norm_eps"]))))
        )
        weight = ops.constant(self._values[f"{module}.weight"].reshape(1, 1, -1))
        return self._name(ops.multiply(weight, scaled), f"{module}/aten::mul/Multiply_1")

    def _linear(self, module: str, x: ov.Node) -> ov.Node:
        weight = self._constant(self._values[f"{module}.weight"])
        return self._name(ops.matmul(x, weight, False, True), f"{module}/ov_ext::linear/MatMul")

    def _name(self, node: ov.Node, name: str) -> ov.Node:
        if self._named:
            node.set_friendly_name(f"__module.{name}")
        return node


def _parameter(name: str) -> ov.Node:
    node = ops.parameter(ov.PartialShape([-1, -1]), dtype=np.int64, name=name)
    node.output(0).get_tensor().set_names({name})
    return node


def _int(value: int) -> ov.Node:
    return ops.constant(np.array(value, dtype=np.int64))
