"""Drafters that come with the program: installed from its own files, without a network, and not needed to answer."""

import hashlib
import shutil
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from engine.errors import SlipstreamError
from engine.models import disk, manifest
from engine.models.catalogue import Catalogue, ModelEntry, Pair, ShippedSource
from engine.models.meter import Meter
from engine.models.shelf import Shelf

AGAIN = "install Slipstream again"
_MISSING = "is not among Slipstream's own files"
_DAMAGED = "is damaged among Slipstream's own files"


class NotShippedError(Exception):
    """Why the program's own files do not give the model, as the end of a sentence that begins with "it"."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """`reason` and `remedy`: parts of a sentence. `chosen`: the user removed the drafter."""

    drafter: str
    reason: str
    remedy: str
    chosen: bool = False

    def sentence(self, pair: Pair) -> str:
        words = f"its drafter “{self.drafter}” {self.reason}; {self.remedy}"
        return f"{pair.title} drafts from repeated text alone: {words}."


@dataclass(frozen=True, slots=True)
class ShippedDrafters:
    shelf: Shelf
    catalogue: Catalogue

    def is_shipped(self, name: str | None) -> bool:
        return shipped_source(self.catalogue.models.get(name or "")) is not None

    def usable(self, pair: Pair) -> Pair:
        """The pair, or its target alone where its drafter is known not to be had."""
        return pair if self.left_out(pair) is None else replace(pair, draft=None)

    def left_out(self, pair: Pair) -> LeftOut | None:
        """Why the pair's shipped drafter does not draft; None where it does, or would be installed by the next load."""
        entry = self.catalogue.models.get(pair.draft or "")
        source = shipped_source(entry)
        if entry is None or source is None or self.shelf.is_installed(entry.name):
            return None
        if self.shelf.is_declined(entry.name):
            remedy = f"slipstream models fetch {entry.name} brings it back"
            return LeftOut(entry.name, "was removed", remedy, chosen=True)
        try:
            _require_whole(source, entry)
        except NotShippedError as error:
            return LeftOut(entry.name, str(error), AGAIN)
        return None

    def all_left_out(self) -> list[tuple[Pair, LeftOut]]:
        """The catalogue's pairs of which that is so."""
        found = [(pair, self.left_out(pair)) for pair in self.catalogue.pairs.values()]
        return [(pair, reason) for pair, reason in found if reason is not None]

    def completed(self, pair: Pair) -> tuple[Pair, LeftOut | None]:
        """The pair as it can be loaded, its shipped drafter installed if need be; and why it is without one."""
        whole = self.catalogue.pairs.get(pair.name, pair)
        reason = self.left_out(whole)
        if reason is None:
            try:
                self.install(pair, Meter())
            except SlipstreamError as error:
                if not self.shelf.is_installed(pair.draft or ""):  # an earlier version's drafts as well
                    reason = unusable(pair, error)
        return pair if reason is None else replace(pair, draft=None), reason

    def install(self, pair: Pair, meter: Meter) -> None:
        """The pair's shipped drafter, if it is not there or is an earlier version's. Errors: SlipstreamError."""
        entry = self.catalogue.models.get(pair.draft or "")
        source = shipped_source(entry)
        if entry is None or source is None or self._is_current(entry):
            return
        with disk.explaining(self.shelf.models), self.shelf.locked(entry.name, meter):
            if not self._is_current(entry):
                self._copy(entry, source, meter)

    def _copy(self, entry: ModelEntry, source: ShippedSource, meter: Meter) -> None:
        folder = self.shelf.incoming(entry.name)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            disk.require_space(entry.size_bytes, folder)
            part = copied(source, entry, folder, meter)
            self.shelf.install(part, folder / "ready", record(entry, "shipped"))
        except NotShippedError as error:
            raise SlipstreamError(f"it {error}") from error
        finally:
            disk.discard(folder, self.shelf.trash)

    def _is_current(self, entry: ModelEntry) -> bool:
        """A model of the same name that the user brought stays what it is."""
        try:
            model = manifest.read(self.shelf.path(entry.name))
        except manifest.DamagedError:
            return False
        return model.source != "shipped" or model.sha256 == entry.sha256


def shipped_source(entry: ModelEntry | None) -> ShippedSource | None:
    sources = entry.sources if entry else ()
    return next((source for source in sources if isinstance(source, ShippedSource)), None)


def copied(source: ShippedSource, entry: ModelEntry, folder: Path, meter: Meter) -> Path:
    """A checked copy of the model's file in `folder`, and in its folder `ready` what belongs beside it.

    Errors: NotShippedError.
    """
    part, ready = folder / "shipped.part", folder / "ready"
    name = manifest.FILES[entry.format]
    shutil.rmtree(ready, ignore_errors=True)
    _require_whole(source, entry)
    shutil.copytree(source.path, ready, ignore=shutil.ignore_patterns(name))
    shutil.copyfile(source.path / name, part)
    if disk.sha256(part, lambda size: meter.tick()) != entry.sha256:
        raise NotShippedError(_DAMAGED)
    _require_readable(source, entry)
    return part


def record(entry: ModelEntry, source: str, origin: str = "") -> manifest.InstalledModel:
    """What is written down of a model of the catalogue that came from there."""
    return manifest.InstalledModel(
        name=entry.name,
        title=entry.title,
        source=source,
        sha256=entry.sha256,
        size_bytes=entry.size_bytes,
        licence=entry.licence,
        architecture=entry.architecture,
        format=entry.format,
        fetched_at=manifest.now(),
        origin=origin,
    )


def unusable(pair: Pair, error: SlipstreamError) -> LeftOut:
    return LeftOut(pair.draft or "", f"can't be used ({str(error).rstrip('.')})", AGAIN)


def _require_whole(source: ShippedSource, entry: ModelEntry) -> None:
    """Errors: NotShippedError."""
    file = source.path / manifest.FILES[entry.format]
    try:
        found = file.stat()
    except OSError as error:
        raise NotShippedError(_MISSING) from error
    if found.st_size != entry.size_bytes or _sha256(file, found.st_size, found.st_mtime_ns) != entry.sha256:
        raise NotShippedError(_DAMAGED)


def _require_readable(source: ShippedSource, entry: ModelEntry) -> None:
    """What lies beside the file has no hash of its own. Errors: NotShippedError."""
    from engine.graphs.dflash_checkpoint import Checkpoint

    try:
        if entry.format == "dflash":
            Checkpoint(source.path)
    except SlipstreamError as error:
        raise NotShippedError(_DAMAGED) from error


@lru_cache(maxsize=8)
def _sha256(file: Path, size: int, changed_ns: int) -> str:
    """Read once as long as the file stays what it is: lists of pairs are made often."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
