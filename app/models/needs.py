"""What a model that is not here yet will need, said before it is fetched."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.models.sizes import in_words
from engine.models import disk, memory
from engine.models.catalogue import ModelEntry
from engine.models.store import ModelStore

PER_BYTE = 1.4  # of memory by the size of a file of 4 or 5 bits a weight, with the cache of a short chat
RUNTIME_BYTES = 500_000_000


def memory_needed(sizes: Sequence[int]) -> int:
    """Before the files are here nobody knows better; engine.models.estimate counts it once they are."""
    return int(sum(sizes) * PER_BYTE) + RUNTIME_BYTES


def memory_line(models: Sequence[ModelEntry], free: bool = False) -> str:
    return memory_words([model.size_bytes for model in models], free)


def memory_words(sizes: Sequence[int], free: bool = False) -> str:
    """`free`: with what there is at the moment."""
    tr = QCoreApplication.translate
    text = tr("Needs", "about {needed} of memory").format(needed=in_words(memory_needed(sizes)))
    if not free:
        return text
    both = tr("Needs", "{needs}; {free} is free")
    return both.format(needs=text, free=in_words(memory.free_bytes()))


def disk_line(needed: int, store: ModelStore) -> str:
    """With what there is at the moment."""
    tr = QCoreApplication.translate
    both = tr("Needs", "{needed}; {free} is free")
    return both.format(needed=in_words(needed), free=in_words(disk.free_bytes(store.home)))
