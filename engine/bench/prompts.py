"""Prompt files: one JSON object a line, {"id", "category", "turns": [...]}."""

import json
import zlib
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TypeGuard

from engine.errors import SlipstreamError
from engine.models.paths import assets_dir

OWN = "bench_prompts.jsonl"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A conversation's user messages; a model's own answers come between them.

    `context` is the length in tokens that the prompt was padded to, None for a prompt as it is.
    """

    id: str
    category: str
    turns: tuple[str, ...]
    context: int | None = None

    @property
    def seed(self) -> int:
        """The same in every mode and run, another for every prompt."""
        return zlib.crc32(self.id.encode())


def load_prompts(path: Path | None = None, limit: int | None = None) -> list[Prompt]:
    """The first `limit` prompts of `path`, or of Slipstream's own file. Errors name the line."""
    source = path or assets_dir() / OWN
    try:
        lines = source.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SlipstreamError(f"{source} can't be read as UTF-8 text; check the path.") from error
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    prompts = [_parse(source.name, number, line) for number, line in numbered]
    _refuse_repeated_ids(source.name, prompts)
    if not prompts:
        raise SlipstreamError(f"{source.name} has no prompts: write one JSON object a line into it.")
    return prompts[:limit]


def spread(prompts: list[Prompt], number: int) -> list[Prompt]:
    """`number` of them, one of a category while there are unseen ones; all if there are fewer."""
    seen: dict[str, list[Prompt]] = {}
    for prompt in prompts:
        seen.setdefault(prompt.category, []).append(prompt)
    rounds = zip_longest(*seen.values())
    return [prompt for group in rounds for prompt in group if prompt is not None][:number]


def _parse(name: str, number: int, line: str) -> Prompt:
    where = f"Line {number} of {name}"
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise SlipstreamError(f"{where} is not valid JSON ({error.msg}): correct or delete it.") from error
    except RecursionError as error:
        raise SlipstreamError(f"{where} is nested too deeply: correct or delete it.") from error
    fields = record if isinstance(record, dict) else {}
    identity, category, turns = fields.get("id"), fields.get("category", "other"), fields.get("turns")
    if not isinstance(identity, str | int) or not isinstance(category, str) or not _are_texts(turns):
        raise SlipstreamError(f'{where} needs "id", "category" and "turns", a list of texts: add them.')
    return Prompt(str(identity), category, tuple(turns))


def _are_texts(turns: object) -> TypeGuard[list[str]]:
    return isinstance(turns, list) and bool(turns) and all(isinstance(t, str) and t.strip() for t in turns)


def _refuse_repeated_ids(name: str, prompts: list[Prompt]) -> None:
    seen: set[str] = set()
    for prompt in prompts:
        if prompt.id in seen:
            raise SlipstreamError(f"{name} has two prompts with the id '{prompt.id}': rename one.")
        seen.add(prompt.id)
