"""Tokens per pass of a trained drafter on answers that it never saw: alone, behind the n-gram, and the n-gram alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.drafters.store import StoreDrafter
from engine.request import Speculation
from engine.speculator import FIXED_NGRAM_MATCH
from engine.train.answers import Answer
from engine.train.bounds import Costs, speedup
from engine.train.categories import Categories, set_of
from engine.train.paced import Drafts, EngineSimulation, Paced, geometric_mean
from engine.train.simulate import (
    CascadeProposer,
    NgramProposer,
    OracleProposer,
    Proposer,
    RecordedProposer,
    Score,
    StoreProposer,
    simulate,
)

if TYPE_CHECKING:
    from engine.train.drafting import TextDrafter

BLOCKS = (4, 6, 8)

Scores = dict[tuple[str, int], Score]

STORED = " + store"
MODES = {"drafter": Speculation.DFLASH, "ngram": Speculation.NGRAM, "auto": Speculation.AUTO}
SURE = 0.5  # claim of a store's first guess that goes before a network's in the simulated cascade


@dataclass(slots=True)
class Group:
    """The answers of one category. Scores by (who, tokens a draft), and what the engine's pace makes of each."""

    answers: int = 0
    tokens: int = 0
    scores: Scores = field(default_factory=dict)
    ratios: dict[tuple[str, int], list[float]] = field(default_factory=dict)  # speed-ups, one an answer
    paced: dict[str, Paced] = field(default_factory=dict)

    def merge(self, other: "Group") -> None:
        self.answers += other.answers
        self.tokens += other.tokens
        for (who, k), score in other.scores.items():
            self.scores.setdefault((who, k), Score(k)).merge(score)
            self.ratios.setdefault((who, k), []).extend(other.ratios.get((who, k), []))
        for who, paced in other.paced.items():
            self.paced.setdefault(who, Paced()).merge(paced)

    def speedup(self, who: str, k: int) -> float | None:
        """Geometric mean over the answers; None where costs are not known."""
        ratios = self.ratios.get((who, k))
        return geometric_mean(ratios) if ratios else None


class Evaluation:
    """Who drafts: "drafter"; "ngram" (matches of one token and more); "cascade" (n-gram first, as the engine does at a
    fixed length); "oracle" (the better of the two at each pass, a bound). `costs` are this machine's, if known; then
    there is also what the engine's pace makes of "drafter", "ngram" and both together, "auto".
    """

    def __init__(self, groups: dict[str, Group], costs: Costs | None = None) -> None:
        self.groups, self.costs = groups, costs
        self.whole = Group()
        for group in groups.values():
            self.whole.merge(group)

    @property
    def answers(self) -> int:
        return self.whole.answers

    @property
    def tokens(self) -> int:
        return self.whole.tokens

    @property
    def scores(self) -> Scores:
        return self.whole.scores

    def best(self, who: str) -> float:
        return max(score.tokens_per_pass for (name, _), score in self.scores.items() if name == who)

    def as_json(self) -> dict[str, Any]:
        categories = {name: _group_json(group) for name, group in self.groups.items()}
        return _group_json(self.whole) | {"categories": categories}


def _group_json(group: Group) -> dict[str, Any]:
    about: dict[str, Any] = {"answers": group.answers, "tokens": group.tokens}
    about["scores"] = [_score_json(group, who, k) for who, k in group.scores]
    if group.paced:
        about["paced"] = {
            who: {"tokens_per_pass": round(paced.tokens_per_pass, 3), "speedup": round(paced.speedup, 3)}
            for who, paced in group.paced.items()
        }
    return about


def _score_json(group: Group, who: str, k: int) -> dict[str, Any]:
    score, speedup = group.scores[who, k], group.speedup(who, k)
    about = {
        "drafter": who,
        "k": score.k,
        "tokens_per_pass": round(score.tokens_per_pass, 3),
        "acceptance_by_position": [round(value, 3) for value in score.by_position()],
        "drafted": score.drafted,
        "passes": score.passes,
    }
    return about | ({"speedup": round(speedup, 3)} if speedup else {})


