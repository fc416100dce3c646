"""A drafter on disk: config.json, model.safetensors (as speculators' dspark, or our EAGLE heads) and its card."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.graphs.dflash_shape import DrafterShape
from engine.models import disk

CONFIG_FILE, TENSOR_FILE, CARD_FILE = "config.json", "model.safetensors", "README.md"

Arrays = Mapping[str, NDArray[np.generic]]


def config_of(shape: DrafterShape, about: Mapping[str, Any]) -> dict[str, Any]:
    """`about` is kept under "slipstream": which target, which recipe. Layers count from 1 in this format."""
    if shape.feeds_back:
        return _eagle_config(shape) | {"slipstream": dict(about)}
    return {
        "architectures": ["DSparkDraftModel"],
        "speculators_model_type": "dspark",
        "aux_hidden_state_layer_ids": [tap + 1 for tap in shape.taps],
        "block_size": shape.block_size,
        "mask_token_id": shape.mask_token,
        "draft_vocab_size": shape.draft_vocab,
        "sample_from_anchor": shape.from_anchor,
        "markov_rank": shape.markov_rank,
        "markov_head_type": shape.markov or "vanilla",
        "enable_confidence_head": shape.confidence,
        "confidence_head_with_markov": shape.confidence_with_markov,
        "tie_word_embeddings": False,
        "transformer_layer_config": _layer_config(shape),
        "slipstream": dict(about),
    }


def _eagle_config(shape: DrafterShape) -> dict[str, Any]:
    """No published format has this layer, so it has a name of its own."""
    return {
        "architectures": ["SlipstreamEagleHead"],
        "aux_hidden_state_layer_ids": [tap + 1 for tap in shape.taps],
        "block_size": shape.block_size,
        "draft_vocab_size": shape.draft_vocab,
        "enable_confidence_head": shape.confidence,
        "transformer_layer_config": _layer_config(shape),
    }


def _layer_config(shape: DrafterShape) -> dict[str, Any]:
    return {
        "model_type": "qwen3",
        "hidden_size": shape.hidden,
        "intermediate_size": shape.intermediate,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads,
        "head_dim": shape.head_dim,
        "vocab_size": shape.vocab,
        "max_position_embeddings": shape.context,
        "rms_norm_eps": shape.rms_eps,
        "rope_theta": shape.rope_base,
        "layer_types": ["sliding_attention" if window else "full_attention" for window in shape.windows],
        "sliding_window": max(shape.windows) or None,
        "use_sliding_window": any(shape.windows),
    }


def write_drafter(
    folder: Path, shape: DrafterShape, tensors: Arrays, draft_ids: NDArray[np.int64], about: Mapping[str, Any]
) -> None:
    """The target's embedding and head are not repeated. After a crash the folder holds the old weights or the new."""
    from safetensors.numpy import save_file

    marked = np.zeros(shape.vocab, dtype=np.bool_)
    marked[draft_ids] = True
    tables = {"d2t": draft_ids - np.arange(len(draft_ids)), "t2d": marked}
    with disk.explaining(folder):
        folder.mkdir(parents=True, exist_ok=True)
        partial = folder / f"{TENSOR_FILE}.partial"
        save_file({**{name: np.ascontiguousarray(t) for name, t in tensors.items()}, **tables}, partial)
        disk.sync_file(partial)
        partial.replace(folder / TENSOR_FILE)
        disk.write_atomically(folder / CONFIG_FILE, json.dumps(config_of(shape, about), indent=1) + "\n")
