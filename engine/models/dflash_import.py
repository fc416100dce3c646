"""Takes a trained drafter's folder (config.json, model.safetensors) into the models folder: checked, hashed, copied."""

import re
import shutil
from pathlib import Path

from engine.errors import SlipstreamError
from engine.models import disk, json_file, manifest, paths
from engine.models.catalogue import Catalogue
from engine.models.meter import Meter
from engine.models.shelf import Shelf

CONFIG_FILE = "config.json"
_LICENCE = re.compile(
    r"^license:\s*['\"]?([\w.+-]{1,50})", re.MULTILINE
)  # in the front matter of a model card


def is_checkpoint(path: Path) -> bool:
    return (path / CONFIG_FILE).is_file()


def import_drafter(folder: Path, name: str | None, shelf: Shelf, catalogue: Catalogue, meter: Meter) -> str:
    """Returns the drafter's name: `name`, else one made from the folder's.

    Raises SlipstreamError when the folder holds no complete drafter of a known format or the name is taken.
    """
    from engine.graphs.dflash_checkpoint import TENSOR_FILE, Checkpoint

    shape = Checkpoint(folder).shape
    source = folder / TENSOR_FILE
    size = source.stat().st_size
    meter.enter("verify", total=size, done=0)
    model = manifest.InstalledModel(
        name=paths.check_name(name or _name_from(folder)),
        title=paths.shown(folder.resolve().name)[:100],
        source="import",
        sha256=disk.sha256(source, meter.add),
        size_bytes=size,
        licence=licence(folder),
        architecture=shape.described,
        format="dflash",
        fetched_at=manifest.now(),
    )
    with disk.explaining(shelf.models), shelf.locked(model.name, meter):
        if not _is_there(model, shelf, catalogue):
            _take(folder, source, model, shelf, meter)
    meter.finish()
    return model.name


def _is_there(model: manifest.InstalledModel, shelf: Shelf, catalogue: Catalogue) -> bool:
    """Whether the very same drafter is installed; raises when the name belongs to another model."""
    if shelf.is_installed(model.name):
        if manifest.read(shelf.path(model.name)).sha256 == model.sha256:
            return True
    elif model.name not in catalogue.models:
        return False
    raise SlipstreamError(
        f"The name “{model.name}” belongs to another model: import the folder under another name."
    )


def _take(folder: Path, source: Path, model: manifest.InstalledModel, shelf: Shelf, meter: Meter) -> None:
    incoming = shelf.incoming(f"{model.name}.import")
    shutil.rmtree(incoming, ignore_errors=True)
    ready, part = incoming / "ready", incoming / "import.part"
    ready.mkdir(parents=True)
    try:
        disk.require_space(model.size_bytes, incoming)
        meter.enter("copy", total=model.size_bytes, done=0)
        with source.open("rb") as original, part.open("wb") as copy:
            while chunk := original.read(disk.CHUNK):
                copy.write(chunk)
                meter.add(len(chunk))
        shutil.copyfile(folder / CONFIG_FILE, ready / CONFIG_FILE)
        disk.sync_file(ready / CONFIG_FILE)
        if disk.sha256(part, lambda size: meter.tick()) != model.sha256:
            raise SlipstreamError(
                f"{source.name} changed while it was copied: try again when it is complete."
            )
        shelf.install(part, ready, model)
    finally:
        disk.discard(incoming, shelf.trash)


def licence(folder: Path) -> str:
    """What the model card in the folder names as its licence."""
    try:
        card = json_file.read_text(folder / "README.md")
    except (OSError, ValueError):
        return "not stated"
    found = _LICENCE.search(card)
    return found[1] if found else "not stated"


def _name_from(folder: Path) -> str:
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", folder.resolve().name).strip("._-").lower()
    return name if paths.is_safe_name(name) else f"drafter-{name}"[:100].rstrip("._-")
