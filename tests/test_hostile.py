"""Strangers' files: a short run of every fuzzed reader, and the smallest case of each thing that was found.

The long run is tests/fuzz_run.py.
"""

import io
import json
import os
import struct
import zipfile
from contextlib import suppress
from pathlib import Path
from random import Random

import numpy as np
import openvino as ov
import openvino.opset16 as ops
import pytest
from safetensors.numpy import save_file

from engine.errors import SlipstreamError
from engine.graphs import ir_guard
from engine.graphs.checkpoint import Checkpoint
from engine.graphs.checkpoint_config import describe
from engine.graphs.compress import WeightFormat
from engine.graphs.decoder_weights import compress_gguf
from engine.graphs.gguf_model import GgufModel
from engine.graphs.ir_file import IrFile
from engine.graphs.safetensors_file import SafetensorsFile
from engine.models import catalogue, gguf_header, gguf_vocab, json_file, package_index, spm_vocab
from engine.models.catalogue import Wheel
from engine.models.download import RefusedError
from engine.models.store import ModelStore
from engine.tokenizer import Tokenizer
from tests.fuzz_mutators import GgufFile, text
from tests.fuzz_readers import READERS
from tests.tiny_checkpoints import Folder, spm_tokenizer, write
from tests.tiny_hybrid import _tokenizer as byte_tokenizer
from tests.tiny_ir import halves, write_ir
from tests.tiny_models import Shape, write_model

SMALL = Folder("llama", hidden=32, intermediate=32, layers=1, heads=2, kv_heads=1, head_dim=16)
CASES = {"import": 6, "ir": 6, "ir-run": 4, "template": 6}  # the slow ones; of the others 20


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_every_reader_succeeds_or_says_why_not(reader, tmp_path: Path) -> None:
    (tmp_path / "good").mkdir()
    cases = CASES.get(reader.name, 20)
    for number in range(cases):
        folder = tmp_path / str(number)
        folder.mkdir()
        reader.write(Random(f"pytest {reader.name} {number}"), tmp_path / "good", folder)
        with suppress(SlipstreamError):
            reader.read(folder)
    assert {path.name for path in tmp_path.iterdir()} == {"good", *map(str, range(cases))}


@pytest.fixture
def good(tmp_path: Path) -> GgufFile:
    shape = Shape("qwen2", hidden=32, intermediate=32, layers=1, heads=2, kv_heads=1)
    return GgufFile.read(write_model(tmp_path / "good.gguf", shape))


def spoilt(good: GgufFile, path: Path, **entries: tuple[int, bytes]) -> Path:
    """The file with other values for some keys of its tokenizer."""
    named = {f"tokenizer.ggml.{key}".encode(): value for key, value in entries.items()}
    kept = [entry for entry in good.entries if entry[0] not in named]
    new = [(key, kind, value) for key, (kind, value) in named.items()]
    path.write_bytes(GgufFile(3, kept + new, good.tensors, good.data).encoded())
    return path


def test_tensors_on_top_of_each_other_are_refused(good: GgufFile, tmp_path: Path) -> None:
    """A file of a megabyte would become a model of gigabytes."""
    tensors = [(name, sizes, kind, 0) for name, sizes, kind, _ in good.tensors]
    (tmp_path / "x.gguf").write_bytes(GgufFile(3, good.entries, tensors, good.data).encoded())
    with pytest.raises(SlipstreamError, match="lies on top of another"):
        gguf_header.check(tmp_path / "x.gguf")


WHOLE, TEXT, LIST = 4, 8, 9
NESTED = (LIST, struct.pack("<IQ", 9, 1) * 3000 + struct.pack("<IQI", 4, 1, 1))


@pytest.mark.parametrize(
    "entry",
    [
        {"tokens": (WHOLE, struct.pack("<I", 5))},
        {"tokens": NESTED},
        {"merges": (LIST, struct.pack("<IQ2I", 4, 2, 1, 1))},
        {"token_type": (LIST, struct.pack("<IQ", 8, 259) + text(b"a") * 259)},
        {"eos_token_ids": (WHOLE, struct.pack("<I", 5))},
        {"pre": (TEXT, text(b"x" * 70_000))},
        {"tokens": (LIST, struct.pack("<IQ", 8, 1_100_000) + bytes(8 * 1_100_000))},
        {"chat_template": (7, b"\x01")},
    ],
)
def test_a_vocabulary_of_other_kinds_is_refused(
    good: GgufFile, tmp_path: Path, entry: dict[str, tuple[int, bytes]]
) -> None:
    path = spoilt(good, tmp_path / "x.gguf", **entry)
    with pytest.raises(SlipstreamError, match=r"^.{10,400}$"):
        Tokenizer.from_gguf(path)


