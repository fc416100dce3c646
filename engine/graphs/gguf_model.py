"""A GGUF file as an architecture description and float32 tensors (GGUF specification, ggml-org/ggml docs/gguf.md)."""

import re
from pathlib import Path
from typing import Self

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Kind
from numpy.typing import NDArray

from engine.errors import SlipstreamError
from engine.graphs import packed
from engine.graphs.gguf_description import describe, rope_factors
from engine.graphs.packed import Packed
from engine.models import gguf_header, memory

Array = NDArray[np.float32]
_CHUNK = 1 << 20  # values
_KNOWN = re.compile(
    r"((token_embd|output|output_norm|rope_freqs|rope_factors_long|rope_factors_short)\.weight|blk\.\d+\.("
    r"attn_(q|k|v|qkv|output|norm|q_norm|k_norm|gate|rot_embd)\.weight|attn_(q|k|v|qkv)\.bias|"
    r"ffn_(norm|gate|up|down)\.weight|post_(attention|ffw)_norm\.weight|"
    r"ssm_(alpha|beta|conv1d|norm|out)\.weight|ssm_a|ssm_dt\.bias))(\.(u4|u8|zero|scale))?"
)


class GgufModel:
    """Reads one tensor at a time, so that a conversion needs little more memory than its output."""

    tiled_values = True

    def __init__(self, path: Path, header: gguf_header.Header) -> None:
        self._header = header
        self._tensors = header.tensors
        self._data = np.memmap(path, dtype=np.uint8, mode="r")
        self._read: set[str] = set()
        self.architecture = describe(header)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Errors: SlipstreamError for a file that is not a readable GGUF of a known architecture."""
        try:
            with memory.explaining(path.name):
                return cls(path, gguf_header.read(path))
        except (TypeError, ValueError, ArithmeticError) as error:
            raise SlipstreamError(
                f"{path.name} describes a model that is not supported ({error}): choose another one."
            ) from error

    @property
    def elements(self) -> int:
        return self._header.elements

    def tensor(self, name: str, every: int = 1) -> Array:
        """Dequantised values, [out, in] for matrices, of every n-th row; SlipstreamError when they can't be had."""
        if name not in self._tensors and packed.is_packed(name, self._tensors):
            return packed.as_float(packed.read(name, self._raw, self._tensors), every)
        tensor = self._find(name)
        try:
            with np.errstate(all="ignore"):
                values = _dequantised(self._raw(name)[::every], tensor)
        except (NotImplementedError, ValueError) as error:
            raise SlipstreamError(
                f"Tensor '{name}' has the type {tensor.kind.name}, which can't be read; use another file."
            ) from error
        if not np.isfinite(values).all():
            raise SlipstreamError(f"Tensor '{name}' holds values that are no numbers: fetch the file again.")
        return values

    def rows(self, name: str) -> int:
        """How many rows a matrix has."""
        part = next((each for each in (name, f"{name}.{packed.SCALE}") if each in self._tensors), name)
        return self._find(part).shape[0]

    def packed(self, name: str) -> Packed | None:
        """A matrix on the grid of an OpenVINO model that it came from; None for one of GGUF's own types."""
        if not packed.is_packed(name, self._tensors):
            return None
        return packed.read(name, self._raw, self._tensors)

    def rope_factors(self) -> Array | None:
        """What the rotary frequencies are divided by, [rotary dim / 2], if anything."""
        for name in ("rope_freqs.weight", "rope_factors_short.weight"):
            if self.has(name):
                return self.tensor(name)
        return rope_factors(self._header, self.architecture)

    def has(self, name: str) -> bool:
        return name in self._tensors or packed.is_packed(name, self._tensors)

    def require_all_read(self) -> None:
        """SlipstreamError for a tensor that nobody asked for: a graph without it would write nonsense."""
        unused = self._tensors.keys() - self._read
        left = sorted(name for name in unused if "rot_embd" not in name and not self._is_spare(name))
        if left:
            raise SlipstreamError(
                f"The GGUF file has a tensor that Slipstream does not know, '{left[0]}': choose another model."
            )

    def require_known_names(self) -> None:
        """SlipstreamError for a tensor that no graph here asks for: as `require_all_read`, before anything is read."""
        for name in self._tensors:
            if not _KNOWN.fullmatch(name) and not self._is_spare(name):
                raise SlipstreamError(
                    f"The GGUF file has a tensor that Slipstream does not know, '{name[:80]}': choose another model."
                )

    def head_name(self) -> str:
        """The output matrix; the embedding serves when the file ties them."""
        return "output.weight" if self.has("output.weight") else "token_embd.weight"

    def _is_spare(self, name: str) -> bool:
        """Whether a tensor is of the layers for multi-token prediction, or for contexts longer than are offered."""
        found = re.match(r"blk\.(\d+)\.", name)
        return name == "rope_factors_long.weight" or (
            found is not None and int(found[1]) >= self.architecture.layers
        )

    def _find(self, name: str) -> gguf_header.Tensor:
        if name not in self._tensors:
            raise SlipstreamError(
                f"The GGUF file has no tensor '{name}': it is incomplete or of another kind."
            )
        return self._tensors[name]

    def _raw(self, name: str) -> NDArray[np.uint8]:
        """The stored bytes, [rows..., bytes of a row]."""
        tensor = self._find(name)
        self._read.add(name)
        begin = self._header.start + tensor.offset
        raw: NDArray[np.uint8] = self._data[begin : begin + tensor.bytes]
        return raw.reshape(*tensor.shape[:-1], tensor.row_bytes)


def _dequantised(raw: NDArray[np.uint8], tensor: gguf_header.Tensor) -> Array:
    """Some rows at a time: the library's temporaries are several times as large as what comes out."""
    if tensor.kind is Kind.F32 or raw.ndim == 1:
        return np.asarray(gguf.dequantize(raw, tensor.kind), dtype=np.float32)
    values = np.empty((*raw.shape[:-1], tensor.shape[-1]), dtype=np.float32)
    step = max(1, _CHUNK // max(1, values[0].size))
    for begin in range(0, len(raw), step):
        values[begin : begin + step] = gguf.dequantize(raw[begin : begin + step], tensor.kind)
    return values
