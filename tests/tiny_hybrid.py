"""Tiny random Qwen3.5-like models, as a Hugging Face folder and as a GGUF file, and a plain forward pass of them.

The forward pass is written from the papers (Gated Delta Networks 2412.06464, Gated Attention 2505.06708, RoFormer
2104.09864) in float64, token by token; it reads the checkpoint's own tensors and shares no code with the engine.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from tests.tiny_models import IM_END, SPECIALS, VOCABULARY

TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
Array = NDArray[np.float64]
Tensors = dict[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class HybridShape:
    """Three gated delta nets, then one attention layer, over and over."""

    hidden: int = 64
    intermediate: int = 96
    layers: int = 4
    heads: int = 2
    kv_heads: int = 1
    head_dim: int = 32
    rotary_dim: int = 8
    key_heads: int = 2
    value_heads: int = 4
    key_dim: int = 16
    value_dim: int = 16
    kernel: int = 4
    context: int = 2048
    seed: int = 1
    sharpness: float = 1.0
    tied: bool = False
    noise: float = 0.0  # added to every matrix: a drafter that agrees with its target now and then
    endless: bool = False  # never ends an answer by itself

    @property
    def kinds(self) -> list[str]:
        return ["full_attention" if (i + 1) % 4 == 0 else "linear_attention" for i in range(self.layers)]

    @property
    def channels(self) -> int:
        return 2 * self.key_heads * self.key_dim + self.value_heads * self.value_dim


def config(shape: HybridShape) -> dict[str, object]:
    """As in the checkpoints: the text model's part below the one that can see."""
    text = {
        "model_type": "qwen3_5_text",
        "hidden_size": shape.hidden,
        "intermediate_size": shape.intermediate,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads,
        "head_dim": shape.head_dim,
        "vocab_size": len(VOCABULARY),
        "max_position_embeddings": shape.context,
        "rms_norm_eps": 1e-6,
        "layer_types": shape.kinds,
        "full_attention_interval": 4,
        "attn_output_gate": True,
        "tie_word_embeddings": shape.tied,
        "linear_num_key_heads": shape.key_heads,
        "linear_num_value_heads": shape.value_heads,
        "linear_key_head_dim": shape.key_dim,
        "linear_value_head_dim": shape.value_dim,
        "linear_conv_kernel_dim": shape.kernel,
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": 10000.0,
            "partial_rotary_factor": shape.rotary_dim / shape.head_dim,
            "mrope_section": [2, 1, 1],
            "mrope_interleaved": True,
        },
    }
    return {
        "architectures": ["Qwen3_5ForConditionalGeneration"],
        "model_type": "qwen3_5",
        "text_config": text,
        "vision_config": {"depth": 1},
    }


def tensors(shape: HybridShape) -> Tensors:
    """By the checkpoint's names, without their common prefix."""
    rng, wobble = np.random.default_rng(shape.seed), np.random.default_rng(shape.seed + 1000)

    def matrix(rows: int, columns: int, gain: float = 1.0) -> NDArray[np.float32]:
        values = rng.standard_normal((rows, columns)) + shape.noise * wobble.standard_normal((rows, columns))
        return (values * gain / np.sqrt(columns)).astype(np.float32)

    def vector(size: int, centre: float = 0.0) -> NDArray[np.float32]:
        return (centre + 0.2 * rng.standard_normal(size)).astype(np.float32)

    size, values = shape.hidden, shape.value_heads * shape.value_dim
    found = {"embed_tokens.weight": matrix(len(VOCABULARY), size, float(np.sqrt(size)))}
    for index, kind in enumerate(shape.kinds):
        layer: Tensors = {
            "input_layernorm.weight": vector(size),
            "post_attention_layernorm.weight": vector(size),
            "mlp.gate_proj.weight": matrix(shape.intermediate, size),
            "mlp.up_proj.weight": matrix(shape.intermediate, size),
            "mlp.down_proj.weight": matrix(size, shape.intermediate),
        }
        if kind == "full_attention":
            wide = shape.heads * shape.head_dim
            layer |= {
                "self_attn.q_proj.weight": matrix(2 * wide, size, 1.5),
                "self_attn.k_proj.weight": matrix(shape.kv_heads * shape.head_dim, size, 1.5),
                "self_attn.v_proj.weight": matrix(shape.kv_heads * shape.head_dim, size),
                "self_attn.o_proj.weight": matrix(size, wide),
                "self_attn.q_norm.weight": vector(shape.head_dim),
                "self_attn.k_norm.weight": vector(shape.head_dim),
            }
        else:
            layer |= {
                "linear_attn.in_proj_qkv.weight": matrix(shape.channels, size, 1.5),
                "linear_attn.in_proj_z.weight": matrix(values, size),
                "linear_attn.in_proj_b.weight": matrix(shape.value_heads, size),
                "linear_attn.in_proj_a.weight": matrix(shape.value_heads, size),
                "linear_attn.conv1d.weight": rng.standard_normal((shape.channels, 1, shape.kernel)).astype(
                    np.float32
                ),
                "linear_attn.dt_bias": vector(shape.value_heads, -2.0),
                "linear_attn.A_log": vector(shape.value_heads, 0.0),
                "linear_attn.norm.weight": vector(shape.value_dim, 1.0),
                "linear_attn.out_proj.weight": matrix(size, values, 2.0),
            }
        found |= {f"layers.{index}.{name}": value for name, value in layer.items()}
    found["norm.weight"] = vector(size) + np.float32(shape.sharpness - 1.0)
    if not shape.tied:
        found["lm_head.weight"] = matrix(len(VOCABULARY), size, 2.0)
        found["lm_head.weight"][IM_END] *= not shape.endless
    return found


