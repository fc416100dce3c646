"""Addresses and headers of the Hugging Face hub, by its own library: HF_ENDPOINT, HF_TOKEN and the like hold.

The transfer itself is ours (download.py): it has to count bytes, stop at once and continue after a kill, and
the package index needs the same. The library's telemetry is switched off.
"""

import os
from collections.abc import Mapping

from engine.models.catalogue import HubSource, ModelEntry
from engine.models.download import RefusedError, Remote

# A hub that can't be reached must not delay the next source.
CONNECT_S = 3.0


def remote(source: HubSource, entry: ModelEntry) -> Remote:
    """Where the model's file is on the hub. Raises RefusedError when the user has switched the hub off."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    from huggingface_hub import constants, hf_hub_url

    if constants.is_offline_mode():
        raise RefusedError("it is switched off (HF_HUB_OFFLINE is set)")
    endpoint = os.environ.get("HF_ENDPOINT", constants.ENDPOINT).rstrip("/")
    url = hf_hub_url(source.repo, source.file, revision=source.revision, endpoint=endpoint)
    return Remote(url, entry.size_bytes, entry.sha256, _headers(), hops=1)


def _headers() -> Mapping[str, str]:
    from huggingface_hub.utils._headers import build_hf_headers

    headers: dict[str, str] = build_hf_headers(library_name="slipstream")
    return headers
