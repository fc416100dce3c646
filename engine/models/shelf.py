"""The models folder: where each model's files are, who may touch them, how a finished one gets its place."""

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import filelock

from engine.errors import SlipstreamError
from engine.models import disk, manifest, own_pairs, paths
from engine.models.meter import Meter

_LOCK_POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class Shelf:
    """Names with a leading dot are never models: .incoming holds what is not complete, .trash what goes."""

    models: Path

    def path(self, name: str) -> Path:
        return self.models / name

    def incoming(self, name: str) -> Path:
        return self.models / ".incoming" / name

    @property
    def aside(self) -> Path:
        """Removed models that may come back."""
        return self.models / ".aside"

    @property
    def trash(self) -> Path:
        return self.models / ".trash"

    def names(self) -> list[str]:
        """Every folder that claims to be a model, good or not."""
        with disk.explaining(self.models):
            if not self.models.is_dir():
                return []
            folders = [path.name for path in self.models.iterdir() if path.is_dir()]
        return sorted(name for name in folders if name[0] != "." and name not in own_pairs.FILES)

    def holds(self, name: str) -> bool:
        """Whether there is anything of that model: complete, damaged or begun."""
        return name in self.names() or (paths.is_safe_name(name) and self.incoming(name).is_dir())

    def is_installed(self, name: str) -> bool:
        with contextlib.suppress(manifest.DamagedError):
            return bool(manifest.read(self.path(name)))
        return False

    def install(self, part: Path, ready: Path, model: manifest.InstalledModel) -> None:
        """Gives the verified file `part` its record and its place, by way of the folder `ready`."""
        disk.sync_file(part)
        ready.mkdir(parents=True, exist_ok=True)
        part.replace(ready / manifest.FILES[model.format])
        manifest.write(ready, model)
        disk.discard(self.path(model.name), self.trash)  # a damaged or older predecessor
        ready.rename(self.path(model.name))
        disk.sync_folder(self.models)
        self.accept(model.name)

    def decline(self, name: str) -> None:
        """The user removed it: it does not come back by itself."""
        self._mark(name).parent.mkdir(parents=True, exist_ok=True)
        self._mark(name).touch()

    def accept(self, name: str) -> None:
        self._mark(name).unlink(missing_ok=True)

    def is_declined(self, name: str) -> bool:
        return self._mark(name).exists()

    def _mark(self, name: str) -> Path:
        return self.models / ".declined" / name

    @contextlib.contextmanager
    def locked(self, name: str, meter: Meter | None) -> Iterator[None]:
        """One process at a time works on a model; the others wait, or are refused where there is no meter."""
        folder = self.incoming(name).parent
        folder.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(folder / f"{name}.lock")
        while not _acquired(lock):
            if meter is None:
                raise SlipstreamError(f"“{name}” is being fetched just now: stop that first, or wait.")
            if meter.stage != "wait":
                meter.enter("wait")
            meter.pause(_LOCK_POLL_S, time.sleep)
        try:
            yield
        finally:
            lock.release()


def _acquired(lock: filelock.BaseFileLock) -> bool:
    try:
        lock.acquire(blocking=False)
    except filelock.Timeout:
        return False
    return True
