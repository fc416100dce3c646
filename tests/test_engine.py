"""The whole engine on tiny random models: real OpenVINO graphs, real cache, real tokenizer."""

import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from engine.engine import Engine
from engine.errors import SlipstreamError
from engine.events import Delta, Event, Failed, Finished, FinishReason, Progress, Started
from engine.models.catalogue import Pair
from engine.models.estimate import check_memory, estimate
from engine.models.store import ModelStore
from engine.request import Continuation, Message, Request, Sampling, Speculation
from tests.tiny_models import Shape, write_model

TARGET = Shape("llama", hidden=128, intermediate=256, layers=3, sharpness=1.5, context=600)
DRAFTS = {
    "near": replace(TARGET, noise=0.15),
    "itself": TARGET,
    "foreign": Shape("qwen2", seed=9, context=600, padding=5),
    "short": replace(TARGET, noise=0.15, context=90),
}
TEXTS = ("Tell me about the sea.", "abab abab abab", "One, two, three: what comes next? Ä漢😀")
GREEDY, WARM, HOT = (Sampling(temperature=t, seed=3) for t in (0.0, 0.7, 1.0))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ModelStore:
    folder = tmp_path_factory.mktemp("engine")
    store = ModelStore(folder / "home")
    for name, shape in {"target": TARGET, **DRAFTS}.items():
        store.import_file(write_model(folder / f"{name}.gguf", shape), name)
    return store


@pytest.fixture(scope="module")
def engines(store: ModelStore) -> dict[str, Engine]:
    pairs = {name: Pair(name, name.title(), "target", name) for name in DRAFTS}
    pairs["alone"] = Pair("alone", "Alone", "target", None)
    return {name: Engine.load(store, pair) for name, pair in pairs.items()}


def request(text: str = TEXTS[0], **settings) -> Request:
    settings = {"max_tokens": 48, "sampling": GREEDY, **settings}
    return Request(messages=(Message("user", text),), **settings)


def answer(engine: Engine, request: Request) -> Finished:
    last = list(engine.generate(request))[-1]
    assert isinstance(last, Finished)
    return last


def plain(engines: dict[str, Engine], request: Request) -> Finished:
    return answer(engines["alone"], replace(request, speculation=Speculation.OFF, draft_tokens=None))


def same(left: Finished, right: Finished) -> bool:
    return (left.text, left.token_ids, left.reason) == (right.text, right.token_ids, right.reason)


def test_every_tiny_pair_is_exact_here(engines: dict[str, Engine]) -> None:
    assert all(engine.exact for engine in engines.values())


SAMPLINGS = {"greedy": GREEDY, "0.7": WARM, "1.0": HOT}
CASES = [(draft, sampling) for draft in DRAFTS for sampling in SAMPLINGS]


@pytest.mark.parametrize(("draft", "sampling"), CASES)
def test_speculation_does_not_change_a_token(draft: str, sampling: str, engines) -> None:
    """Paced, and with every fixed length from 1 to 8 at several drafts and temperatures."""
    case = CASES.index((draft, sampling))
    for text, k in zip(TEXTS, (None, 1 + case % 8, 1 + (case + 4) % 8), strict=True):
        asked = request(text, sampling=SAMPLINGS[sampling], draft_tokens=k)
        expected = plain(engines, asked)
        for mode in (Speculation.NGRAM, Speculation.DRAFT, Speculation.AUTO):
            assert same(answer(engines[draft], replace(asked, speculation=mode)), expected), (mode, k)


def test_a_model_that_drafts_for_itself_is_nearly_always_right(tmp_path: Path) -> None:
    """The draft shares the noise, so sampling is no harder to guess than greedy decoding. (8-bit weights, which
    a draft has in common with a target; only steps of one row round differently.)
    """
    store = ModelStore(tmp_path / "home")
    store.import_file(write_model(tmp_path / "m.gguf", Shape(sharpness=1.5)), "m")
    engine = Engine.load(store, Pair("m", "M", "m", "m"))
    for sampling in (GREEDY, HOT):
        asked = request(sampling=sampling, speculation=Speculation.DRAFT, draft_tokens=4, baseline=False)
        stats = answer(engine, asked).stats
        assert stats.drafted > 10
        assert stats.acceptance_rate is not None
        assert stats.acceptance_rate > 0.9


