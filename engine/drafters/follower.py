"""What block drafters and EAGLE heads share: a context of their own, one row for every token that the target has read.

The context follows the target by itself: `take` is called with the features of every pass, forgets what the target
rolled back, and computes keys and values late, with the next draft or when many rows wait. So there is nothing to
re-derive when a chat goes on, and passes of other drafters cost a copy.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.drafters.bound_request import BoundRequest
from engine.drafters.feature_queue import FeatureQueue
from engine.errors import SlipstreamError
from engine.graphs.dflash_shape import DrafterShape
from engine.kv_cache import KvCache
from engine.target import Target

Floats = NDArray[np.float32]
CONTEXT_ROWS = 8  # read at once by a drafter whose drafts have a fixed size
READ_AHEAD = CONTEXT_ROWS - 1  # rows that may wait for the next draft, which has at least one row of padding
MOST_WAITING = 512  # rows; more are computed before the next pass's come in


class Step(ABC):
    """Draws a draft's tokens one after the other."""

    @abstractmethod
    def reset(self) -> None:
        """Begin with the draft that was computed last."""

    @abstractmethod
    def run(self, row: int, previous: int) -> tuple[Floats, float | None]:
        """The row's logits [draft vocabulary] after the token `previous`, and the probability that it is accepted, if
        the drafter says so."""


class Follower(ABC):
    """Follows one token sequence. One owner thread. Its cache is float16, as a draft model's: it only guesses.

    `whole`: a draft is computed at once, whatever its length; else each token is a run of its own.
    """

    whole = True
    cache: KvCache
    step: Step | None

    def __init__(self, shape: DrafterShape) -> None:
        self.shape = shape
        self.queue = FeatureQueue(len(shape.taps) * shape.hidden, shape.context)

    @property
    def rows(self) -> int:
        """Tokens whose features are known."""
        return self.queue.rows

    @property
    def waiting(self) -> int:
        """Rows that the next draft has to read first."""
        return self.queue.waiting

    @abstractmethod
    def absorb(self, most: int = 0) -> None:
        """Compute what waits now, so that no draft has to wait for it; at most so many rows may stay."""

    @abstractmethod
    def draft(self, anchor: int, drafted: int) -> tuple[Floats, Floats]:
        """Logits [drafted, draft vocabulary] and hidden states [drafted, hidden] of the tokens after `anchor`, which
        follows the rows; the first row alone, where the others are runs of `step`. Valid until the next call."""

    def follow(self, target: Target) -> None:
        target.reader = self.take

    def take(self, past: int, features: Floats, tokens: Sequence[int] = ()) -> None:
        """The target read `tokens` from position `past` on. What the drafter's own context can't hold is not taken, and
        nothing after such a gap."""
        self.keep(past)
        if not self.queue.fits(past, len(features)):
            return
        if self.waiting >= MOST_WAITING:
            try:
                self.absorb()
            except SlipstreamError:  # no memory for the drafter: it falls silent, and the answer goes on
                self.keep(0)
                return
        self.queue.append(features, tokens)

    def keep(self, rows: int) -> None:
        """Forget all but the first `rows` tokens."""
        self.queue.keep(rows)

    def release(self, prompt: Sequence[int]) -> None:
        """Give back memory that a conversation of this length is far from needing."""
        self.keep(len(prompt))
        self.cache.shrink(len(prompt), self.queue.written)

    def _place(self, bound: BoundRequest, begin: int, rows: int, padding: int = 0) -> None:
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
