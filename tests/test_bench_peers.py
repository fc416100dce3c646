"""Peers in processes of their own: what they are asked, which settings they get, how they fail."""

import os
import sys
from collections.abc import Generator
from itertools import chain, repeat
from pathlib import Path

import pytest

from engine.bench import peers
from engine.bench.loaded import SCRATCH, peer_models
from engine.bench.options import BenchOptions
from engine.bench.peer_process import PeerProcess
from engine.bench.peer_worker import Timing
from engine.bench.sweep import LONGEST_S, Sweep, axes
from engine.errors import SlipstreamError
from engine.models.catalogue import Pair
from engine.models.store import ModelStore
from engine.request import Message
from tests.bench_fakes import LetterTokenizer, Named, ScriptedEngine, run_with
from tests.tiny_models import Shape, write_model


@pytest.mark.parametrize("peer", ["openvino-genai", "llama-cpp"])
def test_a_missing_peer_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, peer: str) -> None:
    monkeypatch.setitem(peers.LIBRARIES, peer, "no_such_library")
    with pytest.raises(SlipstreamError) as error:
        run_with(ScriptedEngine(), BenchOptions("tiny", peers=(peer,)), tmp_path)
    assert str(error.value) == (
        f"The peer '{peer}' needs a library that is not installed: run pip install slipstream[bench]."
    )


ECHO = """
import json, sys
flash = False
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "load":
        flash, reply = request["settings"]["flash_attention"], {}
    elif request["op"] == "break":
        raise SystemExit("out of memory.")
    elif request["settings"].get("ngram") == 3:
        reply = {"error": "No such n-gram."}
    else:
        seconds = (1 if flash else 2) * (1 if request["settings"].get("draft_tokens") == 5 else 2)
        reply = {"tokens": request["prompt"][: request["max_tokens"]], "seconds": seconds}
    print(json.dumps(reply), flush=True)
"""


class Processes:
    """Starts the worker above instead of a peer, and remembers what was started."""

    def __init__(self) -> None:
        self.started: list[PeerProcess] = []

    def __call__(self, name: str) -> PeerProcess:
        self.started.append(PeerProcess(name, [sys.executable, "-c", ECHO]))
        return self.started[-1]

    @property
    def alive(self) -> list[PeerProcess]:
        return [process for process in self.started if process.alive]


@pytest.fixture
def processes() -> Generator[Processes, None, None]:
    made = Processes()
    yield made
    for process in made.started:
        process.close()


@pytest.fixture
def worker(processes: Processes) -> PeerProcess:
    return processes("echo")


def peer_of(processes: Processes, tmp_path: Path, temperature: float = 0.0) -> peers.Peer:
    models = peers.PeerModels(tmp_path, None, tmp_path, (2,), 64)
    return peers.Peer("llama-cpp", models, LetterTokenizer(), temperature, start=processes)


ASKED = [(Message("user", "abcd"),)]


def test_a_peer_gets_our_tokens_and_its_fastest_settings(processes: Processes, tmp_path: Path) -> None:
    """GIVEN a peer that is fastest with flash attention and 5 tokens, and fails with n-grams of 3."""
    peer, told = peer_of(processes, tmp_path), []

    mode, measured = peer.tuned("lookup", ASKED, told.append)
    answer = mode.answer((Message("user", "xyz"),), 2)

    best = {"flash_attention": True, "threads": 2, "draft_tokens": 5, "ngram": 2}
    assert (mode.name, mode.plain) == ("llama-cpp:lookup", "llama-cpp:plain")
    assert (answer.text, answer.tokens) == ("xy", (120, 121))
    assert measured["chosen"] == best
    assert measured["cut_short"] is False
    assert {**best, "tokens_per_second": 4.0} in measured["tried"]
    assert {**best, "ngram": 3, "tokens_per_second": None} in measured["tried"]
    assert told == [
        "llama-cpp:lookup: flash attention on, threads 2, draft tokens 5, ngram 2 was the fastest of 9"
    ]
    peer.close()


def test_every_mode_keeps_one_process_of_its_own(processes: Processes, tmp_path: Path) -> None:
    """So that its peak memory is nobody else's."""
    peer = peer_of(processes, tmp_path)

    modes = [peer.tuned(mode, ASKED, lambda _line: None)[0] for mode in peer.modes]

    assert len(processes.started) == 4  # flash attention off and on, in two modes
    assert processes.alive == [mode.process for mode in modes]
    peer.close()
    assert processes.alive == []


