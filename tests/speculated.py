"""An answer as an engine that speculates gives it, made from a text: words are tokens, some guesses are wrong."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.events import Delta, Event, Finished, FinishReason, Started
from engine.metrics import Baseline, Meter

END = 0
PIECE = re.compile(r" ?\w{1,6}|\n|\s+?(?= )| +|[^\w\s]")
WRONG = (" a", " and", " the", "ing", ",", "\n", " quick", "s")
REASON = "k=4: one more token would cost 3.1 ms for 0.12 tokens"


@dataclass
class WordVocabulary:
    """Token 0 ends an answer; the others get their numbers as they are met."""

    words: list[bytes] = field(default_factory=lambda: [b"<|end|>"])
    silent_ids: frozenset[int] = frozenset({END})

    def token_bytes(self, token: int) -> bytes:
        return self.words[token]

    def encode(self, text: str) -> list[int]:
        return [self.number(piece.encode()) for piece in pieces(text)]

    def number(self, word: bytes) -> int:
        if word not in self.words:
            self.words.append(word)
        return self.words.index(word)


def pieces(text: str) -> list[str]:
    return PIECE.findall(text)


def passes(
    text: str, vocabulary: WordVocabulary, sources: tuple[str, ...] = ("draft", "ngram"), seed: int = 1
) -> Iterator[Delta]:
    """Passes of 25 ms (plain) or 40 ms; three of four guesses are right."""
    rng = random.Random(seed)
    tokens = [*vocabulary.encode(text), END]
    wrong = [vocabulary.number(word.encode()) for word in WRONG]
    baseline, at = Baseline(), 0
    meter = Meter(700, baseline, lambda: (48_000_000, 32_768))
    meter.ttft_s = 0.41
    while at < len(tokens):
        source = "plain" if at < 3 else rng.choice(sources)
        drafted = 0 if source == "plain" else min(rng.choice((3, 4, 5)), len(tokens) - at)
        right = next((n for n in range(drafted) if rng.random() > 0.8), drafted)
        came = tuple(tokens[at : at + right + 1])
        guesses = [*came[:right], *(rng.choice(wrong) for _ in range(drafted - right))]
        seconds = 0.025 if source == "plain" else rng.gauss(0.04, 0.003)
        if source == "plain":
            baseline.observe(seconds, 700 + at)
        meter.record(source, drafted, right, len(came), seconds)
        at += len(came)
        said = b"".join(vocabulary.token_bytes(token) for token in came if token != END)
        stats = meter.stats(drafted, REASON if drafted else "measuring plain decoding")
        yield Delta(said.decode(), came, tuple(guesses), right, source, seconds, stats)


def events(text: str, vocabulary: WordVocabulary, **how: object) -> list[Event]:
    deltas = list(passes(text, vocabulary, **how))  # type: ignore[arg-type]
    ids = tuple(token for delta in deltas for token in delta.tokens)
    said = "".join(delta.text for delta in deltas)
    end = Finished(FinishReason.STOP, said, ids, deltas[-1].stats)
    return [Started(700, 200, 0.41), *deltas, end]
