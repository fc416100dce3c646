"""A Hugging Face folder becomes a model like any other: `models import FOLDER`."""

import json
from pathlib import Path

import gguf
import numpy as np
import pytest

from engine.errors import SlipstreamError
from engine.events import Progress
from engine.graphs.compress import WeightFormat
from engine.graphs.convert import compress_gguf
from engine.graphs.gguf_model import GgufModel
from engine.models.estimate import estimate
from engine.models.memory import Part
from engine.models.store import ModelStore
from engine.request import Message
from engine.target import Target
from engine.tokenizer import Tokenizer
from tests.tiny_hybrid import TEMPLATE, HybridShape, Reference, write_checkpoint, write_gguf
from tests.tiny_models import IM_END

TOKENS = [(31 * i * i + 11 * i + i // 7) % 256 for i in range(60)]
SHAPE = HybridShape(key_heads=2, value_heads=6)


@pytest.fixture
def store(tmp_path: Path) -> ModelStore:
    return ModelStore(tmp_path / "home")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_checkpoint(tmp_path / "Tiny-Qwen", SHAPE)


def test_a_folder_is_imported_and_computes_what_it_should(store: ModelStore, folder: Path) -> None:
    told: list[Progress] = []
    name = store.import_file(folder, progress=told.append)

    (model,) = store.installed()
    assert (name, model.title, model.architecture) == ("tiny-qwen", "Tiny-Qwen", "qwen35")
    assert model.licence == "apache-2.0"
    assert told[-1].done == told[-1].total
    weights = compress_gguf(GgufModel.open(store.path(name) / "model.gguf"), WeightFormat.F32)
    logits, _ = Reference(SHAPE).forward(TOKENS)
    np.testing.assert_allclose(Target(weights).forward(TOKENS), logits, atol=1e-4)


def test_the_file_is_what_llama_cpp_would_write(store: ModelStore, folder: Path, tmp_path: Path) -> None:
    name = store.import_file(folder)
    ours, theirs = (
        {tensor.name: tensor for tensor in gguf.GGUFReader(path).tensors}
        for path in (store.path(name) / "model.gguf", write_gguf(tmp_path / "other.gguf", SHAPE))
    )

    for tensor, expected in theirs.items():
        if "nextn" not in tensor:
            assert list(ours[tensor].shape) == list(expected.shape), tensor
            np.testing.assert_allclose(ours[tensor].data, expected.data, rtol=1e-6)


def test_the_tokenizer_comes_along(store: ModelStore, folder: Path, tmp_path: Path) -> None:
    name = store.import_file(folder)
    ours = Tokenizer.from_gguf(store.path(name) / "model.gguf")
    theirs = Tokenizer.from_gguf(write_gguf(tmp_path / "other.gguf", SHAPE))

    assert ours.eos_ids == {IM_END, IM_END - 1}
    assert ours.facts.chat_template == TEMPLATE
    messages = [Message("user", "abab, Ä漢😀 <|im_end|>")]
    assert ours.encode_chat(messages) == theirs.encode_chat(messages)


def test_memory_is_counted_by_what_a_model_becomes(tmp_path: Path) -> None:
    """A float32 file of 4 bytes a number is not the reason to refuse a model that will have 4 to 8 bits."""
    (tmp_path / "model").mkdir()
    write_gguf(tmp_path / "model" / "model.gguf", HybridShape(hidden=512, layers=4, intermediate=1024))
    size = (tmp_path / "model" / "model.gguf").stat().st_size

    parts = {part.part: part.bytes for part in estimate([tmp_path / "model"]).parts}
    assert 0.1 * size < parts[Part.WEIGHTS] < 0.26 * size


def test_nothing_is_left_of_an_import(store: ModelStore, folder: Path) -> None:
    before = sorted(folder.iterdir())
    store.import_file(folder, "mine")

    assert sorted(folder.iterdir()) == before
    assert not any((store.home / "models" / ".incoming").glob("*/*"))


def spoilt(name: str, text: str):
    return lambda folder: (folder / name).write_text(text)


def with_tensor(folder: Path) -> None:
    index = folder / "model.safetensors.index.json"
    index.unlink()
    from safetensors.numpy import save_file

    save_file({"model.language_model.layers.0.qweight": np.zeros(4, np.int32)}, folder / "x.safetensors")


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (spoilt("config.json", json.dumps({"model_type": "mamba"})), "Slipstream knows|supported"),
        (spoilt("model-00002-of-00002.safetensors", "torn"), "not a complete safetensors file"),
        (lambda folder: (folder / "model-00001-of-00002.safetensors").unlink(), "download the folder whole"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "Tiny-Qwen has no tokenizer.json"),
        (spoilt("tokenizer.json", '{"model": {"type": "Unigram"}}'), "no byte-level BPE"),
        (with_tensor, "does not know, 'model.language_model.layers.0.qweight'"),
    ],
)
def test_a_folder_that_is_no_good_gives_a_sentence(
    store: ModelStore, folder: Path, spoil, sentence: str
) -> None:
    spoil(folder)

    with pytest.raises(SlipstreamError, match=sentence):
        store.import_file(folder)
    assert store.installed() == []
