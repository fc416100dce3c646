"""How many tokens to draft, on a simulated clock: costs are given, texts are coins with a known bias."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from engine.acceptance import Acceptance, Calibration
from engine.cost import CostCurve
from engine.pace import LARGEST_DRAFT, LARGEST_NGRAM, PROBE_AFTER, PROBE_PAYING, Pace, Plan

ROWS = (2, 3, 5, 9, 17, 32)
BIG = (0.046, 0.048, 0.054, 0.080, 0.125, 0.230)  # seconds: rows of a 1.5B are dear
SMALL = (0.014, 0.0142, 0.0154, 0.019, 0.026, 0.042)  # rows of a small model are nearly free


@dataclass
class Text:
    """A stretch of `tokens` in which each drafted token is right with the drafter's chance."""

    tokens: int
    draft: float = 0.0
    ngram: float = 0.0


@dataclass
class Pass:
    at: int
    source: str
    drafted: int
    reason: str


@dataclass
class Simulation:
    """Runs the pace over texts. `draft_step` None: there is no draft model."""

    costs: Sequence[float] = BIG
    draft_step: float | None = 0.018
    match: int = 0
    passes: list[Pass] = field(default_factory=list)
    seconds: float = 0.0
    tokens: int = 0

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(1)
        self.truth = CostCurve(ROWS, self.costs)
        self.pace = Pace(CostCurve(ROWS, self.costs))
        if self.draft_step is not None:
            self.pace.draft_cost.observe(self.draft_step)

    def run(self, *texts: Text) -> "Simulation":
        end = self.tokens
        for text in texts:
            end += text.tokens
            while self.tokens < end:
                self._pass(text)
        return self

    def _pass(self, text: Text) -> None:
        plan = self.pace.plan(10_000, self.match, self.draft_step is not None)
        chance = text.draft if plan.source == "draft" else text.ngram
        claims = self._claims(plan, chance) if plan.source == "draft" else []
        drafted = len(claims) or plan.k
        accepted = 0
        while accepted < drafted and self.rng.random() < chance:
            accepted += 1
        verifying = self.truth.seconds(drafted + 1)
        self.seconds += verifying + len(claims) * (self.draft_step or 0.0)
        self.pace.cost.observe(drafted + 1, verifying)
        self.pace.observe(plan, drafted, accepted, accepted + 1, self.match)
        self.pace.observe_claims(claims, accepted)
        self.passes.append(Pass(self.tokens, plan.source, drafted, plan.reason))
        self.tokens += accepted + 1

    def _claims(self, plan: Plan, chance: float) -> list[float]:
        claims = [chance]
        while len(claims) < plan.k and self.pace.worth(claims, plan.rate):
            claims.append(chance)
        return claims

    @property
    def speedup(self) -> float:
        return self.tokens * self.truth.seconds(1) / self.seconds

    def between(self, begin: int, end: int) -> list[Pass]:
        return [each for each in self.passes if begin <= each.at < end]

    def share(self, source: str, begin: int = 0) -> float:
        part = self.between(begin, self.tokens)
        return sum(each.source == source for each in part) / len(part)


def switches(passes: list[Pass]) -> int:
    return sum(a.source != b.source for a, b in itertools.pairwise(passes))


def test_adversarial_drafter_settles_at_plain_decoding() -> None:
    run = Simulation().run(Text(600, draft=0.0))
    assert run.share("plain", 30) > 0.94
    assert run.speedup > 0.97  # what the trials cost


def test_adversarial_ngram_settles_at_rows_that_cost_nothing() -> None:
    """The second row of a plain pass is padding anyway: one guess in it is free, more are not."""
    run = Simulation(draft_step=None, match=3).run(Text(400, ngram=0.0))
    assert all(each.drafted <= 1 for each in run.between(30, 400))
    assert run.speedup > 0.98


@pytest.mark.parametrize(("step", "shortest"), [(0.018, 1.5), (0.002, 3.9)])
def test_friendly_drafter_reaches_the_longer_drafts_the_cheaper_it_is(step: float, shortest: float) -> None:
    run = Simulation(draft_step=step).run(Text(400, draft=0.95))
    assert run.share("draft") == 1.0
    assert np.mean([each.drafted for each in run.between(30, 400)]) > shortest
    assert run.speedup > 1.45


