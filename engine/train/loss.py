"""What a drafter is taught: the target's token and its probabilities, early rows of a block more than late ones."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from engine.train.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the rows should say, as in `engine.train.batches.Batch`."""

    labels: Tensor
    valid: Tensor
    soft_labels: Tensor
    soft_weights: Tensor


def drafter_loss(
    logits: Tensor, confidence: Tensor | None, wanted: Wanted, recipe: Recipe
) -> tuple[Tensor, Tensor]:
    """The loss, and whether each row is right [N, A, B].

    logits [N, A, B, draft vocabulary]. A row whose token can't be drafted teaches only what the soft labels say of
    the rest.
    """
    labels, valid = wanted.labels, wanted.valid
    logp = functional.log_softmax(logits.float(), dim=-1)
    weights = position_weights(labels.shape[-1], recipe.gamma, labels.device) * valid
    known = labels >= 0
    hard = -logp.gather(-1, labels.clamp(min=0)[..., None]).squeeze(-1)
    hard_loss = _mean(hard, weights * known)
    loss = (1.0 - recipe.soft) * hard_loss
    if recipe.soft:
        loss = loss + recipe.soft * _soft_loss(logp, wanted.soft_labels, wanted.soft_weights, weights)
    right = (logp.argmax(-1) == labels) & known
    if confidence is not None:
        judged = functional.binary_cross_entropy_with_logits(
            confidence.float(), right.float(), reduction="none"
        )
        loss = loss + recipe.confidence_weight * _mean(judged, weights)
    return loss, right & valid


def _soft_loss(logp: Tensor, labels: Tensor, probabilities: Tensor, weights: Tensor) -> Tensor:
    """Cross-entropy to the target's likeliest tokens, as far as they can be drafted, scaled to one."""
    mass = probabilities * (labels >= 0)
    total = mass.sum(-1)
    cross = -(mass * logp.gather(-1, labels.clamp(min=0))).sum(-1) / total.clamp(min=1e-6)
    return _mean(cross, weights * (total > 0.01))


def _mean(values: Tensor, weights: Tensor) -> Tensor:
    return (values * weights).sum() / weights.sum().clamp(min=1e-6)


def position_weights(rows: int, gamma: float, device: torch.device) -> Tensor:
    return torch.exp(-torch.arange(rows, device=device) / gamma)
