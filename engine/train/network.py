"""The block drafter in torch, by the papers (DFlash, arXiv 2602.06036; DSpark's heads, arXiv 2607.05147).

Parameters have the names of published checkpoints, so the state is the checkpoint. N answers, T tokens of context,
A anchors an answer, B rows a block. The anchor is the last committed token: its row predicts the next one.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from engine.graphs.dflash_shape import DrafterShape

Tables = tuple[Tensor, Tensor]


class RmsNorm(nn.Module):
    """In float32 whatever the matrices are multiplied in (arXiv 1910.07467)."""

    def __init__(self, width: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        return functional.rms_norm(x.float(), self.weight.shape, self.weight, self.eps)


class Attention(nn.Module):
    def __init__(self, shape: DrafterShape) -> None:
        super().__init__()
        self.dim = shape.head_dim
        q_rows, kv_rows = shape.heads * self.dim, shape.kv_heads * self.dim
        self.q_proj = nn.Linear(shape.hidden, q_rows, bias=False)
        self.k_proj = nn.Linear(shape.hidden, kv_rows, bias=False)
        self.v_proj = nn.Linear(shape.hidden, kv_rows, bias=False)
        self.o_proj = nn.Linear(q_rows, shape.hidden, bias=False)
        self.q_norm = RmsNorm(self.dim, eps=shape.rms_eps)
        self.k_norm = RmsNorm(self.dim, eps=shape.rms_eps)

    def forward(
        self, x: Tensor, context: Tensor, tables: Tables, block_tables: Tables, before: Tensor
    ) -> Tensor:
        """x [N, A, B, hidden]; context [N, T, hidden]; before [N, A, T], true where the rows of an anchor may look."""
        near, far = self.remembered(x, block_tables), self.remembered(context, tables)
        return self.read(x, block_tables, near, far, before)

    def remembered(self, x: Tensor, tables: Tables) -> Tables:
        """Keys and values [..., kv_heads, dim] of x [..., hidden]."""
        return rotate(self.k_norm(self._heads(self.k_proj(x))), tables), self._heads(self.v_proj(x))

    def read(self, x: Tensor, tables: Tables, near: Tables, far: Tables, before: Tensor) -> Tensor:
        """What rows x [N, A, B, hidden] find in their block so far and in the context."""
        query = rotate(self.q_norm(self._heads(self.q_proj(x))), tables)
        return self.o_proj(attend(query, near, far, before).flatten(3))

    def _heads(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (-1, self.dim))


class Mlp(nn.Module):
    def __init__(self, shape: DrafterShape) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(shape.hidden, shape.intermediate, bias=False)
        self.up_proj = nn.Linear(shape.hidden, shape.intermediate, bias=False)
        self.down_proj = nn.Linear(shape.intermediate, shape.hidden, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.down_proj(functional.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self, shape: DrafterShape) -> None:
        super().__init__()
        self.self_attn = Attention(shape)
        self.mlp = Mlp(shape)
        self.input_layernorm = RmsNorm(shape.hidden, eps=shape.rms_eps)
        self.post_attention_layernorm = RmsNorm(shape.hidden, eps=shape.rms_eps)

    def forward(self, x: Tensor, *about: Any) -> Tensor:
        x = x + self.self_attn(self.input_layernorm(x), *about)
        return x + self.mlp(self.post_attention_layernorm(x))


class MarkovHead(nn.Module):
    """A bias on the logits by the token before, of low rank; gated by the row's own state if so wished."""

    def __init__(self, shape: DrafterShape) -> None:
        super().__init__()
        self.markov_w1 = nn.Embedding(shape.vocab, shape.markov_rank)
        self.markov_w2 = nn.Linear(shape.markov_rank, shape.draft_vocab, bias=False)
        if shape.markov == "gated":
            self.gate_proj = nn.Linear(shape.hidden + shape.markov_rank, shape.markov_rank)

    def forward(self, hidden: Tensor, embedded: Tensor) -> Tensor:
        return self.markov_w2(self.mixed(hidden, embedded))

    def mixed(self, hidden: Tensor, embedded: Tensor) -> Tensor:
        """[..., rank]."""
        if hasattr(self, "gate_proj"):
            embedded = embedded * torch.sigmoid(self.gate_proj(torch.cat([hidden, embedded], dim=-1)))
        return embedded


