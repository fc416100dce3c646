"""One step of a paged decoder for many sequences at once: decoding rows and a piece of a prompt side by side.

The same graph as `engine.target.Target`, with the likeliest tokens of each wanted row found inside the graph: they
become the soft labels of training, and sorting a row of 49,152 logits in numpy takes longer than its share of a step.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import openvino as ov
import openvino.opset16 as ops
from numpy.typing import NDArray

from engine.device import compile_options, core
from engine.errors import SlipstreamError
from engine.graphs.attention import BLOCK
from engine.graphs.decoder import build_decoder
from engine.graphs.weights import Weights
from engine.train.blocks import BlockPool

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Piece:
    """Tokens of one sequence for one step. `blocks` hold its tokens so far and have room for these."""

    tokens: Sequence[int]
    past: int
    blocks: Sequence[int]
    wants_logits: bool  # of the last token


@dataclass(frozen=True, slots=True)
class Rows:
    """One row for each piece that wants logits. The arrays belong to the request: valid until the next step."""

    logits: Floats  # [rows, vocabulary]
    top_ids: Ints  # [rows, k], likeliest first
    top_logp: Floats  # [rows, k], natural logarithms
    features: Floats | None = None  # [tokens of all pieces, taps * hidden]


class BatchModel:
    """A compiled decoder with a cache of `blocks` blocks. `pool` says who owns which."""

    def __init__(
        self, weights: Weights, blocks: int, top: int, taps: Sequence[int] = (), device: str = "CPU"
    ) -> None:
        model = build_decoder(weights, taps)
        _add_top(model, top)
        compiled = core().compile_model(model, device, compile_options(device))
        self._request = compiled.create_infer_request()
        for port in compiled.inputs:
            if "cache." in port.any_name:
                shape = [blocks if d.is_dynamic else d.get_length() for d in port.partial_shape]
                self._request.set_tensor(port, ov.Tensor(port.element_type, ov.Shape(shape)))
        self.pool = BlockPool(blocks, BLOCK)
        self.width = len(taps) * weights.architecture.hidden  # of a row of features
        self._outputs = ["logits", "top_ids", "top_logp", *(["features"] if taps else [])]

    def step(self, pieces: Sequence[Piece]) -> Rows:
        """Append every piece to its sequence; rows of logits in the pieces' order."""
        for name, value in step_inputs(pieces).items():
            self._request.set_tensor(name, ov.Tensor(value))
        try:
            self._request.infer()
        except (RuntimeError, MemoryError) as error:
            raise SlipstreamError(f"The model could not go on: {error}") from error
        return Rows(*(self._request.get_tensor(name).data for name in self._outputs))


def step_inputs(pieces: Sequence[Piece]) -> dict[str, NDArray[np.generic]]:
    """The decoder's inputs (engine/graphs/decoder.py) for several sequences."""
    sizes = [len(piece.tokens) for piece in pieces]
    ends = np.cumsum(sizes)
    ids = np.concatenate([np.asarray(piece.tokens, dtype=np.int64) for piece in pieces])
    positions = [np.arange(p.past, p.past + n, dtype=np.int64) for p, n in zip(pieces, sizes, strict=True)]
    used = [piece.blocks[: -(-(piece.past + n) // BLOCK)] for piece, n in zip(pieces, sizes, strict=True)]
    wanted = [end - 1 for piece, end in zip(pieces, ends, strict=True) if piece.wants_logits]
    return {
        "input_ids": ids,
        "position_ids": np.concatenate(positions),
        "logit_rows": np.array(wanted or [0], dtype=np.int32),
        "past_lens": np.array([piece.past for piece in pieces], dtype=np.int32),
        "subsequence_begins": np.array([0, *ends], dtype=np.int32),
        "block_indices": np.concatenate([np.asarray(blocks, dtype=np.int32) for blocks in used]),
        "block_indices_begins": np.array([0, *np.cumsum([len(b) for b in used])], dtype=np.int32),
        "max_context_len": np.array(
            max(p.past + n for p, n in zip(pieces, sizes, strict=True)), dtype=np.int32
        ),
    }


def _add_top(model: ov.Model, count: int) -> None:
    """Outputs `top_ids` and `top_logp` [rows, count] beside `logits`."""
    logits = model.output("logits").get_node().input_value(0)
    top = ops.topk(logits, ops.constant(np.int64(count)), -1, "max", "value", index_element_type="i32")
    axis = ops.constant(np.array([-1], dtype=np.int64))
    peak = ops.reduce_max(logits, axis, True)
    total = ops.reduce_sum(ops.exp(ops.subtract(logits, peak)), axis, True)
    logp = ops.subtract(ops.subtract(top.output(0), peak), ops.log(total))
    for output, name in ((top.output(1), "top_ids"), (logp.output(0), "top_logp")):
        result = ops.result(output)
        output.get_tensor().set_names({name})
        model.add_results([result])
