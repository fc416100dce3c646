"""How many tokens to draft now, and by whom: whatever yields most expected tokens per second by what was measured.

Zero drafted tokens is plain decoding. Costs come from `engine.cost`, acceptance from `engine.acceptance`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from operator import mul

from engine.acceptance import Acceptance, Calibration
from engine.cost import CostCurve, DraftCost, StepCost

LARGEST_NGRAM = 15
LARGEST_DRAFT = 10
DRAFT_PRIOR = 0.6  # acceptance of a drafter of which nothing is known yet
SWITCH_GAIN = 1.03  # a drafter must promise this much more than the current choice to replace it
PROBE_AFTER = (6, 24)  # tokens until an idle draft model is tried again: after one failed trial, at most
PROBE_PAYING = (1.3, 96)  # the same where look-ups give so many times plain decoding's speed
PROBE_TOKENS = 1
HINDSIGHT = 0.45  # share of right guesses in hindsight that makes a trial worth its price
SURPRISE = (
    0.003  # a run of rejected first tokens less likely than this: the text, or the drafter, has changed
)
FREE = 0.05  # of a plain pass: so much may be computed on the chance that a block's later tokens are sure
MATCH_BINS = (1, 2, 4, 8, 16)  # upper bounds of n-gram match lengths that share statistics
FREE_DRAFT = StepCost()  # a look-up


@dataclass(frozen=True, slots=True)
class Plan:
    """Draft `k` tokens with `source` ("ngram", "store", or "draft" for whichever neural drafter there is), or none
    ("plain").

    `reason` says why in words. `trial`: of an idle drafter, which may be spared it (`Pace.trial_pays`).
    """

    source: str
    k: int
    reason: str
    rate: float = 0.0  # expected tokens per second
    trial: bool = False


@dataclass(slots=True)
class Pace:
    """Lives as long as the loaded pair: what was learnt in one answer serves the next."""

    cost: CostCurve
    draft_cost: DraftCost = field(default_factory=StepCost)
    longest: int = LARGEST_DRAFT  # tokens that the drafter can draft at once
    draft: Acceptance = field(default_factory=lambda: Acceptance(DRAFT_PRIOR))
    calibration: Calibration = field(default_factory=Calibration)
    store: Calibration = field(default_factory=Calibration)
    _ngram: dict[int, Acceptance] = field(default_factory=dict)
    _current: str = "plain"
    _idle_tokens: int = 0  # tokens since the draft model was last used
    _probe_after: int = PROBE_AFTER[0]
    _streak: int = 0  # trials in a row that succeeded
    _luck: float = 1.0  # how likely the present run of rejected first tokens was, by the draft's own claims

    def take_drafter(self, cost: DraftCost, longest: int) -> None:
        """What was learnt of another drafter is forgotten."""
        self.draft_cost, self.longest = cost, min(longest, LARGEST_DRAFT)
        self.draft, self.calibration = Acceptance(DRAFT_PRIOR), Calibration()
        self._current, self._idle_tokens, self._probe_after = "plain", 0, PROBE_AFTER[0]
        self._streak, self._luck = 0, 1.0

    def at(self, context: int) -> None:
        """From here on, passes follow `context` tokens."""
        self.cost.context = self.draft_cost.context = context

    def plan(self, room: int, match_length: int, use_draft: bool, stored: Sequence[float] = ()) -> Plan:
        """`room`: tokens that may still come; `match_length`: of the n-gram drafter, 0 if it has nothing; `stored`:
        what the store claims of its guesses."""
        any_draft = match_length or use_draft or stored
        idle = "no draft is expected to pay" if any_draft else "nothing in the text repeats here"
        options = [Plan("plain", 0, idle, 1.0 / self.cost.seconds(1))]
        if match_length and room > 1:
            most = min(LARGEST_NGRAM, room - 1)
            options.append(
                self._best("ngram", self._ngram_bin(match_length).expected_tokens(most), FREE_DRAFT)
            )
        if stored and room > 1:
            options.append(self._best("store", self._stored_tokens(stored[: room - 1]), FREE_DRAFT))
        if use_draft and room > 1:
            options.append(self._best_draft(room - 1))
        chosen = self._choose(options)
        if use_draft and room > 1 and self._probe_due(chosen.rate):
            return Plan("draft", PROBE_TOKENS, "trying the drafter again", options[-1].rate, True)
        return chosen

    def draft_promises(self) -> bool:
        """Does the draft model beat plain decoding by what is known so far?"""
        return self._best_draft(self.longest).rate > 1.0 / self.cost.seconds(1)

    def reach(self, k: int, room: int) -> int:
        """Tokens to ask for when `k` are planned: more of a block where that is nearly free; its doubt ends it."""
        free = self.draft_cost.further(FREE * self.cost.seconds(1))
        return max(k, min(k + free, self.longest, room - 1))

    def worth(
        self, probabilities: list[float], rate: float, computed: bool = False, ahead: float | None = None
    ) -> bool:
        """Does one more drafted token pay, given the draft's probabilities so far and the rate to beat?

        `computed`: it is drafted already, and only its verification has a price. `ahead`: its own probability.
        """
        alive = 1.0
        for claimed in probabilities:
            alive *= self.calibration.probability(claimed)
        count = len(probabilities)
        last = self.draft.probability(count) if ahead is None else self.calibration.probability(ahead)
        gain = alive * last
        step = self._row_price(count + 1) + self.draft_cost.seconds
        price = self._longer(count) if computed else step  # a block that ends early may change the rows
        return gain > price * rate

    def observe(self, plan: Plan, drafted: int, accepted: int, committed: int, match_length: int) -> None:
        """What became of a pass; `drafted` may be less than planned."""
        self._idle_tokens = 0 if plan.source == "draft" else self._idle_tokens + committed
        if self._idle_tokens >= PROBE_AFTER[1]:
            self.draft_cost.relax(self.cost.drift)
        if drafted and plan.source == "draft":
            self.draft.observe(drafted, accepted)
            self._space_probes(accepted > 0)
        elif drafted and plan.source == "ngram":
            self._ngram_bin(match_length).observe(drafted, accepted)

    def trial_pays(self, judged: int, right: int) -> bool:
        """Of the last committed tokens, an idle drafter guessed so many right in hindsight: is it worth a trial?"""
        if (right + 1) / (judged + 2) > HINDSIGHT:
            return True
        self._idle_tokens = 0
        self._space_probes(False)
        return False

    def observe_claims(self, probabilities: list[float], accepted: int) -> None:
        if probabilities:
            doubt = 1.0 - self.calibration.probability(probabilities[0])
            self._luck = 1.0 if accepted else self._luck * doubt
            if self._luck < SURPRISE:
                self.draft.doubt()
                self._luck = 1.0
        _correct(self.calibration, probabilities, accepted)

    def observe_stored(self, claims: Sequence[float], accepted: int) -> None:
        """What became of the store's guesses that were drafted."""
        _correct(self.store, claims, accepted)

    def _stored_tokens(self, claims: Sequence[float]) -> list[float]:
        """Expected tokens of a pass with 0, 1, ... of the store's guesses."""
        return list(accumulate(accumulate(map(self.store.probability, claims), mul, initial=1.0)))

    def _best_draft(self, most: int) -> Plan:
        return self._best("draft", self.draft.expected_tokens(min(self.longest, most)), self.draft_cost)

    def _best(self, source: str, expected: list[float], cost: DraftCost) -> Plan:
        rates = self._rates(expected, cost)
        k = max(range(len(rates)), key=rates.__getitem__) + 1
        return Plan(source, k, self._reason(expected, k, cost.seconds), rates[k - 1])

    def _rates(self, expected: list[float], cost: DraftCost) -> list[float]:
        """Tokens per second of a pass with 1, 2, ... drafted tokens."""
        return [expected[k] / (self.cost.seconds(k + 1) + cost.draft(k)) for k in range(1, len(expected))]

    def _reason(self, expected: list[float], k: int, step: float) -> str:
        """Why no longer draft, in words; `expected` tokens of a pass with 0, 1, ... drafted ones."""
        if k + 1 == len(expected):
            return f"k={k}: the most that is drafted here at once"
        price = 1000.0 * (self._longer(k) + step)
        return (
            f"k={k}: one more token would cost {price:.1f} ms for {expected[k + 1] - expected[k]:.2f} tokens"
        )

    def _choose(self, options: list[Plan]) -> Plan:
        best = max(options, key=lambda plan: plan.rate)
        current = next((plan for plan in options if plan.source == self._current), None)
        if current is not None and best.rate < SWITCH_GAIN * current.rate:
            best = current
        self._current = best.source
        return best

    def _probe_due(self, best_rate: float) -> bool:
        """Now and then while trials fail, at once while their success promises more than the best choice.

        Where a look-up pays, a trial costs most and says least: about places that a drafter is not needed for.
        """
        if self._current == "draft" or self._promise(1.0) <= best_rate:
            return False
        paying, patience = PROBE_PAYING
        if best_rate * self.cost.seconds(1) > paying:
            return self._idle_tokens >= patience
        hoped = (self._streak + 1) / (self._streak + 2)
        eager = self._streak > 0 and self._promise(hoped) > best_rate
        return eager or self._idle_tokens >= self._probe_after

    def _promise(self, acceptance: float) -> float:
        """Tokens per second that the draft model would give at this acceptance."""
        expected = list(accumulate(acceptance**k for k in range(self.longest + 1)))
        return max(self._rates(expected, self.draft_cost))

    def _space_probes(self, success: bool) -> None:
        first, latest = PROBE_AFTER
        if self._current == "draft":
            self._streak, self._probe_after = 0, first
        elif success:
            self._streak += 1
        else:
            self._streak, self._probe_after = 0, min(2 * self._probe_after, latest)

    def _longer(self, drafted: int) -> float:
        """Seconds that one token more than `drafted` adds to the pass; a change of rows has its price in either."""
        return self.cost.seconds(drafted + 2) - self.cost.seconds(drafted + 1)

    def _row_price(self, drafted: int) -> float:
        """Seconds that verifying `drafted` tokens costs more than verifying one fewer."""
        return self.cost.row(drafted + 1)

    def _ngram_bin(self, match_length: int) -> Acceptance:
        index = next((i for i, top in enumerate(MATCH_BINS) if match_length <= top), len(MATCH_BINS))
        if index not in self._ngram:
            self._ngram[index] = Acceptance(prior=0.25 + 0.12 * index)
        return self._ngram[index]


def _correct(calibration: Calibration, claims: Sequence[float], accepted: int) -> None:
    """By the accepted guesses and the first that was rejected."""
    for j, claimed in enumerate(claims[: accepted + 1]):
        calibration.observe(claimed, j < accepted)
