"""What a caller asks of the engine: messages, sampling settings, limits, and how to speculate."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from engine.errors import SlipstreamError


class Speculation(StrEnum):
    AUTO = "auto"  # the cascade, paced by what is measured
    OFF = "off"
    NGRAM = "ngram"
    DRAFT = "draft"
    DFLASH = "dflash"


class Overflow(StrEnum):
    """What the model reads of a conversation that is longer than its context."""

    STOP = "stop"  # nothing: the answer is refused
    DROP_OLDEST = "drop_oldest"  # the last turns
    KEEP_ENDS = "keep_ends"  # the first turns and the last


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """Applied in this order: penalties, temperature, top-k, top-p, min-p. Temperature 0 is greedy.

    Penalties look at prompt and answer (repetition) or the answer alone (presence, frequency), as the field does.
    """

    temperature: float = 0.0
    top_k: int = 0  # 0: off
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        checks = (
            (0.0 <= self.temperature <= 100.0, "temperature must lie between 0 and 100"),
            (self.top_k >= 0, "top-k must be 0 (off) or more"),
            (0.0 < self.top_p <= 1.0, "top-p must lie above 0 and at most at 1"),
            (0.0 <= self.min_p <= 1.0, "min-p must lie between 0 and 1"),
            (
                0.01 <= self.repetition_penalty <= 100.0,
                "the repetition penalty must lie between 0.01 and 100",
            ),
            (abs(self.presence_penalty) <= 100, "the presence penalty must lie between -100 and 100"),
            (abs(self.frequency_penalty) <= 100, "the frequency penalty must lie between -100 and 100"),
            (0 <= self.seed < 2**63, "the seed must be a whole number from 0 to 2^63 - 1"),
        )
        for fine, sentence in checks:
            if not fine:
                raise SlipstreamError(sentence + ".")


@dataclass(frozen=True, slots=True)
class Continuation:
    """The beginning of an answer that is to go on.

    With its own `tokens` the rest is what it would have been without the break. Where they are not known, or are
    another model's, the text is encoded anew, which may cut the last word into other tokens. A `text` with reasoning
    begins with "<think>", whoever opened it.
    """

    text: str
    tokens: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """One answer to be generated. `draft_tokens` fixes the draft length; None lets the pace choose it.

    With a `continuation` only what follows it is generated, counted by `max_tokens` and told in events.
    """

    messages: Sequence[Message]
    sampling: Sampling = Sampling()
    max_tokens: int = 512
    stop: tuple[str, ...] = ()
    speculation: Speculation = Speculation.AUTO
    draft_tokens: int | None = None
    overflow: Overflow = Overflow.STOP
    baseline: bool = True  # measure plain decoding inside the answer by short stretches without drafts
    continuation: Continuation | None = None
    stored_answers: bool = (
        True  # "auto" and "ngram" may draft from the model's store of answers, if it has one
    )

    def __post_init__(self) -> None:
        if self.max_tokens < 1:
            raise SlipstreamError("max tokens must be 1 or more.")
        if self.draft_tokens is not None and not 1 <= self.draft_tokens <= 31:
            raise SlipstreamError("draft tokens must lie between 1 and 31.")
        if not self.messages:
            raise SlipstreamError("There is no message to answer.")
