"""Slipstream's engine: exact speculative decoding on OpenVINO. Knows no window; runs headless.

Names are loaded on first use, so that `slipstream --help` needs no OpenVINO.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.engine import Engine as Engine
    from engine.errors import SlipstreamError as SlipstreamError
    from engine.events import Delta as Delta
    from engine.events import Event as Event
    from engine.events import Failed as Failed
    from engine.events import Finished as Finished
    from engine.events import FinishReason as FinishReason
    from engine.events import Progress as Progress
    from engine.events import Started as Started
    from engine.metrics import Stats as Stats
    from engine.request import Continuation as Continuation
    from engine.request import Message as Message
    from engine.request import Request as Request
    from engine.request import Sampling as Sampling
    from engine.request import Speculation as Speculation

_HOMES = {
    "Engine": "engine.engine",
    "SlipstreamError": "engine.errors",
    "Delta": "engine.events",
    "Event": "engine.events",
    "Failed": "engine.events",
    "Finished": "engine.events",
    "FinishReason": "engine.events",
    "Progress": "engine.events",
    "Started": "engine.events",
    "Stats": "engine.metrics",
    "Continuation": "engine.request",
    "Message": "engine.request",
    "Request": "engine.request",
    "Sampling": "engine.request",
    "Speculation": "engine.request",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(name)
    return getattr(import_module(_HOMES[name]), name)
