"""Who uses which KV block when many sequences share one cache, and which blocks hold a known beginning.

Full blocks of prompts are kept under their exact tokens, so that a second answer to a prompt, and every prompt
with the same system message, begins where the first one left off. A freed block keeps its content until it is the
oldest free one and somebody needs it.
"""

from collections.abc import Sequence

import numpy as np


class BlockPool:
    """`blocks` blocks of `size` tokens each. Not thread-safe."""

    def __init__(self, blocks: int, size: int) -> None:
        self.blocks, self.size = blocks, size
        self._users = [0] * blocks
        self._free: dict[int, None] = dict.fromkeys(range(blocks))  # in the order in which they are given out
        self._holder: dict[bytes, int] = {}  # beginning of a text, whole blocks -> block with its last tokens
        self._content: dict[int, bytes] = {}

    @property
    def free(self) -> int:
        return len(self._free)

    def blocks_for(self, tokens: int) -> int:
        return -(-tokens // self.size)

    def take(self) -> int:
        """The block that has been free for longest; IndexError when none is."""
        if not self._free:
            raise IndexError("no free block")
        block = next(iter(self._free))
        self._use(block)
        self._forget(block)
        return block

    def share(self, tokens: Sequence[int]) -> list[int]:
        """Blocks that hold the longest known beginning of `tokens`; the last token is never among it."""
        found: list[int] = []
        while (end := (len(found) + 1) * self.size) < len(tokens):
            block = self._holder.get(_key(tokens[:end]))
            if block is None:
                break
            self._use(block)
            found.append(block)
        return found

    def learn(self, tokens: Sequence[int], blocks: Sequence[int]) -> None:
        """The full blocks of `tokens`, which lie in `blocks`, may be shared from now on."""
        for index in range(len(tokens) // self.size):
            key = _key(tokens[: (index + 1) * self.size])
            if key not in self._holder and blocks[index] not in self._content:
                self._holder[key] = blocks[index]
                self._content[blocks[index]] = key

    def release(self, blocks: Sequence[int]) -> None:
        for block in blocks:
            self._users[block] -= 1
            if not self._users[block]:
                self._free[block] = None

    def _use(self, block: int) -> None:
        self._users[block] += 1
        self._free.pop(block, None)

    def _forget(self, block: int) -> None:
        key = self._content.pop(block, None)
        if key is not None:
            del self._holder[key]


def _key(tokens: Sequence[int]) -> bytes:
    return np.asarray(tokens, dtype=np.int32).tobytes()
