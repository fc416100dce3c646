"""What one conversation in one mode came to, and the rows of the result file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypedDict

from engine.bench.contestants import Answer
from engine.bench.prompts import Prompt


class Row(TypedDict):
    """A line of the result file (design.md's contract, then what was added).

    All turns of the conversation together; ttft_s is their mean. `seconds` is decoding alone. `first_divergence`
    counts tokens of the answers from 0; None when equal, or when there is no plain answer to compare with.
    `divergence_margin` is how far apart the two best logits of Slipstream's target are there (engine.bench.margins).
    `busy_elsewhere` is the share of the machine's processor time that other programs took meanwhile. `context` is the
    length that the prompt was padded to, None as it is; `prompt_tokens` that of the longest turn, `kv_bytes` the size
    of the KV caches after it, both None for peers.
    """

    prompt_id: str
    category: str
    mode: str
    tokens: int
    seconds: float
    tokens_per_second: float | None
    tokens_per_pass: float | None
    acceptance_rate: float | None
    identical_to_plain: bool | None
    first_divergence: int | None
    repeat: int
    ttft_s: float | None
    peak_memory_bytes: int | None
    busy_elsewhere: float | None
    divergence_margin: float | None
    seed: int
    context: int | None
    prompt_tokens: int | None
    kv_bytes: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answers of `mode` to the turns of one prompt; `plain` is the mode to compare them with, if there is one."""

    prompt: Prompt
    mode: str
    plain: str | None
    repeat: int
    answers: tuple[Answer, ...]
    busy_elsewhere: float | None = None
    divergence_margin: float | None = None

    @property
    def token_ids(self) -> list[int]:
        return [token for answer in self.answers for token in answer.tokens]


def rows(outcomes: Sequence[Outcome]) -> list[Row]:
    """In the order of measurement."""
    found = references(outcomes)
    return [_row(outcome, found.get((outcome.prompt.id, outcome.plain))) for outcome in outcomes]


def references(outcomes: Sequence[Outcome]) -> dict[tuple[str, str | None], Outcome]:
    """By prompt and mode: the first answer of a prompt is the reference for all of its repeats."""
    found: dict[tuple[str, str | None], Outcome] = {}
    for outcome in outcomes:
        found.setdefault((outcome.prompt.id, outcome.mode), outcome)
    return found


def _row(outcome: Outcome, reference: Outcome | None) -> Row:
    tokens, answers = outcome.token_ids, outcome.answers
    divergence = None if reference is None else first_divergence(reference.token_ids, tokens)
    seconds = sum(answer.seconds for answer in answers)
    passes = _total([answer.passes for answer in answers])
    drafted = _total([answer.drafted for answer in answers])
    accepted = _total([answer.accepted for answer in answers])
    times = [answer.ttft_s for answer in answers if answer.ttft_s is not None]
    return Row(
        prompt_id=outcome.prompt.id,
        category=outcome.prompt.category,
        mode=outcome.mode,
        tokens=len(tokens),
        seconds=seconds,
        tokens_per_second=_ratio(len(tokens), seconds),
        tokens_per_pass=_ratio(len(tokens), passes),
        acceptance_rate=_ratio(accepted, drafted),
        identical_to_plain=None if reference is None else divergence is None,
        first_divergence=divergence,
        repeat=outcome.repeat,
        ttft_s=sum(times) / len(times) if times else None,
        peak_memory_bytes=_largest(answer.peak_memory_bytes for answer in answers),
        busy_elsewhere=outcome.busy_elsewhere,
        divergence_margin=outcome.divergence_margin,
        seed=outcome.prompt.seed,
        context=outcome.prompt.context,
        prompt_tokens=_largest(answer.prompt_tokens for answer in answers),
        kv_bytes=_largest(answer.kv_bytes for answer in answers),
    )


def first_divergence(reference: Sequence[int], tokens: Sequence[int]) -> int | None:
    """Index of the first token that differs, an answer's early end included; None when both are equal."""
    pairs = enumerate(zip_longest(reference, tokens))
    return next((index for index, (left, right) in pairs if left != right), None)


def _total(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None


def _largest(values: Iterable[int | None]) -> int | None:
    return max((value for value in values if value is not None), default=None)


def _ratio(part: float | None, whole: float | None) -> float | None:
    return part / whole if part is not None and whole else None
