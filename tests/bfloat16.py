"""Writes safetensors files in bfloat16, which numpy and the library's numpy side do not know."""

import json
from pathlib import Path

import numpy as np


def save_bfloat16(tensors: dict[str, np.ndarray], path: Path) -> None:
    """Floats are cut to bfloat16; whole numbers and marks keep their types."""
    header, data = {}, b""
    for name, values in tensors.items():
        kind, raw = _encoded(values)
        header[name] = {
            "dtype": kind,
            "shape": list(values.shape),
            "data_offsets": [len(data), len(data) + len(raw)],
        }
        data += raw
    described = json.dumps(header).encode()
    described += b" " * (-len(described) % 8)
    path.write_bytes(len(described).to_bytes(8, "little") + described + data)


def _encoded(values: np.ndarray) -> tuple[str, bytes]:
    if values.dtype == np.bool_:
        return "BOOL", values.tobytes()
    if values.dtype.kind == "i":
        return "I64", values.astype("<i8").tobytes()
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
    return "BF16", (bits >> 16).astype("<u2").tobytes()
