"""An engine of the table model (tests.fake_models) for comparisons: real loop, real rule, drafts of every temper."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.cost import CostCurve
from engine.detokeniser import Detokeniser
from engine.drafters.ngram import NgramDrafter
from engine.events import Delta, Event, Failed
from engine.generation import Answer, Generation
from engine.metrics import Baseline, Meter
from engine.pace import Pace
from engine.request import Request, Speculation
from engine.sampling import Rule
from engine.speculator import Speculator
from engine.stops import StopMatcher
from tests.fake_models import EOS, SPELLINGS, Drafter, FakeTarget, FakeVocabulary, Perfect


@dataclass
class TableEngine:
    """`wrong_at`: speculation makes another token of the so-manieth one, as a device does that is not exact.

    `fails_at`, `cancels_at`: what happens at the so-manieth request, counted from 0 (two warm-ups come first).
    """

    drafter: type[Drafter] = Perfect
    wrong_at: int | None = None
    fails_at: int | None = None
    cancels_at: int | None = None
    exact: bool = True
    refusal: str | None = None
    target: FakeTarget = field(default_factory=lambda: FakeTarget(seed=3, eos_bias=-50.0))
    requests: list[Request] = field(default_factory=list)
    cached: list[int] = field(default_factory=list)  # tokens in the cache before each request
    passes: int = 0

    def unavailable(self, speculation: Speculation) -> str | None:
        return None if speculation is Speculation.OFF else self.refusal

    def prompt_tokens(self, request: Request) -> list[int]:
        return [ord(letter) % EOS for message in request.messages for letter in message.content]

    def forget(self) -> None:
        self.target.rollback(0)

    def next_logits(self, tokens: Sequence[int]) -> NDArray[np.float32]:
        return self.target.logits(tokens)

    def spelling(self, token: int) -> str:
        return SPELLINGS[token].decode(errors="replace")

    def generate(self, request: Request, cancel: threading.Event | None = None) -> Iterator[Event]:
        number = len(self.requests)
        self.requests.append(request)
        self.cached.append(len(self.target.tokens))
        if number == self.fails_at:
            yield Failed("The model could not go on.")
            return
        halt = cancel or threading.Event()
        for event in self._generation(request, halt).run():
            yield event
            if isinstance(event, Delta):
                self.passes += 1
                if number == self.cancels_at:
                    halt.set()

    def _generation(self, request: Request, halt: threading.Event) -> Generation:
        rule, baseline, prompt = Rule(request.sampling), Baseline(), self.prompt_tokens(request)
        plain = request.speculation is Speculation.OFF
        target = (
            self.target
            if plain or self.wrong_at is None
            else _Wrong(self.target, len(prompt) + self.wrong_at)
        )
        return Generation(
            target=target,
            speculator=Speculator(
                request.speculation,
                Pace(CostCurve([2, 32], [1.0, 1.6])),
                ngram=NgramDrafter(min_match=1),
                draft=self.drafter(rule, self.target),
                draft_tokens=request.draft_tokens,
                baseline_age=None,
            ),
            rule=rule,
            answer=Answer(Detokeniser(FakeVocabulary()), StopMatcher(request.stop)),
            meter=Meter(len(prompt), baseline),
            baseline=baseline,
            prompt=prompt,
            max_tokens=request.max_tokens,
            context_limit=10_000,
            ends=frozenset({EOS}),
            cancel=halt,
        )


class _Wrong(FakeTarget):
    """The same target, with its two best logits exchanged for the token at `place`."""

    def __init__(self, target: FakeTarget, place: int) -> None:
        self.__dict__.update(target.__dict__)
        self._place = place

    def logits(self, tokens: Sequence[int]) -> NDArray[np.float32]:
        row = super().logits(tokens).copy()
        if len(tokens) == self._place:
            second, first = np.argsort(row)[-2:]
            row[[first, second]] = row[[second, first]]
        return row