def test_a_control_token_without_end_is_refused(good: GgufFile, tmp_path: Path) -> None:
    """All of its beginnings are kept: one of 65,000 letters would take two gigabytes."""
    words = [b"a", b"b", b"ab", b"<" + b"x" * 5000 + b">"]
    path = spoilt(
        good,
        tmp_path / "x.gguf",
        tokens=(LIST, struct.pack("<IQ", 8, 4) + b"".join(map(text, words))),
        token_type=(LIST, struct.pack("<IQ4i", 5, 4, 1, 1, 1, 3)),
    )
    with pytest.raises(SlipstreamError, match="control tokens without end"):
        gguf_vocab.read_vocabulary(path)


def test_a_nest_of_merge_rules_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces all of whose halves are pieces: their rules grow with the square of their length."""
    monkeypatch.setattr(spm_vocab, "_MOST_RULES", 1000)
    tokens = ["a" * i + "b" * j for i in range(20) for j in range(20)]
    with pytest.raises(SlipstreamError, match="larger than any"):
        spm_vocab.merges(tokens, [1] * 400, [0.0] * 400)


def test_matrices_that_can_not_be_joined_are_refused(good: GgufFile, tmp_path: Path) -> None:
    tensors = [
        (name, [64, 16] if b"ffn_up" in name else sizes, kind, offset)
        for name, sizes, kind, offset in good.tensors
    ]
    (tmp_path / "x.gguf").write_bytes(GgufFile(3, good.entries, tensors, good.data).encoded())
    with pytest.raises(SlipstreamError, match=r"ffn.*has the shape|instead of"):
        compress_gguf(GgufModel.open(tmp_path / "x.gguf"), WeightFormat.INT8)


@pytest.mark.parametrize(
    "change",
    [
        {"num_hidden_layers": 10**9},
        {"head_dim": 10**10},
        {"vocab_size": 10**9},
        {"rope_theta": 1e300},
        {"rms_norm_eps": float("nan")},
        {"max_position_embeddings": 1 << 40},
        {"rope_scaling": {"rope_type": "yarn", "factor": 1e300, "original_max_position_embeddings": 128}},
        {"vocab_size": 300},
        {"rope_scaling": {"rope_type": "longrope", "long_factor": 1.0, "short_factor": [1.0] * 8}},
    ],
)
def test_sizes_that_no_model_has_are_refused(tmp_path: Path, change: dict[str, object]) -> None:
    folder = write(tmp_path / "m", Folder("llama", change, **{k: getattr(SMALL, k) for k in _SIZES}))
    with pytest.raises(SlipstreamError, match=r"contradict|wrong about|its embedding"):
        Checkpoint.open(folder)


_SIZES = ("hidden", "intermediate", "layers", "heads", "kv_heads", "head_dim")


@pytest.mark.parametrize("shape", [(), (0, 4)])
def test_a_tensor_without_rows_is_refused(tmp_path: Path, shape: tuple[int, ...]) -> None:
    folder = write(tmp_path / "m", SMALL)
    save_file({"model.norm.weight": np.zeros(shape, np.float32)}, folder / "model.safetensors")
    with pytest.raises(SlipstreamError, match="not the list or matrix"):
        ModelStore(tmp_path / "home").import_file(folder)


def test_a_list_of_layers_is_not_made_for_a_billion(tmp_path: Path) -> None:
    config = Folder("smollm3").config | {"num_hidden_layers": 10**9, "no_rope_layers": [1, 1, 1, 0]}
    with pytest.raises(SlipstreamError, match="pattern"):
        describe(config)


@pytest.mark.parametrize("content", ["[" * 100_000, "[" + "[]," * 2_000_000 + "[]]"])
def test_json_that_nests_or_lists_without_end_is_no_json(content: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(ValueError, match=r"too deeply|too many|Expecting"):
        json_file.read(tmp_path / "x.json")
    with pytest.raises(RefusedError):
        package_index._json_links(content)


def tokenizer_with(**changes: object) -> dict[str, object]:
    return byte_tokenizer() | changes


def sentencepiece_with(**changes: object) -> dict[str, object]:
    return spm_tokenizer() | changes


_DOUBLING = {"type": "Replace", "pattern": {"String": "e"}, "content": "ee"}


@pytest.mark.parametrize(
    ("tokenizer", "refused"),
    [
        (tokenizer_with(padding={"strategy": {"Fixed": 10**11}, "direction": "Right"}), False),
        (tokenizer_with(truncation={"max_length": 5, "stride": 10}), False),
        (tokenizer_with(normalizer={"type": "Precompiled", "precompiled_charsmap": "/////w=="}), True),
        (tokenizer_with(normalizer={"type": "Sequence", "normalizers": [_DOUBLING] * 40}), True),
        (
            tokenizer_with(pre_tokenizer={"type": "Sequence", "pretokenizers": [{"type": "ByteLevel"}] * 30}),
            True,
        ),
        (tokenizer_with(pre_tokenizer={"type": "FixedLength", "length": 0}), True),
        (
            tokenizer_with(
                pre_tokenizer={
                    "type": "Split",
                    "pattern": {"Regex": r"((a|aa|.|..|\w)*)*$^"},
                    "behavior": "Isolated",
                    "invert": False,
                }
            ),
            True,
        ),
        (sentencepiece_with(normalizer=[1, 2]), True),
        (sentencepiece_with(normalizer={"normalizers": [3]}), True),
        (sentencepiece_with(added_tokens=[{"id": -1, "content": "a", "special": True}]), True),
        (sentencepiece_with(added_tokens=[{"id": 5, "content": 7, "special": True}]), True),
        (sentencepiece_with(added_tokens=[{"id": 5, "content": "\ud800", "special": True}]), True),
    ],
)
def test_a_tokenizer_that_would_end_the_process_is_refused_or_read_without_it(
    tmp_path: Path, tokenizer: dict[str, object], refused: bool
) -> None:
    folder = write(tmp_path / "m", SMALL)
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    store = ModelStore(tmp_path / "home")
    if not refused:
        assert store.import_file(folder) == "m"
        return
    with pytest.raises(SlipstreamError, match=r"tokenizer"):
        store.import_file(folder)
    assert store.installed() == []


def test_end_tokens_may_be_anything(tmp_path: Path) -> None:
    folder = write(tmp_path / "m", SMALL)
    (folder / "generation_config.json").write_text(
        json.dumps({"eos_token_id": [258, True, "x", None, 10**30]})
    )
    (folder / "tokenizer_config.json").write_text(json.dumps({"chat_template": [1, {"name": "default"}]}))
    assert ModelStore(tmp_path / "home").import_file(folder) == "m"


def test_a_safetensors_file_without_data_or_with_a_header_without_end(tmp_path: Path) -> None:
    save_file({"x": np.zeros((0, 4), np.float32)}, tmp_path / "empty.safetensors")
    header = json.dumps({"x": {"dtype": "F32", "shape": [0, 1 << 63], "data_offsets": [0, 0]}}).encode()
    (tmp_path / "odd.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + bytes(0))
    large = b" " * 20_000_000
    (tmp_path / "large.safetensors").write_bytes(len(large).to_bytes(8, "little") + large)
    assert SafetensorsFile(tmp_path / "empty.safetensors").read("x").size == 0
    assert SafetensorsFile(tmp_path / "odd.safetensors").read("x").size == 0
    with pytest.raises(SlipstreamError, match="not a complete safetensors file"):
        SafetensorsFile(tmp_path / "large.safetensors")


def test_pipes_and_devices_in_a_folder_are_refused(tmp_path: Path) -> None:
    """Reading a pipe waits for its writer, and /dev/zero never ends."""
    folder = write_ir(tmp_path / "ir", halves, SMALL)
    store = ModelStore(tmp_path / "home")
    for name in ("openvino_model.bin", "openvino_model.xml", "tokenizer.json", "config.json"):
        kept = (folder / name).read_bytes()
        (folder / name).unlink()
        os.mkfifo(folder / name)
        with pytest.raises(SlipstreamError):
            store.import_file(folder)
        (folder / name).unlink()
        (folder / name).symlink_to("/dev/zero")
        with pytest.raises(SlipstreamError):
            store.import_file(folder)
        (folder / name).unlink()
        (folder / name).write_bytes(kept)


def test_links_to_files_are_followed_and_never_written_through(tmp_path: Path) -> None:
    """The hub's own cache consists of such links."""
    folder = write(tmp_path / "real", SMALL)
    (tmp_path / "snapshot").mkdir()
    for file in folder.iterdir():
        (tmp_path / "snapshot" / file.name).symlink_to(file)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    store = ModelStore(tmp_path / "home")
    assert store.import_file(tmp_path / "snapshot") == "snapshot"
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    assert not [file for file in store.path("snapshot").rglob("*") if file.is_symlink()]


