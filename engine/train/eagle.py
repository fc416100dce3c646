"""An EAGLE head in torch: one layer that drafts token after token and reads its own state where it has no feature.

After EAGLE (arXiv 2401.15077: a token's embedding beside the state before it) and EAGLE-3 (arXiv 2503.01840: several of
the target's layers fused, and training on the states that drafting will meet). Queries and keys are normed by head,
and `input_proj` makes the layer's rows. N answers, T tokens of context, A anchors an answer, B rows a block.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from engine.graphs.dflash_shape import DrafterShape
from engine.train.network import (
    ConfidenceHead,
    DrafterNetwork,
    Layer,
    RmsNorm,
    Tables,
    initialise,
    rope_tables,
)


class EagleNetwork(nn.Module):
    """`embedding` [vocab, hidden] and `head` [draft_vocab, hidden] are the target's and are not trained."""

    embedding: Tensor
    head: Tensor

    def __init__(self, shape: DrafterShape, embedding: Tensor, head: Tensor) -> None:
        super().__init__()
        self.shape = shape
        self.fc = nn.Linear(len(shape.taps) * shape.hidden, shape.hidden, bias=False)
        self.hidden_norm, self.embed_norm, self.norm = (
            RmsNorm(shape.hidden, eps=shape.rms_eps) for _ in range(3)
        )
        self.input_proj = nn.Linear(2 * shape.hidden, shape.hidden, bias=False)
        self.layers = nn.ModuleList([Layer(shape)])
        self.confidence_head = ConfidenceHead(shape.hidden) if shape.confidence else None
        self.register_buffer("embedding", embedding, persistent=False)
        self.register_buffer("head", head, persistent=False)
        self.apply(initialise)

    def forward(self, features: Tensor, text: Tensor, anchors: Tensor, previous: Tensor) -> Tensor:
        """Hidden states [N, A, B, hidden] of features [N, T, taps * hidden], the tokens `text` [N, T] that they are of,
        anchors [N, A], and the token before each row's, `previous` [N, A, B].

        The token at position p goes with the feature of p - 1: an anchor sees such pairs up to its own.
        """
        rows = self.unroll(features, text, anchors)
        return torch.stack([rows.next(each) for each in previous.unbind(-1)], dim=2)

    def unroll(self, features: Tensor, text: Tensor, anchors: Tensor, block: int = 0) -> "EagleRows":
        """The rows of blocks one after the other, for drafts."""
        return EagleRows(self, features, text, anchors)

    def rows(self, states: Tensor, ids: Tensor) -> Tensor:
        """[..., hidden] of states [..., hidden] and the tokens after them [...]."""
        embedded = self.embed_norm(self.embedding[ids])
        return self.input_proj(torch.cat([self.hidden_norm(states), embedded], dim=-1))

    def said(self, hidden: Tensor, previous: Tensor) -> tuple[Tensor, tuple[Tensor, ...]]:
        """As DrafterNetwork.said: the rows know the tokens before them already."""
        return hidden, (self.head,)

    def logits(self, hidden: Tensor, previous: Tensor) -> Tensor:
        """[..., draft vocabulary] of hidden [..., hidden]."""
        return functional.linear(hidden, self.head)

    def confidence(self, hidden: Tensor, previous: Tensor) -> Tensor:
        """Logits [...] of the probability that the token drafted here is right, given that all before were."""
        assert self.confidence_head is not None
        return self.confidence_head(hidden)


class EagleRows:
    """What blocks remember while they grow."""

    def __init__(self, network: EagleNetwork, features: Tensor, text: Tensor, anchors: Tensor) -> None:
        self._network, self._place = network, anchors
        fused = network.fc(features)
        places = torch.arange(features.shape[1], device=features.device)
        behind = functional.pad(fused, (0, 0, 1, 0))[:, :-1]
        normed = self._layer.input_layernorm(network.rows(behind, text))
        self._far = self._layer.self_attn.remembered(normed, rope_tables(places, network.shape))
        self._before = places < anchors[..., None]
        last = (anchors - 1).clamp(min=0)[..., None].expand(-1, -1, fused.shape[-1])
        self._state = torch.gather(fused, 1, last)
        self._near: list[Tables] = []

    @property
    def _layer(self) -> Layer:
        layer = self._network.layers[0]
        assert isinstance(layer, Layer)
        return layer

    def next(self, previous: Tensor) -> Tensor:
        """Hidden states [N, A, hidden] of the row after the tokens `previous` [N, A]."""
        network, layer = self._network, self._layer
        tables = rope_tables(self._place[..., None], network.shape)
        x = network.rows(self._state, previous)[:, :, None]
        normed = layer.input_layernorm(x)
        self._near.append(layer.self_attn.remembered(normed, tables))
        near = tuple(torch.cat(parts, dim=2) for parts in zip(*self._near, strict=True))
        x = x + layer.self_attn.read(normed, tables, (near[0], near[1]), self._far, self._before)
        x = x + layer.mlp(layer.post_attention_layernorm(x))
        self._state, self._place = x[:, :, 0], self._place + 1
        return network.norm(self._state)


Network = DrafterNetwork | EagleNetwork


def network_of(shape: DrafterShape, embedding: Tensor, head: Tensor) -> Network:
    """With random weights."""
    return (EagleNetwork if shape.feeds_back else DrafterNetwork)(shape, embedding, head)
