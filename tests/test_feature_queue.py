"""The queue of hidden states against lists that hold every row."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.drafters.feature_queue import FeatureQueue

WIDTH, LIMIT = 3, 400
GROW = st.tuples(st.just("append"), st.integers(0, 90))
KEEP = st.tuples(st.just("keep"), st.floats(0.0, 1.3))
NEAR = st.tuples(st.just("near"), st.integers(-2, 2))
READ = st.tuples(st.just("read"), st.floats(0.0, 1.0))


class Lists:
    """What every row was; `before` is the row behind those that wait, None where it is not known."""

    def __init__(self) -> None:
        self.features: list[list[float]] = []
        self.tokens: list[int] = []
        self.written = 0
        self.before: list[float] | None = None

    def append(self, features: np.ndarray, tokens: list[int]) -> None:
        self.features += features.tolist()
        self.tokens += tokens

    def keep(self, rows: int) -> None:
        if rows < self.written:
            self.before = None
        del self.features[rows:], self.tokens[rows:]
        self.written = min(self.written, rows)

    def read(self, count: int) -> None:
        self.written += count
        if count:
            self.before = self.features[self.written - 1]

    def behind(self) -> list[list[float]]:
        return [self.before or [0.0] * WIDTH, *self.features[self.written :]]


@given(st.lists(st.one_of(GROW, GROW, KEEP, NEAR, READ), max_size=25))
@settings(deadline=None, max_examples=150, derandomize=True)
def test_it_holds_what_lists_hold(steps: list[tuple[str, float]]) -> None:
    """Rows come, are read and are forgotten in any order; shares are of what is there."""
    queue, lists, rng = FeatureQueue(WIDTH, LIMIT), Lists(), np.random.default_rng(1)
    for name, amount in steps:
        if name == "append":
            features, tokens = rows(rng, int(amount))
            queue.append(features, tokens)
            lists.append(features, tokens)
        elif name in ("keep", "near"):  # a share of all, or about as many as were read
            kept = int(amount * queue.rows) if name == "keep" else max(queue.written + int(amount), 0)
            queue.keep(kept)
            lists.keep(kept)
        else:
            count = int(amount * queue.waiting)
            queue.read(count)
            lists.read(count)
        assert_same(queue, lists)


def rows(rng: np.random.Generator, count: int) -> tuple[np.ndarray, list[int]]:
    return rng.standard_normal((count, WIDTH)).astype(np.float32), rng.integers(1, 1000, count).tolist()


def assert_same(queue: FeatureQueue, lists: Lists) -> None:
    behind = np.array(lists.behind(), dtype=np.float32)
    assert (queue.rows, queue.written) == (len(lists.features), lists.written)
    assert queue.waiting == len(behind) - 1
    np.testing.assert_array_equal(queue.behind, behind)
    np.testing.assert_array_equal(queue.features, behind[1:])
    assert queue.tokens.tolist() == lists.tokens[lists.written :]


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 60), st.integers(0, 60))
def test_what_fits_leaves_no_gap_and_ends_within_the_limit(
    read: int, waiting: int, past: int, count: int
) -> None:
    queue, rng = FeatureQueue(WIDTH, 70), np.random.default_rng(1)
    queue.append(*rows(rng, read + waiting))
    queue.read(read)
    without_gap = past in range(read + waiting + 1)
    assert queue.fits(past, count) == (without_gap and len(range(past + count)) <= 70)


def test_features_come_without_tokens_too() -> None:
    """A block drafter reads none."""
    queue = FeatureQueue(WIDTH, LIMIT)
    features, _ = rows(np.random.default_rng(1), 100)
    queue.append(features, ())
    np.testing.assert_array_equal(queue.features, features)


def test_what_comes_is_copied() -> None:
    """The target's next pass writes over its features."""
    queue, features = FeatureQueue(WIDTH, LIMIT), np.ones((2, WIDTH), dtype=np.float32)
    queue.append(features, [1, 2])
    features[:] = 5.0
    assert float(queue.features.max()) == 1.0
