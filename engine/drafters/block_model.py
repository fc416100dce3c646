"""A compiled block drafter with its context: one row for every token that the target has read.

The context follows the target by itself: `take` is called with the features of every pass, forgets what the target
rolled back, and computes keys and values late, with the next block or when many rows wait. So there is nothing to
re-derive when a chat goes on, and passes of other drafters cost a copy.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import openvino as ov
from numpy.typing import DTypeLike, NDArray

from engine.device import compile_options, core
from engine.errors import SlipstreamError
from engine.graphs.attention import BLOCK
from engine.graphs.dflash import DrafterWeights, build_block, build_context, build_step
from engine.graphs.dflash_shape import DrafterShape
from engine.kv_cache import KvCache
from engine.load_options import AUTOMATIC, LoadOptions
from engine.target import Target

Floats = NDArray[np.float32]
ANY = -1  # a size that differs from pass to pass
FIXED_ROWS = 8  # blocks of at most so many rows are always computed whole
CONTEXT_ROWS = 8  # read at once by a drafter of such blocks
READ_AHEAD = CONTEXT_ROWS - 1  # rows that may wait for the next block, which has at least one row of padding
MOST_WAITING = 512  # rows; more are computed before the next pass's come in


class BlockModel:
    """Follows one token sequence. One owner thread. Its cache is float16, as a draft model's: it only guesses."""

    def __init__(
        self, weights: DrafterWeights, options: LoadOptions = AUTOMATIC, kv_type: str = "f16"
    ) -> None:
        self.shape = weights.shape
        self.fixed = _fixed_rows(self.shape)  # 0: a block has the rows that a draft needs
        self._chunk = CONTEXT_ROWS if self.fixed else ANY
        joined = CONTEXT_ROWS if self.fixed else 0
        block = _compile(build_block(weights, self.fixed or ANY, joined), options, kv_type)
        self._block = BoundRequest(block)
        self._context = BoundRequest(_compile(build_context(weights, self._chunk), options, kv_type))
        requests = self._block.request, self._context.request
        self.cache = KvCache(requests[0], block.inputs, BLOCK, self.shape.context, others=requests[1:])
        self._written = 0  # rows whose keys and values are in the cache
        self._features = np.zeros((64, len(self.shape.taps) * self.shape.hidden), dtype=np.float32)
        self.waiting = 0  # rows of _features that the next block has to read first
        if self.fixed:
            self._bind()
        self.step = StepModel(weights, self._block, options, self.fixed) if self.shape.sequential else None

    @property
    def rows(self) -> int:
        """Tokens whose features are known."""
        return self._written + self.waiting

    def follow(self, target: Target) -> None:
        target.reader = self.take

    def take(self, past: int, features: Floats) -> None:
        """The target read tokens from position `past` on. What the drafter's own context can't hold is not taken, and
        nothing after such a gap."""
        self.keep(past)
        if self.rows < past or past + len(features) > self.shape.context:
            return
        if self.waiting >= MOST_WAITING:
            try:
                self.absorb()
            except (
                SlipstreamError
            ):  # no memory for the drafter: it falls silent, and the target's answer goes on
                self.keep(0)
                return
        end = self.waiting + len(features)
        if end >= len(self._features):  # one row more is padding
            grown = np.zeros((2 * end, self._features.shape[1]), dtype=np.float32)
            grown[: self.waiting] = self._features[: self.waiting]
            self._features = grown
        self._features[self.waiting : end] = features
        self.waiting = end

    def keep(self, rows: int) -> None:
        """Forget all but the first `rows` tokens."""
        self.waiting = min(self.waiting, max(rows - self._written, 0))
        self._written = min(self._written, rows)

    def release(self, prompt: Sequence[int]) -> None:
        """Give back memory that a conversation of this length is far from needing."""
        self.keep(len(prompt))
        self.cache.shrink(len(prompt), self._written)

    def absorb(self, most: int = 0) -> None:
        """Compute what waits now, so that no draft has to wait for it; at most so many rows may stay."""
        done = 0
        while self.waiting - done > most:
            size = (
                self._chunk if self.fixed else self.waiting + 1
            )  # one row more: one alone takes other kernels
            rows = self._features[done : min(done + size, self.waiting)]
            self._context.room("features", (size, self._features.shape[1]))[: len(rows)] = rows
            self._place(self._context, self._written + done, size)
            self._context.run()
            done += len(rows)
        self._features[: self.waiting - done] = self._features[done : self.waiting]
        self._written, self.waiting = self._written + done, self.waiting - done

    def draft(self, anchor: int, drafted: int) -> tuple[Floats, Floats]:
        """Logits [drafted, draft vocabulary] and hidden states [drafted, hidden] of the tokens after `anchor`, which
        follows the rows. They belong to the request: valid until the next call."""
        rows = self.fixed or self.shape.block_rows(drafted)
        self.absorb(most=READ_AHEAD if self.fixed else 0)
        block, read = self._block, self.waiting
        block.put("input_ids", np.array([anchor, *[self.shape.mask_token] * (rows - 1)], dtype=np.int64))
        if self.fixed:
            self._join(read, rows)
            self._place(block, self._written, read + rows, CONTEXT_ROWS - read)
        else:
            if not all(self.shape.causal):
                block.put("token_types", np.ones(rows, dtype=np.int32))
            self._place(block, self._written, rows)
        block.run()
        self._written, self.waiting = self._written + read, 0
        return block.output("logits")[:drafted], block.output("hidden")[:drafted]

    def _join(self, read: int, rows: int) -> None:
        """So many waiting rows go before the block of so many, and the rest of the context's room behind it."""
        self._block.room("features", (CONTEXT_ROWS, self._features.shape[1]))[:read] = self._features[:read]
        order = self._block.room("order", (CONTEXT_ROWS + rows,), np.int32)
        order[:read] = np.arange(read)
        order[read : read + rows] = np.arange(CONTEXT_ROWS, CONTEXT_ROWS + rows)
        order[read + rows :] = np.arange(read, CONTEXT_ROWS)
        self._block.put("block_places", np.arange(read, read + rows, dtype=np.int32))

    def _bind(self) -> None:
        """A fixed block's outputs have their places, where its steps read them."""
        rows = self.fixed - (not self.shape.from_anchor)
        self._block.room("logits", (rows, self.shape.draft_vocab))
        self._block.room("hidden", (rows, self.shape.hidden))

    def _place(self, bound: "BoundRequest", begin: int, rows: int, padding: int = 0) -> None:
        """Its rows follow the first `begin` of the sequence. What is padding behind them is a short sequence of its own
        in the cache's next block, so that it does not look at a long context."""
        end = begin + rows
        used, spare = self.cache.blocks_for(end), self.cache.blocks_for(padding)
        self.cache.reserve((used + spare) * self.cache.block_tokens)
        ends, blocks, past = [0, rows], [0, used], [begin]
        if padding:
            ends, blocks, past = [*ends, rows + padding], [*blocks, used + spare], [begin, 0]
        bound.put("position_ids", np.arange(begin, end + padding, dtype=np.int64))
        bound.put("past_lens", np.array(past, dtype=np.int32))
        bound.put("subsequence_begins", np.array(ends, dtype=np.int32))
        bound.put("block_indices", np.arange(used + spare, dtype=np.int32))
        bound.put("block_indices_begins", np.array(blocks, dtype=np.int32))
        bound.put("max_context_len", np.array(end, dtype=np.int32))