def test_penalties_are_exact_too(engines) -> None:
    warm = Sampling(temperature=0.7, repetition_penalty=1.3, frequency_penalty=0.5, presence_penalty=0.1)
    for mode in (Speculation.NGRAM, Speculation.DRAFT, Speculation.AUTO):
        asked = request(TEXTS[1], sampling=warm, speculation=mode, draft_tokens=5)
        assert same(answer(engines["near"], asked), plain(engines, asked))


@pytest.mark.parametrize("mode", [Speculation.NGRAM, Speculation.AUTO, Speculation.DRAFT])
def test_turns_reuse_the_prefix_and_stay_exact(mode: Speculation, engines) -> None:
    """GIVEN turns after turns in one engine THEN each answer is that of an engine that computes it afresh."""
    messages = [Message("user", TEXTS[0])]
    for turn in range(4):
        asked = Request(tuple(messages), WARM, max_tokens=30, speculation=mode)
        events = list(engines["near"].generate(asked))
        expected = plain(engines, asked)
        assert isinstance(events[-1], Finished)
        assert same(events[-1], expected)
        if turn:
            started = next(event for event in events if isinstance(event, Started))
            assert started.reused_tokens > 10 * turn
        messages += [Message("assistant", expected.text), Message("user", TEXTS[turn % 3])]


def test_answer_after_a_closed_one_is_exact(engines) -> None:
    running = engines["near"].generate(request(sampling=HOT, draft_tokens=5))
    for _ in range(3):
        next(running)
    running.close()
    asked = request(TEXTS[1], sampling=HOT, draft_tokens=5)
    assert same(answer(engines["near"], asked), plain(engines, asked))


def beginning(engine: Engine, asked: Request) -> Continuation:
    """What a listener has of an answer: not the bytes of a character that is still open."""
    deltas = [event for event in engine.generate(asked) if isinstance(event, Delta)]
    tokens = tuple(token for delta in deltas for token in delta.tokens)
    return Continuation("".join(delta.text for delta in deltas), tokens)


PENALISED = Sampling(temperature=0.7, seed=3, repetition_penalty=1.3, frequency_penalty=0.5)


@pytest.mark.parametrize("sampling", [GREEDY, HOT, PENALISED], ids=["greedy", "1.0", "penalised"])
def test_an_answer_goes_on_as_if_it_had_never_been_broken_off(sampling: Sampling, engines) -> None:
    """GIVEN an answer cut after n tokens WHEN it goes on, the cache kept or not THEN the rest is the same."""
    whole = plain(engines, request(TEXTS[2], sampling=sampling))
    for cut in (1, 2, 7, 30):
        begun = beginning(engines["alone"], request(TEXTS[2], sampling=sampling, max_tokens=cut))
        rest = request(TEXTS[2], sampling=sampling, max_tokens=48 - cut, draft_tokens=3)
        for name in ("alone", "near"):
            second = answer(engines[name], replace(rest, continuation=begun))
            assert begun.tokens + second.token_ids == whole.token_ids
            assert begun.text + second.text == whole.text
        engines["near"].forget()


def test_an_answer_that_goes_on_reads_nothing_twice(engines) -> None:
    asked = request(continuation=beginning(engines["near"], request(max_tokens=20)))
    started = next(engines["near"].generate(asked))
    assert isinstance(started, Started)
    assert started.reused_tokens == started.prompt_tokens - 1


def test_tokens_that_do_not_spell_the_text_are_not_used(engines) -> None:
    """GIVEN the tokens of another model's answer, or none at all THEN the text counts."""
    text = "One and two"
    expected = answer(engines["alone"], request(continuation=Continuation(text)))
    ours = engines["alone"].tokenizer.encode(text)
    assert expected.stats.prompt_tokens == answer(engines["alone"], request()).stats.prompt_tokens + len(text)
    beyond = ((10**6,), (-1,), (*ours, 10**6), (*ours, 2**40))  # the vocabulary: such a token gives no text
    for tokens in ((5, 6, 7), *beyond):
        asked = request(continuation=Continuation(text, tokens))
        assert same(answer(engines["alone"], asked), expected)


def test_a_prompt_that_opens_the_reasoning_is_told(tmp_path: Path, engines) -> None:
    assert engines["alone"].opens_thinking == ""
    template = "{{ messages[-1].content }}{% if add_generation_prompt %}[answer]<think>\n{% endif %}"
    store = ModelStore(tmp_path / "home")
    store.import_file(write_model(tmp_path / "m.gguf", Shape(chat_template=template)), "m")
    engine = Engine.load(store, store.pair("m"))
    assert engine.opens_thinking == "<think>\n"


