"""The loop: prefill, then draft, verify, commit until something ends the answer. A generator of events.

Closing the generator, or setting `cancel`, stops it between two passes; the cache stays consistent.
"""

import threading
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from engine.detokeniser import Detokeniser
from engine.events import Delta, Event, Finished, FinishReason, Reading, Started
from engine.metrics import Baseline, Meter
from engine.sampling import History, Rule
from engine.speculator import Proposal, Speculator
from engine.stops import StopMatcher
from engine.target import Target
from engine.verify import Verdict, verify_rows


@dataclass(slots=True)
class Answer:
    """Text and tokens so far. One token at a time goes through, so that a stop string cuts at a token."""

    detokeniser: Detokeniser
    stops: StopMatcher
    text: str = ""
    tokens: list[int] = field(default_factory=list)

    def push(self, tokens: Sequence[int]) -> str:
        """Text that `tokens` add for sure; tokens after a completed stop string are dropped."""
        shown = ""
        for token in tokens:
            piece, stopped = self.stops.push(self.detokeniser.push([token]))
            self.tokens.append(token)
            shown += piece
            if stopped:
                del self.tokens[self.stops.kept_pushes :]
                break
        self.text += shown
        return shown

    def close(self) -> str:
        """The text that was held back."""
        rest = (
            "" if self.stops.stopped else self.stops.push(self.detokeniser.finish())[0] + self.stops.flush()
        )
        self.text += rest
        return rest


@dataclass(slots=True)
class Generation:
    """One answer in the making. `context_limit` counts prompt and answer; `ends` are end-of-generation tokens.

    The last `given` tokens of `prompt` are the beginning of the answer itself.
    """

    target: Target
    speculator: Speculator
    rule: Rule
    answer: Answer
    meter: Meter
    baseline: Baseline
    prompt: Sequence[int]
    max_tokens: int
    context_limit: int
    ends: frozenset[int]
    cancel: threading.Event
    given: int = 0
    left_out: tuple[int, ...] = ()  # messages that are not in the prompt
    _known: list[int] = field(init=False)
    _history: History | None = field(init=False)
    _rows_before: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self._known = list(self.prompt)
        begun = len(self.prompt) - self.given
        self._history = self.rule.history(self.prompt[:begun])
        if self._history is not None:
            for token in self.prompt[begun:]:
                self._history.push(token)

    def run(self) -> Generator[Event, None, None]:
        """Reading..., Started, Delta..., Finished. Raises SlipstreamError when the model can't go on."""
        start = time.perf_counter()
        reused = next(progress := self.target.prefill(self.prompt, self.cancel))
        for done in progress:
            if done < len(self.prompt) - 1:
                yield Reading(done, len(self.prompt))
        self.speculator.reset(self._known)
        reason = FinishReason.CANCELLED if self.cancel.is_set() else None
        while reason is None:
            delta, reason = self._step()
            if self.meter.ttft_s is None:
                self.meter.ttft_s = time.perf_counter() - start
                yield Started(len(self.prompt), reused, self.meter.ttft_s, self.left_out)
            yield delta
            if reason is None and self.cancel.is_set():
                reason = FinishReason.CANCELLED
        yield self._finished(reason)

    def _step(self) -> tuple[Delta, FinishReason | None]:
        """Draft, verify, commit, and say what ended the answer, if anything did."""
        began = time.perf_counter()
        proposal = self.speculator.propose(self._room())
        verdict, verifying = self._verify(proposal)
        self._known.extend(verdict.tokens)
        self.target.rollback(len(self._known) - 1)
        self.speculator.observe(verdict.tokens, len(proposal.tokens), verdict.accepted, verifying)
        seconds = time.perf_counter() - began
        if not proposal.tokens and self._rows_before == 1:  # plain decoding never changes the number of rows
            self.baseline.observe(seconds, len(self._known))
        self._rows_before = len(proposal.tokens) + 1
        self.meter.record(
            proposal.source, len(proposal.tokens), verdict.accepted, len(verdict.tokens), seconds
        )
        text = self.answer.push(verdict.tokens)
        return self._delta(proposal, verdict, text, seconds), self._reason(verdict)

    def _verify(self, proposal: Proposal) -> tuple[Verdict, float]:
        """The verdict, and the seconds that the target's pass took."""
        began = time.perf_counter()
        logits = self.target.forward([self._known[-1], *proposal.tokens])
        seconds = time.perf_counter() - began
        verdict = verify_rows(
            proposal.tokens,
            logits,
            self.rule,
            position=len(self._known),
            room=self._room(),
            ends=self.ends,
            history=self._history,
        )
        return verdict, seconds

    def _room(self) -> int:
        """Tokens that may still come."""
        answered = len(self._known) - len(self.prompt)
        return min(self.max_tokens - answered, self.context_limit - len(self._known))

    def _reason(self, verdict: Verdict) -> FinishReason | None:
        if verdict.ended or self.answer.stops.stopped:
            return FinishReason.STOP
        if self._room() > 0:
            return None
        answered = len(self._known) - len(self.prompt)
        return FinishReason.LENGTH if answered >= self.max_tokens else FinishReason.CONTEXT

    def _delta(self, proposal: Proposal, verdict: Verdict, text: str, seconds: float) -> Delta:
        return Delta(
            text=text,
            tokens=verdict.tokens,
            drafted=tuple(proposal.tokens),
            accepted=verdict.accepted,
            source=proposal.source,
            seconds=seconds,
            stats=self.meter.stats(proposal.planned, proposal.reason),
        )

    def _finished(self, reason: FinishReason) -> Finished:
        self.answer.close()
        return Finished(reason, self.answer.text, tuple(self.answer.tokens), self.meter.stats())
