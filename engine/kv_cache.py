"""Key and value blocks of one model: they grow in steps as the sequence grows and are never shifted or rewritten."""

from collections.abc import Sequence

import openvino as ov

from engine.errors import SlipstreamError

STEP_BLOCKS = 32  # least growth: 1,024 tokens of 32-token blocks


class KvCache:
    """Cache tensors bound to one infer request. Sequence block i is physical block i: there is one sequence."""

    def __init__(self, request: ov.InferRequest, inputs: Sequence[ov.ConstOutput], block_tokens: int) -> None:
        self._request = request
        self._ports = [port for port in inputs if "cache." in port.any_name]
        self._tensors: dict[str, ov.Tensor] = {}
        self.block_tokens = block_tokens
        self.blocks = 0

    @property
    def bytes(self) -> int:
        return sum(tensor.byte_size for tensor in self._tensors.values())

    @property
    def bytes_per_token(self) -> int:
        return sum(_port_bytes(port) for port in self._ports) // self.block_tokens

    def blocks_for(self, tokens: int) -> int:
        return -(-tokens // self.block_tokens)

    def reserve(self, tokens: int) -> None:
        """Room for `tokens`. Growing copies the old blocks once; errors: SlipstreamError when memory is short."""
        needed = self.blocks_for(tokens)
        if needed <= self.blocks:
            return
        blocks = max(needed, self.blocks + max(STEP_BLOCKS, self.blocks // 2))
        try:
            for port in self._ports:
                self._grow(port, blocks)
        except (RuntimeError, MemoryError) as error:
            raise SlipstreamError(
                "There is not enough memory for a longer conversation; start a new chat or close other programs."
            ) from error
        self.blocks = blocks

    def _grow(self, port: ov.ConstOutput, blocks: int) -> None:
        name = port.any_name
        shape = [blocks if d.is_dynamic else d.get_length() for d in port.partial_shape]
        grown = ov.Tensor(port.element_type, ov.Shape(shape))
        old = self._tensors.get(name)
        if old is not None:
            end = list(old.shape)
            old.copy_to(ov.Tensor(grown, ov.Coordinate([0] * len(end)), ov.Coordinate(end)))
        self._request.set_tensor(name, grown)
        self._tensors[name] = grown


def _port_bytes(port: ov.ConstOutput) -> int:
    elements = 1
    for dimension in port.partial_shape:
        elements *= 1 if dimension.is_dynamic else dimension.get_length()
    return int(elements * port.element_type.bitwidth // 8)
