"""The command line: its exit codes, its sentences and its JSON, with a fake store and a fake engine."""

import io
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from app import __version__, cli
from app.commands.ask import other_pair
from app.commands.terminal import ProgressLine, megabytes
from engine import processor, system_libraries
from engine.bench.options import BenchOptions
from engine.errors import SlipstreamError
from engine.events import Delta, Event, Failed, Finished, FinishReason, Progress, Started
from engine.metrics import Stats
from engine.models.catalogue import Catalogue
from engine.models.manifest import DamagedModel
from engine.models.meter import CancelledError
from engine.models.shelf import Shelf
from engine.models.shipped import ShippedDrafters
from engine.models.store import ModelStore
from engine.request import Request, Speculation

STATS = Stats(
    prompt_tokens=7,
    tokens=3,
    target_passes=2,
    drafted=2,
    accepted=1,
    acceptance_rate=0.5,
    tokens_per_pass=1.5,
    accepted_by_position=((1, 1), (1, 0)),
    drafted_by_source={"ngram": 2},
    ttft_s=0.25,
    decode_s=0.5,
    tokens_per_second=6.0,
    context_tokens=10,
    context_limit=2048,
    kv_bytes=47_185_920,
)
JSON_STATS = {
    "prompt_tokens": 7,
    "tokens": 3,
    "target_passes": 2,
    "drafted": 2,
    "accepted": 1,
    "acceptance_rate": 0.5,
    "tokens_per_pass": 1.5,
    "accepted_by_position": [[1, 1], [1, 0]],
    "drafted_by_source": {"ngram": 2},
    "ttft_s": 0.25,
    "decode_s": 0.5,
    "tokens_per_second": 6.0,
    "plain_tokens_per_second": None,
    "speedup": None,
    "context_tokens": 10,
    "context_limit": 2048,
    "kv_bytes": 47_185_920,
}


@dataclass(frozen=True)
class FakePair:
    name: str
    title: str = "A small pair"
    target: str = "big"
    draft: str | None = "small"

    @property
    def models(self) -> tuple[str, ...]:
        return (self.target,) if self.draft is None else (self.target, self.draft)


@dataclass(frozen=True)
class FakeModel:
    name: str
    title: str = "Big"
    format: str = "gguf"
    size_bytes: int = 98_000_000
    sha256: str = "00"
    licence: str = "Apache-2.0"
    architecture: str = "llama"
    source: str = "hub"
    origin: str = ""


class FakeStore:
    """Two models, one pair; remembers what was asked of it."""

    def __init__(self, installed: tuple[str, ...] = ("big", "small")) -> None:
        self.names = list(installed)
        self.altered: set[str] = set()
        self.unreadable: list[str] = []
        self.mended: list[str] = []
        self.during_fetch: Callable[[], None] = lambda: None
        self.catalogue = Catalogue({}, {})
        self.used: list[str] = []
        self.shipped = ShippedDrafters(Shelf(Path("nowhere")), self.catalogue)

    def note_use(self, models: Iterable[str]) -> None:
        self.used += models

    def last_used(self) -> dict[str, str]:
        return dict.fromkeys(self.used, "2026-11-30T12:00:00+00:00")

    def installed(self) -> list[FakeModel]:
        return [FakeModel(name) for name in self.names]

    def damaged(self) -> list[DamagedModel]:
        return [DamagedModel(name, f"{name} has no manifest.") for name in self.unreadable]

    def is_installed(self, name: str) -> bool:
        return name in self.names

    def missing(self, pair: FakePair) -> list[str]:
        return [name for name in pair.models if name not in self.names]

    def pairs(self) -> list[FakePair]:
        return [FakePair("starter")]

    def pair(self, name: str) -> FakePair:
        if name != "starter":
            raise SlipstreamError(f"There is no pair {name!r}; slipstream models list shows them.")
        return FakePair(name)

    def missing_bytes(self, pair: FakePair) -> int:
        return 49_000_000 * sum(name not in self.names for name in (pair.target, pair.draft))

    def fetch(self, name: str, progress: Callable[[Progress], None], cancel: threading.Event) -> None:
        self.during_fetch()
        if cancel.is_set():
            raise CancelledError("Stopped: what has arrived is kept.")
        progress(Progress("fetching", 0, 100))
        progress(Progress("fetching", 100, 100))
        self.names = ["big", "small"]

    def import_file(
        self,
        path: Path,
        name: str | None,
        progress: Callable[[Progress], None],
        cancel: threading.Event,
        form: str | None,
    ) -> str:
        assert form is None
        return name or path.stem

    def make_pair(self, target: str, draft: str) -> FakePair:
        if target == draft:
            raise SlipstreamError("A model can't draft for itself; choose a smaller one.")
        return FakePair("mine", target=target, draft=draft)

    def verify(self, name: str, progress: Callable[[Progress], None], cancel: threading.Event) -> list[str]:
        if name in self.altered:
            raise SlipstreamError(f"{name} is damaged; fetch it again.")
        return self.mended

    def remove(self, name: str) -> None:
        self.names.remove(name)


