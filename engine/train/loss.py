"""What a drafter is taught: the target's token and its probabilities, early rows of a block more than late ones."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from engine.train.recipe import Recipe

CHUNK = 512  # rows whose logits exist at once: they stay in the processor's cache


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the rows should say, as in `engine.train.batches.Batch`."""

    labels: Tensor
    valid: Tensor
    soft_labels: Tensor
    soft_weights: Tensor


@dataclass(frozen=True, slots=True)
class Said:
    """What the rows say: logits are `seen` [N, A, B, width] times `readers` [draft vocabulary, width], side by side."""

    seen: Tensor
    readers: tuple[Tensor, ...]
    confidence: Tensor | None


def drafter_loss(said: Said, wanted: Wanted, recipe: Recipe) -> tuple[Tensor, Tensor]:
    """The loss, and whether each row is right [N, A, B].

    A row whose token can't be drafted teaches only what the soft labels say of the rest.
    """
    labels, valid = wanted.labels, wanted.valid
    weights = position_weights(labels.shape[-1], recipe.gamma, labels.device) * valid
    ids, shares = _teaching(wanted, weights, recipe.soft)
    width = said.seen.shape[-1]
    loss, best = CrossEntropy.apply(
        said.seen.reshape(-1, width), ids.flatten(0, 2), shares.flatten(0, 2), *said.readers
    )
    right = best.view_as(labels) == labels
    if said.confidence is not None:
        judged = functional.binary_cross_entropy_with_logits(
            said.confidence.float(), right.float(), reduction="none"
        )
        loss = loss + recipe.confidence_weight * (judged * _normalised(weights)).sum()
    return loss, right & valid


def _teaching(wanted: Wanted, weights: Tensor, soft: float) -> tuple[Tensor, Tensor]:
    """Draft ids [N, A, B, 1 + k] and the share that each has in the loss: the token, then the likeliest tokens as far
    as they can be drafted, scaled to one."""
    known = wanted.labels >= 0
    mass = wanted.soft_weights * (wanted.soft_labels >= 0)
    total = mass.sum(-1, keepdim=True)
    likely = mass / total.clamp(min=1e-6) * _normalised(weights * (total[..., 0] > 0.01))[..., None]
    certain = _normalised(weights * known)[..., None]
    ids = torch.cat([wanted.labels[..., None], wanted.soft_labels], dim=-1).clamp(min=0)
    return ids, torch.cat([(1.0 - soft) * certain, soft * likely], dim=-1)


def _normalised(weights: Tensor) -> Tensor:
    return weights / weights.sum().clamp(min=1e-6)


class CrossEntropy(torch.autograd.Function):
    """Sum of cross-entropies to sparse distributions, and each row's best id; logits never exist all at once.

    The gradient is known with the loss, so it is computed in the same sweep.
    """

    @staticmethod
    def forward(
        ctx: Any, seen: Tensor, ids: Tensor, shares: Tensor, *readers: Tensor
    ) -> tuple[Tensor, Tensor]:
        """seen [R, width]; ids and shares [R, s]; readers [V, part of width] each."""
        matrix = torch.cat([reader.to(seen.dtype) for reader in readers], dim=1)
        parts = [reader.shape[1] for reader in readers]
        grads = [torch.zeros_like(r) if r.requires_grad else None for r in readers]
        grad_seen, loss, best = torch.empty_like(seen), seen.new_zeros((), dtype=torch.float32), []
        for x, out, chosen, share in zip(
            *(each.split(CHUNK) for each in (seen, grad_seen, ids, shares.float())), strict=True
        ):
            logits = (x @ matrix.T).float()
            best.append(logits.argmax(-1))
            mass, norm = share.sum(-1, keepdim=True), logits.logsumexp(-1, keepdim=True)
            loss += (mass * norm).sum() - (share * logits.gather(-1, chosen)).sum()
            slope = logits.sub_(norm).exp_().mul_(mass).scatter_add_(-1, chosen, -share).to(x.dtype)
            torch.mm(slope, matrix, out=out)
            for grad, part in zip(grads, x.split(parts, dim=1), strict=True):
                if grad is not None:
                    grad.add_(slope.T @ part)
        ctx.save_for_backward(grad_seen, *(grad for grad in grads if grad is not None))
        ctx.trained = [grad is not None for grad in grads]
        found = torch.cat(best)
        ctx.mark_non_differentiable(found)
        return loss, found

    @staticmethod
    def backward(ctx: Any, *slopes: Tensor) -> tuple[Tensor | None, ...]:
        seen, *grads = (each * slopes[0].to(each.dtype) for each in ctx.saved_tensors)
        left = iter(grads)
        return seen, None, None, *(next(left) if trained else None for trained in ctx.trained)


def position_weights(rows: int, gamma: float, device: torch.device) -> Tensor:
    return torch.exp(-torch.arange(rows, device=device) / gamma)
