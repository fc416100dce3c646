"""What a trained drafter looks like, whatever its checkpoint's format: a small network on the target's hidden states.

A block drafter guesses a block at once (DFlash, arXiv 2602.06036; DSpark, 2607.05147), an EAGLE head one token after
the other (arXiv 2401.15077).
"""

from dataclasses import dataclass
from typing import Any

from engine.graphs.architecture import Architecture

EAGLE = "eagle"  # the format of the heads that `slipstream train` makes
EAGLE_HEAD = "EAGLE head"  # what people call one
MARKOV_KINDS = ("vanilla", "gated", "rnn")


@dataclass(frozen=True, slots=True)
class DrafterShape:
    """Sizes in elements. `taps`: layers of the target whose output the drafter reads, counted from 0.

    `windows`: for each layer how many of the last tokens a row sees, 0 for all. `causal`: whether its block rows see
    only those before them. `from_anchor`: row i of the block predicts the token after it (anchor included); otherwise
    the token at its own place, and the anchor's row predicts nothing. `target_layers` is 0 if the checkpoint does
    not say. `markov` is a kind of MARKOV_KINDS or empty.
    """

    format: str
    layers: int
    hidden: int
    intermediate: int
    heads: int
    kv_heads: int
    head_dim: int
    vocab: int
    draft_vocab: int
    context: int
    rms_eps: float
    rope_base: float
    block_size: int
    mask_token: int
    taps: tuple[int, ...]
    target_layers: int
    windows: tuple[int, ...]
    causal: tuple[bool, ...]
    from_anchor: bool
    markov: str = ""
    markov_rank: int = 0
    confidence: bool = False
    confidence_with_markov: bool = False

    @property
    def longest_draft(self) -> int:
        """Tokens that one draft can have."""
        return self.block_size if self.from_anchor else self.block_size - 1

    @property
    def reduced(self) -> bool:
        """Whether it drafts only a part of the target's vocabulary."""
        return self.draft_vocab != self.vocab

    @property
    def feeds_back(self) -> bool:
        """Whether it is an EAGLE head, which drafts token after token and reads its own state."""
        return self.format == EAGLE

    @property
    def kind(self) -> str:
        """In English words, for people."""
        return EAGLE_HEAD if self.feeds_back else "block drafter"

    @property
    def described(self) -> str:
        """Its kind, and the format where there are several: what is written down of an installed drafter."""
        return self.kind if self.feeds_back else f"{self.kind}, {self.format}"

    @property
    def sequential(self) -> bool:
        """Whether tokens are drawn one after the other, by a small head of their own."""
        return bool(self.markov) or self.confidence

    def block_rows(self, drafted: int) -> int:
        return drafted if self.from_anchor else drafted + 1


def shape_from_json(described: dict[str, Any]) -> DrafterShape:
    """The inverse of dataclasses.asdict and JSON; TypeError when fields are missing or surplus."""
    lists = ("taps", "windows", "causal")
    return DrafterShape(**{**described, **{name: tuple(described[name]) for name in lists}})


def misfit(shape: DrafterShape, target: Architecture) -> str | None:
    """Why the drafter can't draft for this target, as the end of a sentence; None if it can."""
    if shape.hidden != target.hidden:
        return f"it reads hidden states of {shape.hidden:,} numbers, and the target's have {target.hidden:,}"
    if shape.vocab != target.vocab:
        return f"its vocabulary has {shape.vocab:,} tokens, and the target's has {target.vocab:,}"
    if shape.target_layers not in (0, target.layers):
        return (
            f"it was trained for a target of {shape.target_layers} layers, and this one has {target.layers}"
        )
    deepest = max(shape.taps)
    if deepest >= target.layers - 1:
        return (
            f"it reads layer {deepest + 1}, and of the target's {target.layers} layers the last can't be read"
        )
    if shape.mask_token >= target.vocab:
        return f"its mask token {shape.mask_token:,} is not in the target's vocabulary"
    return None
