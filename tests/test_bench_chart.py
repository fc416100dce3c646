"""The benchmark's chart, and the command around the run."""

import json
from argparse import Namespace
from dataclasses import fields
from pathlib import Path

import pytest

from app.bench_chart import (
    BEST,
    LEFT,
    OWN,
    PEER,
    PLAIN,
    RIGHT,
    SCALE,
    WIDTH,
    Chart,
    chart_of,
    draw,
    write_chart,
)
from app.cli import main
from app.commands import bench as command
from engine.bench import run
from engine.bench.interruption import BenchInterruptedError
from engine.bench.options import BenchOptions
from engine.bench.rows import Row
from engine.bench.summary import by_context, summarise
from tests.bench_fakes import row


def result_of(*measured: Row) -> dict[str, object]:
    return {
        "rows": list(measured),
        "summary": summarise(measured),
        "by_context": by_context(measured),
        "machine": {"processor": "A processor", "cores": 2},
        "pair": {"title": "A pair"},
    }


def chart_result(*measured: Row) -> Chart:
    return chart_of(result_of(*measured))


@pytest.mark.usefixtures("qapp")
def test_bars_are_as_long_as_the_speedups() -> None:
    chart = chart_result(row("p", "chat", "plain", 10), row("p", "chat", "auto", 25))
    image = draw(chart)

    assert [(bar.label, bar.speedup) for bar in chart.sections[0].bars] == [
        ("Slipstream, plain", 1.0),
        ("Slipstream, auto", 2.5),
    ]
    beyond_plain = int((LEFT + (WIDTH - LEFT - RIGHT) * 1.9 / 2.5) * SCALE)
    column = [image.pixelColor(beyond_plain, y).name() for y in range(image.height())]
    assert BEST in column
    assert PLAIN not in column


def test_own_modes_peers_and_plain_decoding_are_told_apart() -> None:
    modes = ("plain", "ngram", "auto", "openvino-genai:lookup")
    chart = chart_result(*(row("p", "chat", mode, 10) for mode in modes))
    assert [bar.colour for bar in chart.sections[0].bars] == [PLAIN, OWN, BEST, PEER]
    assert chart.sections[0].bars[3].label == "openvino-genai, prompt lookup"


def test_the_second_part_is_the_best_own_mode_by_category() -> None:
    chart = chart_result(
        *(row(name, name, "plain", 10) for name in ("chat", "code_edit")),
        *(row(name, name, "ngram", speed) for name, speed in (("chat", 10), ("code_edit", 20))),
        *(row(name, name, "peer:lookup", 90) for name in ("chat", "code_edit")),
    )
    assert chart.sections[1].heading == "Slipstream, n-gram, by kind of prompt"
    assert [(bar.label, bar.speedup) for bar in chart.sections[1].bars] == [("chat", 1.0), ("code edit", 2.0)]


def test_a_run_at_several_contexts_is_drawn_by_context() -> None:
    measured = [
        row(f"p@{context}", "chat", mode, speed, context=context)
        for context in (128, 4096)
        for mode, speed in (("plain", 10), ("auto", 10 + context / 128))
    ]
    section = chart_result(*measured).sections[1]
    assert [(bar.label, bar.speedup) for bar in section.bars] == [("128 tokens", 1.1), ("4,096 tokens", 4.2)]


@pytest.mark.usefixtures("qapp")
def test_the_chart_lies_beside_the_result(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(json.dumps(result_of(row("p", "chat", "plain", 10), row("p", "chat", "auto", 25))))
    assert write_chart(path) == tmp_path / "r.png"
    assert (tmp_path / "r.png").read_bytes().startswith(b"\x89PNG")


def test_without_a_comparison_there_is_no_chart(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(json.dumps(result_of(row("p", "chat", "auto", 25))))
    assert write_chart(path) is None


def test_an_interrupted_run_prints_what_it_has_and_ends_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(options: BenchOptions) -> str:
        raise BenchInterruptedError("half a table")

    monkeypatch.setattr(run, "run", stopped)
    options = Namespace(**{each.name: each.default for each in fields(BenchOptions)})

    assert command.run(options) == 130
    told = capsys.readouterr()
    assert (told.out, told.err) == ("half a table\n", "Stopped.\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--context", "128,many"], "argument --context: '128,many' is not a list of numbers"),
        (["--context", "0"], "argument --context: 0 is not 1 or more"),
        (["--context", "128", "--peers", "llama-cpp"], "Peers are not measured at long contexts"),
        (["--temperature", "-1"], "temperature must lie between 0 and 100"),
    ],
)
def test_wishes_that_make_no_sense_end_with_2(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        raise SystemExit(main(["bench", *arguments]))
    assert ended.value.code == 2
    assert sentence in capsys.readouterr().err
