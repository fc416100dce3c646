"""What reads strangers' files, each with good files to spoil: `write` one spoilt case into a folder, `read` it."""

import json
import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import numpy as np

from engine.chat_template import ChatTemplate
from engine.errors import SlipstreamError
from engine.request import Message
from tests import fuzz_imports, fuzz_ir, fuzz_templates
from tests.dflash_checkpoints import FORMS, write_drafter
from tests.fuzz_mutators import GgufFile, deep, spoil_bytes, spoil_gguf, spoil_json, spoil_tree
from tests.tiny_checkpoints import Folder, spm_tokenizer, write
from tests.tiny_hybrid import _tokenizer as byte_tokenizer
from tests.tiny_models import Shape, write_model

TALK = [Message("system", "be brief"), Message("user", "hi <|im_end|>"), Message("assistant", "hey")]
Write = Callable[[Random, Path, Path], None]  # good files, empty folder


@dataclass(frozen=True)
class Reader:
    """`constant`: bytes that reading may take beside twice the size of what is read."""

    name: str
    write: Write
    read: Callable[[Path], None]
    constant: int = 100_000_000


def unless_refused(step: Callable[[], Any]) -> Any:
    """The step's result; None where it says no in a sentence. All steps are tried: none may rely on another."""
    try:
        return step()
    except SlipstreamError as error:
        require_sentence(error)
        return None


def require_sentence(error: SlipstreamError) -> None:
    said = str(error)
    assert 10 < len(said) <= 1200, f"a message of {len(said)} characters"
    assert said.isprintable() or not re.search(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", said), repr(
        said
    )
    assert "memory" not in said or "needs about" in said, said


def _tiny(folder: Path, name: str, shape: Shape) -> Path:
    path = folder / name
    return path if path.exists() else write_model(path, shape)


_SMALL: dict[str, Any] = {"hidden": 32, "intermediate": 32, "layers": 1, "heads": 2, "kv_heads": 1}
_SHAPES = {
    name: Shape(name, **_SMALL, chat_template="{{ messages[0].content }}", rope_factors=name == "llama")
    for name in ("llama", "qwen2", "qwen3")
}


_WORDS = [
    "Ġ",
    *"abdefhix():",
    "ab",
    "<unk>",
    "<|im_start|>",
    "<|im_end|>",
]  # few, so that there are more cases


@cache
def _packed(good: Path) -> GgufFile:
    """Matrices on the grids of an OpenVINO model, and that model whole, as files of this program's own hold them."""
    from engine.graphs.checkpoint import Checkpoint, read_config
    from engine.graphs.ir_file import IrFile
    from engine.models.gguf_writer import GgufFile as Writer

    folder = good / "ir-nibbles"
    if not folder.exists():
        fuzz_ir.write_ir(folder, fuzz_ir.grouped_nibbles, fuzz_ir.SHAPE)
    model = Checkpoint(read_config(folder), [IrFile(folder / "openvino_model.xml")], whole_norms=True)
    Writer(model).write(folder, good / "packed.gguf", lambda size: None)
    return GgufFile.read(good / "packed.gguf").with_words(_WORDS)


@cache
def _foreign(good: Path) -> GgufFile:
    from engine.models import foreign_file

    source = good / "ir-stateful"
    if not source.exists():
        fuzz_ir.make_stateful(good)
    for name in ("config.json", "tokenizer.json"):
        (source / name).write_bytes((_checkpoint(good, "llama") / name).read_bytes())
    foreign_file.write(source, good / "foreign.gguf", lambda size: None)
    return GgufFile.read(good / "foreign.gguf").with_words(_WORDS)


@cache
def _gguf(good: Path, name: str) -> GgufFile:
    return GgufFile.read(_tiny(good, f"{name}.gguf", _SHAPES[name])).with_words(_WORDS)


def write_gguf(rng: Random, good: Path, folder: Path) -> None:
    choice = rng.random()
    if choice < 0.1:
        source = _packed(good)
    else:
        source = _foreign(good) if choice < 0.15 else _gguf(good, rng.choice(list(_SHAPES)))
    (folder / "model.gguf").write_bytes(spoil_gguf(rng, source))


