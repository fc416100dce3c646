import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from engine.errors import SlipstreamError
from engine.noise import noise
from engine.request import Sampling
from engine.sampling import History, Rule, filter_cutoff, penalise

# Multiples of a quarter: many ties. The shares below can't be hit exactly by sums of their softmax.
rows = st.lists(st.integers(-40, 40), min_size=1, max_size=300).map(
    lambda values: np.array(values, dtype=np.float32) / 4
)
filters = st.builds(
    Sampling,
    temperature=st.sampled_from([0.3, 0.77, 1.0, 2.3]),
    top_k=st.sampled_from([0, 1, 2, 7, 40, 500]),
    top_p=st.sampled_from([1.0, 0.0137, 0.337, 0.7139, 0.9137, 0.98771]),
    min_p=st.sampled_from([0.0, 0.0137, 0.233, 1.0]),
    seed=st.integers(0, 2**63 - 1),
)
SPREAD = np.array([1.0, 3.0, 2.0, -1.0, 0.5, 2.5], dtype=np.float32)


def brute_kept(logits: np.ndarray, sampling: Sampling) -> np.ndarray:
    """Which tokens pass top-k, top-p and min-p in turn, each on the renormalised rest, by sorting everything."""
    kept = np.ones(len(logits), dtype=bool)
    if 0 < sampling.top_k < len(logits):
        kept &= logits >= np.sort(logits)[-sampling.top_k]
    probabilities = np.where(kept, np.exp(logits.astype(np.float64) / sampling.temperature), 0.0)
    probabilities /= probabilities.sum()
    if sampling.top_p < 1.0:
        more_likely = np.array([probabilities[logits > logit].sum() for logit in logits])
        kept &= more_likely < sampling.top_p
    if sampling.min_p > 0.0:
        kept &= probabilities >= sampling.min_p * probabilities.max() * (1 - 1e-9)
    return kept


@given(rows, filters)
def test_the_filters_keep_what_full_sorts_would_keep(logits, sampling):
    kept = logits >= np.float32(filter_cutoff(logits, sampling))

    np.testing.assert_array_equal(kept, brute_kept(logits, sampling))


@given(rows, filters, st.integers(0, 10_000))
def test_the_token_is_the_best_of_the_kept_by_logit_and_noise(logits, sampling, position):
    scores = logits + sampling.temperature * noise(sampling.seed, position, np.arange(len(logits)))
    scores[~brute_kept(logits, sampling)] = -np.inf

    assert Rule(sampling).token(logits, position) == scores.argmax()


@given(rows, st.sampled_from([0.0, 0.3, 1.0, 2.3]), st.integers(0, 2**63 - 1), st.integers(0, 10_000))
def test_the_token_leads_every_other_one(logits, temperature, seed, position):
    rule = Rule(Sampling(temperature=temperature, seed=seed))
    token = rule.token(logits, position)

    assert all(rule.lead(logits, position, token, other) >= 0 for other in range(len(logits)))
    assert rule.lead(logits, position, token, token) == 0


@pytest.mark.parametrize("k", [1, 50, 1187, 1188, 20_000])
def test_top_k_keeps_k_tokens_of_a_large_vocabulary(k):
    logits = np.random.default_rng(k).permutation(151_936).astype(np.float32)

    cutoff = filter_cutoff(logits, Sampling(temperature=1.0, top_k=k))

    assert np.count_nonzero(logits >= cutoff) == k


@pytest.mark.parametrize("top_p", [0.1, 0.5, 0.95, 0.9999])
def test_top_p_keeps_the_smallest_sufficient_set_of_a_large_vocabulary(top_p):
    logits = (2.5 * np.random.default_rng(1).standard_normal(151_936)).astype(np.float32)
    probabilities = np.exp(logits, dtype=np.float64) / np.exp(logits, dtype=np.float64).sum()

    cutoff = filter_cutoff(logits, Sampling(temperature=1.0, top_p=top_p))

    assert probabilities[logits >= cutoff].sum() >= top_p - 1e-6
    assert probabilities[logits > cutoff].sum() < top_p + 1e-6


