"""The shape of a decoder-only transformer, whatever file it came in."""

import math
from dataclasses import dataclass

from engine.errors import SlipstreamError

# Far above every model there is: a file may claim anything, and each of these becomes a loop or an array.
MOST_LAYERS, MOST_VOCAB = 1 << 12, 1 << 20
_MOST = 1 << 24
_LARGEST_NUMBER = 1e30  # of what is stored with 32 bits


@dataclass(frozen=True, slots=True)
class LinearAttention:
    """Heads of gated delta net layers and their sizes; `kernel` is the width of the causal convolution."""

    key_heads: int
    value_heads: int
    key_dim: int
    value_dim: int
    kernel: int

    @property
    def key_width(self) -> int:
        return self.key_heads * self.key_dim

    @property
    def value_width(self) -> int:
        return self.value_heads * self.value_dim

    @property
    def channels(self) -> int:
        """What goes through the convolution: queries, keys and values."""
        return 2 * self.key_width + self.value_width

    @property
    def input_width(self) -> int:
        """Rows of the input projection: the channels, the output gate, decay and beta."""
        return self.channels + self.value_width + 2 * self.value_heads


@dataclass(frozen=True, slots=True)
class Architecture:
    """Sizes in elements; rope_scale divides positions (linear scaling), rope_magnitude multiplies cos and sin (YaRN).

    `rotary_dim` elements of each head are rotated (0: all); every `no_rope_every`-th layer rotates nothing.
    Rows see the last `window` tokens (0: all); every `full_every`-th layer sees all, and where `local_rope_base` is
    given the layers with a window take it, and no scaling.
    `output_gate`: attention is gated by a part of its input; `linear`: some layers are gated delta nets instead.
    `attention_scale` 0 stands for head_dim ** -0.5.
    """

    name: str
    layers: int
    hidden: int
    intermediate: int
    heads: int
    kv_heads: int
    head_dim: int
    vocab: int
    context: int
    rms_eps: float
    rope_base: float
    rope_scale: float = 1.0
    rotary_dim: int = 0
    output_gate: bool = False
    linear: LinearAttention | None = None
    rope_magnitude: float = 1.0
    local_rope_base: float = 0.0
    no_rope_every: int = 0
    window: int = 0
    full_every: int = 0
    attention_scale: float = 0.0
    embedding_scale: float = 1.0
    activation: str = "silu"  # or "gelu", its tanh form

    def window_of(self, layer: int) -> int:
        full = self.full_every and (layer + 1) % self.full_every == 0
        return 0 if full else self.window

    def rotates(self, layer: int) -> bool:
        return not self.no_rope_every or (layer + 1) % self.no_rope_every != 0

    def is_local(self, layer: int) -> bool:
        """Whether the layer has rotary frequencies of its own, because it only looks near."""
        return bool(self.local_rope_base and self.window_of(layer))


def require_sense(arch: Architecture) -> None:
    """SlipstreamError for sizes that no graph can be built of."""
    if not (_sizes_fit(arch) and _numbers_fit(arch) and (arch.linear is None or _linear_fits(arch.linear))):
        raise SlipstreamError(
            "The sizes that the file gives for its model contradict each other: choose another model."
        )


def _sizes_fit(arch: Architecture) -> bool:
    sizes = (arch.hidden, arch.intermediate, arch.heads, arch.kv_heads, arch.head_dim, arch.context)
    return (
        0 < arch.layers <= MOST_LAYERS
        and 0 <= arch.vocab <= MOST_VOCAB
        and all(0 < size <= _MOST for size in sizes)
        and arch.heads * arch.head_dim <= _MOST
        and arch.heads % arch.kv_heads == 0
        and arch.head_dim % 2 == 0
        and 0 <= arch.rotary_dim <= arch.head_dim
        and arch.rotary_dim % 2 == 0
        and 0 <= arch.window <= _MOST
    )


def _numbers_fit(arch: Architecture) -> bool:
    positive = (arch.rope_base, arch.rope_scale, arch.rope_magnitude, arch.embedding_scale)
    not_negative = (arch.rms_eps, arch.local_rope_base, arch.attention_scale)
    return (
        all(math.isfinite(number) for number in (*positive, *not_negative))
        and all(0 < number < _LARGEST_NUMBER for number in positive)
        and all(0 <= number < _LARGEST_NUMBER for number in not_negative)
    )


def _linear_fits(linear: LinearAttention) -> bool:
    sizes = (linear.key_heads, linear.value_heads, linear.key_dim, linear.value_dim, linear.kernel)
    return all(0 < size <= _MOST for size in sizes) and linear.input_width <= _MOST
