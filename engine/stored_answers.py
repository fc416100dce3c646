"""Finds the store of answers that belongs to a target: the user's own beside the model, or the one that came along."""

from dataclasses import dataclass
from pathlib import Path

from engine.drafters import store_file
from engine.drafters.store import StoreDrafter
from engine.errors import SlipstreamError
from engine.models import manifest, paths


@dataclass(frozen=True, slots=True)
class FoundStore:
    """What drafts from it, if there is one; `refused`: why a file that is there does not serve, as a sentence."""

    drafter: StoreDrafter | None = None
    refused: str = ""


def find_store(model: Path, vocabulary: int) -> FoundStore:
    """For the target in the folder `model`. A file that does not serve is done without."""
    try:
        identity = manifest.read(model).sha256
    except manifest.DamagedError:
        return FoundStore()
    refused = ""
    for path in (model / store_file.FILE, *shipped(identity)):
        if not path.exists():
            continue
        try:
            stored = store_file.read(path, identity, vocabulary)
            return FoundStore(StoreDrafter(stored.ids, stored.end), refused)
        except (SlipstreamError, OSError) as error:
            refused = refused or str(error)
    return FoundStore(None, refused)


def shipped(identity: str) -> list[Path]:
    """Those among the assets that say that they are of this target."""
    found = sorted((paths.assets_dir() / "stores").glob(f"*/{store_file.FILE}"))
    return [path for path in found if store_file.target_of(path) == identity]
