"""Block drafters of every format in the whole engine, on a tiny random target: never a changed token."""

import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from engine.engine import Engine
from engine.errors import SlipstreamError
from engine.events import Delta, Event, Finished, FinishReason, Started
from engine.models.catalogue import Pair
from engine.models.store import ModelStore
from engine.request import Message, Request, Sampling, Speculation
from tests.dflash_checkpoints import FORMS, Drafter, tensors, write_drafter
from tests.drafted_answers import GREEDY, TARGET, TEXTS, WARM, answer, ask, plainly, same
from tests.tiny_models import write_model

PARROT = Drafter(
    "deepspec", hidden=128, markov="vanilla", rank=64, confidence=True, block_size=7, taps=(0, 2)
)


def fitted(drafter: Drafter) -> Drafter:
    return replace(drafter, hidden=128, taps=(0, 2))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ModelStore:
    folder = tmp_path_factory.mktemp("dflash")
    store = ModelStore(folder / "home")
    store.import_file(write_model(folder / "target.gguf", TARGET), "target")
    for name, drafter in FORMS.items():
        store.import_file(write_drafter(folder / name, fitted(drafter)), name)
    return store


@pytest.fixture(scope="module")
def plain(store: ModelStore) -> Callable[[Request], Finished]:
    return plainly(store)


