"""Which states are there: the latest, some at a stride, the prompt's own; never more than the memory allows."""

from dataclasses import dataclass, field

import numpy as np
import openvino as ov
import pytest

from engine.errors import SlipstreamError
from engine.state_cache import ENDING, FEWEST, STRIDE, StateCache

BLOCK = 4 * 8  # bytes of a state in the table below


@dataclass
class Port:
    any_name: str = "gated_delta_state_table.0"
    partial_shape: ov.PartialShape = field(default_factory=lambda: ov.PartialShape([-1, 2, 4]))
    element_type: ov.Type = ov.Type.f32


@dataclass
class Request:
    table: ov.Tensor | None = None

    def set_tensor(self, name: str, tensor: ov.Tensor) -> None:
        self.table = tensor


class Sequence:
    """Tokens are numbers; a state is their sum. `extend` does what the operations do with the inputs."""

    def __init__(self, latest: int = 8, kept: int = 8, free: int = 10**12) -> None:
        self.request, self.tokens = Request(), []
        self.states = StateCache(self.request, [Port()], latest * BLOCK, kept * BLOCK, lambda: free)

    def extend(self, tokens: list[int], padding: int = 0) -> None:
        """A pass over what has no state, then `tokens`, then some rows of padding."""
        base = self.states.nearest(len(self.tokens))
        rows = [*self.tokens[base:], *tokens]
        given = self.states.begin(base, len(rows) + padding)
        table = self.request.table.data
        read, *written = given["la.block_indices"]
        interval, state = int(given["la.cache_interval"][0]), table[read, 0, 0]
        assert state == sum(self.tokens[:base])
        for done, token in enumerate([*rows, *[999] * padding], 1):
            state += token
            if done % interval == 0 or done == len(rows) + padding:
                table[written[-(-done // interval) - 1]] = state
        self.tokens += tokens
        self.states.commit(len(self.tokens))

    def rollback(self, length: int) -> None:
        del self.tokens[length:]
        self.states.rollback(length)

    def check(self) -> None:
        """Every state that is said to be there is the right one: a pass may begin after it."""
        tokens = self.tokens
        for length in self.states.lengths:
            given = self.states._at[length]
            assert self.request.table.data[given, 0, 0] == sum(tokens[:length])


def test_the_empty_sequence_has_its_state() -> None:
    sequence = Sequence()
    assert sequence.states.lengths == [0]
    assert np.array_equal(sequence.request.table.data[0], np.zeros((2, 4)))


def test_a_pass_leaves_a_state_for_every_row() -> None:
    sequence = Sequence()
    sequence.extend([1, 2, 3])
    assert sequence.states.lengths == [0, 1, 2, 3]
    sequence.check()


def test_padding_leaves_none() -> None:
    sequence = Sequence()
    sequence.extend([1], padding=1)
    assert sequence.states.lengths == [0, 1]


def test_more_rows_than_states_leave_one_at_an_interval_and_the_last() -> None:
    sequence = Sequence(latest=8)
    sequence.extend([1] * 20)
    assert sequence.states.lengths == [0, 3, 6, 9, 12, 15, 18, 20]
    sequence.check()


def test_the_states_of_single_rows_stay_while_there_is_room() -> None:
    """A draft model goes one row at a time, and is then taken back by several."""
    sequence = Sequence(latest=8)
    for token in range(12):
        sequence.extend([token])
    assert sequence.states.lengths == [0, *range(4, 13)]
    sequence.check()


@pytest.mark.parametrize("seed", range(6))
def test_random_turns_never_read_a_wrong_state_nor_outgrow_the_memory(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sequence = Sequence(latest=int(rng.integers(4, 12)), kept=int(rng.integers(4, 8)))
    for _ in range(300):
        sequence.extend(rng.integers(0, 9, rng.integers(1, rng.choice([3, 20, 400]))).tolist())
        if rng.random() < 0.5:
            sequence.rollback(int(rng.integers(len(sequence.tokens) * 3 // 4, len(sequence.tokens) + 1)))
        if rng.random() < 0.1:
            sequence.states.pin()
        if rng.random() < 0.02:
            sequence.rollback(int(rng.integers(0, len(sequence.tokens) + 1)))
        sequence.check()
    assert sequence.states.blocks <= 1 + 1 + 12 + 8


def test_states_stay_at_a_stride_and_thin_out() -> None:
    sequence = Sequence(latest=8, kept=8)
    for _ in range(40 * STRIDE // 32):
        sequence.extend([1] * 32)
    lengths = sequence.states.lengths
    assert len(lengths) <= 1 + 8 + 1 + 8
    kept = np.diff([0, *sequence.states._kept])
    assert kept.min() >= STRIDE
    assert kept.max() <= 4 * kept.min()


def test_the_end_of_the_prompt_outlives_a_long_answer() -> None:
    sequence = Sequence(latest=8, kept=8)
    sequence.extend([1] * 500)
    sequence.extend([1] * 40)
    sequence.states.pin()
    for _ in range(3000):
        sequence.extend([1, 1])
    assert sequence.states.nearest(540) == 540
    assert 540 - 63 - ENDING <= sequence.states.nearest(539) <= 540 - ENDING


def test_cleared_memory_is_given_back() -> None:
    sequence = Sequence(latest=16)
    sequence.extend([1] * 16)
    before = sequence.states.bytes
    sequence.tokens.clear()
    sequence.states.clear()
    assert sequence.states.bytes == (1 + FEWEST) * BLOCK < before
    sequence.extend([5, 6])
    sequence.check()


def test_memory_that_is_short_gives_a_sentence() -> None:
    with pytest.raises(SlipstreamError, match="not enough memory"):
        Sequence(free=100)


def test_a_past_may_be_assumed_without_reading_it() -> None:
    """For timing: the empty state stands for that of a length, and going back forgets it."""
    sequence = Sequence()
    sequence.extend([1, 2, 3])
    sequence.tokens = [0] * 50
    sequence.states.assume(50)
    assert sequence.states.lengths == [0, 50]
    sequence.extend([4, 5])
    assert sequence.states.lengths == [0, 50, 51, 52]
    sequence.check()
    sequence.rollback(0)
    assert sequence.states.lengths == [0]
