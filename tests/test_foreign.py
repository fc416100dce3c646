"""Models whose graph is not ours: an OpenVINO model kept whole, and checkpoints that only optimum-intel reads."""

import json
import shutil
import sys
import threading
from pathlib import Path

import numpy as np
import psutil
import pytest

from engine.bench.genai_ir import write_genai_model
from engine.errors import SlipstreamError
from engine.graphs.compress import WeightFormat
from engine.graphs.convert import compress_gguf, converted_weights
from engine.graphs.gguf_model import GgufModel
from engine.models import optimum_import
from engine.models.importing import AS_IT_IS, formats
from engine.models.ir_import import relative_difference
from engine.models.meter import CancelledError, Meter
from engine.models.store import ModelStore
from engine.target import Target
from tests.tiny_checkpoints import Folder, write

TOKENS = [(31 * i * i + 11 * i + i // 7) % 256 for i in range(60)]


@pytest.fixture
def store(tmp_path: Path) -> ModelStore:
    return ModelStore(tmp_path / "home")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A stateful model whose operations have no names, of a kind that Slipstream has never heard of."""
    checkpoint = write(tmp_path / "checkpoint", Folder("llama"))
    other = ModelStore(tmp_path / "other")
    weights = compress_gguf(
        GgufModel.open(other.path(other.import_file(checkpoint)) / "model.gguf"), WeightFormat.F32
    )
    folder = tmp_path / "Stranger"
    write_genai_model(weights, folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(checkpoint / name, folder)
    config = json.loads((checkpoint / "config.json").read_text(encoding="utf-8")) | {"model_type": "stranger"}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def expected(tmp_path: Path) -> np.ndarray:
    other = ModelStore(tmp_path / "other")
    weights = compress_gguf(GgufModel.open(other.path("checkpoint") / "model.gguf"), WeightFormat.F32)
    return Target(weights).forward(TOKENS)


def test_a_strange_model_runs_on_the_paged_cache(store: ModelStore, folder: Path, tmp_path: Path) -> None:
    """GIVEN a model with another graph WHEN rows are drafted and taken back THEN the logits are as if never drafted."""
    home = store.path(store.import_file(folder))
    target = Target(converted_weights(home))
    reference = expected(tmp_path)

    assert store.installed()[0].architecture == "openvino"
    assert [offer.name for offer in formats(folder)] == [AS_IT_IS]
    target.forward(TOKENS[:40], logits_for=[0])
    target.forward([1, 2, 3, 4, 5])
    target.rollback(40)
    logits = target.forward(TOKENS[40:], logits_for=[3, 19])
    assert logits.shape == (2, reference.shape[1])
    assert relative_difference(reference[[43, 59]], logits) < 1e-3


def test_a_block_drafter_cannot_look_inside(store: ModelStore, folder: Path) -> None:
    weights = converted_weights(store.path(store.import_file(folder)))
    with pytest.raises(SlipstreamError, match="can't look inside"):
        Target(weights, taps=(0, 1))


def test_what_was_damaged_later_is_told(store: ModelStore, folder: Path) -> None:
    file = store.path(store.import_file(folder)) / "model.gguf"
    data = file.read_bytes()
    file.write_bytes(data.replace(b'type="MatMul"', b'type="MatMux"'))
    with pytest.raises(SlipstreamError, match="can't prepare this model"):
        Target(converted_weights(file.parent))


def test_an_extension_is_refused_at_every_load(store: ModelStore, folder: Path) -> None:
    file = store.path(store.import_file(folder)) / "model.gguf"
    file.write_bytes(file.read_bytes().replace(b'version="opset1"', b'version="trojan"', 1))
    with pytest.raises(SlipstreamError, match="needs an extension"):
        Target(converted_weights(file.parent))


# optimum-intel


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    folder = write(tmp_path / "Other-Model", Folder("llama"))
    config = json.loads((folder / "config.json").read_text(encoding="utf-8")) | {"model_type": "other"}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def test_without_the_extra_the_command_is_told(store: ModelStore, checkpoint: Path) -> None:
    if all(optimum_import.importlib.util.find_spec(name) for name in ("optimum", "torch")):
        pytest.skip("optimum-intel is installed")
    with pytest.raises(
        SlipstreamError, match=r"'other'; optimum-intel may: run pip install slipstream\[convert\]"
    ):
        store.import_file(checkpoint)


def worker(program: str) -> list[str]:
    return [sys.executable, "-c", program]


def test_the_worker_is_followed_and_its_model_taken(
    store: ModelStore, checkpoint: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIVEN a worker that converts WHEN a checkpoint is imported THEN its progress shows and its model is installed."""
    program = f"import shutil, sys; print('Applying 57%'); shutil.copytree({str(folder)!r}, sys.argv[2])"
    convert = optimum_import.convert
    monkeypatch.setattr(optimum_import, "require_extra", lambda kind: None)
    monkeypatch.setattr(optimum_import, "convert", lambda *given: convert(*given, command=worker(program)))

    assert store.import_file(checkpoint) == "other-model"
    assert store.installed()[0].title == "Other-Model"
    assert not list((store.home / "models" / ".incoming").glob("*/*"))


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("raise ValueError('no such kind.')", "ValueError: no such kind."),
        ("import os; os._exit(3)", "it ended without a word"),
        ("print('done, but nothing written')", "done, but nothing written."),
    ],
)
def test_a_worker_that_fails_has_the_last_word(
    checkpoint: Path, tmp_path: Path, program: str, words: str
) -> None:
    with pytest.raises(SlipstreamError, match=f"could not convert Other-Model: {words}"):
        optimum_import.convert(checkpoint, tmp_path / "out", Meter(), command=worker(program))


def test_a_cancel_ends_the_worker(checkpoint: Path, tmp_path: Path) -> None:
    started, cancel = tmp_path / "pid", threading.Event()
    note = f"import os, sys; open({str(started)!r}, 'w').write(str(os.getpid())); "
    program = note + "print('7%', flush=True); sys.stdin.read()"
    meter = Meter(lambda progress: cancel.set() if progress.done == 7 else None, cancel)
    meter.enter("convert", total=100, done=0)

    with pytest.raises(CancelledError):
        optimum_import.convert(checkpoint, tmp_path / "out", meter, command=worker(program))
    assert not psutil.pid_exists(int(started.read_text()))
