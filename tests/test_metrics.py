"""Counts of passes and the measured baseline; no clock but the seconds that are given."""

import numpy as np
import pytest

from engine.metrics import RECENT_PLAIN, Baseline, Meter, Stats


def test_nothing_is_claimed_before_anything_was_measured() -> None:
    stats = Meter(7, Baseline()).stats()
    assert stats == Stats(prompt_tokens=7, context_tokens=7)
    assert (stats.acceptance_rate, stats.tokens_per_pass, stats.tokens_per_second) == (None, None, None)
    assert (stats.plain_tokens_per_second, stats.speedup, stats.plain_measured_s_ago) == (None, None, None)


def test_passes_add_up() -> None:
    meter = Meter(7, Baseline())
    meter.record("draft", drafted=4, accepted=2, committed=3, seconds=0.5)
    meter.record("ngram", drafted=2, accepted=2, committed=3, seconds=0.25)
    meter.record("plain", drafted=0, accepted=0, committed=1, seconds=0.25)
    stats = meter.stats(draft_tokens_now=3, pace_reason="because")
    assert (stats.tokens, stats.target_passes, stats.drafted, stats.accepted) == (7, 3, 6, 4)
    assert stats.acceptance_rate == pytest.approx(4 / 6)
    assert stats.tokens_per_pass == pytest.approx(7 / 3)
    assert stats.accepted_by_position == ((2, 2), (2, 2), (1, 0), (1, 0))
    assert stats.drafted_by_source == {"draft": 4, "ngram": 2}
    assert stats.decode_s == 1.0
    assert stats.tokens_per_second == 7.0
    assert (stats.draft_tokens_now, stats.pace_reason) == (3, "because")
    assert stats.context_tokens == 14


def test_memory_of_the_context_is_asked_for_with_every_pass() -> None:
    held = [1_000]
    meter = Meter(7, Baseline(), lambda: (held[-1], 2_048))
    assert (meter.stats().kv_bytes, meter.stats().context_limit) == (1_000, 2_048)
    held.append(3_000)
    assert meter.stats().kv_bytes == 3_000


def test_stats_of_a_moment_do_not_change_later() -> None:
    meter = Meter(1, Baseline())
    meter.record("draft", 2, 1, 2, 0.1)
    before = meter.stats()
    meter.record("ngram", 3, 3, 4, 0.1)
    assert before.drafted_by_source == {"draft": 2}
    assert before.accepted_by_position == ((1, 1), (1, 0))


def test_speedup_is_against_the_median_plain_pass() -> None:
    baseline = Baseline()
    for seconds in (0.1, 0.1, 5.0):  # one hiccup
        baseline.observe(seconds, context=100)
    meter = Meter(1, baseline)
    meter.record("draft", 3, 3, 4, 0.2)
    stats = meter.stats()
    assert stats.plain_tokens_per_second == pytest.approx(10.0)
    assert stats.speedup == pytest.approx(20.0 / 10.0)
    assert stats.plain_measured_s_ago is not None
    assert stats.plain_measured_s_ago >= 0.0


def test_baseline_of_a_very_different_context_is_dropped() -> None:
    baseline = Baseline()
    baseline.observe(0.1, context=100)
    baseline.observe(0.1, context=400)
    baseline.observe(0.4, context=4000)
    assert baseline.tokens_per_second == pytest.approx(2.5)


def test_baseline_keeps_the_recent_passes() -> None:
    baseline = Baseline()
    for _ in range(RECENT_PLAIN):
        baseline.observe(1.0, context=10)
    for _ in range(RECENT_PLAIN // 2 + 1):
        baseline.observe(0.5, context=10)
    assert baseline.tokens_per_second == pytest.approx(2.0)


def test_a_machine_that_slows_down_is_no_speedup() -> None:
    """GIVEN an answer without drafts whose passes become slower THEN its speedup is 1, not first speed over last."""
    baseline = Baseline()
    meter = Meter(1, baseline)
    for seconds in np.linspace(0.1, 1.0, 60):
        baseline.observe(seconds, context=100)
        meter.record("plain", 0, 0, 1, seconds)
    stats = meter.stats()
    assert stats.speedup == pytest.approx(1.0)
    assert stats.plain_tokens_per_second == pytest.approx(stats.tokens_per_second)


def test_tokens_before_the_first_plain_pass_are_priced_by_it() -> None:
    baseline = Baseline()
    meter = Meter(1, baseline)
    meter.record("draft", 3, 3, 4, 0.2)
    assert meter.stats().speedup is None
    baseline.observe(0.1, context=100)
    meter.record("plain", 0, 0, 1, 0.1)
    assert meter.stats().speedup == pytest.approx((0.4 + 0.1) / 0.3)
