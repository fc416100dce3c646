"""A GGUF model in several files, and the choice of a format for its weights."""

import threading
from pathlib import Path

import gguf
import numpy as np
import pytest

from engine.errors import SlipstreamError
from engine.events import Progress
from engine.graphs.convert import converted_weights
from engine.models import gguf_header, manifest
from engine.models.importing import formats
from engine.models.meter import CancelledError
from engine.models.store import ModelStore
from engine.tokenizer import Tokenizer
from tests.tiny_models import Shape, write_model

SHAPE = Shape("qwen2", hidden=128, intermediate=256, kind=gguf.GGMLQuantizationType.Q8_0)


@pytest.fixture
def store(tmp_path: Path) -> ModelStore:
    return ModelStore(tmp_path / "home")


@pytest.fixture
def parts(tmp_path: Path) -> list[Path]:
    """A model and, beside it, the same one in three parts, as llama-gguf-split writes them."""
    whole = write_model(tmp_path / "whole.gguf", SHAPE)
    reader = gguf.GGUFReader(whole)
    paths = [tmp_path / f"Tiny-{i}-of-00003.gguf" for i in ("00001", "00002", "00003")]
    for index, path in enumerate(paths):
        writer = gguf.GGUFWriter(path, "qwen2")
        if index == 0:
            _copy_facts(reader, writer)
        writer.add_uint16("split.no", index)
        writer.add_uint16("split.count", 3)
        writer.add_int32("split.tensors.count", len(reader.tensors))
        for tensor in reader.tensors[index::3]:
            writer.add_tensor(tensor.name, np.array(tensor.data), raw_dtype=tensor.tensor_type)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
    return paths


def _copy_facts(reader: gguf.GGUFReader, writer: gguf.GGUFWriter) -> None:
    for name, field in reader.fields.items():
        if not name.startswith("GGUF.") and name != "general.architecture":
            inner = field.types[1] if len(field.types) > 1 else None
            writer.add_key_value(name, field.contents(), field.types[0], sub_type=inner)


def contents(path: Path) -> dict[str, bytes]:
    return {tensor.name: tensor.data.tobytes() for tensor in gguf.GGUFReader(path).tensors}


@pytest.mark.parametrize("given", [0, 1, 2])
def test_any_part_brings_the_whole_model(store: ModelStore, parts: list[Path], given: int) -> None:
    told: list[Progress] = []
    name = store.import_file(parts[given], progress=told.append)
    file = store.path(name) / "model.gguf"

    assert name == "tiny"
    assert contents(file) == contents(parts[0].with_name("whole.gguf"))
    assert Tokenizer.from_gguf(file).tokens == Tokenizer.from_gguf(parts[0].with_name("whole.gguf")).tokens
    assert gguf_header.check(file).parts == 1
    assert told[-1].done == told[-1].total
    store.verify(name)
    assert not list((store.home / "models" / ".incoming").glob("*/*"))


def test_a_folder_of_parts_will_do(store: ModelStore, parts: list[Path]) -> None:
    parts[0].with_name("whole.gguf").unlink()
    assert store.import_file(parts[0].parent) == "tiny"


def test_a_missing_part_is_named(store: ModelStore, parts: list[Path]) -> None:
    parts[1].unlink()
    with pytest.raises(SlipstreamError, match=r"3 parts and 1 are missing, Tiny-00002-of-00003\.gguf"):
        store.import_file(parts[2])


def test_a_part_of_another_model_is_refused(store: ModelStore, parts: list[Path]) -> None:
    parts[2].write_bytes(parts[1].read_bytes())
    with pytest.raises(SlipstreamError, match="part of another model"):
        store.import_file(parts[0])


def test_a_cut_part_is_refused(store: ModelStore, parts: list[Path]) -> None:
    parts[2].write_bytes(parts[2].read_bytes()[:-5000])
    with pytest.raises(SlipstreamError, match=r"00003\.gguf is cut short"):
        store.import_file(parts[0])
    assert store.installed() == []


def test_a_lone_part_under_another_name_says_what_it_is(store: ModelStore, parts: list[Path]) -> None:
    parts[0].rename(parts[0].with_name("x.gguf"))
    with pytest.raises(SlipstreamError, match="one part of a split model"):
        store.import_file(parts[0].with_name("x.gguf"))


@pytest.mark.parametrize("form", ["int4", "int8", "f16"])
def test_the_chosen_format_is_kept(store: ModelStore, parts: list[Path], form: str) -> None:
    """GIVEN a format WHEN a model is imported THEN it has these weights now and after the conversion was lost."""
    home = store.path(store.import_file(parts[0].with_name("whole.gguf"), form=form))

    (converted,) = (home / "openvino").glob("*-v*")
    assert converted.name.startswith(form)
    assert manifest.read(home).weights == form
    (converted / "weights.xml").unlink()
    converted_weights(home)
    assert (converted / "weights.xml").exists()


def test_formats_are_offered_with_their_size(store: ModelStore, parts: list[Path]) -> None:
    """GIVEN a model WHEN its formats are asked for THEN the sizes are those that its weights then have."""
    whole = parts[0].with_name("whole.gguf")
    offers = {offer.name: offer for offer in formats(whole)}

    assert [offer.name for offer in formats(parts[1], measure=False)] == ["int4", "int8", "f16"]
    assert all(offer.seconds_per_token for offer in offers.values())
    assert [name for name, offer in offers.items() if offer.default] == ["int4"]
    for form, offer in offers.items():
        home = store.path(store.import_file(whole, form, form=form))
        (binary,) = (home / "openvino").glob("*/weights.bin")
        assert offer.bytes == pytest.approx(binary.stat().st_size, rel=0.05)


def test_a_stop_while_converting_leaves_nothing(store: ModelStore, parts: list[Path]) -> None:
    cancel = threading.Event()

    def stop(progress: Progress) -> None:
        if progress.stage == "convert":
            cancel.set()

    with pytest.raises(CancelledError, match="nothing of the import is kept"):
        store.import_file(parts[0].with_name("whole.gguf"), progress=stop, cancel=cancel, form="int8")
    assert store.installed() == []


def test_what_a_killed_import_left_is_swept_away(store: ModelStore) -> None:
    left = store.home / "models" / ".incoming" / "import.staging"
    left.mkdir(parents=True)
    (left / "half.gguf").write_bytes(b"half")
    ModelStore(store.home)
    assert not left.exists()


def test_a_tensor_that_no_graph_asks_for_is_refused_at_once(store: ModelStore, tmp_path: Path) -> None:
    path = write_model(tmp_path / "odd.gguf", SHAPE)
    path.write_bytes(path.read_bytes().replace(b"blk.1.attn_q.bias", b"blk.1.attn_z.bias"))
    with pytest.raises(SlipstreamError, match=r"does not know, 'blk\.1\.attn_z\.bias'"):
        store.import_file(path)
