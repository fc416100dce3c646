"""A model on disk as compressed weights under the names that graphs.decoder asks for.

Every shape is compared with the architecture's before it is used, as the file may claim anything.
"""

from collections.abc import Callable, Sequence

import numpy as np
import openvino as ov
import openvino.opset16 as ops
from numpy.typing import NDArray

from engine.errors import SlipstreamError
from engine.events import Progress
from engine.graphs import packed
from engine.graphs.architecture import Architecture
from engine.graphs.compress import Array, WeightFormat, constant, weight_output
from engine.graphs.hybrid import Source, is_linear, linear_mixer, queries_and_gates
from engine.graphs.weights import Weights

Listener = Callable[[Progress], None]
Outputs = dict[str, ov.Output]
INTERLEAVED = ("llama", "smollm3")  # whose GGUF files hold q and k in pairs of neighbours
WHOLE = (WeightFormat.F32, WeightFormat.F16)  # formats that all matrices have alike


def compress_gguf(model: Source, form: WeightFormat, progress: Listener | None = None) -> Weights:
    """The embedding keeps 8 bits when the layers have 4, and so does the head if one matrix serves both.

    Matrices that came compressed stay as they are, but for the form f32. Errors: SlipstreamError when the file holds a
    tensor that the graph would leave out, or one of another shape.
    """
    arch = model.architecture
    rows_form = form if form in WHOLE else WeightFormat.INT8
    head_form = form if form is WeightFormat.INT4_HEAD else rows_form
    table = (arch.vocab, arch.hidden)
    outputs = {"head": _matrix(model, [model.head_name()], head_form, table)}
    if head_form is not rows_form or not is_tied(model):
        outputs["embedding"] = _matrix(model, ["token_embd.weight"], rows_form, table)
    outputs["final_norm"] = _vector(model, "output_norm.weight", arch.hidden)
    if (factors := model.rope_factors()) is not None:
        outputs["rope_factors"] = _constant(
            _checked(factors, ((arch.rotary_dim or arch.head_dim) // 2,), "the rotary factors")
        )
    for index in range(arch.layers):
        outputs.update(_layer(model, index, form))
        if progress:
            progress(Progress("converting", index + 1, arch.layers))
    model.require_all_read()
    return Weights(arch, outputs)


def pairs_from_halves(arch: Architecture, heads: int) -> NDArray[np.int64]:
    """Which row of a matrix in rotate-half order becomes each row of one in interleaved order."""
    rows = np.arange(heads * arch.head_dim).reshape(heads, 2, arch.head_dim // 2)
    return rows.swapaxes(1, 2).reshape(-1)


def _halves_from_pairs(arch: Architecture, heads: int) -> NDArray[np.int64]:
    rows = np.arange(heads * arch.head_dim).reshape(heads, arch.head_dim // 2, 2)
    return rows.swapaxes(1, 2).reshape(-1)


def is_tied(model: Source) -> bool:
    """Whether embedding and head are one matrix: some files store it twice, quantised differently.

    256 rows decide: two roundings of one matrix differ by a few per cent of its norm, two matrices by 140.
    """
    if not model.has("output.weight"):
        return True
    step = max(1, model.architecture.vocab // 256)
    embedding, head = (model.tensor(f"{name}.weight", every=step) for name in ("token_embd", "output"))
    if embedding.shape != head.shape:
        return False
    return bool(np.linalg.norm(embedding - head) < 0.5 * np.linalg.norm(head))


def _checked(values: Array, shape: tuple[int, ...], name: str) -> Array:
    if values.shape != shape:
        raise SlipstreamError(
            f"'{name}' has the shape {list(values.shape)} instead of {list(shape)}: choose another file."
        )
    return values


def _constant(values: Array) -> ov.Output:
    return ops.constant(np.ascontiguousarray(values)).output(0)


def _vector(model: Source, name: str, size: int) -> ov.Output:
    return _constant(_checked(model.tensor(name), (size,), name))


def _matrix(
    model: Source,
    names: Sequence[str],
    form: WeightFormat,
    shape: tuple[int, int],
    orders: Sequence[NDArray[np.int64] | None] = (),
) -> ov.Output:
    """The named matrices, one below the other, [rows, columns] = `shape`; `orders` of their rows."""
    orders = orders or [None] * len(names)
    if form is not WeightFormat.F32 and (kept := _kept_grid(model, names, orders)):
        _require_shape((len(kept.values), kept.values[0].size), shape, names[0])
        return constant(kept)
    parts = [model.tensor(name) for name in names]
    _require_shape((sum(map(len, parts)), *parts[0].shape[1:]), shape, names[0])
    for part, name in zip(parts, names, strict=True):
        _require_shape(part.shape, (len(part), shape[1]), name)
    moved = [part if order is None else part[order] for part, order in zip(parts, orders, strict=True)]
    return weight_output(moved[0] if len(moved) == 1 else np.concatenate(moved), form)


def _kept_grid(
    model: Source, names: Sequence[str], orders: Sequence[NDArray[np.int64] | None]
) -> packed.Packed | None:
    parts = [part for name in names if (part := model.packed(name)) is not None]
    if len(parts) != len(names) or len({part.values[0].size for part in parts}) != 1:
        return None
    return packed.joined(
        [
            part if order is None else packed.rows_of(part, order)
            for part, order in zip(parts, orders, strict=True)
        ]
    )


def _require_shape(found: tuple[int, ...], shape: tuple[int, ...], name: str) -> None:
    if found != shape:
        raise SlipstreamError(
            f"The matrix '{name}' has the shape {list(found)} instead of {list(shape)}: choose another file."
        )


def _layer(model: Source, index: int, form: WeightFormat) -> Outputs:
    """Attention keeps 8 bits beside a 4-bit MLP: on the 1.5B the divergence from the float32 logits falls from 0.045 to
    0.032 nats (tests/logits_check.py) and a pass of 2, 4, 8 rows takes 1.03, 1.01, 0.98 times as long.
    """
    arch, source, name = model.architecture, f"blk.{index}.", f"layers.{index}."
    width, hidden = arch.intermediate, arch.hidden
    mixer = _attention if not is_linear(model, index) else linear_mixer
    gates = (
        ["ffn_gate.weight", "ffn_up.weight"] if model.has(source + "ffn_gate.weight") else ["ffn_up.weight"]
    )
    outputs = mixer(model, index, form if form in WHOLE else WeightFormat.INT8)
    outputs[name + "gate_up"] = _matrix(model, [source + gate for gate in gates], form, (2 * width, hidden))
    outputs[name + "down"] = _matrix(model, [source + "ffn_down.weight"], form, (hidden, width))
    for ours, theirs in _norms(model, source).items():
        outputs[name + ours] = _vector(model, f"{source}{theirs}.weight", hidden)
    return outputs


def _norms(model: Source, source: str) -> dict[str, str]:
    """Norms before and, for Gemma, after the two halves of a layer."""
    if model.has(source + "post_ffw_norm.weight"):
        after = {"attention_after": "post_attention_norm", "mlp_after": "post_ffw_norm"}
        return {"attention_norm": "attn_norm", "mlp_norm": "ffn_norm"} | after
    between = "post_attention_norm" if model.has(source + "post_attention_norm.weight") else "ffn_norm"
    return {"attention_norm": "attn_norm", "mlp_norm": between}


def _attention(model: Source, index: int, form: WeightFormat) -> Outputs:
    arch, source, name = model.architecture, f"blk.{index}.", f"layers.{index}."
    q_rows, kv_rows = arch.heads * arch.head_dim, arch.kv_heads * arch.head_dim
    outputs = {
        name + "qkv": _queries_keys_values(model, source, form),
        name + "attention_output": _matrix(
            model, [source + "attn_output.weight"], form, (arch.hidden, q_rows)
        ),
    }
    if (bias := _bias(model, source)) is not None:
        outputs[name + "qkv_bias"] = _constant(
            _checked(bias, (q_rows + 2 * kv_rows,), source + "attn_q.bias")
        )
    for part in ("q_norm", "k_norm"):
        if model.has(f"{source}attn_{part}.weight"):
            outputs[name + part] = _vector(model, f"{source}attn_{part}.weight", arch.head_dim)
    return outputs


def _orders(arch: Architecture) -> list[NDArray[np.int64] | None]:
    """Of the rows of q, k and v: the graph rotates halves, some files hold pairs."""
    if arch.name not in INTERLEAVED:
        return [None, None, None]
    return [_halves_from_pairs(arch, arch.heads), _halves_from_pairs(arch, arch.kv_heads), None]


def _queries_keys_values(model: Source, source: str, form: WeightFormat) -> ov.Output:
    arch = model.architecture
    q_rows, kv_rows = arch.heads * arch.head_dim, arch.kv_heads * arch.head_dim
    if model.has(source + "attn_qkv.weight"):
        return _matrix(model, [source + "attn_qkv.weight"], form, (q_rows + 2 * kv_rows, arch.hidden))
    names = [f"{source}attn_{part}.weight" for part in "qkv"]
    if not arch.output_gate:
        _require_rows(model, names, (q_rows, kv_rows, kv_rows))
        return _matrix(model, names, form, (q_rows + 2 * kv_rows, arch.hidden), _orders(arch))
    parts = [model.tensor(name) for name in names]
    _require_shape(parts[0].shape, (2 * q_rows, arch.hidden), names[0])
    parts[0], gate = queries_and_gates(arch, parts[0])
    return weight_output(np.concatenate([*parts, gate]), form)


def _require_rows(model: Source, names: Sequence[str], rows: Sequence[int]) -> None:
    """Each part of a fused matrix has its own number of rows, or one would take another's."""
    for name, count in zip(names, rows, strict=True):
        if model.rows(name) != count:
            raise SlipstreamError(
                f"The matrix '{name}' has {model.rows(name)} rows instead of {count}: choose another file."
            )


def _bias(model: Source, source: str) -> Array | None:
    if model.has(source + "attn_qkv.bias"):
        return model.tensor(source + "attn_qkv.bias")
    if not model.has(source + "attn_q.bias"):
        return None
    biases = [model.tensor(f"{source}attn_{part}.bias").reshape(-1) for part in "qkv"]
    orders = _orders(model.architecture)
    return np.concatenate(
        [bias if order is None else bias[order] for bias, order in zip(biases, orders, strict=True)]
    )
