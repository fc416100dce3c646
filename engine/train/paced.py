"""What the engine's own cascade and pace make of recorded drafts, on a clock of measured costs.

`Speculator`, `Pace`, n-gram and store are the engine's; drafts and their claims are recorded, and every pass takes what
was measured for its rows and context. What differs from a chat: costs never drift, a draft never has to read many
rows of context first, nothing but target and drafter takes time, and no pass measures plain decoding. So speed-ups
are higher than in a chat: of the starter's n-gram on the shipped prompts (first turns, 96 tokens) 2.34x, where `bench`
measured 1.96x (all turns). They compare drafters; what a chat gains is measured by `slipstream bench`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from numpy.typing import NDArray

from engine.cost import BlockCost, CostCurve
from engine.drafters.dflash import BlockDrafter, until_costly, until_doubt
from engine.drafters.ngram import NgramDrafter
from engine.drafters.protocol import Worth
from engine.drafters.store import StoreDrafter
from engine.pace import Pace
from engine.request import Speculation
from engine.speculator import Speculator
from engine.train.bounds import Costs
from engine.train.simulate import right_tokens

UNKNOWN_END = 64  # tokens that may still come behind an end which the engine can't foresee


@dataclass(frozen=True, slots=True)
class Drafts:
    """tokens [places, block], and how sure the drafter was of each, claims [places, block]. `whole`: they come in one
    forward; else each is computed only when it is asked for."""

    tokens: NDArray[np.int64]
    claims: NDArray[np.float32]
    whole: bool = True


@dataclass(slots=True)
class Paced:
    """Sums over simulated answers; `seconds` against those of plain decoding. `ratios`: a speed-up an answer."""

    passes: int = 0
    tokens: int = 0
    seconds: float = 0.0
    plain_seconds: float = 0.0
    ratios: list[float] = field(default_factory=list)

    @property
    def tokens_per_pass(self) -> float:
        return self.tokens / max(self.passes, 1)

    @property
    def speedup(self) -> float:
        """Geometric mean over the answers."""
        return geometric_mean(self.ratios)

    def merge(self, other: "Paced") -> None:
        self.passes += other.passes
        self.tokens += other.tokens
        self.seconds += other.seconds
        self.plain_seconds += other.plain_seconds
        self.ratios += other.ratios


def geometric_mean(ratios: Sequence[float]) -> float:
    return float(np.exp(np.mean(np.log(ratios)))) if ratios else 1.0


class RecordedDrafter:
    """A trained drafter whose drafts are known: for the Speculator. `begin`: tokens before the first recorded place."""

    source = "dflash"
    was_current = False  # drafts take no time here that the pace could learn from

    def __init__(self, drafts: Drafts, begin: int) -> None:
        self._drafts, self._begin, self._known = drafts, begin, begin
        self.computed = 0  # tokens of the draft since the last look

    def reset(self, tokens: Sequence[int]) -> None:
        self._known = len(tokens)

    def observe(self, tokens: Sequence[int]) -> None:
        self._known += len(tokens)

    def read(self) -> None:
        """The prompt belongs to the prefill."""

    def hindsight(self) -> tuple[int, int]:
        return 0, 0

    def propose(self, k: int, worth: Worth | None = None) -> list[int]:
        row = self._known - self._begin
        tokens, claims = (part[row, :k].tolist() for part in (self._drafts.tokens, self._drafts.claims))
        whole = self._drafts.whole
        taken = (until_doubt if whole else until_costly)(zip(tokens, claims, strict=True), worth)
        self.computed = len(tokens if whole else taken)
        return taken


class EngineSimulation:
    """What the pace learns in one answer serves the next, as in the engine. `longest`: tokens that a draft can have.

    `mode` says who drafts, as it does of a request: the network, the n-gram, or both.
    """

    def __init__(
        self,
        costs: Costs,
        longest: int,
        mode: Speculation = Speculation.AUTO,
        store: StoreDrafter | None = None,
    ) -> None:
        self.costs, self._mode = costs, mode
        self._ngram, self._store = NgramDrafter(1), store
        self._pace = Pace(CostCurve.of(costs.times))
        self._pace.take_drafter(BlockCost(costs.forward, costs.step), longest)
        self._rows = 1

    def run(self, text: Sequence[int], prompt_length: int, drafts: Drafts, ended: bool = True) -> Paced:
        """An answer, `text` from `prompt_length` on; `ended`: by its own end and not by the limit."""
        drafter = RecordedDrafter(drafts, prompt_length)
        speculator = Speculator(
            self._mode,
            self._pace,
            ngram=self._ngram,
            draft=cast(BlockDrafter, drafter),
            draft_tokens=None,
            baseline_age=None,
            store=self._store,
        )
        speculator.reset(text[:prompt_length])
        sums, known = Paced(), prompt_length
        while known < len(text):
            room = len(text) - known
            draft = speculator.propose(room + UNKNOWN_END * ended).tokens
            accepted = right_tokens(draft, text, known)
            committed = text[known : known + accepted + 1]
            verify = self._verify(len(draft) + 1, known)
            speculator.observe(committed, len(draft), accepted, verify)
            sums.passes += 1
            sums.tokens += len(committed)
            sums.seconds += verify + self.costs.draft(drafter.computed)
            sums.plain_seconds += sum(self.costs.verify(1, known + j) for j in range(len(committed)))
            drafter.computed = 0
            known += len(committed)
        sums.ratios.append(sums.plain_seconds / sums.seconds)
        return sums

    def _verify(self, rows: int, context: int) -> float:
        change = self.costs.times.change if rows != self._rows else 0.0
        self._rows = rows
        return self.costs.verify(rows, context) + change
