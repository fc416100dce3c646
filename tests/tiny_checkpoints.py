"""Tiny random Hugging Face folders of every kind that is imported directly, for checks against other programs."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from tests.gguf_files import _BYTES
from tests.tiny_hybrid import TEMPLATE
from tests.tiny_hybrid import _tokenizer as byte_tokenizer
from tests.tiny_models import SPECIALS, VOCABULARY

CLASSES = {
    "llama": "LlamaForCausalLM",
    "mistral": "MistralForCausalLM",
    "qwen2": "Qwen2ForCausalLM",
    "qwen3": "Qwen3ForCausalLM",
    "gemma3_text": "Gemma3ForCausalLM",
    "phi3": "Phi3ForCausalLM",
    "smollm3": "SmolLM3ForCausalLM",
}
Tensors = dict[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Folder:
    """What is written; `more` goes into config.json."""

    kind: str
    more: dict[str, Any] = field(default_factory=dict)
    hidden: int = 256
    intermediate: int = 256
    layers: int = 4
    heads: int = 4
    kv_heads: int = 2
    head_dim: int = 64
    tied: bool = False
    seed: int = 1

    @property
    def config(self) -> dict[str, Any]:
        gemma = {
            "sliding_window": 32,
            "query_pre_attn_scalar": self.head_dim,
            "hidden_activation": "gelu_pytorch_tanh",
            "rope_local_base_freq": 10_000.0,
        }
        own = {
            "gemma3_text": gemma,
            "phi3": {"pad_token_id": 0},
            "smollm3": {"pad_token_id": 0},
            "qwen2": {"use_sliding_window": False},
        }
        return {
            "architectures": [CLASSES[self.kind]],
            "model_type": self.kind,
            "hidden_size": self.hidden,
            "intermediate_size": self.intermediate,
            "num_hidden_layers": self.layers,
            "num_attention_heads": self.heads,
            "num_key_value_heads": self.kv_heads,
            "head_dim": self.head_dim,
            "vocab_size": len(VOCABULARY),
            "max_position_embeddings": 512,
            "rms_norm_eps": 1e-5,
            "rope_theta": 10_000.0,
            "tie_word_embeddings": self.tied,
            "hidden_act": "silu",
            **own.get(self.kind, {}),
            **self.more,
        }


def tensors(shape: Folder) -> Tensors:
    rng = np.random.default_rng(shape.seed)

    def matrix(rows: int, columns: int, gain: float = 1.0) -> NDArray[np.float32]:
        return (rng.standard_normal((rows, columns)) * gain / np.sqrt(columns)).astype(np.float32)

    def vector(size: int, centre: float) -> NDArray[np.float32]:
        return (centre + 0.2 * rng.standard_normal(size)).astype(np.float32)

    size, q_rows, kv_rows = shape.hidden, shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
    centre = 0.0 if shape.kind == "gemma3_text" else 1.0
    gain = 1.0 if shape.kind == "gemma3_text" else float(np.sqrt(size))
    found: Tensors = {"model.embed_tokens.weight": matrix(len(VOCABULARY), size, 2.0 if shape.tied else gain)}
    for i in range(shape.layers):
        q, k, v = matrix(q_rows, size, 1.5), matrix(kv_rows, size, 1.5), matrix(kv_rows, size)
        gate, up = matrix(shape.intermediate, size), matrix(shape.intermediate, size)
        layer: Tensors = {
            "self_attn.o_proj.weight": matrix(size, q_rows),
            "mlp.down_proj.weight": matrix(size, shape.intermediate),
            "input_layernorm.weight": vector(size, centre),
            "post_attention_layernorm.weight": vector(size, centre),
        }
        if shape.kind == "phi3":
            layer["self_attn.qkv_proj.weight"] = np.concatenate([q, k, v])
            layer["mlp.gate_up_proj.weight"] = np.concatenate([gate, up])
        else:
            parts = {"self_attn.q": q, "self_attn.k": k, "self_attn.v": v, "mlp.gate": gate, "mlp.up": up}
            layer |= {f"{name}_proj.weight": values for name, values in parts.items()}
        if shape.kind == "qwen2":
            rows = {"q": q_rows, "k": kv_rows, "v": kv_rows}
            layer |= {f"self_attn.{part}_proj.bias": vector(count, 0.0) for part, count in rows.items()}
        if shape.kind in ("qwen3", "gemma3_text"):
            layer |= {f"self_attn.{part}_norm.weight": vector(shape.head_dim, centre) for part in "qk"}
        if shape.kind == "gemma3_text":
            names = ("pre_feedforward_layernorm", "post_feedforward_layernorm")
            layer |= {f"{name}.weight": vector(size, centre) for name in names}
        found |= {f"model.layers.{i}.{name}": values for name, values in layer.items()}
    found["model.norm.weight"] = vector(size, centre)
    if not shape.tied:
        found["lm_head.weight"] = matrix(len(VOCABULARY), size, 2.0)
    return found


def write(folder: Path, shape: Folder, spm: bool = False) -> Path:
    """config.json, one safetensors file, and a tokenizer: byte-level, or with SentencePiece's manners."""
    folder.mkdir(parents=True, exist_ok=True)
    save_file(tensors(shape), folder / "model.safetensors", metadata={"format": "pt"})
    small: dict[str, object] = {
        "config.json": shape.config,
        "tokenizer.json": spm_tokenizer() if spm else byte_tokenizer(),
        "tokenizer_config.json": {"eos_token": SPECIALS[1], "chat_template": TEMPLATE},
    }
    for name, content in small.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder


def spm_tokenizer() -> dict[str, object]:
    """As many pieces as VOCABULARY has: 256 bytes in place of the letters of byte-level vocabularies."""
    pieces = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(len(_BYTES) - 6)), "▁", "a", "b", "ab", "▁ab"]
    pieces = [*pieces, *(f"piece{i}" for i in range(len(VOCABULARY) - len(pieces) - len(SPECIALS)))]
    shared = {"special": True, "normalized": False} | dict.fromkeys(
        ("single_word", "lstrip", "rstrip"), False
    )
    replace = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    return {
        "version": "1.0",
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"}, replace]},
        "pre_tokenizer": None,
        "decoder": None,
        "model": {
            "type": "BPE",
            "byte_fallback": True,
            "fuse_unk": True,
            "unk_token": "<unk>",
            "vocab": {token: index for index, token in enumerate(pieces)},
            "merges": [["a", "b"], ["▁", "ab"]],
        },
        "added_tokens": [
            {"id": len(pieces) + index, "content": token} | shared for index, token in enumerate(SPECIALS)
        ],
    }
