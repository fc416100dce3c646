"""A place among the models for a file that an import writes: one at a time, and nothing of it outlives the import."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.models import disk
from engine.models.meter import Meter
from engine.models.shelf import Shelf


@contextmanager
def staged(shelf: Shelf, meter: Meter, size: int, name: str = "import.staging") -> Iterator[Path]:
    """An empty folder, one for each `name`, on the models' disk with room for `size` bytes.

    What a killed import left in it goes first.

    Errors: SlipstreamError when the disk is too full or refuses.
    """
    folder = shelf.incoming(name)
    with disk.explaining(shelf.models), shelf.locked(name, meter):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            disk.require_space(size, folder)
            yield folder
        finally:
            disk.discard(folder, shelf.trash)
