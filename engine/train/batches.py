"""Answers and their features as arrays for a training step: which blocks, and what each of their rows should say."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.train.answers import Answer
from engine.train.features import FeatureStore

LIKE = 8  # batches whose answers are sorted by length together
OUTSIDE = -1  # a token that is not in the draft vocabulary

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Batch:
    """N answers, T tokens of context at most, A anchors, B rows a block, k soft labels.

    `tokens` are what the target said (its ids), `labels` the same in draft ids or OUTSIDE; `valid` is false behind the
    answer's end.
    """

    features: Floats  # [N, T, taps * hidden]
    text: Ints  # [N, T], the tokens that they are of
    anchors: Ints  # [N, A] positions
    anchor_ids: Ints  # [N, A]
    tokens: Ints  # [N, A, B]
    labels: Ints  # [N, A, B]
    valid: NDArray[np.bool_]  # [N, A, B]
    soft_labels: Ints  # [N, A, B, k] draft ids or OUTSIDE
    soft_weights: Floats  # [N, A, B, k] probabilities

    @property
    def previous(self) -> Ints:
        """The token before each row's, [N, A, B]."""
        return np.concatenate([self.anchor_ids[..., None], self.tokens[..., :-1]], axis=-1)


class Batcher:
    """Draws batches; the same (seed, step) gives the same batch, so that a stopped training goes on as if not."""

    def __init__(
        self, answers: Sequence[Answer], store: FeatureStore, draft_ids: Ints, vocab: int, block: int
    ) -> None:
        self._answers = [answer for answer in answers if answer.key in store and len(answer.tokens) > 1]
        self._store, self._block = store, block
        self._draft_of = np.full(vocab, OUTSIDE, dtype=np.int64)
        self._draft_of[draft_ids] = np.arange(len(draft_ids))

    def __len__(self) -> int:
        return len(self._answers)

    def draw(self, size: int, anchors: int, seed: int, step: int) -> Batch:
        """`size` answers, each answer once an epoch; `anchors` blocks of each, at random places.

        A step's blocks have 2 rows or more, up to the longest: late rows are rarely reached, and cost as much.
        """
        rng = np.random.default_rng([seed, step])
        chosen = [self._answers[index] for index in self._order(size, seed, step)]
        rows = int(rng.integers(min(2, self._block), self._block + 1))
        return self.batch(chosen, [self._places(answer, anchors, rng) for answer in chosen], rows)

    def _order(self, size: int, seed: int, step: int) -> Iterator[int]:
        count = len(self._answers)
        for number in range(step * size, (step + 1) * size):
            epoch, place = divmod(number, count)
            yield int(self._epoch(size, seed, epoch)[place])

    @lru_cache(maxsize=2)  # noqa: B019 - a batch may reach from one epoch into the next; there is one batcher
    def _epoch(self, size: int, seed: int, epoch: int) -> Ints:
        """All answers in random order, but those of a batch are about as long as each other: less is padding."""
        rng = np.random.default_rng([seed, epoch, len(self._answers)])
        order = rng.permutation(len(self._answers))
        lengths = np.array([len(answer.prompt) + len(answer.tokens) for answer in self._answers])
        batches: list[Ints] = []
        for begin in range(0, len(order), size * LIKE):
            part = order[begin : begin + size * LIKE]
            part = part[np.argsort(lengths[part], kind="stable")]
            batches += [part[at : at + size] for at in range(0, len(part), size)]
        whole = [index for index in rng.permutation(len(batches)) if len(batches[index]) == size]
        rest = [part for part in batches if len(part) < size]
        return np.concatenate([*(batches[index] for index in whole), *rest])

    def _places(self, answer: Answer, anchors: int, rng: np.random.Generator) -> Ints:
        first, count = len(answer.prompt) - 1, len(answer.tokens)
        return first + np.sort(rng.choice(count, anchors, replace=count < anchors))

    def batch(self, answers: Sequence[Answer], anchors: Sequence[Ints], rows: int) -> Batch:
        """Blocks of so many rows at the given anchors, the same number for each answer."""
        features = [self._store.read(answer.key) for answer in answers]
        longest = max(len(part) for part in features)
        padded = np.zeros((len(answers), longest, features[0].shape[1]), dtype=np.float32)
        text = np.zeros((len(answers), longest), dtype=np.int64)
        for number, (answer, part) in enumerate(zip(answers, features, strict=True)):
            padded[number, : len(part)] = part
            text[number, : len(part)] = np.concatenate([answer.prompt, answer.tokens])[: len(part)]
        parts = [self._rows(answer, places, rows) for answer, places in zip(answers, anchors, strict=True)]
        ids, tokens, valid, soft, weights = (np.stack(each) for each in zip(*parts, strict=True))
        return Batch(
            features=padded,
            text=text,
            anchors=np.stack(anchors),
            anchor_ids=ids,
            tokens=tokens,
            labels=self._draft_of[tokens],
            valid=valid,
            soft_labels=self._draft_of[soft],
            soft_weights=weights,
        )

    def _rows(self, answer: Answer, places: Ints, rows: int) -> tuple[NDArray[np.generic], ...]:
        begin = len(answer.prompt)
        text = np.concatenate([answer.prompt, answer.tokens]).astype(np.int64)
        at = places[:, None] + 1 + np.arange(rows)
        valid = at < len(text)
        at = np.minimum(at, len(text) - 1)
        weights = np.exp(answer.top_logp.astype(np.float32))
        return text[places], text[at], valid, answer.top_ids[at - begin].astype(np.int64), weights[at - begin]
