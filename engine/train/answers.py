"""Finished answers with their soft labels, on disk: files to which whole records are appended.

A record is a header (magic, sizes, CRC-32) and a payload: a line of JSON, then the arrays as they lie in memory. What
a crash tore off at the end of the newest file is cut away when the next writer opens the folder; readers stop there.
"""

import json
import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

from engine.errors import SlipstreamError
from engine.models import disk
from engine.train.claim import claim

MAGIC = b"SLA1"
HEADER = struct.Struct("<4sII")  # magic, payload bytes, CRC-32 of the payload
LARGEST_FILE = 64 << 20
SETTINGS = "settings.json"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer's tokens with the target's k likeliest tokens at each, and the prompt that it follows.

    prompt [P], tokens [N], top_ids [N, k] int32; top_logp [N, k] float16, natural logarithms at temperature 1.
    """

    key: str
    temperature: float
    seed: int
    ended: bool  # by an end token, which is the last of `tokens`; else the limit cut it
    prompt: NDArray[np.int32]
    tokens: NDArray[np.int32]
    top_ids: NDArray[np.int32]
    top_logp: NDArray[np.float16]


class AnswerWriter:
    """Appends answers. One writer a folder: a second one is refused. Use as a context manager."""

    def __init__(self, folder: Path, settings: dict[str, Any]) -> None:
        """Errors: SlipstreamError when another process writes, or when the folder was made with other settings."""
        with disk.explaining(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = claim(folder, "answers")
            _agree(folder, settings)
        self._folder = folder
        self._file: BinaryIO | None = None
        self.keys: set[str] = set()
        self.tokens = 0  # in the folder
        for answer in read_answers(folder):
            self._count(answer)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
        self._lock.release()

    def append(self, answer: Answer) -> None:
        """The answer survives the death of this process when this returns."""
        payload = _pack(answer)
        record = HEADER.pack(MAGIC, len(payload), zlib.crc32(payload)) + payload
        with disk.explaining(self._folder):
            file = self._open()
            file.write(record)
            file.flush()
        self._count(answer)

    def _count(self, answer: Answer) -> None:
        self.keys.add(answer.key)
        self.tokens += len(answer.tokens)

    def _open(self) -> BinaryIO:
        if self._file is None:
            files = answer_files(self._folder)
            newest = files[-1] if files else _numbered(self._folder, 0)
            whole = sum(HEADER.size + len(payload) for payload in _payloads(newest)) if files else 0
            if files:
                os.truncate(newest, whole)
            self._file = newest.open("ab")
        if self._file.tell() > LARGEST_FILE:
            self._file.close()
            self._file = _numbered(self._folder, len(answer_files(self._folder))).open("ab")
        return self._file


def answer_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("answers-*.log"))


def read_answers(folder: Path) -> Iterator[Answer]:
    """In the order in which they were finished; a folder that does not exist has none."""
    for path in answer_files(folder):
        for payload in _payloads(path):
            yield _unpack(payload)


def read_settings(folder: Path) -> dict[str, Any]:
    """What the answers were made with. Errors: SlipstreamError for a folder without answers."""
    try:
        settings: dict[str, Any] = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SlipstreamError(
            f"{folder} holds no answers: make them with 'slipstream train generate'."
        ) from error
    return settings


def _agree(folder: Path, settings: dict[str, Any]) -> None:
    """Writes the settings into a new folder, or refuses those that differ from the old ones."""
    if not (folder / SETTINGS).exists():
        disk.write_atomically(folder / SETTINGS, json.dumps(settings, indent=1, sort_keys=True) + "\n")
        return
    known = read_settings(folder)
    different = sorted(name for name in settings if settings[name] != known.get(name))
    if different:
        name = different[0]
        raise SlipstreamError(
            f"The answers in {folder} were made with {name} {known.get(name)}, not {settings[name]}: "
            "use the same or another folder."
        )


def _numbered(folder: Path, number: int) -> Path:
    return folder / f"answers-{number:04}.log"


def _payloads(path: Path) -> Iterator[bytes]:
    """Whole records; what comes after the first torn one is not read."""
    with path.open("rb") as file:
        while len(header := file.read(HEADER.size)) == HEADER.size:
            magic, size, checksum = HEADER.unpack(header)
            payload = file.read(size) if magic == MAGIC else b""
            if len(payload) != size or magic != MAGIC or zlib.crc32(payload) != checksum:
                return
            yield payload


def _pack(answer: Answer) -> bytes:
    facts = {
        "key": answer.key,
        "temperature": answer.temperature,
        "seed": answer.seed,
        "ended": answer.ended,
        "prompt": len(answer.prompt),
        "tokens": len(answer.tokens),
        "top": answer.top_ids.shape[1],
    }
    ids = (answer.prompt, answer.tokens, answer.top_ids)
    arrays = b"".join(np.ascontiguousarray(part, dtype="<i4").tobytes() for part in ids)
    return json.dumps(facts).encode() + b"\n" + arrays + answer.top_logp.astype("<f2").tobytes()


def _unpack(payload: bytes) -> Answer:
    line, _, data = payload.partition(b"\n")
    facts = json.loads(line)
    prompt, tokens, top = facts["prompt"], facts["tokens"], facts["top"]
    ids = np.frombuffer(data, dtype="<i4", count=prompt + tokens * (1 + top))
    parts = np.split(ids, [prompt, prompt + tokens])
    return Answer(
        facts["key"],
        facts["temperature"],
        facts["seed"],
        facts["ended"],
        parts[0],
        parts[1],
        parts[2].reshape(tokens, top),
        np.frombuffer(data, dtype="<f2", offset=ids.nbytes).reshape(tokens, top),
    )
