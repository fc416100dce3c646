"""The file of an answer store: a header that says whose answers they are, then their token ids, `end` behind each.

Ids are unsigned, little-endian, two bytes each where the vocabulary allows it and four otherwise; `end` is the first id
that the vocabulary does not have. The header holds the sha256 of the target's own file and of the ids.
"""

import hashlib
import stat
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.drafters.answer_index import Ids
from engine.errors import SlipstreamError
from engine.models import disk

FILE = "answers.store"
VERSION = 1
MAGIC = b"SLAS"
HEADER = struct.Struct(
    "<4sIIIQ32s32s"
)  # magic, version, vocabulary, answers, ids, sha256 of target and of ids
LARGEST = 64_000_000  # bytes
LARGEST_VOCABULARY = 1 << 24


@dataclass(frozen=True, slots=True)
class StoredAnswers:
    """ids [n] uint16 or uint32; `end` stands behind each answer."""

    ids: Ids
    end: int
    answers: int

    @property
    def tokens(self) -> int:
        return len(self.ids) - self.answers


def write(path: Path, target_sha256: str, vocabulary: int, answers: Iterable[NDArray[np.int32]]) -> int:
    """Bytes written. Errors: SlipstreamError when there is nothing to write, or too much."""
    kept = [tokens for tokens in answers if len(tokens)]
    if not kept:
        raise SlipstreamError("There are no answers to store: generate some first.")
    ids = joined(kept, vocabulary)
    content = ids.astype(_kind(vocabulary)).tobytes()  # little-endian everywhere
    if len(content) > LARGEST:
        raise SlipstreamError(
            f"A store holds at most {LARGEST:,} bytes of answers: choose fewer by --tokens."
        )
    target, own = bytes.fromhex(target_sha256), hashlib.sha256(content).digest()
    header = HEADER.pack(MAGIC, VERSION, vocabulary, len(kept), len(ids), target, own)
    with disk.explaining(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        disk.write_atomically(path, header + content)
    return len(header) + len(content)


def joined(answers: Iterable[NDArray[np.int32]], end: int) -> Ids:
    """The answers as they lie in the file: `end` behind each."""
    ids = np.concatenate([np.append(tokens, end) for tokens in answers])
    return ids.astype(np.uint16) if _kind(end).itemsize == 2 else ids.astype(np.uint32)


def target_of(path: Path) -> str | None:
    """The sha256 of the model whose answers are in the file; None if it is no store of this version."""
    try:
        with path.open("rb") as file:
            head = file.read(HEADER.size)
        magic, version, *_, target, _ = HEADER.unpack(head)
    except (OSError, struct.error):
        return None
    return target.hex() if (magic, version) == (MAGIC, VERSION) else None


def read(path: Path, target_sha256: str, vocabulary: int) -> StoredAnswers:
    """Errors: SlipstreamError for what is no whole store of this target."""
    content = _content(path)
    if len(content) < HEADER.size or content[: len(MAGIC)] != MAGIC:
        raise _refused(path, "is no store of answers")
    _, version, own, answers, count, target, digest = HEADER.unpack_from(content)
    if version != VERSION:
        raise _refused(path, "is of another version of Slipstream")
    if target.hex() != target_sha256 or own != vocabulary or own >= LARGEST_VOCABULARY:
        raise _refused(path, "has another model's answers")
    body = memoryview(content)[HEADER.size :]
    if len(body) != count * _kind(own).itemsize or not 0 < answers <= count:
        raise _refused(path, "is damaged")
    ids: Ids = (
        np.frombuffer(body, dtype="<u2") if _kind(own).itemsize == 2 else np.frombuffer(body, dtype="<u4")
    )
    if hashlib.sha256(body).digest() != digest or int(ids.max()) > own or int(ids[-1]) != own:
        raise _refused(path, "is damaged")
    return StoredAnswers(ids, own, answers)


def _content(path: Path) -> bytes:
    """Nothing of what is no regular file (a pipe never ends), or too large. Not mapped: who makes the file anew while
    it is in use would end the process."""
    try:
        told = path.stat()
        if not stat.S_ISREG(told.st_mode) or told.st_size > HEADER.size + LARGEST:
            return b""
        with path.open("rb") as file:
            return file.read(HEADER.size + LARGEST)
    except OSError as error:
        raise _refused(path, "can't be read") from error


def _kind(vocabulary: int) -> np.dtype[np.uint16] | np.dtype[np.uint32]:
    return np.dtype("<u2") if vocabulary < 1 << 16 else np.dtype("<u4")


def _refused(path: Path, why: str) -> SlipstreamError:
    return SlipstreamError(f"{path} {why}: make it anew with 'slipstream train store', or delete it.")
