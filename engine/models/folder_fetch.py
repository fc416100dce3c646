"""A model of several files from the hub: each fetched and checked by its hash, then imported as from a disk."""

from dataclasses import replace
from pathlib import Path

from engine.errors import SlipstreamError
from engine.models import disk, hub, manifest
from engine.models.catalogue import Catalogue, ModelEntry
from engine.models.choices import choices
from engine.models.download import AccessError, Patience, RefusedError, download
from engine.models.hub import GatedError
from engine.models.hub_verdict import Kind
from engine.models.line import Line
from engine.models.meter import Meter
from engine.models.order import Order, order
from engine.models.page import PageReader
from engine.models.shelf import Shelf

_WRITTEN_BY_IMPORT = {
    Kind.GGUF: 1.0,
    Kind.OPENVINO: 1.6,
    Kind.SAFETENSORS: 1.1,
}  # of what was fetched, at most


def ordered(entry: ModelEntry, pages: PageReader, folder: Path) -> Order:
    """What the hub has now for a catalogue's model that is a folder. RefusedError when it has none that runs."""
    assert entry.folder is not None
    repository = hub.repository(entry.folder.repo, entry.folder.revision, pages, folder)
    found = next(
        (choice for choice in choices(repository) if choice.kind in (Kind.OPENVINO, Kind.SAFETENSORS)), None
    )
    if found is None or found.reason:
        raise RefusedError(found.reason if found else "the repository does not hold the model any more")
    made = order(repository, found, entry.name)
    return replace(made, title=entry.title, licence=entry.licence)


def incoming(shelf: Shelf, name: str) -> Path:
    """Where the files of a folder are gathered; never a model's name."""
    return shelf.incoming(f".hub-{name}")


def space_needed(wanted: Order, shelf: Shelf) -> int:
    """Bytes to be written at the worst moment, less what earlier tries left."""
    there = disk.folder_size(incoming(shelf, wanted.name))
    return max(0, int(wanted.size * (1 + _WRITTEN_BY_IMPORT[wanted.kind])) - there)


def fetch_folder(
    wanted: Order, shelf: Shelf, catalogue: Catalogue, line: Line, patience: Patience, *, meter: Meter
) -> None:
    """Installs it. GatedError, or SlipstreamError with the reason; what has arrived is kept."""
    folder = incoming(shelf, wanted.name)
    with shelf.locked(f".hub-{wanted.name}", meter):
        if shelf.is_installed(wanted.name):
            return
        _bring(wanted, folder, line, patience, meter)
        _take_in(wanted, folder, shelf, catalogue, meter)
        disk.discard(folder, shelf.trash)


def _bring(wanted: Order, folder: Path, line: Line, patience: Patience, meter: Meter) -> None:
    meter.enter("download", total=wanted.size, done=0)
    done = 0
    for file in sorted(wanted.files, key=lambda each: each.size):  # what is wrong shows before the large ones
        meter.rebase(done, wanted.size)
        path = folder / file.path
        if not (path.is_file() and disk.size_of(path) == file.size):
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(path.name + ".part")
            try:
                remote = hub.remote_file(wanted.repo, wanted.revision, file)
                download(remote, part, line, patience, meter)
            except AccessError as refused:
                raise GatedError(wanted.repo, str(refused)) from refused
            except RefusedError as refused:
                raise SlipstreamError(
                    f"{wanted.title} could not be fetched (the hub, {file.path}: {refused}). "
                    "Check the connection and try again: what has arrived is kept."
                ) from refused
            disk.sync_file(part)
            part.replace(path)
        done += file.size
        meter.at(file.size)


def _take_in(wanted: Order, folder: Path, shelf: Shelf, catalogue: Catalogue, meter: Meter) -> None:
    from engine.models.importing import import_path

    first = folder / wanted.files[0].path
    import_path(first if wanted.kind is Kind.GGUF else folder, wanted.name, shelf, catalogue, meter)
    model = shelf.path(wanted.name)
    told = replace(
        manifest.read(model), title=wanted.title, licence=wanted.licence, source="hub", origin=wanted.origin
    )
    manifest.write(model, told)
