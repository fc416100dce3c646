"""Tokens per pass against data: what trained folders reached, a trend through them, and the data that goals would take.

The trend is a straight line in the logarithm of the answer tokens, by least squares. It is a summary of the points and
no law: how far beyond them it is stretched is always said.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import SlipstreamError
from engine.models import disk
from engine.train.drafter_folder import CONFIG_FILE

FIGURES, HISTORY = "evaluation.json", "history.jsonl"
CHECKS = "checks in training"
WHO = ("drafter", "cascade")
GOALS = {"drafter": {"goal": 1.9}, "cascade": {"goal": 2.2}}  # of issue 4
LEAST_POINTS = 3
RISING = 0.01  # the last checks gained at least this share: no plateau yet
FAR = 10.0  # times the most data: beyond, the trend is a guess

Series = tuple[str, str]  # measured on, who drafts


@dataclass(frozen=True, slots=True)
class Point:
    """One trained folder: `seconds` of training until its best weights. `rising`: it had not reached its plateau."""

    name: str
    tokens: int
    seconds: float
    rising: bool
    reached: Mapping[Series, float]
    goals: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Trend:
    """tokens a pass = at_one + per_tenfold * log10(answer tokens); `spread` is the residuals' root mean square."""

    at_one: float
    per_tenfold: float
    spread: float
    most_data: int

    @classmethod
    def through(cls, data: Sequence[int], reached: Sequence[float]) -> "Trend | None":
        """None with too few different amounts of data."""
        if len(set(data)) < LEAST_POINTS:
            return None
        design = np.stack([np.ones(len(data)), np.log10(np.asarray(data, dtype=np.float64))], axis=1)
        values = np.asarray(reached, dtype=np.float64)
        (at_one, per_tenfold), *_ = np.linalg.lstsq(design, values, rcond=None)
        spread = np.sqrt(np.square(design @ [at_one, per_tenfold] - values).mean())
        return cls(float(at_one), float(per_tenfold), float(spread), max(data))

    def data_for(self, tokens_per_pass: float) -> float | None:
        """Answer tokens at which the line is that high; None if it does not rise or they are beyond all counting."""
        if self.per_tenfold <= 0.0:
            return None
        exponent = (tokens_per_pass - self.at_one) / self.per_tenfold
        return float(10.0**exponent) if exponent < 15.0 else None


def keep_figures(folder: Path, measured_on: str, figures: Mapping[str, Any]) -> None:
    """Beside the weights, for the curve; figures of other answers stay."""
    known = _figures(folder) | {measured_on: figures}
    disk.write_atomically(folder / FIGURES, json.dumps(known, indent=1) + "\n")


def read_point(folder: Path) -> Point:
    """Errors: SlipstreamError for a folder that 'slipstream train fit' did not write."""
    try:
        about = json.loads((folder / CONFIG_FILE).read_text(encoding="utf-8"))["slipstream"]
        tokens, seconds = int(about["data"]["tokens"]), float(about["seconds"])
        checks = [
            float(json.loads(line)["tokens_per_pass"])
            for line in (folder / HISTORY).read_text(encoding="utf-8").splitlines()
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SlipstreamError(
            f"{folder} holds no drafter that was trained here: name folders of 'slipstream train fit'."
        ) from error
    figures = _figures(folder)
    reached = {(on, who): best for on, found in figures.items() for who, best in _best(found).items()}
    if checks:
        reached = {(CHECKS, "drafter"): max(checks), **reached}
    goals: dict[str, dict[str, float]] = next(
        (found["goals"] for found in figures.values() if found.get("goals")), {}
    )
    return Point(folder.name, tokens, seconds, _rising(checks), reached, goals)


def _figures(folder: Path) -> dict[str, Any]:
    path = folder / FIGURES
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _best(found: Mapping[str, Any]) -> dict[str, float]:
    best: dict[str, float] = {}
    for row in found["scores"]:
        if row["drafter"] in WHO:
            best[row["drafter"]] = max(best.get(row["drafter"], 0.0), row["tokens_per_pass"])
    return best


def _rising(checks: Sequence[float]) -> bool:
    """The best is the last, and clearly above what it was a quarter of the training before."""
    if len(checks) < 2:
        return True
    earlier = max(checks[: max(1, math.floor(0.75 * len(checks)))])
    return checks[-1] == max(checks) and checks[-1] > (1.0 + RISING) * earlier


def curve_lines(points: Sequence[Point]) -> list[str]:
    """The table, then for each series a trend and what the goals would take."""
    ordered = sorted(points, key=lambda point: point.tokens)
    series = list(dict.fromkeys(name for point in ordered for name in point.reached))
    lines = _table(ordered, series)
    if any(point.rising for point in ordered):
        lines += ["", "\\* still rising when training stopped: no plateau."]
    for name in series:
        lines += ["", *_trend_lines(name, ordered)]
    return lines


def _table(points: Sequence[Point], series: Sequence[Series]) -> list[str]:
    heads = ["folder", "answer tokens", "seconds", *(f"{who} ({on})" for on, who in series)]
    rows = [
        [
            point.name + "*" * point.rising,
            f"{point.tokens:,}",
            f"{point.seconds:,.0f}",
            *(f"{point.reached[name]:.2f}" if name in point.reached else "" for name in series),
        ]
        for point in points
    ]
    return [f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows)]


def _trend_lines(name: Series, points: Sequence[Point]) -> list[str]:
    on, who = name
    known = [point for point in points if name in point.reached]
    trend = Trend.through([p.tokens for p in known], [p.reached[name] for p in known])
    title = f"{who} ({on})"
    if trend is None:
        return [f"{title}: a trend needs {LEAST_POINTS} different amounts of data."]
    fit = (
        f"{title}: {trend.per_tenfold:+.3f} tokens a pass for ten times the data "
        f"({len(known)} points, {trend.spread:.3f} off on average)."
    )
    goals = {**GOALS[who], **next((p.goals[who] for p in reversed(known) if p.goals.get(who)), {})}
    return [fit, *(f"- {_goal_line(label, goal, trend)}" for label, goal in goals.items())]


def _goal_line(label: str, goal: float, trend: Trend) -> str:
    wish = f"{goal:.2f} tokens a pass ({label})"
    data = trend.data_for(goal)
    if data is None:
        return f"{wish}: no amount of data by this trend."
    if data <= trend.most_data:
        return f"{wish}: {data:,.0f} answer tokens, within the data here."
    far = data / trend.most_data
    warning = ": a guess, not a forecast" if far > FAR else ""
    return f"{wish}: {_round(data)} answer tokens, {_round(far)} times the most data here{warning}."


def _round(number: float) -> str:
    """Two significant figures: more would promise too much."""
    digits = 1 - math.floor(math.log10(number))
    return f"{round(number, digits):,.{max(digits, 0)}f}"
