"""What a generation tells its listener. One `Delta` per verified block, not per token."""

from dataclasses import dataclass
from enum import StrEnum

from engine.metrics import Stats


class FinishReason(StrEnum):
    STOP = "stop"  # end-of-sequence token or a stop string
    LENGTH = "length"  # max_tokens reached
    CONTEXT = "context"  # the model's context is full
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Progress:
    """Bytes (or other units) done of total while something is loaded, fetched or converted."""

    stage: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Reading:
    """So many of the prompt's tokens are in the KV cache. Told after each chunk of a long prompt but the last."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Started:
    """The prompt is in the KV cache. `reused_tokens` of `prompt_tokens` were there from earlier turns.

    `left_out`: indices of the request's messages that the model did not read (Overflow).
    """

    prompt_tokens: int
    reused_tokens: int
    ttft_s: float
    left_out: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Delta:
    """One pass of the target: `accepted` drafted tokens, then one token of the target's own.

    `text` may lag behind `tokens` (incomplete UTF-8, a possible stop string) and never has to be taken back.
    The own token is a correction if accepted < len(drafted), a bonus if all were accepted, plain if none was drafted.
    """

    text: str
    tokens: tuple[int, ...]
    drafted: tuple[int, ...]
    accepted: int
    source: str  # "plain", "ngram", "store", "draft", "dflash"
    seconds: float  # wall time of the pass, drafting included
    stats: Stats  # of the answer up to here


@dataclass(frozen=True, slots=True)
class Finished:
    reason: FinishReason
    text: str
    token_ids: tuple[int, ...]
    stats: Stats


@dataclass(frozen=True, slots=True)
class Failed:
    """Ends a generation that could not go on; the text so far is kept by the listener."""

    message: str


Event = Reading | Started | Delta | Finished | Failed
