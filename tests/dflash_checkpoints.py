"""Tiny random block drafters in each published format, and a plain float64 forward pass to compare the engine with.

The forward pass is written from the papers (DFlash 2602.06036, DSpark 2607.05147) over whole sequences, without a
cache, and reads the tensors that were written: it shares no code with the engine.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from tests.bfloat16 import save_bfloat16

Array = NDArray[np.float64]
Tensors = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Drafter:
    """`form`: z-lab, speculators-dflash, speculators-dspark or deepspec. `sliding`: which layers see `window` tokens.

    `drafted`: ids of a reduced vocabulary (speculators only). `from_anchor` and `causal` None: what the format says.
    """

    form: str = "z-lab"
    hidden: int = 64
    intermediate: int = 96
    layers: int = 2
    heads: int = 4
    kv_heads: int = 2
    head_dim: int = 16
    vocab: int = 259
    context: int = 4096
    block_size: int = 6
    mask_token: int = 256
    taps: tuple[int, ...] = (0, 1)
    target_layers: int = 4
    sliding: tuple[int, ...] = ()
    window: int = 24
    causal: bool | None = None
    from_anchor: bool | None = None
    drafted: tuple[int, ...] = ()
    own_head: bool = False
    marked: bool = True  # a reduced vocabulary has t2d beside d2t
    markov: str = ""
    rank: int = 8
    confidence: bool = False
    confidence_with_markov: bool = True
    bfloat16: bool = False
    eight_bits: bool = False  # matrices as int8 with a scale a row
    seed: int = 1

    @property
    def predicts_from_anchor(self) -> bool:
        by_format = self.form in ("speculators-dspark", "deepspec")
        return by_format if self.from_anchor is None else self.from_anchor

    @property
    def longest(self) -> int:
        return self.block_size if self.predicts_from_anchor else self.block_size - 1

    def is_causal(self, layer: int) -> bool:
        if self.form == "deepspec":
            return False
        return layer in self.sliding if self.causal is None else self.causal

    @property
    def draft_vocab(self) -> int:
        return len(self.drafted) or self.vocab


FORMS = {
    "z-lab": Drafter(),
    "z-lab-sliding": Drafter(sliding=(0,), layers=3, bfloat16=True),
    "speculators-dflash": Drafter("speculators-dflash", drafted=tuple(range(3, 259, 2)), own_head=True),
    "speculators-dspark": Drafter(
        "speculators-dspark",
        drafted=tuple(range(0, 259, 3)),
        own_head=True,
        markov="vanilla",
        confidence=True,
    ),
    "speculators-gated": Drafter(
        "speculators-dspark", markov="gated", confidence=True, confidence_with_markov=False, sliding=(1,)
    ),
    "deepspec": Drafter("deepspec", markov="vanilla", confidence=True, block_size=7, bfloat16=True),
    "speculators-8bit": Drafter(
        "speculators-dspark",
        drafted=tuple(range(1, 259, 2)),
        marked=False,
        markov="gated",
        confidence=True,
        eight_bits=True,
        sliding=(0, 1),
        window=4096,
    ),
    "deepspec-rnn": Drafter("deepspec", markov="rnn"),
    "deepspec-dflash": Drafter("deepspec"),
}


def write_drafter(folder: Path, drafter: Drafter = Drafter()) -> Path:
    """config.json and model.safetensors, as the format's own tools write them."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config(drafter)), encoding="utf-8")
    save = save_bfloat16 if drafter.bfloat16 else save_file
    written = tensors(drafter)
    save(in_eight_bits(written) if drafter.eight_bits else written, folder / "model.safetensors")
    return folder


def in_eight_bits(written: Tensors) -> Tensors:
    found: Tensors = {}
    for name, values in written.items():
        if values.ndim != 2:
            found[name] = values
            continue
        scale = np.abs(values).max(axis=1) / np.float32(127.0)
        found[name], found[name + "_scale"] = np.rint(values / scale[:, None]).astype(np.int8), scale
    return found


def config(drafter: Drafter) -> dict[str, Any]:
    if drafter.form == "z-lab":
        return _z_lab(drafter)
    return _deepspec(drafter) if drafter.form == "deepspec" else _speculators(drafter)


