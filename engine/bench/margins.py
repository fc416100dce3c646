"""How close a call it was where an answer left the plain one: rounding decides between two tokens of equal logits.

The measure is the difference of the two best raw logits of Slipstream's own target after the prompt and the common
beginning of both answers, for its own modes and for peers alike. Greedy answers only: sampled ones also hang on noise.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.bench.rows import Outcome, first_divergence, references
from engine.request import Message

Encode = Callable[[Sequence[Message]], list[int]]
NextLogits = Callable[[Sequence[int]], NDArray[np.float32]]


def with_margins(outcomes: Sequence[Outcome], encode: Encode, logits: NextLogits) -> list[Outcome]:
    """The outcomes in their order; those that differ from their plain ones know the margin.

    They are visited prompt by prompt, so that `logits` can keep the prompt's KV cache.
    """
    found = list(outcomes)
    plain = references(outcomes)
    for index in sorted(range(len(found)), key=lambda i: found[i].prompt.id):
        outcome = found[index]
        reference = plain.get((outcome.prompt.id, outcome.plain))
        tokens = None if reference is None else _common(reference, outcome, encode)
        if tokens is not None:
            found[index] = replace(outcome, divergence_margin=_margin(logits(tokens)))
    return found


def _common(reference: Outcome, outcome: Outcome, encode: Encode) -> list[int] | None:
    """All that the model had read where the two went apart; None if they never did."""
    for turn, messages in enumerate(_conversation(outcome)):
        tokens = outcome.answers[turn].tokens
        divergence = first_divergence(reference.answers[turn].tokens, tokens)
        if divergence is not None:
            return [*encode(messages), *tokens[:divergence]]
    return None


def _conversation(outcome: Outcome) -> Iterator[tuple[Message, ...]]:
    """What was asked in each turn."""
    messages: tuple[Message, ...] = ()
    for turn, answer in zip(outcome.prompt.turns, outcome.answers, strict=True):
        messages += (Message("user", turn),)
        yield messages
        messages += (Message("assistant", answer.text),)


def _margin(logits: NDArray[np.float32]) -> float:
    second, first = np.partition(logits, -2)[-2:]
    return float(first - second)
