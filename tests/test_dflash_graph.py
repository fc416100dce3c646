"""Block drafters of every format against a plain float64 forward pass, block by block."""

from pathlib import Path

import numpy as np
import pytest

from engine.drafters.block_model import BlockModel
from engine.drafters.dflash import BlockDrafter
from engine.drafters.follower import CONTEXT_ROWS, MOST_WAITING, READ_AHEAD
from engine.drafters.protocol import Worth
from engine.graphs.compress import WeightFormat
from engine.graphs.convert import converted_weights
from engine.graphs.dflash_convert import draft_ids, drafter_weights
from engine.graphs.weights import Weights
from engine.request import Sampling
from engine.sampling import Rule
from tests.dflash_checkpoints import FORMS, Drafter, Reference, write_drafter
from tests.tiny_models import Shape, tensors, write_model

TARGET = Shape("qwen2", layers=4, context=4096)
RNG = np.random.default_rng(5)
FEATURES = RNG.standard_normal((400, 128)).astype(np.float32) * 2.0
EXACT = 1e-4
WHOLE = (  # small blocks without a look ahead, which are always computed whole
    Drafter("z-lab", sliding=(0, 1)),
    FORMS["speculators-8bit"],
)


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Weights:
    folder = tmp_path_factory.mktemp("target")
    write_model(folder / "model.gguf", TARGET)
    return converted_weights(folder, WeightFormat.F32)


def reference(drafter: Drafter) -> Reference:
    written = tensors(TARGET)
    return Reference(drafter, written["token_embd.weight"], written["output.weight"])


def model(drafter: Drafter, target: Weights, folder: Path) -> BlockModel:
    return BlockModel(
        drafter_weights(write_drafter(folder, drafter), target, WeightFormat.F32), kv_type="f32"
    )


@pytest.mark.parametrize("drafter", [*FORMS.values(), *WHOLE], ids=[*FORMS, "whole", "whole-anchor"])
def test_blocks_are_those_of_the_papers(drafter: Drafter, target: Weights, tmp_path: Path) -> None:
    """GIVEN context that grows by what a pass accepts WHEN a block is drafted after each THEN its logits agree."""
    ours, theirs = model(drafter, target, tmp_path), reference(drafter)
    for turn, (begin, end) in enumerate([(0, 3), (3, 40), (40, 41), (41, 47), (47, 112), (112, 114)]):
        ours.take(begin, FEATURES[begin:end])
        drafted = 1 + (turn * 2) % drafter.longest
        rows = ours.shape.block_rows(drafted)
        logits, hidden = ours.draft(turn + 7, drafted)
        expected, states = theirs.block(FEATURES[:end], turn + 7, rows)
        assert logits.shape == (drafted, drafter.draft_vocab)
        np.testing.assert_allclose(logits, expected[-drafted:], atol=EXACT)
        np.testing.assert_allclose(hidden, states[-drafted:], atol=EXACT)


def test_small_causal_blocks_are_computed_whole(target: Weights, tmp_path: Path) -> None:
    drafters = enumerate((*WHOLE, FORMS["z-lab-sliding"]))
    assert [model(each, target, tmp_path / str(at)).fixed for at, each in drafters] == [6, 6, 0]


@pytest.mark.parametrize("drafter", WHOLE)
@pytest.mark.parametrize("waiting", [0, 1, 3, READ_AHEAD, READ_AHEAD + 1, 3 * CONTEXT_ROWS + 1])
def test_context_is_read_with_the_block_as_it_is_before_it(
    drafter: Drafter, waiting: int, target: Weights, tmp_path: Path
) -> None:
    """GIVEN 8-bit weights, as used WHEN the rows that wait are read in a draft's own inference, or in another before it
    THEN this draft and a later one have the same bits."""
    weights = drafter_weights(write_drafter(tmp_path, drafter), target)
    joined, apart = BlockModel(weights), BlockModel(weights)
    for model in (joined, apart):
        model.take(0, FEATURES[:40])
        model.absorb()
    for begin in (40, 40 + waiting):
        end = begin + waiting
        for model in (joined, apart):
            model.take(begin, FEATURES[begin:end])
        apart.absorb()
        expected = [part.copy() for part in apart.draft(9, 5)]
        for found, part in zip(joined.draft(9, 5), expected, strict=True):
            np.testing.assert_array_equal(found, part)
        assert (joined.rows, joined.waiting) == (end, 0)


def test_a_draft_reads_the_last_rows_itself(target: Weights, tmp_path: Path) -> None:
    """WHEN more rows wait than a draft can read THEN whole chunks are read before it, and no more than needed."""
    ours = model(WHOLE[1], target, tmp_path)
    ours.take(0, FEATURES[: CONTEXT_ROWS + 3])
    ours.absorb(most=5)
    assert ours.waiting == 3
    ours.take(CONTEXT_ROWS + 3, FEATURES[:2])
    ours.absorb(most=5)
    assert ours.waiting == 5


@pytest.mark.parametrize("drafter", [FORMS["z-lab-sliding"], *WHOLE])
@pytest.mark.parametrize("sizes", [[1], [2, 1, 7], [64, 3], [100]])
def test_context_has_the_same_bits_in_any_chunking(
    drafter: Drafter, sizes: list[int], target: Weights, tmp_path: Path
) -> None:
    """8-bit weights, as used: a context row must not depend on how many came with it."""
    weights = drafter_weights(write_drafter(tmp_path, drafter), target)
    whole, chunked = BlockModel(weights), BlockModel(weights)
    for begin in range(0, 100, 5):
        whole.take(begin, FEATURES[begin : begin + 5])
        whole.absorb()
    begin, turn = 0, 0
    while begin < 100:
        end = min(begin + sizes[turn % len(sizes)], 100)
        chunked.take(begin, FEATURES[begin:end])
        chunked.absorb()
        begin, turn = end, turn + 1
    expected = whole.draft(9, 5)[0].copy()
    np.testing.assert_array_equal(chunked.draft(9, 5)[0], expected)


