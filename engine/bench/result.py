"""The result of a run, complete or not, and its files: JSON, and Markdown beside it."""

import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.bench.rows import Outcome, Row, rows
from engine.bench.summary import ModeSummary, summarise
from engine.errors import SlipstreamError

QUIET = 0.05  # share of the processor that others may take before the reader is warned


@dataclass(slots=True)
class Result:
    """Everything but the outcomes is known before the first answer. `notes` are sentences for the reader."""

    machine: dict[str, Any]
    versions: dict[str, str | None]
    pair: dict[str, Any]
    settings: dict[str, Any]
    notes: list[str] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    complete: bool = False

    def as_json(self) -> dict[str, Any]:
        """The contract's keys (design.md), then `settings`, `notes` and `complete`."""
        measured = rows(self.outcomes)
        return {
            "machine": self.machine,
            "versions": self.versions,
            "pair": self.pair,
            "rows": measured,
            "summary": summarise(measured),
            "settings": self.settings,
            "notes": self.notes,
            "complete": self.complete,
        }

    def save(self, path: Path) -> None:
        write_text(path, json.dumps(self.as_json(), ensure_ascii=False, indent=1) + "\n")


def beside(path: Path, suffix: str) -> Path:
    """result.json -> result.md; other names get the suffix added."""
    return path.with_suffix(suffix) if path.suffix == ".json" else path.with_name(path.name + suffix)


def write_text(path: Path, text: str) -> None:
    """Replaces `path` in one step. Errors: SlipstreamError when the disk refuses."""
    partial = path.with_name(path.name + ".partial")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise SlipstreamError(f"The result could not be written to {path}: {error.strerror}.") from error


def markdown(result: Result) -> str:
    """Tables of the summary, for a terminal and for a README."""
    measured: Sequence[Row] = rows(result.outcomes)
    summary = summarise(measured)
    parts = [_heading(result), _modes_table(summary)]
    if any(mode["speedup_by_category"] for mode in summary.values()):
        parts.append(_categories_table(summary))
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


def _heading(result: Result) -> str:
    machine, prompts = result.machine, len({o.prompt.id for o in result.outcomes})
    return (
        f"**{result.pair['title']}** on {machine['processor']}, {machine['cores']} cores: {prompts} prompts, "
        f"{result.settings['repeat']}x, up to {result.settings['max_tokens']} tokens, "
        f"temperature {result.settings['temperature']:g}. Speed-ups are geometric means over prompts against the "
        "fastest repeat of plain decoding: Slipstream's own, and the fastest of anyone's."
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
        "first token",
    )
    lines = [
        (
            mode,
            _number(s["tokens_per_second_median"], "{:.1f}"),
            _number(s["speedup_geomean"], "{:.2f}x"),
            _number(s["speedup_vs_fastest_geomean"], "{:.2f}x"),
            _number(s["tokens_per_pass"], "{:.2f}"),
            _number(s["acceptance_rate"], "{:.0%}"),
            _number(s["identical"], "{:.0%}"),
            _number(s["ttft_s_median"], "{:.2f} s"),
        )
        for mode, s in summary.items()
    ]
    return table(head, lines)


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
