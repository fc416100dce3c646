"""A Hugging Face config.json as an Architecture, with what it says of rotary positions.

`model_type` names the class of transformers whose computation the graph must repeat; what a class can do and the graph
can't is refused by name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import SlipstreamError
from engine.graphs.architecture import MOST_LAYERS, Architecture, LinearAttention, require_sense
from engine.graphs.rope_scaling import Factors, Llama3, Yarn, longrope_magnitude

KINDS = {  # model_type: GGUF architecture
    "llama": "llama",
    "mistral": "llama",
    "qwen2": "qwen2",
    "qwen3": "qwen3",
    "qwen3_5_text": "qwen35",
    "gemma3_text": "gemma3",
    "phi3": "phi3",
    "smollm3": "smollm3",
}
_GEMMA_PATTERN, _SMOLLM3_PATTERN = 6, 4  # what GGUF files of these architectures have, too
_STORED = ("factor", "beta_fast", "beta_slow", "attention_factor")  # of a position scaling
_LARGEST_NUMBER = 1e30
_SCALINGS = ("default", "linear", "llama3", "yarn", "longrope")
_ACTIVATIONS = {"gemma3": ("gelu_pytorch_tanh",)}


@dataclass(frozen=True, slots=True)
class Rope:
    """Rotary positions: `told` is the part of config.json about their scaling, `context` what it leads to."""

    kind: str
    told: Mapping[str, Any]
    base: float
    original: int
    context: int
    magnitude: float

    @property
    def yarn(self) -> Yarn | None:
        if self.kind != "yarn":
            return None
        fast, slow = (float(self.told.get(f"beta_{end}") or d) for end, d in (("fast", 32), ("slow", 1)))
        return Yarn(float(self.told["factor"]), self.original, fast, slow)

    @property
    def scale(self) -> float:
        return float(self.told["factor"]) if self.kind == "linear" else 1.0

    def divisors(self, dim: int) -> dict[str, Factors]:
        """What the frequencies are divided by, [dim / 2], by the names that GGUF files give to such tensors."""
        if self.kind == "llama3":
            factor, low, high = (float(self.told[f"{key}factor"]) for key in ("", "low_freq_", "high_freq_"))
            return {"rope_freqs.weight": Llama3(factor, low, high, self.original).divisors(dim, self.base)}
        if self.kind == "longrope":
            return {
                f"rope_factors_{end}.weight": self._listed(f"{end}_factor", dim) for end in ("long", "short")
            }
        return {}

    def _listed(self, key: str, dim: int) -> Factors:
        factors = np.array(self.told[key], dtype=np.float32)
        if factors.shape != (dim // 2,):
            raise ValueError(f"'{key}'")
        return factors


def rope(config: Mapping[str, Any]) -> Rope:
    """Errors: SlipstreamError for a scaling that the graph does not compute; KeyError, ValueError for a torn config."""
    told = dict(config.get("rope_parameters") or config.get("rope_scaling") or {})
    told = told.get("full_attention", told)
    kind = str(told.get("rope_type", told.get("type", "default")))
    kind = {"su": "longrope"}.get(kind, kind)
    if kind not in _SCALINGS or told.get("truncate") is False:
        raise SlipstreamError(f"The position scaling '{kind[:50]}' of this model is not supported.")
    most = int(config["max_position_embeddings"])
    named = told.get("original_max_position_embeddings") or config.get("original_max_position_embeddings")
    original = int(named or most)
    base = float(told.get("rope_theta") or config["rope_theta"])
    _require_numbers(told, original)
    found = Rope(kind, told, base, original, _context(kind, told, most, original), 1.0)
    return Rope(kind, told, base, original, found.context, _magnitude(found, most))


def _require_numbers(told: Mapping[str, Any], original: int) -> None:
    """That what a GGUF file holds as 32 bits fits into them."""
    numbers = [float(told[key]) for key in _STORED if told.get(key) is not None]
    if not 0 < original < 1 << 31 or not all(0 < number < _LARGEST_NUMBER for number in numbers):
        raise ValueError("its position scaling")


def _context(kind: str, told: Mapping[str, Any], most: int, original: int) -> int:
    if kind == "yarn":
        return max(most, int(original * float(told["factor"])))
    return min(most, original) if kind == "longrope" else most


def _magnitude(found: Rope, most: int) -> float:
    if (own := found.told.get("attention_factor")) is not None and found.kind in ("yarn", "longrope"):
        return float(own)
    if found.yarn:
        if found.told.get("mscale") or found.told.get("mscale_all_dim"):
            raise SlipstreamError("The position scaling 'yarn' with mscale of this model is not supported.")
        return found.yarn.magnitude
    return longrope_magnitude(most, found.original) if found.kind == "longrope" else 1.0


def describe(config: Mapping[str, Any]) -> Architecture:
    """Errors: SlipstreamError for what the graph does not compute; KeyError, ValueError for a torn config."""
    kind = str(config["model_type"])
    if kind not in KINDS:
        raise SlipstreamError(
            f"A checkpoint of the kind '{kind[:50]}' is not supported; supported are {', '.join(KINDS)}."
        )
    name, turned = KINDS[kind], rope(config)
    _require_activation(config, name)
    heads, hidden = int(config["num_attention_heads"]), int(config["hidden_size"])
    head_dim = int(config.get("head_dim") or hidden // heads)
    partial = turned.told.get("partial_rotary_factor") or config.get("partial_rotary_factor") or 1.0
    rotary_dim = int(head_dim * float(partial))
    hybrid = name == "qwen35"
    arch = Architecture(
        name=name,
        layers=int(config["num_hidden_layers"]),
        hidden=hidden,
        intermediate=int(config["intermediate_size"]),
        heads=heads,
        kv_heads=int(config.get("num_key_value_heads") or heads),
        head_dim=head_dim,
        vocab=int(config["vocab_size"]),
        rms_eps=float(config["rms_norm_eps"]),
        rope_base=turned.base,
        rope_scale=turned.scale,
        rope_magnitude=turned.magnitude,
        rotary_dim=0 if rotary_dim == head_dim else rotary_dim,
        output_gate=hybrid and bool(config.get("attn_output_gate", True)),
        linear=_linear_attention(config) if hybrid else None,
        **{"context": turned.context} | _family(config, name, turned.context),
    )
    require_sense(arch)
    return arch


def _require_activation(config: Mapping[str, Any], name: str) -> None:
    known = _ACTIVATIONS.get(name, ("silu",))
    found = config.get("hidden_activation") or config.get("hidden_act") or known[0]
    if found not in known:
        raise SlipstreamError(f"The activation '{str(found)[:50]}' of this model is not supported.")


def _family(config: Mapping[str, Any], name: str, context: int) -> dict[str, Any]:
    """What only some kinds have. A window that the kind's GGUF files can't name ends the context instead."""
    if name == "gemma3":
        return _gemma(config)
    if name == "smollm3":
        _require_pattern(config, "no_rope_layers", _SMOLLM3_PATTERN, (1, 0))
        return {"no_rope_every": _SMOLLM3_PATTERN}
    window = int(config.get("sliding_window") or 0)
    if name == "phi3":
        return {"window": window}
    used = config.get("use_sliding_window", config["model_type"] == "mistral")
    return {"context": min(context, window)} if window and used else {}


def _gemma(config: Mapping[str, Any]) -> dict[str, Any]:
    _require_pattern(config, "layer_types", _GEMMA_PATTERN, ("sliding_attention", "full_attention"))
    if config.get("sliding_window_pattern", _GEMMA_PATTERN) != _GEMMA_PATTERN:
        raise SlipstreamError("The pattern of windows in this model is not supported.")
    if config.get("final_logit_softcapping") or config.get("attn_logit_softcapping"):
        raise SlipstreamError("This model caps its logits, which is not supported: choose another one.")
    near = (config.get("rope_parameters") or {}).get("sliding_attention") or {}
    return {
        "window": int(config["sliding_window"]),
        "full_every": _GEMMA_PATTERN,
        "local_rope_base": float(near.get("rope_theta") or config.get("rope_local_base_freq") or 10_000.0),
        "attention_scale": float(config["query_pre_attn_scalar"]) ** -0.5,
        "embedding_scale": float(np.sqrt(np.float32(config["hidden_size"]))),
        "activation": "gelu",
    }


def _require_pattern(config: Mapping[str, Any], key: str, every: int, kinds: tuple[Any, Any]) -> None:
    """That each `every`-th layer is of the second kind and all others of the first, where the config lists them."""
    listed = config.get(key)
    layers = range(min(MOST_LAYERS, int(config["num_hidden_layers"])))
    if listed and list(listed) != [kinds[(i + 1) % every == 0] for i in layers]:
        raise SlipstreamError(f"The pattern of '{key}' in this model is not supported.")


def _linear_attention(config: Mapping[str, Any]) -> LinearAttention:
    return LinearAttention(
        key_heads=int(config["linear_num_key_heads"]),
        value_heads=int(config["linear_num_value_heads"]),
        key_dim=int(config["linear_key_head_dim"]),
        value_dim=int(config["linear_value_head_dim"]),
        kernel=int(config["linear_conv_kernel_dim"]),
    )