def test_names_that_are_no_text_can_be_imported(tmp_path: Path) -> None:
    path = write_model(tmp_path / "\udcffmodel.gguf", Shape(hidden=32, intermediate=32, layers=1))
    folder = write(tmp_path / "\udcfffolder", SMALL)
    store = ModelStore(tmp_path / "home")
    assert {store.import_file(path), store.import_file(folder)} == {"model", "folder"}


def ir_with(folder: Path, old: str, new: str) -> Path:
    path = folder / "openvino_model.xml"
    xml = path.read_text()
    assert old in xml
    path.write_text(xml.replace(old, new, 1))
    return path


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            'type="Add" version="opset1"',
            """type="Add" version='extension' name='version="opset1"'""",
            "extension|read",
        ),
        ('type="Add" version="opset1"', 'type="Loop" version="opset5"', "holds a loop"),
        ('type="Add" version="opset1"', 'type="TensorIterator" version="opset1"', "holds a loop"),
        ('type="Add" version="opset1"', 'type="Add" version="opset99"', "needs an extension"),
        ('type="Const" version="opset1"', 'type="Broadcast" version="opset1"', "'Broadcast' is incomplete"),
        ('type="Add" version="opset1"', 'type="Slice" version="opset8"', "'Slice' is incomplete"),
        ('type="Add" version="opset1"', 'type="MaxPool" version="opset1"', "'MaxPool' is incomplete"),
        ('type="Add" version="opset1"', 'type="ReadValue" version="opset6"', "'ReadValue' is incomplete"),
        ('element_type="i64"', 'element_type="u1"', "values of type 'u1'"),
        ("<layers>", "<layers>" + "<a>" * 9999, "can't read"),
        ("<layers>", "<layers " + " ".join(f'a{i}=""' for i in range(200_000)) + ">", "can't read"),
        ('<?xml version="1.0"?>', '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]>', "can't read"),
    ],
)
def test_an_openvino_model_that_asks_for_more_than_operations_is_refused(
    tmp_path: Path, old: str, new: str, sentence: str
) -> None:
    path = ir_with(write_ir(tmp_path / "ir", halves, SMALL), old, new)
    with pytest.raises(SlipstreamError, match=sentence):
        IrFile(path)


