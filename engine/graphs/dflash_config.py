"""config.json of a trained drafter as one DrafterShape: three formats of block drafters, and our own EAGLE heads.

The formats say the same things in different places, and two things differently: which layer a number means
(speculators counts the embedding as layer 0) and what a row of the block predicts (see DrafterShape.from_anchor).
"""

from collections.abc import Callable
from typing import Any

from engine.errors import SlipstreamError
from engine.graphs.dflash_shape import EAGLE, MARKOV_KINDS, DrafterShape

Config = dict[str, Any]
MOST_LAYERS = 1_000


def read_shape(config: Config) -> DrafterShape:
    """Errors: SlipstreamError for a drafter of another kind, and for one that says too little of itself."""
    try:
        shape = _reader(config)(config)
        _check(shape)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise SlipstreamError(
            f"The drafter's config.json is incomplete or wrong about {error}: download it again."
        ) from error
    return shape


def _reader(config: Config) -> Callable[[Config], DrafterShape]:
    named = [str(name) for name in config.get("architectures") or ()]
    kind = config.get("speculators_model_type")
    if kind in ("dflash", "dspark"):
        return _speculators
    if "Qwen3DSparkModel" in named:
        return _deepspec
    if "DFlashDraftModel" in named:
        return _z_lab
    if "SlipstreamEagleHead" in named:
        return _eagle
    found = str(kind or ", ".join(named) or "nothing")[:100]
    raise SlipstreamError(
        f"The folder's config.json describes {found}, which is no trained drafter that Slipstream knows: "
        "it reads DFlash (z-lab), speculators dflash and dspark, DeepSpec dspark, and its own EAGLE heads."
    )


def _z_lab(config: Config) -> DrafterShape:
    of: Config = config | (config.get("dflash_config") or {})
    _refuse(bool(of.get("selector_rank")), "a head of DFlash2")
    _refuse(of.get("projector_type", "dflash") != "dflash", "a head of Domino")
    _refuse(float(of.get("input_embedding_scale") or 1.0) != 1.0, "scaled embeddings")
    _refuse(float(of.get("output_multiplier") or 1.0) != 1.0, "scaled logits")
    _refuse(bool(of.get("final_logit_softcapping")), "scaled logits")
    causal = of.get("causal", of.get("is_causal"))
    return _shape(
        "z-lab",
        layers=config,
        block_size=_number(of, "block_size"),
        mask_token=_number(of, "mask_token_id"),
        taps=_numbers(of, "target_layer_ids"),
        target_layers=int(config.get("num_target_layers") or 0),
        causal=None if causal is None else bool(causal),
        from_anchor=bool(of.get("sample_from_anchor", False)),
    )


def _speculators(config: Config) -> DrafterShape:
    layers: Config = config["transformer_layer_config"]
    spark = config["speculators_model_type"] == "dspark"
    _refuse(config.get("projector_type", "dflash") != "dflash", "a head of DFlash2 or Domino")
    _refuse(config.get("target_hidden_size") not in (None, layers["hidden_size"]), "a width of its own")
    return _shape(
        "speculators",
        layers=layers,
        block_size=_number(config, "block_size"),
        mask_token=_number(config, "mask_token_id"),
        taps=[index - 1 for index in _numbers(config, "aux_hidden_state_layer_ids")],
        causal=False if config.get("sliding_window_non_causal") else None,
        from_anchor=bool(config.get("sample_from_anchor", spark)),
        draft_vocab=int(config.get("draft_vocab_size") or 0),
        heads_config=config,
    )


def _deepspec(config: Config) -> DrafterShape:
    return _shape(
        "deepspec",
        layers=config,
        block_size=_number(config, "block_size"),
        mask_token=_number(config, "mask_token_id"),
        taps=_numbers(config, "target_layer_ids"),
        target_layers=int(config.get("num_target_layers") or 0),
        causal=False,
        from_anchor=True,
        heads_config=config,
    )


