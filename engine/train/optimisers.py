"""How a drafter's weights move: Muon for the layers' matrices, AdamW for vectors, embeddings and heads.

Muon (Jordan 2024; its learning rate scaled to AdamW's as in Moonlight, arXiv 2502.16982) makes every direction of a
matrix move alike.
"""

from torch import Tensor, nn, optim

from engine.train.recipe import Recipe

BETAS = (0.9, 0.95)


def optimisers(network: nn.Module, recipe: Recipe) -> list[optim.Optimizer]:
    """Matrices decay, vectors do not."""
    named = dict(network.named_parameters())
    inner = {name for name, value in named.items() if recipe.muon and value.ndim == 2 and _is_inner(name)}
    matrices = [value for name, value in named.items() if value.ndim > 1 and name not in inner]
    vectors = [value for value in named.values() if value.ndim == 1]
    groups = [{"params": matrices, "weight_decay": recipe.decay}, {"params": vectors, "weight_decay": 0.0}]
    found: list[optim.Optimizer] = [
        optim.AdamW([group for group in groups if group["params"]], lr=recipe.rate, betas=BETAS, fused=True)
    ]
    if inner:
        found.append(_muon([named[name] for name in sorted(inner)], recipe))
    return found


def _muon(matrices: list[Tensor], recipe: Recipe) -> optim.Optimizer:
    return optim.Muon(
        matrices,
        lr=recipe.rate,
        weight_decay=recipe.decay,
        momentum=0.95,
        ns_steps=recipe.muon_steps,
        adjust_lr_fn="match_rms_adamw",
    )


def _is_inner(name: str) -> bool:
    return name.startswith(("layers.", "fc.", "input_proj."))