def test_temperature_zero_takes_the_likeliest_token_and_of_equals_the_lowest():
    assert Rule(Sampling()).token(np.array([1, 4, 2, 4], dtype=np.float32), 0) == 1


def test_a_temperature_too_small_to_matter_is_greedy():
    rule = Rule(Sampling(temperature=1e-30))

    assert [rule.token(SPREAD, position) for position in range(50)] == [1] * 50


@pytest.mark.parametrize("temperature", [0.0, 0.8])
@pytest.mark.parametrize("row", [[np.nan, 1], [1, np.nan], [np.inf, 0], [-np.inf, -np.inf]])
def test_logits_that_are_no_numbers_are_refused_in_words(row, temperature):
    rule = Rule(Sampling(temperature=temperature, top_p=0.9))

    with pytest.raises(SlipstreamError, match="no usable numbers"):
        rule.token(np.array(row, dtype=np.float32), 0)
    with pytest.raises(SlipstreamError, match="no usable numbers"):
        rule.draft_token(np.array(row, dtype=np.float32), 0)


@pytest.mark.parametrize("mask", [-np.inf, np.finfo(np.float32).min])
def test_a_masked_token_never_comes(mask):
    logits = np.array([0, mask, 0, mask], dtype=np.float32)
    rule = Rule(Sampling(temperature=0.5, top_k=4, top_p=0.99, min_p=0.001))

    assert {rule.token(logits, position) for position in range(200)} == {0, 2}


def test_the_same_settings_give_the_same_token_and_another_seed_other_tokens():
    def tokens(seed):
        return [Rule(Sampling(temperature=1.0, seed=seed)).token(SPREAD, i) for i in range(40)]

    assert tokens(1) == tokens(1)
    assert tokens(1) != tokens(2)


# Penalties


def brute_penalised(
    logits: np.ndarray, prompt: list[int], answer: list[int], sampling: Sampling
) -> np.ndarray:
    """Float64 logits after the penalties, straight from the definitions."""
    values = logits.astype(np.float64)
    factor = sampling.repetition_penalty
    for token in {*prompt, *answer} & set(range(len(logits))):
        values[token] *= 1 / factor if values[token] > 0 else factor
        values[token] -= sampling.frequency_penalty * answer.count(token)
        values[token] -= sampling.presence_penalty * (token in answer)
    return values