class FakeEngine:
    """Answers "Grüße, Welt" in two passes; `at_second_pass` lets a test step in between."""

    exact = True
    pair = FakePair("starter")

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.closed = False
        self.at_second_pass: Callable[[], Event | None] = lambda: None
        self.reason: str | None = None

    def unavailable(self, speculation: Speculation) -> str | None:
        return self.reason

    def generate(self, request: Request, cancel: threading.Event) -> Iterator[Event]:
        self.requests.append(request)
        yield Started(7, 0, 0.25)
        yield Delta("Grüße, ", (1, 2), (2, 9), 1, "ngram", 0.1, STATS)
        event = self.at_second_pass()
        if event is not None:
            yield event
        elif cancel.is_set():
            yield Finished(FinishReason.CANCELLED, "Grüße, ", (1, 2), STATS)
        else:
            yield Delta("Wel", (3,), (), 0, "plain", 0.1, STATS)
            yield Finished(FinishReason.STOP, "Grüße, Welt", (1, 2, 3), STATS)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> FakeStore:
    fake = FakeStore()
    monkeypatch.setattr(cli, "open_store", lambda: fake)
    return fake


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, store: FakeStore) -> FakeEngine:
    fake = FakeEngine()
    monkeypatch.setattr(cli, "load_engine", lambda _store, _pair, _progress: fake)
    return fake


def usage_error(arguments: list[str]) -> int:
    """The exit code, whether argparse leaves by SystemExit or the request is refused."""
    try:
        return cli.main(arguments)
    except SystemExit as leaving:
        return int(leaving.code or 0)


def one_sentence(text: str) -> bool:
    return text.endswith("\n") and text.count("\n") == 1 and "Traceback" not in text


def test_ask_prints_the_answer_alone_on_standard_output(engine: FakeEngine, capsys: Any) -> None:
    assert cli.main(["ask", "Hello"]) == 0

    told = capsys.readouterr()
    assert told.out == "Grüße, Welt\n"
    assert told.err == ""
    assert engine.closed


def test_every_option_reaches_the_request(engine: FakeEngine) -> None:
    arguments = (
        "ask Hello --speculation ngram --draft-tokens 4 --max-tokens 9 --temperature 0.5 --top-p 0.9 "
        "--top-k 40 --min-p 0.1 --repetition-penalty 1.1 --seed 5 --system Briefly"
    )
    assert cli.main(arguments.split()) == 0

    request = engine.requests[0]
    assert [(message.role, message.content) for message in request.messages] == [
        ("system", "Briefly"),
        ("user", "Hello"),
    ]
    assert (request.speculation, request.draft_tokens, request.max_tokens) == (Speculation.NGRAM, 4, 9)
    sampling = request.sampling
    assert (sampling.temperature, sampling.top_p, sampling.top_k) == (0.5, 0.9, 40)
    assert (sampling.min_p, sampling.repetition_penalty, sampling.seed) == (0.1, 1.1, 5)


def test_json_is_one_object_with_the_keys_of_the_contract(engine: FakeEngine, capsys: Any) -> None:
    assert cli.main(["ask", "Hello", "--json"]) == 0

    answer = json.loads(capsys.readouterr().out)
    assert list(answer) == ["text", "token_ids", "finish_reason", "mode", "exact", "pair", "stats"]
    assert answer["text"] == "Grüße, Welt"
    assert answer["token_ids"] == [1, 2, 3]
    assert (answer["finish_reason"], answer["mode"], answer["exact"]) == ("stop", "auto", True)
    assert answer["pair"] == "starter"
    assert answer["stats"] == JSON_STATS


def test_stats_go_to_standard_error_and_assume_nothing(engine: FakeEngine, capsys: Any) -> None:
    cli.main(["ask", "Hello", "--stats"])

    line = capsys.readouterr().err
    assert one_sentence(line)
    assert "6.0 tokens/s" in line
    assert "1 of 2 drafted tokens accepted" in line
    assert "plain" not in line  # no baseline was measured


