"""Removing that can be undone: the model's folder goes aside, and only later for good."""

import time
from dataclasses import dataclass
from pathlib import Path

from engine.errors import SlipstreamError
from engine.models import disk
from engine.models.catalogue import Pair
from engine.models.own_pairs import OwnPairs
from engine.models.shelf import Shelf
from engine.models.shipped import ShippedDrafters


@dataclass(frozen=True, slots=True)
class Removed:
    """A model that is aside, and the user's pairs that it was part of."""

    name: str
    place: Path
    pairs: tuple[Pair, ...]


class Removal:
    def __init__(self, shelf: Shelf, own_pairs: OwnPairs, shipped: ShippedDrafters) -> None:
        self._shelf = shelf
        self._pairs = own_pairs
        self._shipped = shipped

    def set_aside(self, name: str) -> Removed:
        """Errors: SlipstreamError while it is being fetched, or when the disk refuses."""
        pairs = tuple(pair for pair in self._pairs.all() if name in pair.models)
        place = self._shelf.aside / f"{time.time_ns():x}-{name}"[:120]
        with disk.explaining(self._shelf.models), self._shelf.locked(name, None):
            place.parent.mkdir(parents=True, exist_ok=True)
            self._shelf.path(name).rename(place)
            if self._shipped.is_shipped(name):
                self._shelf.decline(name)
            disk.sync_folder(self._shelf.models)
        self._pairs.forget_model(name)
        return Removed(name, place, pairs)

    def bring_back(self, removed: Removed) -> None:
        """Errors: SlipstreamError when its place is taken, or it is gone for good."""
        with disk.explaining(self._shelf.models), self._shelf.locked(removed.name, None):
            if self._shelf.path(removed.name).exists():
                raise SlipstreamError(f"“{removed.name}” is installed again: there is nothing to bring back.")
            if not removed.place.exists():
                raise SlipstreamError(f"“{removed.name}” is deleted for good: fetch it again.")
            removed.place.rename(self._shelf.path(removed.name))
            self._shelf.accept(removed.name)
            disk.sync_folder(self._shelf.models)
        for pair in removed.pairs:
            self._pairs.add(pair)

    def finish(self, removed: Removed | None = None) -> None:
        """Deletes what is aside: this one, or all that an earlier run left."""
        with disk.explaining(self._shelf.models):
            places = [removed.place] if removed else list(self._shelf.aside.glob("*"))
            for place in places:
                disk.discard(place, self._shelf.trash)
