"""Will the pair fit? Counted before anything is loaded: both models' weights and both caches.

The factors fit what was measured (peak resident memory of `slipstream ask`, float32 caches of a short chat): starter
0.67 GB with a 0.10 GB file, coder pair 2.77 GB with 1.61 GB of files; converting the 1.12 GB file 2.77 GB.
"""

import contextlib
import errno
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil

from engine.errors import SlipstreamError
from engine.models import gguf_header, manifest

WORKING_BYTES = 500_000_000  # runtime, activations of a prefill chunk, tokenizers
WEIGHTS_PER_BYTE = 1.29  # compiled weights, by the size of the model's file
MOST_PER_ELEMENT = (
    0.75  # a file of more (Q8_0, BF16) is converted to no more than one of 4 to 5 bits (Q4_1: 0.73)
)
CACHE_PER_BYTE = 0.12  # caches of a 4,096-token conversation
CONVERSION_PER_BYTE = 2.3  # one model at a time, before anything is compiled


def free_bytes() -> int:
    """What programs can still get without swapping."""
    return int(psutil.virtual_memory().available)


def needed_bytes(folders: Sequence[Path]) -> int:
    """Peak estimate for these model folders, target first; more when one of them must be converted first."""
    sizes = [_size(manifest.model_file(folder)) for folder in folders]
    running = sum(sizes) * (WEIGHTS_PER_BYTE + CACHE_PER_BYTE)
    converting = [
        size * CONVERSION_PER_BYTE
        for folder, size in zip(folders, sizes, strict=True)
        if not (folder / "openvino").exists()
    ]
    return int(max(running, *converting, 0.0)) + WORKING_BYTES


def _size(file: Path) -> float:
    """Bytes of the model's file, or of one with the same tensors at 4 to 5 bits if that is less."""
    size = file.stat().st_size
    try:
        return min(size, MOST_PER_ELEMENT * gguf_header.check(file).elements)
    except SlipstreamError:  # no GGUF file, or a torn one, about which loading it has more to say
        return size


def check_memory(folders: Sequence[Path], available: int | None = None) -> None:
    """Errors: SlipstreamError with both numbers when the pair does not fit into what is free now."""
    free = free_bytes() if available is None else available
    needed = needed_bytes(folders)
    if needed > free:
        raise SlipstreamError(
            f"This pair needs about {needed / 1e9:.1f} GB of memory, but only {free / 1e9:.1f} GB is free: "
            "close other programs or choose a smaller pair."
        )


@contextlib.contextmanager
def explaining(name: str) -> Iterator[None]:
    """Turns the system's refusal to give memory for the file `name` into one sentence."""
    try:
        yield
    except (MemoryError, OSError) as error:
        if isinstance(error, OSError) and error.errno != errno.ENOMEM:
            raise
        raise SlipstreamError(
            f"There is not enough memory to read {name}: close other programs or choose a smaller model."
        ) from error
