"""A compiled block drafter with its context (see `engine.drafters.follower`)."""

import numpy as np
from numpy.typing import NDArray

from engine.drafters.bound_request import BoundRequest, compiled
from engine.drafters.follower import CONTEXT_ROWS, READ_AHEAD, Follower, Step
from engine.graphs.attention import BLOCK
from engine.graphs.dflash import DrafterWeights, build_block, build_context, build_step
from engine.graphs.dflash_shape import DrafterShape
from engine.kv_cache import KvCache
from engine.load_options import AUTOMATIC, LoadOptions

Floats = NDArray[np.float32]
ANY = -1  # a size that differs from pass to pass
FIXED_ROWS = 8  # blocks of at most so many rows are always computed whole


class BlockModel(Follower):
    """A draft is one forward of a block."""

    def __init__(
        self, weights: DrafterWeights, options: LoadOptions = AUTOMATIC, kv_type: str = "f16"
    ) -> None:
        super().__init__(weights.shape)
        self.fixed = _fixed_rows(self.shape)  # 0: a block has the rows that a draft needs
        self._chunk = CONTEXT_ROWS if self.fixed else ANY
        joined = CONTEXT_ROWS if self.fixed else 0
        block = compiled(build_block(weights, self.fixed or ANY, joined), options, kv_type)
        self._block = BoundRequest(block)
        self._context = BoundRequest(compiled(build_context(weights, self._chunk), options, kv_type))
        requests = self._block.request, self._context.request
        self.cache = KvCache(requests[0], block.inputs, BLOCK, self.shape.context, others=requests[1:])
        if self.fixed:
            self._bind()
        self.step = StepModel(weights, self._block, options, self.fixed) if self.shape.sequential else None

    def absorb(self, most: int = 0) -> None:
        queue, done = self.queue, 0
        while queue.waiting - done > most:
            # where sizes differ, one row more: one alone takes other kernels
            size = self._chunk if self.fixed else queue.waiting + 1
            rows = queue.features[done : done + size]
            self._context.room("features", (size, rows.shape[1]))[: len(rows)] = rows
            self._place(self._context, queue.written + done, size)
            self._context.run()
            done += len(rows)
        queue.read(done)

    def draft(self, anchor: int, drafted: int) -> tuple[Floats, Floats]:
        rows = self.fixed or self.shape.block_rows(drafted)
        self.absorb(most=READ_AHEAD if self.fixed else 0)
        block, read = self._block, self.waiting
        block.put("input_ids", np.array([anchor, *[self.shape.mask_token] * (rows - 1)], dtype=np.int64))
        if self.fixed:
            self._join(read, rows)
            self._place(block, self.queue.written, read + rows, CONTEXT_ROWS - read)
        else:
            if not all(self.shape.causal):
                block.put("token_types", np.ones(rows, dtype=np.int32))
            self._place(block, self.queue.written, rows)
        block.run()
        self.queue.read(read)
        return block.output("logits")[:drafted], block.output("hidden")[:drafted]

    def _join(self, read: int, rows: int) -> None:
        """So many waiting rows go before the block of so many, and the rest of the context's room behind it."""
        features = self.queue.features
        self._block.room("features", (CONTEXT_ROWS, features.shape[1]))[:read] = features
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


class StepModel(Step):
    """The heads that draw a block's tokens one after the other."""

    def __init__(
        self, weights: DrafterWeights, block: BoundRequest, options: LoadOptions, fixed: int = 0
    ) -> None:
        self._shape, self._block = weights.shape, block
        rows = fixed - (not self._shape.from_anchor) if fixed else ANY
        model = compiled(build_step(weights, rows), options)
        self._bound = BoundRequest(model)
        self._names = {port.any_name for port in model.inputs}
        self._state = np.zeros((1, max(self._shape.markov_rank, 1)), dtype=np.float32)
        self._bound.room("biased", (1, self._shape.draft_vocab))
        self._fixed = fixed  # then the block's outputs have their places
        if fixed:
            self._read_block()

    def reset(self) -> None:
        if not self._fixed:
            self._read_block()
        self._state[:] = 0.0

    def _read_block(self) -> None:
        for name in ("logits", "hidden"):
            if name in self._names:
                self._bound.share(name, self._block.output(name))

    def run(self, row: int, previous: int) -> tuple[Floats, float | None]:
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


def _fixed_rows(shape: DrafterShape) -> int:
    """Rows of every block of a small drafter whose guesses don't depend on the rows behind them."""
    rows = shape.block_rows(shape.longest_draft)
    return rows if rows <= FIXED_ROWS and all(shape.causal) else 0
