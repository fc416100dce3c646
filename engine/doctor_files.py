"""What the doctor finds among the user's files: settings, damaged models, conversions and measurements."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from engine.models import conversions, disk

if TYPE_CHECKING:
    from engine.models.manifest import DamagedModel, InstalledModel

SETTINGS, CALIBRATION = "settings.json", "calibration.json"


@dataclass(frozen=True, slots=True)
class Check:
    """One finding. One that is not `ok` is a problem, and only a problem has a remedy."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""


class Store(Protocol):
    """What is asked of models.store.ModelStore."""

    home: Path

    def path(self, name: str) -> Path: ...
    def installed(self) -> "list[InstalledModel]": ...
    def damaged(self) -> "list[DamagedModel]": ...


def settings(home: Path) -> Check:
    """A file that can't be read is set aside when the window starts; one that was is named."""
    path = home / SETTINGS
    aside = sorted(file.name for file in home.glob("settings.broken-*.json")) if home.is_dir() else []
    kept = f"; {aside[-1]} is what could not be read before" if aside else ""
    try:
        sound = isinstance(json.loads(path.read_text(encoding="utf-8")), dict)
    except (FileNotFoundError, NotADirectoryError):
        return Check("settings", True, f"as new{kept}")
    except (OSError, ValueError, RecursionError):
        sound = False
    if sound:
        return Check("settings", True, f"{path} can be read{kept}")
    return Check(
        "settings", False, f"{path} can't be read", "mend or delete it: the program's own are in force"
    )


def damaged(store: Store) -> list[Check]:
    """One for each model that can't be used."""
    return [
        Check(
            f"model {model.name}", False, model.reason.rstrip("."), f"slipstream models remove {model.name}"
        )
        for model in store.damaged()
    ]


def model_cache(store: Store) -> Check:
    """Converted weights with their sizes, what nothing reads any more, and what was measured."""
    lines, old = [], []
    for model in store.installed():
        folder = store.path(model.name)
        useless = conversions.outdated(folder, model.format)
        old += useless
        size = disk.folder_size(folder / "openvino") - sum(map(disk.folder_size, useless))
        if size:
            lines.append(f"{model.name} {disk.human(size)}")
    converted = f"converted: {', '.join(lines) or 'nothing yet'}"
    return Check("model cache", True, "; ".join([converted, *_old(old), _measured(store.home / CALIBRATION)]))


def _old(folders: Sequence[Path]) -> list[str]:
    if not folders:
        return []
    size = disk.human(sum(map(disk.folder_size, folders)))
    return [f"{size} of older versions can be deleted: {', '.join(map(str, folders))}"]


def _measured(path: Path) -> str:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        count = len(found) if isinstance(found, dict) else None
    except FileNotFoundError:
        count = 0
    except (OSError, ValueError, RecursionError):
        count = None
    if count is None:
        return f"{path} can't be read, so speeds are measured anew"
    return f"speeds measured: {count}"
