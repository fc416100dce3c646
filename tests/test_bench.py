"""The benchmark with scripted contestants: order, rows, summary, files, and what happens when things go wrong."""

import dataclasses
import json
import math
import sys
from argparse import Namespace
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.bench_chart import bars_of, draw, write_chart
from app.commands import bench as command
from engine.bench import peers, run
from engine.bench.contestants import Answer
from engine.bench.interruption import BenchInterruptedError
from engine.bench.options import BenchOptions
from engine.bench.peer_worker import Timing
from engine.bench.prompts import Prompt, load_prompts
from engine.bench.result import Result, beside, markdown, table
from engine.bench.rows import Outcome, Row, first_divergence, rows
from engine.bench.session import converse, measure, turns
from engine.bench.summary import summarise
from engine.bench.watch import Reading
from engine.errors import SlipstreamError
from engine.events import Event, Failed, Finished, FinishReason
from engine.metrics import Stats
from engine.models.catalogue import Pair
from engine.request import Message, Request, Speculation

CONTRACT_KEYS = {"machine", "versions", "pair", "rows", "summary"}
CONTRACT_ROW = {
    "prompt_id",
    "category",
    "mode",
    "tokens",
    "seconds",
    "tokens_per_second",
    "tokens_per_pass",
    "acceptance_rate",
    "identical_to_plain",
    "first_divergence",
}
CONTRACT_SUMMARY = {"speedup_geomean", "speedup_by_category", "tokens_per_second_median", "identical"}


@dataclass
class ScriptedEngine:
    """Ten tokens an answer, at a speed and with a last token by mode; breaks off at `interrupt_at` requests."""

    speeds: dict[str, float] = field(default_factory=lambda: {"off": 10.0, "ngram": 20.0, "auto": 40.0})
    wrong: str | None = None
    failing: str | None = None
    interrupt_at: int | None = None
    requests: list[Request] = field(default_factory=list)
    forgotten: int = 0

    def unavailable(self, speculation: Speculation) -> str | None:
        return None if speculation in self.speeds else f"this pair has no {speculation}"

    def generate(self, request: Request) -> Generator[Event, None, None]:
        assert self.forgotten == len(self.requests) + 1  # the caches were emptied before this answer
        if len(self.requests) == self.interrupt_at:
            raise KeyboardInterrupt
        self.requests.append(request)
        mode = request.speculation.value
        if mode == self.failing and len(self.requests) > 6:
            yield Failed("The model could not go on.")
            return
        count = min(10, request.max_tokens)
        stats = Stats(
            tokens=count,
            target_passes=5,
            drafted=8,
            accepted=4,
            decode_s=count / self.speeds[mode],
            ttft_s=0.5,
        )
        tokens = (*range(count - 1), 99 if mode == self.wrong else count)
        yield Finished(FinishReason.LENGTH, f"answer {len(self.requests)}", tokens, stats)

    def forget(self) -> None:
        self.forgotten += 1


class OneStore:
    """Holds the pair "tiny" and nothing else."""

    def __init__(self, home: Path, installed: bool = True) -> None:
        self.home, self._installed = home, installed

    def pair(self, name: str) -> Pair:
        return Pair(name, "A tiny pair", "tiny-model", None)

    def is_installed(self, name: str) -> bool:
        return self._installed

    def installed(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name="tiny-model", sha256="abc")]


