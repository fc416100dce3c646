"""Reads a GGUF file's header, without trusting a single number in it.

gguf.GGUFReader believes the counts and lengths that it reads: a damaged file can make it loop or fill the
memory, and 150,000 vocabulary entries cost it seconds. This walk checks every length against the file's size
first, skips what it doesn't need, and takes type numbers and block sizes from the same library.
Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

import errno
import math
import mmap
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Kind

from engine.errors import SlipstreamError

ARCHITECTURES = ("llama", "qwen2", "qwen3", "qwen35", "gemma3", "phi3", "smollm3")
FOREIGN = "openvino"  # graphs.foreign
_VERSIONS = (2, 3)
_MOST_ENTRIES = 1 << 16
_LONGEST_NAME = 1 << 12
_LONGEST_TEXT = 1 << 16  # of a fact that is kept
_LONGEST_LIST = 1 << 12
_MOST_KEPT = 1 << 22  # letters and numbers of all facts together
MOST_WORDS = 1_000_000  # of a list of texts; Qwen2.5 has 151,936 tokens and about as many merge rules
_MOST_DIMENSIONS = 4
_VALUE_KINDS, _TENSOR_KINDS = frozenset(gguf.GGUFValueType), frozenset(Kind)
_SCALARS = {
    gguf.GGUFValueType.UINT8: "B",
    gguf.GGUFValueType.INT8: "b",
    gguf.GGUFValueType.UINT16: "H",
    gguf.GGUFValueType.INT16: "h",
    gguf.GGUFValueType.UINT32: "I",
    gguf.GGUFValueType.INT32: "i",
    gguf.GGUFValueType.FLOAT32: "f",
    gguf.GGUFValueType.UINT64: "Q",
    gguf.GGUFValueType.INT64: "q",
    gguf.GGUFValueType.FLOAT64: "d",
    gguf.GGUFValueType.BOOL: "?",
}


@dataclass(frozen=True, slots=True)
class Tensor:
    """`shape` as numpy has it (rows first); `offset` counts bytes from the start of the data."""

    name: str
    shape: tuple[int, ...]
    kind: Kind
    offset: int

    @property
    def elements(self) -> int:
        return math.prod(self.shape)

    @property
    def row_bytes(self) -> int:
        block, width = gguf.GGML_QUANT_SIZES[self.kind]
        return (self.shape[-1] if self.shape else 1) // block * width

    @property
    def bytes(self) -> int:
        return math.prod(self.shape[:-1]) * self.row_bytes


@dataclass(frozen=True, slots=True)
class Header:
    """`facts`: scalars, short texts and short lists of numbers by key, none of the tokenizer's.

    `entries`: where each key and its value lie in the file. `start`: where the tensors' data begin.
    """

    facts: Mapping[str, object]
    tensors: Mapping[str, Tensor]
    entries: Mapping[str, tuple[int, int]] = field(repr=False)
    start: int

    @property
    def end(self) -> int:
        """Bytes that the header and all tensors need."""
        return self.start + max(tensor.offset + tensor.bytes for tensor in self.tensors.values())

    @property
    def elements(self) -> int:
        return sum(tensor.elements for tensor in self.tensors.values())

    @property
    def parts(self) -> int:
        """How many files the model is split into."""
        count = self.facts.get("split.count", 1)
        return count if isinstance(count, int) and count > 0 else 1

    @property
    def architecture(self) -> str:
        return self.text("general.architecture")

    def text(self, key: str) -> str:
        value = self.facts.get(key)
        return value if isinstance(value, str) else ""


def check(path: Path) -> Header:
    """The header of a complete GGUF file that Slipstream can run; else SlipstreamError with the reason."""
    header = read(path)
    if header.parts > 1:
        raise wrong(path.name, "it is one part of a split model: import the part to merge all of them")
    require_known(header, path.name)
    return header


def require_known(header: Header, name: str) -> None:
    """SlipstreamError for an architecture or a tensor type that Slipstream does not run."""
    if header.architecture not in (*ARCHITECTURES, FOREIGN):
        known = ", ".join(ARCHITECTURES)
        raise wrong(name, f"its architecture is {header.architecture[:50]!r}, Slipstream runs {known}")
    if header.facts.get(f"{header.architecture}.expert_count"):
        raise wrong(name, "it is a mixture of experts, which Slipstream does not run yet")
    for tensor in header.tensors.values():
        if not is_readable(tensor.kind) and tensor.kind is not Kind.I8:  # graphs.packed holds those
            raise wrong(
                name, f"its tensor {tensor.name[:100]!r} has the type {tensor.kind.name}, which can't be read"
            )


@cache
def is_readable(kind: Kind) -> bool:
    """Whether the gguf library turns this type into numbers."""
    if kind in (Kind.F32, Kind.F16):
        return True
    with np.errstate(all="ignore"):
        try:
            gguf.dequantize(np.zeros((1, gguf.GGML_QUANT_SIZES[kind][1]), np.uint8), kind)
        except NotImplementedError:
            return False
    return True


def read(path: Path) -> Header:
    """The header of a complete GGUF file, or part of one, of any kind; else SlipstreamError with the reason."""
    try:
        if path.exists() and not path.is_file():  # opening a pipe would wait for its writer
            raise SlipstreamError(
                f"{path} can't be read, it is not a regular file: give the path of a GGUF file."
            )
        size = path.stat().st_size
        with path.open("rb") as file:
            if file.read(4) != b"GGUF":
                raise SlipstreamError(f"{path.name} is not a GGUF file.")
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
                header = _Walk(view, path.name).header()
    except OSError as error:
        if error.errno == errno.ENOMEM:
            raise
        raise SlipstreamError(f"{path} can't be read: {error.strerror or error}.") from error
    if header.end > size:
        raise SlipstreamError(
            f"{path.name} is cut short: it has {size:,} of {header.end:,} bytes. Copy or download it again."
        )
    return header


def wrong(name: str, reason: str) -> SlipstreamError:
    return SlipstreamError(f"{name} can't be used: {reason}.")


class _Walk:
    """A position in the file that never passes its end."""

    def __init__(self, view: mmap.mmap, name: str) -> None:
        self._view = view
        self._name = name
        self._at = 4
        self._kept = 0
        self._facts: dict[str, object] = {}
        self._entries: dict[str, tuple[int, int]] = {}

    def header(self) -> Header:
        version = self._number("I")
        if version not in _VERSIONS:
            raise self._wrong(f"its GGUF version is {version}, known are 2 and 3")
        tensors, entries = self._count("Q"), self._count("Q")
        for _ in range(entries):
            self._entry()
        found: dict[str, Tensor] = {}
        for _ in range(tensors):
            tensor = self._tensor()
            if tensor.name in found:
                raise self._wrong(f"it has two tensors called {tensor.name[:100]!r}")
            found[tensor.name] = tensor
        if not found:
            raise self._wrong("it holds no tensors")
        self._require_apart(found.values())
        return Header(self._facts, found, self._entries, self._aligned(self._at))

    def _require_apart(self, tensors: Iterable[Tensor]) -> None:
        """Tensors on top of each other would make a small file a huge model."""
        end = 0
        for tensor in sorted(tensors, key=lambda tensor: tensor.offset):
            if tensor.offset < end:
                raise self._wrong(f"its tensor {tensor.name[:100]!r} lies on top of another")
            end = tensor.offset + tensor.bytes

    def _entry(self) -> None:
        begin = self._at
        key = self._text(_LONGEST_NAME)
        kind = self._number("I")
        if not key.startswith("tokenizer."):
            at = self._at
            self._facts[key] = value = self._value(kind)
            self._kept += len(value) if isinstance(value, str | list) else 1
            if self._kept > _MOST_KEPT:
                raise self._wrong("its header is damaged")
            self._at = at
        self._skip(kind)
        self._entries[key] = (begin, self._at)

    def _value(self, kind: int) -> object:
        """A text, a scalar or a list of scalars; None for what is too long to be of use."""
        if kind == gguf.GGUFValueType.STRING:
            return self._short_text()
        if kind != gguf.GGUFValueType.ARRAY:
            code = self._code(kind)
            return None if code is None else self._number(code)
        inner, length = self._number("I"), self._number("Q")
        code = self._code(inner)
        return None if code is None or length > _LONGEST_LIST else [self._number(code) for _ in range(length)]

    def _code(self, kind: int) -> str | None:
        return _SCALARS.get(gguf.GGUFValueType(kind)) if kind in _VALUE_KINDS else None

    def _skip(self, kind: int) -> None:
        if kind == gguf.GGUFValueType.ARRAY:
            self._skip_array()
        elif kind == gguf.GGUFValueType.STRING:
            self._move(self._number("Q"))
        else:
            self._move(self._width(kind))

    def _skip_array(self) -> None:
        kind, length = self._number("I"), self._number("Q")
        if kind != gguf.GGUFValueType.STRING:
            return self._move(self._width(kind) * length)
        if length > MOST_WORDS:
            raise self._wrong("its header is damaged")
        for _ in range(length):  # ends at the latest with the file: each text takes 8 bytes or more
            self._move(self._number("Q"))
        return None

    def _tensor(self) -> Tensor:
        name, dimensions = self._text(_LONGEST_NAME), self._number("I")
        if dimensions > _MOST_DIMENSIONS:
            raise self._wrong(f"its tensor {name[:100]!r} has {dimensions} dimensions")
        shape = tuple(self._number("Q") for _ in range(dimensions))[::-1]
        kind, offset = self._number("I"), self._number("Q")
        if kind not in _TENSOR_KINDS:
            raise self._wrong(f"its tensor {name[:100]!r} is of an unknown type ({kind})")
        block = gguf.GGML_QUANT_SIZES[Kind(kind)][0]
        if not shape or 0 in shape or shape[-1] % block:
            raise self._wrong(f"its tensor {name[:100]!r} has the impossible shape {list(shape)}")
        return Tensor(name, shape, Kind(kind), offset)

    def _aligned(self, position: int) -> int:
        alignment = self._facts.get("general.alignment", gguf.GGUF_DEFAULT_ALIGNMENT)
        if not isinstance(alignment, int) or alignment < 1 or alignment > 1 << 20:
            raise self._wrong("its alignment is wrong")
        return -(-position // alignment) * alignment

    def _width(self, kind: int) -> int:
        if kind not in _SCALARS:
            raise self._wrong(f"its header has a field of an unknown type ({kind})")
        return struct.calcsize(_SCALARS[gguf.GGUFValueType(kind)])

    def _count(self, code: str) -> int:
        count = self._number(code)
        if count > _MOST_ENTRIES:
            raise self._wrong("its header is damaged")
        return count

    def _number(self, code: str) -> int:
        begin = self._at
        self._move(struct.calcsize(code))
        value: int = struct.unpack_from("<" + code, self._view, begin)[0]
        return value

    def _short_text(self) -> str | None:
        length = self._number("Q")
        begin = self._at
        self._move(length)
        kept = length <= _LONGEST_TEXT
        return self._view[begin : self._at].decode("utf-8", errors="replace") if kept else None

    def _text(self, longest: int) -> str:
        length = self._number("Q")
        begin = self._at
        self._move(length)
        if length > longest:
            raise self._wrong("its header is damaged")
        return self._view[begin : self._at].decode("utf-8", errors="replace")

    def _move(self, size: int) -> None:
        self._at += size
        if self._at > len(self._view):
            raise SlipstreamError(
                f"{self._name} is cut short: it ends inside its header. Copy or download it again."
            )

    def _wrong(self, reason: str) -> SlipstreamError:
        return wrong(self._name, reason)
