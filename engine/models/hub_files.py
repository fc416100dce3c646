"""What a repository of the hub holds, by what its API tells; hostile names never become paths."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from engine.errors import SlipstreamError
from engine.models.download import RefusedError
from engine.models.paths import is_device

_REPO = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}")
_REVISION = re.compile(r"[\w./-]{1,100}")
_SHA256, _BLOB = re.compile(r"[0-9a-f]{64}"), re.compile(r"[0-9a-f]{40}")
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]')
_LONGEST_PATH = 200
_MOST_FILES = 10_000


@dataclass(frozen=True, slots=True)
class HubFile:
    """`sha256` of the content, or "" for a small file, which has `blob` instead: the hash that Git gives it."""

    path: str
    size: int
    sha256: str = ""
    blob: str = ""

    def __post_init__(self) -> None:
        require_safe(self.path)
        if self.size < 0 or not (_SHA256.fullmatch(self.sha256) or _BLOB.fullmatch(self.blob)):
            raise SlipstreamError(
                f"The hub gives no hash of {self.path}: it can't be checked, so it is not fetched."
            )

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).name


@dataclass(frozen=True, slots=True)
class Repository:
    """`kind` is config.json's model_type, `architecture` that of its GGUF files; both may be ""."""

    id: str
    revision: str
    files: tuple[HubFile, ...]
    licence: str = "not stated"
    gated: bool = False
    kind: str = ""
    architecture: str = ""
    tags: tuple[str, ...] = ()

    def file(self, path: str) -> HubFile | None:
        return next((file for file in self.files if file.path == path), None)


def require_safe(path: str) -> str:
    """The path, if it stays below its folder and can be written on every system. Errors: SlipstreamError."""
    parts = path.split("/")
    bad = (
        not path
        or len(path) > _LONGEST_PATH
        or _FORBIDDEN.search(path)
        or any(
            part in ("", ".", "..") or part[-1] in ". " or part[0] == " " or is_device(part) for part in parts
        )
    )
    if bad:
        raise SlipstreamError(
            f"The repository has a file called {path[:100]!r}, which is no safe name: it is not fetched."
        )
    return path


def require_repo(repo: str, revision: str = "main") -> None:
    """Errors: SlipstreamError for what can't be the name of a repository or revision."""
    if not _REPO.fullmatch(repo) or not _REVISION.fullmatch(revision) or ".." in repo + revision:
        raise SlipstreamError(
            f"{f'{repo}@{revision}'[:120]!r} is no repository: its name is like maker/model."
        )


def is_repo(repo: str) -> bool:
    return bool(_REPO.fullmatch(repo)) and ".." not in repo


def parse(told: Any) -> Repository:
    """From the answer to /api/models/<repo>/revision/<revision>?blobs=true.

    Files that could not be fetched safely are left out. Errors: RefusedError when it is something else.
    """
    try:
        files = [_file(each) for each in told["siblings"][:_MOST_FILES]]
        card = told.get("cardData") or {}
        config = told.get("config") or {}
        return Repository(
            id=str(told["id"]),
            revision=str(told["sha"]),
            files=tuple(file for file in files if file is not None),
            licence=licence(card, told.get("tags") or ()),
            gated=bool(told.get("gated")),
            kind=str(config.get("model_type") or ""),
            architecture=str((told.get("gguf") or {}).get("architecture") or ""),
            tags=tuple(str(tag) for tag in (told.get("tags") or ())),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RefusedError("it does not say what the repository holds") from error


def licence(card: Any, tags: Any) -> str:
    """As the model's page states it, in the spelling of SPDX where that is known."""
    named = card.get("license_name") or card.get("license") if isinstance(card, dict) else None
    if not isinstance(named, str):
        named = next((str(tag)[8:] for tag in tags if str(tag).startswith("license:")), "")
    known = {"apache-2.0": "Apache-2.0", "mit": "MIT", "": "not stated"}
    return known.get(named, named)[:60]


def _file(each: dict[str, Any]) -> HubFile | None:
    stored = each.get("lfs") or {}
    size = stored.get("size", each.get("size"))
    sha256 = stored.get("sha256") or stored.get("oid") or ""
    if not isinstance(size, int):
        return None
    try:
        return HubFile(str(each["rfilename"]), size, str(sha256), str(each.get("blobId") or ""))
    except SlipstreamError:
        return None
