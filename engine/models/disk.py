"""Bytes on the user's disk: sizes in words, free space, atomic writes, hashes."""

import contextlib
import errno
import hashlib
import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

from engine.errors import SlipstreamError

CHUNK = 1 << 20
_WINDOWS_DISK_FULL = 112


def human(size: int) -> str:
    """A size in decimal units, as file managers and download pages show it: 98 MB, 1.6 GB."""
    value = float(size)
    for unit in ("bytes", "kB", "MB", "GB"):
        if round(value, 1) < 1000:
            return f"{value:.1f} {unit}" if unit == "GB" else f"{value:.0f} {unit}"
        value /= 1000
    return f"{value:.1f} TB"


def free_bytes(folder: Path) -> int:
    """Bytes that this user may still write where `folder` is or will be."""
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free


def require_space(needed: int, folder: Path, free: Callable[[Path], int] = free_bytes) -> None:
    """Raises SlipstreamError with both numbers when `needed` bytes do not fit."""
    available = free(folder)
    if needed > available:
        raise SlipstreamError(
            f"This needs {human(needed)} of disk space and {human(available)} is free in {folder}: "
            f"free {human(needed - available)} more and try again."
        )


@contextlib.contextmanager
def explaining(folder: Path) -> Iterator[None]:
    """Turns an operating system's refusal to write into one sentence."""
    try:
        yield
    except OSError as error:
        full = (
            error.errno in (errno.ENOSPC, errno.EDQUOT) or getattr(error, "winerror", 0) == _WINDOWS_DISK_FULL
        )
        if full:
            raise SlipstreamError(
                f"The disk became full ({human(free_bytes(folder))} is free in {folder}): "
                "free some space and try again; what was already written is kept."
            ) from error
        if error.errno == errno.EFBIG:
            raise SlipstreamError(
                "The limit for the size of a file is too low for this model: raise it with 'ulimit -f unlimited', "
                f"or, if the file system of {folder} sets it, set SLIPSTREAM_HOME to another disk."
            ) from error
        raise SlipstreamError(
            f"The folder {folder} can't be used ({error.strerror or error}): check its permissions, "
            "or set SLIPSTREAM_HOME to another folder."
        ) from error


def sha256(path: Path, seen: Callable[[int], None] = lambda size: None) -> str:
    """The file's sha256 in hex; `seen` is told the bytes of each chunk and may raise to stop."""
    return _hashed(path, hashlib.sha256(), seen)


def git_blob(path: Path, seen: Callable[[int], None] = lambda size: None) -> str:
    """The hash by which Git knows a file of this content, in hex."""
    start = hashlib.sha1(f"blob {size_of(path)}\0".encode(), usedforsecurity=False)
    return _hashed(path, start, seen)


def _hashed(path: Path, digest: "hashlib._Hash", seen: Callable[[int], None]) -> str:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
            seen(len(chunk))
    return digest.hexdigest()


def size_of(path: Path) -> int:
    """The file's size, 0 when it is not there."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def folder_size(folder: Path) -> int:
    return sum(size_of(path) for path in folder.rglob("*") if path.is_file())


def write_atomically(path: Path, content: str | bytes) -> None:
    """After a crash the file holds the old content or the new one, never a mix. Text is written as UTF-8."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_file(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Makes a rename last through a power cut; a no-op where folders can't be opened (Windows)."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def discard(folder: Path, trash: Path) -> None:
    """Deletes a folder; a crash half-way leaves rubbish in `trash` and never half a model in its place."""
    trash.mkdir(parents=True, exist_ok=True)
    if folder.exists() or folder.is_symlink():
        folder.rename(trash / uuid.uuid4().hex)
        sync_folder(folder.parent)
    shutil.rmtree(trash, ignore_errors=True)
