"""From answers to rows, from rows to figures, and how a reader sees them."""

import dataclasses
import math
from pathlib import Path

import pytest

from engine.bench.contestants import Answer
from engine.bench.report import markdown, table
from engine.bench.result import Result
from engine.bench.rows import Outcome, first_divergence, rows
from engine.bench.summary import summarise
from engine.bench.watch import Reading, peak_memory_bytes
from tests.bench_fakes import outcome, row


def result_of(*outcomes: Outcome) -> Result:
    return Result(
        machine={"processor": "A processor", "cores": 2},
        versions={},
        pair={"title": "A pair"},
        settings={"repeat": 1, "max_tokens": 8, "temperature": 0.0, "exact": True, "peers": {}},
        outcomes=list(outcomes),
    )


@pytest.mark.parametrize(
    ("reference", "tokens", "index"),
    [
        ([1, 2, 3], [1, 2, 3], None),
        ([1, 2, 3], [1, 9, 3], 1),
        ([1, 2, 3], [1, 2], 2),
        ([], [5], 0),
        ([], [], None),
    ],
)
def test_first_divergence(reference: list[int], tokens: list[int], index: int | None) -> None:
    assert first_divergence(reference, tokens) == index


def test_rows_add_the_turns_up_and_compare_with_the_plain_answer_whoever_came_first() -> None:
    found = rows([outcome("auto", [1, 2, 4], 0.5), outcome("plain", [1, 2, 3], 1.5)])

    assert found[0]["tokens"] == 3
    assert found[0]["tokens_per_second"] == pytest.approx(6.0)
    assert found[0]["tokens_per_pass"] == pytest.approx(1.5)
    assert found[0]["acceptance_rate"] == pytest.approx(0.5)
    assert found[0]["ttft_s"] == pytest.approx(1.5)
    assert (found[0]["identical_to_plain"], found[0]["first_divergence"]) == (False, 2)
    assert (found[1]["identical_to_plain"], found[1]["first_divergence"]) == (True, None)


def test_without_a_plain_answer_nothing_is_claimed() -> None:
    [row] = rows([outcome("auto", [1, 2], 0.5)])
    assert (row["identical_to_plain"], row["first_divergence"]) == (None, None)


def test_a_peers_answers_are_compared_with_its_own_plain_ones() -> None:
    found = rows(
        [
            outcome("plain", [1, 2], 1.0),
            outcome("peer:plain", [7, 8], 1.0, plain="peer:plain"),
            outcome("peer:lookup", [7, 8], 1.0, plain="peer:plain"),
        ]
    )
    assert [row["identical_to_plain"] for row in found] == [True, True, True]


def test_summary_against_a_computation_by_hand() -> None:
    """Baselines are the best repeats: 12 and 20 own, 15 and 20 of anyone; auto's medians are 30 and 25."""
    summary = summarise(
        [
            *(row("p", "chat", "plain", speed, i) for i, speed in enumerate((10, 12, 11))),
            *(row("q", "code", "plain", speed, i) for i, speed in enumerate((20, 18, 16))),
            *(row("p", "chat", "auto", speed, i) for i, speed in enumerate((33, 30, 24))),
            *(row("q", "code", "auto", speed, i, identical=i > 0) for i, speed in enumerate((25, 20, 30))),
            row("p", "chat", "peer:plain", 15),
            row("q", "code", "peer:plain", 10),
        ]
    )

    auto = summary["auto"]
    assert auto["speedup_geomean"] == pytest.approx(math.sqrt(30 / 12 * 25 / 20))
    assert auto["speedup_vs_fastest_geomean"] == pytest.approx(math.sqrt(30 / 15 * 25 / 20))
    assert auto["speedup_by_category"] == pytest.approx({"chat": 2.5, "code": 1.25})
    assert auto["tokens_per_second_median"] == pytest.approx(27.5)
    assert auto["identical"] == pytest.approx(5 / 6)
    assert auto["spread"] == pytest.approx((9 / 30 + 10 / 25) / 2)
    assert summary["plain"]["speedup_geomean"] == pytest.approx(math.sqrt(11 / 12 * 18 / 20))
    assert summary["peer:plain"]["speedup_geomean"] == pytest.approx(math.sqrt(15 / 12 * 10 / 20))
    assert summary["peer:plain"]["spread"] is None