@pytest.fixture(scope="module")
def parrot(store: ModelStore, plain, tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """A drafter that is often right: its Markov head knows which token followed which in the target's own answers."""
    folder = tmp_path_factory.mktemp("parrot") / "parrot"
    write_drafter(folder, PARROT)
    followers: dict[int, int] = {}
    for text in TEXTS:
        tokens = answer_tokens(plain, text)
        followers |= dict(pairwise(tokens))
    written = tensors(PARROT)
    first, second = (np.zeros((259, 64), dtype=np.float32) for _ in range(2))
    for slot, (before, after) in enumerate(list(followers.items())[:64]):
        first[before, slot], second[after, slot] = 1.0, 40.0
    written |= {"markov_head.markov_w1.weight": first, "markov_head.markov_w2.weight": second}
    save_file(written, folder / "model.safetensors")
    store.import_file(folder, "parrot")
    return store.make_pair("target", "parrot")


def answer_tokens(plain, text: str) -> tuple[int, ...]:
    return plain(ask(text, max_tokens=60)).token_ids


@pytest.mark.parametrize("name", FORMS)
def test_no_format_changes_a_token(name: str, store: ModelStore, plain) -> None:
    """Greedy and sampled, paced and with fixed lengths, alone and in the cascade."""
    engine = Engine.load(store, store.make_pair("target", name))
    assert engine.exact
    for sampling, text, k in ((GREEDY, TEXTS[0], 3), (WARM, TEXTS[1], 7), (WARM, TEXTS[2], None)):
        asked = ask(text, sampling=sampling, draft_tokens=k)
        expected = plain(asked)
        for mode in (Speculation.DFLASH, Speculation.AUTO):
            found = answer(engine, replace(asked, speculation=mode))
            assert same(found, expected), (sampling, k, mode)
            assert found.stats.drafted > 0 or k is None


@pytest.mark.parametrize("sampling", [GREEDY, WARM])
def test_accepted_blocks_are_committed_whole(
    sampling: Sampling, store: ModelStore, parrot: Pair, plain
) -> None:
    engine = Engine.load(store, parrot)
    longest = 0
    for text in TEXTS:
        for k in (2, 7):
            asked = ask(text, sampling=sampling, draft_tokens=k, max_tokens=24)
            events = list(engine.generate(asked))
            assert isinstance(events[-1], Finished)
            assert same(events[-1], plain(asked))
            deltas = [event for event in events if isinstance(event, Delta)]
            assert {each.source for each in deltas} <= {"dflash", "plain"}
            longest = max(longest, *(each.accepted for each in deltas))
    assert longest >= (3 if sampling is GREEDY else 1)


def test_turns_draft_what_a_fresh_engine_would(store: ModelStore, parrot: Pair, plain) -> None:
    """GIVEN turns that share a part with what was read, answers by other drafters, one cancelled and one closed
    THEN each draft is that of an engine that reads the conversation afresh: the context follows the target."""
    engine = Engine.load(store, parrot)
    messages = [Message("user", TEXTS[0])]
    for turn in range(4):
        disturb(engine, turn, messages)
        asked = Request(
            tuple(messages), GREEDY, 24, draft_tokens=5, speculation=Speculation.DFLASH, baseline=False
        )
        used, fresh = list(engine.generate(asked)), drafts_afresh(engine, asked)
        if turn:
            assert isinstance(used[0], Started)
            assert used[0].reused_tokens > 10
        assert [each.drafted for each in used if isinstance(each, Delta)] == fresh
        assert isinstance(used[-1], Finished)
        assert same(used[-1], plain(asked))
        messages += [Message("assistant", used[-1].text), Message("user", TEXTS[turn % 3])]


def disturb(engine: Engine, turn: int, messages: list[Message]) -> None:
    """Something else is answered before: off, n-gram, cancelled, closed."""
    other = Request((*messages, Message("user", "Something else.")), WARM, 20, baseline=False, draft_tokens=4)
    if turn == 0:
        answer(engine, replace(other, speculation=Speculation.OFF, draft_tokens=None))
    elif turn == 1:
        answer(engine, replace(other, speculation=Speculation.NGRAM))
    else:
        cancel, running = threading.Event(), None
        running = engine.generate(other, cancel)
        seen = [next(running) for _ in range(3)]
        assert isinstance(seen[0], Started)
        if turn == 2:
            running.close()
            return
        cancel.set()
        assert isinstance(last := list(running)[-1], Finished)
        assert last.reason is FinishReason.CANCELLED


def drafts_afresh(engine: Engine, request: Request) -> list[tuple[int, ...]]:
    engine.forget()
    events: list[Event] = list(engine.generate(request))
    return [each.drafted for each in events if isinstance(each, Delta)]


def test_the_cascade_uses_both(store: ModelStore, parrot: Pair, plain) -> None:
    asked = ask(TEXTS[1], max_tokens=60, draft_tokens=4, speculation=Speculation.AUTO)
    found = answer(Engine.load(store, parrot), asked)
    assert same(found, plain(asked))
    assert set(found.stats.drafted_by_source) == {"ngram", "dflash"}


def test_the_pace_learns_when_a_block_drafter_is_no_use(store: ModelStore, plain) -> None:
    """A random drafter: after some trials most passes are plain."""
    engine = Engine.load(store, store.make_pair("target", "z-lab"))
    asked = ask(max_tokens=150)
    found = answer(engine, asked)
    assert same(found, plain(asked))
    assert found.stats.drafted < 0.5 * found.stats.target_passes


def test_context_ends_the_answer_exactly_at_the_limit(store: ModelStore, parrot: Pair, plain) -> None:
    engine = Engine.load(store, parrot)
    asked = ask("a" * 520, max_tokens=500, sampling=WARM, draft_tokens=6)
    size = engine.count_tokens(asked.messages)
    found = answer(engine, asked)
    assert same(found, plain(asked))
    assert size + len(found.token_ids) <= 600


def test_a_drafter_with_a_shorter_context_falls_silent(store: ModelStore, plain, tmp_path: Path) -> None:
    short = store.import_file(write_drafter(tmp_path / "short", replace(PARROT, context=70)))
    engine = Engine.load(store, store.make_pair("target", short))
    asked = ask("a" * 20, max_tokens=60, draft_tokens=3)
    assert engine.count_tokens(asked.messages) < 60
    found = answer(engine, asked)
    assert same(found, plain(asked))
    assert 0 < found.stats.drafted < 3 * found.stats.target_passes
    assert same(answer(engine, asked), found)


def test_what_is_unavailable_says_why(store: ModelStore) -> None:
    engine = Engine.load(store, store.make_pair("target", "z-lab"))
    assert engine.unavailable(Speculation.DFLASH) is None
    assert engine.unavailable(Speculation.DRAFT) == "this pair has no draft model"
    with pytest.raises(SlipstreamError, match="this pair has no draft model"):
        next(engine.generate(ask(speculation=Speculation.DRAFT)))


def test_caches_of_both_are_counted_and_forgotten(store: ModelStore, parrot: Pair) -> None:
    engine = Engine.load(store, parrot)
    target_alone = engine.target.cache.bytes_per_token
    assert (
        engine.kv_bytes_per_token == target_alone + 2 * 2 * 2 * 16 * 2
    )  # k and v, layers, heads, dim, float16
    answer(engine, ask())
    engine.forget()
    assert engine.target.tokens == []


def test_a_converted_drafter_holds_no_copy_of_the_targets_matrices(store: ModelStore) -> None:
    Engine.load(store, store.make_pair("target", "deepspec"))
    converted = next(store.path("deepspec").glob("openvino/*/weights.bin"))
    drafter = fitted(FORMS["deepspec"])
    matrices = sum(values.size for values in tensors(drafter).values() if values.ndim == 2)
    borrowed = 2 * drafter.vocab * drafter.hidden
    assert converted.stat().st_size < 1.3 * (matrices - borrowed)
