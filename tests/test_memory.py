"""What a pair will take in memory, what is said when that is too much, and what happens when memory ends too early."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app import cli
from engine.engine import Engine
from engine.errors import SlipstreamError
from engine.events import Delta, Failed
from engine.graphs.convert import found_conversion
from engine.load_options import LoadOptions
from engine.models import estimate as estimates
from engine.models.catalogue import Pair
from engine.models.estimate import OVERRIDE, check_memory, estimate
from engine.models.memory import MemoryEstimate, MemoryPart, MemoryShortError, Part, Verdict
from engine.models.store import ModelStore
from engine.request import Message, Request, Sampling, Speculation
from tests.tiny_hybrid import HybridShape, write_gguf
from tests.tiny_models import Shape, write_model

SHAPE = Shape(hidden=128, intermediate=256, layers=3, context=4096)
MB = 10**6


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ModelStore:
    folder = tmp_path_factory.mktemp("memory")
    store = ModelStore(folder / "home")
    store.import_file(write_model(folder / "t.gguf", SHAPE), "target")
    store.import_file(write_model(folder / "d.gguf", replace(SHAPE, layers=1)), "draft")
    store.import_file(write_gguf(folder / "h.gguf", HybridShape()), "hybrid")
    return store


def sizes(found: MemoryEstimate) -> dict[tuple[str, Part], int]:
    return {(part.model, part.part): part.bytes for part in found.parts}


def estimate_of(free: int, weights: int = 600 * MB, file: int = 300 * MB) -> MemoryEstimate:
    parts = (MemoryPart(Part.WEIGHTS, "m", weights), MemoryPart(Part.FILE, "m", file))
    return MemoryEstimate(parts, 4096, 1000, free)


@pytest.mark.parametrize(
    ("free", "verdict"),
    [(901 * MB, Verdict.FITS), (899 * MB, Verdict.TIGHT), (599 * MB, Verdict.TOO_LARGE)],
)
def test_mapped_files_may_be_given_up_but_nothing_else(free: int, verdict: Verdict) -> None:
    assert estimate_of(free).verdict is verdict
    assert bool(estimate_of(free).sentence) is (verdict is not Verdict.FITS)


def test_a_conversion_that_needs_more_than_running_decides() -> None:
    running = estimate_of(1300 * MB)
    converting = replace(running, converting=1500 * MB)

    assert converting.total == 1500 * MB
    assert converting.verdict is Verdict.TIGHT
    assert replace(converting, converting=2000 * MB).verdict is Verdict.TOO_LARGE


def test_how_long_a_conversation_may_become_is_told() -> None:
    assert estimate_of(700 * MB).longest == 100_000
    assert estimate_of(500 * MB).longest == 0


def test_caches_and_weights_are_those_of_the_loaded_pair(store: ModelStore) -> None:
    """GIVEN a loaded pair THEN its estimate had the bytes of its conversions and of its caches' tokens."""
    folders = [store.path("target"), store.path("draft")]
    Engine.load(store, Pair("p", "P", "target", "draft")).close()
    engine = Engine.load(store, Pair("p", "P", "target", "draft"))
    found = engine.estimate
    assert found is not None
    assert found.converting == 0
    assert found.context == SHAPE.context
    assert found.per_token == engine.kv_bytes_per_token
    for name, folder, drafting in (("target", folders[0], False), ("draft", folders[1], True)):
        conversion = found_conversion(folder, drafting)
        assert conversion is not None
        size = conversion.with_name("weights.bin").stat().st_size
        table = 0 if b'"embedding"' not in conversion.read_bytes() else size
        assert size - table <= sizes(found)[name, Part.WEIGHTS] <= size
    caches = sum(size for (_, part), size in sizes(found).items() if part is Part.CACHE)
    assert caches == found.context * found.per_token
    engine.close()


def test_what_is_not_converted_yet_is_converted_first(tmp_path: Path) -> None:
    write_model(tmp_path / "model.gguf", SHAPE)

    found = estimate([tmp_path])

    assert found.converting > 0
    assert sizes(found)[tmp_path.name, Part.WEIGHTS] > 0


def test_a_longer_context_takes_what_its_tokens_take(store: ModelStore) -> None:
    short, long = (
        estimate([store.path("target")], LoadOptions(context_limit=limit), free=0) for limit in (2048, 4096)
    )
    # the first load times the model on a long cache, whatever the context
    assert long.total >= short.total
    assert (short.context, long.context) == (2048, 4096)


def test_states_of_linear_attention_are_counted(store: ModelStore) -> None:
    engine = Engine.load(store, store.pair("hybrid"))
    assert engine.target.states is not None
    assert engine.estimate is not None
    states = sizes(engine.estimate)["hybrid", Part.STATES]
    assert states % engine.target.states.checkpoint_bytes == 0
    assert states >= engine.target.states.bytes
    assert engine.estimate.per_token == engine.kv_bytes_per_token
    engine.close()


def test_too_little_memory_is_an_error_with_the_estimate(store: ModelStore) -> None:
    with pytest.raises(MemoryShortError, match=r"only 0\.0 GB is free") as caught:
        check_memory([store.path("target")], free=1000)
    assert caught.value.estimate.verdict is Verdict.TOO_LARGE


