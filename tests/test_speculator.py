"""Who drafts: the cascade, fixed or paced, and the stretches that measure plain decoding."""

import pytest

from engine.cost import BlockCost, CostCurve
from engine.drafters.ngram import NgramDrafter
from engine.pace import Pace
from engine.request import Speculation
from engine.speculator import BASELINE_EVERY, BASELINE_FRESH_S, BASELINE_START, Speculator

REPEATING = [1, 2, 3, 4, 1, 2, 3, 4, 1, 2]
NOVEL = list(range(10))


class Draft:
    """Counts upwards; silent from `context` tokens on, as a model with a small context is."""

    source = "draft"
    was_current = True

    def __init__(self, context: int = 10_000, probability: float = 0.9) -> None:
        self.context, self.probability = context, probability
        self.tokens: list[int] = []
        self.asked: list[int] = []
        self.read_early = False
        self.judged, self.right = 0, 2

    def reset(self, tokens) -> None:
        self.tokens = list(tokens)

    def read(self) -> None:
        self.read_early = True

    def observe(self, tokens) -> None:
        self.tokens.extend(tokens)

    def hindsight(self) -> tuple[int, int]:
        self.judged += 1
        return 2, self.right

    def propose(self, k, worth) -> list[int]:
        self.asked.append(k)
        guesses: list[int] = []
        while len(guesses) < k and len(self.tokens) + k <= self.context:
            guesses.append(100 + len(guesses))
            if not worth([self.probability] * len(guesses)):
                break
        return guesses


def speculator(mode=Speculation.AUTO, *, k=None, draft: Draft | None = None, age=None, tokens=NOVEL):
    made = Speculator(
        mode,
        Pace(CostCurve([2, 32], [1.0, 1.5])),
        ngram=NgramDrafter(min_match=1),
        draft=draft,
        draft_tokens=k,
        baseline_age=age,
    )
    made.reset(tokens)
    return made


def test_off_never_drafts() -> None:
    for k in (None, 4):
        proposal = speculator(Speculation.OFF, k=k, draft=Draft(), tokens=REPEATING).propose(100)
        assert (proposal.tokens, proposal.source) == ([], "plain")


def test_fixed_length_asks_ngram_first_and_then_the_draft_model() -> None:
    assert speculator(k=3, draft=Draft(), tokens=REPEATING).propose(100).tokens == [3, 4, 1]
    assert speculator(k=3, draft=Draft(), tokens=NOVEL).propose(100).tokens == [100, 101, 102]
    assert speculator(k=3, draft=Draft(), tokens=NOVEL).propose(100).source == "draft"


def test_one_mode_asks_one_drafter() -> None:
    draft = Draft()
    assert speculator(Speculation.NGRAM, k=3, draft=draft).propose(100).tokens == []
    assert draft.asked == []
    assert speculator(Speculation.DRAFT, k=2, draft=draft, tokens=REPEATING).propose(100).source == "draft"


@pytest.mark.parametrize("room", [1, 2, 3, 9])
@pytest.mark.parametrize("k", [None, 5])
def test_no_guess_beyond_the_room(room: int, k: int | None) -> None:
    for tokens in (REPEATING, NOVEL):
        assert len(speculator(k=k, draft=Draft(), tokens=tokens).propose(room).tokens) <= room - 1


def test_fixed_length_does_not_stop_at_doubt() -> None:
    assert len(speculator(k=6, draft=Draft(probability=0.01)).propose(100).tokens) == 6


def test_paced_draft_stops_where_the_model_doubts() -> None:
    made = speculator(draft=Draft(probability=0.02))
    made.pace.draft_cost.observe(0.1)
    assert len(made.propose(100).tokens) == 1


class Block(Draft):
    """Has all its guesses at once; each is as sure as `claims` says."""

    source = "dflash"
    claims = (0.95, 0.95, 0.95, 0.95, 0.05, 0.95)

    def hindsight(self) -> tuple[int, int]:
        self.judged += 1
        return 2, self.right

    def propose(self, k, worth) -> list[int]:
        self.asked.append(k)
        taken = 1
        worth([], computed=True, ahead=self.claims[0])
        while taken < min(k, len(self.claims)) and worth(
            list(self.claims[:taken]), computed=True, ahead=self.claims[taken]
        ):
            taken += 1
        return [100 + i for i in range(taken)]


def test_a_blocks_own_doubt_decides_where_it_ends() -> None:
    """GIVEN a drafter whose blocks cost nearly the same at any length, and is right where it is sure
    WHEN the average says that short drafts pay THEN it still goes as far as it is sure, and no further."""
    block = Block()
    made = speculator(draft=block)
    made.pace.draft_cost, made.pace.longest = BlockCost(0.05, 0.001), 9
    for _ in range(30):
        made.pace.draft.observe(drafted=3, accepted=1)
        made.pace.observe_claims([0.95, 0.95, 0.95], 3)
        made.pace.observe_claims([0.05], 0)
    proposal = made.propose(100)
    assert block.asked == [9]
    assert (proposal.planned, len(proposal.tokens)) == (4, 4)
    made.propose(4)
    assert block.asked[-1] <= 3


