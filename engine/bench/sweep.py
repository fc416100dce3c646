"""The best of a peer's settings by a small search: one axis after the other, the settings of an axis in turn.

A whole grid would take hours; along the axes it is about ten short measurements. The load settings come first, and of
those only the best stays loaded.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.bench.contestants import Answer, Contestant
from engine.errors import SlipstreamError
from engine.request import Message

Settings = dict[str, Any]
Axis = Sequence[Settings]

ROUNDS = 2  # the faster one counts
TOKENS = 32  # an answer
LONGEST_S = 120.0  # a mode; the axes after that keep their first setting
GENAI_COMPILE: Axis = ({"compile": "default"}, {"compile": "slipstream"})
DRAFT_TOKENS: Axis = tuple({"draft_tokens": k} for k in (3, 2, 5, 8))
DRAFT_MODEL: Axis = (
    *({"draft_tokens": k, "confidence": 0.0} for k in (3, 2, 5)),
    {"draft_tokens": 0, "confidence": 0.4},  # openvino-genai stops drafting below this probability
)


def axes(peer: str, mode: str, threads: Sequence[int]) -> list[Axis]:
    """What can be set, the library's own default first where it has one."""
    lookup: list[Axis] = [DRAFT_TOKENS]
    if peer == "llama-cpp":
        load: list[Axis] = [
            tuple({"flash_attention": on} for on in (False, True)),
            tuple({"threads": count} for count in threads),
        ]
        lookup.append(tuple({"ngram": size} for size in (2, 3, 4)))
    else:
        load = [GENAI_COMPILE]
        lookup.append(tuple({"ngram": size} for size in (3, 2, 4)))
    return load + {"lookup": lookup, "draft": [DRAFT_MODEL]}.get(mode, [])


@dataclass(slots=True)
class Sweep:
    """`tried` holds what was measured with its tokens per second, in order; None for what the peer refused.

    `open_` makes a contestant of settings, `keep` is told after each axis which settings go on. `cut_short` once time
    ran out before everything had been tried.
    """

    open_: Callable[[Settings], Contestant]
    keep: Callable[[Settings], None]
    prompts: Sequence[Sequence[Message]]
    clock: Callable[[], float] = time.monotonic
    tried: list[Settings] = field(default_factory=list)
    cut_short: bool = False
    _end: float = field(init=False)

    def best(self, axes: Sequence[Axis]) -> Settings:
        """Errors: SlipstreamError when no setting works."""
        best = {name: value for axis in axes for name, value in axis[0].items()}
        self._end = self.clock() + LONGEST_S
        for axis in axes:
            if len(axis) < 2:
                continue
            if self._late():
                break
            best = self._race([best | choice for choice in axis])
            self.keep(best)
        return best

    def _late(self) -> bool:
        self.cut_short = self.cut_short or self.clock() > self._end
        return self.cut_short

    def _race(self, candidates: Sequence[Settings]) -> Settings:
        """All of them in turn, as often as there are rounds and time; the first round always sees the first."""
        speeds: dict[int, float | None] = {}
        failure = SlipstreamError("Nothing was tried.")
        for index in list(range(len(candidates))) * ROUNDS:
            known = speeds.get(index, 0.0)
            if known is None or (speeds and self._late()):
                continue
            try:
                speeds[index] = max(known, self._speed(candidates[index]))
            except SlipstreamError as error:
                speeds[index], failure = None, error
        self.tried += [{**candidates[index], "tokens_per_second": speed} for index, speed in speeds.items()]
        working = {index: speed for index, speed in speeds.items() if speed is not None}
        if not working:
            raise failure
        return candidates[max(working, key=working.__getitem__)]

    def _speed(self, settings: Settings) -> float:
        contestant = self.open_(settings)
        answers: list[Answer] = [contestant.answer(messages, TOKENS) for messages in self.prompts]
        seconds = sum(answer.seconds for answer in answers)
        return sum(len(answer.tokens) for answer in answers) / seconds if seconds else 0.0


def described(settings: Settings) -> str:
    """compile slipstream, draft tokens 5: for people."""
    words = {True: "on", False: "off"}
    return ", ".join(
        f"{name.replace('_', ' ')} {words[value] if isinstance(value, bool) else value}"
        for name, value in settings.items()
        if not (name == "confidence" and not value) and not (name == "draft_tokens" and not value)
    )
