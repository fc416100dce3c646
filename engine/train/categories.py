"""Which category of prompt an answer belongs to."""

from collections.abc import Callable, Sequence
from pathlib import Path

from engine.bench.prompts import load_prompts
from engine.errors import SlipstreamError

Categories = Callable[[str], str]


def set_of(key: str) -> str:
    """By the prompt's id alone: its part before the slash. `key` is "prompt#variant"."""
    return key.rpartition("#")[0].partition("/")[0]


def categories_of(prompts: Path | None, keys: Sequence[str]) -> Categories:
    """By the file that the answers with these `keys` were made from. Errors: SlipstreamError when it was another."""
    if prompts is None:
        return set_of
    known = {prompt.id: prompt.category for prompt in load_prompts(prompts)}
    if not any(_prompt(key) in known for key in keys):
        raise SlipstreamError(
            f"None of the answers is to a prompt of {prompts.name}: name the file that they were made from."
        )
    return lambda key: known.get(_prompt(key), "other")


def _prompt(key: str) -> str:
    return key.rpartition("#")[0]
