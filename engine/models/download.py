"""One file from one address into one part file: continued after a cut, tried again, checked by its hash."""

import json
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from pathlib import Path

from engine.models import disk
from engine.models.line import BrokenError, Head, Limits, Line, Reply
from engine.models.meter import Meter

_TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})
_LONGEST_WAIT_S = 60.0


class RefusedError(Exception):
    """This source can't give the file; another one may. The text is a clause that ends an explanation."""


class AccessError(RefusedError):
    """It knows the file and does not give it to whoever asked."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to keep trying. An attempt that brought new bytes starts the count again."""

    attempts: int = 6
    first_wait_s: float = 0.5
    limits: Limits = field(default_factory=Limits)
    sleep: Callable[[float], None] = time.sleep

    def wait_s(self, failures: int, asked_s: float) -> float:
        """Doubling with some jitter, or what the server asked for in Retry-After; at most a minute."""
        backoff = self.first_wait_s * 2.0 ** (failures - 1) * random.uniform(0.75, 1.25)
        return min(max(backoff, asked_s), _LONGEST_WAIT_S)


@dataclass(frozen=True, slots=True)
class Remote:
    """Where a file is and what it has to be. `hops`: tries for a host to which no connection can be made.

    A small file of the hub has no `sha256` but a `blob`, its hash as an object of Git.
    """

    url: str
    size: int
    sha256: str
    headers: Mapping[str, str] = field(default_factory=dict)
    hops: int = 6
    blob: str = ""


def patiently(attempt: Callable[[], None], part: Path, patience: Patience, hops: int, meter: Meter) -> None:
    """Repeats `attempt` while it raises BrokenError and patience lasts; then raises RefusedError."""
    failures = 0
    while True:
        before = disk.size_of(part)
        try:
            return attempt()
        except BrokenError as broken:
            failures = 1 if disk.size_of(part) > before else failures + 1
            if failures >= (patience.attempts if broken.reached else min(hops, patience.attempts)):
                raise RefusedError(str(broken)) from broken
            meter.pause(patience.wait_s(failures, broken.retry_after_s), patience.sleep)


def download(remote: Remote, part: Path, line: Line, patience: Patience, meter: Meter) -> None:
    """Completes `part`. RefusedError deletes a bad part and keeps a good one; CancelledError keeps it."""

    def attempt() -> None:
        _continue(remote, part, line, patience.limits, meter)

    if disk.size_of(part) > remote.size:
        forget(part)
    meter.at(disk.size_of(part))
    if disk.size_of(part) < remote.size:
        patiently(attempt, part, patience, remote.hops, meter)
    part.touch()  # an empty file has nothing to wait for
    if not _is_right(remote, part, meter):
        forget(part)
        hash_name = "sha256" if remote.sha256 else "hash"
        raise RefusedError(f"what it sent is damaged or another file (its {hash_name} differs)")


def _is_right(remote: Remote, part: Path, meter: Meter) -> bool:
    def seen(_size: int) -> None:
        meter.tick()

    if remote.sha256:
        return disk.sha256(part, seen) == remote.sha256
    return disk.git_blob(part, seen) == remote.blob


def forget(part: Path) -> None:
    """The next try starts clean."""
    part.unlink(missing_ok=True)
    _tag_file(part).unlink(missing_ok=True)


def _continue(remote: Remote, part: Path, line: Line, limits: Limits, meter: Meter) -> None:
    have = disk.size_of(part)
    headers = {**remote.headers, **_range(part, have)}
    with line.get(remote.url, headers, limits, meter) as reply:
        head = reply.head()
        if head.status == 416:
            forget(part)
            raise BrokenError("it can't continue where the last try ended")
        position = _start(head, have, remote)
        if position == 0:
            _remember_tag(part, head)
        position = _save(reply, part, position, remote.size, meter)
    if position < remote.size:
        raise BrokenError(f"the connection ended after {disk.human(position)} of {disk.human(remote.size)}")


def _save(reply: Reply, part: Path, position: int, size: int, meter: Meter) -> int:
    """Writes the body at `position`, returns where it ended. Unbuffered: what has arrived survives a kill."""
    with part.open("r+b" if part.exists() else "wb", buffering=0) as file:
        file.seek(position)
        if disk.size_of(part) > position:
            file.truncate()
        for chunk in reply:
            file.write(chunk[: size - position])
            if position + len(chunk) > size:
                forget(part)
                raise RefusedError("it sent more bytes than the file has")
            position += len(chunk)
            meter.at(position)
    return position


def _range(part: Path, have: int) -> dict[str, str]:
    if not have:
        return {}
    tag = _read_tag(part)
    # Without a strong tag the hash at the end is the guard.
    return {"Range": f"bytes={have}-"} | ({"If-Range": tag} if tag else {})


def _start(head: Head, have: int, remote: Remote) -> int:
    """The position at which this body begins; raises when it can't be (a part of) the file."""
    check_status(head)
    if "text/html" in head.headers.get("content-type", ""):
        raise RefusedError(
            "it sent a web page instead of the file (is a network sign-in or a proxy in the way?)"
        )
    begin = have if head.status == 206 and _range_starts_at(head, have) else 0
    if head.status == 206 and begin != have:
        raise RefusedError("it answered with another part of the file than was asked for")
    length = head.headers.get("content-length", "")
    if length.isdigit() and begin + int(length) != remote.size:
        offered = "an empty file" if length == "0" else f"a file of {disk.human(begin + int(length))}"
        raise RefusedError(f"it offers {offered} where {disk.human(remote.size)} are expected")
    return begin


def _range_starts_at(head: Head, have: int) -> bool:
    given: str = head.headers.get("content-range", "")
    return given.replace("=", " ").startswith(f"bytes {have}-")


def check_status(head: Head) -> None:
    """Raises BrokenError where another try may help and RefusedError where it can't."""
    if head.status in _TRANSIENT:
        raise BrokenError(f"it is busy or failing (HTTP {head.status})", retry_after_s=_retry_after_s(head))
    if head.status in (401, 403):
        raise AccessError(f"it refuses access (HTTP {head.status})")
    if head.status == 407:
        raise RefusedError(f"it refuses access (HTTP {head.status})")
    if head.status in (404, 410):
        raise RefusedError("it doesn't have the file")
    if head.status not in (200, 206):
        raise RefusedError(f"it answers HTTP {head.status}")


def _retry_after_s(head: Head) -> float:
    value = head.headers.get("retry-after", "")
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return 0.0


def _tag_file(part: Path) -> Path:
    return part.with_name(part.name + ".tag")


def _remember_tag(part: Path, head: Head) -> None:
    tag = head.headers.get("etag", "")
    strong = tag if tag.startswith('"') else ""
    disk.write_atomically(_tag_file(part), json.dumps(strong))


def _read_tag(part: Path) -> str:
    try:
        tag = json.loads(_tag_file(part).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return tag if isinstance(tag, str) and tag.isprintable() and tag.isascii() else ""
