"""A tiny random target and answers of the whole engine with it, for the tests of trained drafters."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.engine import Engine
from engine.events import Finished
from engine.models.catalogue import Pair
from engine.models.store import ModelStore
from engine.request import Message, Request, Sampling, Speculation
from tests.tiny_models import Shape

TARGET = Shape("llama", hidden=128, intermediate=256, layers=4, sharpness=1.5, context=600)
TEXTS = ("Tell me about the sea.", "abab abab abab", "One, two, three: what comes next? Ä漢😀")
GREEDY, WARM = Sampling(), Sampling(temperature=1.0, seed=3)


def answer(engine: Engine, request: Request) -> Finished:
    last = list(engine.generate(request))[-1]
    assert isinstance(last, Finished)
    return last


def ask(text: str = TEXTS[0], **settings: Any) -> Request:
    settings = {"max_tokens": 32, "speculation": Speculation.DFLASH, "baseline": False, **settings}
    return Request((Message("user", text),), **settings)


def same(left: Finished, right: Finished) -> bool:
    return (left.text, left.token_ids, left.reason) == (right.text, right.token_ids, right.reason)


def plainly(store: ModelStore) -> Callable[[Request], Finished]:
    """Answers requests by the model “target” alone."""
    engine = Engine.load(store, Pair("alone", "Alone", "target", None))

    def answered(request: Request) -> Finished:
        return answer(engine, replace(request, speculation=Speculation.OFF, draft_tokens=None))

    return answered
