"""One token sequence in a paged cache: the same bits however it got there."""

import threading
from pathlib import Path

import numpy as np
import pytest

from engine.cost import CostCurve, measure, measure_step
from engine.errors import SlipstreamError
from engine.exactness import probe, settle
from engine.graphs.compress import WeightFormat
from engine.graphs.convert import converted_weights
from engine.kv_cache import STEP_BLOCKS
from engine.load_options import LoadOptions
from engine.target import DRAFT_ROWS, LARGEST_CHUNK, Target, common_prefix
from tests.chunks import in_chunks
from tests.tiny_models import Shape, write_model

LONG = STEP_BLOCKS * 32 + 200  # crosses the first growth of the cache
TOKENS = [(31 * i * i + 11 * i + i // 7) % 256 for i in range(LONG)]


@pytest.fixture(scope="module", params=[WeightFormat.INT8, WeightFormat.INT4])
def target(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Target:
    folder = tmp_path_factory.mktemp("target")
    write_model(folder / "model.gguf", Shape("qwen2", hidden=128, intermediate=256, context=4096))
    return Target(converted_weights(folder, request.param))


@pytest.fixture(autouse=True)
def _empty(request: pytest.FixtureRequest) -> None:
    if "target" in request.fixturenames:
        request.getfixturevalue("target").rollback(0)


def test_the_probe_finds_this_device_exact(target: Target) -> None:
    """The tests of equality below mean something only where the probe says so."""
    assert probe(target)
    assert target.tokens == []


@pytest.mark.parametrize("sizes", [[1], [2], [3, 1, 7], [9], [17, 2], [32], [64], [100, 1]])
def test_logits_have_the_same_bits_in_any_chunking(target: Target, sizes: list[int]) -> None:
    expected = in_chunks(target, TOKENS, [5], 200)
    target.rollback(0)
    np.testing.assert_array_equal(in_chunks(target, TOKENS, sizes, 200), expected)


def test_a_lone_token_gives_one_row_and_leaves_no_trace(target: Target) -> None:
    assert target.forward(TOKENS[:1]).shape == (1, 259)
    assert target.tokens == TOKENS[:1]


def test_attention_prepared_for_long_contexts_leaves_no_trace(target: Target) -> None:
    expected = in_chunks(target, TOKENS, [4], 200)
    target.rollback(0)
    held = target.cache_bytes

    target.prepare()

    assert (target.tokens, target.cache_bytes) == ([], held)
    np.testing.assert_array_equal(in_chunks(target, TOKENS, [4], 200), expected)


def test_rejected_rows_leave_no_trace(target: Target) -> None:
    expected = in_chunks(target, TOKENS, [4], 120)
    target.rollback(0)
    found = []
    for begin in range(0, 120, 4):
        target.forward([TOKENS[begin], *[(7 * begin + j) % 256 for j in range(12)]])  # a draft, all wrong
        target.rollback(begin)
        found.append(target.forward(TOKENS[begin : begin + 4]).copy())
    np.testing.assert_array_equal(np.concatenate(found), expected)


def test_growing_cache_keeps_what_it_holds(tmp_path: Path) -> None:
    """GIVEN a cache that grew in the middle WHEN the same tokens fill the grown cache THEN same bits."""
    write_model(tmp_path / "model.gguf", Shape("llama", context=4096))
    target = Target(converted_weights(tmp_path))
    before = in_chunks(target, TOKENS, [64], LONG)
    assert target.cache.blocks > STEP_BLOCKS
    target.rollback(0)
    np.testing.assert_array_equal(in_chunks(target, TOKENS, [50, 2], LONG), before)


def test_cache_reports_its_memory(target: Target) -> None:
    target.cache.reserve(1)
    assert target.cache.bytes == target.cache.blocks * 32 * target.cache.bytes_per_token
    assert target.cache.bytes_per_token == 2 * 2 * 2 * 16 * 4  # k and v, layers, heads, dim, float32


def test_memory_that_is_refused_gives_a_sentence(target: Target) -> None:
    with pytest.raises(SlipstreamError, match="not enough memory"):
        target.cache.reserve(2**50)
    target.forward(TOKENS[:5])  # and the model goes on


# Prefill


def test_prefill_leaves_the_last_token(target: Target) -> None:
    assert list(target.prefill(TOKENS[:10]))[-1] == 9
    assert target.tokens == TOKENS[:9]


def test_prefill_reuses_the_common_prefix_and_computes_only_what_is_new(target: Target) -> None:
    list(target.prefill(TOKENS[:300]))
    changed = [*TOKENS[:200], *[(t + 1) % 256 for t in TOKENS[200:320]]]
    progress = list(target.prefill(changed))
    assert progress[0] == 200
    assert progress[-1] == 319
    reused = target.forward(changed[319:]).copy()
    target.rollback(0)
    list(target.prefill(changed))
    np.testing.assert_array_equal(target.forward(changed[319:]), reused)


def test_prefill_of_what_is_there_computes_nothing(target: Target) -> None:
    list(target.prefill(TOKENS[:100]))
    assert list(target.prefill(TOKENS[:100])) == [99]
    assert list(target.prefill(TOKENS[:50])) == [49]


def test_prefill_of_a_single_token_has_nothing_to_do(target: Target) -> None:
    assert list(target.prefill(TOKENS[:1])) == [0]


def test_cancelled_prefill_stops_between_chunks_and_keeps_what_is_done(target: Target) -> None:
    cancel, seen = threading.Event(), []
    for done in target.prefill(TOKENS[:900], cancel):
        seen.append(done)
        if len(seen) == 2:
            cancel.set()
    assert len(seen) == 2
    assert target.tokens == TOKENS[: seen[-1]]
    assert 0 < seen[-1] <= LARGEST_CHUNK
    assert next(iter(target.prefill(TOKENS[:900]))) == seen[-1]


def test_prefilled_context_is_the_same_as_a_decoded_one(target: Target) -> None:
    """What an answer left in the cache serves the next turn: it must not differ from a prefill."""
    list(target.prefill(TOKENS[:700]))
    prefilled = target.forward(TOKENS[699:705]).copy()
    target.rollback(0)
    in_chunks(target, TOKENS, [1, 2, 6], 699)
    np.testing.assert_array_equal(target.forward(TOKENS[699:705]), prefilled)


def test_common_prefix() -> None:
    assert common_prefix([], [1]) == 0
    assert common_prefix([1, 2], [1, 2, 3]) == 2
    assert common_prefix([1, 2, 3], [1, 9, 3]) == 1
    assert common_prefix([9], [1]) == 0


def test_measuring_costs_leaves_the_model_empty(target: Target) -> None:
    curve = CostCurve.of(measure(target))
    assert measure_step(target).seconds[0] > 0.0
    assert target.tokens == []
    assert 0.0 < curve.seconds(2) <= curve.seconds(9) <= curve.seconds(32)


def test_bad_device_gives_a_sentence(tmp_path: Path) -> None:
    write_model(tmp_path / "model.gguf")
    with pytest.raises(SlipstreamError, match="could not prepare the model for NONSENSE"):
        Target(converted_weights(tmp_path), options=LoadOptions(device="NONSENSE"))


def test_steps_of_a_draft_model_have_one_number_of_rows(tmp_path: Path) -> None:
    """GIVEN one to three tokens a step THEN the plugin never sees another shape, and the logits are the tokens' own."""
    write_model(tmp_path / "model.gguf", Shape("qwen2", hidden=128, intermediate=256))
    draft = Target(converted_weights(tmp_path, WeightFormat.INT8), exact=False)
    expected = draft.forward(TOKENS[:6]).copy()
    draft.rollback(0)
    for begin, end in ((0, 1), (1, 3), (3, 6)):
        logits = draft.forward(TOKENS[begin:end]).copy()
        assert list(draft._request.get_tensor("input_ids").shape) == [DRAFT_ROWS]
        np.testing.assert_allclose(logits, expected[begin:end], atol=0.05)
    assert draft.tokens == TOKENS[:6]


def test_lone_tokens_are_settled_to_what_is_exact(target: Target) -> None:
    """One row or two, whichever this device's kernels allow for these sizes: the bits are those of longer passes."""
    try:
        assert settle(target)
        expected = in_chunks(target, TOKENS, [5], 60)
        target.rollback(0)
        np.testing.assert_array_equal(in_chunks(target, TOKENS, [1, 1, 4], 60), expected)
    finally:
        target.take_lone_rows(False)


def test_a_lone_row_is_alone_but_in_attention(target: Target) -> None:
    expected = in_chunks(target, TOKENS, [5], 60)
    target.rollback(0)
    target.take_lone_rows(True)
    try:
        found = in_chunks(target, TOKENS, [1], 60)
        assert list(target._request.get_tensor("input_ids").shape) == [1]
        assert list(target._request.get_tensor("attention_rows").data) == [0, 0]
    finally:
        target.take_lone_rows(False)
    np.testing.assert_allclose(found, expected, atol=0.02)  # rounding, which 8-bit activations widen
