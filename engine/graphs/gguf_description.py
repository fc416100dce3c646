"""What a GGUF file says of its model, as an Architecture. Keys: GGUF specification, ggml-org/ggml docs/gguf.md."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import SlipstreamError
from engine.graphs.architecture import Architecture, LinearAttention, require_sense
from engine.graphs.packed import SCALE
from engine.graphs.rope_scaling import Factors, Yarn
from engine.models.gguf_header import ARCHITECTURES, FOREIGN, Header

_SCALINGS = ("none", "linear", "yarn", "longrope")
_GEMMA_PATTERN, _GEMMA_LOCAL_BASE, _GEMMA_27B_LAYERS = 6, 10_000.0, 62
_SMOLLM3_PATTERN = 4  # llama.cpp has it as a constant, too
_MOST = 1 << 20  # of any size here


@dataclass(frozen=True, slots=True)
class Facts:
    """The keys of one architecture."""

    header: Header
    name: str

    def read(self, key: str, default: Any = None) -> Any:
        value = self.header.facts.get(f"{self.name}.{key}")
        if value is None:
            if default is None:
                raise SlipstreamError(f"The GGUF file does not say '{self.name}.{key}': it can't be loaded.")
            return default
        return value

    def size(self, key: str, default: int | None = None) -> int:
        """A count of something that there is at least one of; the largest, where it differs by layer."""
        value = self.read(key, default)
        if isinstance(value, list):
            if len(set(value)) != 1:
                raise SlipstreamError(f"The '{key}' of this model differs by layer, which is not supported.")
            value = value[0]
        if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= _MOST * 16:
            raise SlipstreamError(f"The GGUF file says that '{self.name}.{key}' is {value!r:.40}.")
        return value

    def number(self, key: str, default: float | None = None) -> float:
        value = float(self.read(key, default))
        if not np.isfinite(value):
            raise SlipstreamError(f"The GGUF file says that '{self.name}.{key}' is {value}.")
        return value


def describe(header: Header) -> Architecture:
    """Errors: SlipstreamError for an unknown architecture, a missing key or a value that can't be."""
    name = header.architecture
    if name == FOREIGN:
        raise SlipstreamError("The graph of this model is OpenVINO's, and nothing can look inside it.")
    if name not in ARCHITECTURES:
        known = ", ".join(ARCHITECTURES)
        raise SlipstreamError(f"The architecture '{name[:50]}' is not supported; supported are {known}.")
    facts = Facts(header, name)
    heads, hidden = facts.size("attention.head_count"), facts.size("embedding_length")
    head_dim = facts.size("attention.key_length", max(1, hidden // heads))
    if facts.size("attention.value_length", head_dim) != head_dim:
        raise SlipstreamError("Keys and values of this model differ in size, which is not supported.")
    rotary_dim = facts.size("rope.dimension_count", head_dim)
    hybrid = name == "qwen35"
    if rotary_dim != head_dim and name not in ("qwen35", "phi3"):
        raise SlipstreamError("This model gives positions to a part of each head, which is not supported.")
    embedding = header.tensors.get("token_embd.weight") or header.tensors.get(f"token_embd.weight.{SCALE}")
    arch = Architecture(
        name=name,
        layers=facts.size("block_count") - int(facts.read("nextn_predict_layers", 0)),
        hidden=hidden,
        intermediate=facts.size("feed_forward_length"),
        heads=heads,
        kv_heads=facts.size("attention.head_count_kv", heads),
        head_dim=head_dim,
        vocab=embedding.shape[0] if embedding else 0,
        context=_context(facts),
        rms_eps=facts.number("attention.layer_norm_rms_epsilon"),
        rope_base=facts.number("rope.freq_base", 10000.0),
        rope_scale=facts.number("rope.scaling.factor", 1.0) if _scaling(facts) == "linear" else 1.0,
        rotary_dim=0 if rotary_dim == head_dim else rotary_dim,
        rope_magnitude=_magnitude(facts),
        output_gate=hybrid,
        linear=_linear_attention(facts) if hybrid else None,
        **_family(facts, head_dim, hidden, heads),
    )
    require_sense(arch)
    return arch


def rope_factors(header: Header, arch: Architecture) -> Factors | None:
    """What the file's metadata (not its tensors) divide the rotary frequencies by, [rotary dim / 2]."""
    facts = Facts(header, arch.name)
    if _scaling(facts) != "yarn":
        return None
    return _yarn(facts).divisors(arch.rotary_dim or arch.head_dim, arch.rope_base)


def _scaling(facts: Facts) -> str:
    scaling = str(facts.read("rope.scaling.type", "none"))
    if scaling == "none" and "rope_factors_short.weight" in facts.header.tensors:
        scaling = "longrope"
    if scaling not in _SCALINGS:
        raise SlipstreamError(f"The position scaling '{scaling[:50]}' of this model is not supported.")
    return scaling


def _yarn(facts: Facts) -> Yarn:
    return Yarn(
        facts.number("rope.scaling.factor"),
        facts.size("rope.scaling.original_context_length", facts.size("context_length")),
        facts.number("rope.scaling.yarn_beta_fast", 32.0),
        facts.number("rope.scaling.yarn_beta_slow", 1.0),
    )


def _magnitude(facts: Facts) -> float:
    own = facts.number("rope.scaling.attn_factor", 1.0)
    return own * (_yarn(facts).magnitude if _scaling(facts) == "yarn" else 1.0)


def _context(facts: Facts) -> int:
    """LongRoPE has one set of frequencies for short contexts and another beyond; the first is the one taken."""
    context = facts.size("context_length")
    original = facts.size("rope.scaling.original_context_length", context)
    return min(context, original) if _scaling(facts) == "longrope" else context


def _family(facts: Facts, head_dim: int, hidden: int, heads: int) -> dict[str, Any]:
    """What only some architectures have."""
    if facts.name == "smollm3":
        return {"no_rope_every": _SMOLLM3_PATTERN}
    if facts.name == "phi3":
        return {"window": int(facts.read("attention.sliding_window", 0))}
    if facts.name != "gemma3":
        return {}
    if facts.number("final_logit_softcapping", 0.0):
        raise SlipstreamError("This model caps its logits, which is not supported: choose another one.")
    large = facts.size("block_count") == _GEMMA_27B_LAYERS
    return {
        "window": facts.size("attention.sliding_window"),
        "full_every": _GEMMA_PATTERN,
        "local_rope_base": facts.number("rope.freq_base_swa", _GEMMA_LOCAL_BASE),
        "attention_scale": (hidden / heads) ** -0.5 if large else head_dim**-0.5,
        "embedding_scale": float(np.sqrt(np.float32(hidden))),
        "activation": "gelu",
    }


def _linear_attention(facts: Facts) -> LinearAttention:
    heads = facts.size("ssm.time_step_rank")
    return LinearAttention(
        key_heads=facts.size("ssm.group_count"),
        value_heads=heads,
        key_dim=facts.size("ssm.state_size"),
        value_dim=facts.size("ssm.inner_size") // heads,
        kernel=facts.size("ssm.conv_kernel"),
    )
