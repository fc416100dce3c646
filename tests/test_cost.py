"""Costs on simulated machines: the truth is a function of rows and context, its passes are noisy, nothing is timed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cost import CHANGE_SHARE, KNOTS, BlockCost, CostCurve, PassTimes, StepCost, far_context

BIG = PassTimes((2, 3, 5, 9, 17), (0.034, 0.035, 0.040, 0.050, 0.080), (3e-6, 3.2e-6, 3.6e-6, 4.4e-6, 6e-6))
ROWS = range(1, 17)


def noisy(seconds: float, rng: np.random.Generator, noise: float) -> float:
    """Other programs only ever make a pass longer, and now and then by a tenth of a second."""
    hiccup = 0.1 if rng.random() < noise / 2 else 0.0
    return seconds * (1.0 + abs(rng.normal(0.0, noise))) + hiccup


def run(
    curve: CostCurve, truth: CostCurve, factor: float, passes: int, *, seed: int = 1, noise: float = 0.05
) -> None:
    """The curve sees passes of a machine that is `factor` times as slow as `truth`."""
    rng = np.random.default_rng(seed)
    for _ in range(passes):
        rows = int(rng.integers(1, 17))
        curve.observe(rows, noisy(factor * truth.seconds(rows), rng, noise))


def test_cost_is_linear_between_the_knots_and_beyond() -> None:
    curve = CostCurve((2, 4, 8), (1.0, 2.0, 6.0), (0.0, 0.1, 0.3))
    assert [curve.seconds(rows) for rows in (1, 2, 3, 4, 6, 8, 10)] == [1.0, 1.0, 1.5, 2.0, 4.0, 6.0, 8.0]
    curve.context = 10
    assert [curve.seconds(rows) for rows in (1, 4, 6, 8)] == pytest.approx([1.0, 3.0, 6.0, 9.0])


def test_context_makes_passes_and_rows_dearer() -> None:
    """GIVEN a model whose rows each read the whole cache THEN a row's price grows with the context."""
    curve = CostCurve.of(BIG)
    short = curve.seconds(9) - curve.seconds(5)
    curve.context = 16_384
    assert curve.seconds(2) == pytest.approx(0.034 + 16_384 * 3e-6)
    assert curve.seconds(9) - curve.seconds(5) == pytest.approx(short + 16_384 * 0.8e-6)


@given(
    seconds=st.lists(st.floats(1e-4, 1.0), min_size=len(KNOTS), max_size=len(KNOTS)),
    per_token=st.lists(st.floats(-1e-5, 1e-5), min_size=len(KNOTS), max_size=len(KNOTS)),
    context=st.integers(0, 100_000),
)
def test_more_rows_never_cost_less_whatever_the_noise_at_load(seconds, per_token, context) -> None:
    curve = CostCurve(KNOTS, seconds, per_token)
    empty = [curve.seconds(rows) for rows in ROWS]
    curve.context = context
    costs = [curve.seconds(rows) for rows in ROWS]
    assert costs == sorted(costs)
    assert all(full >= bare > 0.0 for full, bare in zip(costs, empty, strict=True))


@given(position=st.integers(0, 30), outlier=st.floats(0.0, 1e3), second=st.floats(0.0, 1e3))
def test_two_stray_passes_move_nothing(position: int, outlier: float, second: float) -> None:
    curve = CostCurve.of(BIG)
    for each in range(31):
        curve.observe(2, 0.034)
        if each == position:
            curve.observe(2, outlier)
            curve.observe(9, second)
        assert curve.seconds(9) == pytest.approx(0.050)


@pytest.mark.parametrize("factor", [0.5, 1.5, 2.0, 4.0])
@pytest.mark.parametrize("seed", range(5))
def test_lasting_change_is_followed_within_ten_passes(factor: float, seed: int) -> None:
    curve, truth = CostCurve.of(BIG), CostCurve.of(BIG)
    run(curve, truth, 1.0, 50, seed=seed)
    run(curve, truth, factor, 10, seed=seed)
    for rows in (2, 5, 16):
        assert curve.seconds(rows) == pytest.approx(factor * truth.seconds(rows), rel=0.12)
    run(curve, truth, 1.0, 10, seed=seed)
    assert curve.seconds(2) == pytest.approx(truth.seconds(2), rel=0.12)


