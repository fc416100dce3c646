"""An OpenVINO model's folder becomes a model like any other, its matrices bit for bit."""

from pathlib import Path

import numpy as np
import openvino as ov
import pytest

from engine.errors import SlipstreamError
from engine.graphs import packed
from engine.graphs.compress import WeightFormat
from engine.graphs.convert import compress_gguf, converted_weights
from engine.graphs.gguf_model import GgufModel
from engine.models.importing import AS_IT_IS, formats
from engine.models.ir_import import _logits, relative_difference
from engine.models.store import ModelStore
from engine.target import Target
from tests.tiny_checkpoints import Folder
from tests.tiny_ir import Constant, grouped_nibbles, halves, signed_bytes, squares, write_ir

TOKENS = [(31 * i * i + 11 * i + i // 7) % 256 for i in range(60)]


@pytest.fixture
def store(tmp_path: Path) -> ModelStore:
    return ModelStore(tmp_path / "home")


@pytest.mark.parametrize("constant", [halves, signed_bytes, grouped_nibbles, squares])
def test_a_folder_is_imported_and_computes_what_openvino_does(
    store: ModelStore, tmp_path: Path, constant: Constant
) -> None:
    folder = write_ir(tmp_path / "Tiny-IR", constant)
    path = store.path(store.import_file(folder)) / "model.gguf"

    expected = _logits(folder / "openvino_model.xml", TOKENS)
    exact = Target(compress_gguf(GgufModel.open(path), WeightFormat.F32)).forward(TOKENS)
    assert relative_difference(expected, exact) < 0.05  # OpenVINO quantises activations
    assert store.installed()[0].architecture == "llama"
    assert not list((store.home / "models" / ".incoming").glob("*/*"))


@pytest.mark.parametrize(("constant", "bits"), [(signed_bytes, 8), (grouped_nibbles, 4)])
def test_compressed_matrices_stay_as_they_are(
    store: ModelStore, tmp_path: Path, constant: Constant, bits: int
) -> None:
    """GIVEN rows of 4 or 8 bits WHEN the model is converted for the graph THEN no weight was rounded again."""
    folder = write_ir(tmp_path / "Tiny-IR", constant)
    home = store.path(store.import_file(folder, form="int4"))
    model = GgufModel.open(home / "model.gguf")

    down = model.packed("blk.1.ffn_down.weight")
    assert down is not None
    assert down.bits == bits
    compiled = ov.Core().compile_model(
        ov.Model([ov.opset16.result(converted_weights(home)["layers.1.down"])], [], "x"), "CPU"
    )
    np.testing.assert_array_equal(compiled([])[0], packed.as_float(down))
    assert [offer.name for offer in formats(folder)] == [AS_IT_IS]


def test_matrices_on_different_grids_are_joined_on_the_finest() -> None:
    chance = np.random.default_rng(1)

    def matrix(bits: int, size: int) -> packed.Packed:
        values = chance.integers(0, 1 << bits, (4, 128 // size, size), dtype=np.uint8)
        zero = chance.integers(0, 1 << bits, (4, 128 // size, 1), dtype=np.uint8)
        return packed.Packed(values, zero, chance.random((4, 128 // size, 1)).astype(np.float16), bits)

    parts = [matrix(4, 32), matrix(8, 128)]
    joined = packed.joined(parts)
    assert joined is not None
    assert (joined.bits, joined.values.shape) == (8, (8, 4, 32))
    np.testing.assert_array_equal(
        packed.as_float(joined), np.concatenate([packed.as_float(part) for part in parts])
    )


def replaced(name: str, old: str, new: str):
    def spoil(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    return spoil


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda folder: (folder / "config.json").unlink(), "no config.json"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "no tokenizer.json"),
        (lambda folder: (folder / "openvino_model.bin").unlink(), "OpenVINO can't read"),
        (lambda folder: (folder / "openvino_model.bin").write_bytes(b"torn"), "OpenVINO can't read"),
        (lambda folder: (folder / "openvino_model.xml").write_text("<net"), "OpenVINO can't read"),
        (replaced("openvino_model.xml", 'version="opset1"', 'version="extension"'), "needs an extension"),
        (replaced("openvino_model.xml", 'type="ReduceMean"', 'type="Trojan"'), "OpenVINO can't read"),
        (replaced("config.json", '"rope_theta": 10000.0', '"rope_theta": 99.0'), "computes something else"),
        (replaced("config.json", '"hidden_size": 256', '"hidden_size": 128'), "instead of"),
        (replaced("config.json", '"llama"', '"mamba"'), "'mamba' is not supported"),
    ],
)
def test_a_folder_that_is_no_good_gives_a_sentence(
    store: ModelStore, tmp_path: Path, spoil, sentence: str
) -> None:
    folder = write_ir(tmp_path / "Tiny-IR", grouped_nibbles)
    spoil(folder)

    with pytest.raises(SlipstreamError, match=sentence):
        store.import_file(folder)
    assert store.installed() == []
    assert not list((store.home / "models" / ".incoming").glob("*/*"))


def test_the_tokenizer_of_openvino_alone_is_not_enough(store: ModelStore, tmp_path: Path) -> None:
    folder = write_ir(tmp_path / "Tiny-IR", halves)
    (folder / "tokenizer.json").rename(folder / "openvino_tokenizer.xml")

    with pytest.raises(
        SlipstreamError, match=r"openvino_tokenizer\.xml needs an extension.*take tokenizer\.json"
    ):
        store.import_file(folder)


def test_a_model_without_names_is_refused(store: ModelStore, tmp_path: Path) -> None:
    folder = write_ir(tmp_path / "Tiny-IR", halves, named=False)

    with pytest.raises(SlipstreamError, match="no names that Slipstream knows"):
        store.import_file(folder)


def test_a_model_that_sees_is_refused(store: ModelStore, tmp_path: Path) -> None:
    folder = write_ir(tmp_path / "Tiny-IR", halves, Folder("llama", layers=1))
    (folder / "openvino_model.xml").rename(folder / "openvino_language_model.xml")

    with pytest.raises(SlipstreamError, match="sees pictures"):
        store.import_file(folder)
