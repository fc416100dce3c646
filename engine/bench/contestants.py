"""Who takes part in a benchmark: Slipstream in each of its modes; peers look the same from outside."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from engine.bench.options import WITHOUT_STORE
from engine.bench.watch import peak_memory_bytes
from engine.errors import SlipstreamError
from engine.events import Event, Failed, Finished
from engine.request import Message, Request, Sampling, Speculation

SPECULATIONS = {
    "plain": Speculation.OFF,
    "ngram": Speculation.NGRAM,
    "draft": Speculation.DRAFT,
    "dflash": Speculation.DFLASH,
    "auto": Speculation.AUTO,
}
SPECULATIONS |= {mode: SPECULATIONS[whole] for mode, whole in WITHOUT_STORE.items()}


@dataclass(frozen=True, slots=True)
class Answer:
    """One turn. `seconds` is decoding alone, `ttft_s` from the request to the first token (prefill included).

    `passes`, `drafted` and `accepted` are None where a peer does not tell them. `peak_memory_bytes` is the highest
    resident size of the contestant's process up to now; Slipstream's modes share one. `kv_bytes` is what the KV
    caches hold after the answer.
    """

    tokens: tuple[int, ...]
    text: str
    seconds: float
    ttft_s: float | None = None
    passes: int | None = None
    drafted: int | None = None
    accepted: int | None = None
    peak_memory_bytes: int | None = None
    prompt_tokens: int | None = None
    kv_bytes: int | None = None


class Contestant(Protocol):
    """`plain` names the contestant whose answers this one's are compared with; None if there can't be one."""

    @property
    def name(self) -> str: ...
    @property
    def plain(self) -> str | None: ...
    def answer(self, messages: Sequence[Message], max_tokens: int, seed: int = 0) -> Answer:
        """A whole answer; `seed` matters when sampling. Errors: SlipstreamError."""


class BenchEngine(Protocol):
    """What the benchmark needs of `engine.engine.Engine`."""

    @property
    def kv_bytes(self) -> int: ...
    def unavailable(self, speculation: Speculation) -> str | None: ...
    def generate(self, request: Request) -> Generator[Event, None, None]: ...


@dataclass(frozen=True, slots=True)
class OwnMode:
    """Slipstream in one mode. `forget` empties the KV caches, so that no mode finds another's prefix.

    None lets them find it: for prompts so long that reading them anew would be most of the run. Decoding is the same,
    but the time to the first token means nothing then.
    """

    name: str
    engine: BenchEngine
    sampling: Sampling
    forget: Callable[[], None] | None
    plain: str | None = "plain"

    def answer(self, messages: Sequence[Message], max_tokens: int, seed: int = 0) -> Answer:
        if self.forget is not None:
            self.forget()
        request = Request(
            messages,
            sampling=replace(self.sampling, seed=seed),
            max_tokens=max_tokens,
            speculation=SPECULATIONS[self.name],
            baseline=False,
            stored_answers=self.name not in WITHOUT_STORE,
        )
        answer = _answer(_last(self.engine.generate(request)), self.engine.kv_bytes)
        return answer if self.forget is not None else replace(answer, ttft_s=None)


def _last(events: Generator[Event, None, None]) -> Finished:
    for event in events:
        if isinstance(event, Failed):
            raise SlipstreamError(event.message)
        if isinstance(event, Finished):
            return event
    raise SlipstreamError("The answer ended without a result; run slipstream doctor.")


def _answer(finished: Finished, kv_bytes: int) -> Answer:
    stats = finished.stats
    return Answer(
        tokens=finished.token_ids,
        text=finished.text,
        seconds=stats.decode_s,
        ttft_s=stats.ttft_s,
        passes=stats.target_passes,
        drafted=stats.drafted,
        accepted=stats.accepted,
        peak_memory_bytes=peak_memory_bytes(),
        prompt_tokens=stats.prompt_tokens,
        kv_bytes=kv_bytes,
    )


def own_modes(
    engine: BenchEngine,
    modes: Sequence[str],
    sampling: Sampling,
    forget: Callable[[], None] | None,
    strict: bool,
) -> tuple[list[OwnMode], list[str]]:
    """The modes that this pair has, and a note on each that it lacks; `strict` refuses those instead."""
    found, notes = [], []
    for mode in modes:
        reason = engine.unavailable(SPECULATIONS[mode])
        if reason is None:
            found.append(OwnMode(mode, engine, sampling, forget))
        elif strict:
            raise SlipstreamError(f"The mode '{mode}' can't be measured: {reason}; leave it out of --modes.")
        else:
            notes.append(f"The mode '{mode}' was left out: {reason}.")
    return found, notes
