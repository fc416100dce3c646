"""States of linear-attention layers after some lengths of the sequence: what going back exactly takes.

Keys and values can be cut at any token; a state can't, it is a sum over all tokens before. So a pass leaves the
state after each of its rows (after every second, third ... row when states are large), and the next pass reads the
accepted one. The latest states stay until their blocks are needed, and some for longer, so that a next turn or a new
answer need not read the chat from its start. Nothing is copied: a state is a block, and the operations are told which
block to read and which to write.
"""

from collections.abc import Callable, Sequence

import numpy as np
import openvino as ov
from numpy.typing import NDArray

from engine.errors import SlipstreamError
from engine.kv_cache import SPARE_BYTES, block_bytes, replace_tensor
from engine.models.memory import free_bytes

ROW_BYTES = (
    512_000_000  # for the latest states, which are those of a pass and as many before as there is room for
)
KEPT_BYTES = 512_000_000  # for the states that stay
FEWEST, MOST = 4, 32  # states of each kind, whatever their size
STRIDE = 256  # tokens between states that stay, until there are too many
ENDING = 8  # tokens at the end of a prompt that the next turn may write otherwise: they open the answer
ZERO = 0  # the block of the empty sequence

Inputs = dict[str, NDArray[np.int32]]


class StateCache:
    """The state tables of one infer request. Lengths count tokens; a state of length n has seen n of them.

    `free` tells how many bytes the system can still give.
    """

    def __init__(
        self,
        request: ov.InferRequest,
        inputs: Sequence[ov.ConstOutput],
        row_bytes: int = ROW_BYTES,
        kept_bytes: int = KEPT_BYTES,
        free: Callable[[], int] = free_bytes,
    ) -> None:
        self._request, self._free = request, free
        self._ports = [port for port in inputs if "state_table." in port.any_name]
        self._tensors: dict[str, ov.Tensor] = {}
        self.checkpoint_bytes = sum(map(block_bytes, self._ports))
        self._latest = most_states(row_bytes, self.checkpoint_bytes)
        self._most_kept = most_states(kept_bytes, self.checkpoint_bytes)
        self._at = {0: ZERO}  # length -> block
        self._kept: list[int] = []
        self._pinned: frozenset[int] = frozenset()
        self._written: dict[int, int] = {}
        self.blocks = 0
        self._grow(1 + FEWEST)

    @property
    def bytes(self) -> int:
        return self.blocks * self.checkpoint_bytes

    @property
    def lengths(self) -> list[int]:
        """The lengths whose state is there, ascending; 0 is always among them."""
        return sorted(self._at)

    def nearest(self, length: int) -> int:
        """The longest length up to `length` whose state is there."""
        return max(known for known in self._at if known <= length)

    def rollback(self, length: int) -> None:
        """Forget the states of longer sequences."""
        self._at = {known: block for known, block in self._at.items() if known <= length}
        self._kept = [known for known in self._kept if known <= length]

    def begin(self, length: int, rows: int) -> Inputs:
        """The inputs of a pass of `rows` after `length`, whose state must be there. Earlier ones may lose theirs."""
        interval = -(-rows // self._latest)
        lengths = [length + min(done, rows) for done in range(interval, rows + interval, interval)]
        blocks = self._take(len(lengths), length)
        self._written = dict(zip(lengths, blocks, strict=True))
        return {
            "la.block_indices": np.array([self._at[length], *blocks], dtype=np.int32),
            "la.block_indices_begins": np.array([0, 1 + len(blocks)], dtype=np.int32),
            "la.past_lens": np.zeros(1, dtype=np.int32),  # intervals are counted from the pass's first row
            "la.cache_interval": np.array([interval], dtype=np.int32),
        }

    def assume(self, length: int) -> None:
        """Take the empty state for that of `length`: what is computed from it is nonsense, but takes as long."""
        self.rollback(0)
        self._at[length] = ZERO

    def commit(self, length: int) -> None:
        """The pass was run, and its rows up to `length` are of the sequence."""
        self._at |= {known: block for known, block in self._written.items() if known <= length}

    def pin(self) -> None:
        """The prompt is read: its state stays, and one before its end, for the next turn shares nearly all of it."""
        end = self.lengths[-1]
        self._pinned = frozenset({end, self.nearest(max(end - ENDING, 0))}) - {0}
        self._keep(self._pinned)

    def clear(self) -> None:
        """Forget all states and give their memory back."""
        self.rollback(0)
        self._tensors, self.blocks = {}, 0
        self._grow(1 + FEWEST)

    def _take(self, count: int, length: int) -> list[int]:
        """Blocks for `count` states, of earlier ones if need be; not of the one of `length`, which is read."""
        passing = [known for known in self.lengths if known not in (0, length) and known not in self._kept]
        for known in passing[: max(len(passing) + count - self._latest, 0)]:
            self._let_go(known)
        used = {ZERO, *self._at.values()}
        self._grow(len(used) + count)
        return [block for block in range(self.blocks) if block not in used][:count]

    def _let_go(self, length: int) -> None:
        """A state whose block is wanted stays all the same if it is a stride from the last one that does."""
        before = max((kept for kept in self._kept if kept < length), default=0)
        if length - before >= STRIDE:
            self._keep({length})
        else:
            del self._at[length]

    def _keep(self, lengths: frozenset[int] | set[int]) -> None:
        self._kept = sorted({*self._kept, *lengths})
        while len(self._kept) > self._most_kept:
            crowded = self._most_crowded()
            self._kept.remove(crowded)
            del self._at[crowded]

    def _most_crowded(self) -> int:
        """The kept length whose neighbours are nearest to each other; not a pinned one, nor the longest."""
        inner = zip([0, *self._kept], self._kept, self._kept[1:], strict=False)
        gaps = {known: after - before for before, known, after in inner if known not in self._pinned}
        return min(gaps, key=lambda known: gaps[known])

    def _grow(self, blocks: int) -> None:
        """Errors: SlipstreamError when memory is short."""
        if blocks <= self.blocks:
            return
        moved = self.blocks * max(map(block_bytes, self._ports))  # one table at a time exists twice
        added = (blocks - self.blocks) * self.checkpoint_bytes
        try:
            if added + moved + SPARE_BYTES > self._free():
                raise MemoryError
            for port in self._ports:
                old = self._tensors.get(port.any_name)
                tensor = replace_tensor(self._request, port, old, blocks, self.blocks)
                self._tensors[port.any_name] = tensor
                if not self.blocks:
                    tensor.data[ZERO] = 0.0
        except (RuntimeError, MemoryError) as error:
            raise SlipstreamError(
                "There is not enough memory for the model's state: close other programs or choose a smaller model."
            ) from error
        self.blocks = blocks


def most_states(space: int, each: int) -> int:
    """How many states of so many bytes may lie in `space`."""
    return min(max(space // each, FEWEST), MOST)