def test_friendly_ngram_reaches_long_drafts() -> None:
    run = Simulation(SMALL, draft_step=None, match=20).run(Text(400, ngram=0.98))
    assert np.mean([each.drafted for each in run.between(100, 400)]) > 8
    assert run.speedup > 3.0


@pytest.mark.parametrize("bad", [0.0, 0.05, 0.15, 0.3])
@pytest.mark.parametrize("length", range(390, 420, 5))
def test_draft_model_is_back_soon_after_the_text_turned_friendly(bad: float, length: int) -> None:
    """At worst its last trial failed just before: the next comes 24 tokens later, and a few more decide."""
    run = Simulation().run(Text(length, draft=bad), Text(200, draft=1.0))
    turned = next(each.at for each in run.passes if each.at >= length)
    assert all(each.source == "draft" for each in run.between(turned + 40, run.tokens))
    assert any(each.drafted > 1 for each in run.between(turned, turned + 60))


def test_far_positions_forget_what_another_text_taught() -> None:
    """GIVEN a text in which second tokens were wrong WHEN the text turns friendly THEN drafts grow again."""
    acceptance = observed(300, lambda trial: 1)
    assert acceptance.probability(1) < 0.1
    for _ in range(40):
        acceptance.observe(1, 1)  # since then only one token was drafted
    assert acceptance.probability(1) > 0.5


def test_ngram_is_back_soon_after_the_text_turned_friendly() -> None:
    run = Simulation(draft_step=None, match=3).run(Text(400, ngram=0.0), Text(200, ngram=0.97))
    assert any(each.drafted > 2 for each in run.between(400, 440))


def test_draft_model_is_left_soon_after_the_text_turned_hostile() -> None:
    run = Simulation().run(Text(300, draft=0.95), Text(200, draft=0.05))
    assert sum(each.source == "draft" for each in run.between(340, 500)) < 20


@pytest.mark.parametrize("chance", [0.3, 0.45, 0.5, 0.6])
def test_near_break_even_it_neither_flaps_nor_loses(chance: float) -> None:
    run = Simulation().run(Text(1500, draft=chance))
    assert switches(run.passes) < len(run.passes) / 5
    assert run.speedup > 0.97


def test_the_better_of_two_drafters_serves() -> None:
    strong_ngram = Simulation(match=5).run(Text(400, draft=0.6, ngram=0.95))
    strong_draft = Simulation(match=1, draft_step=0.004).run(Text(400, draft=0.95, ngram=0.05))
    assert strong_ngram.share("ngram", 60) > 0.8
    assert strong_draft.share("draft", 60) > 0.8


def test_what_was_learnt_serves_the_next_answer() -> None:
    run = Simulation().run(Text(200, draft=0.97))
    assert run.pace.plan(100, 0, True).source == "draft"
    assert run.pace.plan(100, 0, True).k >= 2


def test_no_draft_beyond_the_room() -> None:
    run = Simulation(SMALL, draft_step=0.001, match=20).run(Text(300, draft=0.98, ngram=0.98))
    for room in range(1, 30):
        plan = run.pace.plan(room, 20, True)
        assert plan.k <= room - 1
        assert plan.k <= max(LARGEST_DRAFT, LARGEST_NGRAM)
    assert run.pace.plan(1, 20, True).source == "plain"


# The sentence


def test_the_reason_names_the_price_of_one_more_token() -> None:
    plan = Simulation().run(Text(200, draft=0.97)).pace.plan(100, 0, True)
    price = plan.reason.removeprefix(f"k={plan.k}: one more token would cost ").split(" ms for ")
    assert float(price[0]) > 18.0  # a draft step, and a row
    assert 0.0 <= float(price[1].removesuffix(" tokens")) <= 1.0


def test_plain_decoding_and_trials_say_why() -> None:
    reasons = {each.source: each.reason for each in Simulation().run(Text(300, draft=0.0)).between(60, 300)}
    assert reasons == {
        "plain": "no draft is expected to pay",
        "draft": "trying the drafter again",
    }


# What it is built on


def test_cost_follows_the_passes_it_sees() -> None:
    curve = CostCurve(ROWS, BIG)
    assert curve.seconds(1) == curve.seconds(2) == pytest.approx(0.046)
    assert curve.seconds(4) == pytest.approx(0.051)  # half-way between 3 and 5
    for _ in range(60):
        curve.observe(5, 0.108)  # a long context: everything takes twice as long
    assert curve.seconds(2) == pytest.approx(0.092, rel=0.01)