def test_the_check_can_be_overridden(store: ModelStore, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [store.path("target")]
    assert check_memory(folders, LoadOptions(anyway=True), free=1000)
    monkeypatch.setenv(OVERRIDE, "1")
    assert check_memory(folders, free=1000)


def test_an_override_is_no_other_way_to_load() -> None:
    assert LoadOptions(anyway=True) == LoadOptions()


def test_a_torn_file_is_left_to_the_loading(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(b"GGUF")
    assert check_memory([tmp_path], free=0) is None


def test_the_command_line_names_the_way_round(
    store: ModelStore, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "open_store", lambda: store)
    monkeypatch.setattr(estimates.memory, "free_bytes", lambda: 1000)

    assert cli.main(["ask", "Hello", "--pair", "target"]) == 1

    told = capsys.readouterr().err
    assert "but only 0.0 GB is free" in told
    assert f"{OVERRIDE}=1" in told


def test_memory_that_ends_in_an_answer_leaves_its_text(store: ModelStore) -> None:
    """GIVEN a system that has no more to give WHEN the cache must grow THEN the answer ends with a sentence, its text
    stays, and the next one is answered when there is memory again."""
    engine = Engine.load(store, store.pair("target"))
    free = [10**12]
    engine.target.cache._free = lambda: free[0]
    asked = Request(
        (Message("user", "a b c d e f " * 80),),
        Sampling(),
        max_tokens=300,
        speculation=Speculation.OFF,
    )
    engine.target.cache.reserve(1)
    room = engine.target.cache.blocks * engine.target.cache.block_tokens
    assert len(engine.prompt_tokens(asked)) < room
    free[0] = 0

    events = list(engine.generate(asked))

    assert isinstance(events[-1], Failed)
    assert "not enough memory" in events[-1].message
    assert any(isinstance(event, Delta) and event.text for event in events)
    free[0] = 10**12
    engine.forget()
    assert not isinstance(list(engine.generate(asked))[-1], Failed)
    engine.close()


def test_a_model_that_can_not_grow_a_state_says_so(store: ModelStore) -> None:
    engine = Engine.load(store, store.pair("hybrid"))
    assert engine.target.states is not None
    engine.target.states._free = lambda: 0
    events = list(engine.generate(Request((Message("user", "Hello " * 40),), max_tokens=20)))
    assert isinstance(events[-1], Failed)
    assert "not enough memory" in events[-1].message
    engine.close()


class Refusing:
    """An infer request whose passes find no memory."""

    def __init__(self, request: object) -> None:
        self._request = request

    def __getattr__(self, name: str) -> object:
        return getattr(self._request, name)

    def infer(self, **_: object) -> None:
        raise RuntimeError("Exception from src/inference:\nFailed to allocate 2801664 bytes of memory")


def test_a_pass_without_memory_says_so(store: ModelStore) -> None:
    engine = Engine.load(store, store.pair("target"))
    engine.target._request = Refusing(engine.target._request)

    events = list(engine.generate(Request((Message("user", "Hello"),), max_tokens=20)))

    assert isinstance(events[-1], Failed)
    assert events[-1].message.startswith("There is not enough memory for the model to go on")
    engine.close()


LIMITED = """
import resource, sys
from pathlib import Path
import psutil
from engine.engine import Engine
from engine.models.store import ModelStore
from engine.request import Message, Request
store = ModelStore(Path(sys.argv[1]))
engine = Engine.load(store, store.pair("starter"))
most = psutil.Process().memory_info().vms + 20_000_000
resource.setrlimit(resource.RLIMIT_AS, (most, most))
asked = Request((Message("user", "Tell me about the river and the sea. " * 400),), max_tokens=8)
last = list(engine.generate(asked))[-1]
print(type(last).__name__, last.message)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits a process's memory so")
def test_a_system_that_refuses_memory_is_a_sentence_and_no_crash(
    model_store: ModelStore, smol_gguf: Path
) -> None:
    """GIVEN a process that gets 20 MB more WHEN a long prompt is read THEN the answer ends with a sentence."""
    command = [sys.executable, "-c", LIMITED, str(model_store.home)]
    root = Path(__file__).resolve().parents[1]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Failed There is not enough memory")


@pytest.mark.large
@pytest.mark.parametrize("pair", ["starter", "coder", "coder-0.5b"])
@pytest.mark.parametrize("tokens", [100, 4000])
def test_the_estimate_is_within_a_tenth_of_the_peak(pair: str, tokens: int, model_store: ModelStore) -> None:
    model_store.fetch(pair)
    script = Path(__file__).with_name("memory_run.py")
    command = [sys.executable, str(script), "--child", pair, "--context", str(tokens)]
    environment = {**os.environ, "SLIPSTREAM_HOME": str(model_store.home)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)

    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert 0.9 < told["estimate"] / told["peak"] < 1.1


def test_errors_stay_sentences() -> None:
    assert issubclass(MemoryShortError, SlipstreamError)
