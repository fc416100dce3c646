"""A Hugging Face folder (config.json, safetensors files) read as if it were a GGUF file, by GGUF names.

So that conversion is one piece of code. Values that GGUF files hold in another form are turned into it here: norms of
Qwen3.5 count from zero (weight + 1), its decay is stored as a logarithm.
"""

import json
import re
from pathlib import Path
from typing import Any, Self

import numpy as np

from engine.errors import SlipstreamError
from engine.graphs.compress import Array
from engine.graphs.gguf_model import Architecture, LinearAttention
from engine.graphs.safetensors_file import SafetensorsFile
from engine.models import memory

KINDS = {"qwen2": "qwen2", "qwen3": "qwen3", "qwen3_5_text": "qwen35"}  # model_type: GGUF architecture
_OUTER = {"token_embd.weight": "embed_tokens.weight", "output_norm.weight": "norm.weight"}
_INNER = {
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
    "attn_qkv": "linear_attn.in_proj_qkv",
    "attn_gate": "linear_attn.in_proj_z",
    "ssm_alpha": "linear_attn.in_proj_a",
    "ssm_beta": "linear_attn.in_proj_b",
    "ssm_conv1d": "linear_attn.conv1d",
    "ssm_norm": "linear_attn.norm",
    "ssm_out": "linear_attn.out_proj",
}
_WHOLE = {"ssm_a": "linear_attn.A_log", "ssm_dt.bias": "linear_attn.dt_bias"}
_ELSEWHERE = ("model.visual.", "visual.", "mtp.")  # seeing, and multi-token prediction: not used
_UNCENTRED = "linear_attn.norm.weight"  # the only norm of Qwen3.5 whose weight does not count from zero


