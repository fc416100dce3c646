"""The state chip and what the panel reckons with: pure Python, no window."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.speculation.positions import rows_of
from app.speculation.reasons import MOST, fixed_sentences, in_words, margin_of
from app.speculation.record import NOW_PASSES, AnswerRecord
from app.speculation.speed_series import FIRST_STRETCH_S, SpeedSeries
from app.speculation.state import Kind, State, reading, state_of
from app.speculation.worth import ENOUGH_TOKENS, speedup_of, why_no_speedup
from engine.cost import CostCurve, StepCost
from engine.events import Delta, Finished, FinishReason
from engine.metrics import Baseline, Meter, Stats
from engine.pace import Pace

pytestmark = pytest.mark.usefixtures("plurals")

PAYS = "k=5: one more token would cost 3.1 ms for 0.12 tokens"
NONE_PAYS = "no draft is expected to pay"
GAINING = Stats(
    tokens=90,
    drafted=100,
    accepted=60,
    tokens_per_second=54.0,
    plain_tokens_per_second=30.0,
    speedup=1.8,
    draft_tokens_now=5,
    pace_reason=PAYS,
)
LOSING = dataclasses.replace(GAINING, speedup=0.9, draft_tokens_now=0, pace_reason=NONE_PAYS)
UNMEASURED = dataclasses.replace(GAINING, plain_tokens_per_second=None, speedup=None)
STRETCH = dataclasses.replace(GAINING, draft_tokens_now=0, pace_reason="measuring plain decoding")
ENDED = dataclasses.replace(GAINING, draft_tokens_now=0, pace_reason="")


@pytest.mark.parametrize(
    ("switch", "unavailable", "stats", "kind", "text"),
    [
        ("on", None, GAINING, Kind.ON, "On · k=5 · 1.8×"),
        ("auto", None, GAINING, Kind.ON, "On · k=5 · 1.8×"),
        ("off", None, GAINING, Kind.OFF, "Off"),
        ("off", "no draft model", None, Kind.OFF, "Off"),
        ("auto", None, LOSING, Kind.AUTO_OFF, "Auto · off · 0.9×"),
        ("auto", "no draft model", GAINING, Kind.UNAVAILABLE, "Not available: No draft model"),
        ("auto", None, dataclasses.replace(GAINING, tokens=8), Kind.ON, "On · k=5"),
        ("auto", None, dataclasses.replace(LOSING, tokens=8), Kind.AUTO_OFF, "Auto · off"),
        ("on", None, UNMEASURED, Kind.MEASURING, "Measuring"),
        ("auto", None, dataclasses.replace(LOSING, speedup=None), Kind.MEASURING, "Measuring"),
        ("auto", None, dataclasses.replace(STRETCH, drafted=0, speedup=1.0), Kind.MEASURING, "Measuring"),
        ("auto", None, STRETCH, Kind.ON, "On · 1.8×"),
        ("auto", None, ENDED, Kind.ON, "On · 1.8×"),
        ("on", None, dataclasses.replace(LOSING, pace_reason="fixed at 5"), Kind.ON, "On · 0.9×"),
        ("auto", None, None, Kind.READY, "Ready"),
        ("on", None, None, Kind.READY, "Ready"),
        ("on", None, dataclasses.replace(ENDED, drafted=0), Kind.READY, "On · nothing guessed"),
    ],
)
def test_the_chip_says_what_speculation_does(
    switch: str, unavailable: str | None, stats: Stats | None, kind: Kind, text: str
) -> None:
    state = state_of(switch, unavailable, stats)
    assert (state.kind, state.text) == (kind, text)
    assert state.tip.endswith(".")


@pytest.mark.parametrize(
    ("switch", "stats", "kind", "text"),
    [
        ("on", UNMEASURED, Kind.UNMEASURED, "On · not measured"),
        ("on", dataclasses.replace(GAINING, tokens=8), Kind.UNMEASURED, "On · too short to compare"),
        (
            "auto",
            dataclasses.replace(UNMEASURED, drafted=0, draft_tokens_now=0),
            Kind.READY,
            "Auto · nothing guessed",
        ),
        ("auto", dataclasses.replace(STRETCH, drafted=0, speedup=1.0), Kind.READY, "Auto · nothing guessed"),
        ("auto", GAINING, Kind.ON, "On · 1.8×"),
        ("auto", LOSING, Kind.AUTO_OFF, "Auto · off · 0.9×"),
    ],
)
def test_after_the_end_nothing_is_being_measured(switch: str, stats: Stats, kind: Kind, text: str) -> None:
    state = state_of(switch, None, stats, ended=True)
    assert (state.kind, state.text) == (kind, text)
    assert state.tip.endswith(".")


def test_one_pass_without_a_draft_does_not_turn_a_gain_into_off() -> None:
    plain_pass = dataclasses.replace(GAINING, draft_tokens_now=0, pace_reason=NONE_PAYS)
    assert state_of("auto", None, plain_pass).kind is Kind.ON


def test_the_tooltip_names_the_baseline_and_the_reason() -> None:
    tip = state_of("on", None, GAINING).tip
    assert "1.8× the speed of plain decoding" in tip
    assert "30.0 tokens/s" in tip
    assert "5 guesses a pass: one more would take 3.1 ms and bring 0.12 tokens" in tip


@given(
    switch=st.sampled_from(["auto", "on", "off"]),
    unavailable=st.sampled_from([None, "a reason"]),
    drafted=st.sampled_from([0, 7]),
    now=st.sampled_from([0, 3]),
    reason=st.sampled_from(["", PAYS, NONE_PAYS, "measuring plain decoding"]),
)
def test_no_speedup_is_named_that_was_not_measured(
    switch: str, unavailable: str | None, drafted: int, now: int, reason: str
) -> None:
    stats = Stats(tokens=9, drafted=drafted, draft_tokens_now=now, pace_reason=reason, tokens_per_second=50.0)
    state = state_of(switch, unavailable, stats)
    assert "×" not in state.text + state.tip


def test_a_state_is_a_value() -> None:
    assert state_of("on", None, GAINING) == State(
        Kind.ON, "On · k=5 · 1.8×", state_of("on", None, GAINING).tip
    )


@given(
    passes=st.lists(st.tuples(st.integers(1, 16), st.floats(0.001, 0.3)), min_size=1, max_size=400),
    capacity=st.sampled_from([2, 8, 96]),
)
def test_a_series_of_speeds_stays_small_and_between_its_passes(
    passes: list[tuple[int, float]], capacity: int
) -> None:
    series = SpeedSeries(capacity)
    for tokens, seconds in passes:
        series.add(tokens, seconds)
    assert 1 <= len(series) <= capacity
    rates = [tokens / seconds for tokens, seconds in passes]
    assert all(min(rates) * 0.999 <= speed <= max(rates) * 1.001 for speed in series.speeds())
    assert series.stretch_s >= FIRST_STRETCH_S


def test_a_steady_speed_is_drawn_as_it_is() -> None:
    series = SpeedSeries()
    for _ in range(10_000):
        series.add(4, 0.05)
    assert series.speeds() == pytest.approx([80.0] * len(series.speeds()))


@pytest.mark.parametrize("tokens", [1, ENOUGH_TOKENS - 1])
def test_few_tokens_show_no_speedup_and_say_why(tokens: int) -> None:
    few = dataclasses.replace(GAINING, tokens=tokens)
    assert speedup_of(few) is None
    assert f"from {ENOUGH_TOKENS} on" in why_no_speedup(few, ended=True)
    assert speedup_of(dataclasses.replace(GAINING, tokens=ENOUGH_TOKENS)) == 1.8
    assert why_no_speedup(GAINING, ended=True) == ""


def test_reading_a_prompt_is_a_state() -> None:
    state = reading(450, 1000)
    assert state.kind is Kind.READING
    assert state.text.replace("\u202f", " ") == "Reading the prompt… 45 %"
    assert state.tip.startswith("450 of 1")


def reasons_of_the_pace() -> list[str]:
    """What a real pace says at good, bad and no acceptance."""
    said = []
    for accepted in (0, 2, 8):
        pace = Pace(CostCurve((1, 2, 9), (0.03, 0.031, 0.05)), StepCost(0.002))
        for _ in range(30):
            plan = pace.plan(100, 0, use_draft=True)
            pace.observe(plan, plan.k, min(accepted, plan.k), min(accepted, plan.k) + 1, 0)
            said.append(plan.reason)
    return [*said, Pace(CostCurve((1, 2), (0.03, 0.031))).plan(100, 0, use_draft=False).reason]


def test_every_reason_of_the_pace_is_a_sentence_of_its_own() -> None:
    said = set(reasons_of_the_pace())
    assert any(margin_of(reason) for reason in said)
    for reason in said:
        words = in_words(reason)
        assert words.endswith(".")
        assert words[0].isupper() or words[0].isdigit()
        assert margin_of(reason) or MOST.fullmatch(reason) or reason in fixed_sentences()


def test_a_reason_that_is_not_known_is_given_as_it_is() -> None:
    assert in_words("the moon is full") == "The moon is full."


def test_later_positions_share_a_row() -> None:
    rows = rows_of([(100 - i, 50 - i) for i in range(11)])
    assert [row.label for row in rows] == ["1", "2", "3", "4", "5", "6", "7", "8", "9–11"]
    assert (rows[0].drafted, rows[0].accepted, rows[0].rate) == (100, 50, 0.5)
    assert (rows[-1].drafted, rows[-1].accepted) == (92 + 91 + 90, 42 + 41 + 40)
    assert rows_of([(1, 1)] * 9)[-1].label == "9"
    assert rows_of([]) == []


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def block(tokens: int, seconds: float, stats: Stats) -> Delta:
    return Delta("", tuple(range(tokens)), tuple(range(tokens - 1)), tokens - 1, "draft", seconds, stats)


def test_the_speed_of_now_is_that_of_the_last_second() -> None:
    record = AnswerRecord("auto", Clock())
    for tokens, seconds in [(1, 0.125)] * 50 + [(4, 0.125)] * 8:
        record.add(block(tokens, seconds, Stats(tokens_per_second=12.0)))
    assert record.speed == pytest.approx(32.0)


def test_the_speed_after_the_end_is_that_of_the_answer() -> None:
    record = AnswerRecord("auto", Clock())
    record.add(block(4, 0.1, Stats(tokens_per_second=12.0)))
    record.finish(Finished(FinishReason.STOP, "", (), Stats(tokens_per_second=13.0)))
    assert record.speed == 13.0


def test_a_record_stays_small_over_a_long_answer() -> None:
    record = AnswerRecord("auto", Clock())
    for _ in range(20_000):
        record.add(block(2, 1e-6, Stats()))
    assert len(record._recent) == NOW_PASSES
    assert record.speed == pytest.approx(2e6, rel=1e-3)
    assert len(record.speeds) <= record.speeds.capacity


def test_the_baseline_grows_older_and_knows_its_answer() -> None:
    clock = Clock()
    record = AnswerRecord("auto", clock)
    clock.now += 10.0
    record.add(block(2, 0.1, Stats(plain_measured_s_ago=4.0)))
    assert record.baseline_is_of_this_answer
    clock.now += 3.0
    assert record.baseline_age_s == pytest.approx(7.0)
    record.add(block(2, 0.1, Stats(plain_measured_s_ago=60.0)))
    assert not record.baseline_is_of_this_answer


def test_the_chip_follows_a_real_meter_from_measuring_to_on() -> None:
    baseline = Baseline()
    meter = Meter(10, baseline)
    meter.record("draft", drafted=4, accepted=3, committed=4, seconds=0.05)
    assert state_of("auto", None, meter.stats(4, PAYS)).kind is Kind.MEASURING
    baseline.observe(0.03, context=10)
    state = state_of("auto", None, meter.stats(4, PAYS))
    assert state.text == "On · k=4"
    for _ in range(ENOUGH_TOKENS // 4):
        meter.record("draft", drafted=4, accepted=3, committed=4, seconds=0.05)
    assert state_of("auto", None, meter.stats(4, PAYS)).text == f"On · k=4 · {4 / 0.05 * 0.03:.1f}×"
