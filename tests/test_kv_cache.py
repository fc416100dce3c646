"""Blocks of a KV cache: they grow within the free memory, keep what they hold, and are given back."""

from dataclasses import dataclass, field

import numpy as np
import openvino as ov
import pytest

from engine.errors import SlipstreamError
from engine.kv_cache import SHRINK_AT, SPARE_BYTES, STEP_BLOCKS, KvCache

BLOCK = 32
BLOCK_BYTES = 2 * BLOCK * 8 * 4  # heads, tokens, dim, float32
LAYERS = 3


@dataclass
class Port:
    any_name: str
    partial_shape: ov.PartialShape = field(default_factory=lambda: ov.PartialShape([-1, 2, BLOCK, 8]))
    element_type: ov.Type = ov.Type.f32


@dataclass
class Request:
    """Remembers the tensors that it was given, and refuses from number `refused` on."""

    tensors: dict[str, ov.Tensor] = field(default_factory=dict)
    refused: int = 1000
    given: int = 0

    def set_tensor(self, name: str, tensor: ov.Tensor) -> None:
        self.given += 1
        if self.given >= self.refused:
            raise RuntimeError("out of memory")
        self.tensors[name] = tensor

    def marks(self, blocks: int) -> list[list[float]]:
        """The first number of each of the first blocks, by tensor."""
        return [tensor.data[:blocks, 0, 0, 0].tolist() for tensor in self.tensors.values()]


@dataclass
class Desk:
    """A cache of three layers with `free` bytes in the machine."""

    free: int = 10**12
    limit: int = 100_000
    request: Request = field(default_factory=Request)

    def __post_init__(self) -> None:
        names = [f"{kind}_cache.{layer}" for layer in range(LAYERS) for kind in ("key", "value")]
        ports = [Port("input_ids"), *map(Port, names)]
        self.cache = KvCache(self.request, ports, BLOCK, self.limit, lambda: self.free)  # type: ignore[arg-type]

    def write_marks(self) -> None:
        for number, tensor in enumerate(self.request.tensors.values()):
            tensor.data[:, 0, 0, 0] = 1000 * number + np.arange(tensor.shape[0])


def test_memory_is_counted() -> None:
    cache = Desk().cache
    assert (cache.bytes, cache.blocks) == (0, 0)
    cache.reserve(1)
    assert cache.blocks == STEP_BLOCKS
    assert cache.bytes_per_token == 2 * LAYERS * BLOCK_BYTES // BLOCK
    assert cache.bytes == STEP_BLOCKS * BLOCK * cache.bytes_per_token


def test_growth_keeps_every_block_and_comes_in_steps() -> None:
    desk = Desk()
    desk.cache.reserve(1)
    desk.write_marks()
    before = desk.request.marks(STEP_BLOCKS)
    sizes = {desk.cache.blocks}
    for tokens in range(1, 20_000, 7):
        desk.cache.reserve(tokens)
        sizes.add(desk.cache.blocks)
    assert desk.request.marks(STEP_BLOCKS) == before
    assert desk.cache.blocks >= desk.cache.blocks_for(20_000 - 7)
    assert len(sizes) < 10


def test_no_room_is_made_beyond_the_models_context() -> None:
    desk = Desk(limit=2_000)
    for tokens in range(1, 2_001, 50):
        desk.cache.reserve(tokens)
    assert desk.cache.blocks == desk.cache.blocks_for(2_000)


def test_short_memory_is_a_sentence_before_anything_is_allocated() -> None:
    desk = Desk()
    desk.cache.reserve(1)
    held, given = desk.cache.bytes, desk.request.given
    desk.free = SPARE_BYTES + 5 * LAYERS * 2 * BLOCK_BYTES
    with pytest.raises(SlipstreamError, match=r"not enough memory .* start a new chat or close"):
        desk.cache.reserve(BLOCK * STEP_BLOCKS + 1)
    assert (desk.cache.bytes, desk.request.given) == (held, given)


def test_tensor_that_exists_twice_while_it_is_copied_is_counted() -> None:
    """GIVEN memory for one more block of every tensor, but not for the copy of one WHEN it must grow THEN refused."""
    one_more, copy = LAYERS * 2 * BLOCK_BYTES, STEP_BLOCKS * BLOCK_BYTES
    desk = Desk()
    desk.cache.reserve(1)
    desk.free = SPARE_BYTES + one_more + copy - 1
    with pytest.raises(SlipstreamError):
        desk.cache.reserve(BLOCK * STEP_BLOCKS + 1)
    desk.free += 1
    desk.cache.reserve(BLOCK * STEP_BLOCKS + 1)
    assert desk.cache.blocks == STEP_BLOCKS + 1  # no spare room where memory is short


def test_memory_refused_half_way_leaves_a_usable_cache() -> None:
    desk = Desk()
    desk.cache.reserve(1)
    desk.write_marks()
    before = desk.request.marks(STEP_BLOCKS)
    desk.request.refused = desk.request.given + 3
    with pytest.raises(SlipstreamError, match="not enough memory for a longer"):
        desk.cache.reserve(5_000)
    assert desk.cache.blocks == STEP_BLOCKS
    desk.request.refused = 1000
    desk.cache.reserve(5_000)
    assert desk.request.marks(STEP_BLOCKS) == before


def test_much_shorter_text_gives_memory_back_and_keeps_its_start() -> None:
    desk = Desk()
    desk.cache.reserve(20_000)
    desk.write_marks()
    before = desk.request.marks(7)
    desk.cache.shrink(300, kept=7 * BLOCK)
    assert desk.cache.blocks == STEP_BLOCKS
    assert all(tensor.shape[0] == STEP_BLOCKS for tensor in desk.request.tensors.values())
    assert desk.request.marks(7) == before
    desk.cache.reserve(20_000)
    assert desk.request.marks(7) == before


def test_moderately_shorter_text_moves_nothing() -> None:
    desk = Desk()
    desk.cache.reserve(20_000)
    given, blocks = desk.request.given, desk.cache.blocks
    desk.cache.shrink(20_000 // (SHRINK_AT - 1), kept=0)
    assert (desk.request.given, desk.cache.blocks) == (given, blocks)


def test_small_cache_is_left_alone() -> None:
    desk = Desk()
    desk.cache.shrink(0, kept=0)
    desk.cache.reserve(1)
    desk.cache.shrink(0, kept=0)
    assert desk.cache.blocks == STEP_BLOCKS
