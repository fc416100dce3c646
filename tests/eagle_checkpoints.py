"""Tiny random EAGLE heads as `slipstream train` writes them, and a plain float64 forward pass to compare with.

The forward pass is written from the definition (EAGLE 2401.15077, EAGLE-3 2503.01840; see engine/train/eagle.py): whole
sequences, no cache. It shares no code with the engine.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file

from tests import dflash_checkpoints
from tests.dflash_checkpoints import Array, Drafter, Reference, Tensors, in_eight_bits

# One layer, causal by a window as wide as the context.
EAGLE = Drafter(
    "eagle",
    layers=1,
    sliding=(0,),
    window=4096,
    causal=True,
    from_anchor=True,
    confidence=True,
    confidence_with_markov=False,
)
HEADS = {
    "whole": EAGLE,
    "reduced": replace(EAGLE, drafted=tuple(range(0, 259, 3)), block_size=7),
    "unsure": replace(EAGLE, drafted=tuple(range(1, 259, 2)), confidence=False, taps=(0, 2)),
    "8bit": replace(EAGLE, drafted=tuple(range(3, 259, 2)), eight_bits=True),
}


def write_head(folder: Path, head: Drafter = EAGLE) -> Path:
    """config.json and model.safetensors."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config(head)), encoding="utf-8")
    save_file(stored(head), folder / "model.safetensors")
    return folder


def config(head: Drafter) -> dict[str, Any]:
    return {
        "architectures": ["SlipstreamEagleHead"],
        "aux_hidden_state_layer_ids": [tap + 1 for tap in head.taps],
        "block_size": head.block_size,
        "draft_vocab_size": head.draft_vocab,
        "enable_confidence_head": head.confidence,
        "transformer_layer_config": {
            "model_type": "qwen3",
            "hidden_size": head.hidden,
            "intermediate_size": head.intermediate,
            "num_hidden_layers": 1,
            "num_attention_heads": head.heads,
            "num_key_value_heads": head.kv_heads,
            "head_dim": head.head_dim,
            "vocab_size": head.vocab,
            "max_position_embeddings": head.context,
            "rms_norm_eps": 1e-5,
            "rope_theta": 10_000.0,
            "layer_types": ["sliding_attention"],
            "sliding_window": head.window,
            "use_sliding_window": True,
        },
        "slipstream": {"model": "tiny"},
    }


def tensors(head: Drafter) -> Tensors:
    """Random weights by name, and the tables of drafted tokens, which are there for a whole vocabulary too."""
    rng = np.random.default_rng(head.seed + 1_000)
    drafted = np.array(head.drafted or range(head.vocab), dtype=np.int64)
    entering = rng.standard_normal((head.hidden, 2 * head.hidden)) / np.sqrt(2 * head.hidden)
    own: Tensors = {
        "embed_norm.weight": (1.0 + 0.2 * rng.standard_normal(head.hidden)).astype(np.float32),
        "input_proj.weight": (2.0 * entering).astype(np.float32),
        "d2t": drafted - np.arange(len(drafted)),
        "t2d": np.isin(np.arange(head.vocab), drafted),
    }
    return dflash_checkpoints.tensors(head) | own


def stored(head: Drafter) -> Tensors:
    return in_eight_bits(tensors(head)) if head.eight_bits else tensors(head)


@dataclass(frozen=True, slots=True)
class Row:
    """What one row drafts: logits [draft vocabulary], hidden [hidden], what the confidence head says, and the token."""

    logits: Array
    hidden: Array
    claim: float | None
    token: int


class EagleReference(Reference):
    """`embedding` and `head` [vocabulary, hidden] are the target's."""

    def __init__(self, head: Drafter, embedding: Array, target_head: Array) -> None:
        super().__init__(head, embedding, target_head)
        found = stored(head)
        for name in ("embed_norm.weight", "input_proj.weight"):
            scale = found[name + "_scale"][:, None] if name + "_scale" in found else 1.0
            self.w[name] = np.asarray(found[name] * scale, np.float64)

    def draft(
        self, features: Array, tokens: Sequence[int], count: int, unknown: Collection[int] = ()
    ) -> list[Row]:
        """Greedy rows after `tokens` [n + 1], whose first n have features [n, taps * hidden].

        `unknown`: places of tokens that stand beside zeros, since what was said before them is forgotten.
        """
        fused = np.asarray(features, np.float64) @ self.w["fc.weight"].T
        behind = np.concatenate([np.zeros((1, self.d.hidden)), fused])
        behind[list(unknown)] = 0.0
        rows = self._rows(behind, tokens)
        found: list[Row] = []
        for _ in range(count):
            state = self._states(rows)[-1]
            found.append(self._row(state))
            rows = np.concatenate([rows, self._rows(state[None], [found[-1].token])])
        return found

    def _rows(self, states: Array, tokens: Sequence[int]) -> Array:
        """What enters the layer: each token beside the state before it."""
        embedded = self._norm(self.embedding[list(tokens)], "embed_norm.weight")
        beside = np.concatenate([self._norm(states, "hidden_norm.weight"), embedded], -1)
        return beside @ self.w["input_proj.weight"].T

    def _states(self, rows: Array) -> Array:
        nothing = np.zeros((0, self.d.hidden))
        x = rows + self._attention(0, self._norm(rows, "layers.0.input_layernorm.weight"), nothing)
        return x + self._mlp("layers.0.", self._norm(x, "layers.0.post_attention_layernorm.weight"))

    def _row(self, state: Array) -> Row:
        hidden = self._norm(state, "norm.weight")
        logits = self.head @ hidden
        best = int(np.argmax(logits))
        claim = self._confidence(0, hidden) if self.d.confidence else None
        return Row(logits, hidden, claim, self.d.drafted[best] if self.d.drafted else best)
