"""The answer that comes, and what is kept of one that has come."""

import dataclasses
import json
from collections import Counter
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

import msgspec

from app.chat.prompt import DEFAULTS, Options
from app.chat.reasoning import CLOSE, ReasoningClock
from app.history.store import StoredMessage
from engine.events import Delta, Finished, FinishReason
from engine.metrics import Stats

OPEN_CHARACTER = "\ufffd"
REASON, SEED, LEFT_OUT, THOUGHT = "finish_reason", "seed", "left_out", "thought_s"  # beside the figures


@dataclass(slots=True)
class Answer:
    """The one that is coming. `before` is the text that it goes on from; `stats_before` are the figures of that, and
    `thought_before_s` how long it was reasoning, if it was done with that.

    `left_out`: earlier messages that the model did not read.
    """

    conversation: int
    message: int
    mode: str
    before: str = ""
    stats_before: Stats | None = None
    thought_before_s: float | None = None
    options: Options = DEFAULTS
    left_out: int = 0
    parts: list[str] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    stats: Stats = field(default_factory=Stats)
    _opened: bool = False
    _clock: ReasoningClock = field(default_factory=ReasoningClock)

    @classmethod
    def of(cls, last: StoredMessage, conversation: int, mode: str, options: Options) -> "Answer":
        """One that goes on from what is stored."""
        thought = thought_of(last) if CLOSE in last.content else None
        return cls(conversation, last.id, mode, last.content, stored_stats(last), thought, options)

    @property
    def text(self) -> str:
        return self.before + "".join(self.parts)

    def add(self, deltas: list[Delta], opener: str) -> str:
        """The text that they bring. Before the first comes what the prompt has `opened` of the answer's reasoning."""
        for delta in deltas:
            self.tokens.extend(delta.tokens)
        self.stats = deltas[-1].stats
        return self._take("".join(delta.text for delta in deltas), opener)

    def end(self, finished: Finished, opener: str) -> str:
        """The text that had been held back. Half a character stays out where the answer can still go on."""
        self.stats = finished.stats
        came = len("".join(self.parts)) - (len(opener) if self._opened else 0)
        missing = finished.text[came:]
        if finished.reason is not FinishReason.STOP and not missing.strip(OPEN_CHARACTER):
            missing = ""
        return self._take(missing, opener) if missing else ""

    def whole(self, finished: Finished) -> Finished:
        return dataclasses.replace(finished, text=self.text, stats=self.total)

    @property
    def thought_s(self) -> float | None:
        """How long it was reasoning; None where not all of that was measured."""
        return self.thought_before_s if self.before else self._clock.seconds

    @property
    def total(self) -> Stats:
        return self.stats if self.stats_before is None else added(self.stats_before, self.stats)

    def _take(self, text: str, opener: str) -> str:
        if opener and not self._opened and not self.before and not any(self.parts):
            self._opened = True
            text = opener + text
        self.parts.append(text)
        self._clock.feed(text)
        return text


def figures_to_keep(answer: Answer, reason: FinishReason | None) -> dict[str, object]:
    return {
        **dataclasses.asdict(answer.total),
        REASON: None if reason is None else reason.value,
        SEED: answer.options.sampling.seed,
        LEFT_OUT: answer.left_out,
        THOUGHT: answer.thought_s,
    }


def seed_of(message: StoredMessage) -> int | None:
    """What the answer was sampled with; None if that was not kept."""
    return _whole(message, SEED)


def left_out_of(message: StoredMessage) -> int:
    """How many earlier messages the model did not read for this answer."""
    return _whole(message, LEFT_OUT) or 0


def thought_of(message: StoredMessage) -> float | None:
    """Seconds that the answer was reasoning for."""
    seconds = _figures(message).get(THOUGHT)
    return float(seconds) if isinstance(seconds, int | float) else None


def stored_stats(message: StoredMessage) -> Stats | None:
    values = _figures(message)
    known = {f.name for f in dataclasses.fields(Stats)}
    try:
        kept = {name: value for name, value in values.items() if name in known}
        return msgspec.convert(kept, Stats) if values else None
    except msgspec.ValidationError:  # another program wrote them
        return None


def ending(message: StoredMessage) -> str:
    """Why an answer is not complete: its state in the history, "length" or "context"; else ""."""
    if message.state != "complete":
        return message.state
    reason = _figures(message).get(REASON)
    return reason if reason in (FinishReason.LENGTH, FinishReason.CONTEXT) else ""


def added(first: Stats, then: Stats) -> Stats:
    """Figures of an answer that went on: passes and times add up, what describes the present is of the later part."""
    tokens, decode_s = first.tokens + then.tokens, first.decode_s + then.decode_s
    drafted, accepted = first.drafted + then.drafted, first.accepted + then.accepted
    passes = first.target_passes + then.target_passes
    speed, plain = _rate(tokens, decode_s), _plain_speed(first, then)
    return dataclasses.replace(
        then,
        prompt_tokens=first.prompt_tokens,
        tokens=tokens,
        target_passes=passes,
        drafted=drafted,
        accepted=accepted,
        acceptance_rate=_rate(accepted, drafted),
        tokens_per_pass=_rate(tokens, passes),
        accepted_by_position=_by_position(first, then),
        drafted_by_source=dict(Counter(first.drafted_by_source) + Counter(then.drafted_by_source)),
        ttft_s=first.ttft_s,
        decode_s=decode_s,
        tokens_per_second=speed,
        plain_tokens_per_second=plain,
        speedup=speed / plain if speed and plain else None,
    )


def _plain_speed(first: Stats, then: Stats) -> float | None:
    """By the time that each part would have taken without drafts; of the later part where only that was measured."""
    if not first.plain_tokens_per_second or not then.plain_tokens_per_second:
        return then.plain_tokens_per_second
    seconds = first.tokens / first.plain_tokens_per_second + then.tokens / then.plain_tokens_per_second
    return _rate(first.tokens + then.tokens, seconds)


def _by_position(first: Stats, then: Stats) -> tuple[tuple[int, int], ...]:
    pairs = zip_longest(first.accepted_by_position, then.accepted_by_position, fillvalue=(0, 0))
    return tuple((a[0] + b[0], a[1] + b[1]) for a, b in pairs)


def _rate(amount: float, of: float) -> float | None:
    return amount / of if of else None


def _whole(message: StoredMessage, name: str) -> int | None:
    value = _figures(message).get(name)
    return value if isinstance(value, int) and value >= 0 else None


def _figures(message: StoredMessage) -> dict[str, Any]:
    try:
        values = json.loads(message.stats_json or "{}")
    except ValueError:
        return {}
    return values if isinstance(values, dict) else {}
