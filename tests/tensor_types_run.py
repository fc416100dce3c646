"""Imports a file of each tensor type and compares its logits with llama.cpp's: a script, not collected by pytest.

    python -m tests.tensor_types_run TEXT MODEL.gguf [--types Q4_K,IQ3_S] [--positions 128]

The files are made from MODEL.gguf by ggml's own quantisers, every matrix whose rows the type's blocks divide, all
others Q8_0 (rows of SmolLM2 are 576 long, so that types of 256-wide blocks only take its `ffn_down` matrices).
Needs `pip install slipstream[bench]`. Times and memory are of a process that imports the file and converts it to int8.
"""

import argparse
import ctypes
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Kind
from numpy.typing import NDArray

from engine.graphs.compress import WeightFormat
from engine.models import gguf_header
from engine.tokenizer import Tokenizer
from tests.logits_check import compare, llama_logits, our_logits, read_text

_IMPORT = """
import sys, time
from pathlib import Path
from engine.bench.watch import peak_memory_bytes
from engine.models.store import ModelStore
begin = time.perf_counter()
store = ModelStore(Path(sys.argv[2]))
name = store.import_file(Path(sys.argv[1]), form="int8")
print(time.perf_counter() - begin, peak_memory_bytes())
"""


class Quantiser:
    """ggml's, which quantises more types than the gguf library does; it comes with llama-cpp-python."""

    def __init__(self) -> None:
        import llama_cpp

        folder = Path(llama_cpp.__file__).parent / "lib"
        library = ctypes.CDLL(str(next(folder.glob("libggml-base.*"))))
        self._quantise = library.ggml_quantize_chunk
        self._quantise.restype = ctypes.c_size_t
        pointer, count = ctypes.c_void_p, ctypes.c_int64
        self._quantise.argtypes = [ctypes.c_int, pointer, pointer, count, count, count, pointer]

    def __call__(self, values: NDArray[np.float32], kind: Kind) -> NDArray[np.uint8]:
        if kind in (Kind.F32, Kind.F16, Kind.BF16):
            return gguf.quantize(values, kind).view(np.uint8)
        values = np.ascontiguousarray(values, dtype=np.float32)
        rows, columns = values.shape
        block, width = gguf.GGML_QUANT_SIZES[kind]
        packed = np.zeros((rows, columns // block * width), dtype=np.uint8)
        alike = np.ones(columns, dtype=np.float32)
        addresses = [each.ctypes.data for each in (values, packed)]
        written = self._quantise(int(kind), *addresses, 0, rows, columns, alike.ctypes.data)
        if written != packed.nbytes:
            raise ValueError(f"ggml wrote {written} bytes of {packed.nbytes}")
        return packed


def write(source: gguf.GGUFReader, path: Path, kind: Kind, quantise: Quantiser) -> int:
    """Returns how many matrices have the type."""
    writer = gguf.GGUFWriter(path, source.fields["general.architecture"].contents())
    for name, field in source.fields.items():
        if not name.startswith("GGUF.") and name != "general.architecture":
            inner = field.types[1] if len(field.types) > 1 else None
            writer.add_key_value(name, field.contents(), field.types[0], sub_type=inner)
    count = 0
    for tensor in source.tensors:
        values = gguf.dequantize(tensor.data, tensor.tensor_type)
        if values.ndim == 1:
            writer.add_tensor(tensor.name, np.array(values, dtype=np.float32))
            continue
        fits = values.shape[1] % gguf.GGML_QUANT_SIZES[kind][0] == 0
        count += fits
        own = kind if fits else Kind.Q8_0
        writer.add_tensor(tensor.name, quantise(values, own), raw_dtype=own)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return count


def measure(path: Path, home: Path) -> tuple[float, int]:
    """Seconds and peak bytes of an import in a process of its own."""
    told = subprocess.run(
        [sys.executable, "-c", _IMPORT, path, home], check=True, capture_output=True, text=True
    ).stdout.split()
    return float(told[0]), int(told[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("text", type=Path)
    parser.add_argument("gguf", type=Path)
    parser.add_argument("--types", default=",".join(k.name for k in Kind if gguf_header.is_readable(k)))
    parser.add_argument("--positions", type=int, default=128)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    tokens = Tokenizer.from_gguf(options.gguf).encode(read_text(options.text))[: options.positions]
    source, quantise, rows = gguf.GGUFReader(options.gguf), Quantiser(), []
    for name in options.types.split(","):
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / f"{name}.gguf"
            count = write(source, path, Kind[name], quantise)
            seconds, peak = measure(path, Path(scratch) / "home")
            llama = llama_logits(path, tokens)
            found = compare(llama, our_logits(path, tokens, WeightFormat.F32))
            rows.append(
                {"type": name, "matrices": count, "bytes": path.stat().st_size, "import_s": round(seconds, 1)}
                | {"peak_bytes": peak, "mean_difference": found.mean, "size": float(np.abs(llama).mean())}
                | {"same_best": found.top1, "divergence": found.divergence}
            )
            print(json.dumps(rows[-1]), flush=True)  # noqa: T201
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
