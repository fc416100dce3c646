"""The result of a run, complete or not, and its file."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.bench.rows import Outcome, rows
from engine.bench.summary import by_context, summarise
from engine.errors import SlipstreamError


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
        """The contract's keys (design.md), then what was added."""
        measured = rows(self.outcomes)
        return {
            "machine": self.machine,
            "versions": self.versions,
            "pair": self.pair,
            "rows": measured,
            "summary": summarise(measured),
            "by_context": by_context(measured),
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
