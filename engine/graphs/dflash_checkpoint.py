"""A trained drafter's checkpoint folder: its shape, and compressed weights by the names that the graph uses."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import openvino as ov
import openvino.opset16 as ops
from numpy.typing import NDArray

from engine.errors import SlipstreamError
from engine.graphs.compress import WeightFormat, weight_output
from engine.graphs.dflash_config import read_shape
from engine.graphs.dflash_shape import DrafterShape
from engine.graphs.safetensors_file import SafetensorsFile
from engine.models import json_file

CONFIG_FILE, TENSOR_FILE = "config.json", "model.safetensors"
SCALE = "_scale"
Array = NDArray[np.float32]
# The target's own matrices, which some formats repeat: the target has them already.
_BORROWED = ("embed_tokens.weight", "verifier_norm.weight", "verifier_lm_head.weight", "rotary_emb.inv_freq")


class Checkpoint:
    """Knows which of the file's tensors were asked for: a graph that leaves one out would write nonsense."""

    def __init__(self, folder: Path) -> None:
        """Errors: SlipstreamError when config.json or the tensors are missing, torn, or of another kind."""
        self.shape = read_shape(_read_config(folder / CONFIG_FILE))
        if not (folder / TENSOR_FILE).is_file():
            raise SlipstreamError(
                f"The drafter folder {folder} has no {TENSOR_FILE}: download it whole (one file, not in parts)."
            )
        self._file = SafetensorsFile(folder / TENSOR_FILE)
        self._names = {name.removeprefix("model."): name for name in self._file.names()}
        self._read: set[str] = set()
        self._check_sizes()

    def has(self, name: str) -> bool:
        return name in self._names

    def tensor(self, name: str, *shape: int) -> Array:
        """Float32 values. A matrix stored in 8 bits has `<name>_scale` [rows] beside it: value = number * scale."""
        self._require(name, shape)
        values = self._file.read(self._names[name])
        if not self.has(name + SCALE):
            return values
        scale = self._file.read(self._names[name + SCALE])
        return np.asarray(values * scale[:, None], dtype=np.float32)

    def draft_ids(self) -> NDArray[np.int64] | None:
        """Target ids of the drafted vocabulary, ascending; None when it drafts all of it.

        `t2d` marks them among the target's tokens; `d2t` holds how far each is from its own number.
        """
        shape = self.shape
        self._read |= {"d2t", "t2d"}
        if not shape.reduced:
            return None
        if self.has("t2d"):
            ids = np.flatnonzero(self._file.read_ints(self._names["t2d"]))
        else:
            self._require("d2t", (shape.draft_vocab,))
            ids = np.arange(shape.draft_vocab) + self._file.read_ints(self._names["d2t"])
        if len(ids) != shape.draft_vocab or np.any(np.diff(ids) <= 0) or ids[0] < 0 or ids[-1] >= shape.vocab:
            raise SlipstreamError(
                "The drafter's table of drafted tokens does not fit its vocabulary: download it again."
            )
        return ids.astype(np.int64)

    def require_all_read(self) -> None:
        head = {"lm_head.weight", "lm_head.weight" + SCALE}
        left = sorted(self._names.keys() - self._read - set(_BORROWED) - head)
        if left:
            raise SlipstreamError(
                f"The drafter has a tensor that Slipstream does not know, '{left[0]}': choose another one."
            )

    def _require(self, name: str, shape: tuple[int, ...]) -> None:
        if not self.has(name):
            raise SlipstreamError(f"The drafter has no tensor '{name}': it is incomplete, download it again.")
        found = self._file.shape(self._names[name])
        if found != shape:
            raise SlipstreamError(
                f"The drafter's tensor '{name}' has the sizes {found} where its config.json says {shape}: "
                "download it again."
            )
        self._read.add(name)
        if self.has(name + SCALE):
            self._require(name + SCALE, shape[:1])

    def _check_sizes(self) -> None:
        """What a converter would trip over later is refused when the folder is imported."""
        for name, shape in _expected(self.shape):
            self._require(name, shape)
        self.draft_ids()
        self.require_all_read()


def _read_config(path: Path) -> dict[str, object]:
    try:
        config = json_file.read(path)
    except (OSError, ValueError) as error:
        raise SlipstreamError(f"{path} can't be read: name the folder of a trained drafter.") from error
    if not isinstance(config, dict):
        raise SlipstreamError(f"{path} holds no settings: name the folder of a trained drafter.")
    return config


