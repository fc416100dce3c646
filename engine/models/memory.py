"""Will the pair fit? Counted before anything is loaded: both models' weights and both caches."""

from collections.abc import Sequence
from pathlib import Path

import psutil

from engine.errors import SlipstreamError

WORKING_BYTES = 300_000_000  # runtime, activations of a prefill chunk, tokenizers
KV_BYTES_PER_WEIGHT_BYTE = 0.12  # float32 cache of a 4,096-token conversation against 4-bit weights


def needed_bytes(folders: Sequence[Path]) -> int:
    """Estimate from the size of the GGUF files: weights as they are compiled, a 4,096-token cache, working space."""
    weights = sum((folder / "model.gguf").stat().st_size for folder in folders)
    return int(weights * (1.15 + KV_BYTES_PER_WEIGHT_BYTE)) + WORKING_BYTES


def check_memory(folders: Sequence[Path], available: int | None = None) -> None:
    """Errors: SlipstreamError with both numbers when the pair does not fit into what is free now."""
    free = psutil.virtual_memory().available if available is None else available
    needed = needed_bytes(folders)
    if needed > free:
        raise SlipstreamError(
            f"This pair needs about {needed / 1e9:.1f} GB of memory, but only {free / 1e9:.1f} GB is free: "
            "close other programs or choose a smaller pair."
        )