def test_without_plain_there_is_no_speedup() -> None:
    summary = summarise([row("p", "chat", "auto", 30)])
    assert summary["auto"]["speedup_geomean"] is None
    assert summary["auto"]["speedup_by_category"] == {}


def test_a_markdown_table_is_aligned() -> None:
    assert table(("mode", "x"), [("plain", "1"), ("a", "22")]).splitlines() == [
        "| mode  |  x |",
        "| ----- | -: |",
        "| plain |  1 |",
        "| a     | 22 |",
    ]


def test_what_others_took_of_the_processor() -> None:
    """Four busy seconds of two processors in three seconds, 2.5 of them our own: a quarter went elsewhere."""
    before, after = Reading(10.0, 100.0, 7.0), Reading(13.0, 104.0, 9.5)
    assert before.busy_elsewhere(after, 2) == pytest.approx(0.25)
    assert before.busy_elsewhere(before, 2) is None


def test_a_reading_grows_with_what_is_done() -> None:
    before = Reading.now()
    sum(i * i for i in range(300_000))
    after = Reading.now()
    assert after.wall > before.wall
    assert after.own >= before.own > 0


def test_peak_memory_is_this_process_own(tmp_path: Path) -> None:
    status = tmp_path / "status"
    status.write_text("VmPeak:\t 900 kB\nVmHWM:\t  500 kB\n")
    assert peak_memory_bytes(status) == 500 * 1024
    assert peak_memory_bytes() > 2**20
    assert peak_memory_bytes(tmp_path / "missing") > 2**20


def test_slipstreams_modes_share_one_peak_and_peers_have_their_own() -> None:
    measured = result_of(
        dataclasses.replace(
            outcome("plain", [1, 2], 1.0), answers=(Answer((1,), "", 1.0, peak_memory_bytes=2**20),)
        ),
        dataclasses.replace(
            outcome("auto", [1, 2], 1.0), answers=(Answer((1,), "", 1.0, peak_memory_bytes=2**21),)
        ),
        dataclasses.replace(
            outcome("p:plain", [1], 1.0), answers=(Answer((1,), "", 1.0, peak_memory_bytes=2**22),)
        ),
    )
    lines = [line for line in markdown(measured).splitlines() if line.endswith("MiB |")]
    assert [line.split("|")[-2].strip() for line in lines] == ["2 MiB", "2 MiB", "4 MiB"]


def test_the_settings_of_peers_are_below_the_table() -> None:
    measured = result_of(outcome("plain", [1, 2], 1.0))
    measured.settings["peers"]["openvino-genai:draft"] = {
        "chosen": {"compile": "slipstream", "draft_tokens": 0, "confidence": 0.4},
        "tried": [{}, {}],
        "cut_short": False,
    }
    told = markdown(measured)
    assert "- openvino-genai:draft: compile slipstream, confidence 0.4, of 2 tried\n" in told


def test_own_answers_that_equal_the_plain_ones_are_said_to_and_peers_do_not_count() -> None:
    measured = result_of(
        outcome("plain", [1, 2], 1.0),
        outcome("auto", [1, 2], 1.0),
        outcome("p:plain", [1, 2], 1.0, plain="p:plain"),
        outcome("p:lookup", [1, 3], 1.0, plain="p:plain"),
    )
    assert "speculative answers that are the plain ones, token for token: 1 of 1." in markdown(measured)


def test_sampled_answers_of_peers_have_no_identity() -> None:
    measured = rows(
        [outcome("p:plain", [1, 2], 1.0, plain=None), outcome("p:lookup", [1, 3], 1.0, plain=None)]
    )
    assert [each["identical_to_plain"] for each in measured] == [None, None]

    sampled = result_of(outcome("p:plain", [1, 2], 1.0, plain=None))
    assert "theirs are not compared" not in markdown(sampled)
    sampled.settings["temperature"] = 1.0
    sampled.settings["peers"]["p:plain"] = {"chosen": {"threads": 2}, "tried": [], "cut_short": False}
    assert "Peers can't repeat a sampled answer in another mode: theirs are not compared." in markdown(
        sampled
    )


def test_a_noisy_machine_is_named() -> None:
    shares = (0.02, 0.31, 0.4)
    noisy = result_of(*(dataclasses.replace(outcome("plain", [1, 2], 1.0), busy_elsewhere=s) for s in shares))
    assert "Other programs took 31% of the processor during a typical answer" in markdown(noisy)
