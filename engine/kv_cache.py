"""Key and value blocks of one model: they grow in steps with the sequence, and shrink when it became much shorter."""

from collections.abc import Callable, Sequence
from contextlib import suppress

import openvino as ov

from engine.errors import SlipstreamError
from engine.models import disk
from engine.models.memory import free_bytes, give_back

STEP_BLOCKS = 32  # least growth: 1,024 tokens of 32-token blocks
SHRINK_AT = 4  # caches so many times as large as what is needed give memory back
SPARE_BYTES = 200_000_000  # stays free for activations and for what other programs ask for meanwhile


class KvCache:
    """Cache tensors bound to a request, and to `others` that share them. Sequence block i is physical block i: there
    is one sequence.

    Spare room is never made beyond `limit` tokens. `free` tells how many bytes the system can still give.
    """

    def __init__(
        self,
        request: ov.InferRequest,
        inputs: Sequence[ov.ConstOutput],
        block_tokens: int,
        limit: int,
        free: Callable[[], int] = free_bytes,
        *,
        others: Sequence[ov.InferRequest] = (),
    ) -> None:
        self._request, self._others = request, others
        self._ports = [port for port in inputs if "cache." in port.any_name]
        self._tensors: dict[str, ov.Tensor] = {}
        self._free = free
        self.block_tokens = block_tokens
        self._most = self.blocks_for(limit)
        self._block_bytes = [block_bytes(port) for port in self._ports]
        self.blocks = 0

    @property
    def bytes(self) -> int:
        return self.blocks * sum(self._block_bytes)

    @property
    def bytes_per_token(self) -> int:
        return sum(self._block_bytes) // self.block_tokens

    def blocks_for(self, tokens: int) -> int:
        return -(-tokens // self.block_tokens)

    def reserve(self, tokens: int) -> None:
        """Room for `tokens`. Growing copies the old blocks once; errors: SlipstreamError when memory is short."""
        needed = self.blocks_for(tokens)
        if needed <= self.blocks:
            return
        spacious = self.blocks + max(STEP_BLOCKS, self.blocks // 2)
        blocks = max(needed, min(spacious, self._most))
        if self._shortage(blocks) > 0:
            blocks = needed
        if (shortage := self._shortage(blocks)) > 0:
            raise self._refusal(shortage)
        try:
            self._resize(blocks, self.blocks)
        except (RuntimeError, MemoryError) as error:
            raise self._refusal(0) from error

    def clear(self) -> None:
        """Zeros everywhere, and memory that the system has really given."""
        for tensor in self._tensors.values():
            tensor.data[:] = 0

    def shrink(self, tokens: int, kept: int) -> None:
        """Give memory back if `tokens` need far less than there is; the first `kept` tokens stay.

        Without effect on small caches and on moderate differences, so that a cache does not breathe with every turn.
        """
        blocks = max(self.blocks_for(tokens), STEP_BLOCKS)
        if self.blocks >= SHRINK_AT * blocks:
            with suppress(RuntimeError, MemoryError):  # no room for the smaller copy: then it stays
                self._resize(blocks, self.blocks_for(kept))

    def _shortage(self, blocks: int) -> int:
        """Bytes that are missing to grow to `blocks`. One tensor at a time exists twice."""
        added = (blocks - self.blocks) * sum(self._block_bytes)
        doubled = self.blocks * max(self._block_bytes, default=0)
        return added + doubled + SPARE_BYTES - self._free()

    def _refusal(self, shortage: int) -> SlipstreamError:
        missing = f" ({disk.human(shortage)} more)" if shortage else ""
        return SlipstreamError(
            f"There is not enough memory{missing} for a longer conversation: "
            "start a new chat or close other programs."
        )

    def _resize(self, blocks: int, kept: int) -> None:
        self.blocks = min(self.blocks, blocks)  # true for every tensor, also when one is refused half-way
        for port in self._ports:  # the old tensor is freed before the next one's turn
            name = port.any_name
            self._tensors[name] = replace_tensor(self._request, port, self._tensors.get(name), blocks, kept)
            for other in self._others:
                other.set_tensor(name, self._tensors[name])
        self.blocks = blocks
        give_back()


def replace_tensor(
    request: ov.InferRequest, port: ov.ConstOutput, old: ov.Tensor | None, blocks: int, kept: int
) -> ov.Tensor:
    """A tensor of `blocks` for `port`, set in the request, with the first `kept` blocks of the old one."""
    shape = [blocks if d.is_dynamic else d.get_length() for d in port.partial_shape]
    replacement = ov.Tensor(port.element_type, ov.Shape(shape))
    if old is not None and kept:
        begin, end = ov.Coordinate([0] * len(shape)), ov.Coordinate([kept, *shape[1:]])
        ov.Tensor(old, begin, end).copy_to(ov.Tensor(replacement, begin, end))
    request.set_tensor(port.any_name, replacement)
    return replacement


def block_bytes(port: ov.ConstOutput) -> int:
    """Bytes of one block; the number of blocks is the port's dynamic dimension."""
    elements = 1
    for dimension in port.partial_shape:
        elements *= 1 if dimension.is_dynamic else dimension.get_length()
    return int(elements * port.element_type.bitwidth // 8)