def _layers(d: Drafter) -> dict[str, Any]:
    kinds = ["sliding_attention" if i in d.sliding else "full_attention" for i in range(d.layers)]
    return {
        "model_type": "qwen3",
        "hidden_size": d.hidden,
        "num_hidden_layers": d.layers,
        "intermediate_size": d.intermediate,
        "num_attention_heads": d.heads,
        "num_key_value_heads": d.kv_heads,
        "head_dim": d.head_dim,
        "vocab_size": d.vocab,
        "max_position_embeddings": d.context,
        "rms_norm_eps": 1e-5,
        "attention_bias": False,
        "hidden_act": "silu",
        "layer_types": kinds,
        "sliding_window": d.window if d.sliding else None,
        "tie_word_embeddings": False,
    }


def _z_lab(d: Drafter) -> dict[str, Any]:
    own: dict[str, Any] = {"mask_token_id": d.mask_token, "target_layer_ids": list(d.taps)}
    if d.causal is not None:
        own["causal"] = d.causal
    return _layers(d) | {
        "architectures": ["DFlashDraftModel"],
        "block_size": d.block_size,
        "dflash_config": own,
        "num_target_layers": d.target_layers,
        "rope_theta": 10_000.0,
        "rope_scaling": None,
    }


def _speculators(d: Drafter) -> dict[str, Any]:
    kind = d.form.removeprefix("speculators-")
    found = {
        "architectures": ["DFlashSpeculator" if kind == "dflash" else "DSparkSpeculator"],
        "speculators_model_type": kind,
        "speculators_version": "0.9.0",
        "transformer_layer_config": _layers(d)
        | {"rope_parameters": {"rope_type": "default", "rope_theta": 10_000.0}},
        "draft_vocab_size": d.draft_vocab,
        "block_size": d.block_size,
        "aux_hidden_state_layer_ids": [tap + 1 for tap in d.taps],
        "mask_token_id": d.mask_token,
        "sliding_window_non_causal": d.causal is False,
    }
    if d.from_anchor is not None:
        found["sample_from_anchor"] = d.from_anchor
    return found | (_spark(d) if kind == "dspark" else {})


def _deepspec(d: Drafter) -> dict[str, Any]:
    return (
        _layers(d)
        | {
            "architectures": ["Qwen3DSparkModel"],
            "rope_theta": 10_000.0,
            "block_size": d.block_size,
            "mask_token_id": d.mask_token,
            "target_layer_ids": list(d.taps),
            "num_target_layers": d.target_layers,
            "num_anchors": 512,
        }
        | _spark(d)
    )


def _spark(d: Drafter) -> dict[str, Any]:
    found: dict[str, Any] = {"markov_rank": d.rank if d.markov else 0, "enable_confidence_head": d.confidence}
    if d.markov:
        found["markov_head_type"] = d.markov
    if d.confidence:
        found["confidence_head_with_markov"] = d.confidence_with_markov
    return found


def tensors(d: Drafter) -> Tensors:
    """Random weights by name; attention scores and residuals stay of order one."""
    rng = np.random.default_rng(d.seed)

    def matrix(rows: int, columns: int, gain: float = 1.0) -> NDArray[np.float32]:
        return (rng.standard_normal((rows, columns)) * gain / np.sqrt(columns)).astype(np.float32)

    def vector(size: int, centre: float = 1.0) -> NDArray[np.float32]:
        return (centre + 0.2 * rng.standard_normal(size)).astype(np.float32)

    found: Tensors = {
        "fc.weight": matrix(d.hidden, len(d.taps) * d.hidden),
        "hidden_norm.weight": vector(d.hidden),
        "norm.weight": vector(d.hidden),
    }
    for i in range(d.layers):
        found |= _layer(d, f"layers.{i}.", matrix, vector)
    if d.markov:
        found["markov_head.markov_w1.weight"] = matrix(d.vocab, d.rank, 3.0)
        found["markov_head.markov_w2.weight"] = matrix(d.draft_vocab, d.rank, 3.0)
    mixing = {
        "gated": ("gate_proj", d.rank, d.hidden + d.rank),
        "rnn": ("joint_proj", 3 * d.rank, 2 * d.rank + d.hidden),
    }
    if d.markov in mixing:
        part, rows, columns = mixing[d.markov]
        found[f"markov_head.{part}.weight"] = matrix(rows, columns)
        found[f"markov_head.{part}.bias"] = vector(rows, 0.0)
    if d.confidence:
        width = d.hidden + d.rank * (d.confidence_with_markov and bool(d.markov))
        found["confidence_head.proj.weight"] = matrix(1, width)
        found["confidence_head.proj.bias"] = vector(1, 0.0)
    return found | _vocabulary(d, matrix)


