"""Writes a checkpoint as a GGUF file, so that there is one format on this machine.

Tensors keep their type, and go through memory one at a time; the order of value heads in delta nets and of the rows of
q and k is llama.cpp's, so that other programs can read the file as well. Matrices of OpenVINO models keep their grid
(graphs.packed), which only Slipstream reads.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Kind
from numpy.typing import NDArray

from engine.graphs import packed
from engine.graphs.architecture import Architecture
from engine.graphs.checkpoint import Checkpoint
from engine.graphs.checkpoint_config import Rope
from engine.graphs.hybrid import tiled_heads
from engine.models import checkpoint_vocab, paths
from engine.models.dflash_import import licence

_KEPT = ("BF16", "F16", "F32")  # types of matrices that GGUF files have as well


@dataclass(frozen=True, slots=True)
class _Tensor:
    """`shape` in bytes of the stored type."""

    name: str
    kind: Kind
    shape: tuple[int, ...]

    @classmethod
    def of(cls, model: Checkpoint, name: str) -> "_Tensor":
        """Matrices keep the checkpoint's type; what is small or was turned into another form is float32."""
        shape = model.shape(name)
        stored = model.kind(name)
        plain = len(shape) == 1 or "conv1d" in name or stored not in _KEPT
        kind = Kind.F32 if plain else Kind[stored]
        return cls(name, kind, (*shape[:-1], shape[-1] * gguf.GGML_QUANT_SIZES[kind][1]))

    @property
    def bytes(self) -> int:
        return math.prod(self.shape)


class GgufFile:
    """The file that a checkpoint will become. `size` in bytes, without the header."""

    def __init__(self, model: Checkpoint) -> None:
        self._model = model
        self._tensors = [tensor for name in model.names for tensor in _stored(model, name)]
        self.size = sum(tensor.bytes for tensor in self._tensors)

    def write(self, folder: Path, path: Path, seen: Callable[[int], None]) -> None:
        """`folder`: where the tokenizer is. `seen` is told the bytes of each tensor and may raise to stop.

        Errors: SlipstreamError when the tokenizer can't be used.
        """
        model, arch = self._model, self._model.architecture
        writer = gguf.GGUFWriter(path, arch.name)
        try:
            writer.add_name(paths.shown(path.stem))
            if (terms := licence(folder)) != "not stated":
                writer.add_license(terms)
            _describe(writer, arch)
            _describe_rope(writer, model.rope, arch)
            checkpoint_vocab.write(writer, folder, arch.name, arch.vocab)
            for tensor in self._tensors:
                name = _written_name(tensor.name, arch)
                writer.add_tensor_info(name, tensor.shape, np.dtype(np.uint8), tensor.bytes, tensor.kind)
            writer.write_header_to_file()
            writer.write_kv_data_to_file()
            writer.write_ti_data_to_file()
            for name in model.names:
                for data in _arrays(model, name, self._kinds()):
                    writer.write_tensor_data(data.view(np.uint8))
                    seen(data.nbytes)
        finally:
            writer.close()

    def _kinds(self) -> dict[str, Kind]:
        return {tensor.name: tensor.kind for tensor in self._tensors}


def _stored(model: Checkpoint, name: str) -> Sequence[_Tensor]:
    """Matrices on a grid become several tensors."""
    if (matrix := model.packed(name)) is None:
        return [_Tensor.of(model, name)]
    return [
        _Tensor(part, Kind.F16 if part.endswith(packed.SCALE) else Kind.I8, _byte_shape(data))
        for part, data in packed.write(name, matrix).items()
    ]


def _byte_shape(data: NDArray[Any]) -> tuple[int, ...]:
    return (*data.shape[:-1], data.shape[-1] * data.itemsize)


def _arrays(model: Checkpoint, name: str, kinds: dict[str, Kind]) -> Iterator[NDArray[Any]]:
    if (matrix := model.packed(name)) is not None:
        yield from (np.ascontiguousarray(data) for data in packed.write(name, matrix).values())
        return
    values = tiled_heads(model.tensor(name), name, model.architecture)
    yield gguf.quantize(values.reshape(model.shape(name)), kinds[name])


def _written_name(name: str, arch: Architecture) -> str:
    return name.replace("ffn_norm", "post_attention_norm") if arch.linear else name


def _describe(writer: gguf.GGUFWriter, arch: Architecture) -> None:
    writer.add_block_count(arch.layers)
    writer.add_context_length(arch.context)
    writer.add_embedding_length(arch.hidden)
    writer.add_feed_forward_length(arch.intermediate)
    writer.add_head_count(arch.heads)
    writer.add_head_count_kv(arch.kv_heads)
    writer.add_key_length(arch.head_dim)
    writer.add_value_length(arch.head_dim)
    writer.add_layer_norm_rms_eps(arch.rms_eps)
    writer.add_rope_freq_base(arch.rope_base)
    writer.add_rope_dimension_count(arch.rotary_dim or arch.head_dim)
    if arch.window:
        writer.add_sliding_window(arch.window)
    if arch.linear:
        writer.add_rope_dimension_sections([11, 11, 10, 0])  # of pictures; text has one position
        writer.add_ssm_conv_kernel(arch.linear.kernel)
        writer.add_ssm_state_size(arch.linear.key_dim)
        writer.add_ssm_group_count(arch.linear.key_heads)
        writer.add_ssm_time_step_rank(arch.linear.value_heads)
        writer.add_ssm_inner_size(arch.linear.value_width)


def _describe_rope(writer: gguf.GGUFWriter, rope: Rope, arch: Architecture) -> None:
    if rope.kind == "linear":
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(rope.scale)
    if rope.yarn:
        writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
        writer.add_rope_scaling_factor(rope.yarn.factor)
        writer.add_rope_scaling_orig_ctx_len(rope.original)
        if rope.magnitude != rope.yarn.magnitude:
            writer.add_rope_scaling_attn_factors(rope.magnitude / rope.yarn.magnitude)
        for end, rotations in (("fast", rope.yarn.fast), ("slow", rope.yarn.slow)):
            writer.add_float32(f"{arch.name}.rope.scaling.yarn_beta_{end}", rotations)
    if rope.kind == "longrope":
        writer.add_rope_scaling_orig_ctx_len(rope.original)
        writer.add_rope_scaling_attn_factors(rope.magnitude)
