"""Tiny random models as GGUF files, and a plain float64 forward pass of them to compare the engine with.

The forward pass is written from the papers (RMSNorm 1910.07467, RoFormer 2104.09864, GQA 2305.13245, SwiGLU
2002.05202) and reads the file's own tensors: it shares no code with the engine.
"""

from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Kind
from numpy.typing import NDArray

from tests.gguf_files import _BYTES

Array = NDArray[np.float64]

SPECIALS = ("<|im_start|>", "<|im_end|>")
VOCABULARY = (*_BYTES, "ab", *SPECIALS)
IM_END = len(VOCABULARY) - 1


@dataclass(frozen=True, slots=True)
class Shape:
    """`sharpness` scales the head: how decided the model is. `kind` is the storage type of the matrices."""

    architecture: str = "llama"
    hidden: int = 64
    intermediate: int = 96
    layers: int = 2
    heads: int = 4
    kv_heads: int = 2
    head_dim: int = 16
    context: int = 512
    tied: bool = False
    seed: int = 1
    kind: Kind = Kind.F32
    down_kind: Kind | None = None
    rope_factors: bool = False
    linear_scaling: float = 1.0
    sharpness: float = 1.0
    added: tuple[str, ...] = ()  # control tokens after the usual ones
    padding: int = 0  # unused tokens at the end of the vocabulary
    rename: dict[int, str] | None = None
    noise: float = 0.0  # added to every matrix: a drafter that agrees with its target now and then
    chat_template: str | None = None

    @property
    def vocabulary(self) -> list[str]:
        tokens = [*VOCABULARY, *self.added, *(f"[unused{i}]" for i in range(self.padding))]
        for index, name in (self.rename or {}).items():
            tokens[index] = name
        return tokens


def write_model(path: Path, shape: Shape = Shape()) -> Path:
    """A complete GGUF file with a byte vocabulary, ChatML by default, and random weights."""
    writer = gguf.GGUFWriter(path, shape.architecture)
    _write_facts(writer, shape)
    for name, values in tensors(shape).items():
        _write_tensor(writer, name, values, shape)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _write_facts(writer: gguf.GGUFWriter, shape: Shape) -> None:
    writer.add_name(f"Tiny {shape.architecture} {shape.seed}")
    writer.add_block_count(shape.layers)
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.hidden)
    writer.add_feed_forward_length(shape.intermediate)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.kv_heads)
    writer.add_key_length(shape.head_dim)
    writer.add_value_length(shape.head_dim)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10_000.0)
    if shape.linear_scaling != 1.0:
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(shape.linear_scaling)
    kinds = [gguf.TokenType.NORMAL] * 257 + [gguf.TokenType.CONTROL] * len((*SPECIALS, *shape.added))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(shape.vocabulary)
    writer.add_token_types(kinds + [gguf.TokenType.UNUSED] * shape.padding)
    writer.add_token_merges(["a b"])
    writer.add_eos_token_id(IM_END)
    if shape.chat_template:
        writer.add_chat_template(shape.chat_template)


