"""Addresses and headers of the Hugging Face hub, by its own library: HF_ENDPOINT, HF_TOKEN and the like hold.

The transfer itself is ours (download.py): it has to count bytes, stop at once and continue after a kill, and
the package index needs the same. The library's telemetry is switched off.
"""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from engine.errors import SlipstreamError
from engine.models import hub_files, hub_token, json_file
from engine.models.catalogue import HubSource, ModelEntry
from engine.models.download import RefusedError, Remote
from engine.models.hub_files import HubFile, Repository
from engine.models.page import PageReader

# A hub that can't be reached must not delay the next source.
CONNECT_S = 3.0


class GatedError(SlipstreamError):
    """The hub knows the model and wants to know who asks: `repo` has terms to accept, or the token is not enough."""

    def __init__(self, repo: str, reason: str) -> None:
        super().__init__(
            f"{repo} could not be fetched (the hub: {reason}). If its makers ask for consent, give it on "
            f"{endpoint_or_default()}/{repo}, and give Slipstream your access token."
        )
        self.repo = repo


def remote(source: HubSource, entry: ModelEntry) -> Remote:
    """Where the model's file is on the hub. Raises RefusedError when the user has switched the hub off."""
    return Remote(_url(source, source.file), entry.size_bytes, entry.sha256, _headers(), hops=1)


def pin(entry: ModelEntry, pages: PageReader, folder: Path) -> ModelEntry:
    """The entry with the revision, size and hash that the hub has just now. RefusedError when it does not say."""
    source = entry.sources[0]
    assert isinstance(source, HubSource)
    try:
        told = _told(source.repo, source.revision, pages, folder, hops=1)
        stored = _stored(told, source.file)
        exact = replace(source, revision=str(told["sha"]))
        return replace(entry, sha256=str(stored["sha256"]), size_bytes=int(stored["size"]), sources=(exact,))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RefusedError(f"it does not say what {source.file} of {source.repo} is") from error


def repository(repo: str, revision: str, pages: PageReader, folder: Path) -> Repository:
    """What the hub holds there just now. RefusedError, or SlipstreamError for what is no repository's name."""
    hub_files.require_repo(repo, revision)
    try:
        return hub_files.parse(_told(repo, revision, pages, folder))
    except ValueError as error:
        raise RefusedError(f"it does not say what {repo} holds") from error


def remote_file(repo: str, revision: str, file: HubFile) -> Remote:
    """Where a file of a repository is. RefusedError when the user has switched the hub off."""
    source = HubSource(repo, file.path, revision)
    return Remote(_url(source, file.path), file.size, file.sha256, _headers(), blob=file.blob)


def _told(repo: str, revision: str, pages: PageReader, folder: Path, hops: int | None = None) -> Any:
    address = f"{endpoint()}/api/models/{repo}/revision/{quote(revision, safe='')}?blobs=true"
    return json_file.parse(pages.read(address, _headers(), folder, hops=hops).text)


def fetch_beside(source: HubSource, pages: PageReader, folder: Path) -> None:
    """Brings the small files that belong to the model into `folder`. RefusedError when one can't be had."""
    for name in source.beside:
        text = pages.read(_url(source, name), _headers(), folder, hops=1).text
        try:
            json_file.parse(text)
        except ValueError as error:
            raise RefusedError(f"its {name} of {source.repo} is no JSON") from error
        (folder / name).write_text(text, encoding="utf-8")


def _stored(told: dict[str, Any], file: str) -> dict[str, Any]:
    """What the hub stores a file as: its sha256 and size (kept for large files only)."""
    files: dict[str, Any] = {each["rfilename"]: each for each in told["siblings"]}
    known: dict[str, Any] = files[file]["lfs"]
    return known


def _url(source: HubSource, file: str) -> str:
    from huggingface_hub import hf_hub_url

    return hf_hub_url(source.repo, file, revision=source.revision, endpoint=endpoint())


def endpoint() -> str:
    """Raises RefusedError when the user has switched the hub off."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    from huggingface_hub import constants

    if constants.is_offline_mode():
        raise RefusedError("it is switched off (HF_HUB_OFFLINE is set)")
    return endpoint_or_default()


def endpoint_or_default() -> str:
    """The hub's address: HF_ENDPOINT, else huggingface.co."""
    from huggingface_hub import constants

    return os.environ.get("HF_ENDPOINT", constants.ENDPOINT).rstrip("/")


def _headers() -> Mapping[str, str]:
    """With the user's token: the one given to Slipstream, else HF_TOKEN or what the hub's own tools keep."""
    from huggingface_hub.utils._headers import build_hf_headers

    token = hub_token.keeper.get(endpoint_or_default())
    headers: dict[str, str] = build_hf_headers(library_name="slipstream", token=token)
    return headers