def _layer(d: Drafter, layer: str, matrix: Any, vector: Any) -> Tensors:
    q_rows, kv_rows = d.heads * d.head_dim, d.kv_heads * d.head_dim
    return {
        f"{layer}input_layernorm.weight": vector(d.hidden),
        f"{layer}self_attn.q_proj.weight": matrix(q_rows, d.hidden, 1.5),
        f"{layer}self_attn.k_proj.weight": matrix(kv_rows, d.hidden, 1.5),
        f"{layer}self_attn.v_proj.weight": matrix(kv_rows, d.hidden),
        f"{layer}self_attn.o_proj.weight": matrix(d.hidden, q_rows),
        f"{layer}self_attn.q_norm.weight": vector(d.head_dim),
        f"{layer}self_attn.k_norm.weight": vector(d.head_dim),
        f"{layer}post_attention_layernorm.weight": vector(d.hidden),
        f"{layer}mlp.gate_proj.weight": matrix(d.intermediate, d.hidden),
        f"{layer}mlp.up_proj.weight": matrix(d.intermediate, d.hidden),
        f"{layer}mlp.down_proj.weight": matrix(d.hidden, d.intermediate),
    }


def _vocabulary(d: Drafter, matrix: Any) -> Tensors:
    """What the formats carry of embedding, head and reduced vocabulary."""
    found: Tensors = {}
    if d.form == "deepspec":
        found["embed_tokens.weight"] = matrix(d.vocab, d.hidden)
        found["lm_head.weight"] = matrix(d.vocab, d.hidden)
    if d.own_head:
        found["lm_head.weight"] = matrix(d.draft_vocab, d.hidden, 2.0)
    if d.drafted:
        ids = np.array(d.drafted, dtype=np.int64)
        found["d2t"] = ids - np.arange(len(ids))
        if d.marked:
            found["t2d"] = np.isin(np.arange(d.vocab), ids)
    return found