def write_checkpoint(folder: Path, shape: HybridShape = HybridShape()) -> Path:
    """config.json and two safetensors files, with tensors of a vision tower and of multi-token prediction beside."""
    folder.mkdir(parents=True, exist_ok=True)
    named = {
        name if name == "lm_head.weight" else f"model.language_model.{name}": value
        for name, value in tensors(shape).items()
    }
    others = {
        name: np.zeros((4, 4), dtype=np.float32)
        for name in ("model.visual.blocks.0.attn.qkv.weight", "mtp.fc.weight")
    }
    names = sorted(named)
    save_file({name: named[name] for name in names[::2]}, folder / "model-00001-of-00002.safetensors")
    save_file(
        {name: named[name] for name in names[1::2]} | others, folder / "model-00002-of-00002.safetensors"
    )
    index = {name: f"model-0000{1 + at % 2}-of-00002.safetensors" for at, name in enumerate(names)}
    small: dict[str, object] = {
        "config.json": config(shape),
        "model.safetensors.index.json": {"weight_map": index},
        "tokenizer.json": _tokenizer(),
        "tokenizer_config.json": {"eos_token": SPECIALS[1]},
        "generation_config.json": {"eos_token_id": [IM_END, IM_END - 1]},
    }
    for name, content in small.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    (folder / "chat_template.jinja").write_text(TEMPLATE, encoding="utf-8")
    (folder / "README.md").write_text("---\nlicense: apache-2.0\n---\nTiny.\n", encoding="utf-8")
    return folder


def _tokenizer() -> dict[str, object]:
    """As Qwen3.5's: its pattern, canonical composition, byte-level letters."""
    plain = [token for token in VOCABULARY if token not in SPECIALS]
    words = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}"
    pattern = words + r"| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    letters = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    cut = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "normalizer": {"type": "NFC"},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [cut, letters]},
        "post_processor": None,
        "decoder": letters | {"use_regex": True},
        "model": {
            "type": "BPE",
            "vocab": {token: index for index, token in enumerate(plain)},
            "merges": [["a", "b"]],
        },
        "added_tokens": [
            {
                "id": VOCABULARY.index(token),
                "content": token,
                "special": True,
                "normalized": False,
                **dict.fromkeys(("single_word", "lstrip", "rstrip"), False),
            }
            for token in SPECIALS
        ],
    }


_GGUF_NAMES = {
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "post_attention_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "linear_attn.in_proj_qkv": "attn_qkv",
    "linear_attn.in_proj_z": "attn_gate",
    "linear_attn.in_proj_b": "ssm_beta",
    "linear_attn.in_proj_a": "ssm_alpha",
    "linear_attn.conv1d": "ssm_conv1d",
    "linear_attn.norm": "ssm_norm",
    "linear_attn.out_proj": "ssm_out",
}