def read_gguf(folder: Path) -> None:
    from engine.graphs.compress import WeightFormat
    from engine.graphs.decoder_weights import compress_gguf
    from engine.graphs.foreign import foreign_weights, is_foreign
    from engine.graphs.gguf_model import GgufModel
    from engine.models import gguf_header
    from engine.tokenizer import Tokenizer

    path = folder / "model.gguf"
    unless_refused(lambda: gguf_header.check(path))
    tokenizer = unless_refused(lambda: Tokenizer.from_gguf(path))
    if tokenizer:
        tokenizer.decode(tokenizer.encode("def f(x): <|im_end|> Ä"))
        _ = tokenizer.tokens
        if crc32(path.read_bytes()) % 16 == 0:  # the template's own reader tries many more
            unless_refused(lambda: tokenizer.encode_chat(TALK))
    model = unless_refused(lambda: GgufModel.open(path))
    if model:
        unless_refused(lambda: compress_gguf(model, WeightFormat.INT8))
    if is_foreign(path):
        weights = unless_refused(lambda: foreign_weights(path))
        if weights and weights.graph:
            unless_refused(weights.graph)


def write_parts(rng: Random, good: Path, folder: Path) -> None:
    whole = _gguf(good, "qwen2")
    count = rng.choice((2, 2, 3))
    for index in range(count):
        about: list[tuple[bytes, int, bytes]] = [
            (b"split.no", 2, index.to_bytes(2, "little")),
            (b"split.count", 2, count.to_bytes(2, "little")),
            (b"split.tensors.count", 5, len(whole.tensors).to_bytes(4, "little")),
        ]
        kept = whole.entries if index == 0 else whole.entries[:1]
        part = GgufFile(3, kept + about, whole.tensors[index::count], whole.data)
        spoilt = rng.random() < 0.6
        data = spoil_gguf(rng, part) if spoilt else part.encoded()
        name = f"M-{index + 1:05}-of-{count:05}.gguf"
        if rng.random() > 0.02:
            (folder / name).write_bytes(data)


def read_parts(folder: Path) -> None:
    from engine.models import gguf_parts

    path = min(folder.glob("*.gguf"), default=folder)
    parts = unless_refused(lambda: gguf_parts.find(path)) or []
    room = 2 * sum(part.path.stat().st_size for part in parts)

    def seen(size: int) -> None:
        nonlocal room
        room -= size
        assert room > 0, "more is written than there is"

    if parts:
        unless_refused(lambda: gguf_parts.merge(parts, folder / "whole", seen))


def _checkpoint(good: Path, kind: str) -> Path:
    folder = good / f"hf-{kind}"
    if not folder.exists():
        write(folder, Folder(kind, hidden=32, intermediate=32, layers=1, heads=2, kv_heads=1, head_dim=16))
    return folder


def _lent(source: Path, folder: Path, spoilt: str) -> bytes:
    """Links to the good files but one, whose content is returned."""
    for entry in os.scandir(source):
        if entry.name != spoilt:
            (folder / entry.name).symlink_to(entry.path)
    return _content(source / spoilt)


@cache
def _content(path: Path) -> bytes:
    return path.read_bytes()


_KINDS = ("llama", "qwen2", "qwen3", "gemma3_text", "phi3", "smollm3")


def write_safetensors(rng: Random, good: Path, folder: Path) -> None:
    data = _lent(_checkpoint(good, rng.choice(_KINDS)), folder, "model.safetensors")
    file = folder / "model.safetensors"
    size = int.from_bytes(data[:8], "little")
    header, body = json.loads(data[8 : 8 + size]), data[8 + size :]
    choice = rng.random()
    if choice < 0.6:
        told = spoil_json(rng, header)
        length = len(told) if rng.random() < 0.9 else rng.choice((0, 1, 1 << 40, (1 << 64) - 1))
        file.write_bytes(length.to_bytes(8, "little") + told + body)
    elif choice < 0.8:
        file.write_bytes(spoil_bytes(rng, data))
    else:
        begin = rng.randrange(len(body))
        pattern = rng.choice((b"\xff" * 64, b"\x00\x00\xc0\x7f" * 16, b"\x00" * 999))
        file.write_bytes(data[: 8 + size] + (body[:begin] + pattern + body[begin:])[: len(body)])
    if rng.random() < 0.1:
        index = {"weight_map": {"model.norm.weight": "model.safetensors", "x": "../model.safetensors"}}
        (folder / "model.safetensors.index.json").write_bytes(spoil_json(rng, index))


def read_safetensors(folder: Path) -> None:
    from engine.graphs.safetensors_file import SafetensorsFile

    file = unless_refused(lambda: SafetensorsFile(folder / "model.safetensors"))
    for name in sorted(file.names()) if file else ():
        file.shape(name), file.kind(name), file.grid(name)
        unless_refused(lambda name=name: file.read(name))
    read_config(folder)