@pytest.mark.parametrize("drafter", [FORMS["deepspec"], *WHOLE])
def test_what_the_target_rolled_back_leaves_no_trace(
    drafter: Drafter, target: Weights, tmp_path: Path
) -> None:
    """Rejected rows, a draft that was never verified, and a next turn that shares only a part."""
    weights = drafter_weights(write_drafter(tmp_path, drafter), target)
    fresh, used = BlockModel(weights), BlockModel(weights)
    used.take(0, FEATURES[:90])
    used.draft(3, 5)
    used.take(90, FEATURES[200:208])  # rejected but for the first
    used.keep(91)
    used.draft(4, 2)
    used.take(40, FEATURES[300:340])
    assert used.rows == 80
    used.take(60, FEATURES[60:70])
    fresh.take(0, np.concatenate([FEATURES[:40], FEATURES[300:320], FEATURES[60:70]]))
    expected = fresh.draft(9, 5)[0].copy()
    np.testing.assert_array_equal(used.draft(9, 5)[0], expected)


def test_features_after_a_gap_are_not_taken(target: Weights, tmp_path: Path) -> None:
    ours = model(FORMS["z-lab"], target, tmp_path)
    ours.take(0, FEATURES[:10])
    ours.take(12, FEATURES[12:20])
    assert ours.rows == 10
    ours.take(10, FEATURES[10:20])
    assert ours.rows == 20


def test_waiting_rows_are_computed_before_they_pile_up(target: Weights, tmp_path: Path) -> None:
    """Other drafters may have the word for long: what waits is bounded, and later drafts are the same."""
    ours, theirs = model(FORMS["z-lab"], target, tmp_path), reference(FORMS["z-lab"])
    long = np.resize(FEATURES, (1500, 128))
    for begin in range(0, 1500, 6):
        ours.take(begin, long[begin : begin + 6])
        assert ours.waiting <= MOST_WAITING + 6
    np.testing.assert_allclose(ours.draft(5, 4)[0], theirs.block(long, 5, 5)[0][1:], atol=EXACT)


def test_a_long_conversation_gives_its_memory_back(target: Weights, tmp_path: Path) -> None:
    ours = model(Drafter(context=8192), target, tmp_path)
    ours.take(0, np.resize(FEATURES, (6000, 128)))
    ours.absorb()
    large = ours.cache.bytes
    ours.release([1, 2, 3])
    assert ours.rows == 3
    assert ours.cache.bytes < large


@pytest.mark.parametrize("name", FORMS)
def test_tokens_are_drawn_left_to_right_as_in_the_paper(name: str, target: Weights, tmp_path: Path) -> None:
    """Markov bias of every kind, recurrent state, reduced vocabulary, and what the confidence head claims."""
    drafter = FORMS[name]
    weights = drafter_weights(write_drafter(tmp_path, drafter), target, WeightFormat.F32)
    ours, theirs = BlockDrafter(BlockModel(weights, kv_type="f32"), draft_ids(weights)), reference(drafter)
    ours.rule = Rule(Sampling())
    for turn, length in enumerate((1, 2, 30, 31, 77)):
        ours.reset([9] * length + [turn])
        ours.model.take(0, FEATURES[:length])
        heard: list[list[float]] = []
        expected, claims = theirs.greedy(FEATURES[:length], turn, drafter.longest)
        assert ours.propose(20, listening(heard, 20)) == expected
        if drafter.confidence:
            np.testing.assert_allclose(heard[-1], claims, atol=EXACT)
        assert all(0.0 < claim <= 1.0 for claim in heard[-1])
        ours.model.take(0, FEATURES[:length])
        assert ours.propose(20, listening(heard, 2)) == expected[:2]
        ours.model.take(0, FEATURES[:length])
        assert ours.propose(20, listening(heard, 0)) == expected[:1]


def listening(heard: list[list[float]], most: int) -> Worth:
    """Notes what it is told, and has enough after `most` guesses."""

    def worth(probabilities: list[float], computed: bool = False, ahead: float | None = None) -> bool:
        assert computed
        assert ahead is not None
        heard.append([*probabilities, ahead])
        return len(heard[-1]) <= most

    return worth


def test_a_sampled_draft_uses_the_targets_noise(target: Weights, tmp_path: Path) -> None:
    """The same logits give the same token as the rule, at each position; another seed gives others."""
    ours = BlockDrafter(model(FORMS["z-lab"], target, tmp_path))
    theirs, drafts = reference(FORMS["z-lab"]), []
    for seed in (1, 2):
        ours.rule = Rule(Sampling(temperature=1.0, seed=seed))
        ours.reset([9] * 50 + [4])
        ours.model.take(0, FEATURES[:50])
        logits = theirs.block(FEATURES[:50], 4, 6)[0][1:].astype(np.float32)
        drafts.append(ours.propose(5))
        assert drafts[-1] == [ours.rule.token(row, 51 + j, None) for j, row in enumerate(logits)]
    assert drafts[0] != drafts[1]


def test_nothing_is_said_without_a_rule_or_without_the_context(target: Weights, tmp_path: Path) -> None:
    ours = BlockDrafter(model(FORMS["z-lab"], target, tmp_path))
    ours.reset([9] * 20)
    ours.model.take(0, FEATURES[:19])
    assert ours.propose(3) == []
    ours.rule = Rule(Sampling())
    assert len(ours.propose(3)) == 3
    ours.model.keep(10)
    assert ours.propose(3) == []
    ours.reset([9] * 11)
    assert len(ours.propose(3)) == 3
