"""A trained drafter in 8 bits with a scale a row, small enough to ship: a quarter of the size."""

import shutil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.graphs.dflash_checkpoint import SCALE, Checkpoint
from engine.graphs.safetensors_file import SafetensorsFile
from engine.models import disk
from engine.train.drafter_folder import CARD_FILE, CONFIG_FILE, TENSOR_FILE

TABLES = {"d2t": np.int64, "t2d": np.bool_}


def pack(drafter: Path, out: Path) -> int:
    """Bytes of the new folder. Errors: SlipstreamError when `drafter` is none."""
    from safetensors.numpy import save_file

    Checkpoint(drafter)
    file = SafetensorsFile(drafter / TENSOR_FILE)
    tensors: dict[str, NDArray[np.generic]] = {}
    for name in sorted(file.names()):
        if name in TABLES:
            tensors[name] = file.read_ints(name).astype(TABLES[name])
        else:
            tensors |= _in_eight_bits(name, file.read(name))
    with disk.explaining(out):
        out.mkdir(parents=True, exist_ok=True)
        save_file(tensors, out / TENSOR_FILE)
        for each in (CONFIG_FILE, CARD_FILE):
            if (drafter / each).exists():
                shutil.copyfile(drafter / each, out / each)
    Checkpoint(out)
    return disk.folder_size(out)


def _in_eight_bits(name: str, values: NDArray[np.float32]) -> dict[str, NDArray[np.generic]]:
    """Matrices only: vectors are small, and stay as they are."""
    if values.ndim != 2:
        return {name: np.array(values)}
    scale = np.maximum(np.abs(values).max(axis=1) / 127.0, 1e-12).astype(np.float32)
    levels = np.rint(values / scale[:, None]).clip(-127, 127).astype(np.int8)
    return {name: levels, name + SCALE: scale}