def test_cancelled_answer_is_a_beginning_of_the_whole_one(engines) -> None:
    cancel = threading.Event()
    seen: list[Event] = []
    for event in engines["near"].generate(request(sampling=WARM), cancel):
        seen.append(event)
        if sum(isinstance(each, Delta) for each in seen) == 3:
            cancel.set()
    last = seen[-1]
    assert isinstance(last, Finished)
    assert last.reason is FinishReason.CANCELLED
    assert plain(engines, request(sampling=WARM)).text.startswith(last.text)


def test_context_ends_the_answer_exactly_at_the_limit(engines) -> None:
    prompt = request("a" * 500, max_tokens=500)
    size = engines["alone"].count_tokens(prompt.messages)
    for mode in (Speculation.OFF, Speculation.AUTO, Speculation.DRAFT):
        last = answer(engines["near"], replace(prompt, speculation=mode, sampling=HOT))
        assert last.reason in (FinishReason.CONTEXT, FinishReason.STOP)
        assert size + len(last.token_ids) <= 600
        assert same(last, plain(engines, replace(prompt, sampling=HOT)))


def test_draft_with_a_shorter_context_leaves_the_rest_to_others(engines) -> None:
    """GIVEN a prompt that the draft model can't hold WHEN auto THEN n-gram still drafts."""
    asked = request("ab" * 90, speculation=Speculation.AUTO, max_tokens=100, baseline=False)
    last = answer(engines["short"], asked)
    assert same(last, plain(engines, asked))
    assert "draft" not in last.stats.drafted_by_source
    assert last.stats.drafted_by_source.get("ngram", 0) > 0


def test_a_prompt_that_is_too_long_gives_both_numbers(engines) -> None:
    with pytest.raises(
        SlipstreamError, match=r"conversation has \d[\d,]* tokens, but Alone reads at most 600"
    ):
        next(engines["alone"].generate(request("x" * 700)))


def test_what_is_unavailable_says_why(engines) -> None:
    alone, near = engines["alone"], engines["near"]
    assert alone.unavailable(Speculation.DRAFT) == "this pair has no draft model"
    assert alone.unavailable(Speculation.DFLASH) == "this pair has no trained drafter (DFlash or EAGLE)"
    assert [alone.unavailable(mode) for mode in ("auto", "off", "ngram")] == [None] * 3
    assert near.unavailable(Speculation.DRAFT) is None
    with pytest.raises(SlipstreamError, match="'draft' is not available: this pair has no draft model"):
        next(alone.generate(request(speculation=Speculation.DRAFT)))


def test_auto_without_a_draft_model_uses_ngram_alone(engines) -> None:
    asked = request(TEXTS[1], speculation=Speculation.AUTO)
    last = answer(engines["alone"], asked)
    assert same(last, plain(engines, asked))
    assert set(last.stats.drafted_by_source) <= {"ngram"}


def test_memory_that_runs_out_ends_the_answer_with_its_text_kept(engines, monkeypatch) -> None:
    """GIVEN a cache that is refused more memory in the middle of an answer THEN Failed, and the engine lives."""
    engine, passes = engines["alone"], []
    reserve = engine.target.cache.reserve

    def short_of_memory(tokens: int) -> None:
        passes.append(tokens)
        if len(passes) > 8:
            raise SlipstreamError("There is not enough memory for a longer conversation.")
        reserve(tokens)

    asked = request(speculation=Speculation.OFF)
    whole = answer(engine, asked)
    monkeypatch.setattr(engine.target.cache, "reserve", short_of_memory)
    events = list(engine.generate(asked))
    monkeypatch.undo()
    text = "".join(event.text for event in events if isinstance(event, Delta))
    assert events[-1] == Failed("There is not enough memory for a longer conversation.")
    assert text
    assert whole.text.startswith(text)
    assert same(answer(engine, asked), whole)