def _expected(shape: DrafterShape) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Every tensor that the graph needs, with its sizes."""
    hidden, rank = shape.hidden, shape.markov_rank
    yield "fc.weight", (hidden, len(shape.taps) * hidden)
    yield "hidden_norm.weight", (hidden,)
    yield "norm.weight", (hidden,)
    if shape.feeds_back:
        yield "embed_norm.weight", (hidden,)
        yield "input_proj.weight", (hidden, 2 * hidden)
    for index in range(shape.layers):
        yield from _expected_layer(shape, f"layers.{index}.")
    if shape.markov:
        yield "markov_head.markov_w1.weight", (shape.vocab, rank)
        yield "markov_head.markov_w2.weight", (shape.draft_vocab, rank)
    if shape.markov == "gated":
        yield from _biased("markov_head.gate_proj", rank, hidden + rank)
    if shape.markov == "rnn":
        yield from _biased("markov_head.joint_proj", 3 * rank, hidden + 2 * rank)
    if shape.confidence:
        yield from _biased("confidence_head.proj", 1, hidden + rank * shape.confidence_with_markov)


def _biased(name: str, rows: int, columns: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield f"{name}.weight", (rows, columns)
    yield f"{name}.bias", (rows,)


def _expected_layer(shape: DrafterShape, layer: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    hidden, width, dim = shape.hidden, shape.intermediate, shape.head_dim
    q_rows, kv_rows = shape.heads * dim, shape.kv_heads * dim
    for part, rows in (("q", q_rows), ("k", kv_rows), ("v", kv_rows)):
        yield f"{layer}self_attn.{part}_proj.weight", (rows, hidden)
    yield f"{layer}self_attn.o_proj.weight", (hidden, q_rows)
    for part in "qk":
        yield f"{layer}self_attn.{part}_norm.weight", (dim,)
    for part in ("gate", "up"):
        yield f"{layer}mlp.{part}_proj.weight", (width, hidden)
    yield f"{layer}mlp.down_proj.weight", (hidden, width)
    for part in ("input_layernorm", "post_attention_layernorm"):
        yield f"{layer}{part}.weight", (hidden,)


def compress_checkpoint(checkpoint: Checkpoint, form: WeightFormat) -> dict[str, ov.Output]:
    """Outputs by the names that `engine.graphs.dflash` uses; `head` only where the drafter has one of its own."""
    read = _Reader(checkpoint, form)
    outputs = {
        "fc": read.matrix("fc"),
        "hidden_norm": read.vector("hidden_norm.weight"),
        "final_norm": read.vector("norm.weight"),
    }
    if checkpoint.shape.feeds_back:
        outputs["embed_norm"] = read.vector("embed_norm.weight")
        outputs["input"] = read.matrix("input_proj")
    for index in range(checkpoint.shape.layers):
        outputs |= _layer(read, f"layers.{index}.")
    ids = checkpoint.draft_ids()
    if ids is not None:
        outputs["draft_ids"] = ops.constant(ids).output(0)
        if checkpoint.has("lm_head.weight"):
            outputs["head"] = read.matrix("lm_head")
    return outputs | _sequential(read)


class _Reader:
    """Tensors of known sizes as graph outputs."""

    def __init__(self, checkpoint: Checkpoint, form: WeightFormat) -> None:
        self._checkpoint, self._form = checkpoint, form
        self.shape = checkpoint.shape
        self._sizes = dict(_expected(checkpoint.shape))
        self._sizes["lm_head.weight"] = (checkpoint.shape.draft_vocab, checkpoint.shape.hidden)

    def array(self, name: str) -> Array:
        return self._checkpoint.tensor(name, *self._sizes[name])

    def matrix(self, *names: str) -> ov.Output:
        """The named matrices, one below the other."""
        return weight_output(np.concatenate([self.array(f"{name}.weight") for name in names]), self._form)

    def vector(self, name: str) -> ov.Output:
        return ops.constant(self.array(name)).output(0)


def _layer(read: _Reader, layer: str) -> dict[str, ov.Output]:
    attention, mlp = f"{layer}self_attn.", f"{layer}mlp."
    return {
        layer + "q": read.matrix(attention + "q_proj"),
        layer + "kv": read.matrix(attention + "k_proj", attention + "v_proj"),
        layer + "attention_output": read.matrix(attention + "o_proj"),
        layer + "q_norm": read.vector(attention + "q_norm.weight"),
        layer + "k_norm": read.vector(attention + "k_norm.weight"),
        layer + "gate_up": read.matrix(mlp + "gate_proj", mlp + "up_proj"),
        layer + "down": read.matrix(mlp + "down_proj"),
        layer + "attention_norm": read.vector(layer + "input_layernorm.weight"),
        layer + "mlp_norm": read.vector(layer + "post_attention_layernorm.weight"),
    }


def _sequential(read: _Reader) -> dict[str, ov.Output]:
    outputs: dict[str, ov.Output] = {}
    if read.shape.markov:
        outputs["markov_in"] = read.matrix("markov_head.markov_w1")
        outputs["markov_out"] = read.matrix("markov_head.markov_w2")
    for kind, part in (("gated", "gate_proj"), ("rnn", "joint_proj")):
        if read.shape.markov == kind:
            outputs["markov_mix"] = read.matrix(f"markov_head.{part}")
            outputs["markov_mix_bias"] = read.vector(f"markov_head.{part}.bias")
    if read.shape.confidence:
        outputs["confidence"] = read.vector("confidence_head.proj.weight")
        outputs["confidence_bias"] = read.vector("confidence_head.proj.bias")
    return outputs
