"""What shapes an answer: typed, with ranges. A layer is a part of it; layers lie over each other."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from engine.request import Overflow

Mode = Literal["auto", "on", "off"]
Drafter = Literal["all", "ngram", "model"]
Layer = Mapping[str, Any]  # some of ChatSettings' fields by name, in the form that JSON has
StopString = Annotated[str, Meta(min_length=1, max_length=200)]


class ChatSettings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings of an answer. Ranges are what a person can want; the engine's own are wider."""

    system: Annotated[str, Meta(max_length=200_000)] = ""
    temperature: Annotated[float, Meta(ge=0.0, le=2.0)] = 0.7
    top_k: Annotated[int, Meta(ge=0, le=1000)] = 0  # 0: off
    top_p: Annotated[float, Meta(ge=0.01, le=1.0)] = 1.0
    min_p: Annotated[float, Meta(ge=0.0, le=1.0)] = 0.0
    repetition_penalty: Annotated[float, Meta(ge=0.5, le=2.0)] = 1.0
    presence_penalty: Annotated[float, Meta(ge=-2.0, le=2.0)] = 0.0
    frequency_penalty: Annotated[float, Meta(ge=-2.0, le=2.0)] = 0.0
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] | None = None  # None: a new one for each answer
    max_tokens: Annotated[int, Meta(ge=1, le=1_000_000)] = 2048
    stop: Annotated[tuple[StopString, ...], Meta(max_length=16)] = ()
    overflow: Overflow = Overflow.STOP
    speculation: Mode = "auto"
    draft_tokens: Annotated[int, Meta(ge=1, le=31)] = 5  # with speculation "on"
    drafter: Drafter = "all"


DEFAULTS = ChatSettings()
FIELDS = tuple(field.name for field in msgspec.structs.fields(ChatSettings))
SAMPLING = (
    "temperature",
    "top_k",
    "top_p",
    "min_p",
    "repetition_penalty",
    "presence_penalty",
    "frequency_penalty",
)


def over(*layers: Layer) -> ChatSettings:
    """The program's defaults with `layers` over them, the last on top. Errors: msgspec.ValidationError."""
    values: dict[str, Any] = {}
    for layer in layers:
        values.update(layer)
    return msgspec.convert(values, ChatSettings)


def sound(layer: object) -> dict[str, Any]:
    """What of a stored layer makes sense: known names with values in their range."""
    if not isinstance(layer, dict):
        return {}
    return {name: layer[name] for name in FIELDS if name in layer and is_sound(name, layer[name])}


def is_sound(name: str, value: object) -> bool:
    try:
        msgspec.convert({name: value}, ChatSettings)
    except msgspec.ValidationError:
        return False
    return True


def plain(value: object) -> Any:
    """The form that JSON has of a field's value."""
    return msgspec.to_builtins(value)


@cache
def limits(name: str) -> tuple[float, float]:
    """The least and the largest value of a field that is a number."""
    schema = msgspec.json.schema(ChatSettings)["$defs"]["ChatSettings"]["properties"][name]
    options = next((kind for kind in schema.get("anyOf", []) if kind["type"] != "null"), schema)
    return options["minimum"], options["maximum"]
