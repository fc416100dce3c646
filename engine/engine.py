"""A loaded pair, ready to answer. One owner thread; the window and the command line use the same object."""

import threading
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from engine import calibration, context
from engine.calibration import CalibrationFile
from engine.context import Fitted
from engine.cost import CostCurve
from engine.detokeniser import Detokeniser
from engine.device import require_usable
from engine.drafters.dflash import BlockDrafter
from engine.drafters.follower import Follower
from engine.drafters.ngram import NgramDrafter
from engine.errors import SlipstreamError
from engine.events import Event, Failed
from engine.generation import Answer, Generation
from engine.load_options import AUTOMATIC, LoadOptions
from engine.loading import Loaded, Loading, Neural, ProgressListener
from engine.metrics import Baseline, Meter
from engine.models import manifest, memory
from engine.models.catalogue import Pair
from engine.models.estimate import check_memory
from engine.models.memory import MemoryEstimate, give_back
from engine.models.meter import CancelledError
from engine.models.shipped import LeftOut, unusable
from engine.models.store import ModelStore
from engine.pace import Pace
from engine.request import Continuation, Message, Request, Speculation
from engine.sampling import Rule
from engine.speculator import NeuralDrafter, Speculator
from engine.stops import StopMatcher
from engine.stored_answers import find_store
from engine.target import Logits, Target
from engine.tokenizer import Tokenizer

ANSWER_SHARE = 4  # of the context: what an overflow policy keeps free for the answer at most
COUNTS_KEPT = 512  # lists of messages: the turns of long conversations


