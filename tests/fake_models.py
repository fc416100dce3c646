"""A language model of 64 tokens as a table, drafters of every temper, and plain decoding written out by hand."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.errors import SlipstreamError
from engine.events import FinishReason
from engine.sampling import Rule
from engine.target import common_prefix

VOCABULARY = 64
EOS = 63
# Letters, pieces of longer words, and bytes that make a character only together.
SPELLINGS = [
    *(bytes([byte]) for byte in b"abcdefghijklmnopqrstuvwxyz .,\n"),
    *(piece.encode() for piece in ("the", " and", "ab", "ba", "abc", "é", "end", " of", "in", "st", "op")),
    *(bytes([byte]) for byte in "漢é😀".encode()),
]
SPELLINGS += [bytes([65 + i]) for i in range(EOS - len(SPELLINGS))]


class FakeVocabulary:
    silent_ids = frozenset({EOS})

    def token_bytes(self, token: int) -> bytes:
        return SPELLINGS[token]


class FakeTarget:
    """Logits depend on the last two tokens and on the position's parity; `fails_after` forwards it breaks down."""

    def __init__(self, seed: int = 0, eos_bias: float = -4.0, context_limit: int = 10_000) -> None:
        rng = np.random.default_rng(seed)
        self.table = (2.5 * rng.standard_normal((2, VOCABULARY, VOCABULARY, VOCABULARY))).astype(np.float32)
        self.table[..., EOS] += np.float32(eos_bias)
        self.seed, self.context_limit, self.least_rows = seed, context_limit, 3
        self.tokens: list[int] = []
        self.forwards = self.rows = 0
        self.fails_after: int | None = None

    def logits(self, tokens: Sequence[int]) -> NDArray[np.float32]:
        before = tokens[-2] if len(tokens) > 1 else 0
        return self.table[len(tokens) % 2, before, tokens[-1]]

    def forward(self, tokens: Sequence[int], logits_for: Sequence[int] | None = None) -> NDArray[np.float32]:
        self.forwards += 1
        self.rows += len(tokens)
        if self.fails_after is not None and self.forwards > self.fails_after:
            raise SlipstreamError("The model could not go on: out of order.")
        rows = []
        for token in tokens:
            assert 0 <= token < VOCABULARY
            self.tokens.append(token)
            rows.append(self.logits(self.tokens))
        return np.stack(rows if logits_for is None else [rows[i] for i in logits_for])

    def rollback(self, length: int) -> None:
        del self.tokens[length:]

    def prefill(self, prompt: Sequence[int], cancel: threading.Event | None = None) -> Iterator[int]:
        self.rollback(common_prefix(self.tokens, prompt[:-1]))
        yield len(self.tokens)
        while len(self.tokens) < len(prompt) - 1 and not (cancel and cancel.is_set()):
            self.forward(prompt[len(self.tokens) : min(len(self.tokens) + 4, len(prompt) - 1)])
            yield len(self.tokens)


@dataclass
class Drafter:
    """Says nothing; the others say more. `asked` are the draft lengths it was asked for."""

    rule: Rule
    target: FakeTarget
    source: str = "draft"
    was_current: bool = True
    asked: list[int] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)

    def reset(self, tokens: Sequence[int]) -> None:
        self.tokens = list(tokens)

    def observe(self, tokens: Sequence[int]) -> None:
        self.tokens.extend(tokens)

    def read(self) -> None:
        """It has no cache to fill."""

    def propose(self, k: int, worth: object = None) -> list[int]:
        self.asked.append(k)
        return self.guess(k)

    def hindsight(self) -> tuple[int, int]:
        return 0, 0

    def guess(self, k: int) -> list[int]:
        return []

    def true_tokens(self, k: int) -> list[int]:
        """What the rule gives (with penalties: if all that came before were prompt)."""
        known = list(self.tokens)
        for _ in range(k):
            known.append(self.rule.token(self.target.logits(known), len(known), self.rule.history(known)))
        return known[len(self.tokens) :]


class Perfect(Drafter):
    def guess(self, k: int) -> list[int]:
        return self.true_tokens(k)


class Adversarial(Drafter):
    """Wrong in every first token."""

    def guess(self, k: int) -> list[int]:
        return [(token + 1) % VOCABULARY for token in self.true_tokens(k)]


class Random(Drafter):
    """Right half of the time, and of any length up to k."""

    def guess(self, k: int) -> list[int]:
        rng = np.random.default_rng(len(self.tokens))
        kept = self.true_tokens(int(rng.integers(0, k + 1)))
        return [t if rng.random() < 0.5 else int(rng.integers(VOCABULARY)) for t in kept]


DRAFTERS = {"empty": Drafter, "perfect": Perfect, "adversarial": Adversarial, "random": Random}


@dataclass(frozen=True)
class Expected:
    text: str
    tokens: tuple[int, ...]
    reason: FinishReason


def plain_answer(
    target: FakeTarget,
    rule: Rule,
    prompt: Sequence[int],
    *,
    max_tokens: int,
    stops: Sequence[str] = (),
    context_limit: int = 10_000,
) -> Expected:
    """Decoding token by token, and looking for stop strings in the whole text after each."""
    known, history = list(prompt), rule.history(prompt)
    while True:
        token = rule.token(target.logits(known), len(known), history)
        known.append(token)
        if history is not None:
            history.push(token)
        answer = tuple(known[len(prompt) :])
        end = first_stop(whole_characters(answer), stops)
        if end is not None:
            kept = next(n for n in range(len(answer) + 1) if len(whole_characters(answer[:n])) >= end)
            return Expected(whole_characters(answer)[:end], answer[:kept], FinishReason.STOP)
        reason = _reason(token, len(answer), max_tokens, len(known), context_limit)
        if reason is not None:
            return Expected(spelled(answer).decode(errors="replace"), answer, reason)


def _reason(token: int, answered: int, most: int, known: int, context: int) -> FinishReason | None:
    if token == EOS:
        return FinishReason.STOP
    if answered >= most:
        return FinishReason.LENGTH
    return FinishReason.CONTEXT if known >= context else None


def spelled(tokens: Sequence[int]) -> bytes:
    return b"".join(SPELLINGS[t] for t in tokens if t != EOS)


def whole_characters(tokens: Sequence[int]) -> str:
    """The text without a character that is still incomplete at its end."""
    data = spelled(tokens)
    for cut in range(4):
        tail = data[len(data) - cut :]
        if cut and _may_continue(tail):
            return data[: len(data) - cut].decode(errors="replace")
    return data.decode(errors="replace")


def _may_continue(tail: bytes) -> bool:
    try:
        tail.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data" and error.start == 0
    return False


def first_stop(text: str, stops: Sequence[str]) -> int | None:
    """Where the answer ends: before the stop string that is complete first (the longest of these)."""
    for end in range(len(text) + 1):
        if found := [len(stop) for stop in stops if stop and text[:end].endswith(stop)]:
            return end - max(found)
    return None