def test_claims_are_calibrated_by_what_became_of_them() -> None:
    made = speculator(draft=Block(), k=6)
    made.propose(100)
    before = made.pace.calibration.probability(0.95)
    for _ in range(10):
        made.propose(100)
        made.observe([1], 6, 0, 1.0)  # sure, and wrong
    assert made.pace.calibration.probability(0.95) < before - 0.3
    assert made.pace.calibration.probability(0.05) == pytest.approx(0.05)  # was never reached


def test_the_source_of_a_draft_is_its_drafters() -> None:
    draft = Draft()
    draft.source = "dflash"
    for mode, source in (
        (Speculation.DFLASH, "dflash"),
        (Speculation.DRAFT, "plain"),
        (Speculation.AUTO, "dflash"),
    ):
        assert speculator(mode, k=3, draft=draft).propose(100).source == source


def test_draft_model_reads_the_prompt_early_where_it_is_expected_to_pay() -> None:
    draft = Draft()
    made = speculator(draft=draft)
    assert draft.read_early

    for _ in range(40):  # whatever it guesses is wrong
        made.pace.draft.observe(drafted=3, accepted=0)
    made.pace.draft_cost.observe(0.4)
    draft.read_early = False
    made.reset(NOVEL)
    assert not draft.read_early


@pytest.mark.parametrize("mode", [Speculation.OFF, Speculation.NGRAM])
def test_idle_draft_model_reads_nothing(mode: Speculation) -> None:
    draft = Draft()
    speculator(mode, draft=draft)
    assert not draft.read_early


def test_draft_model_without_room_is_not_asked_again_in_this_answer() -> None:
    """GIVEN a text that outgrew the draft's context WHEN auto THEN what else there is serves."""
    draft = Draft(context=12)
    made = speculator(draft=draft, tokens=NOVEL)
    made.pace.draft_cost.observe(0.001)
    for _ in range(20):
        proposal = made.propose(100)
        made.observe([7], len(proposal.tokens), 0, 1.0)
    assert len(draft.asked) <= 3
    assert proposal.source == "ngram"
    made.reset(NOVEL)
    draft.context = 10_000
    made.pace.draft.observe(1, 1)
    assert speculator(draft=draft).propose(100).source == "draft"


def test_costs_are_those_of_the_context_of_now() -> None:
    made = speculator(k=3, draft=Draft(), tokens=NOVEL)
    assert made.pace.cost.context == made.pace.draft_cost.context == len(NOVEL)
    made.propose(100)
    made.observe([100, 101, 5], 3, 2, 1.0)
    assert made.pace.cost.context == made.pace.draft_cost.context == len(NOVEL) + 3


def test_verification_time_goes_to_the_cost_of_that_many_rows() -> None:
    made = speculator(k=3, draft=Draft())
    before = made.pace.cost.seconds(4)
    for _ in range(5):
        made.propose(100)
        made.observe([100, 101, 5], 3, 2, 10 * before)
    assert made.pace.cost.seconds(4) > before
    assert made.pace.draft.probability(0) > made.pace.draft.probability(2)


# Baseline


def plain_passes(
    age: float | None, passes: int = 300, mode=Speculation.AUTO, given: bool = True
) -> list[int]:
    """Numbers of the passes, from 1, that only measure; the measured age becomes 0 after the first."""
    ages = [age]
    made = speculator(mode, k=3, draft=Draft(), age=(lambda: ages[-1]) if given else None)
    found = []
    for number in range(1, passes + 1):
        proposal = made.propose(1000)
        made.observe([5], len(proposal.tokens), 0, 1.0)
        if proposal.baseline:
            found.append(number)
            ages.append(0.0)
    return found


def test_answer_starts_by_measuring_plain_decoding_when_that_is_old() -> None:
    first, last = BASELINE_START
    for age in (None, BASELINE_FRESH_S + 1.0):
        assert plain_passes(age)[: last - first + 1] == list(range(first, last + 1))


def test_fresh_measurement_is_not_repeated_at_the_start() -> None:
    assert plain_passes(1.0)[0] == BASELINE_EVERY


def test_long_answer_measures_now_and_then() -> None:
    assert plain_passes(1.0) == [96, 97, 192, 193, 288, 289]


def test_nothing_is_measured_where_nothing_is_compared() -> None:
    assert plain_passes(None, mode=Speculation.OFF) == []
    assert plain_passes(None, given=False) == []


@pytest.mark.parametrize("right", [0, 1, 2])
def test_an_idle_drafter_is_tried_only_if_it_would_have_guessed_well(right: int) -> None:
    """GIVEN a drafter that failed WHEN its next trials are due THEN it is judged first, and asked if that went well."""
    draft = Draft()
    draft.right = right
    made = speculator(draft=draft)
    made.pace.draft_cost.observe(0.6)
    made.pace.draft.doubt()
    for _ in range(20):
        proposal = made.propose(100)
        made.observe([5], len(proposal.tokens), 0, 1.0)
    assert draft.judged >= 1
    assert bool(draft.asked) == (right > 0)