class Engine:
    """Target, optional draft model, and what was learnt about their cost and acceptance."""

    def __init__(
        self,
        pair: Pair,
        tokenizer: Tokenizer,
        loaded: Loaded,
        store: ModelStore,
        loading: Loading,
    ) -> None:
        self.pair, self.tokenizer = pair, tokenizer
        self.estimate: MemoryEstimate | None = None  # of memory, before the pair was loaded
        self.left_out: LeftOut | None = (
            None  # why the drafter that should have come with the program is not here
        )
        self.target = loaded.target
        self.exact = bool(loaded.measured.exact)
        self._store, self._loading = store, loading
        self._pace = Pace(CostCurve.of(loaded.measured.times))
        self._draft: NeuralDrafter | None = None
        self._take(loaded.neural)
        self._baseline = Baseline()
        self._ngram = NgramDrafter(min_match=1)
        self.answers = find_store(store.path(pair.target), tokenizer.vocab_size)
        self._count = lru_cache(COUNTS_KEPT)(lambda messages: len(tokenizer.encode_chat(messages)))

    @classmethod
    def load(
        cls,
        store: ModelStore,
        pair: Pair,
        progress: ProgressListener | None = None,
        anew: bool = False,
        options: LoadOptions = AUTOMATIC,
    ) -> "Engine":
        """Convert (the first time), compile, probe and calibrate, unless that was done before and not `anew`.

        Errors: SlipstreamError, and nothing stays loaded.
        """
        require_usable(options.device)
        pair, left_out = store.shipped.completed(pair)
        engine = None
        try:
            engine = cls._whole(store, pair, progress, anew, options)
        except SlipstreamError as error:
            if isinstance(error, CancelledError) or not store.shipped.is_shipped(pair.draft):
                raise
            left_out = unusable(pair, error)
        if engine is None:  # only now is what the failed load held gone
            engine = cls._whole(store, replace(pair, draft=None), progress, anew, options)
        engine.left_out = left_out
        return engine

    @classmethod
    def _whole(
        cls,
        store: ModelStore,
        pair: Pair,
        progress: ProgressListener | None,
        anew: bool,
        options: LoadOptions,
    ) -> "Engine":
        folders = [_folder(store, name) for name in pair.models]
        tokenizer = Tokenizer.from_gguf(folders[0] / manifest.MODEL_FILE)
        estimate = check_memory(folders, options)
        loading = Loading(CalibrationFile(store.home / calibration.FILE), progress, anew, options)
        engine = cls(pair, tokenizer, loading.load(folders), store, loading)
        engine.estimate = estimate
        return engine

    def swap(self, pair: Pair, progress: ProgressListener | None = None) -> bool:
        """Take `pair` over if it has this target and another drafter, or none: only that is loaded.

        The target, its KV cache and what was measured of it stay. False when that can't be: nothing has changed then.
        Errors: SlipstreamError; then the pair is the old one, or its target alone.
        """
        if pair.target != self.pair.target or pair.draft == self.pair.draft:
            return False
        pair, left_out = self._store.shipped.completed(pair)
        folder = _folder(self._store, pair.draft) if pair.draft else None
        try:
            if not self.set_draft(folder, progress):
                return False
        except Exception:
            if self._draft is None:
                self.pair = replace(self.pair, draft=None)
            raise
        self.pair, self.left_out = pair, left_out
        return True

    def set_draft(self, folder: Path | None, progress: ProgressListener | None = None) -> bool:
        """Let the model or trained drafter in `folder` draft from now on, or none.

        False when the target would have to be compiled anew, as for a trained drafter's taps: nothing has changed then.
        Errors: SlipstreamError; the old drafter stays if the new one does not fit, and is gone if it can't be loaded.
        """
        prepare = None
        if folder is not None:
            loading = replace(self._loading, progress=progress, anew=False)
            target = self._store.path(self.pair.target)
            prepare = loading.drafter(self.target, target, folder)
            if prepare is None:
                return False
            present = memory.free_bytes() + memory.own_bytes()
            self.estimate = check_memory([target, folder], self._loading.options, present)
        self._take(None)  # two drafters at once might not fit in memory
        if prepare is not None:
            self._take(prepare())
        return True

    @property
    def context_limit(self) -> int:
        return self.target.context_limit

    @property
    def kv_bytes(self) -> int:
        """Memory of both models' KV caches, and of their states, now."""
        return sum(
            model.cache_bytes if isinstance(model, Target) else model.cache.bytes for model in self._models
        )

    @property
    def kv_bytes_per_token(self) -> int:
        """What one more token of context takes in both."""
        return sum(model.cache.bytes_per_token for model in self._models)

    @property
    def _models(self) -> list[Target | Follower]:
        return [self.target, *([self._draft.model] if self._draft else [])]

    def forget(self) -> None:
        """Empty the KV caches: the next answer reads its prompt from the start."""
        for model in self._models:
            model.release([])

    def unavailable(self, speculation: Speculation) -> str | None:
        """Why a way to speculate can't be had with this pair; None if it can."""
        source = self._draft.source if self._draft else ""
        if speculation is Speculation.DRAFT and source != "draft":
            return "this pair has no draft model"
        if speculation is Speculation.DFLASH and source != "dflash":
            return "this pair has no trained drafter (DFlash or EAGLE)"
        return None

    @property
    def opens_thinking(self) -> str:
        """What the prompt opens of the answer's reasoning, as "<think>\n"; "" when the answer starts plainly."""
        return self.tokenizer.template.opens_thinking

    def count_tokens(self, messages: Sequence[Message]) -> int:
        return self._count(tuple(messages))

    def fitted(self, request: Request) -> Fitted:
        """What of the request's messages is sent, by its overflow policy; room for the answer is kept free."""
        begun = request.continuation
        taken = len(begun.tokens or self.tokenizer.encode(begun.text)) if begun else 0
        answer = min(request.max_tokens, self.context_limit // ANSWER_SHARE)
        room = max(self.context_limit - answer - taken, 1)
        return context.fit(request.messages, self.count_tokens, room, request.overflow)

    def prompt_tokens(self, request: Request) -> list[int]:
        """What the target reads before it answers."""
        return self.tokenizer.encode_chat(self.fitted(request).messages)

    def next_logits(self, tokens: Sequence[int]) -> Logits:
        """The target's after `tokens`, float32 [vocabulary], valid until its next pass."""
        for _ in self.target.prefill(tokens):
            pass
        logits: Logits = self.target.forward(tokens[-1:])[0]
        return logits

    def spelling(self, token: int) -> str:
        """For people: bytes that are no whole character appear as replacement characters."""
        return self.tokenizer.token_bytes(token).decode("utf-8", errors="replace")

    def generate(
        self, request: Request, cancel: threading.Event | None = None
    ) -> Generator[Event, None, None]:
        """Started, Delta..., then Finished, or Failed with what came before it kept.

        Raises SlipstreamError before the first event when the request can't be served.
        """
        reason = self.unavailable(request.speculation)
        if reason is not None:
            raise SlipstreamError(f"Speculation by '{request.speculation}' is not available: {reason}.")
        fitted = self.fitted(request)
        prompt = self.tokenizer.encode_chat(fitted.messages)
        if not prompt:
            raise SlipstreamError("The model's chat template made an empty prompt: choose another model.")
        given, detokeniser = self._begun(request.continuation or Continuation(""))
        prompt += given
        limit = self.context_limit
        if len(prompt) >= limit:
            raise SlipstreamError(
                f"The conversation has {len(prompt):,} tokens, but {self.pair.title} reads at most {limit:,}: "
                "shorten it or start a new chat."
            )
        answer = Answer(detokeniser, StopMatcher(request.stop))
        generation = self._generation(request, prompt, len(given), answer, cancel or threading.Event())
        generation.left_out = fitted.left_out
        return _failing_softly(generation.run())

    def close(self) -> None:
        """Free both models; the engine can't be used after."""
        del self.target, self._draft
        give_back()

    def _take(self, neural: Neural | None) -> None:
        self._draft = neural.drafter if neural else None
        if neural:
            self._pace.take_drafter(neural.cost, neural.longest)
        if isinstance(self._draft, BlockDrafter):
            self.target.release([])  # it only knows what it saw the target read
        else:
            self.target.reader = None

    def _begun(self, continuation: Continuation) -> tuple[list[int], Detokeniser]:
        """The tokens of the answer's beginning, and a detokeniser that has read them."""
        text = self.tokenizer.template.after_prompt(continuation.text)
        detokeniser = Detokeniser(self.tokenizer)
        ours = all(0 <= token < self.tokenizer.vocab_size for token in continuation.tokens)
        if ours and detokeniser.push(continuation.tokens) == text:
            return list(continuation.tokens), detokeniser
        return self.tokenizer.encode(text), Detokeniser(self.tokenizer)

    def _generation(
        self, request: Request, prompt: list[int], given: int, answer: Answer, cancel: threading.Event
    ) -> Generation:
        rule = Rule(request.sampling)
        if self._draft is not None:
            self._draft.rule, self._draft.cancel = rule, cancel
            self._draft.release(prompt)
        speculator = Speculator(
            request.speculation,
            self._pace,
            ngram=self._ngram,
            draft=self._draft,
            draft_tokens=request.draft_tokens,
            baseline_age=(lambda: self._baseline.age_s) if request.baseline else None,
            store=self.answers.drafter if request.stored_answers else None,
        )
        return Generation(
            target=self.target,
            speculator=speculator,
            rule=rule,
            answer=answer,
            meter=Meter(len(prompt), self._baseline, lambda: (self.kv_bytes, self.context_limit)),
            baseline=self._baseline,
            prompt=prompt,
            max_tokens=request.max_tokens,
            context_limit=self.context_limit,
            ends=self.tokenizer.eos_ids,
            cancel=cancel,
            given=given,
        )


def _folder(store: ModelStore, name: str) -> Path:
    folder = store.path(name)
    if not manifest.model_file(folder).exists():
        raise SlipstreamError(f"“{name}” is not installed: fetch or import it first.")
    return folder


def _failing_softly(events: Iterator[Event]) -> Generator[Event, None, None]:
    try:
        yield from events
    except SlipstreamError as error:
        yield Failed(str(error))
