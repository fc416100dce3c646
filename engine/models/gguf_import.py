"""Takes a GGUF file that the user has into the models folder: checked, hashed, hard-linked or copied."""

import re
import shutil
from pathlib import Path

from engine.errors import SlipstreamError
from engine.graphs.gguf_model import GgufModel
from engine.models import disk, gguf_header, manifest, paths
from engine.models.catalogue import Catalogue, ModelEntry
from engine.models.meter import Meter
from engine.models.shelf import Shelf


def import_gguf(path: Path, name: str | None, shelf: Shelf, catalogue: Catalogue, meter: Meter) -> str:
    """Returns the model's name: `name`, else the catalogue's for this file, else one made from the file's.

    Raises SlipstreamError when the file is not a complete GGUF of a known architecture or the name is taken.
    """
    header = gguf_header.check(path)
    if header.architecture != gguf_header.FOREIGN:
        GgufModel.open(path).require_known_names()
    size = path.stat().st_size
    meter.enter("verify", total=size, done=0)
    sha256 = disk.sha256(path, meter.add)
    known = next((entry for entry in catalogue.models.values() if entry.sha256 == sha256), None)
    model = manifest.InstalledModel(
        name=paths.check_name(name or (known.name if known else _name_from(path))),
        title=_title(path, header, known),
        source="import",
        sha256=sha256,
        size_bytes=size,
        licence=known.licence if known else header.text("general.license") or "not stated",
        architecture=header.architecture,
        fetched_at=manifest.now(),
    )
    with disk.explaining(shelf.models), shelf.locked(model.name, meter):
        if not _is_there(model, shelf, catalogue):
            _take(path, model, shelf, meter)
    meter.finish()
    return model.name


def _is_there(model: manifest.InstalledModel, shelf: Shelf, catalogue: Catalogue) -> bool:
    """Whether the very same model is installed; raises when the name belongs to another file."""
    entry = catalogue.models.get(model.name)
    other = entry is not None and entry.sha256 not in ("", model.sha256)
    if shelf.is_installed(model.name):
        installed = manifest.read(shelf.path(model.name))
        if installed.sha256 == model.sha256:
            return True
        other = True
    if other:
        raise SlipstreamError(
            f"The name “{model.name}” belongs to another model: import the file under another name."
        )
    return False


def _take(path: Path, model: manifest.InstalledModel, shelf: Shelf, meter: Meter) -> None:
    folder = shelf.incoming(f"{model.name}.import")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    part = folder / "import.part"
    try:
        try:
            part.hardlink_to(path.resolve())
        except OSError:
            _copy(path, part, model, meter)
        shelf.install(part, folder / "ready", model)
    finally:
        disk.discard(folder, shelf.trash)


def _copy(path: Path, part: Path, model: manifest.InstalledModel, meter: Meter) -> None:
    disk.require_space(model.size_bytes, part.parent)
    meter.enter("copy", total=model.size_bytes, done=0)
    with path.open("rb") as source, part.open("wb") as target:
        while chunk := source.read(disk.CHUNK):
            target.write(chunk)
            meter.add(len(chunk))
    if disk.sha256(part, lambda size: meter.tick()) != model.sha256:
        raise SlipstreamError(f"{path.name} changed while it was copied: try again when it is complete.")


def _title(path: Path, header: gguf_header.Header, known: ModelEntry | None) -> str:
    return known.title if known else header.text("general.name").strip()[:100] or paths.shown(path.stem)


def _name_from(path: Path) -> str:
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", path.stem).strip("._-").lower()
    return name if paths.is_safe_name(name) else f"model-{name}"[:100].rstrip("._-")
