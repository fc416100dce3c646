"""What a result was measured on and with."""

import platform
from collections.abc import Sequence
from importlib import metadata
from typing import Any

import psutil

from engine import processor
from engine.models.catalogue import Pair
from engine.models.store import ModelStore

PACKAGES = ("slipstream", "openvino", "numpy", "tokenizers", "gguf")


def machine() -> dict[str, Any]:
    """Memory in bytes; `load_average_1m` (None on Windows) tells whether the machine was idle at the start."""
    return {
        "processor": processor.name(),
        "architecture": platform.machine(),
        "features": processor.features(),
        "cores": processor.usable_cores(),
        "memory_bytes": psutil.virtual_memory().total,
        "system": platform.platform(),
        "load_average_1m": None if platform.system() == "Windows" else psutil.getloadavg()[0],
    }


def versions(extra: Sequence[str] = ()) -> dict[str, str | None]:
    """Python and the packages that take part; None for one that does not say."""
    found: dict[str, str | None] = {"python": platform.python_version()}
    for name in (*PACKAGES, *extra):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
    return found


def describe_pair(store: ModelStore, pair: Pair) -> dict[str, Any]:
    """Names, and the SHA-256 of the files that were measured."""
    hashes = {model.name: model.sha256 for model in store.installed()}
    return {
        "name": pair.name,
        "title": pair.title,
        "target": pair.target,
        "draft": pair.draft,
        "sha256": {name: hashes.get(name) for name in (pair.target, pair.draft) if name},
    }
