"""What trials measured, by the hashes of both models, in a small file that may be deleted at any time."""

import json
import math
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine import processor
from engine.bench import environment
from engine.models import disk
from engine.models.gain import Basis, Gain

FILE = "gains.json"
MOST = 200  # entries; the oldest go


@dataclass(frozen=True, slots=True)
class Trial:
    """Tokens per second, plainly and with the draft; `accepted`: share of right guesses; `when`: ISO 8601 day."""

    plain: float
    drafted: float
    accepted: float | None
    when: str

    @property
    def speedup(self) -> float:
        return self.drafted / self.plain


class GainsFile:
    """Reading and writing never fail: a file that does not serve is as good as none."""

    def __init__(self, home: Path) -> None:
        self._path = home / FILE

    def find(self, target: str, draft: str) -> Gain | None:
        """Of two models by the SHA-256 of their files; None if they were not tried on this processor."""
        with suppress(KeyError, TypeError, ValueError, AttributeError):
            return _gain(self._entries()[_key(target, draft)])
        return None

    def keep(self, target: str, draft: str, trial: Trial) -> None:
        entries = self._entries()
        entries.pop(_key(target, draft), None)
        entries[_key(target, draft)] = asdict(trial) | {
            "target_sha256": target,
            "draft_sha256": draft,
            "versions": _versions(),
            "processor": processor.name(),
        }
        latest = dict(list(entries.items())[-MOST:])
        with suppress(OSError):
            disk.write_atomically(self._path, json.dumps(latest, indent=1) + "\n")

    def _entries(self) -> dict[str, Any]:
        with suppress(OSError, ValueError, RecursionError):
            found = json.loads(self._path.read_text(encoding="utf-8"))
            if isinstance(found, dict):
                return found
        return {}


def _gain(entry: dict[str, Any]) -> Gain | None:
    plain, drafted, when = float(entry["plain"]), float(entry["drafted"]), entry["when"]
    if not (math.isfinite(drafted) and drafted > 0.0 and math.isfinite(plain) and plain > 0.0):
        raise ValueError("not a speed")
    if not isinstance(when, str) or entry["processor"] != processor.name():
        return None
    outdated = entry["versions"] != _versions()
    return Gain(drafted / plain, drafted / plain, Basis.TRIAL, when=when, outdated=outdated)


def _key(target: str, draft: str) -> str:
    return f"{target[:16]}+{draft[:16]}"


def _versions() -> dict[str, str | None]:
    known = environment.versions()
    return {name: known[name] for name in ("slipstream", "openvino")}
