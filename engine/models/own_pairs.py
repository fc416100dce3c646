"""The pairs that the user made, kept in models/pairs.json."""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from engine.errors import SlipstreamError
from engine.models import disk
from engine.models.catalogue import Pair
from engine.models.manifest import DamagedModel

_FILE = "pairs.json"
_BROKEN = "pairs.json.broken"
FILES = (_FILE, _BROKEN)  # never models, even if something has made folders of them


class OwnPairs:
    """Reads the file at every question: the command line may change it while the window is open."""

    def __init__(self, models: Path) -> None:
        self._models = models
        self._path = models / _FILE

    def all(self) -> list[Pair]:
        """In the order in which they were made. A file that is no list of pairs is set aside, see `damage`."""
        try:
            return self._read()
        except OSError:
            return []
        except (ValueError, TypeError, RecursionError):
            with suppress(OSError):
                self._path.replace(self._models / _BROKEN)
            return []

    def add(self, pair: Pair) -> None:
        """Errors: SlipstreamError when the file can't be read or written; it is never replaced unread."""
        if (reason := self._unreadable()) is not None:
            raise SlipstreamError(reason)
        self._write([other for other in self.all() if other.name != pair.name] + [pair])

    def discard(self, name: str) -> bool:
        """Whether there was a pair of that name."""
        return self._keep_if(lambda pair: pair.name != name)

    def forget_model(self, model: str) -> None:
        """A pair without one of its models is no use."""
        self._keep_if(lambda pair: model not in pair.models)

    def damage(self) -> list[DamagedModel]:
        reasons = [self._unreadable()]
        path = self._models / _BROKEN
        if os.path.lexists(path):
            reasons.append(
                f"Your own pairs can't be read, their file is kept as {path}: make them again, then delete it."
            )
        return [DamagedModel(_FILE, reason) for reason in reasons if reason]

    def _read(self) -> list[Pair]:
        try:
            entries = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return []
        return [_pair(**entry) for entry in entries]

    def _unreadable(self) -> str | None:
        """Why the system refuses the file, as a sentence; None when it does not."""
        try:
            self._read()
        except OSError as error:
            why = error.strerror or error
            return f"Your own pairs can't be read ({why}): make {self._path} readable, or move it away."
        except (ValueError, TypeError, RecursionError):
            return None
        return None

    def _keep_if(self, wanted: Callable[[Pair], bool]) -> bool:
        before = self.all()
        after = [pair for pair in before if wanted(pair)]
        if len(after) < len(before):
            self._write(after)
        return len(after) < len(before)

    def _write(self, pairs: list[Pair]) -> None:
        entries = [{"name": p.name, "title": p.title, "target": p.target, "draft": p.draft} for p in pairs]
        with disk.explaining(self._models):
            self._models.mkdir(parents=True, exist_ok=True)
            disk.write_atomically(self._path, json.dumps(entries, indent=2, ensure_ascii=False) + "\n")


def _pair(name: str, title: str, target: str, draft: str | None) -> Pair:
    if not all(isinstance(text, str) for text in (name, title, target, draft or "")):
        raise TypeError("a field of another type")
    return Pair(name, title, target, draft)
