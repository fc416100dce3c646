"""Looking for models on the hub by its own library; nothing is asked before the user does."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from engine.errors import SlipstreamError
from engine.models import hub, hub_files, hub_token, trust
from engine.models.download import RefusedError
from engine.models.hub_verdict import Kind, Verdict, judge

MOST_RESULTS = 30
_PATIENCE_S = 15.0
_TOLD = ["tags", "pipeline_tag", "downloads", "likes", "gated", "config", "gguf", "cardData"]


@dataclass(frozen=True, slots=True)
class Found:
    """A repository of the hub; `downloads` in the last 30 days."""

    repo: str
    verdict: Verdict
    licence: str
    downloads: int
    likes: int
    gated: bool


def search(text: str, kind: Kind | None = None, limit: int = MOST_RESULTS) -> list[Found]:
    """The most downloaded repositories whose names hold the words, what can run first; `kind`: only such.

    Errors: SlipstreamError when the hub can't be asked.
    """
    text = text.strip()
    if not text:
        return []
    with _explaining():
        told = _api().list_models(
            search=text[:100],
            filter=kind.value if kind in (Kind.GGUF, Kind.OPENVINO, Kind.SAFETENSORS) else None,
            sort="downloads",
            limit=limit,
            expand=_TOLD,
        )
        found = [_found(each) for each in told if hub_files.is_repo(each.id)]
    return sorted(found, key=lambda each: not each.verdict.runs)


def _found(info: Any) -> Found:
    tags = [str(tag) for tag in info.tags or ()]
    gguf, config = getattr(info, "gguf", None) or {}, getattr(info, "config", None) or {}
    return Found(
        repo=info.id,
        verdict=judge(
            info.id,
            tags,
            str(config.get("model_type") or ""),
            str(gguf.get("architecture") or ""),
            str(info.pipeline_tag or ""),
        ),
        licence=hub_files.licence(_card(info), tags),
        downloads=int(info.downloads or 0),
        likes=int(info.likes or 0),
        gated=bool(info.gated),
    )


def _card(info: Any) -> dict[str, Any]:
    card = getattr(info, "card_data", None)
    told: dict[str, Any] = card.to_dict() if card is not None else {}
    return told


def _api() -> Any:
    """The library with our certificates, token and patience."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    from huggingface_hub import HfApi, set_client_factory

    set_client_factory(_client)
    endpoint = hub.endpoint()
    return HfApi(endpoint=endpoint, token=hub_token.keeper.get(endpoint), library_name="slipstream")


def _client() -> Any:
    """Of the library's own HTTP module, whichever that is: with our certificates, and without its many tries for a
    host to which there is no connection."""
    from huggingface_hub.utils._http import default_client_factory, hf_request_event_hook

    plain = type(default_client_factory())
    http = import_module(plain.__module__.partition(".")[0])

    class Client(plain):  # type: ignore[misc, valid-type]
        def send(self, *args: Any, **named: Any) -> Any:
            try:
                return super().send(*args, **named)
            except (http.ConnectError, http.ConnectTimeout, http.ProxyError) as error:
                raise _NoConnectionError from error

    return Client(
        verify=trust.ssl_context(),
        timeout=_PATIENCE_S,
        follow_redirects=True,
        event_hooks={"request": [hf_request_event_hook]},
    )


class _NoConnectionError(Exception):
    pass


@contextmanager
def _explaining() -> Iterator[None]:
    try:
        yield
    except SlipstreamError:
        raise
    except Exception as error:
        raise SlipstreamError(f"The hub can't be searched ({_reason(error)}): try again later.") from error


def _reason(error: Exception) -> str:
    if isinstance(error, RefusedError):
        return str(error)
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status in (401, 403):
        return "it refuses the access token"
    if status in (429, 503):
        return "it is busy"
    return f"it answers HTTP {status}" if status else "it can't be reached; check the connection"
