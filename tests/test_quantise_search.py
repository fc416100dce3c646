"""The searched 4-bit quantiser against the min-max one, on weights as models have them: bell-shaped with outliers."""

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.graphs.compress import Compressed, quantise, quantise_searched


def heavy_tailed(seed: int, rows: int = 300) -> NDArray[np.float32]:
    return np.random.default_rng(seed).standard_t(4, (rows, 256)).astype(np.float32) * 0.02


def loss(weight: NDArray[np.float32], q: Compressed) -> NDArray[np.float64]:
    """The search's own measure, by group: squared error times |weight| + root mean square."""
    rows = weight.reshape(q.values.shape).astype(np.float64)
    back = (q.values.astype(np.float64) - q.zero) * q.scale
    importance = np.abs(rows) + np.sqrt((rows**2).mean(axis=2, keepdims=True))
    found: NDArray[np.float64] = (importance * (back - rows) ** 2).sum(axis=2)
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_group_gets_worse_and_all_together_better(seed: int) -> None:
    weight = heavy_tailed(seed)
    before, after = loss(weight, quantise(weight, 4, 128)), loss(weight, quantise_searched(weight, 4, 128))
    assert (after <= before * (1 + 1e-5)).all()
    assert after.sum() < 0.97 * before.sum()


def test_weights_on_a_grid_come_back_exactly() -> None:
    """GIVEN sixteen levels WHEN quantised THEN clipping would only lose, and none is."""
    levels = np.tile(np.arange(-8, 8), (4, 8)).astype(np.float32) * 0.25
    q = quantise_searched(levels, 4, 128)
    assert ((q.values.astype(np.float32) - q.zero) * q.scale).reshape(
        levels.shape
    ).tolist() == levels.tolist()


def test_a_scale_that_was_off_is_fitted() -> None:
    """One outlier sets min-max's range; the others get a finer grid when it is clipped."""
    weight = np.random.default_rng(5).standard_normal((1, 128)).astype(np.float32)
    weight[0, 7] = 8.0
    assert quantise_searched(weight, 4, 128).scale < quantise(weight, 4, 128).scale


@pytest.mark.parametrize("value", [0.0, 1.0, -3.0])
def test_constant_weights_survive(value: float) -> None:
    q = quantise_searched(np.full((2, 64), value, np.float32), 4, 32)
    np.testing.assert_allclose((q.values.astype(np.float64) - q.zero) * q.scale, value, rtol=2e-3)


def test_chunks_make_no_difference() -> None:
    weight = heavy_tailed(4)
    whole, half = quantise_searched(weight, 4, 128), quantise_searched(weight[150:], 4, 128)
    np.testing.assert_array_equal(whole.values[150:], half.values)
    np.testing.assert_array_equal(whole.scale[150:], half.scale)
