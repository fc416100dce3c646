"""The benchmark's chart, and the command around the run."""

import json
from argparse import Namespace
from dataclasses import fields
from pathlib import Path

import pytest

from app.bench_chart import bars_of, draw, write_chart
from app.cli import main
from app.commands import bench as command
from engine.bench import run
from engine.bench.interruption import BenchInterruptedError
from engine.bench.options import BenchOptions
from engine.bench.rows import Row
from engine.bench.summary import summarise
from tests.bench_fakes import row


def result_of(*measured: Row) -> dict[str, object]:
    return {
        "rows": list(measured),
        "summary": summarise(measured),
        "machine": {"processor": "A processor", "cores": 2},
        "pair": {"title": "A pair"},
    }


@pytest.mark.usefixtures("qapp")
def test_bars_are_as_long_as_the_speedups() -> None:
    bars = bars_of(result_of(row("p", "chat", "plain", 10), row("p", "chat", "auto", 25)))
    image = draw(bars)

    assert bars.speedups == {"plain": {"all": 1.0, "chat": 1.0}, "auto": {"all": 2.5, "chat": 2.5}}
    middle = image.width() // 2  # 1.35x: within auto's bar, beyond plain's
    column = [image.pixelColor(middle, y).name() for y in range(image.height())]
    assert "#0072b2" in column
    assert "#b8bec7" not in column


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