@pytest.fixture
def prompt_file(tmp_path: Path) -> Path:
    path = tmp_path / "prompts.jsonl"
    lines = [
        {"id": "one", "category": "chat", "turns": ["Hi", "More"]},
        {"id": 2, "category": "code", "turns": ["X"]},
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return path


def run_with(engine: ScriptedEngine, options: BenchOptions, home: Path, installed: bool = True) -> str:
    loaded = run.Loaded(engine, None, True, 512, engine.forget)  # type: ignore[arg-type]
    store = OneStore(home, installed)
    return run.run(options, load=lambda _store, _pair: loaded, store=store)  # type: ignore[arg-type]


# Prompts


def test_own_prompts_are_forty_of_eight_categories_and_several_languages() -> None:
    prompts = load_prompts()

    assert len(prompts) == 40
    assert {p.category for p in prompts} == {
        "chat",
        "code",
        "maths",
        "summary",
        "translation",
        "code_edit",
        "retrieval",
        "multi_turn",
    }
    assert all(len(p.turns) > 1 for p in prompts if p.category == "multi_turn")
    assert all(p.turns[0].count("\n") >= 20 for p in prompts if p.category == "code_edit")
    assert any("\u4e00" <= letter <= "\u9fff" for p in prompts for letter in p.turns[0])


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{oops", "Line 3 of p.jsonl is not valid JSON (Expecting property name enclosed in double quotes)"),
        ("[" * 100_000, "Line 3 of p.jsonl is nested too deeply"),
        ("[]", 'Line 3 of p.jsonl needs "id", "category" and "turns", a list of texts: add them.'),
        ('{"id": "b", "turns": []}', 'Line 3 of p.jsonl needs "id", "category" and "turns"'),
        ('{"id": "b", "turns": [" "]}', 'Line 3 of p.jsonl needs "id", "category" and "turns"'),
        ('{"id": "a", "turns": ["x"]}', "p.jsonl has two prompts with the id 'a': rename one."),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, sentence: str) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(f'{{"id": "a", "turns": ["x"]}}\n\n{line}\n', encoding="utf-8")

    with pytest.raises(SlipstreamError) as error:
        load_prompts(path)

    assert str(error.value).startswith(sentence)


def test_an_empty_prompt_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").touch()
    with pytest.raises(SlipstreamError, match=r"p\.jsonl has no prompts"):
        load_prompts(tmp_path / "p.jsonl")


# Order


@dataclass
class Named:
    name: str
    plain: str = "a"
    heard: list[tuple[str, ...]] = field(default_factory=list)
    fails: bool = False

    def answer(self, messages: Sequence[Message], max_tokens: int) -> Answer:
        if self.fails:
            raise SlipstreamError("It broke.")
        self.heard.append(tuple(message.content for message in messages))
        return Answer((1, 2), f"{self.name}{len(self.heard)}", 0.5)


def prompts_called(*names: str) -> list[Prompt]:
    return [Prompt(name, "chat", ("Hello",)) for name in names]


def test_contestants_go_forwards_then_backwards_and_the_next_round_the_other_way() -> None:
    contestants = [Named(name) for name in "abc"]

    order = [(p.id, c.name, r) for c, p, r in turns(contestants, prompts_called("p", "q"), 2)]

    assert [f"{r}{p}{c}" for p, c, r in order] == [
        *("0pa", "0pb", "0pc", "0qc", "0qb", "0qa"),
        *("1pc", "1pb", "1pa", "1qa", "1qb", "1qc"),
    ]


def test_a_conversation_feeds_the_contestants_own_answers_back() -> None:
    contestant = Named("a")

    converse(contestant, Prompt("p", "multi_turn", ("one", "two", "three")), 0, 8)

    assert contestant.heard == [("one",), ("one", "a1", "two"), ("one", "a1", "two", "a2", "three")]


def test_a_contestant_that_fails_is_left_out_and_the_others_go_on() -> None:
    contestants = [Named("a"), Named("b", fails=True)]
    noted: list[str] = []

    outcomes = measure(
        contestants, prompts_called("p", "q"), 1, 8, tell=lambda _line: None, note=noted.append
    )

    assert [outcome.mode for outcome in outcomes] == ["a", "a"]
    assert noted == ["b was left out from p on: It broke."]


def test_when_everybody_fails_the_run_fails() -> None:
    with pytest.raises(SlipstreamError, match="It broke"):
        list(measure([Named("a", fails=True)], prompts_called("p"), 1, 8, tell=print, note=print))


# Rows and summary


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


def outcome(
    mode: str, tokens: Sequence[int], seconds: float, plain: str = "plain", repeat: int = 0
) -> Outcome:
    answers = (
        Answer(tuple(tokens[:1]), "", seconds / 2, ttft_s=1.0, passes=1, drafted=3, accepted=1),
        Answer(tuple(tokens[1:]), "", seconds / 2, ttft_s=2.0, passes=1, drafted=5, accepted=3),
    )
    return Outcome(Prompt("p", "chat", ("a", "b")), mode, plain, repeat, answers)


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


def row(
    prompt: str, category: str, mode: str, speed: float, repeat: int = 0, *, identical: bool = True
) -> Row:
    return Row(
        prompt_id=prompt,
        category=category,
        mode=mode,
        tokens=100,
        seconds=100 / speed,
        tokens_per_second=speed,
        tokens_per_pass=2.0,
        acceptance_rate=None,
        identical_to_plain=identical,
        first_divergence=None if identical else 3,
        repeat=repeat,
        ttft_s=0.25,
        peak_memory_bytes=None,
        busy_elsewhere=None,
    )


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


def test_a_noisy_machine_is_named() -> None:
    noisy = Result(
        machine={"processor": "A processor", "cores": 2},
        versions={},
        pair={"title": "A pair"},
        settings={"repeat": 1, "max_tokens": 8, "temperature": 0.0},
    )
    for share in (0.02, 0.31, 0.4):
        noisy.outcomes.append(dataclasses.replace(outcome("plain", [1, 2], 1.0), busy_elsewhere=share))

    assert "Other programs took 31% of the processor during a typical answer" in markdown(noisy)


# A whole run


def test_a_run_writes_the_contract_and_more(tmp_path: Path, prompt_file: Path) -> None:
    path, engine = tmp_path / "result.json", ScriptedEngine(wrong="ngram")
    modes = ("plain", "ngram", "auto")

    text = run_with(engine, BenchOptions("tiny", prompt_file, modes=modes, repeat=2, json=path), tmp_path)

    result = json.loads(path.read_text(encoding="utf-8"))
    assert result.keys() >= CONTRACT_KEYS
    assert all(each.keys() >= CONTRACT_ROW for each in result["rows"])
    assert all(each.keys() >= CONTRACT_SUMMARY for each in result["summary"].values())
    assert len(result["rows"]) == 2 * 2 * 3
    assert result["complete"] is True
    assert result["pair"]["sha256"] == {"tiny-model": "abc"}
    assert result["summary"]["auto"]["speedup_geomean"] == pytest.approx(4.0)
    assert [result["summary"][mode]["identical"] for mode in modes] == [1.0, 0.0, 1.0]
    assert "| auto  |     40.0 |" in text
    assert beside(path, ".md").read_text(encoding="utf-8") == text + "\n"
    assert not list(tmp_path.glob("*.partial"))


def test_every_answer_starts_cold_and_holds_no_plain_stretches(tmp_path: Path, prompt_file: Path) -> None:
    engine = ScriptedEngine()
    run_with(engine, BenchOptions("tiny", prompt_file, modes=("plain", "auto"), max_tokens=7), tmp_path)

    assert not any(request.baseline for request in engine.requests)
    assert engine.forgotten == len(engine.requests)
    measured = engine.requests[2:]  # after one warm-up each
    assert {request.max_tokens for request in measured} == {7}
    modes = [request.speculation.value for request in measured]
    assert modes == ["off", "off", "auto", "auto", "auto", "off"]  # two turns, then one


def test_missing_modes_are_noted_by_default_and_refused_when_asked_for(
    tmp_path: Path, prompt_file: Path
) -> None:
    text = run_with(ScriptedEngine(), BenchOptions("tiny", prompt_file), tmp_path)
    assert "The mode 'draft' was left out: this pair has no draft." in text

    with pytest.raises(SlipstreamError) as error:
        run_with(ScriptedEngine(), BenchOptions("tiny", prompt_file, modes=("plain", "draft")), tmp_path)
    assert str(error.value) == (
        "The mode 'draft' can't be measured: this pair has no draft; leave it out of --modes."
    )


def test_ctrl_c_keeps_the_rows(tmp_path: Path, prompt_file: Path) -> None:
    """GIVEN two warm-ups and three answers WHEN Ctrl-C comes in the fourth THEN two outcomes are written."""
    path, engine = tmp_path / "result.json", ScriptedEngine(interrupt_at=6)

    with pytest.raises(BenchInterruptedError) as stopped:
        run_with(engine, BenchOptions("tiny", prompt_file, modes=("plain", "auto"), json=path), tmp_path)

    result = json.loads(path.read_text(encoding="utf-8"))
    assert [each["mode"] for each in result["rows"]] == ["plain", "auto"]
    assert result["complete"] is False
    assert "The run was stopped before its end" in stopped.value.summary


def test_ctrl_c_before_the_first_answer_writes_nothing(tmp_path: Path, prompt_file: Path) -> None:
    path = tmp_path / "result.json"
    with pytest.raises(BenchInterruptedError) as stopped:
        run_with(ScriptedEngine(interrupt_at=0), BenchOptions("tiny", prompt_file, json=path), tmp_path)
    assert stopped.value.summary == ""
    assert not path.exists()


def test_a_mode_that_fails_is_noted_in_the_result(tmp_path: Path, prompt_file: Path) -> None:
    path = tmp_path / "result.json"
    options = BenchOptions("tiny", prompt_file, modes=("plain", "auto"), json=path)

    run_with(ScriptedEngine(failing="auto"), options, tmp_path)

    result = json.loads(path.read_text(encoding="utf-8"))
    assert result["notes"] == ["auto was left out from 2 on: The model could not go on."]
    assert [each["mode"] for each in result["rows"]] == ["plain", "auto", "plain"]


def test_models_that_are_not_installed_are_named(tmp_path: Path, prompt_file: Path) -> None:
    with pytest.raises(SlipstreamError) as error:
        run_with(ScriptedEngine(), BenchOptions("tiny", prompt_file), tmp_path, installed=False)
    assert str(error.value) == "Not installed: tiny-model. Run slipstream models fetch tiny first."


# Peers


@pytest.mark.parametrize("peer", ["openvino-genai", "llama-cpp"])
def test_a_missing_peer_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, prompt_file: Path, peer: str
) -> None:
    monkeypatch.setitem(peers.LIBRARIES, peer, "no_such_library")
    with pytest.raises(SlipstreamError) as error:
        run_with(ScriptedEngine(), BenchOptions("tiny", prompt_file, peers=(peer,)), tmp_path)
    assert str(error.value) == (
        f"The peer '{peer}' needs a library that is not installed: run pip install slipstream[bench]."
    )


