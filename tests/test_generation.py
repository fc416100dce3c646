"""The loop over a table of 64 tokens: whoever drafts, the text is that of plain decoding."""

import itertools
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cost import CostCurve
from engine.detokeniser import Detokeniser
from engine.drafters.draft_model import HINDSIGHT_ROWS, DraftModelDrafter
from engine.drafters.ngram import NgramDrafter
from engine.errors import SlipstreamError
from engine.events import Delta, Event, Finished, FinishReason, Reading, Started
from engine.generation import Answer, Generation
from engine.metrics import Baseline, Meter
from engine.pace import Pace
from engine.request import Sampling, Speculation
from engine.sampling import Rule
from engine.speculator import Speculator
from engine.stops import StopMatcher
from tests.fake_models import (
    DRAFTERS,
    EOS,
    SPELLINGS,
    Adversarial,
    Drafter,
    Expected,
    FakeTarget,
    FakeVocabulary,
    Perfect,
    plain_answer,
)

PROMPT = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3]
MODES = (Speculation.OFF, Speculation.NGRAM, Speculation.DRAFT, Speculation.AUTO)
GREEDY = Sampling()
SAMPLINGS = (
    GREEDY,
    Sampling(temperature=0.7, seed=5),
    Sampling(temperature=1.0, top_k=20, top_p=0.9, seed=6),
    Sampling(repetition_penalty=1.3, presence_penalty=0.2, frequency_penalty=0.4),
    Sampling(temperature=1.0, min_p=0.05, repetition_penalty=1.2, frequency_penalty=0.3, seed=7),
)


@dataclass
class Setting:
    """One answer to be made; `drafter` is a class of fake_models, or None for the real draft-model drafter."""

    target: FakeTarget
    sampling: Sampling = GREEDY
    mode: Speculation = Speculation.AUTO
    drafter: type[Drafter] | None = Perfect
    k: int | None = None
    max_tokens: int = 60
    stops: tuple[str, ...] = ()
    context_limit: int = 10_000
    prompt: Sequence[int] = tuple(PROMPT)
    pace: Pace | None = None
    baseline: bool = True

    def generation(self, cancel: threading.Event | None = None) -> Generation:
        rule, baseline = Rule(self.sampling), Baseline()
        return Generation(
            target=self.target,
            speculator=self.speculator(rule, baseline),
            rule=rule,
            answer=Answer(Detokeniser(FakeVocabulary()), StopMatcher(self.stops)),
            meter=Meter(len(self.prompt), baseline),
            baseline=baseline,
            prompt=self.prompt,
            max_tokens=self.max_tokens,
            context_limit=self.context_limit,
            ends=frozenset({EOS}),
            cancel=cancel or threading.Event(),
        )

    def speculator(self, rule: Rule, baseline: Baseline) -> Speculator:
        return Speculator(
            self.mode,
            self.pace or Pace(CostCurve([2, 32], [1.0, 1.6])),
            ngram=NgramDrafter(min_match=1),
            draft=self._draft(rule),
            draft_tokens=self.k,
            baseline_age=(lambda: baseline.age_s) if self.baseline else None,
        )

    def _draft(self, rule: Rule):
        if self.drafter is not None:
            return self.drafter(rule, self.target)
        drafter = DraftModelDrafter(FakeTarget(seed=self.target.seed))
        drafter.model.table += 0.7 * FakeTarget(seed=self.target.seed + 1).table
        drafter.rule = rule
        return drafter

    def events(self) -> list[Event]:
        return list(self.generation().run())

    def expected(self) -> Expected:
        return plain_answer(
            self.target,
            Rule(self.sampling),
            self.prompt,
            max_tokens=self.max_tokens,
            stops=self.stops,
            context_limit=self.context_limit,
        )


def found(events: list[Event]) -> Expected:
    last = events[-1]
    assert isinstance(last, Finished)
    return Expected(last.text, last.token_ids, last.reason)


def deltas(events: list[Event]) -> list[Delta]:
    return [event for event in events if isinstance(event, Delta)]


# The same text for every drafter