def write_gguf(path: Path, shape: HybridShape = HybridShape()) -> Path:
    """What llama.cpp's converter makes of it: value heads tiled over key heads, norms from one, decay as a rate."""
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = gguf.GGUFWriter(path, "qwen35")
    _write_facts(writer, shape)
    for name, values in tensors(shape).items():
        writer.add_tensor(*_as_gguf(name, values, shape))
    writer.add_tensor(f"blk.{shape.layers}.nextn.eh_proj.weight", np.zeros((4, 8), dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _write_facts(writer: gguf.GGUFWriter, shape: HybridShape) -> None:
    writer.add_name(f"Tiny hybrid {shape.seed}")
    writer.add_block_count(shape.layers + 1)
    writer.add_uint32("qwen35.nextn_predict_layers", 1)
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.hidden)
    writer.add_feed_forward_length(shape.intermediate)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.kv_heads)
    writer.add_key_length(shape.head_dim)
    writer.add_value_length(shape.head_dim)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_freq_base(10_000.0)
    writer.add_rope_dimension_count(shape.rotary_dim)
    writer.add_rope_dimension_sections([2, 1, 1, 0])
    writer.add_ssm_conv_kernel(shape.kernel)
    writer.add_ssm_state_size(shape.key_dim)
    writer.add_ssm_group_count(shape.key_heads)
    writer.add_ssm_time_step_rank(shape.value_heads)
    writer.add_ssm_inner_size(shape.value_heads * shape.value_dim)
    writer.add_full_attention_interval(4)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen35")
    writer.add_token_list(list(VOCABULARY))
    writer.add_token_types([gguf.TokenType.NORMAL] * 257 + [gguf.TokenType.CONTROL] * len(SPECIALS))
    writer.add_token_merges(["a b"])
    writer.add_eos_token_id(IM_END)


def _as_gguf(name: str, values: NDArray[np.float32], shape: HybridShape) -> tuple[str, NDArray[np.float32]]:
    outer = {
        "embed_tokens.weight": "token_embd.weight",
        "norm.weight": "output_norm.weight",
        "lm_head.weight": "output.weight",
    }
    if name.endswith("norm.weight") and "linear_attn" not in name:
        values = values + np.float32(1.0)
    if name in outer:
        return outer[name], values
    _, index, part = name.split(".", 2)
    if part == "linear_attn.A_log":
        return f"blk.{index}.ssm_a", _tiled(-np.exp(values), shape, 1)
    if part == "linear_attn.dt_bias":
        return f"blk.{index}.ssm_dt.bias", _tiled(values, shape, 1)
    stem = part.removesuffix(".weight")
    if stem in ("linear_attn.in_proj_b", "linear_attn.in_proj_a"):
        values = _tiled(values, shape, 1)
    elif stem == "linear_attn.in_proj_z":
        values = _tiled(values, shape, shape.value_dim)
    elif stem in ("linear_attn.in_proj_qkv", "linear_attn.conv1d"):
        keys = 2 * shape.key_heads * shape.key_dim
        values = values.squeeze() if values.ndim == 3 else values
        values = np.concatenate([values[:keys], _tiled(values[keys:], shape, shape.value_dim)])
    elif stem == "linear_attn.out_proj":
        values = np.ascontiguousarray(_tiled(values.T, shape, shape.value_dim).T)
    return f"blk.{index}.{_GGUF_NAMES[stem]}.weight", values


