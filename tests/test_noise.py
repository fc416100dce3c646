import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from engine.noise import BOUND, MARK_RATE, GumbelRow, argmax_with_noise, noise

VOCABULARY = 151_936
ALL = np.arange(VOCABULARY)
seeds = st.integers(0, 2**63 - 1)
positions = st.integers(0, 2**20)


def test_over_tokens_the_noise_is_gumbel_distributed():
    values = np.concatenate([noise(3, position, ALL) for position in range(4)])

    assert stats.kstest(values, "gumbel_r").pvalue > 0.01


@pytest.mark.parametrize("token", [0, 5, 100_000])
def test_over_positions_and_seeds_the_noise_is_gumbel_distributed(token):
    ids = np.array([token])
    values = [noise(seed, position, ids)[0] for seed in (0, 2**62 + 1) for position in range(400)]

    assert stats.kstest(values, "gumbel_r").pvalue > 0.01


def test_only_marked_tokens_exceed_the_bound_and_they_are_as_many_as_the_rate_says():
    counts = 0
    for position in range(20):
        row = GumbelRow(11, position)
        above = np.flatnonzero(row.noise(ALL) > BOUND)
        np.testing.assert_array_equal(above, row.marked(VOCABULARY))
        counts += len(above)

    assert stats.binomtest(counts, 20 * VOCABULARY, MARK_RATE).pvalue > 0.01


def test_gaps_between_marked_tokens_are_geometric():
    gaps = np.diff(np.concatenate([GumbelRow(1, position).marked(VOCABULARY) for position in range(20)]))
    gaps = gaps[gaps > 0]  # not those from one row to the next
    edges = stats.geom.ppf(np.linspace(0.1, 0.9, 9), MARK_RATE)
    expected = np.diff(stats.geom.cdf(np.concatenate([[0], edges, [np.inf]]), MARK_RATE)) * len(gaps)
    observed = np.bincount(np.searchsorted(edges, gaps), minlength=10)

    assert stats.chisquare(observed, expected).pvalue > 0.01


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((5, 7), (5, 8)),
        ((5, 7), (6, 7)),
        ((0, 1), (1, 0)),
        ((2**62, 3), (2**62 + 1, 3)),
        ((5, 7), (5, 7 + 2**16)),
    ],
)
def test_rows_of_other_seeds_and_positions_are_independent(one, other):
    tokens = np.arange(40_000)

    correlation = stats.spearmanr(noise(*one, tokens), noise(*other, tokens))

    assert correlation.pvalue > 0.01


@pytest.mark.parametrize("lag", [1, 2, 64])
def test_neighbouring_tokens_are_independent(lag):
    row = noise(9, 9, ALL)

    assert stats.spearmanr(row[lag:], row[:-lag]).pvalue > 0.01


@given(seeds, positions, st.lists(st.integers(0, VOCABULARY - 1), max_size=20))
def test_a_token_s_noise_does_not_depend_on_the_company(seed, position, tokens):
    """Neither on the other tokens asked for, nor on their order, nor on the vocabulary's size."""
    together = noise(seed, position, np.array(tokens, dtype=np.int64))

    alone = [noise(seed, position, np.array([token]))[0] for token in tokens]
    np.testing.assert_array_equal(together, alone)


def test_a_smaller_vocabulary_sees_a_prefix_of_the_row():
    np.testing.assert_array_equal(noise(4, 2, ALL[:32_000]), noise(4, 2, ALL)[:32_000])
    marked = GumbelRow(4, 2).marked(VOCABULARY)
    np.testing.assert_array_equal(GumbelRow(4, 2).marked(32_000), marked[marked < 32_000])


@given(
    st.lists(st.sampled_from([-np.inf, -3.0, 0.0, 0.5, 9.0, 30.0]), min_size=1, max_size=300),
    st.sampled_from([1e-5, 0.3, 1.0, 4.0, 100.0]),
    st.sampled_from([-np.inf, -3.0, 0.4, 0.5]),
    seeds,
    positions,
)
def test_the_argmax_is_that_of_the_whole_row(values, temperature, cutoff, seed, position):
    logits = np.array([*values, 1.0], dtype=np.float32)
    scores = logits + temperature * noise(seed, position, np.arange(len(logits)))
    scores[logits < cutoff] = -np.inf

    assert GumbelRow(seed, position).argmax(logits, temperature, cutoff) == scores.argmax()


def large_rows():
    generator = np.random.default_rng(0)
    normal = (2.5 * generator.standard_normal(VOCABULARY)).astype(np.float32)
    peaked = normal.copy()
    peaked[generator.integers(0, VOCABULARY, 60)] += 12
    ranked = (-1.2 * np.log1p(generator.permutation(VOCABULARY))).astype(np.float32)
    return {"flat": np.zeros_like(normal), "normal": normal, "peaked": peaked, "ranked": ranked}


@pytest.mark.parametrize(("name", "logits"), large_rows().items())
def test_the_argmax_is_that_of_the_whole_row_in_a_large_vocabulary(name, logits):
    for position in range(12):
        assert argmax_with_noise(logits, 7, position) == (logits + noise(7, position, ALL)).argmax()


@settings(max_examples=30)
@given(seeds, st.sets(st.integers(0, 20_000), min_size=1, max_size=3000))
def test_a_trimmed_vocabulary_gets_the_noise_of_its_token_ids(seed, chosen):
    ids = np.array(sorted(chosen))
    logits = np.sin(ids).astype(np.float32)

    expected = (logits + noise(seed, 1, ids)).argmax()

    assert GumbelRow(seed, 1).argmax(logits, ids=ids) == expected


def test_the_argmax_samples_the_softmax():
    logits = np.array([2.0, 1.0, 0.0, -1.0, -2.0, 1.5], dtype=np.float32)
    probabilities = np.exp(logits, dtype=np.float64) / np.exp(logits, dtype=np.float64).sum()
    drawn = [argmax_with_noise(logits, 1, position) for position in range(6000)]

    assert stats.chisquare(np.bincount(drawn, minlength=6), probabilities * 6000).pvalue > 0.01
