"""Importing GGUF files: good, cut, damaged, of another kind, and none at all."""

import errno
import os
import random
import struct
from hashlib import sha256
from pathlib import Path

import pytest

from engine.errors import SlipstreamError
from engine.events import Progress
from engine.graphs.gguf_model import GgufModel
from engine.models import gguf_header, gguf_import, gguf_vocab
from engine.models.catalogue import Catalogue, HubSource, ModelEntry
from engine.models.store import ModelStore
from engine.tokenizer import Tokenizer
from tests.gguf_files import tiny_gguf


@pytest.fixture
def store(tmp_path: Path) -> ModelStore:
    return ModelStore(tmp_path / "home", Catalogue({}, {}))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tiny_gguf(tmp_path / "Some Model (v2).gguf")


def test_a_good_file_is_linked_and_stays_where_it_is(store: ModelStore, file: Path) -> None:
    told: list[Progress] = []
    name = store.import_file(file, progress=told.append)
    assert name == "some-model-v2"
    assert (store.path(name) / "model.gguf").samefile(file)
    (model,) = store.installed()
    assert (model.architecture, model.licence, model.source) == ("llama", "mit", "import")
    assert model.sha256 == sha256(file.read_bytes()).hexdigest()
    assert told[-1].done == told[-1].total == file.stat().st_size


def test_where_links_are_impossible_it_is_copied(
    store: ModelStore, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("other file system")

    monkeypatch.setattr(os, "link", refuse)
    name = store.import_file(file)
    copy = store.path(name) / "model.gguf"
    assert copy.read_bytes() == file.read_bytes()
    assert not copy.samefile(file)


def test_the_same_file_twice_is_one_model(store: ModelStore, file: Path) -> None:
    assert store.import_file(file) == store.import_file(file)
    assert len(store.installed()) == 1


def test_a_taken_name_is_refused_and_keeps_its_model(store: ModelStore, file: Path, tmp_path: Path) -> None:
    store.import_file(file, "mine")
    with pytest.raises(SlipstreamError, match="another name"):
        store.import_file(tiny_gguf(tmp_path / "b.gguf", seed=2), "mine")
    store.verify("mine")


def test_a_file_that_the_catalogue_knows_takes_its_name(tmp_path: Path, file: Path) -> None:
    digest = sha256(file.read_bytes()).hexdigest()
    entry = ModelEntry(
        "known", "Known", "MIT", "llama", file.stat().st_size, digest, (HubSource("a/b", "c", "main"),)
    )
    store = ModelStore(tmp_path / "home", Catalogue({"known": entry}, {}))
    assert store.import_file(file) == "known"
    assert store.installed()[0].title == "Known"


def test_a_catalogue_name_cannot_be_taken_by_another_file(tmp_path: Path, file: Path) -> None:
    entry = ModelEntry("known", "Known", "MIT", "llama", 9, "0" * 64, (HubSource("a/b", "c", "main"),))
    store = ModelStore(tmp_path / "home", Catalogue({"known": entry}, {}))
    with pytest.raises(SlipstreamError, match="another name"):
        store.import_file(file, "known")


def test_every_cut_of_a_file_is_refused(store: ModelStore, file: Path, tmp_path: Path) -> None:
    whole = file.read_bytes()
    assert gguf_header.check(file).end <= len(whole)
    for size in range(4, gguf_header.check(file).end, 7):
        cut = tmp_path / "cut.gguf"
        cut.write_bytes(whole[:size])
        with pytest.raises(SlipstreamError, match="cut short"):
            store.import_file(cut)
    assert store.installed() == []


@pytest.mark.parametrize("content", [b"", b"GG", b"PK\3\4 a zip", b"<html>" * 99])
def test_another_kind_of_file_is_refused(store: ModelStore, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.gguf"
    path.write_bytes(content)
    with pytest.raises(SlipstreamError, match="not a GGUF file"):
        store.import_file(path)


def test_no_file_and_a_folder_are_refused(store: ModelStore, tmp_path: Path) -> None:
    for path in (tmp_path / "absent.gguf", tmp_path):
        with pytest.raises(SlipstreamError, match="can't be read"):
            store.import_file(path)


def test_an_architecture_that_does_not_run_here_is_refused(store: ModelStore, tmp_path: Path) -> None:
    with pytest.raises(SlipstreamError, match=r"'gemma', Slipstream runs llama, qwen2, qwen3"):
        store.import_file(tiny_gguf(tmp_path / "x.gguf", architecture="gemma"))


@pytest.mark.parametrize(
    "header",
    [
        struct.pack("<IQQ", 99, 1, 1),  # a version from the future
        struct.pack("<IQQ", 3, 2**63, 1),  # more tensors than there are atoms
        struct.pack("<IQQ", 3, 1, 2**60),
        struct.pack("<IQQQ", 3, 1, 1, 2**62),  # a key longer than any file
        struct.pack("<IQQQ1sIIQ", 3, 1, 1, 1, b"k", 9, 0, 2**60),  # an array longer than any memory
        struct.pack("<IQQQ1sIIQ", 3, 1, 1, 1, b"k", 9, 9, 2**60),  # arrays in arrays
        struct.pack("<IQQQ1sI", 3, 1, 1, 1, b"k", 77),  # a type that does not exist
    ],
)
def test_a_header_that_lies_is_refused_at_once(store: ModelStore, tmp_path: Path, header: bytes) -> None:
    path = tmp_path / "x.gguf"
    path.write_bytes(b"GGUF" + header + bytes(100))
    with pytest.raises(SlipstreamError):
        store.import_file(path)


def test_random_damage_never_gives_anything_but_a_sentence(file: Path, tmp_path: Path) -> None:
    whole = file.read_bytes()
    chance = random.Random(3)
    path = tmp_path / "damaged.gguf"
    refused = 0
    for _ in range(300):
        data = bytearray(whole)
        data[chance.randrange(4, 400)] = chance.randrange(256)
        path.write_bytes(data)
        try:
            gguf_header.check(path)
        except SlipstreamError:
            refused += 1
    assert refused > 50


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a system with named pipes")
def test_a_pipe_is_refused_at_once_even_behind_a_link(store: ModelStore, tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe.gguf", tmp_path / "link.gguf"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link, tmp_path):
        with pytest.raises(SlipstreamError, match="it is not a regular file"):
            store.import_file(path)


def test_a_limit_on_file_sizes_is_named(
    store: ModelStore, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EFBIG, "File too large")

    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(gguf_import.disk, "require_space", refuse)
    with pytest.raises(SlipstreamError, match=r"limit for the size of a file.*ulimit"):
        store.import_file(file)


@pytest.mark.parametrize("error", [MemoryError(), OSError(errno.ENOMEM, "Cannot allocate memory")])
def test_too_little_memory_is_not_taken_for_damage(
    file: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(gguf_header.mmap, "mmap", refuse)
    monkeypatch.setattr(gguf_vocab.mmap, "mmap", refuse)
    for read in (GgufModel.open, Tokenizer.from_gguf):
        with pytest.raises(SlipstreamError, match=r"^There is not enough memory to read"):
            read(file)
