"""Speculation on against off with a hybrid target, by the whole engine: the same 300 tokens."""

from dataclasses import replace

import pytest

from engine.engine import Engine
from engine.events import Finished, Started
from engine.models.catalogue import Pair
from engine.models.store import ModelStore
from engine.request import Message, Request, Sampling, Speculation
from tests.tiny_hybrid import HybridShape, write_gguf

TARGET = HybridShape(hidden=128, intermediate=128, sharpness=1.5, endless=True)
ASKED = Request(
    messages=(Message("user", "abab abab: tell me about the sea, the sea, the sea."),),
    max_tokens=300,
    sampling=Sampling(temperature=0.0),
    speculation=Speculation.OFF,
    baseline=False,
)
SAMPLINGS = {"greedy": Sampling(temperature=0.0), "1.0": Sampling(temperature=1.0, seed=5)}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ModelStore:
    folder = tmp_path_factory.mktemp("speculation")
    store = ModelStore(folder / "home")
    store.import_file(write_gguf(folder / "t.gguf", TARGET), "target")
    store.import_file(write_gguf(folder / "d.gguf", replace(TARGET, noise=0.1)), "hybrid-draft")
    return store


@pytest.fixture(scope="module")
def engine(store: ModelStore) -> Engine:
    return Engine.load(store, Pair("p", "Pair", "target", "hybrid-draft"))


def answer(engine: Engine, request: Request) -> Finished:
    last = list(engine.generate(request))[-1]
    assert isinstance(last, Finished)
    return last


def test_a_hybrid_engine_is_exact(engine: Engine) -> None:
    assert engine.exact
    assert engine.target.states is not None


@pytest.fixture(scope="module")
def plain(engine: Engine) -> dict[str, Finished]:
    answers = {
        name: answer(engine, replace(ASKED, sampling=sampling)) for name, sampling in SAMPLINGS.items()
    }
    assert all(len(answer.token_ids) == 300 for answer in answers.values())
    return answers


QUICK = [("greedy", 5, Speculation.DRAFT), ("1.0", 15, Speculation.NGRAM), ("1.0", None, Speculation.AUTO)]
ALL = [
    pytest.param(sampling, k, mode, marks=[] if (sampling, k, mode) in QUICK else pytest.mark.large)
    for sampling in SAMPLINGS
    for k in (1, 2, 4, 5, 15, 31, None)
    for mode in (Speculation.NGRAM, Speculation.DRAFT, Speculation.AUTO)
]


@pytest.mark.parametrize(("sampling", "k", "mode"), ALL)
def test_speculation_does_not_change_a_token(
    engine: Engine, plain: dict[str, Finished], sampling: str, k: int | None, mode: Speculation
) -> None:
    asked = replace(ASKED, sampling=SAMPLINGS[sampling], speculation=mode, draft_tokens=k)
    found = answer(engine, asked)

    assert (found.token_ids, found.text) == (plain[sampling].token_ids, plain[sampling].text)


def test_a_draft_of_the_same_kind_is_often_right_and_often_wrong(engine: Engine) -> None:
    """Else the test above would prove little: states are taken back and taken over."""
    stats = answer(
        engine, replace(ASKED, max_tokens=100, speculation=Speculation.DRAFT, draft_tokens=4)
    ).stats

    assert stats.acceptance_rate is not None
    assert 0.1 < stats.acceptance_rate < 0.95


def test_turns_reuse_what_was_read_and_stay_exact(engine: Engine) -> None:
    """GIVEN turns in one engine THEN each reads only what the last one did not, and its answer is as if read afresh."""
    messages, read = list(ASKED.messages), 0
    for _ in range(3):
        asked = replace(
            ASKED, messages=tuple(messages), max_tokens=24, speculation=Speculation.AUTO, draft_tokens=5
        )
        events = list(engine.generate(asked))
        found = events[-1]
        assert isinstance(found, Finished)
        assert isinstance(events[0], Started)
        assert events[0].reused_tokens >= read
        read = events[0].prompt_tokens - 1
        engine.forget()
        assert answer(engine, replace(asked, speculation=Speculation.OFF)).token_ids == found.token_ids
        messages += [Message("assistant", found.text), Message("user", "And then?")]
