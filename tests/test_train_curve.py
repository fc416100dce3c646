"""Tokens per pass against data: exact on synthetic folders."""

import json
import math
from pathlib import Path

import pytest

from app.cli import main
from engine.errors import SlipstreamError
from engine.train.curve import CHECKS, Trend, curve_lines, keep_figures, read_point


def drafter(folder: Path, tokens: int, checks: list[float], figures: dict[str, float] | None = None) -> Path:
    """A trained folder; `figures` are tokens per pass by contestant on answers named "held_out"."""
    folder.mkdir(parents=True)
    about = {"data": {"tokens": tokens}, "seconds": 60.0 * len(checks)}
    (folder / "config.json").write_text(json.dumps({"slipstream": about}))
    (folder / "history.jsonl").write_text(
        "".join(json.dumps({"step": i, "tokens_per_pass": rate}) + "\n" for i, rate in enumerate(checks))
    )
    if figures:
        rows = [{"drafter": who, "k": 4, "tokens_per_pass": 1.0} for who in figures]
        rows += [{"drafter": who, "k": 6, "tokens_per_pass": rate} for who, rate in figures.items()]
        goals = {"drafter": {"2x": 2.5}, "cascade": {"3x": 3.0}}
        keep_figures(folder, "held_out", {"scores": rows, "goals": goals})
    return folder


def test_the_trend_through_exact_points_is_exact() -> None:
    data = [10_000, 100_000, 1_000_000, 200_000]

    trend = Trend.through(data, [0.5 + 0.25 * math.log10(tokens) for tokens in data])

    assert trend is not None
    assert (trend.at_one, trend.per_tenfold) == pytest.approx((0.5, 0.25))
    assert trend.spread == pytest.approx(0.0, abs=1e-12)
    assert trend.data_for(2.25) == pytest.approx(1e7)
    assert trend.data_for(1.5) == pytest.approx(1e4)


def test_the_trend_is_the_line_of_least_squares() -> None:
    trend = Trend.through([10, 100, 1000], [1.0, 1.5, 1.4])  # slope (1.4 - 1.0) / 2, mean 1.3 at 2

    assert trend is not None
    assert (trend.at_one, trend.per_tenfold) == pytest.approx((0.9, 0.2))
    assert trend.spread == pytest.approx(math.sqrt((0.1**2 + 0.2**2 + 0.1**2) / 3))


def test_no_trend_without_three_amounts_of_data() -> None:
    assert Trend.through([100, 200], [1.0, 1.1]) is None
    assert Trend.through([100, 100, 200], [1.0, 1.1, 1.2]) is None


@pytest.mark.parametrize("reached", [[1.5, 1.4, 1.3], [1.5, 1.5, 1.5]])
def test_a_trend_that_does_not_rise_reaches_nothing(reached: list[float]) -> None:
    trend = Trend.through([10, 100, 1000], reached)

    assert trend is not None
    assert trend.data_for(1.9) is None


def test_the_table_the_trends_and_how_far_they_are_stretched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = []
    for tokens in (100_000, 1_000_000, 10_000):
        rate = 0.3 + 0.2 * math.log10(tokens)
        figures = {"drafter": rate, "ngram": 1.4, "cascade": rate + 0.7}
        folders.append(str(drafter(tmp_path / f"d{tokens}", tokens, [1.0, rate, rate], figures)))

    assert main(["train", "curve", *folders]) == 0

    told = capsys.readouterr().out
    rows = [line for line in told.splitlines() if line.startswith("| d")]
    assert rows == [
        "| d10000 | 10,000 | 180 | 1.10 | 1.10 | 1.80 |",
        "| d100000 | 100,000 | 180 | 1.30 | 1.30 | 2.00 |",
        "| d1000000 | 1,000,000 | 180 | 1.50 | 1.50 | 2.20 |",
    ]
    assert "drafter (held_out): +0.200 tokens a pass for ten times the data (3 points, 0.000 off" in told
    assert (
        "- 1.90 tokens a pass (goal): 100,000,000 answer tokens, 100 times the most data here: a guess"
        in told
    )
    assert "- 2.50 tokens a pass (2x): 100,000,000,000 answer tokens" in told
    assert "- 3.00 tokens a pass (3x): 10,000,000,000 answer tokens, 10,000 times" in told
    assert "still rising" not in told


def test_goals_within_the_data_are_no_extrapolation(tmp_path: Path) -> None:
    points = [
        read_point(drafter(tmp_path / str(n), 10**n, [1.0, n / 3], {"cascade": n / 2})) for n in (4, 5, 6)
    ]

    told = curve_lines(points)

    assert "- 2.20 tokens a pass (goal): 25,119 answer tokens, within the data here." in told


def test_a_training_that_was_still_rising_is_marked(tmp_path: Path) -> None:
    rising = read_point(drafter(tmp_path / "a", 1000, [1.0, 1.1, 1.2, 1.3]))
    flat = read_point(drafter(tmp_path / "b", 1000, [1.0, 1.3, 1.299, 1.3]))
    fallen = read_point(drafter(tmp_path / "c", 1000, [1.0, 1.3, 1.2, 1.1]))

    assert [rising.rising, flat.rising, fallen.rising] == [True, False, False]
    assert fallen.reached[CHECKS, "drafter"] == 1.3
    assert curve_lines([rising, flat])[2].startswith("| a* |")
    assert "no plateau" in "\n".join(curve_lines([rising]))
    assert "a trend needs 3 different amounts of data" in "\n".join(curve_lines([rising, flat]))


def test_figures_of_several_sets_of_answers_are_kept(tmp_path: Path) -> None:
    folder = drafter(tmp_path / "a", 1000, [1.3], {"drafter": 1.2})
    keep_figures(folder, "bench", {"scores": [{"drafter": "cascade", "k": 8, "tokens_per_pass": 2.5}]})

    reached = read_point(folder).reached

    assert reached == {(CHECKS, "drafter"): 1.3, ("held_out", "drafter"): 1.2, ("bench", "cascade"): 2.5}


def test_a_folder_without_a_training_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SlipstreamError, match="slipstream train fit"):
        read_point(tmp_path)
    assert main(["train", "curve", str(tmp_path)]) == 1
    assert "slipstream train fit" in capsys.readouterr().err