@pytest.mark.parametrize("context", [128, 1_024, 4_096, 16_384])
def test_cache_that_is_slower_than_was_extrapolated_is_corrected(context: int) -> None:
    """GIVEN that beyond 4,096 tokens a token costs twice as much as at load WHEN passes are seen THEN costs and the
    price of rows come near the truth.
    """
    curve = CostCurve.of(BIG)
    far = 1.0 if context <= 4_096 else 1.0 + (context - 4_096) / context
    truth = CostCurve(BIG.rows, BIG.seconds, [far * each for each in BIG.per_token])
    curve.context = truth.context = context
    run(curve, truth, 1.0, 30, noise=0.02)
    for rows in (2, 5, 16):
        assert curve.seconds(rows) == pytest.approx(truth.seconds(rows), rel=0.1)
    price = truth.seconds(9) - truth.seconds(2)
    assert curve.seconds(9) - curve.seconds(2) == pytest.approx(price, rel=0.25)


def test_step_of_a_draft_model_grows_with_the_context_and_drifts() -> None:
    step = StepCost(0.010, 1e-6)
    assert step.seconds == pytest.approx(0.010)
    step.context = 10_000
    assert step.seconds == pytest.approx(0.020)
    step.observe(3.0)
    assert step.seconds == pytest.approx(0.020)
    for _ in range(8):
        step.observe(0.030)
    assert step.seconds == pytest.approx(0.030)
    step.context = 0
    assert step.seconds == pytest.approx(0.015)


def test_step_that_was_never_timed_takes_what_it_sees_first() -> None:
    step = StepCost()
    assert step.seconds == 0.0
    step.observe(0.02)
    assert step.seconds == 0.02


def test_a_block_costs_its_forward_and_little_for_each_token() -> None:
    block = BlockCost(0.004, 0.0001)
    assert block.draft(5) == pytest.approx(0.0045)
    assert block.seconds == pytest.approx(0.0001)
    assert block.further(0.0005) == 5
    for _ in range(9):
        block.observe(0.0090, 5)  # twice as long as measured
    assert block.draft(1) == pytest.approx(0.0082)
    assert block.seconds == pytest.approx(0.0002)
    assert StepCost(0.01).further(1.0) == 0


@pytest.mark.parametrize("bytes_per_token", [1_000, 46_080, 57_344, 262_144])
@pytest.mark.parametrize("limit", [20, 90, 2_048, 32_768])
def test_long_context_that_is_timed_fits_model_and_memory(bytes_per_token: int, limit: int) -> None:
    context = far_context(bytes_per_token, limit)
    assert 1 <= context < limit
    assert context * bytes_per_token <= max(128_000_000, 512 * bytes_per_token)


def test_another_number_of_rows_costs_a_change_once() -> None:
    curve = CostCurve([1, 2, 5], [1.0, 1.0, 2.0], change=0.5)
    assert curve.seconds(1) == 1.0
    assert curve.seconds(5) == pytest.approx(2.0 + CHANGE_SHARE * 0.5)
    curve.observe(5, 2.5)
    assert curve.seconds(5) == pytest.approx(2.0)  # the machine is as it was: the half second was the change
    assert curve.seconds(2) == pytest.approx(1.0 + CHANGE_SHARE * 0.5)
    assert curve.row(5) == pytest.approx(1 / 3)


@pytest.mark.parametrize("cost", [StepCost(0.01), BlockCost(0.01, 0.001)])
def test_what_slowed_drafts_is_forgotten_as_the_target_recovers(cost: StepCost | BlockCost) -> None:
    """GIVEN a burst that tripled the price of drafts WHEN nothing is drafted and the target is itself again."""
    before = cost.draft(3)
    for _ in range(9):
        cost.observe(3 * before, 3)
    assert cost.draft(3) == pytest.approx(3 * before)
    for _ in range(9):
        cost.relax(1.0)
    assert cost.draft(3) == pytest.approx(before)