def tensors(shape: Shape) -> dict[str, NDArray[np.float32]]:
    """Random weights by GGUF name, [out, in]; attention scores and residuals stay of order one."""
    rng = np.random.default_rng(shape.seed)
    wobble = np.random.default_rng(shape.seed + 1000)

    def matrix(rows: int, columns: int, gain: float = 1.0) -> NDArray[np.float32]:
        values = rng.standard_normal((rows, columns)) * gain / np.sqrt(columns)
        values += shape.noise * wobble.standard_normal(values.shape) * gain / np.sqrt(columns)
        return values.astype(np.float32)

    def vector(size: int, centre: float) -> NDArray[np.float32]:
        return (centre + 0.2 * rng.standard_normal(size)).astype(np.float32)

    q_rows, kv_rows, size = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim, shape.hidden
    root = float(np.sqrt(size))
    found = {"token_embd.weight": matrix(len(shape.vocabulary), size, root if not shape.tied else 2.0)}
    for i in range(shape.layers):
        layer = {
            "attn_norm.weight": vector(size, 1.0),
            "attn_q.weight": matrix(q_rows, size, 1.5),
            "attn_k.weight": matrix(kv_rows, size, 1.5),
            "attn_v.weight": matrix(kv_rows, size),
            "attn_output.weight": matrix(size, q_rows),
            "ffn_norm.weight": vector(size, 1.0),
            "ffn_gate.weight": matrix(shape.intermediate, size),
            "ffn_up.weight": matrix(shape.intermediate, size),
            "ffn_down.weight": matrix(size, shape.intermediate),
        }
        if shape.architecture == "qwen2":
            for part, rows in (("q", q_rows), ("k", kv_rows), ("v", kv_rows)):
                layer[f"attn_{part}.bias"] = vector(rows, 0.0)
        if shape.architecture == "qwen3":
            layer |= {f"attn_{part}_norm.weight": vector(shape.head_dim, 1.0) for part in "qk"}
        found |= {f"blk.{i}.{name}": values for name, values in layer.items()}
    found["output_norm.weight"] = vector(size, 1.0) * np.float32(shape.sharpness)
    if not shape.tied:
        found["output.weight"] = matrix(len(shape.vocabulary), size, 2.0)
    if shape.rope_factors:
        found["rope_freqs.weight"] = (1.0 + np.arange(shape.head_dim // 2)).astype(np.float32)
    return found


def _write_tensor(writer: gguf.GGUFWriter, name: str, values: NDArray[np.float32], shape: Shape) -> None:
    kind = shape.down_kind if "ffn_down" in name and shape.down_kind else shape.kind
    if values.ndim == 1 or kind is Kind.F32:
        writer.add_tensor(name, values)
    elif kind in (Kind.Q4_K, Kind.Q6_K):
        writer.add_tensor(name, _random_blocks(values.shape, kind, shape.seed), raw_dtype=kind)
    else:
        writer.add_tensor(name, gguf.quantize(values, kind), raw_dtype=kind)


def _random_blocks(shape: tuple[int, ...], kind: Kind, seed: int) -> NDArray[np.uint8]:
    """Valid blocks of types that the gguf library only reads: random bits with a small super-block scale."""
    per_block, width = gguf.GGML_QUANT_SIZES[kind]
    rng = np.random.default_rng(seed)
    blocks = rng.integers(0, 256, (shape[0], shape[1] // per_block, width), dtype=np.uint8)
    scale = np.frombuffer(np.float16(2e-5).tobytes() * 2, np.uint8)
    if kind is Kind.Q6_K:
        blocks[..., -2:] = scale[:2]
    else:
        blocks[..., :4] = scale
    return blocks.reshape(shape[0], -1)


class Reference:
    """The forward pass of a GGUF file in float64, all positions at once."""

    def __init__(self, path: Path) -> None:
        reader = gguf.GGUFReader(path)
        self.w = {
            t.name: np.asarray(gguf.dequantize(t.data, t.tensor_type), np.float64) for t in reader.tensors
        }
        fields = {key: field.contents() for key, field in reader.fields.items() if "tokenizer" not in key}
        self.name = fields["general.architecture"]
        self.f = {key.removeprefix(self.name + "."): value for key, value in fields.items()}
        self.dim = self.f["attention.key_length"]

    def forward(self, tokens: list[int]) -> tuple[Array, list[Array]]:
        """Logits [tokens, vocabulary], and the residual stream after every layer."""
        x, streams = self.w["token_embd.weight"][tokens], []
        for i in range(self.f["block_count"]):
            layer = f"blk.{i}."
            x = x + self._attention(layer, self._norm(x, layer + "attn_norm.weight"))
            x = x + self._mlp(layer, self._norm(x, layer + "ffn_norm.weight"))
            streams.append(x)
        head = self.w.get("output.weight", self.w["token_embd.weight"])
        return self._norm(x, "output_norm.weight") @ head.T, streams

    def _norm(self, x: Array, weight: str) -> Array:
        eps = self.f["attention.layer_norm_rms_epsilon"]
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * self.w[weight]

    def _mlp(self, layer: str, x: Array) -> Array:
        gate, up = x @ self.w[layer + "ffn_gate.weight"].T, x @ self.w[layer + "ffn_up.weight"].T
        return gate / (1.0 + np.exp(-gate)) * up @ self.w[layer + "ffn_down.weight"].T

    def _project(self, layer: str, part: str, x: Array) -> Array:
        """[heads, tokens, dim]"""
        name = f"{layer}attn_{part}"
        y = x @ self.w[name + ".weight"].T + self.w.get(name + ".bias", 0.0)
        y = y.reshape(len(x), -1, self.dim)
        if name + "_norm.weight" in self.w:
            y = self._norm(y, name + "_norm.weight")
        return y.swapaxes(0, 1)

    def _attention(self, layer: str, x: Array) -> Array:
        q, k, v = (self._project(layer, part, x) for part in "qkv")
        q, k = self._rotate(q), self._rotate(k)
        k, v = (np.repeat(y, len(q) // len(k), axis=0) for y in (k, v))
        scores = q @ k.swapaxes(1, 2) / np.sqrt(self.dim)
        scores += np.triu(np.full((len(x), len(x)), -np.inf), 1)
        p = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = p / p.sum(-1, keepdims=True) @ v
        return mixed.swapaxes(0, 1).reshape(len(x), -1) @ self.w[layer + "attn_output.weight"].T

    def _rotate(self, y: Array) -> Array:
        """Pairs (2i, 2i+1) for llama files, (i, i + dim/2) for the others."""
        frequency = self.f["rope.freq_base"] ** (-np.arange(0, self.dim, 2) / self.dim)
        frequency = frequency / self.w.get("rope_freqs.weight", 1.0) / self.f.get("rope.scaling.factor", 1.0)
        phase = np.arange(y.shape[1])[:, None] * frequency
        cos, sin, half = np.cos(phase), np.sin(phase), self.dim // 2
        first, second = (
            (y[..., ::2], y[..., 1::2]) if self.name == "llama" else (y[..., :half], y[..., half:])
        )
        turned = (first * cos - second * sin, first * sin + second * cos)
        if self.name == "llama":
            return np.stack(turned, -1).reshape(y.shape)
        return np.concatenate(turned, -1)
