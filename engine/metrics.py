"""Counts and rates of one answer, as the panel, `--json` and the benchmark show them."""

import statistics
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field

RECENT_PLAIN = 16  # plain passes that the baseline is the median of


@dataclass(frozen=True, slots=True)
class Stats:
    """Field names are the command line's contract (design.md). Times in seconds, speeds in tokens per second.

    acceptance_rate = accepted / drafted; tokens_per_pass counts the target's own token.
    accepted_by_position[j] = (times position j was drafted, times it was accepted).
    plain_tokens_per_second is what plain decoding would have given for these tokens, each at the price of the plain
    passes that were measured around it: a machine that slows down meanwhile is not taken for a gain. It and speedup,
    tokens_per_second over it, are None until plain passes were measured; never assumed.
    kv_bytes: memory of the KV caches of both models; context_tokens of context_limit are prompt and answer so far.
    """

    prompt_tokens: int = 0
    tokens: int = 0
    target_passes: int = 0
    drafted: int = 0
    accepted: int = 0
    acceptance_rate: float | None = None
    tokens_per_pass: float | None = None
    accepted_by_position: tuple[tuple[int, int], ...] = ()
    drafted_by_source: dict[str, int] = field(default_factory=dict)
    ttft_s: float | None = None
    decode_s: float = 0.0
    tokens_per_second: float | None = None
    plain_tokens_per_second: float | None = None
    plain_measured_s_ago: float | None = None
    speedup: float | None = None
    draft_tokens_now: int = 0
    context_tokens: int = 0
    context_limit: int = 0
    kv_bytes: int = 0
    pace_reason: str = ""


class Baseline:
    """Seconds of a plain pass, measured inside answers. Lives as long as the loaded pair."""

    def __init__(self) -> None:
        self._passes: deque[float] = deque(maxlen=RECENT_PLAIN)
        self._context = 0
        self._at = 0.0

    def observe(self, seconds: float, context: int) -> None:
        """A pass without draft at `context` tokens; what was measured at a very different context is dropped."""
        if self._passes and not 0.5 <= (context + 512) / (self._context + 512) <= 2.0:
            self._passes.clear()
        self._passes.append(seconds)
        self._context, self._at = context, time.monotonic()

    @property
    def tokens_per_second(self) -> float | None:
        return 1.0 / statistics.median(self._passes) if self._passes else None

    @property
    def age_s(self) -> float | None:
        return time.monotonic() - self._at if self._passes else None


class Meter:
    """Adds up the passes of one answer."""

    def __init__(
        self, prompt_tokens: int, baseline: Baseline, room: Callable[[], tuple[int, int]] = lambda: (0, 0)
    ) -> None:
        """`room` tells the KV caches' bytes now and the context's limit in tokens."""
        self._prompt_tokens, self._room = prompt_tokens, room
        self._baseline = baseline
        self._drafted_at: Counter[int] = Counter()
        self._accepted_at: Counter[int] = Counter()
        self._by_source: Counter[str] = Counter()
        self._tokens = self._passes = self._drafted = self._accepted = 0
        self._decode_s = self._plain_s = 0.0
        self._unpriced = 0  # tokens that came before any plain pass was measured
        self.ttft_s: float | None = None

    def record(self, source: str, drafted: int, accepted: int, committed: int, seconds: float) -> None:
        """One pass: `seconds` include drafting and verification."""
        self._passes += 1
        self._tokens += committed
        self._decode_s += seconds
        if drafted:
            self._price(committed)
        else:
            self._plain_s += seconds
        self._drafted += drafted
        self._accepted += accepted
        if drafted:
            self._by_source[source] += drafted
        for position in range(drafted):
            self._drafted_at[position] += 1
            self._accepted_at[position] += position < accepted

    def _price(self, tokens: int) -> None:
        """What plain decoding would have taken for them."""
        self._unpriced += tokens
        if plain := self._baseline.tokens_per_second:
            self._plain_s += self._unpriced / plain
            self._unpriced = 0

    def _plain_speed(self) -> float | None:
        if self._baseline.tokens_per_second is None:
            return None
        self._price(0)
        return self._tokens / self._plain_s if self._plain_s else self._baseline.tokens_per_second

    def stats(self, draft_tokens_now: int = 0, pace_reason: str = "") -> Stats:
        speed = self._tokens / self._decode_s if self._decode_s else None
        plain = self._plain_speed()
        kv_bytes, context_limit = self._room()
        return Stats(
            prompt_tokens=self._prompt_tokens,
            tokens=self._tokens,
            target_passes=self._passes,
            drafted=self._drafted,
            accepted=self._accepted,
            acceptance_rate=self._accepted / self._drafted if self._drafted else None,
            tokens_per_pass=self._tokens / self._passes if self._passes else None,
            accepted_by_position=tuple(
                (self._drafted_at[j], self._accepted_at[j]) for j in range(len(self._drafted_at))
            ),
            drafted_by_source=dict(self._by_source),
            ttft_s=self.ttft_s,
            decode_s=self._decode_s,
            tokens_per_second=speed,
            plain_tokens_per_second=plain,
            plain_measured_s_ago=self._baseline.age_s,
            speedup=speed / plain if speed and plain else None,
            draft_tokens_now=draft_tokens_now,
            context_tokens=self._prompt_tokens + self._tokens,
            context_limit=context_limit,
            kv_bytes=kv_bytes,
            pace_reason=pace_reason,
        )