class Reference:
    """`embedding` and `head` [vocabulary, hidden] are the target's."""

    def __init__(self, drafter: Drafter, embedding: Array, head: Array) -> None:
        self.d = drafter
        written = tensors(drafter)
        if drafter.bfloat16:
            written = {name: _cut(values) for name, values in written.items()}
        if drafter.eight_bits:
            stored = in_eight_bits(written)
            written = {
                name: values * stored[name + "_scale"][:, None] if name + "_scale" in stored else values
                for name, values in stored.items()
            }
        self.w = {name: np.asarray(values, np.float64) for name, values in written.items()}
        self.embedding = np.asarray(embedding, np.float64)
        own = self.w["lm_head.weight"] if drafter.own_head else np.asarray(head, np.float64)
        self.head = own if drafter.own_head or not drafter.drafted else own[list(drafter.drafted)]

    def block(self, features: Array, anchor: int, rows: int) -> tuple[Array, Array]:
        """Logits and hidden states of all `rows` of the block after the context `features` [n, taps * hidden]."""
        context = self._norm(np.asarray(features, np.float64) @ self.w["fc.weight"].T, "hidden_norm.weight")
        x = self.embedding[[anchor] + [self.d.mask_token] * (rows - 1)]
        for i in range(self.d.layers):
            layer = f"layers.{i}."
            x = x + self._attention(i, self._norm(x, layer + "input_layernorm.weight"), context)
            x = x + self._mlp(layer, self._norm(x, layer + "post_attention_layernorm.weight"))
        hidden = self._norm(x, "norm.weight")
        return hidden @ self.head.T, hidden

    def greedy(self, features: Array, anchor: int, drafted: int) -> tuple[list[int], list[float]]:
        """The drafted tokens, left to right, and what the confidence head says of each (none: empty)."""
        rows = drafted if self.d.predicts_from_anchor else drafted + 1
        logits, hidden = (part[rows - drafted :] for part in self.block(features, anchor, rows))
        previous, state = anchor, np.zeros(self.d.rank)
        tokens, claims = [], []
        for j in range(drafted):
            bias, state = self.bias(previous, hidden[j], state)
            if self.d.confidence:
                claims.append(self._confidence(previous, hidden[j]))
            best = int(np.argmax(logits[j] + bias))
            previous = self.d.drafted[best] if self.d.drafted else best
            tokens.append(previous)
        return tokens, claims

    def bias(self, previous: int, hidden: Array, state: Array) -> tuple[Array, Array]:
        """The Markov head's bias [draft vocabulary] after `previous`, and its next state."""
        if not self.d.markov:
            return np.zeros(self.d.draft_vocab), state
        before, out = self.w["markov_head.markov_w1.weight"][previous], self.w["markov_head.markov_w2.weight"]
        if self.d.markov == "vanilla":
            return out @ before, state
        if self.d.markov == "gated":
            gate = _sigmoid(self._biased("markov_head.gate_proj", np.concatenate([hidden, before])))
            return out @ (gate * before), state
        mixed = self._biased("markov_head.joint_proj", np.concatenate([state, before, hidden]))
        gate, candidate, shown = np.split(mixed, 3)
        kept = _sigmoid(gate)
        return out @ np.tanh(shown), kept * state + (1.0 - kept) * np.tanh(candidate)

    def _confidence(self, previous: int, hidden: Array) -> float:
        seen = hidden
        if self.d.confidence_with_markov and self.d.markov:
            seen = np.concatenate([hidden, self.w["markov_head.markov_w1.weight"][previous]])
        return float(_sigmoid(self._biased("confidence_head.proj", seen))[0])

    def _biased(self, name: str, x: Array) -> Array:
        return self.w[name + ".weight"] @ x + self.w[name + ".bias"]

    def _norm(self, x: Array, weight: str) -> Array:
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * self.w[weight]

    def _mlp(self, layer: str, x: Array) -> Array:
        gate, up = (x @ self.w[f"{layer}mlp.{part}_proj.weight"].T for part in ("gate", "up"))
        return gate * _sigmoid(gate) * up @ self.w[f"{layer}mlp.down_proj.weight"].T

    def _attention(self, index: int, x: Array, context: Array) -> Array:
        name, first = f"layers.{index}.self_attn.", len(context)
        places = np.arange(first + len(x))
        sources = np.concatenate([context, x])
        q = self._rotate(
            self._norm(self._split(x, name + "q_proj.weight"), name + "q_norm.weight"), places[first:]
        )
        k = self._rotate(
            self._norm(self._split(sources, name + "k_proj.weight"), name + "k_norm.weight"), places
        )
        v = self._split(sources, name + "v_proj.weight")
        k, v = (np.repeat(y, self.d.heads // self.d.kv_heads, axis=0) for y in (k, v))
        scores = q @ k.swapaxes(1, 2) / np.sqrt(self.d.head_dim)
        scores = np.where(self._visible(index, places[first:], places), scores, -np.inf)
        p = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = p / p.sum(-1, keepdims=True) @ v
        return mixed.swapaxes(0, 1).reshape(len(x), -1) @ self.w[name + "o_proj.weight"].T

    def _visible(self, index: int, asking: Array, seen: Array) -> NDArray[np.bool_]:
        distance = asking[:, None] - seen[None, :]
        mask = np.ones(distance.shape, dtype=bool)
        if self.d.is_causal(index):
            mask &= distance >= 0
        if index in self.d.sliding:
            mask &= distance < self.d.window
        return mask

    def _split(self, x: Array, weight: str) -> Array:
        """[heads, rows, dim]"""
        return (x @ self.w[weight].T).reshape(len(x), -1, self.d.head_dim).swapaxes(0, 1)

    def _rotate(self, y: Array, places: Array) -> Array:
        dim = self.d.head_dim
        phase = places[:, None] * 10_000.0 ** (-np.arange(0, dim, 2) / dim)
        cos, sin = np.cos(phase), np.sin(phase)
        first, second = y[..., : dim // 2], y[..., dim // 2 :]
        return np.concatenate([first * cos - second * sin, first * sin + second * cos], -1)


def _sigmoid(x: Array) -> Array:
    return 1.0 / (1.0 + np.exp(-x))


def _cut(values: NDArray[Any]) -> NDArray[Any]:
    """What is left of a float after it was stored as bfloat16."""
    if values.dtype.kind != "f":
        return values
    return (values.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)