@pytest.mark.parametrize("sampling", SAMPLINGS, ids=["greedy", "0.7", "1.0", "penalties", "all"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("drafter", [*DRAFTERS.values(), None])
def test_text_is_that_of_plain_decoding(mode: Speculation, drafter, sampling: Sampling) -> None:
    for k in (None, 1, 3, 8):
        setting = Setting(FakeTarget(seed=11), sampling, mode, drafter, k, max_tokens=40)
        assert found(setting.events()) == setting.expected()


TARGETS = {seed: FakeTarget(seed, eos_bias=4.5 * (seed % 2) - 2.0) for seed in range(8)}
SETTINGS = st.builds(
    Setting,
    target=st.sampled_from(list(TARGETS.values())),
    sampling=st.sampled_from(SAMPLINGS),
    mode=st.sampled_from(MODES),
    drafter=st.sampled_from([*DRAFTERS.values(), None]),
    k=st.sampled_from([None, *range(1, 9)]),
    max_tokens=st.integers(1, 40),
    stops=st.lists(st.text("abé漢 ehtnd", min_size=1, max_size=3), max_size=2).map(tuple),
    context_limit=st.integers(len(PROMPT) + 1, len(PROMPT) + 60),
)


@settings(max_examples=100, deadline=None)
@given(SETTINGS)
def test_any_answer_ends_as_plain_decoding_does(setting: Setting) -> None:
    """Text, tokens and reason: EOS and stop strings inside accepted runs, the length and the context limit."""
    events = setting.events()
    assert found(events) == setting.expected()
    check_bookkeeping(setting, events)


def check_bookkeeping(setting: Setting, events: list[Event]) -> None:
    """What the events say of each other."""
    passes, last = deltas(events), events[-1]
    assert isinstance(next(event for event in events if not isinstance(event, Reading)), Started)
    assert isinstance(last, Finished)
    assert last.text.startswith("".join(each.text for each in passes))
    committed = [token for each in passes for token in each.tokens]
    assert tuple(committed[: len(last.token_ids)]) == last.token_ids
    assert len(committed) <= setting.max_tokens
    assert len(setting.prompt) + len(committed) <= setting.context_limit
    assert setting.target.tokens == [*setting.prompt, *committed][:-1]
    for each in passes:
        assert each.drafted[: each.accepted] == each.tokens[: each.accepted]
        assert len(each.tokens) in (each.accepted, each.accepted + 1)
        assert (each.source == "plain") == (not each.drafted)
    check_stats(passes, last)


def check_stats(passes: list[Delta], last: Finished) -> None:
    """Every number once more, from the deltas alone."""
    stats, drafted = last.stats, sum(len(each.drafted) for each in passes)
    accepted, tokens = sum(each.accepted for each in passes), sum(len(each.tokens) for each in passes)
    by_source: Counter[str] = Counter()
    for each in passes:
        by_source[each.source] += len(each.drafted)
    longest = max((len(each.drafted) for each in passes), default=0)
    by_position = tuple(
        (sum(len(e.drafted) > j for e in passes), sum(e.accepted > j for e in passes)) for j in range(longest)
    )
    assert (stats.drafted, stats.accepted, stats.tokens) == (drafted, accepted, tokens)
    assert stats.target_passes == len(passes)
    assert stats.tokens_per_pass == tokens / len(passes)
    assert stats.acceptance_rate == (accepted / drafted if drafted else None)
    assert stats.accepted_by_position == by_position
    assert stats.drafted_by_source == {name: count for name, count in by_source.items() if count}
    assert stats.decode_s == pytest.approx(sum(each.seconds for each in passes))
    assert passes[-1].stats.tokens == tokens


# Limits inside an accepted run


def test_perfect_drafter_commits_whole_runs() -> None:
    setting = Setting(FakeTarget(), mode=Speculation.DRAFT, k=4, max_tokens=50, baseline=False)
    assert [len(each.tokens) for each in deltas(setting.events())] == [5] * 10


def test_end_of_sequence_inside_an_accepted_run_ends_the_answer_there() -> None:
    target = FakeTarget(seed=2, eos_bias=3.0)
    setting = Setting(target, mode=Speculation.DRAFT, k=8, max_tokens=200, baseline=False)
    events = setting.events()
    last = deltas(events)[-1]
    assert last.tokens[-1] == EOS
    assert last.accepted == len(last.tokens) < len(last.drafted)
    assert found(events) == setting.expected()


@pytest.mark.parametrize("max_tokens", range(1, 14))
def test_never_a_token_too_many(max_tokens: int) -> None:
    setting = Setting(FakeTarget(), mode=Speculation.DRAFT, k=8, max_tokens=max_tokens)
    events = setting.events()
    assert sum(len(each.tokens) for each in deltas(events)) == max_tokens
    assert found(events).reason is FinishReason.LENGTH


@pytest.mark.parametrize("room", range(1, 14))
def test_context_is_filled_and_not_passed(room: int) -> None:
    setting = Setting(FakeTarget(), mode=Speculation.DRAFT, k=8, context_limit=len(PROMPT) + room)
    events = setting.events()
    assert len(found(events).tokens) == room
    assert found(events).reason is FinishReason.CONTEXT
    assert len(setting.target.tokens) < setting.context_limit


@pytest.mark.parametrize("drafter", DRAFTERS.values())
def test_stop_string_that_spans_tokens_cuts_there(drafter: type[Drafter]) -> None:
    """GIVEN a stop string over the border of two tokens in the middle of an answer."""
    target = FakeTarget(seed=3)
    whole = Setting(target).expected()
    middle = "".join(SPELLINGS[t].decode("latin-1") for t in whole.tokens)
    at = next(i for i in range(12, 30) if middle[i : i + 3].isascii() and middle[i : i + 3].strip())
    stop = middle[at : at + 3]
    setting = Setting(target, mode=Speculation.DRAFT, drafter=drafter, k=8, stops=(stop,))
    events = setting.events()
    assert found(events) == setting.expected()
    assert found(events).reason is FinishReason.STOP
    assert stop not in found(events).text


# Cancelling, closing, failing


def test_cancel_stops_between_two_passes() -> None:
    cancel, seen = threading.Event(), []
    setting = Setting(FakeTarget(), mode=Speculation.DRAFT, k=3)
    for event in setting.generation(cancel).run():
        seen.append(event)
        if len(deltas(seen)) == 4:
            cancel.set()
    assert len(deltas(seen)) == 4
    assert found(seen).reason is FinishReason.CANCELLED
    expected = setting.expected()
    assert found(seen).tokens == expected.tokens[: len(found(seen).tokens)]
    assert expected.text.startswith(found(seen).text)


def test_cancelled_prompt_gives_no_token() -> None:
    cancel = threading.Event()
    cancel.set()
    events = list(Setting(FakeTarget()).generation(cancel).run())
    assert found(events) == Expected("", (), FinishReason.CANCELLED)


def test_closed_generator_leaves_a_cache_that_the_next_answer_can_use() -> None:
    setting = Setting(FakeTarget(), mode=Speculation.DRAFT, drafter=Adversarial, k=5)
    running = setting.generation().run()
    seen = [next(running) for _ in range(6)]
    running.close()
    committed = [token for each in deltas(seen) for token in each.tokens]
    assert setting.target.tokens == [*PROMPT, *committed][:-1]
    events = setting.events()
    assert isinstance(events[0], Started)
    assert events[0].reused_tokens == len(PROMPT) - 1
    assert found(events) == setting.expected()


def test_next_turn_reuses_prompt_and_answer() -> None:
    target = FakeTarget()
    first = Setting(target, mode=Speculation.DRAFT, drafter=Adversarial, k=4, max_tokens=30)
    answer = found(first.events()).tokens
    second = Setting(target, prompt=[*PROMPT, *answer, 7, 7, 7], mode=Speculation.NGRAM)
    events = second.events()
    assert isinstance(events[0], Started)
    assert events[0].reused_tokens == len(PROMPT) + len(answer) - 1
    assert found(events) == second.expected()


def test_failing_target_raises_and_what_came_before_stands() -> None:
    setting = Setting(FakeTarget(), mode=Speculation.DRAFT, k=3, baseline=False)
    list(setting.target.prefill(PROMPT))
    setting.target.fails_after = setting.target.forwards + 5
    seen: list[Event] = []
    with pytest.raises(SlipstreamError, match="could not go on"):
        seen.extend(iter(setting.generation().run()))
    setting.target.fails_after = None
    assert len(deltas(seen)) == 5
    assert setting.expected().text.startswith("".join(each.text for each in deltas(seen)))
    assert found(setting.events()) == setting.expected()


# The draft model's own cache


def draft_model(rule: Rule, seed: int) -> DraftModelDrafter:
    drafter = DraftModelDrafter(FakeTarget(seed))
    drafter.rule = rule
    return drafter


def test_draft_model_reads_only_what_is_new() -> None:
    """GIVEN guesses of which two were right WHEN it drafts again THEN only what it has not seen is read."""
    drafter = draft_model(Rule(GREEDY), seed=1)
    drafter.reset(PROMPT)
    guesses = drafter.propose(4)
    assert drafter.model.tokens == [*PROMPT, *guesses[:3]]
    drafter.observe([*guesses[:2], 60])
    before = drafter.model.rows
    again = drafter.propose(1)
    assert drafter.model.rows == before + 1
    assert drafter.model.tokens == [*PROMPT, *guesses[:2], 60]
    fresh = draft_model(Rule(GREEDY), seed=1)
    fresh.reset([*PROMPT, *guesses[:2], 60])
    assert again == fresh.propose(1)
    drafter.observe([5, 6])
    before = drafter.model.rows
    drafter.propose(1)
    assert drafter.model.rows == before + 2


@pytest.mark.parametrize("missed", [1, 2, 3, 30])
def test_draft_model_judges_itself_in_hindsight(missed: int) -> None:
    """GIVEN a model that has not read the last tokens THEN it says whether it would have guessed them, and forgets
    what it read for that."""
    drafter = draft_model(Rule(GREEDY), seed=1)
    drafter.reset(PROMPT)
    drafter.propose(1)
    drafter.observe([7 + j for j in range(missed)])
    judged, right = drafter.hindsight()
    known = [*PROMPT, *[7 + j for j in range(missed)]]
    unread = known[len(PROMPT) : -1][-HINDSIGHT_ROWS:]
    assert judged == min(len(unread), 2)
    seen = [*PROMPT, *unread]
    guesses = [
        int(drafter.model.logits(seen[: len(seen) - back]).argmax()) for back in reversed(range(judged))
    ]
    assert right == sum(
        guess == token for guess, token in zip(guesses, known[len(known) - judged :], strict=True)
    )
    assert drafter.model.tokens == PROMPT
    fresh = draft_model(Rule(GREEDY), seed=1)
    fresh.reset(known)
    assert drafter.propose(2) == fresh.propose(2)


def test_draft_model_has_hindsight_of_what_it_would_have_guessed() -> None:
    drafter = draft_model(Rule(GREEDY), seed=1)
    drafter.reset(PROMPT)
    drafter.propose(1)
    wise = draft_model(Rule(GREEDY), seed=1)
    wise.reset(PROMPT)
    drafter.observe(wise.propose(4))
    assert drafter.hindsight() == (2, 2)


def test_draft_model_keeps_what_two_conversations_share() -> None:
    drafter = draft_model(Rule(GREEDY), seed=1)
    drafter.reset([*range(50)])
    drafter.propose(1)
    before = drafter.model.rows
    drafter.reset([*range(45), 9, 9, 9])
    drafter.propose(1)
    assert drafter.model.rows == before + 3


def step_by_step(model: FakeTarget, rule: Rule, tokens: list[int], k: int) -> list[int]:
    """What a draft model guesses that reads one token at a time."""
    guesses: list[int] = []
    for _ in range(k):
        logits = model.logits([*tokens, *guesses])
        guesses.append(rule.draft_token(logits, len(tokens) + len(guesses)).token)
    return guesses


@pytest.mark.parametrize("sampling", [GREEDY, Sampling(temperature=1.0, seed=3)])
@pytest.mark.parametrize("seed", range(4))
def test_what_repeats_in_the_text_is_guessed_in_fewer_steps_and_alike(seed: int, sampling: Sampling) -> None:
    """GIVEN a text that the draft model has written itself, twice THEN reading ahead changes no guess."""
    rule, model = Rule(sampling), FakeTarget(seed)
    written = step_by_step(model, rule, PROMPT, 40)
    drafter = draft_model(rule, seed)
    drafter.reset([*PROMPT, *written, *PROMPT])
    for k in range(1, 9):
        drafter.model.rollback(0)
        assert drafter.propose(k) == step_by_step(model, rule, [*PROMPT, *written, *PROMPT], k)


def test_a_draft_model_that_agrees_with_the_repetition_takes_few_steps() -> None:
    model = FakeTarget(seed=2)
    written = step_by_step(model, Rule(GREEDY), PROMPT, 60)
    drafter = draft_model(Rule(GREEDY), seed=2)
    drafter.reset([*PROMPT, *written, *PROMPT])
    drafter.propose(1)
    before = drafter.model.forwards
    assert drafter.propose(8) == step_by_step(model, Rule(GREEDY), [*PROMPT, *written, *PROMPT], 8)
    assert drafter.model.forwards - before <= 4


def test_cancel_stops_a_draft_model_that_reads_a_long_text() -> None:
    cancel = threading.Event()
    drafter = draft_model(Rule(GREEDY), seed=1)
    drafter.cancel = cancel
    drafter.reset([i % 60 for i in range(500)])
    cancel.set()
    assert drafter.propose(4) == []
    assert drafter.model.rows == 0


# What the numbers mean


def test_plain_passes_measure_the_baseline_and_speed_up_is_never_assumed() -> None:
    fixed = Setting(FakeTarget(), mode=Speculation.DRAFT, k=3, baseline=False).events()[-1]
    assert isinstance(fixed, Finished)
    assert fixed.stats.plain_tokens_per_second is None
    assert fixed.stats.speedup is None
    measured = Setting(FakeTarget(), mode=Speculation.DRAFT, k=3).events()[-1]
    assert isinstance(measured, Finished)
    assert measured.stats.speedup is not None
    assert measured.stats.speedup == pytest.approx(
        measured.stats.tokens_per_second / measured.stats.plain_tokens_per_second
    )


def test_a_plain_pass_after_a_longer_one_is_no_measure_of_plain_decoding() -> None:
    """The plugin prepares itself for another number of rows; plain decoding never makes it do so."""
    setting = Setting(FakeTarget(), mode=Speculation.DRAFT, k=3)
    generation = setting.generation()
    observed: list[int] = []
    generation.baseline.observe = lambda seconds, context: observed.append(context)  # type: ignore[method-assign]
    rows = [len(delta.drafted) for delta in generation.run() if isinstance(delta, Delta)]
    plain = [k == 0 for k in rows]
    assert len(observed) == sum(now and before for before, now in itertools.pairwise(plain))
    assert 0 < len(observed) < sum(plain)


def test_a_prompt_of_several_chunks_tells_how_far_it_is_read() -> None:
    setting = Setting(FakeTarget())
    read = [event for event in setting.events() if isinstance(event, Reading)]
    assert read == [Reading(done, len(PROMPT)) for done in range(4, len(PROMPT) - 1, 4)]
    assert not any(isinstance(event, Reading) for event in setting.events())  # all but the last is known


def test_started_comes_with_the_first_token() -> None:
    events = [event for event in Setting(FakeTarget()).events() if not isinstance(event, Reading)]
    assert isinstance(events[0], Started)
    assert events[0].prompt_tokens == len(PROMPT)
    assert events[0].reused_tokens == 0
    assert isinstance(events[-1], Finished)
    assert events[-1].stats.ttft_s == events[0].ttft_s
