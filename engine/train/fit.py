"""The training loop: AdamW, cosine, clipping, a moving average, checkpoints that survive kill -9.

Step s is a function of the state after step s - 1, so a training that was stopped anywhere ends with the same weights
as one that was not (on one device, with one number of threads).
"""

import math
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine.errors import SlipstreamError
from engine.train.batches import Batch, Batcher
from engine.train.eagle import Network, network_of
from engine.train.loss import Said, Wanted, drafter_loss
from engine.train.optimisers import optimisers
from engine.train.recipe import Recipe

CHECKPOINT = "checkpoint.pt"
CHECKPOINT_EVERY = 600.0  # seconds


@dataclass(frozen=True, slots=True)
class Pulse:
    """How training goes. `loss` and `first_right` (share of blocks whose first token is right) are of late steps."""

    step: int
    steps: int
    loss: float
    first_right: float
    blocks_per_second: float
    seconds_left: float


class Trainer:
    """`checked(trainer)` is called whenever a checkpoint was written."""

    def __init__(
        self,
        network: Network,
        batcher: Batcher,
        recipe: Recipe,
        folder: Path,
        *,
        identity: dict[str, Any],
        device: str = "cpu",
    ) -> None:
        if not len(batcher):
            raise SlipstreamError(
                "There is no answer with features to learn from: run the steps before first."
            )
        self.network, self.recipe = network.to(device), recipe
        self.steps = max(1, math.ceil(recipe.epochs * len(batcher) / recipe.batch))
        self.step = 0
        self.seconds = 0.0  # of all runs
        self._batcher, self._device = batcher, torch.device(device)
        self._path, self._identity = folder / CHECKPOINT, identity
        self._optimisers = optimisers(network, recipe)
        self._average = {name: value.clone() for name, value in network.state_dict().items()}
        self._resume()

    def run(
        self,
        report: Callable[[Pulse], None],
        cancel: threading.Event,
        checked: Callable[["Trainer"], None] = lambda trainer: None,
    ) -> bool:
        """Train to the end; False when `cancel` stopped it. A checkpoint is written in either case."""
        started = saved = last = time.perf_counter()
        first = self.step
        loss = right = 0.0
        while self.step < self.steps and not cancel.is_set():
            now_loss, now_right = self._train(self._batcher_draw())
            weight = max(0.02, 1.0 / (self.step - first))
            loss, right = loss + weight * (now_loss - loss), right + weight * (now_right - right)
            now = time.perf_counter()
            self.seconds, last = self.seconds + now - last, now
            seconds = (now - started) / (self.step - first)
            blocks = self.recipe.batch * self.recipe.anchors / seconds
            report(Pulse(self.step, self.steps, loss, right, blocks, seconds * (self.steps - self.step)))
            if now - saved > CHECKPOINT_EVERY:
                self.save()
                checked(self)
                saved = last = time.perf_counter()
        self.save()
        checked(self)
        return self.step >= self.steps

    def averaged(self) -> dict[str, NDArray[np.generic]]:
        """The moving average of the weights by name, in float32."""
        return {name: value.float().cpu().numpy() for name, value in self._average.items()}

    def averaged_network(self) -> Network:
        """A network of its own with the averaged weights."""
        shape, buffers = self.network.shape, (self.network.embedding, self.network.head)
        network: Network = network_of(shape, *buffers).to(self._device)
        network.load_state_dict(self._average)
        return network

    def save(self) -> None:
        """Written beside, brought to the disk, renamed."""
        partial = self._path.with_suffix(".partial")
        state = {
            "identity": self._identity,
            "step": self.step,
            "seconds": self.seconds,
            "network": self.network.state_dict(),
            "average": self._average,
            "optimisers": [optimiser.state_dict() for optimiser in self._optimisers],
        }
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as file:
            torch.save(state, file)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(self._path)

    def _resume(self) -> None:
        if not self._path.exists():
            return
        state = torch.load(self._path, map_location=self._device, weights_only=True)
        different = [name for name, value in self._identity.items() if state["identity"].get(name) != value]
        if different:
            raise SlipstreamError(
                f"{self._path.parent} holds a training with another {different[0]}: go on with the same, "
                "or choose another folder."
            )
        self.step, self.seconds = state["step"], state["seconds"]
        self.network.load_state_dict(state["network"])
        self._average = state["average"]
        for optimiser, saved in zip(self._optimisers, state["optimisers"], strict=True):
            optimiser.load_state_dict(saved)

    def _batcher_draw(self) -> Batch:
        recipe = self.recipe
        return self._batcher.draw(recipe.batch, recipe.anchors, recipe.seed, self.step)

    def _train(self, batch: Batch) -> tuple[float, float]:
        recipe, network = self.recipe, self.network
        for group in (group for each in self._optimisers for group in each.param_groups):
            group["lr"] = recipe.rate * schedule(self.step, self.steps, recipe.warmup)
        with torch.autocast(self._device.type, torch.bfloat16, enabled=recipe.bf16):
            loss, right = self._loss(batch)
        network.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), recipe.clip)
        for optimiser in self._optimisers:
            optimiser.step()
        self.step += 1
        self._follow()
        valid = batch.valid[..., 0].sum()
        return float(loss.detach()), float(right[..., 0].sum()) / max(int(valid), 1)

    def _loss(self, batch: Batch) -> tuple[Tensor, Tensor]:
        network, previous = self.network, self._tensor(batch.previous)
        about = (self._tensor(each) for each in (batch.features, batch.text, batch.anchors))
        hidden = network(*about, previous)
        confidence = network.confidence(hidden, previous) if network.confidence_head is not None else None
        wanted = (batch.labels, batch.valid, batch.soft_labels, batch.soft_weights)
        seen, readers = network.said(hidden, previous)
        kind = torch.bfloat16 if self.recipe.bf16 else torch.float32
        return drafter_loss(
            Said(seen.to(kind), readers, confidence), Wanted(*map(self._tensor, wanted)), self.recipe
        )

    def _follow(self) -> None:
        """Move the average; early on it forgets faster, so that it does not carry the random beginning along."""
        decay = min(self.recipe.average, (1.0 + self.step) / (10.0 + self.step))
        for name, value in self.network.state_dict().items():
            self._average[name].lerp_(value, 1.0 - decay)

    def _tensor(self, array: NDArray[Any]) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self._device)


def schedule(step: int, steps: int, warmup: float) -> float:
    """A linear rise, then half a cosine down to zero."""
    rise = max(1.0, warmup * steps)
    if step < rise:
        return (step + 1) / rise
    return 0.5 * (1.0 + math.cos(math.pi * (step - rise) / max(1.0, steps - rise)))
