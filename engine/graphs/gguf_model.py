"""A GGUF file as an architecture description and float32 tensors (GGUF specification, ggml-org/ggml docs/gguf.md)."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from gguf import GGUFReader, dequantize
from numpy.typing import NDArray

from engine.errors import SlipstreamError
from engine.models import memory

ARCHITECTURES = ("llama", "qwen2", "qwen3", "qwen35")
Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LinearAttention:
    """Heads of gated delta net layers and their sizes; `kernel` is the width of the causal convolution."""

    key_heads: int
    value_heads: int
    key_dim: int
    value_dim: int
    kernel: int

    @property
    def key_width(self) -> int:
        return self.key_heads * self.key_dim

    @property
    def value_width(self) -> int:
        return self.value_heads * self.value_dim

    @property
    def channels(self) -> int:
        """What goes through the convolution: queries, keys and values."""
        return 2 * self.key_width + self.value_width

    @property
    def input_width(self) -> int:
        """Rows of the input projection: the channels, the output gate, decay and beta."""
        return self.channels + self.value_width + 2 * self.value_heads


@dataclass(frozen=True, slots=True)
class Architecture:
    """Shape of a decoder-only transformer. Sizes in elements; rope_scale divides positions (linear scaling).

    `rotary_dim` elements of each head are rotated (0: all); `output_gate`: attention is gated by a part of its input;
    `linear`: some layers are gated delta nets instead of attention.
    """

    name: str
    layers: int
    hidden: int
    intermediate: int
    heads: int
    kv_heads: int
    head_dim: int
    vocab: int
    context: int
    rms_eps: float
    rope_base: float
    rope_scale: float = 1.0
    rotary_dim: int = 0
    output_gate: bool = False
    linear: LinearAttention | None = None


class GgufModel:
    """Reads one tensor at a time, so that a conversion needs little more memory than its output."""

    tiled_values = True

    def __init__(self, reader: GGUFReader) -> None:
        self._reader = reader
        self._tensors = {tensor.name: tensor for tensor in reader.tensors}
        self._read: set[str] = set()
        self.architecture = self._describe()

    @classmethod
    def open(cls, path: Path) -> Self:
        """Errors: SlipstreamError for a file that is not a readable GGUF of a known architecture."""
        try:
            with memory.explaining(path.name):
                reader = GGUFReader(path)
        except SlipstreamError:
            raise
        except Exception as error:  # the reader raises whatever numpy or struct raised on torn data
            raise SlipstreamError(
                f"{path.name} is not a complete GGUF file: fetch or import it again."
            ) from error
        try:
            with memory.explaining(path.name):
                return cls(reader)
        except (TypeError, ValueError, ArithmeticError) as error:
            raise SlipstreamError(
                f"{path.name} describes a model that is not supported ({error}): choose another one."
            ) from error

    @property
    def elements(self) -> int:
        return sum(int(tensor.n_elements) for tensor in self._tensors.values())

    def tensor(self, name: str, every: int = 1) -> Array:
        """Dequantised values, [out, in] for matrices, of every n-th row; SlipstreamError when they can't be had."""
        if name not in self._tensors:
            raise SlipstreamError(
                f"The GGUF file has no tensor '{name}': it is incomplete or of another kind."
            )
        tensor = self._tensors[name]
        self._read.add(name)
        try:
            return np.asarray(dequantize(tensor.data[::every], tensor.tensor_type), dtype=np.float32)
        except (NotImplementedError, ValueError) as error:
            kind = tensor.tensor_type.name
            raise SlipstreamError(
                f"Tensor '{name}' has the type {kind}, which can't be read; use another file."
            ) from error

    def has(self, name: str) -> bool:
        return name in self._tensors

    def require_all_read(self) -> None:
        """SlipstreamError for a tensor that nobody asked for: a graph without it would write nonsense."""
        unused = self._tensors.keys() - self._read
        left = sorted(name for name in unused if "rot_embd" not in name and not self._predicts_more(name))
        if left:
            raise SlipstreamError(
                f"The GGUF file has a tensor that Slipstream does not know, '{left[0]}': choose another model."
            )

    def _predicts_more(self, name: str) -> bool:
        """Whether a tensor is of the layers for multi-token prediction, which follow the model's own."""
        found = re.match(r"blk\.(\d+)\.", name)
        return found is not None and int(found[1]) >= self.architecture.layers

    def head_name(self) -> str:
        """The output matrix; the embedding serves when the file ties them."""
        return "output.weight" if self.has("output.weight") else "token_embd.weight"

    def _value(self, key: str, default: Any = None) -> Any:
        field = self._reader.get_field(key)
        if field is None:
            if default is None:
                raise SlipstreamError(f"The GGUF file does not say '{key}': it can't be loaded.")
            return default
        return field.contents()

    def _describe(self) -> Architecture:
        name = str(self._value("general.architecture"))
        if name not in ARCHITECTURES:
            known = ", ".join(ARCHITECTURES)
            raise SlipstreamError(f"The architecture '{name}' is not supported; supported are {known}.")

        def read(key: str, default: Any = None) -> Any:
            return self._value(f"{name}.{key}", default)

        heads, hidden = int(read("attention.head_count")), int(read("embedding_length"))
        scaling = str(read("rope.scaling.type", "none"))
        if scaling not in ("none", "linear"):
            raise SlipstreamError(f"The position scaling '{scaling}' of this model is not supported.")
        head_dim = int(read("attention.key_length", hidden // heads))
        rotary_dim = int(read("rope.dimension_count", head_dim))
        hybrid = name == "qwen35"
        if rotary_dim != head_dim and not hybrid:
            raise SlipstreamError(
                "This model gives positions to a part of each head, which is not supported."
            )
        return Architecture(
            name=name,
            layers=int(read("block_count")) - int(read("nextn_predict_layers", 0)),
            hidden=hidden,
            intermediate=int(read("feed_forward_length")),
            heads=heads,
            kv_heads=int(read("attention.head_count_kv", heads)),
            head_dim=head_dim,
            vocab=int(self._tensors["token_embd.weight"].shape[1]) if self.has("token_embd.weight") else 0,
            context=int(read("context_length")),
            rms_eps=float(read("attention.layer_norm_rms_epsilon")),
            rope_base=float(read("rope.freq_base", 10000.0)),
            rope_scale=float(read("rope.scaling.factor", 1.0)) if scaling == "linear" else 1.0,
            rotary_dim=0 if rotary_dim == head_dim else rotary_dim,
            output_gate=hybrid,
            linear=_linear_attention(read) if hybrid else None,
        )


def _linear_attention(read: Callable[[str], Any]) -> LinearAttention:
    heads = int(read("ssm.time_step_rank"))
    return LinearAttention(
        key_heads=int(read("ssm.group_count")),
        value_heads=heads,
        key_dim=int(read("ssm.state_size")),
        value_dim=int(read("ssm.inner_size")) // heads,
        kernel=int(read("ssm.conv_kernel")),
    )
