"""Another drafter for a target that stays loaded."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.engine import Engine
from engine.errors import SlipstreamError
from engine.events import Event, Finished, Started
from engine.models.catalogue import Pair
from engine.models.store import ModelStore
from engine.request import Message, Request, Speculation
from tests.dflash_checkpoints import Drafter, write_drafter
from tests.tiny_models import Shape, write_model

TARGET = Shape("llama", hidden=128, intermediate=256, layers=3, sharpness=1.5, context=600)
MODELS = {
    "target": TARGET,
    "near": replace(TARGET, noise=0.15),
    "far": replace(TARGET, noise=0.5),
    "other": replace(TARGET, rename={65: "x"}),
}
ALONE = Pair("alone", "Alone", "target", None)
QUESTION = "Tell me about the sea, please, and at length."


@pytest.fixture
def store(tmp_path: Path) -> ModelStore:
    store = ModelStore(tmp_path / "home")
    for name, shape in MODELS.items():
        store.import_file(write_model(tmp_path / f"{name}.gguf", shape), name)
    return store


def with_draft(name: str) -> Pair:
    return Pair(f"target+{name}", name, "target", name)


def answered(engine: Engine, speculation: Speculation = Speculation.AUTO) -> list[Event]:
    """Drafts are of a fixed length, since the pace may find that none pays."""
    length = 3 if speculation in (Speculation.DRAFT, Speculation.DFLASH) else None
    asked = Request(
        (Message("user", QUESTION),),
        max_tokens=24,
        speculation=speculation,
        draft_tokens=length,
        baseline=False,
    )
    return list(engine.generate(asked))


def end(events: list[Event]) -> Finished:
    assert isinstance(events[-1], Finished)
    return events[-1]


def reused(events: list[Event]) -> int:
    return next(event.reused_tokens for event in events if isinstance(event, Started))


def test_the_target_and_its_cache_stay(store: ModelStore) -> None:
    """GIVEN an answer WHEN the draft changes THEN the next answer finds its prompt read, and is the same."""
    engine = Engine.load(store, ALONE)
    plain, target = end(answered(engine)), engine.target
    seen = []
    for pair in (with_draft("near"), with_draft("far"), ALONE, with_draft("near")):
        assert engine.swap(pair, seen.append)
        assert engine.pair == pair
        assert engine.target is target
        assert (engine.unavailable(Speculation.DRAFT) is None) == (pair.draft is not None)
        mode = Speculation.DRAFT if pair.draft else Speculation.AUTO
        events = answered(engine, mode)
        assert reused(events) == end(events).stats.prompt_tokens - 1
        assert end(events).token_ids == plain.token_ids
        assert bool(end(events).stats.drafted_by_source.get("draft")) == bool(pair.draft)
    assert {"converting", "compiling"} <= {progress.stage for progress in seen}


def test_what_was_learnt_of_the_old_draft_is_forgotten(store: ModelStore) -> None:
    engine = Engine.load(store, with_draft("near"))
    fresh = engine._pace.draft.expected_tokens(4)
    end(answered(engine, Speculation.DRAFT))
    assert engine._pace.draft.expected_tokens(4) != fresh
    assert engine.swap(with_draft("far"))
    assert engine._pace.draft.expected_tokens(4) == fresh


def test_another_target_and_the_same_pair_are_no_swap(store: ModelStore) -> None:
    engine = Engine.load(store, ALONE)
    assert not engine.swap(Pair("near", "Near", "near", None))
    assert not engine.swap(replace(ALONE, title="Renamed"))
    assert engine.pair == ALONE


def test_a_draft_that_does_not_fit_leaves_the_old_one(store: ModelStore) -> None:
    engine = Engine.load(store, with_draft("near"))
    for pair, sentence in ((with_draft("other"), "token 65 is"), (with_draft("gone"), "is not installed")):
        with pytest.raises(SlipstreamError, match=sentence):
            engine.swap(pair)
    assert engine.unavailable(Speculation.DRAFT) is None
    assert engine.pair == with_draft("near")


def test_a_block_drafter_is_swapped_where_the_target_shows_it_the_right_layers(tmp_path: Path) -> None:
    """GIVEN a target without taps THEN it can't be; GIVEN one with them THEN drafters of all kinds come and go."""
    store = ModelStore(tmp_path / "home")
    store.import_file(write_model(tmp_path / "target.gguf", replace(TARGET, layers=4)), "target")
    store.import_file(write_model(tmp_path / "near.gguf", replace(TARGET, noise=0.15)), "near")
    for name, taps in (("block", (0, 2)), ("twin", (0, 2)), ("deeper", (1, 2))):
        shape = Drafter("deepspec", hidden=128, block_size=7, taps=taps)
        store.import_file(write_drafter(tmp_path / name, shape), name)
    assert not Engine.load(store, ALONE).swap(with_draft("block"))

    engine = Engine.load(store, with_draft("block"))
    plain = end(answered(engine, Speculation.OFF))
    assert not engine.swap(with_draft("deeper"))
    for pair, mode in (
        (with_draft("twin"), Speculation.DFLASH),
        (with_draft("near"), Speculation.DRAFT),
        (with_draft("block"), Speculation.DFLASH),
    ):
        assert engine.swap(pair)
        last = end(answered(engine, mode))
        assert last.token_ids == plain.token_ids
        assert last.stats.drafted_by_source[mode] > 0


def test_a_draft_that_can_not_be_loaded_leaves_the_target_alone(store: ModelStore) -> None:
    """GIVEN a file that is cut short THEN there is no draft any more, and the old one can be had again."""
    engine = Engine.load(store, with_draft("near"))
    file = store.path("far") / "model.gguf"
    file.write_bytes(file.read_bytes()[:-1000])
    with pytest.raises(SlipstreamError):
        engine.swap(with_draft("far"))
    assert engine.unavailable(Speculation.DRAFT) is not None
    assert engine.pair.draft is None
    assert engine.swap(with_draft("near"))
    assert engine.unavailable(Speculation.DRAFT) is None
