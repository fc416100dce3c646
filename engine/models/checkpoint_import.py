"""Takes in a model's Hugging Face folder (config.json, safetensors, tokenizer.json) by writing it as a GGUF file.

So that there is one format on this machine. Tensors keep their type, and go through memory one at a time; the order of
value heads in delta nets is llama.cpp's, so that other programs can read the file as well.
"""

import json
import math
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Kind

from engine.graphs.architecture import Architecture
from engine.graphs.checkpoint import Checkpoint
from engine.graphs.checkpoint_config import KINDS, Rope
from engine.graphs.hybrid import tiled_heads
from engine.models import checkpoint_vocab, disk, paths
from engine.models.catalogue import Catalogue
from engine.models.dflash_import import licence
from engine.models.gguf_import import import_gguf
from engine.models.meter import Meter
from engine.models.shelf import Shelf

_KEPT = ("BF16", "F16", "F32")  # types of matrices that GGUF files have as well


def is_model(folder: Path) -> bool:
    """Whether the folder's config.json describes a model that can be read, not a drafter."""
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        named = " ".join(config.get("architectures") or ())
        kind = config.get("text_config", config).get("model_type")
    except (OSError, ValueError, AttributeError, TypeError):
        return False
    return kind in KINDS and ("ForCausalLM" in named or "ForConditionalGeneration" in named)


def import_checkpoint(
    folder: Path, name: str | None, shelf: Shelf, catalogue: Catalogue, meter: Meter
) -> str:
    """Returns the model's name: `name`, else one made from the folder's. Errors: SlipstreamError with the reason."""
    model = Checkpoint.open(folder)
    model.require_all_read()
    tensors = [_Tensor.of(model, name) for name in model.names]
    size = sum(tensor.bytes for tensor in tensors)
    title = folder.resolve().name
    incoming = shelf.incoming(f"{paths.check_name(name) if name else 'folder'}.checkpoint")
    shutil.rmtree(incoming, ignore_errors=True)
    incoming.mkdir(parents=True)
    try:
        with disk.explaining(shelf.models):
            disk.require_space(size, incoming)
            meter.enter("copy", total=size, done=0)
            path = incoming / f"{title}.gguf"
            _write(model, tensors, folder, path, meter.add)
        return import_gguf(path, name, shelf, catalogue, meter)
    finally:
        disk.discard(incoming, shelf.trash)


@dataclass(frozen=True, slots=True)
class _Tensor:
    """`shape` in bytes of the stored type."""

    name: str
    kind: Kind
    shape: tuple[int, ...]

    @classmethod
    def of(cls, model: Checkpoint, name: str) -> Self:
        """Matrices keep the checkpoint's type; what is small or was turned into another form is float32."""
        shape = model.shape(name)
        stored = model.kind(name)
        plain = len(shape) == 1 or "conv1d" in name or stored not in _KEPT
        kind = Kind.F32 if plain else Kind[stored]
        return cls(name, kind, (*shape[:-1], shape[-1] * gguf.GGML_QUANT_SIZES[kind][1]))

    @property
    def bytes(self) -> int:
        return math.prod(self.shape)


def _write(
    model: Checkpoint, tensors: Sequence[_Tensor], folder: Path, path: Path, seen: Callable[[int], None]
) -> None:
    writer = gguf.GGUFWriter(path, model.architecture.name)
    writer.add_name(path.stem)
    if (terms := licence(folder)) != "not stated":
        writer.add_license(terms)
    _describe(writer, model.architecture)
    _describe_rope(writer, model.rope, model.architecture)
    checkpoint_vocab.write(writer, folder, model.architecture)
    for tensor in tensors:
        name = _written_name(tensor.name, model.architecture)
        writer.add_tensor_info(name, tensor.shape, np.dtype(np.uint8), tensor.bytes, tensor.kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    for tensor in tensors:
        values = tiled_heads(model.tensor(tensor.name), tensor.name, model.architecture)
        data = gguf.quantize(values.reshape(model.shape(tensor.name)), tensor.kind)
        writer.write_tensor_data(data.view(np.uint8))
        seen(tensor.bytes)
    writer.close()


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
