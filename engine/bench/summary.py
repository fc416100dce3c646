"""Rows to figures: speed against the fastest plain decoding of the same prompt in the same run."""

import statistics
from collections.abc import Callable, Iterable, Sequence
from typing import TypedDict

from engine.bench.rows import Row

OWN_PLAIN = "plain"


class ModeSummary(TypedDict):
    """One mode. A prompt's speed is the median over its repeats; means over prompts are geometric.

    Baselines are the best of all repeats: Slipstream's own plain decoding for `speedup_geomean` and
    `speedup_by_category`, the fastest plain decoding of anyone, peers included, for `speedup_vs_fastest_geomean`.
    `spread` is the median over prompts of (fastest - slowest) / median of the repeats; None without repeats.
    `identical` is the share of `answers` that equal the plain ones, `divergence_margin_median` how close a call it was
    where the others went another way (logits, see engine.bench.margins). `peak_memory_bytes` is that of the mode's
    process; Slipstream's modes share one.
    """

    speedup_geomean: float | None
    speedup_by_category: dict[str, float]
    tokens_per_second_median: float | None
    identical: float | None
    speedup_vs_fastest_geomean: float | None
    tokens_per_pass: float | None
    acceptance_rate: float | None
    ttft_s_median: float | None
    spread: float | None
    answers: int
    divergence_margin_median: float | None
    peak_memory_bytes: int | None


class ContextSummary(TypedDict):
    """One mode at one context; `kv_bytes` is the largest size of the KV caches."""

    prompt_tokens: int | None
    tokens_per_second_median: float | None
    speedup_geomean: float | None
    tokens_per_pass: float | None
    identical: float | None
    kv_bytes: int | None


def summarise(rows: Sequence[Row]) -> dict[str, ModeSummary]:
    """By mode, in the order of their first rows."""
    own = _baselines(rows, lambda mode: mode == OWN_PLAIN)
    anyone = _baselines(rows, is_plain)
    modes = dict.fromkeys(row["mode"] for row in rows)
    return {mode: _summary([row for row in rows if row["mode"] == mode], own, anyone) for mode in modes}


def by_context(rows: Sequence[Row]) -> dict[int, dict[str, ContextSummary]]:
    """By context, then mode; empty when the prompts were not padded."""
    contexts = dict.fromkeys(row["context"] for row in rows if row["context"] is not None)
    found: dict[int, dict[str, ContextSummary]] = {}
    for context in contexts:
        members = [row for row in rows if row["context"] == context]
        modes = summarise(members)
        found[context] = {
            mode: ContextSummary(
                prompt_tokens=_largest(row["prompt_tokens"] for row in members if row["mode"] == mode),
                tokens_per_second_median=each["tokens_per_second_median"],
                speedup_geomean=each["speedup_geomean"],
                tokens_per_pass=each["tokens_per_pass"],
                identical=each["identical"],
                kv_bytes=_largest(row["kv_bytes"] for row in members if row["mode"] == mode),
            )
            for mode, each in modes.items()
        }
    return found


def is_own(mode: str) -> bool:
    """Slipstream's modes are bare words, a peer's are "name:mode"."""
    return ":" not in mode


def is_plain(mode: str) -> bool:
    """Slipstream's "plain" and a peer's "name:plain"."""
    return mode.rpartition(":")[2] == OWN_PLAIN


def _baselines(rows: Sequence[Row], counts: Callable[[str], bool]) -> dict[str, float]:
    """Best tokens per second by prompt among the modes that count."""
    best: dict[str, float] = {}
    for row in rows:
        speed = row["tokens_per_second"]
        if speed and counts(row["mode"]):
            best[row["prompt_id"]] = max(speed, best.get(row["prompt_id"], 0.0))
    return best


def _summary(rows: Sequence[Row], own: dict[str, float], anyone: dict[str, float]) -> ModeSummary:
    speeds = _speeds(rows)
    medians = {prompt: statistics.median(values) for prompt, values in speeds.items()}
    categories = {row["prompt_id"]: row["category"] for row in rows}
    compared = [row["identical_to_plain"] for row in rows if row["identical_to_plain"] is not None]
    return ModeSummary(
        speedup_geomean=_speedup(medians, own),
        speedup_by_category=_by_category(medians, own, categories),
        tokens_per_second_median=_median(medians.values()),
        identical=sum(compared) / len(compared) if compared else None,
        speedup_vs_fastest_geomean=_speedup(medians, anyone),
        tokens_per_pass=_mean(row["tokens_per_pass"] for row in rows),
        acceptance_rate=_mean(row["acceptance_rate"] for row in rows),
        ttft_s_median=_median(row["ttft_s"] for row in rows if row["ttft_s"] is not None),
        spread=_spread(speeds),
        answers=len(rows),
        divergence_margin_median=_median(
            row["divergence_margin"] for row in rows if row["divergence_margin"] is not None
        ),
        peak_memory_bytes=_largest(row["peak_memory_bytes"] for row in rows),
    )


def _speeds(rows: Iterable[Row]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for row in rows:
        if row["tokens_per_second"]:
            found.setdefault(row["prompt_id"], []).append(row["tokens_per_second"])
    return found


def _speedup(speeds: dict[str, float], baselines: dict[str, float]) -> float | None:
    ratios = [speed / baselines[prompt] for prompt, speed in speeds.items() if prompt in baselines]
    return statistics.geometric_mean(ratios) if ratios else None


def _by_category(
    speeds: dict[str, float], baselines: dict[str, float], categories: dict[str, str]
) -> dict[str, float]:
    found = {}
    for category in dict.fromkeys(categories.values()):
        members = {prompt: speed for prompt, speed in speeds.items() if categories[prompt] == category}
        if (ratio := _speedup(members, baselines)) is not None:
            found[category] = ratio
    return found


def _median(values: Iterable[float]) -> float | None:
    listed = list(values)
    return statistics.median(listed) if listed else None


def _largest(values: Iterable[int | None]) -> int | None:
    return max((value for value in values if value is not None), default=None)


def _mean(values: Iterable[float | None]) -> float | None:
    listed = [value for value in values if value is not None]
    return statistics.fmean(listed) if listed else None


def _spread(speeds: dict[str, list[float]]) -> float | None:
    repeated = [values for values in speeds.values() if len(values) > 1]
    return _median((max(values) - min(values)) / statistics.median(values) for values in repeated)
