"""EAGLE heads against a plain float64 forward pass without a cache, draft by draft."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.drafters.dflash import BlockDrafter
from engine.drafters.eagle_model import EagleModel
from engine.drafters.follower import CONTEXT_ROWS, MOST_WAITING, READ_AHEAD
from engine.drafters.followers import follower_of
from engine.drafters.protocol import Worth
from engine.graphs.compress import WeightFormat
from engine.graphs.convert import converted_weights
from engine.graphs.dflash import DrafterWeights
from engine.graphs.dflash_convert import draft_ids, drafter_weights
from engine.graphs.weights import Weights
from engine.request import Sampling
from engine.sampling import Rule
from tests.dflash_checkpoints import Drafter
from tests.eagle_checkpoints import EAGLE, HEADS, EagleReference, Row, write_head
from tests.tiny_models import Shape, tensors, write_model

TARGET = Shape("qwen2", layers=4, context=4096)
RNG = np.random.default_rng(5)
FEATURES = RNG.standard_normal((400, 128)).astype(np.float32) * 2.0
TOKENS = RNG.integers(0, 259, 401).tolist()
GROWTH = (3, 40, 41, 47, 112, 114)  # rows known at each turn
EXACT = 1e-4


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Weights:
    folder = tmp_path_factory.mktemp("target")
    write_model(folder / "model.gguf", TARGET)
    return converted_weights(folder, WeightFormat.F32)


@pytest.fixture(scope="module")
def used_weights(target: Weights, tmp_path_factory: pytest.TempPathFactory) -> DrafterWeights:
    """In 8 bits, as a person's are."""
    return drafter_weights(write_head(tmp_path_factory.mktemp("eagle"), HEADS["reduced"]), target)


@pytest.fixture(scope="module")
def compiled(used_weights: DrafterWeights) -> tuple[EagleModel, EagleModel]:
    return EagleModel(used_weights), EagleModel(used_weights)


@pytest.fixture
def two(compiled: tuple[EagleModel, EagleModel]) -> tuple[EagleModel, EagleModel]:
    """Models with 8-bit weights that know nothing."""
    for each in compiled:
        each.keep(0)
    return compiled


def reference(head: Drafter) -> EagleReference:
    written = tensors(TARGET)
    return EagleReference(head, written["token_embd.weight"], written["output.weight"])


def exact_weights(head: Drafter, target: Weights, folder: Path) -> DrafterWeights:
    return drafter_weights(write_head(folder, head), target, WeightFormat.F32)


def model(head: Drafter, target: Weights, folder: Path) -> EagleModel:
    return EagleModel(exact_weights(head, target, folder), kv_type="f32")


def drafter(head: Drafter, target: Weights, folder: Path) -> BlockDrafter:
    """Greedy."""
    weights = exact_weights(head, target, folder)
    found = BlockDrafter(EagleModel(weights, kv_type="f32"), draft_ids(weights))
    found.rule = Rule(Sampling())
    return found


def take(ours: EagleModel, begin: int, end: int) -> None:
    ours.take(begin, FEATURES[begin:end], TOKENS[begin:end])