def _eagle(config: Config) -> DrafterShape:
    """`slipstream train`'s own. It has no rows of mask tokens."""
    shape = _shape(
        EAGLE,
        layers=config["transformer_layer_config"],
        block_size=_number(config, "block_size"),
        mask_token=0,
        taps=[index - 1 for index in _numbers(config, "aux_hidden_state_layer_ids")],
        causal=True,
        from_anchor=True,
        draft_vocab=int(config.get("draft_vocab_size") or 0),
        heads_config=config,
    )
    _refuse(shape.layers != 1 or bool(shape.markov), "more than one layer or a Markov head")
    return shape


def _shape(
    form: str,
    *,
    layers: Config,
    block_size: int,
    mask_token: int,
    taps: list[int],
    causal: bool | None,
    from_anchor: bool,
    target_layers: int = 0,
    draft_vocab: int = 0,
    heads_config: Config | None = None,
) -> DrafterShape:
    """`causal` None: layers with a sliding window are causal inside the block, the others are not."""
    heads, hidden = _number(layers, "num_attention_heads"), _number(layers, "hidden_size")
    windows = _windows(layers)
    return DrafterShape(
        format=form,
        layers=len(windows),
        hidden=hidden,
        intermediate=_number(layers, "intermediate_size"),
        heads=heads,
        kv_heads=int(layers.get("num_key_value_heads") or heads),
        head_dim=int(layers.get("head_dim") or hidden // heads),
        vocab=_number(layers, "vocab_size"),
        draft_vocab=draft_vocab or _number(layers, "vocab_size"),
        context=int(layers.get("max_position_embeddings") or 32_768),
        rms_eps=float(layers.get("rms_norm_eps", 1e-6)),
        rope_base=_rope_base(layers),
        block_size=block_size,
        mask_token=mask_token,
        taps=tuple(taps),
        target_layers=target_layers,
        windows=windows,
        causal=tuple(bool(window) if causal is None else causal for window in windows),
        from_anchor=from_anchor,
        **_sequential_heads(heads_config or {}),
    )


def _windows(layers: Config) -> tuple[int, ...]:
    count = _number(layers, "num_hidden_layers")
    if not 0 < count <= MOST_LAYERS:
        raise ValueError("'num_hidden_layers'")
    kinds = layers.get("layer_types") or ["full_attention"] * count
    if len(kinds) != count or not set(kinds) <= {"full_attention", "sliding_attention"}:
        raise ValueError("layer_types")
    return tuple(_number(layers, "sliding_window") if kind == "sliding_attention" else 0 for kind in kinds)


def _rope_base(layers: Config) -> float:
    settings: Config = layers.get("rope_parameters") or layers.get("rope_scaling") or {}
    kind = settings.get("rope_type", settings.get("type", "default"))
    _refuse(kind != "default", f"the position scaling '{kind}'")
    return float(settings.get("rope_theta") or layers.get("rope_theta") or 10_000.0)


def _sequential_heads(config: Config) -> dict[str, Any]:
    rank, confidence = int(config.get("markov_rank") or 0), bool(config.get("enable_confidence_head"))
    kind = str(config.get("markov_head_type", "vanilla")).lower() if rank else ""
    if kind and kind not in MARKOV_KINDS:
        raise ValueError("markov_head_type")
    with_markov = confidence and bool(config.get("confidence_head_with_markov"))
    return {
        "markov": kind,
        "markov_rank": rank,
        "confidence": confidence,
        "confidence_with_markov": with_markov and bool(rank),
    }


def _number(config: Config, name: str) -> int:
    try:
        return int(config[name])
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"'{name}'") from None


def _numbers(config: Config, name: str) -> list[int]:
    try:
        return [int(value) for value in config[name]]
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"'{name}'") from None


def _check(shape: DrafterShape) -> None:
    sizes = (
        shape.layers,
        shape.hidden,
        shape.intermediate,
        shape.kv_heads,
        shape.head_dim,
        shape.draft_vocab,
    )
    if min(sizes) < 1 or shape.heads % shape.kv_heads or shape.head_dim % 2 or shape.longest_draft < 1:
        raise ValueError("its sizes")
    _refuse(min(shape.taps) < 0, "the target's embedding as a tap")
    if shape.mask_token < 0 or list(shape.taps) != sorted(set(shape.taps)):
        raise ValueError("its mask token or its taps")


def _refuse(found: bool, what: str) -> None:
    if found:
        raise SlipstreamError(f"This drafter has {what}, which is not supported: choose another one.")
