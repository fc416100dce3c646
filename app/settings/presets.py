"""Named layers of settings: those that come with the program, and which one suits a pair.

A 135M model repeats itself without end where it is greedy. SmolLM2 on the three of eight prompts where it did so most,
256 tokens, share of 8-grams that had come before: greedy 0.49; temperature 0.2, top-p 0.9 and a repetition penalty of
1.05 0.25; SMALL 0.03, at 1.18 tokens a pass (n-grams). A repetition penalty of 1.1 or more, which also counts the
question's words, made it misspell its first sentence.
"""

from collections.abc import Mapping
from typing import Any

from engine.models.catalogue import Pair

RECOMMENDED = "recommended"  # by the pair
EXACT, BALANCED, CREATIVE, CODER = "exact", "balanced", "creative", "coder"

_OFF = {"top_k": 0, "top_p": 1.0, "min_p": 0.0}
_NO_PENALTY = {"repetition_penalty": 1.0, "presence_penalty": 0.0, "frequency_penalty": 0.0}
BUILT_IN: Mapping[str, Mapping[str, Any]] = {
    EXACT: {"temperature": 0.0, **_OFF, **_NO_PENALTY},
    BALANCED: {**_OFF, **_NO_PENALTY, "temperature": 0.7, "top_p": 0.95},
    CREATIVE: {**_OFF, **_NO_PENALTY, "temperature": 1.0, "min_p": 0.05},
    CODER: {**_OFF, **_NO_PENALTY, "temperature": 0.2, "top_p": 0.9},
}
SMALL = {**_OFF, **_NO_PENALTY, "temperature": 0.5, "top_p": 0.9, "frequency_penalty": 0.2}
SMALL_MODELS = ("135m", "360m", "0.5b", "0.6b")  # loop when they are greedy


def recommended(pair: Pair | None) -> Mapping[str, Any]:
    """What suits the pair's target, by its name."""
    target = pair.target.lower() if pair else ""
    if "coder" in target:
        return BUILT_IN[CODER]
    if any(size in target for size in SMALL_MODELS):
        return SMALL
    return BUILT_IN[BALANCED]


def values_of(name: str, own: Mapping[str, Mapping[str, Any]], pair: Pair | None) -> Mapping[str, Any]:
    """A preset's layer; one that is gone counts as the recommended one."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    return own.get(name, recommended(pair))