def test_sampled_answers_of_peers_are_compared_with_none(processes: Processes, tmp_path: Path) -> None:
    peer = peer_of(processes, tmp_path, temperature=1.0)
    mode, _measured = peer.tuned("plain", ASKED, lambda _line: None)
    assert mode.plain is None
    peer.close()


def test_the_sweep_ends_after_its_time(processes: Processes, tmp_path: Path) -> None:
    """GIVEN a clock that jumps during the first measurement THEN the first settings are kept."""
    asked: list[dict[str, object]] = []

    def opened(settings: dict[str, object]) -> Named:
        asked.append(settings)
        return Named("p")

    times = chain([0.0, 1.0], repeat(LONGEST_S + 1.0))
    sweep = Sweep(opened, lambda best: None, ASKED, clock=lambda: next(times))

    assert sweep.best(([{"a": 1}, {"a": 2}], [{"b": 1}, {"b": 2}])) == {"a": 1, "b": 1}
    assert asked == [{"a": 1, "b": 1}]
    assert sweep.cut_short


def test_a_mode_without_a_working_setting_says_why() -> None:
    sweep = Sweep(lambda settings: Named("p", fails=True), lambda best: None, ASKED)
    with pytest.raises(SlipstreamError, match="It broke"):
        sweep.best(([{"a": 1}, {"a": 2}],))


@pytest.mark.parametrize(
    ("peer", "mode", "names"),
    [
        ("openvino-genai", "plain", {"compile"}),
        ("openvino-genai", "lookup", {"compile", "draft_tokens", "ngram"}),
        ("openvino-genai", "draft", {"compile", "draft_tokens", "confidence"}),
        ("llama-cpp", "plain", {"flash_attention", "threads"}),
        ("llama-cpp", "lookup", {"flash_attention", "threads", "draft_tokens", "ngram"}),
    ],
)
def test_what_is_tried(peer: str, mode: str, names: set[str]) -> None:
    assert {name for axis in axes(peer, mode, (1, 2)) for choice in axis for name in choice} == names


def test_a_peer_that_dies_is_told_with_its_last_words(worker: PeerProcess) -> None:
    with pytest.raises(SlipstreamError) as error:
        worker.ask({"op": "break"})
    assert str(error.value) == "The peer 'echo' ended unexpectedly (out of memory)."


def test_the_real_worker_reports_a_failure_instead_of_dying(tmp_path: Path) -> None:
    process = PeerProcess("llama-cpp")
    try:
        with pytest.raises(SlipstreamError, match=r"^The peer 'llama-cpp' failed: .+\.$"):
            process.ask(
                {
                    **peers.PeerModels(tmp_path, None, tmp_path, (1,), 64).request("load"),
                    "mode": "plain",
                    "settings": {"threads": 1, "flash_attention": False},
                }
            )
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


def test_llama_looks_up_in_prompts_longer_than_a_batch(tmp_path: Path) -> None:
    """llama-cpp-python keeps logits of 512 positions unless told to keep all, and then a longer prompt breaks it."""
    pytest.importorskip("llama_cpp")
    from engine.bench.peer_llama import LlamaPeer

    write_model(tmp_path / "model.gguf", Shape(context=1024))
    settings = {"threads": 1, "flash_attention": False, "draft_tokens": 3, "ngram": 2}
    peer = LlamaPeer("lookup", tmp_path, 640, settings)
    prompt = list(b"a log of many words, " * 28)

    reply = peer.generate(
        {
            "prompt": prompt,
            "max_tokens": 8,
            "ends": [],
            "settings": settings,
            "temperature": 0.0,
            "seed": 0,
        }
    )

    assert len(prompt) > 512
    assert len(reply["tokens"]) == 8
    assert 1 <= reply["passes"] <= 8
    assert reply["accepted"] == 8 - reply["passes"] <= reply["drafted"]


def test_the_scratch_folder_goes_and_so_do_leftovers_of_killed_runs(tmp_path: Path) -> None:
    old, fresh = tmp_path / f"{SCRATCH}old", tmp_path / f"{SCRATCH}fresh"
    for folder in (old, fresh):
        folder.mkdir()
        (folder / "model.bin").touch()
    os.utime(old, (0, 0))

    with peer_models(ModelStore(tmp_path), Pair("tiny", "Tiny", "target", "draft"), 64) as models:
        assert models.scratch.is_dir()

    assert not models.scratch.exists()
    assert (old.exists(), fresh.exists()) == (False, True)
    assert (models.target, models.draft) == (tmp_path / "models" / "target", tmp_path / "models" / "draft")