class ConfidenceHead(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.proj = nn.Linear(width, 1)

    def forward(self, seen: Tensor) -> Tensor:
        return self.proj(seen).squeeze(-1)


class DrafterNetwork(nn.Module):
    """`embedding` [vocab, hidden] and `head` [draft_vocab, hidden] are the target's and are not trained."""

    embedding: Tensor
    head: Tensor

    def __init__(self, shape: DrafterShape, embedding: Tensor, head: Tensor) -> None:
        super().__init__()
        self.shape = shape
        self.fc = nn.Linear(len(shape.taps) * shape.hidden, shape.hidden, bias=False)
        self.hidden_norm = RmsNorm(shape.hidden, eps=shape.rms_eps)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.norm = RmsNorm(shape.hidden, eps=shape.rms_eps)
        self.markov_head = MarkovHead(shape) if shape.markov else None
        width = shape.hidden + shape.markov_rank * shape.confidence_with_markov
        self.confidence_head = ConfidenceHead(width) if shape.confidence else None
        self.register_buffer("embedding", embedding, persistent=False)
        self.register_buffer("head", head, persistent=False)
        self.apply(initialise)

    def forward(self, features: Tensor, text: Tensor, anchors: Tensor, previous: Tensor) -> Tensor:
        """Hidden states [N, A, B, hidden] of features [N, T, taps * hidden] and anchors [N, A].

        Of the tokens before the rows, `previous` [N, A, B], the first alone is looked at, the anchor's; `text` is not.

        An anchor at position p sees the features of the tokens before it: rows 0 .. p - 1.
        """
        context = self.hidden_norm(self.fc(features))
        device, offsets = features.device, torch.arange(previous.shape[-1], device=features.device)
        ids = torch.full_like(previous, self.shape.mask_token)
        ids[..., 0] = previous[..., 0]
        x = self.embedding[ids]
        places = torch.arange(features.shape[1], device=device)
        tables = rope_tables(places, self.shape)
        block_tables = rope_tables(anchors[..., None] + offsets, self.shape)
        before = places < anchors[..., None]
        for layer in self.layers:
            x = layer(x, context, tables, block_tables, before)
        return self.norm(x)

    def unroll(self, features: Tensor, text: Tensor, anchors: Tensor, block: int) -> "BlockRows":
        """The rows of blocks one after the other, for drafts."""
        return BlockRows(self, features, text, anchors, block)

    def said(self, hidden: Tensor, previous: Tensor) -> tuple[Tensor, tuple[Tensor, ...]]:
        """What the logits are made of: rows [..., width], and readers [draft vocabulary, part of width]."""
        if self.markov_head is None:
            return hidden, (self.head,)
        bias = self.markov_head.mixed(hidden, self.markov_head.markov_w1(previous))
        return torch.cat([hidden, bias.to(hidden.dtype)], dim=-1), (
            self.head,
            self.markov_head.markov_w2.weight,
        )

    def logits(self, hidden: Tensor, previous: Tensor) -> Tensor:
        """[..., draft vocabulary] of hidden [..., hidden] after the tokens `previous` [...] (target's ids)."""
        logits = functional.linear(hidden, self.head)
        if self.markov_head is not None:
            logits = logits + self.markov_head(hidden, self.markov_head.markov_w1(previous))
        return logits

    def confidence(self, hidden: Tensor, previous: Tensor) -> Tensor:
        """Logits [...] of the probability that the token drafted here is right, given that all before were."""
        assert self.confidence_head is not None
        seen = hidden
        if self.shape.confidence_with_markov and self.markov_head is not None:
            seen = torch.cat([hidden, self.markov_head.markov_w1(previous)], dim=-1)
        return self.confidence_head(seen)


class BlockRows:
    """All are computed with the first."""

    def __init__(
        self, network: DrafterNetwork, features: Tensor, text: Tensor, anchors: Tensor, block: int
    ) -> None:
        self._network, self._about = network, (features, text, anchors)
        self._left: list[Tensor] = []
        self._block = block

    def next(self, previous: Tensor) -> Tensor:
        """Hidden states [N, A, hidden] of the row after the tokens `previous` [N, A]."""
        if not self._left:
            rows = self._network(*self._about, previous[..., None].expand(-1, -1, self._block))
            self._left = list(rows.unbind(2))
        return self._left.pop(0)


def attend(query: Tensor, near: Tables, far: Tables, before: Tensor) -> Tensor:
    """[N, A, B, heads, dim] of query, keys and values of the blocks [N, A, B, heads, dim] and of the context
    [N, T, heads, dim]. Rows see the context where `before` [N, A, T] says so, and their own block so far; there may be
    more of the block than its last B rows, which ask.

    The two parts are apart, since a mask over all blocks' rows would be a hundred times their size.
    """
    _, blocks, rows, _, dim = query.shape
    kind = _precision(query)
    key, value = (part.to(kind).permute(0, 3, 1, 2, 4) for part in near)  # [N, KV, A, B, dim]
    far_key, far_value = (part.to(kind).transpose(1, 2) for part in far)  # [N, KV, T, dim]
    groups = query.shape[3] // key.shape[1]
    grouped = (query * dim**-0.5).to(kind).unflatten(3, (-1, groups)).permute(0, 3, 1, 4, 2, 5).flatten(3, 4)
    scores = (grouped.flatten(2, 3) @ far_key.mT).unflatten(2, (blocks, -1))
    scores = scores.masked_fill(~before[:, None, :, None], -torch.inf)
    seen = key.shape[3]  # the last `rows` of them are the queries' own
    causal = torch.ones(rows, seen, dtype=torch.bool, device=query.device).tril(seen - rows).repeat(groups, 1)
    own = (grouped @ key.mT).masked_fill(~causal, -torch.inf)
    shares = torch.cat([scores, own], dim=-1).softmax(-1, dtype=kind)
    length = far_key.shape[2]
    mixed = (shares[..., :length].flatten(2, 3) @ far_value).unflatten(2, (blocks, -1))
    mixed = mixed + shares[..., length:] @ value
    return mixed.unflatten(3, (groups, rows)).permute(0, 2, 4, 1, 3, 5).flatten(3, 4)


def _precision(x: Tensor) -> torch.dtype:
    """What autocast would multiply in: its own softmax is float32, twice the memory to move."""
    device = x.device.type
    return torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else x.dtype


def rope_tables(positions: Tensor, shape: DrafterShape) -> Tables:
    """cos and sin [..., 1, head_dim], halves repeated (RoFormer, arXiv 2104.09864)."""
    exponents = torch.arange(0, shape.head_dim, 2, device=positions.device) / shape.head_dim
    angles = positions[..., None].float() * shape.rope_base**-exponents
    angles = torch.cat([angles, angles], dim=-1)[..., None, :]
    return angles.cos(), angles.sin()


def rotate(x: Tensor, tables: Tables) -> Tensor:
    first, second = x.chunk(2, dim=-1)
    return x * tables[0] + torch.cat([-second, first], dim=-1) * tables[1]


def initialise(module: nn.Module) -> None:
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)
    if isinstance(module, MarkovHead):
        nn.init.zeros_(module.markov_w2.weight)
