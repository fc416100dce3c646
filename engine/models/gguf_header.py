"""Judges a GGUF file by its header, without trusting a single number in it.

gguf.GGUFReader believes the counts and lengths that it reads: a damaged file can make it loop or fill the
memory, and 150,000 vocabulary entries cost it seconds. This walk checks every length against the file's size
first, skips what it doesn't need, and takes type numbers and block sizes from the same library.
Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

import mmap
import struct
from dataclasses import dataclass
from pathlib import Path

import gguf

from engine.errors import SlipstreamError

ARCHITECTURES = ("llama", "qwen2", "qwen3", "qwen35")
_VERSIONS = (2, 3)
_MOST_ENTRIES = 1 << 20
_MOST_DIMENSIONS = 4
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
class Header:
    """`end` is the number of bytes that the header and all tensors need, `elements` how many numbers they hold."""

    architecture: str
    title: str
    licence: str
    tensors: int
    end: int
    elements: int


def check(path: Path) -> Header:
    """The header of a complete GGUF file that Slipstream can run; else SlipstreamError with the reason."""
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
        raise SlipstreamError(f"{path} can't be read: {error.strerror or error}.") from error
    if header.end > size:
        raise SlipstreamError(
            f"{path.name} is cut short: it has {size:,} of {header.end:,} bytes. Copy or download it again."
        )
    return header


class _Walk:
    """A position in the file that never passes its end."""

    def __init__(self, view: mmap.mmap, name: str) -> None:
        self._view = view
        self._name = name
        self._at = 4
        self._found: dict[str, object] = {}

    def header(self) -> Header:
        version = self._number("I")
        if version not in _VERSIONS:
            raise self._wrong(f"its GGUF version is {version}, known are 2 and 3")
        tensors, entries = self._count("Q"), self._count("Q")
        for _ in range(entries):
            self._entry()
        architecture = self._architecture()
        found = [self._tensor() for _ in range(tensors)]
        start = self._aligned(self._at)
        if not found:
            raise self._wrong("it holds no tensors")
        return Header(
            architecture,
            self._text_of("name"),
            self._text_of("license"),
            tensors,
            end=start + max(end for end, _ in found),
            elements=sum(elements for _, elements in found),
        )

    def _architecture(self) -> str:
        if self._found.get("split.count", 1) not in (0, 1):
            raise self._wrong(
                "it is one part of a split model: merge the parts first (llama-gguf-split --merge)"
            )
        architecture = self._text_of("architecture")
        if architecture not in ARCHITECTURES:
            raise self._wrong(
                f"its architecture is {architecture!r}, Slipstream runs {', '.join(ARCHITECTURES)}"
            )
        return architecture

    def _entry(self) -> None:
        key = self._text()
        kind = self._number("I")
        if key.startswith("general.") or key == "split.count":
            begin = self._at
            self._found[key] = self._value(kind)
            self._at = begin
        self._skip(kind)

    def _value(self, kind: int) -> object:
        """A text or a scalar; None for an array, which no wanted key has."""
        if kind == gguf.GGUFValueType.STRING:
            return self._text()
        code = _SCALARS.get(gguf.GGUFValueType(kind)) if kind in set(gguf.GGUFValueType) else None
        return None if code is None else self._number(code)

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
        for _ in range(length):  # ends at the latest with the file: each text takes 8 bytes or more
            self._move(self._number("Q"))
        return None

    def _tensor(self) -> tuple[int, int]:
        """Where the tensor's data ends, counted from the start of the data, and its elements."""
        name, dimensions = self._text(), self._number("I")
        if dimensions > _MOST_DIMENSIONS:
            raise self._wrong(f"its tensor {name!r} has {dimensions} dimensions")
        elements = 1
        for _ in range(dimensions):
            elements *= self._number("Q")
        kind, offset = self._number("I"), self._number("Q")
        if kind not in set(gguf.GGMLQuantizationType):
            raise self._wrong(f"its tensor {name!r} is of an unknown type ({kind})")
        block, width = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType(kind)]
        return offset + elements // block * width, elements

    def _aligned(self, position: int) -> int:
        alignment = self._found.get("general.alignment", gguf.GGUF_DEFAULT_ALIGNMENT)
        if not isinstance(alignment, int) or alignment < 1 or alignment > 1 << 20:
            raise self._wrong("its alignment is wrong")
        return -(-position // alignment) * alignment

    def _width(self, kind: int) -> int:
        if kind not in set(_SCALARS):
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

    def _text(self) -> str:
        length = self._number("Q")
        begin = self._at
        self._move(length)
        return self._view[begin : self._at].decode("utf-8", errors="replace")

    def _text_of(self, key: str) -> str:
        value = self._found.get(f"general.{key}", "")
        return value if isinstance(value, str) else ""

    def _move(self, size: int) -> None:
        self._at += size
        if self._at > len(self._view):
            raise SlipstreamError(
                f"{self._name} is cut short: it ends inside its header. Copy or download it again."
            )

    def _wrong(self, reason: str) -> SlipstreamError:
        return SlipstreamError(f"{self._name} can't be used: {reason}.")
