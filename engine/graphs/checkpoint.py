"""A Hugging Face folder (config.json, safetensors files) read as if it were a GGUF file, by GGUF names.

So that conversion is one piece of code. Values that GGUF files hold in another form are turned into it here: norms of
Qwen3.5 and Gemma count from zero (weight + 1), Qwen3.5's decay is stored as a logarithm, and q and k of Llama are
interleaved.
"""

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from engine.errors import SlipstreamError
from engine.graphs.checkpoint_config import describe, rope
from engine.graphs.compress import Array
from engine.graphs.decoder_weights import INTERLEAVED, pairs_from_halves
from engine.graphs.packed import Packed, rows_of
from engine.graphs.safetensors_file import SafetensorsFile
from engine.models import json_file, memory

_OUTER = {"token_embd.weight": "embed_tokens.weight", "output_norm.weight": "norm.weight"}
_INNER = {
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "attn_qkv": "self_attn.qkv_proj",
    "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
    "attn_gate": "linear_attn.in_proj_z",
    "ssm_alpha": "linear_attn.in_proj_a",
    "ssm_beta": "linear_attn.in_proj_b",
    "ssm_conv1d": "linear_attn.conv1d",
    "ssm_norm": "linear_attn.norm",
    "ssm_out": "linear_attn.out_proj",
}
_LINEAR = {"attn_qkv": "linear_attn.in_proj_qkv"}
_PHI = {"ffn_up": "mlp.gate_up_proj"}
_GEMMA = {
    "ffn_norm": "pre_feedforward_layernorm",
    "post_attention_norm": "post_attention_layernorm",
    "post_ffw_norm": "post_feedforward_layernorm",
}
_BIASED = ("attn_q", "attn_k", "attn_v", "attn_qkv")
_CENTRED = ("qwen35", "gemma3")  # whose norms count from zero
_WHOLE = {"ssm_a": "linear_attn.A_log", "ssm_dt.bias": "linear_attn.dt_bias"}
_ELSEWHERE = ("model.visual.", "visual.", "mtp.")  # seeing, and multi-token prediction: not used
_UNCENTRED = "linear_attn.norm.weight"  # the only norm of Qwen3.5 whose weight does not count from zero


class TensorFile(Protocol):
    """Tensors by the checkpoint's names."""

    def names(self) -> set[str]: ...

    def shape(self, name: str) -> tuple[int, ...]: ...

    def kind(self, name: str) -> str: ...

    def read(self, name: str) -> Array: ...

    def grid(self, name: str) -> Packed | None: ...


