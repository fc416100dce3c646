"""A loaded pair, ready to answer. One owner thread; the window and the command line use the same object."""

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path

from engine import calibration
from engine.calibration import CalibrationFile, ModelCalibration, calibrate
from engine.cost import CostCurve, StepCost
from engine.detokeniser import Detokeniser
from engine.drafters.draft_model import DraftModelDrafter
from engine.drafters.ngram import NgramDrafter
from engine.errors import SlipstreamError
from engine.events import Event, Failed, Progress
from engine.generation import Answer, Generation
from engine.graphs.convert import converted_weights
from engine.metrics import Baseline, Meter
from engine.models.catalogue import Pair
from engine.models.memory import check_memory
from engine.models.store import ModelStore
from engine.pace import Pace
from engine.request import Message, Request, Speculation
from engine.sampling import Rule
from engine.speculator import Speculator
from engine.stops import StopMatcher
from engine.target import Target
from engine.tokenizer import Tokenizer, vocabulary_difference

ProgressListener = Callable[[Progress], None]


class Engine:
    """Target, optional draft model, and what was learnt about their cost and acceptance."""

    def __init__(
        self, pair: Pair, tokenizer: Tokenizer, models: Sequence[Target], measured: Sequence[ModelCalibration]
    ) -> None:
        """`models` and what was `measured` of them: the target, and the draft model if there is one."""
        self.pair, self.tokenizer = pair, tokenizer
        self.target = models[0]
        self.exact = bool(measured[0].exact)
        self._draft = DraftModelDrafter(models[1]) if pair.draft else None
        step = StepCost.of(measured[1].times) if pair.draft else StepCost()
        self._pace = Pace(CostCurve.of(measured[0].times), step)
        self._baseline = Baseline()
        self._ngram = NgramDrafter(min_match=1)

    @classmethod
    def load(
        cls, store: ModelStore, pair: Pair, progress: ProgressListener | None = None, anew: bool = False
    ) -> "Engine":
        """Convert (the first time), compile, probe and calibrate, unless that was done before and not `anew`.

        Errors: SlipstreamError, and nothing stays loaded.
        """
        folders = [_folder(store, name) for name in pair.models]
        tokenizers = [Tokenizer.from_gguf(folder / "model.gguf") for folder in folders]
        if pair.draft and (difference := vocabulary_difference(*tokenizers)):
            raise SlipstreamError(f"{pair.draft} can't draft for {pair.target}: {difference}.")
        check_memory(folders)
        models = [_load_model(folder, index > 0, progress) for index, folder in enumerate(folders)]
        file = CalibrationFile(store.home / calibration.FILE)
        measured = [
            calibrate(model, folder, file, drafting=index > 0, anew=anew)
            for index, (model, folder) in enumerate(zip(models, folders, strict=True))
        ]
        return cls(pair, tokenizers[0], models, measured)

    @property
    def context_limit(self) -> int:
        return self.target.context_limit

    @property
    def kv_bytes(self) -> int:
        """Memory of both models' KV caches now."""
        return sum(model.cache.bytes for model in self._models)

    @property
    def kv_bytes_per_token(self) -> int:
        """What one more token of context takes in both."""
        return sum(model.cache.bytes_per_token for model in self._models)

    @property
    def _models(self) -> list[Target]:
        return [self.target, *([self._draft.model] if self._draft else [])]

    def forget(self) -> None:
        """Empty the KV caches: the next answer reads its prompt from the start."""
        for model in self._models:
            model.release([])

    def unavailable(self, speculation: Speculation) -> str | None:
        """Why a way to speculate can't be had with this pair; None if it can."""
        if speculation is Speculation.DRAFT and self._draft is None:
            return "this pair has no draft model"
        if speculation is Speculation.DFLASH:
            return "this pair has no block drafter"
        return None

    def count_tokens(self, messages: Sequence[Message]) -> int:
        return len(self.tokenizer.encode_chat(messages))

    def generate(
        self, request: Request, cancel: threading.Event | None = None
    ) -> Generator[Event, None, None]:
        """Started, Delta..., then Finished, or Failed with what came before it kept.

        Raises SlipstreamError before the first event when the request can't be served.
        """
        reason = self.unavailable(request.speculation)
        if reason is not None:
            raise SlipstreamError(f"Speculation by '{request.speculation}' is not available: {reason}.")
        prompt = self.tokenizer.encode_chat(request.messages)
        limit = self.context_limit
        if not prompt:
            raise SlipstreamError("The model's chat template made an empty prompt: choose another model.")
        if len(prompt) >= limit:
            raise SlipstreamError(
                f"The conversation has {len(prompt):,} tokens, but {self.pair.title} reads at most {limit:,}: "
                "shorten it or start a new chat."
            )
        generation = self._generation(request, prompt, cancel or threading.Event())
        return _failing_softly(generation.run())

    def close(self) -> None:
        """Free both models; the engine can't be used after."""
        del self.target, self._draft

    def _generation(self, request: Request, prompt: list[int], cancel: threading.Event) -> Generation:
        rule = Rule(request.sampling)
        if self._draft is not None:
            self._draft.rule, self._draft.cancel = rule, cancel
            self._draft.model.release(prompt)
        speculator = Speculator(
            request.speculation,
            self._pace,
            ngram=self._ngram,
            draft=self._draft,
            draft_tokens=request.draft_tokens,
            baseline_age=(lambda: self._baseline.age_s) if request.baseline else None,
        )
        return Generation(
            target=self.target,
            speculator=speculator,
            rule=rule,
            answer=Answer(Detokeniser(self.tokenizer), StopMatcher(request.stop)),
            meter=Meter(len(prompt), self._baseline, lambda: (self.kv_bytes, self.context_limit)),
            baseline=self._baseline,
            prompt=prompt,
            max_tokens=request.max_tokens,
            context_limit=self.context_limit,
            ends=self.tokenizer.eos_ids,
            cancel=cancel,
        )


def _folder(store: ModelStore, name: str) -> Path:
    folder = store.path(name)
    if not (folder / "model.gguf").exists():
        raise SlipstreamError(f"“{name}” is not installed: fetch or import it first.")
    return folder


def _load_model(folder: Path, drafting: bool, progress: ProgressListener | None) -> Target:
    weights = converted_weights(folder, progress=progress, drafting=drafting)
    if progress:
        progress(Progress("compiling", 0, 1))
    model = Target(weights, pad=not drafting)
    if progress:
        progress(Progress("compiling", 1, 1))
    return model


def _failing_softly(events: Iterator[Event]) -> Generator[Event, None, None]:
    try:
        yield from events
    except SlipstreamError as error:
        yield Failed(str(error))