def test_a_measured_speedup_is_named(engine: FakeEngine, capsys: Any) -> None:
    fast = replace(STATS, plain_tokens_per_second=4.0, speedup=1.5)
    engine.at_second_pass = lambda: Finished(FinishReason.LENGTH, "Grüße, ", (1, 2), fast)

    cli.main(["ask", "Hello", "--stats"])

    assert "1.50x plain" in capsys.readouterr().err


def test_dash_reads_standard_input(engine: FakeEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("From a pipe\n"))

    assert cli.main(["ask", "-"]) == 0
    assert engine.requests[0].messages[0].content == "From a pipe\n"


def test_standard_input_that_is_not_utf8_is_a_sentence(
    engine: FakeEngine, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe"), encoding="utf-8"))

    assert cli.main(["ask", "-"]) == 2
    assert "not UTF-8" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask"],
        ["ask", ""],
        ["ask", "\udcff"],
        ["ask", "Hello", "--temperature", "hot"],
        ["ask", "Hello", "--temperature", "-1"],
        ["ask", "Hello", "--temperature", "nan"],
        ["ask", "Hello", "--top-p", "0"],
        ["ask", "Hello", "--max-tokens", "0"],
        ["ask", "Hello", "--draft-tokens", "99"],
        ["ask", "Hello", "--speculation", "magic"],
        ["ask", "Hello", "--seed", "-1"],
        ["ask", "Hello", "--no-such-option"],
        ["ask", "Hello", "there"],
        ["bench", "--modes", "plain,magic"],
        ["bench", "--modes", ","],
        ["bench", "--peers", "nobody"],
        ["bench", "--repeat", "0"],
        ["bench", "--temperature", "nan"],
        ["bench", "--temperature", "inf"],
        ["--smoke", "ask", "Hello"],
        ["models"],
        ["models", "fetch"],
        ["models", "pair", "big"],
        ["nonsense"],
    ],
)
def test_usage_errors_are_one_sentence_and_end_with_2(
    arguments: list[str], engine: FakeEngine, capsys: Any
) -> None:
    assert usage_error(arguments) == 2

    told = capsys.readouterr()
    assert told.out == ""
    assert one_sentence(told.err), told.err
    assert engine.requests == []


def test_an_unknown_pair_ends_with_1(engine: FakeEngine, capsys: Any) -> None:
    assert cli.main(["ask", "Hello", "--pair", "nobody"]) == 1
    assert capsys.readouterr().err == "There is no pair 'nobody'; slipstream models list shows them.\n"


def test_a_speculation_that_is_not_available_says_why(engine: FakeEngine, capsys: Any) -> None:
    engine.reason = "this pair has no draft model"

    assert cli.main(["ask", "Hello", "--speculation", "draft"]) == 1
    assert capsys.readouterr().err == "--speculation draft is not available: this pair has no draft model.\n"


def test_a_pair_of_the_same_target_that_can_do_it_is_named() -> None:
    store = ModelStore()
    coder, two_models = store.pair("coder"), store.pair("coder-0.5b")

    assert other_pair(store, coder, Speculation.DRAFT) == " Take --pair coder-0.5b for it."
    assert other_pair(store, two_models, Speculation.DFLASH) == " Take --pair coder for it."
    assert other_pair(store, store.pair("starter"), Speculation.DRAFT) == ""


def test_auto_answers_plainly_where_speculation_is_not_available(engine: FakeEngine) -> None:
    engine.reason = "this pair has no draft model"

    assert cli.main(["ask", "Hello"]) == 0


def test_a_generation_that_fails_keeps_what_came(engine: FakeEngine, capsys: Any) -> None:
    engine.at_second_pass = lambda: Failed("The memory is full; close other programs.")

    assert cli.main(["ask", "Hello"]) == 1

    told = capsys.readouterr()
    assert told.out == "Grüße, \n"
    assert told.err == "The memory is full; close other programs.\n"


