"""GGUF to compressed OpenVINO weights, cached beside the model. Torch is not involved."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset16 as ops
from filelock import FileLock

from engine.errors import SlipstreamError
from engine.events import Progress
from engine.graphs.compress import Array, WeightFormat, weight_output
from engine.graphs.gguf_model import GgufModel
from engine.graphs.hybrid import Source, is_linear, linear_mixer, queries_and_gates
from engine.graphs.weights import Weights, load_weights, save_weights
from engine.models import conversions, disk

Listener = Callable[[Progress], None]

REVISION = 2  # of the layout below; a cached conversion of another revision is made again
_BYTES_PER_WEIGHT = {  # at most
    WeightFormat.INT4: 0.8,
    WeightFormat.INT4_HEAD: 0.8,
    WeightFormat.INT8: 1.05,
    WeightFormat.F32: 4.0,
}


def default_format(hidden: int, drafting: bool = False) -> WeightFormat:
    """8 bits where rows do not divide by 128 (small models lose speed and quality with small 4-bit groups)."""
    if hidden % 128:
        return WeightFormat.INT8
    return WeightFormat.INT4_HEAD if drafting else WeightFormat.INT4


def converted_weights(
    folder: Path,
    form: WeightFormat | None = None,
    progress: Listener | None = None,
    drafting: bool = False,
) -> Weights:
    """Weights of the model in `folder` (model.gguf), converted once and then read from the cache.

    A damaged cache is made again. Errors: SlipstreamError when the file can't be used or the disk refuses.
    """
    forms = [form] if form else _usable_formats(drafting)
    found = _cached(folder, forms)
    if found is not None:
        return found
    model = GgufModel.open(folder / "model.gguf")
    form = form or default_format(model.architecture.hidden, drafting)
    cache = folder / "openvino"
    with disk.explaining(folder):
        cache.mkdir(exist_ok=True)
        with FileLock(cache / "convert.lock"):  # another process may be converting the same model
            return _cached(folder, forms) or _convert(model, form, cache / _cache_name(form), progress)


def _cache_name(form: WeightFormat) -> str:
    return f"{form}-v{REVISION}"


def _usable_formats(drafting: bool) -> list[WeightFormat]:
    four_bits = WeightFormat.INT4_HEAD if drafting else WeightFormat.INT4
    return [four_bits, WeightFormat.INT8, WeightFormat.F32]


def _cached(folder: Path, forms: Sequence[WeightFormat]) -> Weights | None:
    """What an earlier conversion left, if it is whole."""
    for each in forms:
        path = folder / "openvino" / _cache_name(each) / "weights.xml"
        if path.exists():
            with suppress(SlipstreamError):
                return load_weights(path)
    return None


def _convert(model: Source, form: WeightFormat, target: Path, progress: Listener | None) -> Weights:
    with conversions.replacing(target) as partial:
        disk.require_space(int(model.elements * _BYTES_PER_WEIGHT[form]), partial)
        save_weights(compress_gguf(model, form, progress), partial / "weights.xml")
    return load_weights(target / "weights.xml")


def compress_gguf(model: Source, form: WeightFormat, progress: Listener | None = None) -> Weights:
    """The embedding keeps 8 bits when the layers have 4, and so does the head if one matrix serves both.

    Errors: SlipstreamError when the file holds a tensor that the graph would leave out.
    """
    arch = model.architecture
    rows_form = form if form is WeightFormat.F32 else WeightFormat.INT8
    head_form = form if form is WeightFormat.INT4_HEAD else rows_form
    outputs = {"head": weight_output(model.tensor(model.head_name()), head_form)}
    if head_form is not rows_form or not _is_tied(model):
        outputs["embedding"] = weight_output(model.tensor("token_embd.weight"), rows_form)
    outputs["final_norm"] = _vector(model.tensor("output_norm.weight"))
    if model.has("rope_freqs.weight"):
        outputs["rope_factors"] = _vector(model.tensor("rope_freqs.weight"))
    for index in range(arch.layers):
        outputs.update(_layer(model, index, form))
        if progress:
            progress(Progress("converting", index + 1, arch.layers))
    model.require_all_read()
    return Weights(arch, outputs)


def _is_tied(model: Source) -> bool:
    """Whether embedding and head are one matrix: some files store it twice, quantised differently.

    256 rows decide: two roundings of one matrix differ by a few per cent of its norm, two matrices by 140.
    """
    if not model.has("output.weight"):
        return True
    step = max(1, model.architecture.vocab // 256)
    embedding, head = (model.tensor(f"{name}.weight", every=step) for name in ("token_embd", "output"))
    return bool(np.linalg.norm(embedding - head) < 0.5 * np.linalg.norm(head))


def _vector(values: Array) -> ov.Output:
    return ops.constant(values).output(0)


def _layer(model: Source, index: int, form: WeightFormat) -> dict[str, ov.Output]:
    """Attention keeps 8 bits beside a 4-bit MLP: on the 1.5B the divergence from the float32 logits falls from 0.045 to
    0.032 nats (tests/logits_check.py) and a pass of 2, 4, 8 rows takes 1.03, 1.01, 0.98 times as long.
    """
    source, name = f"blk.{index}.", f"layers.{index}."

    def matrix(part: str) -> Array:
        return model.tensor(f"{source}{part}.weight")

    attention_form = form if form is WeightFormat.F32 else WeightFormat.INT8
    mixer = _attention if not is_linear(model, index) else linear_mixer
    after = "post_attention_norm" if model.has(source + "post_attention_norm.weight") else "ffn_norm"
    return mixer(model, index, attention_form) | {
        name + "gate_up": weight_output(np.concatenate([matrix("ffn_gate"), matrix("ffn_up")]), form),
        name + "down": weight_output(matrix("ffn_down"), form),
        name + "attention_norm": _vector(matrix("attn_norm")),
        name + "mlp_norm": _vector(matrix(after)),
    }


def _attention(model: Source, index: int, form: WeightFormat) -> dict[str, ov.Output]:
    source, name = f"blk.{index}.", f"layers.{index}."
    parts = [_rotate_half_order(model, part, model.tensor(f"{source}attn_{part}.weight")) for part in "qkv"]
    if model.architecture.output_gate:
        parts[0], gate = queries_and_gates(model.architecture, parts[0])
        parts.append(gate)
    outputs = {
        name + "qkv": weight_output(np.concatenate(parts), form),
        name + "attention_output": weight_output(model.tensor(f"{source}attn_output.weight"), form),
    }
    if model.has(source + "attn_q.bias"):
        biases = [(part, model.tensor(f"{source}attn_{part}.bias")) for part in "qkv"]
        bias = np.concatenate([_rotate_half_order(model, part, values) for part, values in biases])
        outputs[name + "qkv_bias"] = _vector(bias)
    for part in ("q_norm", "k_norm"):
        if model.has(f"{source}attn_{part}.weight"):
            outputs[name + part] = _vector(model.tensor(f"{source}attn_{part}.weight"))
    return outputs


def _rotate_half_order(model: Source, part: str, values: Array) -> Array:
    """Undo the interleaved rotary order that GGUF files of the architecture `llama` use for q and k.

    `values` [heads * dim, in] of a matrix or [heads * dim] of a bias.
    """
    arch = model.architecture
    if arch.name != "llama" or part == "v":
        return values
    heads = arch.heads if part == "q" else arch.kv_heads
    pairs = values.reshape(heads, arch.head_dim // 2, 2, -1)
    return pairs.swapaxes(1, 2).reshape(values.shape)
