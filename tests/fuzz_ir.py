"""OpenVINO models to spoil: names, sizes, offsets, types and edges of the XML, and the bytes of the weights."""

import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from engine.bench.genai_ir import write_genai_model
from engine.errors import SlipstreamError
from engine.graphs import foreign
from engine.graphs.compress import WeightFormat
from engine.graphs.decoder_weights import compress_gguf
from engine.graphs.gguf_model import GgufModel
from engine.graphs.ir_file import IrFile
from engine.models import ir_import
from tests.fuzz_mutators import NUMBERS, TEXTS, spoil_bytes
from tests.tiny_checkpoints import Folder
from tests.tiny_ir import grouped_nibbles, halves, signed_bytes, write_ir
from tests.tiny_models import Shape
from tests.tiny_models import write_model as write_gguf

SHAPE = Folder("llama", hidden=128, intermediate=128, layers=1, heads=2, kv_heads=1, head_dim=64)
_FORMS = {"halves": halves, "bytes": signed_bytes, "nibbles": grouped_nibbles}
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_DATA = re.compile(r"<data\b[^<>]*=[^<>]*/>")  # what an operation is told: axes, shapes, offsets
_ELEMENT = re.compile(r"<(?:edge|data)\b[^<>]*/>|<(layer|port|dim|input|output)\b[^<>]*>.*?</\1>", re.DOTALL)
_OPERATIONS = (
    *(
        "Const",
        "Parameter",
        "Result",
        "MatMul",
        "Add",
        "Multiply",
        "Reshape",
        "Broadcast",
        "Tile",
        "Loop",
        "If",
    ),
    *(
        "TensorIterator",
        "Range",
        "Gather",
        "Concat",
        "ReadValue",
        "Trojan",
        "PagedAttentionExtension",
        "OneHot",
    ),
)
_OPSETS = ("opset1", "opset8", "opset16", "opset99", "extension", "experimental", "", "type_relaxed_opset")


def write_model(rng: Random, good: Path, folder: Path) -> None:
    """openvino_model.xml and its .bin."""
    form = rng.choice(list(_FORMS))
    source = good / f"ir-{form}"
    if not source.exists():
        write_ir(source, _FORMS[form], SHAPE)
    _write_spoilt(rng, source, folder)


def write_stateful(rng: Random, good: Path, folder: Path) -> None:
    """A model that keeps its own state and has no names, so that it runs with its own graph."""
    source = good / "ir-stateful"
    if not source.exists():
        make_stateful(good)
    _write_spoilt(rng, source, folder)


def make_stateful(good: Path) -> None:
    gguf = write_gguf(good / "stateful.gguf", Shape(hidden=64, intermediate=64, layers=1))
    write_genai_model(compress_gguf(GgufModel.open(gguf), WeightFormat.INT8), good / "ir-stateful")


def read_stateful(folder: Path) -> None:
    """Made paged, as a model that is kept whole is; and run by itself, as it is to be compared with."""
    path = folder / "openvino_model.xml"
    weights = np.fromfile(path.with_suffix(".bin"), dtype=np.uint8)
    with suppress(SlipstreamError):
        foreign.paged(path.read_bytes(), weights)
    with suppress(SlipstreamError):
        IrFile(path)
        ir_import._logits(path, [1, 2, 3, 4, 5])


@cache
def _content(source: Path) -> tuple[str, bytes]:
    return (source / "openvino_model.xml").read_text(), (source / "openvino_model.bin").read_bytes()


def _write_spoilt(rng: Random, source: Path, folder: Path) -> None:
    xml, weights = _content(source)
    for _ in range(rng.choice((1, 1, 2, 3))):
        xml = _spoilt(rng, xml)
    data = xml.encode("utf-8", "surrogatepass")
    (folder / "openvino_model.xml").write_bytes(spoil_bytes(rng, data) if rng.random() < 0.1 else data)
    if rng.random() < 0.2:
        weights = spoil_bytes(rng, weights, 1)
    (folder / "openvino_model.bin").write_bytes(weights)


def _spoilt(rng: Random, xml: str) -> str:
    choice = rng.random()
    if choice < 0.6:
        return _with_attribute(rng, xml)
    tags = list(_ELEMENT.finditer(xml))
    tag = rng.choice(tags)
    if choice < 0.75:
        return xml[: tag.start()] + xml[tag.end() :]
    if choice < 0.85:
        return xml[: tag.end()] + tag[0] + xml[tag.end() :]
    if choice < 0.93:
        other = rng.choice(tags)
        return xml[: tag.start()] + other[0] + xml[tag.end() :]
    dims = list(re.finditer(r"<dim>(-?\d+)</dim>", xml))
    dim = rng.choice(dims)
    return xml[: dim.start(1)] + str(rng.choice((*NUMBERS, "x", ""))) + xml[dim.end(1) :]


def _with_attribute(rng: Random, xml: str) -> str:
    place = rng.choice(list(_DATA.finditer(xml))) if rng.random() < 0.6 else None
    begin, end = place.span() if place else (0, len(xml))
    found = rng.choice(list(_ATTRIBUTE.finditer(xml, begin, end)))
    name, value = found[1], found[2]
    if name == "version":
        value = rng.choice(_OPSETS)
    elif name == "type" and rng.random() < 0.7:
        value = rng.choice(_OPERATIONS)
    elif name in ("element_type", "precision"):
        value = rng.choice(
            ("f32", "f16", "bf16", "i4", "u4", "u8", "i64", "u1", "nf4", "string", "dynamic", "f8e4m3", "x")
        )
    elif re.fullmatch(r"[-\d, ]*", value):
        value = rng.choice(
            (str(rng.choice(NUMBERS)), "", "-1", f"{rng.choice(NUMBERS)}, {rng.choice(NUMBERS)}", "1e9")
        )
    else:
        value = re.sub(r'[<&"]', "", rng.choice((*TEXTS, value[: len(value) // 2], value * 2)))
    return xml[: found.start(2)] + value + xml[found.end(2) :]