def test_memory_of_the_caches_is_told_and_given_back(tmp_path: Path) -> None:
    """GIVEN a long chat WHEN a short one follows THEN both models' caches shrink, and the answer is the same."""
    store = ModelStore(tmp_path / "home")
    roomy = replace(TARGET, context=16_000)
    for name, shape in {"target": roomy, "draft": replace(roomy, noise=0.15)}.items():
        store.import_file(write_model(tmp_path / f"{name}.gguf", shape), name)
    engine = Engine.load(store, Pair("p", "P", "target", "draft"))
    asked = request(speculation=Speculation.DRAFT, draft_tokens=3)
    first = answer(engine, asked)
    small = engine.kv_bytes
    assert first.stats.kv_bytes == small == engine.kv_bytes_per_token * 1_024
    numbers = 2 * roomy.layers * roomy.kv_heads * roomy.head_dim
    assert engine.kv_bytes_per_token == numbers * (4 + 2)  # float32 of the target, float16 of the draft model
    assert first.stats.context_tokens == first.stats.prompt_tokens + first.stats.tokens
    assert first.stats.context_limit == 16_000
    answer(engine, replace(asked, messages=(Message("user", "ab c" * 2_000),)))
    assert engine.kv_bytes > 7 * small
    assert same(answer(engine, replace(asked, speculation=Speculation.OFF, draft_tokens=None)), first)
    assert engine.kv_bytes == small


SIGNAL_AFTER_CLOSING = """
import gc, pathlib, signal, sys
from engine.engine import Engine
from engine.models.catalogue import Pair
from engine.models.store import ModelStore
engine = Engine.load(ModelStore(pathlib.Path(sys.argv[1])), Pair("p", "P", "target", "near"))
engine.close()
del engine
gc.collect()
seen = []
signal.signal(signal.SIGINT, lambda *_: seen.append(1))
signal.raise_signal(signal.SIGINT)
print("still here", seen)
"""


def test_ctrl_c_after_a_pair_was_closed_does_not_crash(store: ModelStore) -> None:
    command = [sys.executable, "-c", SIGNAL_AFTER_CLOSING, str(store.home)]
    root = Path(__file__).resolve().parents[1]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stdout) == (0, "still here [1]\n"), done.stderr


# Loading


def test_progress_tells_of_conversion_and_compilation(tmp_path: Path) -> None:
    store = ModelStore(tmp_path / "home")
    store.import_file(write_model(tmp_path / "m.gguf"), "m")
    seen: list[Progress] = []
    Engine.load(store, store.pair("m"), seen.append).close()
    steps = ["compiling", "compiling", "measuring", "measuring"]
    assert [each.stage for each in seen] == ["converting", "converting", *steps]
    seen.clear()
    Engine.load(store, store.pair("m"), seen.append).close()
    assert [each.stage for each in seen] == steps


def test_draft_of_another_vocabulary_is_refused_with_the_token(tmp_path: Path) -> None:
    store = ModelStore(tmp_path / "home")
    store.import_file(write_model(tmp_path / "a.gguf"), "a")
    store.import_file(write_model(tmp_path / "b.gguf", Shape(rename={257: "<|begin|>", 65: "x"})), "b")
    with pytest.raises(SlipstreamError, match=r"b can't draft for a: token 65 is .A. in the target"):
        Engine.load(store, Pair("p", "P", "a", "b"))


def test_too_little_memory_is_said_before_loading(tmp_path: Path) -> None:
    write_model(tmp_path / "model.gguf")
    needed = estimate([tmp_path, tmp_path]).total
    assert check_memory([tmp_path, tmp_path], free=needed)
    with pytest.raises(SlipstreamError, match=r"needs about 0\.1 GB of memory, but only 0\.0 GB is free"):
        check_memory([tmp_path], free=10_000_000)


@pytest.mark.parametrize("cut", [200, 9_000, 100_000])
def test_torn_model_file_gives_a_sentence(cut: int, tmp_path: Path) -> None:
    store = ModelStore(tmp_path / "home")
    store.import_file(write_model(tmp_path / "m.gguf"), "m")
    file = store.path("m") / "model.gguf"
    data = file.read_bytes()
    file.unlink()  # the import may have linked it
    file.write_bytes(data[:cut])
    with pytest.raises(SlipstreamError, match=r"model\.gguf is"):
        Engine.load(store, Pair("m", "M", "m", None))


def test_model_that_is_not_there_gives_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SlipstreamError, match="fetch or import"):
        Engine.load(ModelStore(tmp_path / "home"), Pair("m", "M", "m", None))


def test_prompt_without_a_token_gives_a_sentence(tmp_path: Path) -> None:
    """GIVEN a chat template that writes nothing."""
    store = ModelStore(tmp_path / "home")
    store.import_file(write_model(tmp_path / "m.gguf", Shape(chat_template="{# nothing #}")), "m")
    engine = Engine.load(store, store.pair("m"))
    with pytest.raises(SlipstreamError, match="template"):
        next(engine.generate(request()))
