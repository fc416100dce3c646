"""What drafter to train and how: every choice in one place, written beside the weights."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.graphs.architecture import Architecture
from engine.graphs.dflash_shape import EAGLE, DrafterShape
from engine.train.answers import Answer


@dataclass(frozen=True, slots=True)
class Recipe:
    """The drafter's sizes, then how it is trained. `seed` fixes the weights' beginning and the order of the data."""

    kind: str = "dflash"  # or "eagle", which has one layer and no Markov head
    layers: int = 2
    intermediate: int = 1536
    draft_vocab: int = 8192
    block: int = 6
    markov: str = "gated"  # "" for none
    markov_rank: int = 96
    confidence: bool = True
    epochs: float = 5.0
    batch: int = 16  # answers a step
    anchors: int = 48  # blocks an answer and step
    rate: float = 2e-3
    muon: bool = True  # for the layers' matrices; AdamW for the rest, and for all without it
    muon_steps: int = 5  # Newton-Schulz iterations: where a step has few blocks, they take the most time
    warmup: float = 0.04  # of all steps
    decay: float = 0.05
    clip: float = 1.0
    average: float = 0.999  # decay of the weights' moving average; 0 for none
    soft: float = 0.8  # share of the target's probabilities in the loss, beside its token
    gamma: float = 4.0  # row i of a block weighs exp(-i / gamma)
    confidence_weight: float = 0.1
    bf16: bool = False  # matrices are multiplied in bfloat16
    seed: int = 0

    def shape(self, target: Architecture, taps: Sequence[int], mask_token: int) -> DrafterShape:
        """The last committed token predicts its successor, and rows see only those before them.

        So a block of any length drafts the same tokens, and the pace may shorten it freely. The formats know causal
        rows only with a sliding window: it is as wide as the context.
        """
        eagle = self.kind == EAGLE
        layers, markov = (1, "") if eagle else (self.layers, self.markov)
        return DrafterShape(
            format=EAGLE if eagle else "speculators",
            layers=layers,
            hidden=target.hidden,
            intermediate=self.intermediate,
            heads=target.heads,
            kv_heads=target.kv_heads,
            head_dim=target.head_dim,
            vocab=target.vocab,
            draft_vocab=min(self.draft_vocab, target.vocab),
            context=target.context,
            rms_eps=target.rms_eps,
            rope_base=target.rope_base,
            block_size=self.block,
            mask_token=mask_token,
            taps=tuple(taps),
            target_layers=0,
            windows=(target.context,) * layers,
            causal=(True,) * layers,
            from_anchor=True,
            markov=markov,
            markov_rank=self.markov_rank if markov else 0,
            confidence=self.confidence,
            confidence_with_markov=self.confidence and bool(markov),
        )


def draft_vocabulary(answers: Iterable[Answer], size: int, vocab: int) -> NDArray[np.int64]:
    """Ascending ids of the `size` tokens that the target found likeliest in all."""
    mass = np.zeros(vocab)
    for answer in answers:
        weights = np.exp(answer.top_logp.astype(np.float64))
        np.add.at(mass, answer.top_ids, weights)
        np.add.at(mass, answer.tokens, 1.0)
    order = np.argsort(-mass, kind="stable")
    return np.sort(order[: min(size, vocab)]).astype(np.int64)
