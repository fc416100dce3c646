"""Addresses and headers of the Hugging Face hub, by its own library: HF_ENDPOINT, HF_TOKEN and the like hold.

The transfer itself is ours (download.py): it has to count bytes, stop at once and continue after a kill, and
the package index needs the same. The library's telemetry is switched off.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from engine.models.catalogue import HubSource, ModelEntry
from engine.models.download import RefusedError, Remote
from engine.models.page import PageReader

# A hub that can't be reached must not delay the next source.
CONNECT_S = 3.0


def remote(source: HubSource, entry: ModelEntry) -> Remote:
    """Where the model's file is on the hub. Raises RefusedError when the user has switched the hub off."""
    return Remote(_url(source, source.file), entry.size_bytes, entry.sha256, _headers(), hops=1)


def pin(entry: ModelEntry, pages: PageReader, folder: Path) -> ModelEntry:
    """The entry with the revision, size and hash that the hub has just now. RefusedError when it does not say."""
    source = entry.sources[0]
    assert isinstance(source, HubSource)
    address = f"{_endpoint()}/api/models/{source.repo}/revision/{quote(source.revision, safe='')}?blobs=true"
    try:
        told = json.loads(pages.read(address, _headers(), folder, hops=1).text)
        stored = _stored(told, source.file)
        exact = replace(source, revision=str(told["sha"]))
        return replace(entry, sha256=str(stored["sha256"]), size_bytes=int(stored["size"]), sources=(exact,))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RefusedError(f"it does not say what {source.file} of {source.repo} is") from error


def fetch_beside(source: HubSource, pages: PageReader, folder: Path) -> None:
    """Brings the small files that belong to the model into `folder`. RefusedError when one can't be had."""
    for name in source.beside:
        text = pages.read(_url(source, name), _headers(), folder, hops=1).text
        try:
            json.loads(text)
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

    return hf_hub_url(source.repo, file, revision=source.revision, endpoint=_endpoint())


def _endpoint() -> str:
    """Raises RefusedError when the user has switched the hub off."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    from huggingface_hub import constants

    if constants.is_offline_mode():
        raise RefusedError("it is switched off (HF_HUB_OFFLINE is set)")
    return os.environ.get("HF_ENDPOINT", constants.ENDPOINT).rstrip("/")


def _headers() -> Mapping[str, str]:
    from huggingface_hub.utils._headers import build_hf_headers

    headers: dict[str, str] = build_hf_headers(library_name="slipstream")
    return headers