def test_constants_that_unfold_without_end_are_refused() -> None:
    """A file of a kilobyte that OpenVINO would compute 4 terabytes of before the first token."""
    wide = ops.broadcast(ops.constant(np.float32(1.0)), ops.constant([10**6, 10**6]))
    model = ov.Model([ops.result(wide)], [], "bomb")
    with pytest.raises(SlipstreamError, match="unfolds"):
        ir_guard.require_bounded(model, 1000, "x")


def test_a_graph_with_a_billion_ways_through_it_is_read_at_once(tmp_path: Path) -> None:
    value: ov.Node = ops.constant(np.ones((2, 2), np.float32))
    for _ in range(300):
        value = ops.add(value, value)
        value.set_friendly_name("__module.model.layers.0.mlp.up_proj/add")
    given = ops.parameter([1, 2], np.float32)
    ov.save_model(
        ov.Model([ops.result(ops.matmul(given, value, False, True))], [given], "x"), tmp_path / "x.xml"
    )
    assert IrFile(tmp_path / "x.xml").names()


def test_errors_show_no_control_characters_and_have_an_end() -> None:
    said = str(SlipstreamError("a\x1b[31m\n\u202eb\ud800" + "c" * 5000 + ": do this."))
    assert "\x1b" not in said
    assert said.isprintable()
    assert len(said) < 1100
    assert said.endswith("do this.")


@pytest.mark.parametrize("member", ["/etc/x", "../x", "a/../../x", "a\\..\\x", ""])
def test_members_outside_of_an_archive_are_refused(member: str) -> None:
    with pytest.raises(SlipstreamError, match="member name"):
        Wheel("a-1-py3-none-any.whl", 1, "0" * 64, member)


@pytest.mark.parametrize("beside", ["../config.json", "a/b.json", "x.py", ""])
def test_hub_files_that_lead_elsewhere_are_refused(beside: str) -> None:
    with pytest.raises(SlipstreamError):
        catalogue.HubSource("a/b", "model.gguf", "main", (beside,))


def test_an_archive_with_other_members_and_torn_compression_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("../../m", b"x" * 9999)
        archive.writestr("m", os.urandom(9999))
    data = bytearray(path.read_bytes())
    data[-8000:-2000] = os.urandom(6000)
    path.write_bytes(data)
    target = io.BytesIO()
    with pytest.raises(RefusedError):
        package_index.append_member(path, "m", target, 100_000, lambda: None)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.whl"]
