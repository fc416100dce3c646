import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from engine.request import Sampling
from engine.sampling import Rule
from engine.verify import Verdict, verify, verify_rows
from tests.test_sampling import brute_kept, brute_penalised

WORDS = 8
PROMPT = [1, 4, 4]
# Row t: the logits after token t, of a target that looks at one token. Float noise keeps ties and limits apart.
TARGET = (1.5 * np.random.default_rng(2).standard_normal((WORDS, WORDS))).astype(np.float32)
DRAFT = TARGET + np.random.default_rng(3).standard_normal((WORDS, WORDS)).astype(np.float32)
ALL_PROCESSORS = Sampling(
    temperature=1.3,
    top_k=7,
    top_p=0.93,
    min_p=0.03,
    repetition_penalty=1.2,
    presence_penalty=0.4,
    frequency_penalty=0.3,
    seed=77,
)

tokens = st.integers(0, 2)


# The count


@given(
    st.lists(tokens, max_size=6), st.lists(tokens, min_size=7, max_size=7), st.integers(0, 8), st.sets(tokens)
)
def test_a_verdict_is_the_target_s_text_as_far_as_the_draft_foresaw_it(drafted, targets, room, ends):
    """`targets` are the rule's tokens as long as the draft is right; after a mismatch they are void."""
    asked = []

    verdict = verify(drafted, lambda j: asked.append(j) or targets[j], room, ends)

    right = next((j for j, guess in enumerate(drafted) if guess != targets[j]), len(drafted))
    text = targets[: right + 1][:room]
    stop = next((j for j, token in enumerate(text) if token in ends), None)
    text = text if stop is None else text[: stop + 1]
    assert verdict == Verdict(tuple(text), min(right, len(text)), stop is not None)
    assert asked == list(range(len(text)))


@pytest.mark.parametrize(
    ("drafted", "room", "ends", "verdict", "own_token"),
    [
        ([5, 6], 9, (), Verdict((5, 6, 7), 2, False), 7),
        ([5, 3], 9, (), Verdict((5, 6), 1, False), 6),
        ([], 9, (), Verdict((5,), 0, False), 5),
        ([5, 6], 2, (), Verdict((5, 6), 2, False), None),
        ([5, 6], 9, {5}, Verdict((5,), 1, True), None),
        ([5, 6], 9, {7}, Verdict((5, 6, 7), 2, True), 7),
    ],
    ids=["bonus", "correction", "plain", "room", "accepted end", "own end"],
)
def test_the_own_token_follows_the_accepted_ones_unless_cut(drafted, room, ends, verdict, own_token):
    found = verify(drafted, [5, 6, 7].__getitem__, room, ends)

    assert found == verdict
    assert found.own_token == own_token


def test_rows_after_the_first_mismatch_are_not_read():
    logits = np.full((4, 3), np.nan, dtype=np.float32)
    logits[0] = [0, 1, 0]

    assert verify_rows([2, 2], logits, Rule(Sampling()), position=0, room=9).tokens == (1,)


# The text


def likeliest(rule, last, position, k):
    return chain(last, k, lambda token, _: int(TARGET[token].argmax()))


def runner_up(rule, last, position, k):
    """Nearly always wrong, and wrong in the most tempting way."""
    return chain(last, k, lambda token, _: int(TARGET[token].argsort()[-2]))


def erratic(rule, last, position, k):
    return np.random.default_rng(position).integers(0, WORDS, k).tolist()


def coupled(rule, last, position, k):
    return chain(last, k, lambda token, j: rule.draft_token(DRAFT[token], position + j).token)


def chain(last, k, guess):
    drafted = []
    for j in range(k):
        last = guess(last, j)
        drafted.append(last)
    return drafted


DRAFTERS = (likeliest, runner_up, erratic, coupled)


def answer(rule, drafter, length, *, start, k=2, ends=()):
    """`length` tokens after PROMPT, whose first position is taken to be `start`."""
    history = rule.history(PROMPT)
    text: list[int] = []
    while len(text) < length:
        last = text[-1] if text else PROMPT[-1]
        position = start + len(text)
        drafted = drafter(rule, last, position, k) if drafter else []
        verdict = verify_rows(
            drafted,
            TARGET[[last, *drafted]],
            rule,
            position=position,
            room=length - len(text),
            ends=ends,
            history=history,
        )
        text += verdict.tokens
        if verdict.ended:
            break
    return text


@settings(max_examples=25)
@given(
    st.builds(
        Sampling,
        temperature=st.sampled_from([0.0, 0.6, 1.0, 1.5]),
        top_k=st.sampled_from([0, 5]),
        top_p=st.sampled_from([1.0, 0.9]),
        min_p=st.sampled_from([0.0, 0.05]),
        repetition_penalty=st.sampled_from([1.0, 1.2]),
        frequency_penalty=st.sampled_from([0.0, 0.4]),
        seed=st.integers(0, 2**63 - 1),
    ),
    st.sampled_from(DRAFTERS),
    st.integers(1, 9),
    st.sampled_from([(), (6,)]),
)
def test_drafting_does_not_change_the_text(sampling, drafter, k, ends):
    rule = Rule(sampling)

    plain = answer(rule, None, 30, start=len(PROMPT), ends=ends)

    assert answer(rule, drafter, 30, start=len(PROMPT), k=k, ends=ends) == plain


def exact_probabilities(sampling: Sampling, length: int) -> dict[tuple[int, ...], float]:
    """Of each answer of `length` tokens to PROMPT, by brute force in float64."""
    probabilities = {(): 1.0}
    for _ in range(length):
        longer = {}
        for text, before in probabilities.items():
            row = TARGET[[*PROMPT, *text][-1]]
            values = brute_penalised(row, PROMPT, list(text), sampling)
            weights = np.where(brute_kept(values, sampling), np.exp(values / sampling.temperature), 0.0)
            for token, share in enumerate(weights / weights.sum()):
                longer[*text, token] = before * share
        probabilities = longer
    return probabilities


def test_no_drafter_bends_the_distribution():
    """102,000 tokens with every processor on, the drafters in turn, against the exact probabilities."""
    trials, length = 34_000, 3
    exact = exact_probabilities(ALL_PROCESSORS, length)
    rule = Rule(ALL_PROCESSORS)
    counts = dict.fromkeys(exact, 0)
    for trial in range(trials):
        counts[tuple(answer(rule, DRAFTERS[trial % 4], length, start=10 * trial))] += 1

    expected = trials * np.array(list(exact.values()))
    observed = np.array(list(counts.values()))
    assert observed[expected == 0].sum() == 0
    cells = np.where(
        expected < 5, expected.argmax(), np.arange(len(expected))
    )  # too rare for a cell of its own
    observed, expected = (np.bincount(cells, values) for values in (observed, expected))
    assert stats.chisquare(observed[expected > 0], expected[expected > 0]).pvalue > 0.01
