"""The record beside each installed model, models/<name>/manifest.json, and how a folder is judged by it."""

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine.models import disk, paths

MANIFEST = "manifest.json"
MODEL_FILE = "model.gguf"
FILES = {"gguf": MODEL_FILE, "dflash": "model.safetensors"}  # by format: what of a model is hashed


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A complete model on this machine. `size_bytes` and `sha256` are those of its file, see `model_file`.

    `format` is "gguf", or "dflash" for a trained drafter (DFlash or EAGLE), which also has a config.json.
    """

    name: str
    title: str
    source: str  # "hub", "index", "shipped" or "import"
    sha256: str
    size_bytes: int
    licence: str
    architecture: str
    format: str = "gguf"
    fetched_at: str = ""  # ISO 8601, UTC
    origin: str = ""  # of a model from the hub: repository@revision
    weights: str = ""  # the format that was chosen for the weights (graphs.compress.WeightFormat), if one was


@dataclass(frozen=True, slots=True)
class DamagedModel:
    """A folder or file among the models that can't be used, with the reason as a sentence."""

    name: str
    reason: str


def model_file(folder: Path) -> Path:
    """The file of the model in this folder, which need not have a record."""
    files = [folder / name for name in FILES.values()]
    return next((file for file in files if file.exists()), files[0])


class DamagedError(Exception):
    """Why a model folder can't be used: a sentence that says what to do."""


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def write(folder: Path, model: InstalledModel) -> None:
    disk.write_atomically(folder / MANIFEST, json.dumps(asdict(model), indent=2, ensure_ascii=False) + "\n")


def read(folder: Path) -> InstalledModel:
    """The model in this folder. DamagedError when the record or the file is missing, torn or of another name.

    Only sizes are compared here, so that listing is quick; ModelStore.verify() reads every byte.
    """
    model = _parse(folder)
    if model.name != folder.name or not paths.is_safe_name(model.name):
        raise DamagedError(
            f"The record of “{folder.name}” is of another model: remove it and fetch it again."
        )
    _require_size(folder, model)
    return model


def _require_size(folder: Path, model: InstalledModel) -> None:
    try:
        size = disk.size_of(folder / FILES[model.format])
    except OSError as error:
        raise DamagedError(
            f"The file of “{folder.name}” can't be read ({error.strerror or error}): "
            "check its permissions, or remove it and fetch it again."
        ) from error
    if size == model.size_bytes:
        return
    found, wanted = disk.human(size), disk.human(model.size_bytes)
    if found == wanted:
        found, wanted = f"{size:,} bytes", f"{model.size_bytes:,} bytes"
    raise DamagedError(
        f"The file of “{folder.name}” has {found} instead of {wanted}: remove it and fetch it again."
    )


def _parse(folder: Path) -> InstalledModel:
    path = folder / MANIFEST
    try:
        return _typed(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise DamagedError(
            f"“{folder.name}” is incomplete (no {MANIFEST}): remove it and fetch it again."
        ) from None
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise DamagedError(
            f"The record of “{folder.name}” can't be read: remove it and fetch it again."
        ) from error


def _typed(data: Any) -> InstalledModel:
    if not isinstance(data, dict):
        raise TypeError("not an object")
    model = InstalledModel(**data)
    texts = {key: value for key, value in asdict(model).items() if key != "size_bytes"}
    if not all(isinstance(value, str) for value in texts.values()) or type(model.size_bytes) is not int:
        raise TypeError("a field of another type")
    if model.format not in FILES:
        raise ValueError("an unknown format")
    return model
