"""A model's conversions, models/<name>/openvino/<format>/: their hashes, and what becomes of damaged ones.

Loading does not hash, so that a start stays quick; ModelStore.verify() does.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.models import disk

REVISIONS = {"gguf": 2, "dflash": 1}  # of layout and names, by the model's format; others are made again
WEIGHTS_FILE = "weights.bin"
_HASH_FILE = "weights.sha256"


def record(conversion: Path) -> None:
    """Notes the hash of the weights that were just written."""
    (conversion / _HASH_FILE).write_text(disk.sha256(conversion / WEIGHTS_FILE) + "\n", encoding="ascii")


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A folder beside `target` to write into; it is brought to the disk and renamed: what has the right name is whole.

    What is left of an earlier one goes first; an error leaves nothing.
    """
    partial = target.with_name(target.name + ".partial")
    for leftover in (partial, target):
        if leftover.exists():
            shutil.rmtree(leftover)
    partial.mkdir(parents=True)
    try:
        yield partial
        record(partial)
        for file in partial.iterdir():
            disk.sync_file(file)
        partial.rename(target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    disk.sync_folder(target.parent)


def recorded(model: Path) -> list[Path]:
    """The conversions of the model in this folder that can be checked."""
    return sorted(file.parent for file in model.glob(f"openvino/*/{_HASH_FILE}"))


def outdated(model: Path, kind: str) -> list[Path]:
    """What nothing reads any more of a model of this format: conversions of other revisions, and begun ones."""
    folders = [path for path in model.glob("openvino/*") if path.is_dir()]
    return sorted(path for path in folders if not path.name.endswith(f"-v{REVISIONS[kind]}"))


def is_whole(conversion: Path, seen: Callable[[int], None]) -> bool:
    """Reads every byte of the weights; `seen` is told the bytes of each chunk and may raise to stop."""
    weights = conversion / WEIGHTS_FILE
    expected = (conversion / _HASH_FILE).read_bytes().strip()
    return weights.is_file() and disk.sha256(weights, seen).encode() == expected
