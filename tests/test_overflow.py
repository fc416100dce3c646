"""A conversation that outgrows its context, in a real engine with a tiny model."""

import pytest

from engine.device import devices
from engine.engine import Engine
from engine.errors import SlipstreamError
from engine.events import Started
from engine.load_options import CPU, LoadOptions
from engine.models.catalogue import Pair
from engine.models.store import ModelStore
from engine.request import Message, Overflow, Request
from tests.tiny_models import Shape, write_model

LIMIT = 512  # tokens; the tiny model itself was made for more


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder = tmp_path_factory.mktemp("overflow")
    store = ModelStore(folder / "home")
    store.import_file(write_model(folder / "m.gguf", Shape("llama", context=2048)), "m")
    options = LoadOptions(threads=1, context_limit=LIMIT)
    return Engine.load(store, Pair("m", "M", "m", None), options=options)


def chat(turns: int) -> list[Message]:
    """Each turn has about 50 tokens: the tiny tokenizer knows little more than letters."""
    messages = [Message("system", "Be brief.")]
    for turn in range(turns):
        messages += [Message("user", f"What is {turn}?"), Message("assistant", f"It is number {turn}.")]
    return [*messages, Message("user", "And now?")]


def started(engine: Engine, messages: list[Message], policy: Overflow) -> Started:
    asked = Request(tuple(messages), max_tokens=2, overflow=policy)
    return next(event for event in engine.generate(asked) if isinstance(event, Started))


def test_the_context_is_as_long_as_it_was_loaded_for(engine: Engine) -> None:
    assert engine.context_limit == LIMIT


def test_a_conversation_that_is_too_long_is_refused_by_default(engine: Engine) -> None:
    with pytest.raises(SlipstreamError, match="reads at most 512"):
        started(engine, chat(40), Overflow.STOP)


@pytest.mark.parametrize("policy", [Overflow.DROP_OLDEST, Overflow.KEEP_ENDS])
def test_the_start_says_what_was_left_out(engine: Engine, policy: Overflow) -> None:
    messages = chat(40)
    told = started(engine, messages, policy)
    kept = [m for i, m in enumerate(messages) if i not in told.left_out]

    assert told.left_out
    assert told.prompt_tokens == engine.count_tokens(kept) <= LIMIT
    assert kept[0] == messages[0]
    assert (kept[1] == messages[1]) == (policy is Overflow.KEEP_ENDS)


@pytest.mark.parametrize("policy", [Overflow.DROP_OLDEST, Overflow.KEEP_ENDS])
def test_most_turns_reuse_the_cache_although_the_beginning_goes(engine: Engine, policy: Overflow) -> None:
    """GIVEN a chat that grows beyond its context THEN only a turn whose cut moves reads all but its head anew."""
    shares = []
    for turns in range(8, 40):
        told = started(engine, chat(turns), policy)
        if told.left_out:
            shares.append(told.reused_tokens / told.prompt_tokens)

    assert len(shares) > 15
    assert sum(share > 0.7 for share in shares) > len(shares) / 2


def test_the_processor_is_among_the_devices() -> None:
    assert devices()[0].name == CPU


@pytest.mark.parametrize("wrong", [{"threads": -1}, {"context_limit": 10}])
def test_options_that_make_no_sense_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(SlipstreamError):
        LoadOptions(**wrong)
