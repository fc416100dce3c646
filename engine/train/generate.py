"""Answers of the target itself, many at once: a sequence that ends is replaced at once, prompts are filled in between.

Each token is the engine's own rule (engine/sampling.py) on logits of the same graph. The attention of several sequences
in one step sums in another order than that of one sequence, so rows differ by about 1e-6 before dynamic quantisation
widens that to what one row and two differ by: near ties fall the other way now and then. For training that is no loss;
an answer is not promised to be the engine's token for token.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.request import Sampling
from engine.sampling import Rule
from engine.train.answers import Answer, AnswerWriter
from engine.train.batch import BatchModel, Piece, Rows
from engine.train.feature_cache import FeatureCache
from engine.train.features import FeatureWriter
from engine.train.jobs import Job

Floats = NDArray[np.float32]


@dataclass(slots=True)
class Sequence:
    """An answer in the making; the first `cached` of `tokens` have their keys and values in `blocks`."""

    job: Job
    tokens: list[int]
    rule: Rule
    prompt_length: int = field(init=False)
    cached: int = 0
    blocks: list[int] = field(default_factory=list)
    top_ids: list[np.ndarray] = field(default_factory=list)
    top_logp: list[np.ndarray] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.prompt_length = len(self.tokens)

    @property
    def answered(self) -> int:
        return len(self.tokens) - self.prompt_length

    def answer(self, ended: bool) -> Answer:
        return Answer(
            self.job.key,
            self.job.temperature,
            self.job.seed,
            ended,
            np.array(self.tokens[: self.prompt_length], dtype=np.int32),
            np.array(self.tokens[self.prompt_length :], dtype=np.int32),
            np.stack(self.top_ids),
            np.stack(self.top_logp),
        )


@dataclass(frozen=True, slots=True)
class Limits:
    """Tokens an answer, sequences and rows of a prompt a step."""

    answer: int = 256
    sequences: int = 64
    prompt: int = 512
    chunk: int = 64


class BatchGenerator:
    """Turns jobs into answers; `encode` gives a job's prompt as tokens.

    `features` are those of the answer that `run` gave last, if the model has tapped layers: [tokens, taps * hidden] of
    prompt and answer but the answer's last token.
    """

    def __init__(
        self, model: BatchModel, encode: Callable[[Job], list[int]], ends: frozenset[int], limits: Limits
    ) -> None:
        self._model, self._encode, self._ends, self._limits = model, encode, ends, limits
        self._pool = model.pool
        self._decoding: list[Sequence] = []
        self._filling: deque[Sequence] = deque()
        self._cache = FeatureCache(self._pool.blocks, self._pool.size, model.width) if model.width else None
        self.features: Floats | None = None
        self.rows = 0  # that went through the model
        self.tokens = 0  # of answers, unfinished ones included

    def run(self, jobs: Iterable[Job]) -> Generator[Answer, None, None]:
        """Answers as they get ready. Prompts above the limit are left out. Closing it frees the blocks."""
        queue = iter(jobs)
        try:
            while self._admit(queue):
                yield from self._step()
        finally:
            for sequence in (*self._decoding, *self._filling):
                self._pool.release(sequence.blocks)
            self._decoding, self._filling = [], deque()

    def _admit(self, queue: Iterator[Job]) -> bool:
        """Fill up to the limit; False when nothing is left to do."""
        while len(self._decoding) + len(self._filling) < self._limits.sequences:
            job = next(queue, None)
            if job is None:
                break
            prompt = self._encode(job)
            if 0 < len(prompt) <= self._limits.prompt:
                rule = Rule(Sampling(temperature=job.temperature, seed=job.seed))
                self._filling.append(Sequence(job, prompt, rule))
        return bool(self._decoding or self._filling)

    def _step(self) -> Iterator[Answer]:
        """A row of every decoding sequence and a piece of the first prompt that waits.

        One prompt at a time, so that the next answer to the same prompt finds its blocks.
        """
        active = list(self._decoding)
        pieces = [self._piece(sequence, 1) for sequence in active]
        if self._filling:
            first = self._filling[0]
            if not first.blocks:
                first.blocks = self._pool.share(first.tokens)
                first.cached = len(first.blocks) * self._pool.size
            active.append(first)
            pieces.append(self._piece(first, self._limits.chunk))
        rows = self._model.step(pieces)
        if self._cache is not None and rows.features is not None:
            self._cache.keep(pieces, rows.features)
        self.rows += sum(len(piece.tokens) for piece in pieces)
        yield from self._commit(active, pieces, rows)

    def _piece(self, sequence: Sequence, most: int) -> Piece:
        tokens = sequence.tokens[sequence.cached : sequence.cached + most]
        end = sequence.cached + len(tokens)
        while len(sequence.blocks) < self._pool.blocks_for(end):
            sequence.blocks.append(self._pool.take())
        return Piece(tokens, sequence.cached, sequence.blocks, wants_logits=end == len(sequence.tokens))

    def _commit(self, active: list[Sequence], pieces: list[Piece], rows: Rows) -> Iterator[Answer]:
        wanted = (sequence for sequence, piece in zip(active, pieces, strict=True) if piece.wants_logits)
        for sequence, piece in zip(active, pieces, strict=True):
            sequence.cached += len(piece.tokens)
        finished = [(each, self._ended(each)) for i, each in enumerate(wanted) if self._add(each, rows, i)]
        for sequence, ended in finished:
            self._decoding.remove(sequence)
            if self._cache is not None:
                self.features = self._cache.read(sequence.blocks, sequence.cached)
            self._pool.release(sequence.blocks)
            yield sequence.answer(ended)

    def _add(self, sequence: Sequence, rows: Rows, index: int) -> bool:
        """The next token of a sequence; whether its answer is complete."""
        if not sequence.answered:
            self._pool.learn(sequence.tokens, sequence.blocks)
            self._filling.remove(sequence)
            self._decoding.append(sequence)
        token = sequence.rule.token(rows.logits[index], len(sequence.tokens))
        sequence.tokens.append(token)
        self.tokens += 1
        sequence.top_ids.append(rows.top_ids[index].copy())
        sequence.top_logp.append(rows.top_logp[index].astype(np.float16))
        return self._ended(sequence) or sequence.answered == self._limits.answer

    def _ended(self, sequence: Sequence) -> bool:
        return sequence.tokens[-1] in self._ends


@dataclass(frozen=True, slots=True)
class Tally:
    """How far a run is. `tokens` are of its finished answers, `made` of the others as well.

    `left` jobs are still to do, and so many of the tokens that were wished for are missing, if a number was.
    """

    answers: int
    tokens: int
    made: int
    rows: int
    seconds: float
    left: int
    tokens_left: int | None = None

    @property
    def rate(self) -> float:
        """Tokens a second."""
        return self.made / max(self.seconds, 1e-9)

    @property
    def seconds_left(self) -> float:
        by_answers = self.left * self.seconds / max(self.answers, 1)
        if self.tokens_left is None:
            return by_answers
        return min(by_answers, self.tokens_left / max(self.rate, 1e-9))


def generate(
    generator: BatchGenerator,
    jobs: Iterable[Job],
    writer: AnswerWriter,
    *,
    report: Callable[[Tally], None],
    cancel: threading.Event,
    wanted: int | None = None,
    features: FeatureWriter | None = None,
) -> Tally:
    """Write the answers to all jobs that `writer` does not have yet, until `cancel` is set.

    `wanted`: enough tokens, those of earlier runs included. `features` gets those of the model's tapped layers.
    """
    missing = [job for job in jobs if job.key not in writer.keys]
    start = time.perf_counter()
    answers = tokens = 0

    def tally() -> Tally:
        return Tally(
            answers,
            tokens,
            generator.tokens,
            generator.rows,
            time.perf_counter() - start,
            len(missing) - answers,
            None if wanted is None else max(wanted - writer.tokens, 0),
        )

    running = generator.run(missing)
    while not cancel.is_set() and tally().tokens_left != 0 and (answer := next(running, None)):
        writer.append(answer)
        if features is not None and generator.features is not None:
            features.add(answer.key, generator.features)
        answers, tokens = answers + 1, tokens + len(answer.tokens)
        report(tally())
    running.close()
    return tally()
