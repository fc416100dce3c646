"""Which answers to generate, in an order whose every prefix is a fair mixture of prompts and of temperatures."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.bench.prompts import Prompt

HELD_OUT_SHARE = 40  # one prompt in so many is never trained on
SAMPLED = (0.7, 1.0)


class Split(StrEnum):
    TRAIN = "train"
    HELD_OUT = "held-out"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Job:
    """One answer to be. `key` names it for ever: the answer is a function of the key, the model and the limit."""

    key: str
    prompt: Prompt
    temperature: float
    seed: int


def is_held_out(prompt_id: str) -> bool:
    """By a hash of the id, so that neither the file's order nor its growth moves a prompt across."""
    return _hash(f"held-out {prompt_id}") % HELD_OUT_SHARE == 0


def select(prompts: Sequence[Prompt], split: Split) -> list[Prompt]:
    """The prompts of a split in an order that depends on their ids alone."""
    wanted = [p for p in prompts if split is Split.ALL or is_held_out(p.id) == (split is Split.HELD_OUT)]
    return sorted(wanted, key=lambda prompt: _hash(f"order {prompt.id}"))


def plan(prompts: Sequence[Prompt], rounds: int) -> Iterator[Job]:
    """A greedy answer to every prompt and a sampled one to every second; then `rounds` - 1 rounds of samples.

    New prompts teach more than new answers to known ones, and a second answer finds the prompt in the cache.
    """
    for number, prompt in enumerate(prompts):
        yield _job(prompt, 0, 0.0)
        if rounds > 1 and number % 2:
            yield _job(prompt, 1, SAMPLED[number // 2 % 2])
    for turn in range(1, rounds):
        for number, prompt in enumerate(prompts):
            if turn > 1 or not number % 2:
                yield _job(prompt, turn, SAMPLED[(number // 2 + turn) % 2])


def _job(prompt: Prompt, variant: int, temperature: float) -> Job:
    key = f"{prompt.id}#{variant}"
    return Job(key, prompt, temperature, _hash(key) % 2**62)


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
