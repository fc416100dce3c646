"""`slipstream train fit` without the terminal: data, network, trainer and what is written, put together."""

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine.errors import SlipstreamError
from engine.models import disk
from engine.train.answers import Answer, read_answers, read_settings
from engine.train.batches import Batcher
from engine.train.drafter_folder import write_drafter
from engine.train.drafting import TextDrafter
from engine.train.eagle import Network, network_of
from engine.train.evaluate import evaluate
from engine.train.features import FeatureStore
from engine.train.fit import Pulse, Trainer
from engine.train.matrices import Borrowed
from engine.train.network import DrafterNetwork
from engine.train.provenance import sources
from engine.train.recipe import Recipe, draft_vocabulary
from engine.train.target_model import TargetModel

PLAN, HISTORY = "plan.json", "history.jsonl"
MARKOV_SCALE = 0.2  # root mean square: at 0.02 the bias grows too slowly to matter in a short training
CHECKED = 40  # held-out answers that judge a checkpoint


@dataclass(frozen=True, slots=True)
class Corpus:
    """Answers with their features. `taps`: of these layers only. `tokens`: only the first so many, for curves."""

    folder: Path
    answers: list[Answer]
    store: FeatureStore

    @classmethod
    def open(
        cls, folder: Path, target: TargetModel, taps: Sequence[int] = (), tokens: int | None = None
    ) -> "Corpus":
        settings = read_settings(folder)
        for name, value in target.identity.items():
            if settings.get(name) != value:
                raise SlipstreamError(
                    f"The answers in {folder} are of {settings.get('model')}, not of {target.name}: name its pair."
                )
        store = FeatureStore(folder / "features", taps)
        return cls(folder, _first(folder, store, tokens), store)

    @property
    def tokens(self) -> int:
        return sum(len(answer.tokens) for answer in self.answers)


def _first(folder: Path, store: FeatureStore, tokens: int | None) -> list[Answer]:
    chosen, count = [], 0
    for answer in read_answers(folder):
        if answer.key in store:
            chosen.append(answer)
            count += len(answer.tokens)
        if tokens and count >= tokens:
            break
    return chosen


