"""GGUF to compressed OpenVINO weights, cached beside the model. Torch is not involved."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset16 as ops

from engine.events import Progress
from engine.graphs.compress import Array, WeightFormat, weight_output
from engine.graphs.gguf_model import GgufModel
from engine.graphs.weights import Weights, load_weights, save_weights

REVISION = 1  # of the layout below; a cached conversion of another revision is made again


def default_format(hidden: int) -> WeightFormat:
    """8 bits where rows do not divide by 128 (small models lose speed and quality with small 4-bit groups)."""
    return WeightFormat.INT4 if hidden % 128 == 0 else WeightFormat.INT8


def converted_weights(
    folder: Path, form: WeightFormat | None = None, progress: Callable[[Progress], None] | None = None
) -> Weights:
    """Weights of the model in `folder` (model.gguf), converted on the first call and read from the cache later."""
    cached = [folder / "openvino" / f"{f}-v{REVISION}" for f in ([form] if form else WeightFormat)]
    for path in cached:
        if (path / "weights.xml").exists():
            return load_weights(path / "weights.xml")
    model = GgufModel.open(folder / "model.gguf")
    form = form or default_format(model.architecture.hidden)
    target = folder / "openvino" / f"{form}-v{REVISION}"
    partial = target.with_name(target.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    save_weights(compress_gguf(model, form, progress), partial / "weights.xml")
    partial.rename(target)
    return load_weights(target / "weights.xml")


def compress_gguf(
    model: GgufModel, form: WeightFormat, progress: Callable[[Progress], None] | None = None
) -> Weights:
    """Embedding and head keep 8 bits when the layers have 4: one matrix serves both.

    The file's two copies of a tied matrix differ only in how finely they are quantised; the finer one is taken.
    """
    arch = model.architecture
    head_form = WeightFormat.INT8 if form is WeightFormat.INT4 else form
    outputs = {"head": weight_output(model.tensor(model.head_name()), head_form)}
    outputs["final_norm"] = _vector(model.tensor("output_norm.weight"))
    if model.has("rope_freqs.weight"):
        outputs["rope_factors"] = _vector(model.tensor("rope_freqs.weight"))
    for index in range(arch.layers):
        outputs.update(_layer(model, index, form))
        if progress:
            progress(Progress("converting", index + 1, arch.layers))
    return Weights(arch, outputs)


def _vector(values: Array) -> ov.Output:
    return ops.constant(values).output(0)


def _layer(model: GgufModel, index: int, form: WeightFormat) -> dict[str, ov.Output]:
    source, name = f"blk.{index}.", f"layers.{index}."

    def matrix(part: str) -> Array:
        return model.tensor(f"{source}{part}.weight")

    qkv = np.concatenate([_rotate_half_order(model, part, matrix(f"attn_{part}")) for part in "qkv"])
    outputs = {
        name + "qkv": weight_output(qkv, form),
        name + "attention_output": weight_output(matrix("attn_output"), form),
        name + "gate_up": weight_output(np.concatenate([matrix("ffn_gate"), matrix("ffn_up")]), form),
        name + "down": weight_output(matrix("ffn_down"), form),
        name + "attention_norm": _vector(matrix("attn_norm")),
        name + "mlp_norm": _vector(matrix("ffn_norm")),
    }
    if model.has(source + "attn_q.bias"):
        bias = np.concatenate([model.tensor(f"{source}attn_{part}.bias") for part in "qkv"])
        outputs[name + "qkv_bias"] = _vector(bias)
    for part in ("q_norm", "k_norm"):
        if model.has(f"{source}attn_{part}.weight"):
            outputs[name + part] = _vector(matrix(f"attn_{part}"))
    return outputs


def _rotate_half_order(model: GgufModel, part: str, weight: Array) -> Array:
    """Undo the interleaved rotary order that GGUF files of the architecture `llama` use for q and k."""
    arch = model.architecture
    if arch.name != "llama" or part == "v":
        return weight
    heads = arch.heads if part == "q" else arch.kv_heads
    pairs = weight.reshape(heads, arch.head_dim // 2, 2, weight.shape[1])
    return pairs.swapaxes(1, 2).reshape(weight.shape)