class Checkpoint:
    """Reads one tensor at a time. `config` is the text model's own part of config.json."""

    tiled_values = False

    def __init__(
        self, config: dict[str, Any], files: Sequence[TensorFile], whole_norms: bool = False
    ) -> None:
        """`whole_norms`: the norms' weights are not less one, whatever the kind."""
        self._files = {name: file for file in files for name in file.names()}
        inside = any(name.startswith("model.language_model.") for name in self._files)
        self._prefix = "model.language_model." if inside else "model."
        self._whole_norms = whole_norms
        self._tied = _is_tied(config)
        self.architecture = describe(config)
        self._require_elements()
        self._require_vocabulary()
        self.rope = rope(config)
        own = {"phi3": _PHI, "gemma3": _GEMMA, "qwen35": _LINEAR}
        self._inner = _INNER | own.get(self.architecture.name, {})
        self._made = self.rope.divisors(self.architecture.rotary_dim or self.architecture.head_dim)

    def _require_elements(self) -> None:
        for name, file in self._files.items():
            shape = file.shape(name)
            if not name.startswith(_ELSEWHERE) and (not shape or 0 in shape):
                raise SlipstreamError(
                    f"The checkpoint's tensor '{name[:100]}' is not the list or matrix that it should be: "
                    "choose another model."
                )

    def _require_vocabulary(self) -> None:
        told, name = self.architecture.vocab, self._name_of_embedding
        if name in self._files and (rows := self._files[name].shape(name)[0]) != told:
            raise SlipstreamError(
                f"The checkpoint's vocabulary has {told:,} entries and its embedding {rows:,}: choose another model."
            )

    @property
    def _name_of_embedding(self) -> str:
        return self._prefix + _OUTER["token_embd.weight"]

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Errors: SlipstreamError for a folder that is incomplete or holds another kind of model."""
        try:
            with memory.explaining(folder.name):
                return cls(read_config(folder), [SafetensorsFile(path) for path in _files(folder)])
        except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
            raise SlipstreamError(
                f"The checkpoint in {folder.name} is incomplete or wrong about {str(error)[:200]}: "
                "fetch or import it again."
            ) from error

    @property
    def elements(self) -> int:
        return sum(
            math.prod(file.shape(name))
            for name, file in self._files.items()
            if not name.startswith(_ELSEWHERE)
        )

    @property
    def names(self) -> list[str]:
        """GGUF names of all tensors that are there."""
        parts = [f"{stem}.weight" for stem in self._inner] + [f"{stem}.bias" for stem in _BIASED] + [*_WHOLE]
        inner = [f"blk.{index}.{part}" for index in range(self.architecture.layers) for part in parts]
        return [name for name in (*_OUTER, "output.weight", *self._made, *inner) if self.has(name)]

    def shape(self, name: str) -> tuple[int, ...]:
        """Without dimensions of size one between others, which GGUF files leave out of a convolution."""
        if name in self._made:
            return self._made[name].shape
        own = self._name(name)
        first, *others = self._files[own].shape(own)
        return (first, *(size for size in others if size != 1))

    def kind(self, name: str) -> str:
        """How the tensor is stored: BF16, F16, F32 or another of the format's types."""
        if name in self._made:
            return "F32"
        own = self._name(name)
        return self._files[own].kind(own)

    def rows(self, name: str) -> int:
        """How many rows a matrix has."""
        return self.shape(name)[0] if self.has(name) else 0

    def packed(self, name: str) -> Packed | None:
        """A matrix that is on a grid which has to be kept, if it is."""
        own = self._name(name)
        if name in self._made or own not in self._files or (found := self._files[own].grid(own)) is None:
            return None
        order = self._order(name, len(found.values))
        return found if order is None else rows_of(found, order)

    def rope_factors(self) -> Array | None:
        """What the rotary frequencies are divided by, [rotary dim / 2], if anything."""
        for name in ("rope_freqs.weight", "rope_factors_short.weight"):
            if name in self._made:
                return self._made[name]
        arch, yarn = self.architecture, self.rope.yarn
        return yarn.divisors(arch.rotary_dim or arch.head_dim, arch.rope_base) if yarn else None

    def has(self, name: str) -> bool:
        return name in self._made or self._name(name) in self._files

    def tensor(self, name: str, every: int = 1) -> Array:
        """Float32 values, [out, in] for matrices, of every n-th row; SlipstreamError when they can't be had."""
        if name in self._made:
            return self._made[name]
        own = self._name(name)
        if own not in self._files:
            raise SlipstreamError(
                f"The checkpoint has no tensor '{own}': it is incomplete or of another kind."
            )
        values = self._files[own].read(own)[::every]
        if own.endswith("A_log"):
            return np.asarray(-np.exp(values), dtype=np.float32)
        centred = (
            self.architecture.name in _CENTRED and not self._whole_norms and not own.endswith(_UNCENTRED)
        )
        if centred and own.endswith("norm.weight"):
            return np.asarray(values + 1.0, dtype=np.float32)
        order = self._order(name, len(values))
        return values if order is None else np.asarray(values[order], dtype=np.float32)

    def _order(self, name: str, rows: int) -> NDArray[np.int64] | None:
        """In which order GGUF files have the rows of q and k."""
        arch, part = self.architecture, name.split(".", 2)[-1].partition(".")[0]
        heads = {"attn_q": arch.heads, "attn_k": arch.kv_heads}.get(part)
        if arch.name not in INTERLEAVED or heads is None or rows != heads * arch.head_dim:
            return None
        return pairs_from_halves(arch, heads)

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
        own = _WHOLE.get(part) or (f"{self._inner[stem]}.{ending}" if stem in self._inner else "")
        return f"{self._prefix}layers.{layer}.{own}" if own else ""


def read_config(folder: Path) -> dict[str, Any]:
    """The text model's part of config.json. Errors: OSError, ValueError, AttributeError."""
    config: dict[str, Any] = json_file.read(folder / "config.json")
    part: dict[str, Any] = config.get("text_config", config)
    return part


def _is_tied(config: dict[str, Any]) -> bool:
    gemma = str(config.get("model_type", "")).startswith("gemma")
    return bool(config.get("tie_word_embeddings", gemma))


def _files(folder: Path) -> list[Path]:
    """All that the index names, or all that there are. Errors: SlipstreamError when one is missing."""
    index = folder / "model.safetensors.index.json"
    if not index.is_file():
        return sorted(folder.glob("*.safetensors"))
    named = sorted(set(json_file.read(index)["weight_map"].values()))
    for name in named:
        if not (folder / Path(name).name).is_file():
            raise SlipstreamError(f"{folder.name} has no {name[:100]}: download the folder whole.")
    return [folder / Path(name).name for name in named]