def test_a_failure_before_the_first_token_leaves_standard_output_empty(
    engine: FakeEngine, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def fail(_request: Request, _cancel: threading.Event) -> Iterator[Event]:
        yield Failed("The memory is full; close other programs.")

    monkeypatch.setattr(engine, "generate", fail)

    assert cli.main(["ask", "Hello"]) == 1
    assert capsys.readouterr().out == ""


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def test_ctrl_c_stops_the_answer_and_prints_what_came(engine: FakeEngine, capsys: Any) -> None:
    engine.at_second_pass = interrupt
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a shell's background jobs start with SIGINT ignored

    assert cli.main(["ask", "Hello"]) == 130
    assert capsys.readouterr().out == "Grüße, \n"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_with_json_still_prints_the_object(engine: FakeEngine, capsys: Any) -> None:
    engine.at_second_pass = interrupt

    assert cli.main(["ask", "Hello", "--json"]) == 130
    assert json.loads(capsys.readouterr().out)["finish_reason"] == "cancelled"


def test_a_second_ctrl_c_does_not_wait_for_the_engine(engine: FakeEngine, capsys: Any) -> None:
    def twice() -> None:
        interrupt()
        interrupt()

    engine.at_second_pass = twice

    assert cli.main(["ask", "Hello"]) == 130
    assert capsys.readouterr().err == "Stopped.\n"
    assert engine.closed


def test_a_missing_pair_is_fetched_after_saying_what_and_how_much(
    engine: FakeEngine, store: FakeStore, capsys: Any
) -> None:
    store.names = ["big"]

    assert cli.main(["ask", "Hello"]) == 0

    told = capsys.readouterr()
    assert told.out == "Grüße, Welt\n"
    assert told.err.splitlines() == [
        "Fetching small for the pair 'starter': 49 MB, once.",
        "fetching: 0 %",
        "fetching: 100 %",
    ]


@pytest.mark.parametrize("command", [["ask", "Hello"], ["models", "fetch", "starter"]])
def test_ctrl_c_stops_a_fetch(command: list[str], engine: FakeEngine, store: FakeStore, capsys: Any) -> None:
    store.names = []
    store.during_fetch = interrupt

    assert cli.main(command) == 130
    assert capsys.readouterr().err.endswith("Stopped: what has arrived is kept.\n")
    assert store.names == []


def test_what_nobody_foresaw_goes_to_a_log_file(
    engine: FakeEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def fall_over() -> None:
        raise ZeroDivisionError("deep inside")

    monkeypatch.setenv("SLIPSTREAM_HOME", str(tmp_path))
    engine.at_second_pass = fall_over

    assert cli.main(["ask", "Hello"]) == 1

    log = tmp_path / "logs" / "slipstream-errors.log"
    sentence = capsys.readouterr().err
    assert one_sentence(sentence)
    assert str(log) in sentence
    assert "ZeroDivisionError: deep inside" in log.read_text(encoding="utf-8")


def test_a_reader_that_leaves_is_met_with_silence(tmp_path: Path) -> None:
    """GIVEN a pipe whose reader has gone WHEN an answer is written THEN no word is said."""
    program = (
        "import sys; from tests.test_cli import FakeEngine, FakeStore; from app import cli\n"
        "cli.open_store = FakeStore; cli.load_engine = lambda *_: FakeEngine()\n"
        "sys.exit(cli.main(['ask', 'Hello']))"
    )
    root = Path(__file__).parent.parent
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == 1


def test_without_avx2_nothing_native_is_tried(
    engine: FakeEngine, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(processor, "missing_avx2", lambda: True)

    assert cli.main(["ask", "Hello"]) == 1
    assert "no AVX2" in capsys.readouterr().err
    assert engine.requests == []


def test_without_a_display_the_window_says_how_to_ask(
    store: FakeStore, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.setattr(system_libraries, "display", lambda: None)

    assert cli.main([]) == 1

    told = capsys.readouterr().err
    assert one_sentence(told)
    assert "slipstream ask" in told


def test_missing_libraries_are_named_with_their_packages(
    store: FakeStore, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(system_libraries, "display", lambda: "X11 :0")
    monkeypatch.setattr(system_libraries, "missing", lambda: {"libxcb-cursor.so.0": "libxcb-cursor0"})

    assert cli.main([]) == 1
    assert "sudo apt-get install libxcb-cursor0" in capsys.readouterr().err


def test_version(capsys: Any) -> None:
    assert usage_error(["--version"]) == 0
    assert capsys.readouterr().out == f"slipstream {__version__}\n"


def test_models_list(store: FakeStore, capsys: Any) -> None:
    store.names, store.unreadable, store.used = ["big"], ["wreck"], ["big"]

    assert cli.main(["models", "list", "--json"]) == 0

    report = json.loads(capsys.readouterr().out)
    assert [model["name"] for model in report["models"]] == ["big"]
    assert report["models"][0]["last_used"].startswith("2026")
    assert report["pairs"][0]["missing_bytes"] == 49_000_000
    assert report["damaged"] == [{"name": "wreck", "reason": "wreck has no manifest."}]


@pytest.mark.parametrize(
    ("installed", "sentence"), [((), "No model is installed"), (("big", "small"), "A small pair (ready)")]
)
def test_models_list_in_words(
    installed: tuple[str, ...], sentence: str, store: FakeStore, capsys: Any
) -> None:
    store.names = list(installed)

    assert cli.main(["models", "list"]) == 0
    assert sentence in capsys.readouterr().out


def test_models_fetch_import_pair_remove(store: FakeStore, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "mine.gguf"
    file.touch()
    expected = {
        ("fetch", "starter"): {"fetched": "starter"},
        ("import", str(file)): {"imported": "mine"},
        ("pair", "big", "small"): {
            "pair": {"name": "mine", "title": "A small pair", "target": "big", "draft": "small"}
        },
        ("remove", "small"): {"removed": "small"},
    }
    for arguments, report in expected.items():
        assert cli.main(["models", *arguments, "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == report
    assert store.names == ["big"]


def test_a_pair_that_does_not_fit_is_refused_with_the_reason(store: FakeStore, capsys: Any) -> None:
    assert cli.main(["models", "pair", "big", "big"]) == 1
    assert "choose a smaller one" in capsys.readouterr().err


def test_verify_tells_the_damaged_model(store: FakeStore, capsys: Any) -> None:
    store.altered, store.unreadable = {"small"}, ["wreck"]

    assert cli.main(["models", "verify"]) == 1

    told = capsys.readouterr()
    assert told.out == "big: intact\n"
    assert told.err == "small is damaged; fetch it again. wreck has no manifest.\n"


def test_verify_tells_what_it_mended(store: FakeStore, capsys: Any) -> None:
    store.names, store.mended = ["big"], ["A conversion was deleted."]

    assert cli.main(["models", "verify"]) == 0
    assert capsys.readouterr().out == "big: intact. A conversion was deleted.\n"


def test_verify_of_sound_models(store: FakeStore, capsys: Any) -> None:
    assert cli.main(["models", "verify", "--json"]) == 0
    assert [model["ok"] for model in json.loads(capsys.readouterr().out)["models"]] == [True, True]


def test_bench_options(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> None:
    """GIVEN every option WHEN bench runs THEN they arrive as BenchOptions and its summary is printed."""
    seen: list[BenchOptions] = []

    class FakeBench:
        @staticmethod
        def run(options: BenchOptions) -> str:
            seen.append(options)
            return "the summary"

    monkeypatch.setitem(sys.modules, "engine.bench.run", FakeBench)
    prompts = tmp_path / "prompts.jsonl"
    prompts.touch()
    arguments = (
        f"bench --prompts {prompts} --limit 2 --max-tokens 5 --temperature 1 --modes plain,auto "
        "--peers llama-cpp --repeat 3 --json out.json"
    )

    assert cli.main(arguments.split()) == 0

    assert capsys.readouterr().out == "the summary\n"
    assert seen == [
        BenchOptions("starter", prompts, 2, 5, 1.0, ("plain", "auto"), ("llama-cpp",), 3, Path("out.json"))
    ]


@pytest.mark.parametrize(
    ("option", "path", "sentence"),
    [
        ("--prompts", "/no/such.jsonl", "There is no file /no/such.jsonl; check the path.\n"),
        ("--json", "/no/such/out.json", "There is no folder for /no/such/out.json; make it first.\n"),
        ("--json", "/", "/ is a folder; give the result a file's name in it.\n"),
    ],
)
def test_bench_checks_its_files_first(option: str, path: str, sentence: str, capsys: Any) -> None:
    assert cli.main(["bench", option, path]) == 1
    assert capsys.readouterr().err == sentence


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_in_a_terminal_rewrites_one_line() -> None:
    stream = Terminal()
    line = ProgressLine(stream)
    for done in (0, 1, 1, 50):
        line(Progress("loading", done, 100))
    line.close()

    assert "\n" not in stream.getvalue()
    assert stream.getvalue().count("loading: 1 %") == 1
    assert stream.getvalue().endswith("\r\x1b[K")


def test_progress_elsewhere_is_a_line_a_quarter() -> None:
    stream = io.StringIO()
    line = ProgressLine(stream)
    for done in range(101):
        line(Progress("loading", done, 100))
    line(Progress("compiling", 0, 1))
    line(Progress("compiling", 1, 1))

    assert stream.getvalue().splitlines() == [
        *(f"loading: {percent} %" for percent in (0, 25, 50, 75, 100)),
        "compiling ...",
    ]


def test_sizes_in_words() -> None:
    assert [megabytes(size) for size in (900, 98_300_000, 1_117_000_000)] == ["1 kB", "98 MB", "1,117 MB"]