def evaluate(
    answers: Sequence[Answer],
    drafter: "TextDrafter | None",
    blocks: tuple[int, ...] = BLOCKS,
    report: Callable[[int, int], None] = lambda done, total: None,
    *,
    categories: Categories = set_of,
    costs: Costs | None = None,
    longest: int = max(BLOCKS),
    store: StoreDrafter | None = None,
) -> Evaluation:
    """Greedy answers only; without a drafter, the n-gram's scores alone. `report(answers done, of how many)`.

    With `costs`, the engine's own pace is simulated too; its drafts have at most `longest` tokens. A `store` adds what
    n-gram, cascade and oracle are with it.
    """
    greedy = [answer for answer in answers if not answer.temperature]
    judge = _Judge(blocks, costs, longest, store)
    groups: dict[str, Group] = {}
    for number, answer in enumerate(greedy, 1):
        drafts = drafter.everywhere(answer, max(blocks)) if drafter else None
        groups.setdefault(categories(answer.key), Group()).merge(judge.of(answer, drafts))
        report(number, len(greedy))
    return Evaluation(dict(sorted(groups.items())), costs)


class _Judge:
    """All contestants on one answer after the other."""

    def __init__(
        self, blocks: tuple[int, ...], costs: Costs | None, longest: int, store: StoreDrafter | None
    ) -> None:
        self._blocks, self._costs, self._store = blocks, costs, store
        self._engines = _engines(costs, longest, store) if costs else {}

    def of(self, answer: Answer, drafts: Drafts | None) -> Group:
        text, begin = [*answer.prompt.tolist(), *answer.tokens.tolist()], len(answer.prompt)
        scores = {
            (who, k): simulate(text, begin, proposer, k)
            for k in self._blocks
            for who, proposer in _contestants(text, begin, drafts, self._store).items()
        }
        ratios = {key: [speedup(each, self._costs)] for key, each in scores.items()} if self._costs else {}
        paced = {
            who: engine.run(text, begin, drafts, answer.ended)
            for who, engine in self._engines.items()
            if drafts
        }
        return Group(1, len(answer.tokens), scores, ratios, paced)


def _engines(costs: Costs, longest: int, store: StoreDrafter | None) -> dict[str, EngineSimulation]:
    engines = {who: EngineSimulation(costs, longest, mode) for who, mode in MODES.items()}
    if store is not None:
        mode = Speculation.NGRAM  # beside a network the engine leaves the store out
        engines[f"{mode}{STORED}"] = EngineSimulation(costs, longest, mode, store)
    return engines


def _contestants(
    text: Sequence[int], begin: int, drafts: Drafts | None, store: StoreDrafter | None
) -> dict[str, Proposer]:
    recorded = RecordedProposer(drafts.tokens, begin) if drafts is not None else None
    found: dict[str, Proposer] = {"drafter": recorded} if recorded else {}
    found |= _with(text, recorded)
    if store is not None:
        found |= {who + STORED: each for who, each in _with(text, recorded, store).items()}
    return found


def _with(
    text: Sequence[int], recorded: RecordedProposer | None, store: StoreDrafter | None = None
) -> dict[str, Proposer]:
    """N-gram, store and drafter in this order, each at a fixed length; and the best of them."""
    every = [StoreProposer(text, store)] if store else []
    ngram = (
        CascadeProposer(NgramProposer(text, FIXED_NGRAM_MATCH), *every) if every else NgramProposer(text, 1)
    )
    if recorded is None:
        return {"ngram": ngram}
    sure = [StoreProposer(text, store, SURE)] if store else []
    return {
        "ngram": ngram,
        "cascade": CascadeProposer(NgramProposer(text, FIXED_NGRAM_MATCH), *sure, recorded),
        "oracle": OracleProposer(text, NgramProposer(text, 1), *every, recorded),
    }