def write_config(rng: Random, good: Path, folder: Path) -> None:
    told = _lent(_checkpoint(good, rng.choice(_KINDS)), folder, "config.json")
    path = folder / "config.json"
    config = json.loads(told) | rng.choice(_CONFIGS)
    if rng.random() < 0.1:
        config = {"text_config": config, "architectures": ["XForCausalLM"]}
    path.write_bytes(spoil_json(rng, config))


_CONFIGS: tuple[dict[str, Any], ...] = (
    {},
    {},
    {"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 128}},
    {"rope_scaling": {"rope_type": "linear", "factor": 2.0}},
    {
        "rope_parameters": {
            "rope_type": "llama3",
            "rope_theta": 1e4,
            "factor": 8.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
        }
    },
    {
        "rope_scaling": {"type": "longrope", "long_factor": [1.0] * 8, "short_factor": [1.0] * 8},
        "original_max_position_embeddings": 128,
    },
)


def read_config(folder: Path) -> None:
    from engine.graphs.checkpoint import Checkpoint
    from engine.models import checkpoint_import, foreign_file
    from engine.models.gguf_writer import GgufFile as Writer

    checkpoint_import.is_model(folder), checkpoint_import.model_type(folder)
    unless_refused(lambda: foreign_file._sizes(folder))
    model = unless_refused(lambda: Checkpoint.open(folder))
    if not model:
        return
    unless_refused(model.require_all_read)
    writer = unless_refused(lambda: Writer(model))
    if writer:
        unless_refused(lambda: writer.write(folder, folder / "out.gguf", lambda size: None))


def write_tokenizer(rng: Random, good: Path, folder: Path) -> None:
    tree = spm_tokenizer() if rng.random() < 0.4 else byte_tokenizer()
    (folder / "tokenizer.json").write_bytes(spoil_json(rng, _spoilt_tokenizer(rng, tree)))
    settings = {"eos_token": "<|im_end|>", "bos_token": {"content": "a"}, "chat_template": "{{ messages }}"}
    data = spoil_json(rng, settings) if rng.random() < 0.3 else json.dumps(settings).encode()
    (folder / "tokenizer_config.json").write_bytes(data)
    (folder / "generation_config.json").write_bytes(spoil_json(rng, {"eos_token_id": [258, 257]}))
    if rng.random() < 0.1:
        (folder / "chat_template.jinja").write_bytes(spoil_bytes(rng, b"{{ messages }}"))


_PADDING = {
    "strategy": {"Fixed": 10**11},
    "direction": "Right",
    "pad_id": 0,
    "pad_type_id": 0,
    "pad_token": "a",
}
_DOUBLING = {"type": "Replace", "pattern": {"String": "e"}, "content": "ee"}
_BACKTRACKING = {
    "type": "Split",
    "pattern": {"Regex": "((a|aa|.|..|\\w)*)*$^"},
    "behavior": "Isolated",
    "invert": False,
}
_PARTS: tuple[dict[str, Any], ...] = (
    {"padding": _PADDING},
    {"truncation": {"direction": "Right", "max_length": 5, "strategy": "LongestFirst", "stride": 10}},
    {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "/////////////////////w=="}},
    {"normalizer": {"type": "Sequence", "normalizers": [_DOUBLING] * 30}},
    {"normalizer": {"type": "NFC"}},
    {"pre_tokenizer": _BACKTRACKING},
    {"pre_tokenizer": {"type": "FixedLength", "length": 0}},
    {"pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}},
    {"pre_tokenizer": {"type": "Digits", "individual_digits": True}},
    {"post_processor": {"type": "TemplateProcessing", "single": [], "pair": [], "special_tokens": {}}},
    {"decoder": {"type": "WordPiece", "prefix": "", "cleanup": True}},
)  # fmt: skip


def _spoilt_tokenizer(rng: Random, tree: dict[str, Any]) -> dict[str, Any]:
    if rng.random() < 0.3:
        tree |= rng.choice(_PARTS)
    for part in ("model", "added_tokens", "normalizer", "pre_tokenizer"):
        if tree.get(part) and rng.random() < 0.3:
            tree[part] = spoil_tree(rng, tree[part])
    return tree


def read_tokenizer(folder: Path) -> None:
    import gguf

    from engine.models import checkpoint_vocab
    from engine.tokenizer import Tokenizer

    writer = gguf.GGUFWriter(folder / "out.gguf", "qwen2")

    def write_vocabulary() -> bool:
        checkpoint_vocab.write(writer, folder, "qwen2", 259)
        writer.add_tensor("output_norm.weight", np.ones(32, np.float32))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        return True

    written = unless_refused(write_vocabulary)
    writer.close()
    if written:
        tokenizer = unless_refused(lambda: Tokenizer.from_gguf(folder / "out.gguf"))
        if tokenizer:
            tokenizer.decode(tokenizer.encode("def f(x): <|im_end|> Ä"))
            if crc32((folder / "tokenizer.json").read_bytes()) % 16 == 0:
                unless_refused(lambda: tokenizer.encode_chat(TALK))


def write_drafter_case(rng: Random, good: Path, folder: Path) -> None:
    name = rng.choice(list(FORMS))
    source = good / f"drafter-{name}"
    if not source.exists():
        write_drafter(source, FORMS[name])
    if rng.random() < 0.6:
        told = _lent(source, folder, "config.json")
        (folder / "config.json").write_bytes(spoil_json(rng, json.loads(told)))
    else:
        data = _lent(source, folder, "model.safetensors")
        (folder / "model.safetensors").write_bytes(spoil_bytes(rng, data))


def read_drafter(folder: Path) -> None:
    from engine.graphs.compress import WeightFormat
    from engine.graphs.dflash_checkpoint import Checkpoint, compress_checkpoint

    model = unless_refused(lambda: Checkpoint(folder))
    if model:
        unless_refused(lambda: compress_checkpoint(model, WeightFormat.INT8))


def write_template(rng: Random, good: Path, folder: Path) -> None:
    data = fuzz_templates.template(rng).encode("utf-8", "surrogatepass")
    (folder / "template").write_bytes(data)


def read_template(folder: Path) -> None:
    source = (folder / "template").read_bytes().decode("utf-8", "surrogatepass")
    template = unless_refused(lambda: ChatTemplate(source, bos_token="<s>", eos_token="</s>"))
    if template:
        text = unless_refused(lambda: template.render(TALK))
        assert text is None or len(text) <= 1_100_000
        assert "secret-in-the-process" not in (text or "")
        _ = template.opens_thinking


def write_page(rng: Random, good: Path, folder: Path) -> None:
    listing = {"files": [{"url": "../x.whl#sha256=0", "hashes": {"sha256": "0" * 64}}], "meta": {}}
    told = {"sha": "abc", "siblings": [{"rfilename": "m.gguf", "lfs": {"sha256": "0" * 64, "size": 5}}]}
    (folder / "index").write_bytes(spoil_json(rng, listing))
    (folder / "hub").write_bytes(spoil_json(rng, told))
    (folder / "manifest.json").write_bytes(
        spoil_json(rng, {"name": "case", "size_bytes": 5, "format": "gguf"})
    )
    (folder / "pairs.json").write_bytes(
        spoil_json(rng, [{"name": "a", "title": "a", "target": "b", "draft": None}])
    )
    if rng.random() < 0.1:
        (folder / "index").write_text(deep(rng))


def read_page(folder: Path) -> None:
    from engine.models import manifest, package_index
    from engine.models.download import RefusedError
    from engine.models.own_pairs import OwnPairs

    page = (folder / "index").read_bytes().decode("utf-8", "replace")
    for links in (package_index._json_links, package_index._html_links):
        with suppress(RefusedError):
            links(page)
    with suppress(manifest.DamagedError):
        manifest.read(folder)
    OwnPairs(folder).all()


def read_ir(folder: Path) -> None:
    from engine.graphs.ir_file import IrFile

    model = unless_refused(lambda: IrFile(folder / "openvino_model.xml"))
    for number, name in enumerate(sorted(model.names()) if model else ()):
        model.shape(name), model.kind(name), model.grid(name)
        if number % 7 == 0 and np.prod(model.shape(name)) < 1_000_000:
            unless_refused(lambda name=name: model.read(name))


_IMPORTED = [
    write_gguf,
    write_parts,
    write_safetensors,
    write_config,
    write_drafter_case,
    fuzz_ir.write_model,
]
READERS = {
    reader.name: reader
    for reader in (
        Reader("gguf", write_gguf, read_gguf),
        Reader("gguf-parts", write_parts, read_parts),
        Reader("safetensors", write_safetensors, read_safetensors),
        Reader("config", write_config, read_config),
        Reader("tokenizer", write_tokenizer, read_tokenizer),
        Reader("drafter", write_drafter_case, read_drafter),
        Reader("template", write_template, read_template, 250_000_000),
        Reader("ir-run", fuzz_ir.write_stateful, fuzz_ir.read_stateful, 500_000_000),
        Reader("ir", fuzz_ir.write_model, read_ir, 250_000_000),
        Reader(
            "import", partial(fuzz_imports.write_import, _IMPORTED), fuzz_imports.read_import, 500_000_000
        ),
        Reader("records", write_page, read_page),
    )
}