def _tiled(values: NDArray[np.float32], shape: HybridShape, size: int) -> NDArray[np.float32]:
    """Value heads grouped by key head, one group after the other, become one of each group, over and over."""
    grouped = values.reshape(shape.key_heads, shape.value_heads // shape.key_heads, size, -1)
    return np.ascontiguousarray(grouped.swapaxes(0, 1)).reshape(values.shape)


class Reference:
    """The forward pass of a checkpoint in float64, from the first token."""

    def __init__(self, shape: HybridShape) -> None:
        self.shape = shape
        self.w = {name: value.astype(np.float64) for name, value in tensors(shape).items()}

    def forward(self, tokens: list[int]) -> tuple[Array, list[Array]]:
        """Logits [tokens, vocabulary], and the residual stream after every layer."""
        x, streams = self.w["embed_tokens.weight"][tokens], []
        for index, kind in enumerate(self.shape.kinds):
            layer = f"layers.{index}."
            mixer = self._attention if kind == "full_attention" else self._delta_net
            x = x + mixer(layer, self._norm(x, layer + "input_layernorm.weight"))
            x = x + self._mlp(layer, self._norm(x, layer + "post_attention_layernorm.weight"))
            streams.append(x)
        head = self.w.get("lm_head.weight", self.w["embed_tokens.weight"])
        return self._norm(x, "norm.weight") @ head.T, streams

    def _norm(self, x: Array, weight: str) -> Array:
        return _unit(x) * (1.0 + self.w[weight])

    def _mlp(self, layer: str, x: Array) -> Array:
        gate, up = (x @ self.w[f"{layer}mlp.{part}_proj.weight"].T for part in ("gate", "up"))
        return _swish(gate) * up @ self.w[layer + "mlp.down_proj.weight"].T

    def _attention(self, layer: str, x: Array) -> Array:
        s, name = self.shape, layer + "self_attn."
        both = (x @ self.w[name + "q_proj.weight"].T).reshape(len(x), s.heads, 2 * s.head_dim)
        query, gate = both[..., : s.head_dim], both[..., s.head_dim :]
        key = (x @ self.w[name + "k_proj.weight"].T).reshape(len(x), s.kv_heads, s.head_dim)
        value = (x @ self.w[name + "v_proj.weight"].T).reshape(len(x), s.kv_heads, s.head_dim)
        query = self._rotate(self._norm(query, name + "q_norm.weight"))
        key = self._rotate(self._norm(key, name + "k_norm.weight"))
        key, value = (np.repeat(part, s.heads // s.kv_heads, axis=1) for part in (key, value))
        scores = np.einsum("qhd,khd->hqk", query, key) / np.sqrt(s.head_dim)
        scores += np.triu(np.full((len(x), len(x)), -np.inf), 1)
        p = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = np.einsum("hqk,khd->qhd", p / p.sum(-1, keepdims=True), value)
        return (mixed * _sigmoid(gate)).reshape(len(x), -1) @ self.w[name + "o_proj.weight"].T

    def _rotate(self, y: Array) -> Array:
        """The first rotary_dim elements of [tokens, heads, dim], in pairs (i, i + rotary_dim / 2)."""
        width = self.shape.rotary_dim
        half = width // 2
        phase = np.arange(len(y))[:, None, None] * 10_000.0 ** (-np.arange(0, width, 2) / width)
        first, second, rest = y[..., :half], y[..., half:width], y[..., width:]
        cos, sin = np.cos(phase), np.sin(phase)
        return np.concatenate([first * cos - second * sin, first * sin + second * cos, rest], -1)

    def _delta_net(self, layer: str, x: Array) -> Array:
        s, name = self.shape, layer + "linear_attn."
        window = np.concatenate(
            [np.zeros((s.kernel - 1, s.channels)), x @ self.w[name + "in_proj_qkv.weight"].T]
        )
        kernel = self.w[name + "conv1d.weight"][:, 0].T
        mixed = np.stack([_swish((window[t : t + s.kernel] * kernel).sum(0)) for t in range(len(x))])
        keys = s.key_heads * s.key_dim
        query, key, value = np.split(mixed, [keys, 2 * keys], axis=1)
        repeated = s.value_heads // s.key_heads
        query, key = (
            np.repeat(part.reshape(len(x), s.key_heads, s.key_dim), repeated, axis=1) for part in (query, key)
        )
        query, key = _unit_length(query) / np.sqrt(s.key_dim), _unit_length(key)
        value = value.reshape(len(x), s.value_heads, s.value_dim)
        beta = _sigmoid(x @ self.w[name + "in_proj_b.weight"].T)
        step = np.logaddexp(0.0, x @ self.w[name + "in_proj_a.weight"].T + self.w[name + "dt_bias"])
        kept = np.exp(-np.exp(self.w[name + "A_log"]) * step)
        attended = _delta_rule(query, key, value, kept, beta)
        gate = (x @ self.w[name + "in_proj_z.weight"].T).reshape(attended.shape)
        gated = _unit(attended) * self.w[name + "norm.weight"] * _swish(gate)
        return gated.reshape(len(x), -1) @ self.w[name + "out_proj.weight"].T


def _delta_rule(query: Array, key: Array, value: Array, kept: Array, beta: Array) -> Array:
    """S <- S kept (I - beta k k') + beta v k', read out by q; [tokens, heads, dim] and [tokens, heads]."""
    state = np.zeros((value.shape[1], value.shape[2], key.shape[2]))
    rows = []
    for q, k, v, g, b in zip(query, key, value, kept, beta, strict=True):
        state = state * g[:, None, None]
        recalled = np.einsum("hvk,hk->hv", state, k)
        state = state + np.einsum("hv,hk->hvk", b[:, None] * (v - recalled), k)
        rows.append(np.einsum("hvk,hk->hv", state, q))
    return np.stack(rows)


def _unit(x: Array) -> Array:
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6)


def _unit_length(x: Array) -> Array:
    return x / np.sqrt((x * x).sum(-1, keepdims=True) + 1e-6)


def _sigmoid(x: Array) -> Array:
    return 1.0 / (1.0 + np.exp(-x))


def _swish(x: Array) -> Array:
    return x * _sigmoid(x)
