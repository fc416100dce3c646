"""The fetch queue on disk, fetch-queue.json: what is wanted, in order, so that it outlives the program."""

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from engine.errors import SlipstreamError
from engine.models import disk
from engine.models.order import Order


class State(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    FAILED = "failed"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A pair or model of the catalogue by `name`, or an `order` on the hub."""

    name: str
    title: str
    order: Order | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """`speed` in bytes a second, `left_s` seconds; None when it can't be told. `gated`: a token may help."""

    id: int
    wanted: Wanted
    state: State = State.WAITING
    stage: str = ""
    done: int = 0
    total: int = 0
    speed: float | None = None
    left_s: float | None = None
    problem: str = ""
    gated: bool = False


def read(path: Path) -> list[Item]:
    """What an earlier run left: nothing of it runs. A torn or foreign file is an empty queue."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        return [_item(number, each) for number, each in enumerate(told["items"])]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, SlipstreamError):
        return []


def write(path: Path, items: list[Item]) -> None:
    """All but what is done. Errors: SlipstreamError when the disk refuses."""
    told = {"items": [_told(item) for item in items if item.state is not State.DONE]}
    with disk.explaining(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        disk.write_atomically(path, json.dumps(told, indent=1, ensure_ascii=False) + "\n")


def _told(item: Item) -> dict[str, Any]:
    order = item.wanted.order
    return {
        "name": item.wanted.name,
        "title": item.wanted.title,
        "order": order.told() if order else None,
        "state": item.state.value,
        "done": item.done,
        "total": item.total,
        "problem": item.problem,
        "gated": item.gated,
    }


def _item(number: int, told: dict[str, Any]) -> Item:
    state = State(told["state"])
    return Item(
        id=number,
        wanted=Wanted(
            str(told["name"]), str(told["title"]), Order.parse(told["order"]) if told["order"] else None
        ),
        state=State.WAITING if state is State.RUNNING else state,
        done=int(told["done"]),
        total=int(told["total"]),
        problem=str(told["problem"]),
        gated=bool(told["gated"]),
    )
