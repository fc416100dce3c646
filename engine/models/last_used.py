"""When each model last answered: last-used.json in the home, a convenience that may be lost."""

import contextlib
import json
from collections.abc import Iterable
from pathlib import Path

from engine.models import disk, manifest

_FILE = "last-used.json"


def note(home: Path, models: Iterable[str]) -> None:
    """The models were loaded just now. A disk that refuses changes nothing for the user."""
    with contextlib.suppress(OSError):
        home.mkdir(parents=True, exist_ok=True)
        disk.write_atomically(
            home / _FILE, json.dumps(read(home) | dict.fromkeys(models, manifest.now()), indent=1)
        )


def read(home: Path) -> dict[str, str]:
    """Model name to ISO 8601 time, UTC."""
    try:
        told = json.loads((home / _FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return (
        {name: when for name, when in told.items() if isinstance(when, str)} if isinstance(told, dict) else {}
    )
