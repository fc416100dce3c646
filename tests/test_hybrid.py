"""Hybrid targets: gated delta nets beside attention. Right, and the same bits however the sequence came about."""

from pathlib import Path

import numpy as np
import pytest

from engine.bench.genai_ir import write_genai_model
from engine.errors import SlipstreamError
from engine.exactness import probe
from engine.graphs.checkpoint import Checkpoint
from engine.graphs.compress import WeightFormat
from engine.graphs.convert import compress_gguf, converted_weights
from engine.graphs.gguf_model import GgufModel
from engine.target import LARGEST_CHUNK, Target
from tests.chunks import in_chunks
from tests.tiny_hybrid import HybridShape, Reference, write_checkpoint, write_gguf

SHAPE = HybridShape(hidden=128, intermediate=128)  # rows of 128: narrower ones are not exact
TOKENS = [(31 * i * i + 11 * i + i // 7) % 256 for i in range(1500)]


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Target:
    model = Checkpoint.open(write_checkpoint(tmp_path_factory.mktemp("hybrid"), SHAPE))
    return Target(compress_gguf(model, WeightFormat.INT8), taps=(0, 2, 3))


@pytest.fixture(autouse=True)
def _empty(request: pytest.FixtureRequest) -> None:
    if "target" in request.fixturenames:
        request.getfixturevalue("target").rollback(0)


@pytest.fixture(scope="module")
def plain(target: Target) -> np.ndarray:
    """Logits of the first 300 tokens, two at a time."""
    target.rollback(0)
    return in_chunks(target, TOKENS, [2], 300)


# The numbers


@pytest.mark.parametrize(
    "shape",
    [
        HybridShape(),
        HybridShape(tied=True, layers=3),
        HybridShape(key_heads=2, value_heads=2, key_dim=32),
        HybridShape(key_heads=1, value_heads=4, kernel=3, heads=4, kv_heads=2, rotary_dim=16),
    ],
)
def test_logits_and_features_are_those_of_the_papers(tmp_path: Path, shape: HybridShape) -> None:
    model = Checkpoint.open(write_checkpoint(tmp_path, shape))
    target = Target(compress_gguf(model, WeightFormat.F32), taps=(0, 2))
    logits, streams = Reference(shape).forward(TOKENS[:80])

    np.testing.assert_allclose(target.forward(TOKENS[:80]), logits, atol=1e-4)
    expected = np.concatenate([streams[0], streams[2]], axis=1)
    np.testing.assert_allclose(target.features, expected, atol=1e-4)


def test_a_gguf_file_gives_the_same_bits_as_the_checkpoint(tmp_path: Path, target: Target) -> None:
    """llama.cpp's converter moves heads about and turns norms and decay into another form: all is undone."""
    model = GgufModel.open(write_gguf(tmp_path / "model.gguf", SHAPE))
    other = Target(compress_gguf(model, WeightFormat.INT8))

    np.testing.assert_allclose(other.forward(TOKENS[:100]), target.forward(TOKENS[:100]), atol=1e-5)


def test_a_converted_hybrid_is_read_from_the_cache(tmp_path: Path) -> None:
    write_gguf(tmp_path / "model.gguf", SHAPE)
    first = Target(converted_weights(tmp_path)).forward(TOKENS[:20]).copy()
    (tmp_path / "model.gguf").unlink()

    np.testing.assert_array_equal(Target(converted_weights(tmp_path)).forward(TOKENS[:20]), first)


# The same bits


def test_the_probe_finds_a_hybrid_exact(target: Target) -> None:
    assert probe(target)


@pytest.mark.parametrize("sizes", [[1, 3], [2, 7], [17, 2], [64], [100, 1], [290]])
def test_logits_have_the_same_bits_in_any_chunking(
    target: Target, plain: np.ndarray, sizes: list[int]
) -> None:
    np.testing.assert_array_equal(in_chunks(target, TOKENS, sizes, 300), plain)


@pytest.mark.parametrize("drafted", [1, 4, 15, 40])
def test_rejected_rows_leave_no_trace(target: Target, plain: np.ndarray, drafted: int) -> None:
    """GIVEN drafts, right up to some token, WHEN they are verified and rolled back THEN the bits are the plain ones."""
    rows, features = [], []
    while (begin := len(target.tokens)) < 300:
        right = begin % (drafted + 1)
        draft = [*TOKENS[begin + 1 : begin + 1 + right], *[(7 * begin + j) % 256 for j in range(drafted)]]
        logits = target.forward([TOKENS[begin], *draft[:drafted]])
        kept = min(1 + right, 300 - begin)
        rows.append(logits[:kept].copy())
        assert target.features is not None
        features.append(target.features[:kept].copy())
        target.rollback(begin + kept)

    np.testing.assert_array_equal(np.concatenate(rows), plain)
    target.rollback(0)
    target.forward(TOKENS[:300])
    np.testing.assert_array_equal(np.concatenate(features), target.features)


@pytest.mark.parametrize("length", [0, 1, 257, 700, 1299])
def test_going_back_to_any_length_is_exact(target: Target, length: int) -> None:
    """Where no state is kept, the tokens since the nearest one are read again."""
    expected = in_chunks(target, TOKENS, [64], length + 5)[length:]
    target.rollback(0)
    list(target.prefill(TOKENS[:1300]))
    target.rollback(length)
    assert target.tokens == TOKENS[:length]

    np.testing.assert_array_equal(target.forward(TOKENS[length : length + 5]), expected)


def test_going_far_back_reads_again_in_chunks(target: Target) -> None:
    expected = in_chunks(target, TOKENS, [64], 1300)[-2:]
    target.rollback(0)
    target.forward(TOKENS[:1299])
    assert target.states is not None
    target.states.rollback(0)  # every state is lost
    assert len(target.tokens) > 2 * LARGEST_CHUNK

    target.rollback(1298)
    np.testing.assert_array_equal(target.forward(TOKENS[1298:1300]), expected)


# Prefix reuse


def test_the_next_turn_reads_only_what_is_new(target: Target) -> None:
    list(target.prefill(TOKENS[:700]))
    in_chunks(target, TOKENS, [2, 5], 760)  # an answer
    progress = list(target.prefill([*TOKENS[:760], 7, 8, 9]))

    assert progress[0] == 760
    assert progress[-1] == 762


def test_a_new_answer_to_the_same_prompt_reads_nothing(target: Target) -> None:
    list(target.prefill(TOKENS[:700]))
    in_chunks(target, TOKENS, [2, 5], 760)

    assert list(target.prefill(TOKENS[:700])) == [699]


def test_a_changed_end_is_read_from_the_nearest_state(target: Target) -> None:
    list(target.prefill(TOKENS[:700]))
    in_chunks(target, TOKENS, [2, 5], 760)
    changed = [*TOKENS[:690], *[(t + 1) % 256 for t in TOKENS[690:720]]]
    reused = next(progress := target.prefill(changed))
    list(progress)
    answered = target.forward(changed[-1:]).copy()

    assert 690 - LARGEST_CHUNK < reused <= 690
    target.rollback(0)
    list(target.prefill(changed))
    np.testing.assert_array_equal(target.forward(changed[-1:]), answered)


def test_a_peer_that_can_not_have_it_is_told_so(tmp_path: Path) -> None:
    weights = compress_gguf(Checkpoint.open(write_checkpoint(tmp_path, HybridShape())), WeightFormat.INT8)

    with pytest.raises(SlipstreamError, match="leave this peer out"):
        write_genai_model(weights, tmp_path / "peer")
