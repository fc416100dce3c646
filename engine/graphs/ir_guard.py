"""An OpenVINO model's XML, looked at before and after OpenVINO reads it: it is a program, and a stranger wrote it.

No extension is ever loaded, so that none of its author's code runs. What OpenVINO's own operations can do without end,
loops and constants that unfold to any size, is refused here.
"""

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.parsers import expat

import openvino as ov

from engine.errors import SlipstreamError

_OPSETS = re.compile(r"opset(?:[1-9]|1[0-9])")
_LONGEST_XML = 100_000_000  # bytes; SmolLM2-135M at 8 bits has 2.6 million
_MOST_LAYERS = 300_000  # operations; SmolLM2-135M has 5,300
_MOST_PARTS = 6_000_000  # elements and attributes; SmolLM2-135M has 139,000
_PIECE, _LONGEST_TAG = 1 << 16, 1 << 20  # bytes
_DEEPEST = 32  # elements inside each other
# OpenVINO 2026.4.1 ends the process where these have fewer inputs, or no name of what they keep (found by trying all).
_LEAST_INPUTS = {"Slice": 4}
_FATAL = (
    ("Broadcast", "opset1"),
    *(("MaxPool", f"opset{i}") for i in range(1, 20)),
)  # not even with inputs told
# Of values; constants of single bits end the process when the CPU's plugin compiles them.
_FLOATS = ("f64", "f32", "f16", "bf16", "f8e4m3", "f8e5m2", "nf4")
_INTEGERS = ("i64", "i32", "i16", "i8", "i4", "u64", "u32", "u16", "u8", "u4", "boolean")
_TYPES = (*_FLOATS, *_INTEGERS, "dynamic", "undefined")
_NAMED = ("Assign", "ReadValue")
_LOOPS = ("Loop", "TensorIterator")
_UNFOLDED, _UNFOLDED_ALL = 16, 64  # times the weights: the largest value, and all values together
_ROOM, _ROOM_ALL = 500_000_000, 1_000_000_000  # bytes beside that


def require_readable(path: Path) -> None:
    """SlipstreamError for an IR that OpenVINO should not be given."""
    try:
        if not path.is_file() or path.stat().st_size > _LONGEST_XML:
            raise SlipstreamError(
                f"{path} is no model that can be read: give the folder of an OpenVINO model."
            )
        weights = path.with_suffix(".bin")
        if weights.exists() and not weights.is_file():  # opening a pipe would wait for its writer
            raise SlipstreamError(f"{weights} is no regular file: download the folder whole.")
        require_known_operations(path.read_bytes(), path.parent.name)
    except OSError as error:
        raise SlipstreamError(f"{path} can't be read: {error.strerror or error}.") from error


def require_known_operations(xml: bytes, name: str) -> None:
    """SlipstreamError for operations that OpenVINO itself does not have, for loops, and for what is no XML."""
    try:
        _Walk(name).through(xml)
    except (expat.ExpatError, ValueError) as error:
        raise SlipstreamError(
            f"OpenVINO can't read {name} (its XML is damaged: {str(error)[:100]}): download the folder whole."
        ) from error


def require_bounded(model: ov.Model, weights: int, name: str) -> None:
    """SlipstreamError when values that do not depend on the text are much larger than the `weights` bytes."""
    total = 0
    for node in model.get_ops():
        size = sum(_bytes(node.output(index)) for index in range(node.get_output_size()))
        total += size
        if size > _UNFOLDED * weights + _ROOM or total > _UNFOLDED_ALL * weights + _ROOM_ALL:
            raise SlipstreamError(
                f"{name} unfolds into values many times as large as its file: choose another conversion of the model."
            )


def _bytes(output: ov.Output) -> int:
    """Of a value, at least."""
    shape = output.get_partial_shape()
    if shape.rank.is_dynamic:
        return 0
    known = [dimension.get_length() if dimension.is_static else 1 for dimension in shape]
    return math.prod(known) * max(1, int(output.get_element_type().bitwidth)) // 8


def last_line(error: BaseException) -> str:
    """Of what OpenVINO says, which begins with where in its sources it happened."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1][:150].rstrip(".") if lines else type(error).__name__


@dataclass(slots=True)
class _Layer:
    kind: str
    opset: str
    inputs: int = 0
    named: bool = False
    reading: bool = False  # inside of its list of inputs

    @property
    def is_whole(self) -> bool:
        if (self.kind, self.opset) in _FATAL:
            return False
        return self.inputs >= _LEAST_INPUTS.get(self.kind, 0) and (self.named or self.kind not in _NAMED)


class _Walk:
    """Raises for the first element that is not as it should be."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._depth = 0
        self._layers = 0
        self._parts = 0
        self._open: list[_Layer] = []

    def through(self, xml: bytes) -> None:
        """Piece by piece, as an element's attributes take much more room as a dictionary."""
        parser = self._parser()
        for begin in range(0, len(xml), _PIECE):
            parser.Parse(xml[begin : begin + _PIECE], False)
            if begin - parser.CurrentByteIndex > _LONGEST_TAG:
                raise ValueError("it is no model")
        parser.Parse(b"", True)

    def _parser(self) -> Any:
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        return parser

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._layers += tag == "layer"
        self._parts += 1 + len(attributes)
        if self._depth > _DEEPEST or self._layers > _MOST_LAYERS or self._parts > _MOST_PARTS:
            raise ValueError("it is no model")
        if tag == "layer":
            self._open.append(_Layer(attributes.get("type", "?"), attributes.get("version", "")))
            self._require_known(attributes.get("type", "?"), attributes.get("version", ""))
        elif self._open:
            layer = self._open[-1]
            layer.reading |= tag == "input"
            layer.inputs += tag == "port" and layer.reading
            if tag == "data" and attributes.get("element_type", "f32") not in _TYPES:
                raise ValueError(f"values of type '{attributes['element_type'][:20]}'")
            layer.named |= tag == "data" and "variable_id" in attributes

    def _require_known(self, kind: str, opset: str) -> None:
        if not _OPSETS.fullmatch(opset):
            raise SlipstreamError(
                f"{self._name} needs an extension of OpenVINO (operation '{kind[:60]}'), and "
                "Slipstream loads none, as they are foreign programs: choose another conversion of the model."
            )
        if kind in _LOOPS:
            raise SlipstreamError(
                f"{self._name} holds a loop ('{kind}'), which might never end: choose another conversion of the model."
            )

    def _end(self, tag: str) -> None:
        self._depth -= 1
        if tag == "input" and self._open:
            self._open[-1].reading = False
        if tag == "layer" and not (layer := self._open.pop()).is_whole:
            raise ValueError(f"an operation '{layer.kind[:60]}' is incomplete")

    def _refuse_doctype(self, *declared: object) -> None:
        raise ValueError("it declares a document type")
