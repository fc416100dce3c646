"""The summary as Markdown tables, for a terminal and for a README."""

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from engine.bench.result import Result
from engine.bench.rows import Row, rows
from engine.bench.summary import ContextSummary, ModeSummary, by_context, is_own, is_plain, summarise
from engine.bench.sweep import described

QUIET = 0.05  # share of the processor that others may take before the reader is warned
LEGEND = (
    "vs own plain, vs fastest plain: against Slipstream's plain decoding, and against the fastest of anyone's. margin: "
    "where an answer left the plain one, the difference of the two best logits by Slipstream's target, median. "
    "peak memory: of the contestant's process; Slipstream's modes share one."
)
KV_LEGEND = (
    "Tokens per second (against plain decoding at the same context). KV memory is what is allocated, of which the "
    "calibration at load needs some. Answers find the prompt in the caches: there is no time to the first token."
)


def markdown(result: Result) -> str:
    """Tables, the peers' settings, and what the reader must know."""
    measured: Sequence[Row] = rows(result.outcomes)
    summary, contexts = summarise(measured), by_context(measured)
    parts = [_heading(result)]
    if contexts:
        parts.extend((_contexts_table(contexts), KV_LEGEND))
    else:
        parts.extend((_modes_table(summary), LEGEND))
    if not contexts and any(mode["speedup_by_category"] for mode in summary.values()):
        parts.append(_categories_table(summary))
    parts.extend(_peers(result.settings["peers"]))
    if result.settings["peers"] and result.settings["temperature"] > 0:
        parts.append("Peers can't repeat a sampled answer in another mode: theirs are not compared.")
    parts.extend(_identity(measured, result.settings["exact"]))
    parts.extend(result.notes)
    parts.extend(_noise(measured))
    if not result.complete:
        parts.append("The run was stopped before its end; the figures are those of the answers so far.")
    return "\n\n".join(parts)


def _noise(measured: Sequence[Row]) -> list[str]:
    """A warning when the machine was not quiet."""
    shares = [row["busy_elsewhere"] for row in measured if row["busy_elsewhere"] is not None]
    typical = statistics.median(shares) if shares else 0.0
    if typical < QUIET:
        return []
    return [
        f"Other programs took {typical:.0%} of the processor during a typical answer: the figures are uncertain."
    ]


def _peers(peers: dict[str, Any]) -> list[str]:
    """What the sweep found."""
    if not peers:
        return []
    lines = [
        f"- {name}: {described(found['chosen'])}, of {len(found['tried'])} tried"
        + (" before time ran out: a better one may exist" if found["cut_short"] else "")
        for name, found in peers.items()
    ]
    return ["Peers run with the settings that a sweep before the run found fastest:", "\n".join(lines)]


def _identity(measured: Sequence[Row], exact: bool) -> list[str]:
    """Slipstream promises the same text in every mode: whether it kept that, and where it broke it."""
    own = [row for row in measured if is_own(row["mode"]) and not is_plain(row["mode"])]
    compared = [row for row in own if row["identical_to_plain"] is not None]
    broken = [row for row in compared if not row["identical_to_plain"]]
    if compared and not broken:
        count = len(compared)
        return [
            f"Slipstream's speculative answers that are the plain ones, token for token: {count} of {count}."
        ]
    return [_defect(broken, exact)] if broken else []


def _defect(broken: Sequence[Row], exact: bool) -> str:
    first = broken[0]
    reason = "please report it" if exact else "this processor's arithmetic does not allow exactness"
    return (
        f"**{len(broken)} of Slipstream's own answers differ from plain decoding, which is a defect: {reason}.** The "
        f"first: {first['mode']} on {first['prompt_id']}, from token {first['first_divergence']} on, margin "
        f"{_number(first['divergence_margin'], '{:.3f}')}."
    )


def _heading(result: Result) -> str:
    machine = result.machine
    contexts = max(
        len({o.prompt.context for o in result.outcomes}), 1
    )  # none where every context was too long
    prompts = len({o.prompt.id for o in result.outcomes}) // contexts
    return (
        f"**{result.pair['title']}** on {machine['processor']}, {machine['cores']} cores: {prompts} prompts, "
        f"{result.settings['repeat']}x, up to {result.settings['max_tokens']} tokens, "
        f"temperature {result.settings['temperature']:g}. Speed-ups are geometric means over prompts against the "
        "fastest repeat of plain decoding."
    )


def _modes_table(summary: dict[str, ModeSummary]) -> str:
    head = (
        "mode",
        "tokens/s",
        "vs own plain",
        "vs fastest plain",
        "tokens/pass",
        "accepted",
        "same as plain",
        "margin",
        "first token",
        "peak memory",
    )
    memory = _memory(summary)
    lines = [
        (
            mode,
            _number(s["tokens_per_second_median"], "{:.1f}"),
            _number(s["speedup_geomean"], "{:.2f}x"),
            _number(s["speedup_vs_fastest_geomean"], "{:.2f}x"),
            _number(s["tokens_per_pass"], "{:.2f}"),
            _number(s["acceptance_rate"], "{:.0%}"),
            "-" if is_plain(mode) else _number(s["identical"], "{:.0%}"),
            _number(s["divergence_margin_median"], "{:.2f}"),
            _number(s["ttft_s_median"], "{:.2f} s"),
            memory[mode],
        )
        for mode, s in summary.items()
    ]
    return table(head, lines)


def _memory(summary: dict[str, ModeSummary]) -> dict[str, str]:
    """Slipstream's modes share a process, and so a figure."""
    own = [mode for mode in summary if is_own(mode)]
    peaks = {mode: each["peak_memory_bytes"] for mode, each in summary.items()}
    shared = max((peak for mode in own if (peak := peaks[mode])), default=None)
    return {
        mode: _number(_mib(shared if mode in own else peak), "{:,.0f} MiB") for mode, peak in peaks.items()
    }


def _mib(size: int | None) -> float | None:
    return None if size is None else size / 2**20


def _contexts_table(contexts: Mapping[int, dict[str, ContextSummary]]) -> str:
    modes = list(dict.fromkeys(mode for by_mode in contexts.values() for mode in by_mode))
    lines = []
    for context, by_mode in contexts.items():
        kv = max((each["kv_bytes"] or 0 for each in by_mode.values()), default=0)
        tokens = max((each["prompt_tokens"] or 0 for each in by_mode.values()), default=0)
        cells = (_speed(by_mode[mode]) if mode in by_mode else "-" for mode in modes)
        lines.append((f"{context:,}", f"{tokens:,}", f"{kv / 2**20:,.0f} MiB", *cells))
    return table(("context", "longest prompt", "KV memory", *modes), lines)


def _speed(summary: ContextSummary) -> str:
    """120.3/s (1.94x)"""
    speed = _number(summary["tokens_per_second_median"], "{:.1f}/s")
    return speed + _number(summary["speedup_geomean"], " ({:.2f}x)")


def _categories_table(summary: dict[str, ModeSummary]) -> str:
    categories = dict.fromkeys(name for mode in summary.values() for name in mode["speedup_by_category"])
    lines = [
        (mode, *(_number(s["speedup_by_category"].get(name), "{:.2f}x") for name in categories))
        for mode, s in summary.items()
    ]
    return table(("mode", *categories), lines)


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table, padded so that it reads well in a terminal; numbers to the right."""
    widths = [max(len(line[i]) for line in (head, *lines)) for i in range(len(head))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    padded = [
        [
            line[0].ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)),
        ]
        for line in (head, rule, *lines)
    ]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in padded)


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else form.format(value)
