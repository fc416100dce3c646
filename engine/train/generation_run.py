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
from engine.train.features import FeatureWriter
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
    layers: tuple[int, ...] = ()  # whose features are kept meanwhile

    @classmethod
    def open(cls, wishes: Wishes, store: ModelStore) -> "GenerationRun":
        """Errors: SlipstreamError when prompts or model can't be read, ValueError for layers that it does not have.

        Prompts beyond training get greedy answers."""
        split = Split(wishes.split)
        prompts = select(load_prompts(wishes.prompts), split)
        rounds = wishes.rounds if split is Split.TRAIN else 1
        target = TargetModel.load(store, wishes.pair)
        taps = wishes.taps
        layers = parse_taps(taps, target.weights.architecture.layers) if taps else ()
        return cls(wishes, target, list(plan(prompts, rounds)), layers)

    def run(self, report: Callable[[Tally], None], cancel: threading.Event) -> tuple[Tally, int]:
        """And how many answers have no features, though they are wished for: those of earlier runs."""
        wishes = self.wishes
        limits = Limits(wishes.max_tokens, wishes.sequences)
        settings = {
            **self.target.identity,
            "split": wishes.split,
            "max_tokens": wishes.max_tokens,
            "top": wishes.top,
        }
        with ExitStack() as stack:
            writer = stack.enter_context(AnswerWriter(wishes.out, settings))
            features = self._features(stack)
            tally = generate(
                self._generator(limits),
                self.jobs,
                writer,
                report=report,
                cancel=cancel,
                wanted=wishes.tokens,
                features=features,
            )
            if features is None:
                return tally, 0
            features.flush()
            return tally, len(writer.keys - features.done)

    def _features(self, stack: ExitStack) -> FeatureWriter | None:
        if not self.layers:
            return None
        return stack.enter_context(feature_writer(self.wishes.out, self.target, self.layers))

    def _generator(self, limits: Limits) -> BatchGenerator:
        blocks = limits.sequences * -(-(limits.prompt + limits.answer) // BLOCK)
        model = BatchModel(self.target.weights, blocks, self.wishes.top, self.layers)
        tokenizer = self.target.tokenizer
        return BatchGenerator(model, lambda job: self.target.encode(job.prompt), tokenizer.eos_ids, limits)
