"""Tokens per pass of a trained drafter on answers that it never saw: alone, behind the n-gram, and the n-gram alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.train.answers import Answer
from engine.train.simulate import (
    CascadeProposer,
    Ints,
    NgramProposer,
    RecordedProposer,
    Score,
    simulate,
)

if TYPE_CHECKING:
    from engine.train.drafting import TextDrafter

BLOCKS = (4, 6, 8)
MIN_MATCH = 2  # the n-gram goes first in the cascade when so many tokens repeat


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Scores by (who drafts, tokens a draft): "drafter", "ngram" (matches of one token and more), "cascade"."""

    answers: int
    tokens: int
    scores: dict[tuple[str, int], Score]

    def as_json(self) -> dict[str, Any]:
        rows = [
            {
                "drafter": who,
                "k": k,
                "tokens_per_pass": round(score.tokens_per_pass, 3),
                "acceptance_by_position": [round(value, 3) for value in score.by_position()],
                "drafted": score.drafted,
                "passes": score.passes,
            }
            for (who, k), score in self.scores.items()
        ]
        return {"answers": self.answers, "tokens": self.tokens, "scores": rows}

    def best(self, who: str) -> float:
        return max(score.tokens_per_pass for (name, _), score in self.scores.items() if name == who)

    def lines(self) -> list[str]:
        """A Markdown table."""
        head = ["| drafts | tokens a draft | tokens a pass | acceptance by position |", "|---|---|---|---|"]
        rows = [
            f"| {who} | {k} | {score.tokens_per_pass:.2f} | "
            f"{' '.join(f'{value:.2f}' for value in score.by_position())} |"
            for (who, k), score in self.scores.items()
        ]
        return head + rows


def evaluate(
    answers: Sequence[Answer],
    drafter: "TextDrafter | None",
    blocks: tuple[int, ...] = BLOCKS,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> Evaluation:
    """Greedy answers only; without a drafter, the n-gram's scores alone. `report(answers done, of how many)`."""
    scores: dict[tuple[str, int], Score] = {}
    greedy = [answer for answer in answers if not answer.temperature]
    for number, answer in enumerate(greedy, 1):
        drafts = drafter.everywhere(answer, max(blocks)) if drafter else None
        for k in blocks:
            _add(scores, answer, drafts, k)
        report(number, len(greedy))
    return Evaluation(len(greedy), sum(len(answer.tokens) for answer in greedy), scores)


def _add(scores: dict[tuple[str, int], Score], answer: Answer, drafts: Ints | None, k: int) -> None:
    text = [*answer.prompt.tolist(), *answer.tokens.tolist()]
    begin = len(answer.prompt)
    contestants: dict[str, Any] = {"ngram": NgramProposer(text, 1)}
    if drafts is not None:
        recorded = RecordedProposer(drafts, begin)
        cascade = CascadeProposer(NgramProposer(text, MIN_MATCH), recorded)
        contestants = {"drafter": recorded, **contestants, "cascade": cascade}
    for who, proposer in contestants.items():
        scores.setdefault((who, k), Score(k)).merge(simulate(text, begin, proposer, k))
