"""Chooses who drafts the next tokens, and how many: the cascade of n-gram, store and draft model, paced or fixed."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.drafters.dflash import BlockDrafter
from engine.drafters.draft_model import DraftModelDrafter
from engine.drafters.ngram import NgramDrafter
from engine.drafters.protocol import Worth
from engine.drafters.store import StoreDrafter
from engine.pace import Pace, Plan
from engine.request import Speculation

FIXED_NGRAM_MATCH = 2  # shortest match that a fixed-length cascade trusts before it asks the draft model
BASELINE_START = (2, 4)  # passes of an answer that measure plain decoding
BASELINE_EVERY, BASELINE_PASSES = 96, 2
BASELINE_FRESH_S = 120.0

NeuralDrafter = DraftModelDrafter | BlockDrafter


@dataclass(frozen=True, slots=True)
class Proposal:
    tokens: list[int]
    source: str
    reason: str
    planned: int
    baseline: bool = False  # a stretch that only measures


class Speculator:
    """One answer's drafting. `draft_tokens` fixes the length; otherwise the pace decides before every pass."""

    def __init__(
        self,
        mode: Speculation,
        pace: Pace,
        *,
        ngram: NgramDrafter | None,
        draft: NeuralDrafter | None,
        draft_tokens: int | None,
        baseline_age: Callable[[], float | None] | None,
        store: StoreDrafter | None = None,
    ) -> None:
        self.mode, self.pace = mode, pace
        looks_up = mode in (Speculation.AUTO, Speculation.NGRAM)
        self.draft = draft if draft and mode in (Speculation.AUTO, draft.source) else None
        self.ngram = ngram if looks_up else None
        looks_far = looks_up and not self.draft  # beside a network, a store costs more than it adds
        self.store = store if looks_far else None
        self._fixed = draft_tokens
        self._baseline_age = baseline_age
        self._passes = 0
        self._plan = Plan("plain", 0, "")
        self._claims: list[float] = []
        self._stored: list[float] = []  # the store's claims
        self._match = self._room = 0
        self._draft_is_silent = False  # it had nothing to say: the text has outgrown its context
        self._baseline_is_stale = False

    def reset(self, tokens: Sequence[int]) -> None:
        self._draft_is_silent = False
        self.pace.at(len(tokens))
        for drafter in (self.ngram, self.store, self.draft):
            if drafter is not None:
                drafter.reset(tokens)
        if self.draft is not None and self._expects_to_draft():
            self.draft.read()

    def propose(self, room: int) -> Proposal:
        """Guesses for the next pass, at most room - 1 of them."""
        self._passes += 1
        self._claims, self._room = [], room
        if self._measures_baseline():
            self._plan = Plan("plain", 0, "measuring plain decoding")
            return Proposal([], "plain", self._plan.reason, 0, baseline=True)
        self._match = self.ngram.match_length if self.ngram else 0
        self._stored = [guess.claim for guess in self.store.guesses()] if self.store else []
        self._plan = self._fixed_plan(room) if self._fixed else self._paced_plan(room)
        tokens = self._ask(self._plan)
        source = self._source() if tokens else "plain"
        return Proposal(tokens, source, self._plan.reason, max(self._plan.k, len(tokens)))

    def _source(self) -> str:
        return self.draft.source if self.draft and self._plan.source == "draft" else self._plan.source

    def observe(self, committed: Sequence[int], drafted: int, accepted: int, verify_s: float) -> None:
        """A pass committed tokens; the target's forward of `drafted` + 1 rows took `verify_s` seconds."""
        self.pace.cost.observe(drafted + 1, verify_s)
        self.pace.at(self.pace.cost.context + len(committed))
        for drafter in (self.ngram, self.store, self.draft):
            if drafter is not None:
                drafter.observe(committed)
        self.pace.observe(self._plan, drafted, accepted, len(committed), self._match)
        self.pace.observe_claims(self._claims, accepted)
        if self._plan.source == "store":
            self.pace.observe_stored(self._stored[:drafted], accepted)

    def _expects_to_draft(self) -> bool:
        """Reading the prompt twice belongs to the prefill, but only where what was measured says that it will pay."""
        return self._fixed is not None or self.mode is not Speculation.AUTO or self.pace.draft_promises()

    def _fixed_plan(self, room: int) -> Plan:
        k = min(self._fixed or 0, room - 1)
        if self.ngram and self._match >= FIXED_NGRAM_MATCH:
            return Plan("ngram", k, f"fixed at {k}")
        if self._stored:
            return Plan("store", k, f"fixed at {k}")
        return Plan("draft", k, f"fixed at {k}") if self.draft else Plan("plain", 0, "no repeated text")

    def _paced_plan(self, room: int) -> Plan:
        """An idle drafter is first judged by what it would have guessed, which costs a third of a trial."""
        draft = None if self._draft_is_silent else self.draft
        plan = self.pace.plan(room, self._match, draft is not None, self._stored)
        if draft and plan.trial and not self.pace.trial_pays(*draft.hindsight()):
            return self.pace.plan(room, self._match, False, self._stored)
        return plan

    def _ask(self, plan: Plan) -> list[int]:
        if plan.k < 1:
            return []
        if plan.source == "ngram" and self.ngram:
            return self.ngram.propose(plan.k)
        if plan.source == "store" and self.store:
            return self.store.propose(plan.k)
        return self._ask_draft(plan) if self.draft else []

    def _ask_draft(self, plan: Plan) -> list[int]:
        assert self.draft is not None
        start = time.perf_counter()
        most = plan.k if self._fixed else self.pace.reach(plan.k, self._room)
        tokens = self.draft.propose(most, self._continue_if_worth(plan))
        self._draft_is_silent = not tokens
        if tokens and self.draft.was_current:
            whole = isinstance(self.draft, BlockDrafter) and self.draft.model.whole
            computed = most if whole else len(tokens)
            self.pace.draft_cost.observe(time.perf_counter() - start, min(computed, self.pace.longest))
        return tokens

    def _continue_if_worth(self, plan: Plan) -> Worth:
        def worth(probabilities: list[float], computed: bool = False, ahead: float | None = None) -> bool:
            going = bool(self._fixed) or self.pace.worth(probabilities, plan.rate, computed, ahead)
            drafted = ahead is not None and (going or not probabilities)  # a block's first token always is
            self._claims = [*probabilities, ahead] if drafted and ahead is not None else list(probabilities)
            return going

        return worth

    def _measures_baseline(self) -> bool:
        if self.mode is Speculation.OFF or self._baseline_age is None:
            return False
        first, last = BASELINE_START
        if self._passes == first:
            age = self._baseline_age()
            self._baseline_is_stale = age is None or age >= BASELINE_FRESH_S
        if first <= self._passes <= last:
            return self._baseline_is_stale
        return self._passes % BASELINE_EVERY < BASELINE_PASSES and self._passes > last
