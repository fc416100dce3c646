"""A store of answers in the whole engine, on a tiny random target: found, used, never a changed token."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from engine.drafters import store_file
from engine.engine import Engine
from engine.events import Delta, Finished
from engine.models import manifest
from engine.models.catalogue import Pair
from engine.models.store import ModelStore
from engine.request import Message, Request, Sampling, Speculation
from tests.tiny_models import Shape, write_model

TARGET = Shape("llama", hidden=128, intermediate=256, layers=3, sharpness=1.5, context=600)
PAIR = Pair("alone", "Alone", "target", None)
TEXTS = ("Tell me about the sea.", "abab abab abab", "One, two, three: what comes next?")
SAMPLINGS = (Sampling(), Sampling(temperature=1.0, seed=3))


def ask(text: str, **settings) -> Request:
    return Request((Message("user", text),), max_tokens=48, baseline=False, **settings)


def answer(engine: Engine, request: Request) -> tuple[Finished, list[Delta]]:
    events = list(engine.generate(request))
    assert isinstance(events[-1], Finished)
    return events[-1], [event for event in events if isinstance(event, Delta)]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> ModelStore:
    folder = tmp_path_factory.mktemp("stored")
    models = ModelStore(folder / "home")
    models.import_file(write_model(folder / "target.gguf", TARGET), "target")
    return models


@pytest.fixture(scope="module")
def plain(models: ModelStore) -> dict[tuple[str, Sampling], Finished]:
    engine = Engine.load(models, PAIR)
    assert engine.answers.drafter is None
    assert not engine.answers.refused
    return {
        (text, sampling): answer(engine, ask(text, sampling=sampling, speculation=Speculation.OFF))[0]
        for text in TEXTS
        for sampling in SAMPLINGS
    }


@pytest.fixture
def stored(models: ModelStore, plain) -> Iterator[Path]:
    """The target's own answers beside it, each with a slip in the middle, so that guesses are right and wrong."""
    folder = models.path("target")
    parts = [np.array(each.token_ids, dtype=np.int32) for each in plain.values()]
    for part in parts:
        part[len(part) // 2] = (part[len(part) // 2] + 1) % vocabulary(models)
    path = folder / store_file.FILE
    store_file.write(path, manifest.read(folder).sha256, vocabulary(models), parts)
    yield path
    path.unlink()


def vocabulary(models: ModelStore) -> int:
    from engine.tokenizer import Tokenizer

    return Tokenizer.from_gguf(models.path("target") / manifest.MODEL_FILE).vocab_size


@pytest.mark.parametrize("k", [None, 1, 4, 12])
@pytest.mark.parametrize("mode", [Speculation.AUTO, Speculation.NGRAM])
def test_answers_with_a_store_are_the_plain_ones(models: ModelStore, stored: Path, plain, mode, k) -> None:
    engine = Engine.load(models, PAIR)
    assert engine.answers.drafter is not None
    engine.answers.drafter.wait()
    drafted = accepted = 0
    for (text, sampling), expected in plain.items():
        request = ask(text, sampling=sampling, speculation=mode, draft_tokens=k)
        finished, passes = answer(engine, request)
        assert (finished.token_ids, finished.text) == (expected.token_ids, expected.text)
        drafted += sum(len(each.drafted) for each in passes if each.source == "store")
        accepted += sum(each.accepted for each in passes if each.source == "store")
    assert drafted > accepted > 0


def test_a_request_may_do_without_the_store(models: ModelStore, stored: Path, plain) -> None:
    engine = Engine.load(models, PAIR)
    assert engine.answers.drafter is not None
    engine.answers.drafter.wait()
    sources = {
        wanted: {
            each.source for text in TEXTS for each in answer(engine, ask(text, stored_answers=wanted))[1]
        }
        for wanted in (True, False)
    }
    assert "store" in sources[True] - sources[False]


def test_a_store_that_does_not_serve_is_told_and_done_without(
    models: ModelStore, stored: Path, plain
) -> None:
    """GIVEN a torn store, and one of another model WHEN the target is loaded THEN it answers, and says why."""
    whole = stored.read_bytes()
    for content, reason in ((whole[:-1], "is damaged"), (whole[:100], "is damaged"), (b"", "no store")):
        stored.write_bytes(content)
        assert reason in Engine.load(models, PAIR).answers.refused
    store_file.write(stored, "cd" * 32, vocabulary(models), [np.array([1, 2], dtype=np.int32)])
    engine = Engine.load(models, PAIR)
    assert "another model's answers" in engine.answers.refused
    finished, _ = answer(engine, ask(TEXTS[0]))
    assert finished.token_ids == plain[TEXTS[0], SAMPLINGS[0]].token_ids


def test_the_store_among_the_assets_serves_whatever_the_model_is_called(
    models: ModelStore, stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIVEN stores of two models among the assets THEN the one whose header names the target is taken."""
    from engine import stored_answers

    monkeypatch.setattr(stored_answers.paths, "assets_dir", lambda: tmp_path)
    for name, sha in (("a", "cd" * 32), ("b", manifest.read(models.path("target")).sha256)):
        part = np.array([1, 2, 3], dtype=np.int32)
        store_file.write(tmp_path / "stores" / name / store_file.FILE, sha, vocabulary(models), [part])
    identity = manifest.read(models.path("target")).sha256
    assert stored_answers.shipped(identity) == [tmp_path / "stores" / "b" / store_file.FILE]
    kept = stored.read_bytes()
    stored.write_bytes(b"torn")
    found = stored_answers.find_store(models.path("target"), vocabulary(models))
    assert found.drafter is not None
    assert "no store" in found.refused
    stored.write_bytes(kept)