class StepModel:
    """The heads that draw a block's tokens one after the other. `reset` before each block."""

    def __init__(
        self, weights: DrafterWeights, block: "BoundRequest", options: LoadOptions, fixed: int = 0
    ) -> None:
        self._shape, self._block = weights.shape, block
        rows = fixed - (not self._shape.from_anchor) if fixed else ANY
        compiled = _compile(build_step(weights, rows), options)
        self._bound = BoundRequest(compiled)
        self._names = {port.any_name for port in compiled.inputs}
        self._state = np.zeros((1, max(self._shape.markov_rank, 1)), dtype=np.float32)
        self._bound.room("biased", (1, self._shape.draft_vocab))
        self._fixed = fixed  # then the block's outputs have their places
        if fixed:
            self._read_block()

    def reset(self) -> None:
        """Begin with the block that was computed last."""
        if not self._fixed:
            self._read_block()
        self._state[:] = 0.0

    def _read_block(self) -> None:
        for name in ("logits", "hidden"):
            if name in self._names:
                self._bound.share(name, self._block.output(name))

    def run(self, row: int, previous: int) -> tuple[Floats, float | None]:
        """The row's logits [draft vocabulary] after the token `previous`, and the probability that it is accepted, if
        the drafter says so."""
        self._bound.put("row", np.array([row], dtype=np.int32))
        if self._shape.markov:
            self._bound.put("token", np.array([previous], dtype=np.int64))
        if "state" in self._names:
            self._bound.put("state", self._state)
        self._bound.run()
        if "state" in self._names:
            self._state[:] = self._bound.output("new_state")
        confidence = float(self._bound.output("confidence")[0, 0]) if self._shape.confidence else None
        return self._bound.output("biased")[0], confidence


class BoundRequest:
    """A request whose inputs are written in place, and outputs too where their size is known: to hand a tensor over
    takes longer than to compute with it."""

    def __init__(self, compiled: ov.CompiledModel) -> None:
        self.request = compiled.create_infer_request()
        self._arrays: dict[str, NDArray[Any]] = {}

    def put(self, name: str, values: NDArray[Any]) -> None:
        """An input of the next runs."""
        self.room(name, values.shape, values.dtype)[...] = values

    def room(self, name: str, shape: tuple[int, ...], kind: DTypeLike = np.float32) -> NDArray[Any]:
        """Where an input or output of this shape is written."""
        there = self._arrays.get(name)
        if there is None or there.shape != shape:
            there = np.zeros(shape, dtype=kind)
            self.share(name, there)
        return there

    def share(self, name: str, array: NDArray[Any]) -> None:
        """The input or output is this array from now on."""
        self._arrays[name] = array
        self.request.set_tensor(name, ov.Tensor(array, shared_memory=True))

    def run(self) -> None:
        try:
            self.request.infer(share_outputs=True)  # else all of them are copied
        except (RuntimeError, MemoryError) as error:
            raise SlipstreamError(
                "The block drafter could not go on: ask again with --speculation off."
            ) from error

    def output(self, name: str) -> Floats:
        """Valid until the next run."""
        there = self._arrays.get(name)
        found: Floats = self.request.get_tensor(name).data if there is None else there
        return found


def _fixed_rows(shape: DrafterShape) -> int:
    """Rows of every block of a small drafter whose guesses don't depend on the rows behind them."""
    rows = shape.block_rows(shape.longest_draft)
    return rows if rows <= FIXED_ROWS and all(shape.causal) else 0


def _compile(model: ov.Model, options: LoadOptions, kv_type: str = "f16") -> ov.CompiledModel:
    properties = compile_options(options.device, kv_type, threads=options.threads)
    try:
        return core().compile_model(model, options.device, properties)
    except RuntimeError as error:
        raise SlipstreamError(
            f"OpenVINO could not prepare the block drafter for {options.device}: choose another drafter."
        ) from error
