"""`slipstream train generate` without the terminal: what it needs, put together."""

import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from engine.bench.prompts import load_prompts
from engine.graphs.attention import BLOCK
from engine.models.store import ModelStore
from engine.train.answers import AnswerWriter
from engine.train.batch import BatchModel
from engine.train.feature_run import feature_writer, parse_taps
from engine.train.generate import BatchGenerator, Limits, Tally, generate
from engine.train.jobs import Job, Split, plan, select
from engine.train.target_model import TargetModel


class Wishes(Protocol):
    """The command line's options."""

    pair: str
    prompts: Path
    out: Path
    split: str
    rounds: int
    max_tokens: int
    tokens: int | None
    sequences: int
    top: int
    taps: str | None


@dataclass(frozen=True, slots=True)
class GenerationRun:
    wishes: Wishes
    target: TargetModel
    jobs: list[Job]

    @classmethod
    def open(cls, wishes: Wishes, store: ModelStore) -> "GenerationRun":
        """Errors: SlipstreamError when prompts or model can't be read. Prompts beyond training get greedy answers."""
        split = Split(wishes.split)
        prompts = select(load_prompts(wishes.prompts), split)
        rounds = wishes.rounds if split is Split.TRAIN else 1
        return cls(wishes, TargetModel.load(store, wishes.pair), list(plan(prompts, rounds)))

    def run(self, report: Callable[[Tally], None], cancel: threading.Event) -> Tally:
        wishes = self.wishes
        limits = Limits(wishes.max_tokens, wishes.sequences)
        settings = {
            **self.target.identity,
            "split": wishes.split,
            "max_tokens": wishes.max_tokens,
            "top": wishes.top,
        }
        layers = self._layers()
        with ExitStack() as stack:
            writer = stack.enter_context(AnswerWriter(wishes.out, settings))
            return generate(
                self._generator(limits, layers),
                self.jobs,
                writer,
                report=report,
                cancel=cancel,
                wanted=wishes.tokens,
                features=stack.enter_context(feature_writer(wishes.out, self.target, layers))
                if layers
                else None,
            )

    def _layers(self) -> tuple[int, ...]:
        """Errors: ValueError for layers that the model does not have."""
        taps = self.wishes.taps
        return parse_taps(taps, self.target.weights.architecture.layers) if taps else ()

    def _generator(self, limits: Limits, layers: tuple[int, ...]) -> BatchGenerator:
        blocks = limits.sequences * -(-(limits.prompt + limits.answer) // BLOCK)
        model = BatchModel(self.target.weights, blocks, self.wishes.top, layers)
        tokenizer = self.target.tokenizer
        return BatchGenerator(model, lambda job: self.target.encode(job.prompt), tokenizer.eos_ids, limits)