def test_peers_are_greedy_only(tmp_path: Path, prompt_file: Path) -> None:
    with pytest.raises(SlipstreamError, match="Peers are measured at temperature 0 only"):
        run_with(
            ScriptedEngine(),
            BenchOptions("tiny", prompt_file, peers=("llama-cpp",), temperature=1.0),
            tmp_path,
        )


ECHO = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "load":
        reply = {"modes": ["plain", "lookup"]}
    elif request["op"] == "break":
        raise SystemExit("out of memory.")
    else:
        slow = {3: 2.0, 5: 1.0}.get(request.get("draft_tokens"), 4.0)
        reply = {"tokens": request["prompt"][: request["max_tokens"]], "seconds": slow, "ttft_s": 0.5}
    print(json.dumps(reply), flush=True)
"""


class LetterTokenizer:
    eos_ids = frozenset({0})

    def encode_chat(self, messages: Sequence[Message]) -> list[int]:
        return [ord(letter) for message in messages for letter in message.content]

    def decode(self, ids: Sequence[int]) -> str:
        return "".join(chr(i) for i in ids)


@pytest.fixture
def worker() -> Generator[peers.PeerProcess, None, None]:
    process = peers.PeerProcess("echo", [sys.executable, "-c", ECHO])
    yield process
    process.close()


def test_a_peer_gets_our_tokens_and_its_fastest_setting(worker: peers.PeerProcess) -> None:
    peer = peers.Peer(worker, worker.ask({"op": "load"})["modes"], LetterTokenizer())
    told: list[str] = []

    modes, measured = peer.contestants([(Message("user", "abcd"),)], told.append)
    answer = modes[1].answer((Message("user", "xyz"),), 2)

    assert [mode.name for mode in modes] == ["echo:plain", "echo:lookup"]
    assert [mode.plain for mode in modes] == ["echo:plain", "echo:plain"]
    assert (answer.text, answer.tokens) == ("xy", (120, 121))
    assert measured["echo:lookup"]["chosen"] == {"draft_tokens": 5}
    assert told[1] == "echo:lookup: 3 drafted tokens: 2.0/s, 5 drafted tokens: 4.0/s"


def test_a_peer_that_dies_is_told_with_its_last_words(worker: peers.PeerProcess) -> None:
    with pytest.raises(SlipstreamError) as error:
        worker.ask({"op": "break"})
    assert str(error.value) == "The peer 'echo' ended unexpectedly (out of memory)."


def test_the_real_worker_reports_a_failure_instead_of_dying(tmp_path: Path) -> None:
    process = peers.PeerProcess("llama-cpp")
    try:
        with pytest.raises(SlipstreamError, match=r"^The peer 'llama-cpp' failed: .+\.$"):
            process.ask({"op": "load", "target": str(tmp_path), "draft": None, "threads": 1, "context": 64})
        with pytest.raises(SlipstreamError, match="failed"):
            process.ask({"op": "generate"})
    finally:
        process.close()


def test_a_peers_decoding_speed_leaves_the_prefill_out() -> None:
    times = iter([10.0, 12.0, 13.0, 16.0])  # begun, then three pieces
    timing = Timing(lambda: next(times))
    for piece in ([1], [2, 3], [4, 5]):
        timing.push(piece)

    assert timing.reply() == {"tokens": [1, 2, 3, 4, 5], "seconds": pytest.approx(5.0), "ttft_s": 2.0}


# Chart and command line


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