@given(
    rows,
    st.lists(st.integers(0, 310), max_size=30),
    st.lists(st.integers(0, 310), max_size=30),
    st.builds(
        Sampling,
        repetition_penalty=st.sampled_from([1.0, 1.3, 0.7]),
        presence_penalty=st.sampled_from([0.0, 0.6, -0.4]),
        frequency_penalty=st.sampled_from([0.0, 0.3, -0.2]),
    ),
)
def test_penalties_follow_their_definitions(logits, prompt, answer, sampling):
    history = History(prompt)
    for token in answer:
        history.push(token)
    before = logits.copy()

    expected = brute_penalised(logits, prompt, answer, sampling)

    np.testing.assert_allclose(penalise(logits, history, sampling), expected, rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(logits, before)


@given(st.lists(st.integers(0, 9), max_size=10), st.lists(st.none() | st.integers(0, 200), max_size=300))
def test_a_history_counts_what_was_pushed_and_not_popped(prompt, steps):
    history, answer = History(prompt), []
    for step in steps:
        if step is not None:
            history.push(step)
            answer.append(step)
        elif answer:
            history.pop()
            answer.pop()

    ids, counts = history.counts()

    expected = Counter(answer)
    assert dict(zip(ids.tolist(), counts.tolist(), strict=True)) == {
        token: expected[token] for token in {*prompt, *answer}
    }


def test_a_penalised_token_gives_way_and_comes_back():
    rule = Rule(Sampling(frequency_penalty=0.3))
    history = rule.history([1])

    tokens = []
    for position in range(5):
        tokens.append(rule.token(SPREAD, position, history))
        history.push(tokens[-1])

    assert tokens == [1, 1, 5, 1, 5]


def test_without_penalties_no_history_is_kept():
    assert Rule(Sampling(temperature=1.0, top_k=5)).history([1, 2]) is None


def test_penalties_without_a_history_are_a_mistake_of_the_caller():
    with pytest.raises(ValueError, match="history"):
        Rule(Sampling(presence_penalty=1.0)).token(SPREAD, 0)


# Drafting


@given(rows, filters, st.integers(0, 10_000))
def test_a_perfect_drafter_is_always_right(logits, sampling, position):
    rule = Rule(sampling)

    guess = rule.draft_token(logits, position)

    assert guess.token == rule.token(logits, position)
    weights = np.exp((logits.astype(np.float64) - logits.max()) / sampling.temperature)
    assert guess.probability == pytest.approx(weights[guess.token] / weights.sum(), rel=1e-4)


def test_a_greedy_guess_states_its_probability_at_temperature_one():
    guess = Rule(Sampling()).draft_token(SPREAD, 0)

    assert guess.token == 1
    assert guess.probability == pytest.approx(math.exp(3.0) / np.exp(SPREAD, dtype=np.float64).sum())


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_trimmed_vocabulary_drafts_token_ids_with_their_noise(temperature):
    generator = np.random.default_rng(5)
    ids = np.sort(generator.choice(30_000, 400, replace=False))
    full = np.full(30_000, -np.inf, dtype=np.float32)
    full[ids] = generator.standard_normal(400)
    rule = Rule(Sampling(temperature=temperature, top_p=0.9, repetition_penalty=2.0, seed=3))
    history = rule.history([*ids[::3].tolist(), 0, 29_999])

    for position in range(50):
        guess = rule.draft_token(full[ids], position, ids, history)
        assert guess.token == rule.token(full, position, history)


def acceptance(scale: float, temperature: float = 1.0) -> tuple[float, float, float]:
    """(optimal rejection sampling, same noise, greedy draft): how often a noisy copy of the target agrees."""
    generator = np.random.default_rng(0)
    rule, greedy = Rule(Sampling(temperature=temperature, seed=8)), Rule(Sampling())
    overlap, coupled, unaided = 0.0, 0, 0
    trials = 500
    for position in range(trials):
        target = (2.5 * generator.standard_normal(2000)).astype(np.float32)
        draft = target + (scale * generator.standard_normal(2000)).astype(np.float32)
        p, q = (
            np.exp(row, dtype=np.float64) / np.exp(row, dtype=np.float64).sum() for row in (target, draft)
        )
        token = rule.token(target, position)
        overlap += np.minimum(p, q).sum()
        coupled += rule.draft_token(draft, position).token == token
        unaided += greedy.draft_token(draft, position).token == token
    return overlap / trials, coupled / trials, unaided / trials


@pytest.mark.parametrize("scale", [0.3, 0.6, 1.0, 1.5])
def test_a_draft_with_the_same_noise_agrees_nearly_as_often_as_theory_allows(scale):
    optimal, coupled, greedy_draft = acceptance(scale)

    assert coupled > greedy_draft + 0.1
    assert coupled > optimal - 0.12


def test_sampled_tokens_follow_the_softmax_at_the_temperature():
    rule = Rule(Sampling(temperature=0.7, seed=1))
    weights = np.exp(SPREAD.astype(np.float64) / 0.7)
    counts = np.bincount([rule.token(SPREAD, position) for position in range(6000)], minlength=6)

    assert stats.chisquare(counts, 6000 * weights / weights.sum()).pvalue > 0.01


NUMBERS = ("temperature", "top_p", "min_p", "repetition_penalty", "presence_penalty", "frequency_penalty")


@pytest.mark.parametrize("field", NUMBERS)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 101.0])
def test_settings_without_a_sense_are_refused(field: str, value: float) -> None:
    with pytest.raises(SlipstreamError, match="must lie"):
        Sampling(**{field: value})


def test_a_repetition_penalty_next_to_zero_is_refused() -> None:
    """Dividing by it would leave no usable numbers."""
    with pytest.raises(SlipstreamError, match=r"between 0\.01 and 100"):
        Sampling(repetition_penalty=1e-300)