def test_a_hiccup_of_the_machine_is_soon_forgotten() -> None:
    curve = CostCurve(ROWS, BIG)
    curve.observe(2, 30.0)
    for _ in range(40):
        curve.observe(2, 0.046)
    assert curve.seconds(2) == pytest.approx(0.046, rel=0.05)


def test_measured_costs_never_fall_with_more_rows() -> None:
    curve = CostCurve((2, 3, 5), (0.05, 0.04, 0.06))
    assert curve.seconds(2) <= curve.seconds(3) <= curve.seconds(5)


def observed(trials: int, accept: Callable[[int], int]) -> Acceptance:
    acceptance = Acceptance(0.5)
    for trial in range(trials):
        acceptance.observe(4, accept(trial))
    return acceptance


def test_acceptance_is_learnt_by_position() -> None:
    acceptance = observed(200, lambda trial: 2 * (trial % 2))  # none or two of four
    assert acceptance.probability(0) == pytest.approx(0.5, abs=0.1)
    assert acceptance.probability(1) > 0.9
    assert acceptance.probability(2) < 0.1


def test_after_a_run_of_bad_luck_what_was_learnt_counts_little() -> None:
    pace = Simulation().run(Text(200, draft=0.97)).pace
    for _ in range(4):
        pace.observe_claims([0.97], 0)
    assert pace.draft.probability(0) < 0.5
    for _ in range(12):
        pace.draft.observe(1, 1)
    assert pace.draft.probability(0) > 0.7


def test_trials_that_hindsight_spares_become_rarer() -> None:
    pace = Simulation().run(Text(200, draft=0.0)).pace
    due = []
    for token in range(200):
        plan = pace.plan(100, 0, True)
        if plan.trial:
            assert not pace.trial_pays(2, 0)
            due.append(token)
        pace.observe(Plan("plain", 0, ""), 0, 0, 1, 0)
    assert min(b - a for a, b in itertools.pairwise(due)) >= PROBE_AFTER[0]
    assert due[-1] - due[-2] >= PROBE_AFTER[1]
    assert pace.trial_pays(2, 2)


def test_expected_tokens_add_up_the_chances() -> None:
    acceptance = observed(50, lambda trial: trial % 5)
    expected, alive = [1.0], 1.0
    for j in range(6):
        alive *= acceptance.probability(j)
        expected.append(expected[-1] + alive)
    assert acceptance.expected_tokens(6) == pytest.approx(expected)


def test_recent_trials_count_most() -> None:
    acceptance = observed(100, lambda trial: 4 if trial < 90 else 0)
    assert acceptance.probability(0) < 0.35


def test_claims_are_corrected_by_what_came_true() -> None:
    calibration = Calibration()
    assert calibration.probability(0.97) == pytest.approx(0.95)
    for _ in range(200):
        calibration.observe(0.97, False)
        calibration.observe(0.31, True)
    assert calibration.probability(0.97) < 0.05
    assert calibration.probability(0.31) > 0.95
    assert calibration.probability(0.55) == pytest.approx(0.55)
    assert 0.0 < calibration.probability(1.0) < 0.1


def test_the_reason_at_the_longest_draft_does_not_invent_a_price() -> None:
    pace = Pace(CostCurve([2, 32], [1.0, 1.0]))  # rows are free
    plan = pace.plan(room=4, match_length=8, use_draft=False)
    assert (plan.k, plan.reason) == (3, "k=3: the most that is drafted here at once")


def test_trials_are_rare_where_look_ups_pay() -> None:
    """GIVEN a drafter that is right now and then WHEN look-ups pay THEN many tokens lie between its trials, even after
    one that was right; WHEN they do not pay THEN it is tried as often as ever."""
    paying, patience = PROBE_PAYING
    trials = {}
    for ngram in (0.0, 0.75):
        run = Simulation(SMALL, draft_step=0.002, match=20).run(Text(2000, draft=0.25, ngram=ngram))
        trials[ngram] = [each.at for each in run.between(200, 2000) if "trying" in each.reason]
        assert run.speedup > (paying if ngram else 0.97)
    assert len(trials[0.0]) > 2 * len(trials[0.75]) > 0
    assert min(np.diff(trials[0.75])) >= patience