class Checkpoint:
    """Reads one tensor at a time. `config` is the text model's own part of config.json."""

    tiled_values = False

    def __init__(self, config: dict[str, Any], files: list[SafetensorsFile]) -> None:
        self._files = {name: file for file in files for name in file.names()}
        inside = any(name.startswith("model.language_model.") for name in self._files)
        self._prefix = "model.language_model." if inside else "model."
        self.architecture = self._describe(config)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Errors: SlipstreamError for a folder that is incomplete or holds another kind of model."""
        try:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            with memory.explaining(folder.name):
                files = [SafetensorsFile(path) for path in _files(folder)]
                return cls(config.get("text_config", config), files)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError) as error:
            raise SlipstreamError(
                f"The checkpoint in {folder.name} is incomplete or wrong about {error}: fetch or import it again."
            ) from error

    @property
    def elements(self) -> int:
        return sum(
            int(np.prod(file.shape(name)))
            for name, file in self._files.items()
            if not name.startswith(_ELSEWHERE)
        )

    @property
    def names(self) -> list[str]:
        """GGUF names of all tensors that are there."""
        parts = [f"{stem}.{ending}" for stem in _INNER for ending in ("weight", "bias")] + [*_WHOLE]
        inner = [f"blk.{index}.{part}" for index in range(self.architecture.layers) for part in parts]
        return [name for name in (*_OUTER, "output.weight", *inner) if self.has(name)]

    def shape(self, name: str) -> tuple[int, ...]:
        """Without dimensions of size one between others, which GGUF files leave out of a convolution."""
        own = self._name(name)
        first, *others = self._files[own].shape(own)
        return (first, *(size for size in others if size != 1))

    def kind(self, name: str) -> str:
        """How the tensor is stored: BF16, F16, F32 or another of the format's types."""
        own = self._name(name)
        return self._files[own].kind(own)

    def has(self, name: str) -> bool:
        return self._name(name) in self._files

    def tensor(self, name: str, every: int = 1) -> Array:
        """Float32 values, [out, in] for matrices, of every n-th row; SlipstreamError when they can't be had."""
        own = self._name(name)
        if own not in self._files:
            raise SlipstreamError(
                f"The checkpoint has no tensor '{own}': it is incomplete or of another kind."
            )
        values = self._files[own].read(own)[::every]
        if own.endswith("A_log"):
            return np.asarray(-np.exp(values), dtype=np.float32)
        if self.architecture.linear and own.endswith("norm.weight") and not own.endswith(_UNCENTRED):
            return np.asarray(values + 1.0, dtype=np.float32)
        return values

    def require_all_read(self) -> None:
        """SlipstreamError for a tensor that has no name here: a model without it would write nonsense."""
        known = {self._name(name) for name in self.names} | {"lm_head.weight"}
        left = sorted(name for name in self._files.keys() - known if not name.startswith(_ELSEWHERE))
        if left:
            raise SlipstreamError(
                f"The checkpoint has a tensor that Slipstream does not know, '{left[0]}': choose another model."
            )

    def head_name(self) -> str:
        """The output matrix; the embedding serves when the checkpoint ties them."""
        return "output.weight" if self.has("output.weight") else "token_embd.weight"

    def _name(self, name: str) -> str:
        if name == "output.weight":
            return "" if self._tied else "lm_head.weight"
        if name in _OUTER:
            return self._prefix + _OUTER[name]
        found = re.fullmatch(r"blk\.(\d+)\.(.+)", name)
        layer, part = (found[1], found[2]) if found else ("", "")
        stem, _, ending = part.rpartition(".")
        own = _WHOLE.get(part) or (f"{_INNER[stem]}.{ending}" if stem in _INNER else "")
        return f"{self._prefix}layers.{layer}.{own}" if own else ""

    def _describe(self, config: dict[str, Any]) -> Architecture:
        kind = str(config["model_type"])
        if kind not in KINDS:
            raise SlipstreamError(
                f"A checkpoint of the kind '{kind}' is not supported; supported are {', '.join(KINDS)}."
            )
        self._tied = bool(config.get("tie_word_embeddings", False))
        rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
        scaling = str(rope.get("rope_type", rope.get("type", "default")))
        if scaling != "default":
            raise SlipstreamError(f"The position scaling '{scaling}' of this model is not supported.")
        heads, hidden = int(config["num_attention_heads"]), int(config["hidden_size"])
        head_dim = int(config.get("head_dim") or hidden // heads)
        rotary_dim = int(head_dim * float(rope.get("partial_rotary_factor", 1.0)))
        hybrid = KINDS[kind] == "qwen35"
        return Architecture(
            name=KINDS[kind],
            layers=int(config["num_hidden_layers"]),
            hidden=hidden,
            intermediate=int(config["intermediate_size"]),
            heads=heads,
            kv_heads=int(config.get("num_key_value_heads", heads)),
            head_dim=head_dim,
            vocab=int(config["vocab_size"]),
            context=int(config["max_position_embeddings"]),
            rms_eps=float(config["rms_norm_eps"]),
            rope_base=float(rope.get("rope_theta") or config["rope_theta"]),
            rotary_dim=0 if rotary_dim == head_dim else rotary_dim,
            output_gate=hybrid and bool(config.get("attn_output_gate", True)),
            linear=_linear_attention(config) if hybrid else None,
        )


def _files(folder: Path) -> list[Path]:
    """All that the index names, or all that there are. Errors: SlipstreamError when one is missing."""
    index = folder / "model.safetensors.index.json"
    if not index.is_file():
        return sorted(folder.glob("*.safetensors"))
    named = sorted(set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()))
    for name in named:
        if not (folder / Path(name).name).is_file():
            raise SlipstreamError(f"{folder.name} has no {name}: download the folder whole.")
    return [folder / Path(name).name for name in named]


def _linear_attention(config: dict[str, Any]) -> LinearAttention:
    return LinearAttention(
        key_heads=int(config["linear_num_key_heads"]),
        value_heads=int(config["linear_num_value_heads"]),
        key_dim=int(config["linear_key_head_dim"]),
        value_dim=int(config["linear_value_head_dim"]),
        kernel=int(config["linear_conv_kernel_dim"]),
    )