def drawn(ours: EagleModel, anchor: int, previous: Sequence[int]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Logits and hidden states of a draft in which the tokens `previous` follow the anchor."""
    ours.draft(anchor, 1 + len(previous))
    ours.step.reset()
    rows = []
    for row, token in enumerate([anchor, *previous]):
        logits, _ = ours.step.run(row, token)
        bound = ours.step.bound if row else ours.first
        rows.append((logits.copy(), bound.output("hidden")[0].copy()))
    return rows


def assert_drafts(ours: EagleModel, anchor: int, expected: list[Row]) -> None:
    """Every row of a draft, after the tokens that were expected before it."""
    logits, hidden = ours.draft(anchor, len(expected))
    np.testing.assert_allclose(logits, expected[0].logits[None], atol=EXACT)
    np.testing.assert_allclose(hidden, expected[0].hidden[None], atol=EXACT)
    ours.step.reset()
    previous = anchor
    for row, each in enumerate(expected):
        logits, claim = ours.step.run(row, previous)
        np.testing.assert_allclose(logits, each.logits, atol=EXACT)
        if row:
            np.testing.assert_allclose(ours.step.bound.output("hidden")[0], each.hidden, atol=EXACT)
        assert (claim is None) is (each.claim is None)
        assert claim is None or abs(claim - each.claim) < EXACT
        previous = each.token


@pytest.mark.parametrize("name", HEADS)
def test_drafts_are_those_of_the_definition(name: str, target: Weights, tmp_path: Path) -> None:
    """GIVEN context that grows by what a pass accepts WHEN a draft is made after each THEN every row of it agrees."""
    ours, theirs = model(HEADS[name], target, tmp_path), reference(HEADS[name])
    for begin, end in zip((0, *GROWTH), GROWTH, strict=False):
        take(ours, begin, end)
        expected = theirs.draft(FEATURES[:end], TOKENS[: end + 1], HEADS[name].longest)
        assert_drafts(ours, TOKENS[end], expected)
        assert (ours.rows, ours.waiting) == (end, 0)


def test_the_first_token_stands_beside_nothing(target: Weights, tmp_path: Path) -> None:
    """No feature is known: the anchor is the whole conversation."""
    ours, theirs = model(EAGLE, target, tmp_path), reference(EAGLE)
    assert_drafts(ours, TOKENS[0], theirs.draft(FEATURES[:0], TOKENS[:1], 6))


@pytest.mark.parametrize("name", HEADS)
def test_each_further_guess_is_computed_only_when_asked(
    name: str, target: Weights, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIVEN the greedy draft of the definition WHEN `worth` has enough after some guesses THEN it is told how sure the
    head was of those, and no more of them were computed."""
    ours, theirs, longest = (
        drafter(HEADS[name], target, tmp_path),
        reference(HEADS[name]),
        HEADS[name].longest,
    )
    step, runs = ours.model.step, []
    computed = step.bound.run
    monkeypatch.setattr(step.bound, "run", lambda: (runs.append(1), computed()))
    known = 0
    for length in (1, 2, 30, 31, 77):
        take(ours.model, known, length)
        known = length
        ours.reset(TOKENS[: length + 1])
        rows = theirs.draft(FEATURES[:length], TOKENS[: length + 1], longest)
        for enough in (1, 3, longest, 20):
            heard: list[list[float]] = []
            runs.clear()
            count = min(enough, longest)
            assert ours.propose(20, listening(heard, enough)) == [row.token for row in rows[:count]]
            assert len(runs) == count - 1
            assert [len(told) for told in heard] == list(range(1, count + 1))
            np.testing.assert_allclose(heard[-1], [sureness(row) for row in rows[:count]], atol=EXACT)
        runs.clear()
        assert ours.propose(4) == [row.token for row in rows[:4]]
        assert len(runs) == 3


def listening(heard: list[list[float]], enough: int) -> Worth:
    """Notes what it is told, and does not want a further guess after so many."""

    def worth(probabilities: list[float], computed: bool = False, ahead: float | None = None) -> bool:
        assert not computed
        assert ahead is None
        heard.append(list(probabilities))
        return len(probabilities) < enough

    return worth


def sureness(row: Row) -> float:
    """Of a greedy guess: what the confidence head says, or else the probability of the token."""
    return float(1.0 / np.exp(row.logits - row.logits.max()).sum()) if row.claim is None else row.claim


def test_what_was_rejected_leaves_no_trace(target: Weights, tmp_path: Path) -> None:
    """GIVEN a draft of which a pass accepted one token, and rows of rejected ones that were taken but not read THEN the
    next draft is that of the conversation alone."""
    ours, theirs = model(EAGLE, target, tmp_path), reference(EAGLE)
    take(ours, 0, 50)
    drawn(ours, TOKENS[50], [7, 8, 9, 10])
    ours.take(50, np.concatenate([FEATURES[50:52], FEATURES[300:303]]), [*TOKENS[50:52], 1, 2, 3])
    ours.keep(52)
    assert_drafts(ours, TOKENS[52], theirs.draft(FEATURES[:52], TOKENS[:53], 5))


def test_after_a_rollback_one_row_stands_beside_zeros(target: Weights, tmp_path: Path) -> None:
    """GIVEN 90 rows that were read WHEN the target goes on from the 40th THEN what it said before that is unknown, and
    everything else is as it would be."""
    ours, theirs = model(EAGLE, target, tmp_path), reference(EAGLE)
    take(ours, 0, 90)
    drawn(ours, TOKENS[90], [3, 4])
    ours.take(40, FEATURES[200:260], TOKENS[200:260])
    assert ours.rows == 100
    features = np.concatenate([FEATURES[:40], FEATURES[200:260]])
    tokens = [*TOKENS[:40], *TOKENS[200:260], 5]
    assert_drafts(ours, 5, theirs.draft(features, tokens, 5, unknown=[40]))


@pytest.mark.parametrize("waiting", [0, 1, READ_AHEAD, READ_AHEAD + 1, 3 * CONTEXT_ROWS + 1])
def test_a_draft_reads_rows_as_they_are_read_before_it(
    waiting: int, two: tuple[EagleModel, EagleModel]
) -> None:
    """GIVEN 8-bit weights, as used WHEN the rows that wait are read in a draft's own inference, or in another before it
    THEN this draft and a later one have the same bits."""
    joined, apart = two
    for ours in (joined, apart):
        take(ours, 0, 40)
        ours.absorb()
    for begin in (40, 40 + waiting):
        end = begin + waiting
        for ours in (joined, apart):
            take(ours, begin, end)
        apart.absorb()
        expected = drawn(apart, TOKENS[end], [11, 12, 13])
        np.testing.assert_equal(drawn(joined, TOKENS[end], [11, 12, 13]), expected)
        assert (joined.rows, joined.waiting) == (end, 0)


@pytest.mark.parametrize("sizes", [[1], [2, 1, 7], [64, 3], [100]])
def test_context_has_the_same_bits_in_any_chunking(
    sizes: list[int], two: tuple[EagleModel, EagleModel]
) -> None:
    fives, chunked = two
    for begin in range(0, 100, 5):
        take(fives, begin, begin + 5)
        fives.absorb()
    begin, turn = 0, 0
    while begin < 100:
        end = min(begin + sizes[turn % len(sizes)], 100)
        take(chunked, begin, end)
        chunked.absorb()
        begin, turn = end, turn + 1
    np.testing.assert_equal(drawn(chunked, 9, [11, 12]), drawn(fives, 9, [11, 12]))


def test_a_draft_reads_the_last_rows_itself(two: tuple[EagleModel, EagleModel]) -> None:
    """WHEN more rows wait than a draft can read THEN whole chunks are read before it, and no more than needed."""
    ours, _ = two
    take(ours, 0, CONTEXT_ROWS + 3)
    ours.absorb(most=5)
    assert ours.waiting == 3
    take(ours, CONTEXT_ROWS + 3, CONTEXT_ROWS + 5)
    ours.absorb(most=5)
    assert ours.waiting == 5


def test_waiting_rows_are_computed_before_they_pile_up(target: Weights, tmp_path: Path) -> None:
    """Other drafters may have the word for long: what waits is bounded, and later drafts are the same."""
    ours, theirs = model(EAGLE, target, tmp_path), reference(EAGLE)
    long, tokens = np.resize(FEATURES, (1100, 128)), np.resize(TOKENS, 1101).tolist()
    most = 0
    for begin in range(0, 1100, 50):
        ours.take(begin, long[begin : begin + 50], tokens[begin : begin + 50])
        most = max(most, ours.waiting)
    assert MOST_WAITING <= most < MOST_WAITING + 50
    assert_drafts(ours, tokens[1100], theirs.draft(long, tokens, 2))


def test_without_memory_for_its_context_it_falls_silent(target: Weights, tmp_path: Path) -> None:
    ours = drafter(EAGLE, target, tmp_path)
    ours.model.cache._free = lambda: 0
    for begin in range(0, 2 * MOST_WAITING, 64):
        ours.model.take(begin, np.resize(FEATURES, (64, 128)), [0] * 64)
    assert ours.model.rows == 0
    ours.reset([0] * (2 * MOST_WAITING + 1))
    assert ours.propose(3) == []


def test_a_gap_in_the_features_silences_it(target: Weights, tmp_path: Path) -> None:
    """GIVEN rows after a gap THEN they are not taken, and it drafts again once the target has read what is missing."""
    ours, theirs = drafter(EAGLE, target, tmp_path), reference(EAGLE)
    take(ours.model, 0, 10)
    take(ours.model, 12, 20)
    assert ours.model.rows == 10
    ours.reset(TOKENS[:21])
    assert ours.propose(3) == []
    take(ours.model, 10, 20)
    expected = [row.token for row in theirs.draft(FEATURES[:20], TOKENS[:21], 3)]
    assert ours.propose(3) == expected


def test_nothing_is_said_without_a_rule_or_without_the_context(target: Weights, tmp_path: Path) -> None:
    ours = drafter(EAGLE, target, tmp_path)
    ours.reset(TOKENS[:20])
    take(ours.model, 0, 19)
    rule, ours.rule = ours.rule, None
    assert ours.propose(3) == []
    ours.rule = rule
    assert len(ours.propose(3)) == 3
    ours.model.keep(10)
    assert ours.propose(3) == []
    ours.reset(TOKENS[:11])
    assert len(ours.propose(3)) == 3


def test_it_drafts_up_to_its_own_context_and_no_further(target: Weights, tmp_path: Path) -> None:
    """The last draft that fits ends at the last place; rows beyond the context are not taken."""
    head = replace(EAGLE, context=70, window=70)
    ours, theirs = drafter(head, target, tmp_path), reference(head)
    take(ours.model, 0, 66)
    ours.reset(TOKENS[:67])
    assert ours.propose(4) == []
    expected = [row.token for row in theirs.draft(FEATURES[:66], TOKENS[:67], 3)]
    assert ours.propose(3) == expected
    take(ours.model, 66, 71)
    assert ours.model.rows == 66
    take(ours.model, 66, 70)
    assert ours.model.rows == 70
    ours.reset(TOKENS[:71])
    assert ours.propose(1) == []


@pytest.mark.parametrize("name", ["whole", "unsure"])
def test_a_sampled_draft_uses_the_targets_noise(name: str, target: Weights, tmp_path: Path) -> None:
    """The same logits give the same token as the rule, at each position; another seed gives others."""
    ours = drafter(HEADS[name], target, tmp_path)
    drafts = []
    take(ours.model, 0, 50)
    for seed in (1, 2):
        ours.rule = Rule(Sampling(temperature=1.0, seed=seed))
        ours.reset(TOKENS[:51])
        drafts.append(ours.propose(5))
        assert drafts[-1] == sampled(ours, HEADS[name], TOKENS[50], 5)
    assert drafts[0] != drafts[1]


def sampled(ours: BlockDrafter, head: Drafter, anchor: int, count: int) -> list[int]:
    """By the rule on the whole vocabulary, where tokens that are not drafted are as good as impossible."""
    assert ours.rule is not None
    found: list[int] = []
    for place in range(count):
        logits = np.full(head.vocab, -1e9, dtype=np.float32)
        logits[list(head.drafted or range(head.vocab))] = drawn(ours.model, anchor, found)[-1][0]
        found.append(ours.rule.token(logits, 51 + place, None))
    return found


def test_the_shape_decides_which_model_drafts(used_weights: DrafterWeights) -> None:
    found = follower_of(used_weights)
    assert isinstance(found, EagleModel)
    assert not found.whole
