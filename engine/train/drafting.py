"""Drafts of a network for every place of a recorded answer at once.

80 % of the time goes into matrix products over the drafted rows (2-layer drafter of the starter, one thread, 3.0 ms of
processor time a place with 8 rows); 256 places at once are as quick, 16 take 1.4 times as long.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine.train.answers import Answer
from engine.train.eagle import Network
from engine.train.features import FeatureStore
from engine.train.paced import Drafts

PLACES = 64  # blocks at once


class TextDrafter:
    """Greedy drafts in the target's ids; `draft_ids` [draft vocabulary] says which they are."""

    def __init__(self, network: Network, draft_ids: NDArray[np.int64], store: FeatureStore) -> None:
        self._network, self._store = network, store
        self._ids = torch.from_numpy(draft_ids).to(network.embedding.device)

    def everywhere(self, answer: Answer, block: int) -> Drafts:
        """Of `block` tokens at each place: row i follows the prompt and i tokens of the answer."""
        device = self._ids.device
        features = torch.from_numpy(self._store.read(answer.key)).to(device)[None]
        text = torch.from_numpy(np.concatenate([answer.prompt, answer.tokens]).astype(np.int64)).to(device)
        places = torch.arange(len(answer.prompt) - 1, len(text) - 1, device=device)
        with torch.inference_mode():
            parts = [self._draft(features, text, part, block) for part in places.split(PLACES)]
        tokens, claims = (torch.cat(each).cpu().numpy() for each in zip(*parts, strict=True))
        return Drafts(tokens, claims, whole=not self._network.shape.feeds_back)

    def _draft(self, features: Tensor, text: Tensor, places: Tensor, block: int) -> tuple[Tensor, Tensor]:
        """One token after the other: each depends on the one before it."""
        rows = self._network.unroll(features, text[None, : features.shape[1]], places[None], block)
        tokens, claims = [text[places]], []
        for _ in range(block):
            hidden = rows.next(tokens[-1][None])[0]
            logits = self._network.logits(hidden, tokens[-1])
            best = logits.argmax(-1)
            claims.append(self._claim(hidden, tokens[-1], logits, best))
            tokens.append(self._ids[best])
        return torch.stack(tokens[1:], dim=1), torch.stack(claims, dim=1)

    def _claim(self, hidden: Tensor, previous: Tensor, logits: Tensor, best: Tensor) -> Tensor:
        """As the engine reads it: from the confidence head, or else the token's own probability."""
        if self._network.confidence_head is not None:
            return self._network.confidence(hidden, previous).sigmoid()
        return logits.float().softmax(-1).gather(-1, best[:, None])[:, 0]
