"""Tensors of a safetensors file as arrays. numpy has no bfloat16, the type in which drafters are published."""

import errno
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from engine.errors import SlipstreamError
from engine.models import json_file

_LARGEST_HEADER = 10_000_000  # bytes; one of 10,000 tensors has about a tenth of it
_PLAIN = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I8": "i1", "BOOL": "?"}


class SafetensorsFile:
    """Reads one tensor at a time from a mapping of the file. The library checks the header before it is believed."""

    def __init__(self, path: Path) -> None:
        """Errors: SlipstreamError when the file is not a complete safetensors file."""
        self._path = path
        try:
            size, header = _header(path)
            header.pop("__metadata__", None)
            self._entries = header
            self._data = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + size)
        except (SafetensorError, OSError, ValueError) as error:
            raise SlipstreamError(f"{path} is not a complete safetensors file: download it again.") from error

    def names(self) -> set[str]:
        return set(self._entries)

    def shape(self, name: str) -> tuple[int, ...]:
        return tuple(self._entries[name]["shape"])

    def kind(self, name: str) -> str:
        return str(self._entries[name]["dtype"])

    def grid(self, name: str) -> None:
        """No tensor is on a grid that has to be kept."""

    def read(self, name: str) -> NDArray[np.float32]:
        return np.asarray(self._values(name), dtype=np.float32)

    def read_ints(self, name: str) -> NDArray[np.int64]:
        return np.asarray(self._values(name), dtype=np.int64)

    def _values(self, name: str) -> NDArray[Any]:
        entry = self._entries[name]
        begin, end = entry["data_offsets"]
        raw, kind = self._data[begin:end], entry["dtype"]
        if kind == "BF16":
            return _shaped((raw.view("<u2").astype(np.uint32) << 16).view(np.float32), entry["shape"])
        if kind not in _PLAIN:
            raise SlipstreamError(
                f"Tensor '{name}' of {self._path.name} has the type {kind}, which can't be read: use another file."
            )
        return _shaped(raw.view(_PLAIN[kind]), entry["shape"])


def _header(path: Path) -> tuple[int, dict[str, Any]]:
    """How long it is, and what it says, after the library has found it sound."""
    if not path.is_file():  # opening a pipe would wait for its writer
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if size > _LARGEST_HEADER:
            raise ValueError(size)
        with safe_open(path, framework="numpy"):
            pass
        return size, json_file.parse(file.read(size).decode())


def _shaped(values: NDArray[Any], shape: list[int]) -> NDArray[Any]:
    """Of a tensor without elements the other sizes may be anything."""
    return values.reshape(shape) if values.size else np.zeros([0] * len(shape), values.dtype)
