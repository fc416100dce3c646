"""A place among the models for a file that an import writes: one at a time, and nothing of it outlives the import."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from engine.errors import SlipstreamError
from engine.models import disk
from engine.models.meter import Meter
from engine.models.shelf import Shelf

STAGING, CONVERSION = "import.staging", "import.conversion"


@contextmanager
def staged(shelf: Shelf, meter: Meter, size: int, name: str = STAGING) -> Iterator[Path]:
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


def sweep(shelf: Shelf) -> None:
    """Deletes what a killed import left, unless another one is at work."""
    for name in (STAGING, CONVERSION):
        folder = shelf.incoming(name)
        if folder.exists():
            with suppress(SlipstreamError, OSError), shelf.locked(name, None):
                disk.discard(folder, shelf.trash)
