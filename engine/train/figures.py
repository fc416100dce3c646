"""An evaluation as Markdown: by length, by category, and what bounds it on this machine."""

from typing import Any

from engine.train.bounds import (
    GOALS,
    LONGEST,
    Costs,
    best_length,
    least_need,
    mean_pass,
    need,
    speedups,
)
from engine.train.evaluate import Evaluation
from engine.train.simulate import Score

TIMED = (1, 2, 3, 4, 5, 6, 8, 10, 12, LONGEST)  # tokens a draft in the table of bounds
NO_COSTS = (
    "What bounds the speed-up can be said when the pair was loaded once on this machine (`slipstream ask`), which "
    "measures what passes cost."
)


def lines(evaluation: Evaluation) -> list[str]:
    """Everything that was measured; the bounds only where costs are known."""
    parts = [by_length(evaluation), by_category(evaluation)]
    parts.append(bounds(evaluation) if evaluation.costs else [NO_COSTS])
    return [line for part in parts for line in ["", *part]][1:]


def by_length(evaluation: Evaluation) -> list[str]:
    costs, whole = evaluation.costs, evaluation.whole
    head = [
        "drafts",
        "tokens a draft",
        "tokens a pass",
        *(["speed-up"] if costs else []),
        "acceptance by position",
    ]
    rows = [
        [
            who,
            str(k),
            f"{score.tokens_per_pass:.2f}",
            *([f"{whole.speedup(who, k):.2f}x"] if costs else []),
            " ".join(f"{value:.2f}" for value in score.by_position()),
        ]
        for (who, k), score in evaluation.scores.items()
    ]
    for who, paced in evaluation.whole.paced.items():
        rows.append([who, "paced", f"{paced.tokens_per_pass:.2f}", f"{paced.speedup:.2f}x", ""])
    about = ["", "Speed-ups are against plain decoding, geometric means over the answers."] if costs else []
    return table(head, rows) + about


def by_category(evaluation: Evaluation) -> list[str]:
    """Tokens a pass of each contestant, at the length that suits the cascade (or the n-gram) best in all; then what the
    engine's pace makes of them."""
    k = best_draft(evaluation)
    names = list(dict.fromkeys(who for who, _ in evaluation.scores))
    rows = [
        [
            name,
            str(group.answers),
            *(f"{group.scores[who, k].tokens_per_pass:.2f}" for who in names),
            *(f"{each.tokens_per_pass:.2f}, {each.speedup:.2f}x" for each in group.paced.values()),
        ]
        for name, group in evaluation.groups.items()
    ]
    paced = [f"{who}, paced" for who in evaluation.whole.paced]
    return [
        f"Tokens a pass by category, {k} tokens a draft{' or paced, with the speed-up' if paced else ''}:",
        "",
        *table(["category", "answers", *names, *paced], rows),
    ]


def best_draft(evaluation: Evaluation) -> int:
    """Tokens a draft: fastest where costs are known, else with most tokens a pass."""
    scores = evaluation.scores
    who = "cascade" if any(name == "cascade" for name, _ in scores) else "ngram"
    found = {k: score for (name, k), score in scores.items() if name == who}
    return max(found, key=lambda k: evaluation.whole.speedup(who, k) or found[k].tokens_per_pass)


def bounds(evaluation: Evaluation) -> list[str]:
    """What blocks of each length cost and bring, and what the goals would need."""
    costs, drafter = evaluation.costs, _longest(evaluation, "drafter")
    if costs is None or drafter is None:
        return []
    found = speedups(drafter.by_position(), costs)
    goals = [f"{goal:g}x needs" for goal in GOALS]
    rows = [
        [
            str(k),
            f"{costs.block(k):.2f}",
            f"{found[k - 1]:.2f}x" if k <= len(found) else "",
            *(_needed(need(goal, k, costs).tokens, k) for goal in GOALS),
        ]
        for k in TIMED
    ]
    return [
        _about(costs),
        "",
        *table(["tokens a draft", "plain passes a pass", "drafter's speed-up", *goals], rows),
        "",
        f"The drafter alone is fastest with {best_length(drafter.by_position(), costs)} tokens a draft; one that was "
        f"always right would be {costs.ceiling:.2f} times as fast as plain decoding.",
        *(_goal(goal, costs) for goal in GOALS),
        *_of_cascade(evaluation, costs),
    ]


def goals_json(evaluation: Evaluation) -> dict[str, dict[str, float]]:
    """Tokens a pass that each goal needs, for the drafter alone and for the cascade with its mix of passes; a goal
    that no acceptance reaches is left out."""
    costs, cascade = evaluation.costs, _longest(evaluation, "cascade")
    if costs is None or cascade is None:
        return {}
    least = {goal: least_need(goal, costs) for goal in GOALS}
    mixed = {goal: goal * mean_pass(cascade, costs) for goal in GOALS}
    return {
        "drafter": {f"{goal:g}x": round(each.tokens, 3) for goal, each in least.items() if each},
        "cascade": {f"{goal:g}x": round(each, 3) for goal, each in mixed.items() if each <= cascade.k + 1},
    }


def as_json(evaluation: Evaluation) -> dict[str, Any]:
    costs = evaluation.costs
    about = evaluation.as_json()
    if costs is None:
        return about
    plain = costs.plain
    return about | {
        "costs": {
            "plain_ms": round(1000.0 * plain, 3),
            "context": costs.context,
            "draft_forward": round(costs.forward / plain, 4),
            "draft_token": round(costs.step / plain, 4),
            "plain_passes": {str(k): round(costs.block(k), 3) for k in TIMED},
            "ceiling": round(costs.ceiling, 3),
        },
        "goals": goals_json(evaluation),
    }


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """A Markdown table."""
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]


def _about(costs: Costs) -> str:
    plain, steady = (
        costs.plain,
        "" if costs.times.steady else "; other programs were busy when it was measured",
    )
    return (
        f"On this machine a plain pass takes {1000.0 * plain:.1f} ms after {costs.context:,} tokens{steady}. A draft "
        f"takes {costs.forward / plain:.3f} of that and {costs.step / plain:.3f} more for each token:"
    )


def _goal(goal: float, costs: Costs) -> str:
    least = least_need(goal, costs)
    if least is None or least.acceptance is None:
        return f"{goal:g}x is not reachable at any acceptance: passes of more rows cost too much here."
    return (
        f"{goal:g}x needs {least.tokens:.2f} tokens a pass from drafts of {least.k}: an acceptance of "
        f"{least.acceptance:.2f} at every position."
    )


def _of_cascade(evaluation: Evaluation, costs: Costs) -> list[str]:
    score = _longest(evaluation, "cascade")
    if score is None:
        return []
    needs = ", ".join(f"{_needed(goal * mean_pass(score, costs), score.k)} for {goal:g}x" for goal in GOALS)
    return [
        f"The cascade with {score.k} tokens a draft has {score.tokens_per_pass:.2f} tokens a pass; while "
        f"{score.forwards / max(score.passes, 1):.0%} of its passes ask the network, it needs {needs}."
    ]


def _longest(evaluation: Evaluation, who: str) -> Score | None:
    found = [score for (name, _), score in evaluation.scores.items() if name == who]
    return max(found, key=lambda score: score.k, default=None)


def _needed(tokens: float, k: int) -> str:
    return f"{tokens:.2f}" if tokens <= k + 1 else "not reachable"