@dataclass(slots=True)
class FitRun:
    """A training of one drafter in `out`. The data of a training stay those that it began with."""

    target: TargetModel
    corpus: Corpus
    held_out: Corpus | None
    recipe: Recipe
    out: Path
    prompts: Path | None
    device: str
    trainer: Trainer = field(init=False)
    draft_ids: NDArray[np.int64] = field(init=False)
    _best: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        answers = self._planned()
        target = self.target
        self.draft_ids = draft_vocabulary(answers, self.recipe.draft_vocab, target.weights.architecture.vocab)
        network = new_network(target, self.corpus.store.taps, self.recipe, self.draft_ids)
        batcher = Batcher(
            answers, self.corpus.store, self.draft_ids, target.weights.architecture.vocab, self.recipe.block
        )
        identity = {**target.identity, "taps": list(self.corpus.store.taps), **asdict(self.recipe)}
        self.trainer = Trainer(network, batcher, self.recipe, self.out, identity=identity, device=self.device)
        self._best = max((entry["tokens_per_pass"] for entry in self._history()), default=0.0)

    def run(self, report: Callable[[Pulse], None], cancel: threading.Event) -> bool:
        """True when the training is complete."""
        return self.trainer.run(report, cancel, self._check)

    def _planned(self) -> list[Answer]:
        """The answers of this training: written down at its beginning, since the folder may grow meanwhile."""
        plan = self.out / PLAN
        if not plan.exists():
            self.out.mkdir(parents=True, exist_ok=True)
            keys = [answer.key for answer in self.corpus.answers]
            disk.write_atomically(
                plan, json.dumps({"answers": len(keys), "last": keys[-1] if keys else None})
            )
        count = json.loads(plan.read_text(encoding="utf-8"))["answers"]
        if count > len(self.corpus.answers):
            raise SlipstreamError(
                f"The training in {self.out} began with {count:,} answers, and only {len(self.corpus.answers):,} "
                "are there now: bring them back, or choose another folder."
            )
        return self.corpus.answers[:count]

    def _check(self, trainer: Trainer) -> None:
        """Keep the weights if they draft better than all before them; without held-out answers, always."""
        network = trainer.averaged_network()
        rate = self._judge(network)
        entry = {"step": trainer.step, "seconds": round(trainer.seconds, 1), "tokens_per_pass": rate}
        with (self.out / HISTORY).open("a", encoding="utf-8") as history:
            history.write(json.dumps(entry) + "\n")
        if rate >= self._best:
            self._best = rate
            write_drafter(self.out, network.shape, trainer.averaged(), self.draft_ids, self._about(network))

    def _judge(self, network: Network) -> float:
        if self.held_out is None:
            return 0.0
        greedy = [answer for answer in self.held_out.answers if not answer.temperature][:CHECKED]
        drafter = TextDrafter(network, self.draft_ids, self.held_out.store)
        return evaluate(greedy, drafter, (self.recipe.block,)).best("drafter")

    def _history(self) -> list[dict[str, Any]]:
        path = self.out / HISTORY
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [json.loads(line) for line in lines]

    def _about(self, network: Network) -> dict[str, Any]:
        return {
            **self.target.identity,
            "licence": self.target.licence,
            "recipe": asdict(self.recipe),
            "data": self._data(),
            "steps": self.trainer.step,
            "seconds": round(self.trainer.seconds, 1),
            "device": device_name(self.device),
            "parameters": sum(p.numel() for p in network.parameters()),
        }

    def _data(self) -> dict[str, Any]:
        answers = self._planned()
        keys = [answer.key for answer in answers]
        return {
            "answers": len(answers),
            "tokens": sum(len(answer.tokens) for answer in answers),
            "prompts": len({key.rpartition("#")[0] for key in keys}),
            "greedy": sum(not answer.temperature for answer in answers),
            "sources": sources(self.prompts, keys) if self.prompts else [],
        }


def new_network(
    target: TargetModel, taps: Sequence[int], recipe: Recipe, draft_ids: NDArray[np.int64]
) -> Network:
    """Random weights by the recipe's seed, the target's last norm, and the matrices that the target lends."""
    torch.manual_seed(recipe.seed)
    lent = Borrowed.of(target.weights, draft_ids)
    shape = recipe.shape(target.weights.architecture, taps, target.mask_token)
    network = network_of(shape, torch.from_numpy(lent.embedding), torch.from_numpy(lent.head))
    with torch.no_grad():
        network.norm.weight.copy_(torch.from_numpy(lent.final_norm))
        if isinstance(network, DrafterNetwork) and network.markov_head is not None:
            network.markov_head.markov_w1.weight.copy_(principal(network.embedding, recipe.markov_rank))
    return network


def principal(embedding: Tensor, rank: int) -> Tensor:
    """[vocab, rank]: what the target knows of likeness between tokens, by its embedding's principal directions.

    So the bias of a token that the answers hold once begins as that of its relatives, not as noise.
    """
    centred = embedding.double() - embedding.double().mean(0)
    _, directions = torch.linalg.eigh(centred.T @ centred)
    found = centred @ directions[:, -rank:]
    return (found * (MARKOV_SCALE / found.square().mean().sqrt())).float()


def device_name(device: str) -> str:
    """A graphics processor's name, or the number of threads."""
    if device.startswith("cuda"):
        return str(torch.cuda.get_device_name(device))
    return f"{torch.get_num_threads()} CPU threads"


def choose_device(wish: str) -> str:
    """ "auto" takes a graphics processor if torch sees one. Errors: SlipstreamError for one that it does not see."""
    if wish == "cuda" and not torch.cuda.is_available():
        raise SlipstreamError("PyTorch sees no CUDA device here: train with --device cpu.")
    return "cuda" if wish != "cpu" and torch.cuda.is_available() else "cpu"
