"""Drafts of a network for every place of a recorded answer at once."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine.train.answers import Answer
from engine.train.features import FeatureStore
from engine.train.network import DrafterNetwork

PLACES = 64  # blocks at once: the mask grows with their square


class TextDrafter:
    """Greedy drafts in the target's ids; `draft_ids` [draft vocabulary] says which they are."""

    def __init__(self, network: DrafterNetwork, draft_ids: NDArray[np.int64], store: FeatureStore) -> None:
        self._network, self._store = network, store
        self._ids = torch.from_numpy(draft_ids).to(network.embedding.device)

    def everywhere(self, answer: Answer, block: int) -> NDArray[np.int64]:
        """[tokens, block]: row i follows the prompt and i tokens of the answer."""
        device = self._ids.device
        features = torch.from_numpy(self._store.read(answer.key)).to(device)[None]
        text = torch.from_numpy(np.concatenate([answer.prompt, answer.tokens]).astype(np.int64)).to(device)
        places = torch.arange(len(answer.prompt) - 1, len(text) - 1, device=device)
        with torch.inference_mode():
            parts = [self._draft(features, text[part], part, block) for part in places.split(PLACES)]
        drafts: NDArray[np.int64] = torch.cat(parts).cpu().numpy()
        return drafts

    def _draft(self, features: Tensor, anchor_ids: Tensor, places: Tensor, block: int) -> Tensor:
        """One token after the other: each is biased by the one before it."""
        hidden = self._network(features, places[None], anchor_ids[None], block)[0]
        tokens = [anchor_ids]
        for row in range(block):
            logits = self._network.logits(hidden[:, row], tokens[-1])
            tokens.append(self._ids[logits.argmax(-1)])
        return torch.stack(tokens[1:], dim=1)
