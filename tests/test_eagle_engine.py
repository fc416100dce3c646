"""EAGLE heads in the whole engine, on a tiny random target: from a folder to an answer, never a changed token."""

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from app.cli import main
from engine.detokeniser import Detokeniser
from engine.drafters.dflash import BlockDrafter
from engine.drafters.eagle_model import EagleModel
from engine.engine import Engine
from engine.errors import SlipstreamError
from engine.events import Delta, Event, Finished, Started
from engine.graphs.dflash_checkpoint import Checkpoint
from engine.graphs.dflash_config import read_shape
from engine.graphs.dflash_convert import conversion_path, drafter_weights
from engine.models.estimate import estimate
from engine.models.memory import Part
from engine.models.store import ModelStore
from engine.request import Continuation, Message, Request, Sampling, Speculation
from engine.sampling import Rule
from engine.train.drafter_folder import config_of
from engine.train.pack import pack
from tests import drafted_answers
from tests.dflash_checkpoints import Drafter
from tests.drafted_answers import GREEDY, TARGET, TEXTS, WARM, answer, plainly, same
from tests.eagle_checkpoints import EAGLE, HEADS, config, tensors, write_head
from tests.tiny_models import tensors as target_tensors
from tests.tiny_models import write_model


def fitted(head: Drafter, **changes: Any) -> Drafter:
    return replace(head, **{"hidden": 128, "taps": (0, 2), "context": 600, "window": 600, **changes})


def ask(text: str = TEXTS[0], **settings: Any) -> Request:
    return drafted_answers.ask(text, **{"max_tokens": 24, **settings})


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ModelStore:
    folder = tmp_path_factory.mktemp("eagle")
    store = ModelStore(folder / "home")
    store.import_file(write_model(folder / "target.gguf", TARGET), "target")
    for name, head in HEADS.items():
        store.import_file(write_head(folder / name, fitted(head)), name)
    return store


@pytest.fixture(scope="module")
def plain(store: ModelStore) -> Callable[[Request], Finished]:
    return plainly(store)


@pytest.fixture(scope="module")
def parrot(store: ModelStore, plain, tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """With a head that is often right: it knows which token followed which in the target's own greedy answers, and
    listens to what the target says just enough that its other guesses depend on that."""
    head = fitted(EAGLE, block_size=7)
    folder = write_head(tmp_path_factory.mktemp("parrot") / "parrot", head)
    followers: dict[int, int] = {}
    for text in TEXTS:
        followers |= dict(pairwise(plain(ask(text, max_tokens=40)).token_ids))
    written = tensors(head)
    layer = "layers.0."
    written[f"{layer}mlp.down_proj.weight"] *= np.float32(0.02)
    written[f"{layer}self_attn.o_proj.weight"] *= np.float32(0.3)
    written["embed_norm.weight"][:], written["norm.weight"][:] = 1.0, 1.0
    saying = 0.5 * written["input_proj.weight"][:, :128]
    solved = entering(dict(list(followers.items())[:100]))
    written["input_proj.weight"] = np.ascontiguousarray(np.concatenate([saying, solved], -1), np.float32)
    save_file(written, folder / "model.safetensors")
    store.import_file(folder, "parrot")
    return Engine.load(store, store.make_pair("target", "parrot"))


@pytest.fixture
def at_home(store: ModelStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line's models are the store's."""
    monkeypatch.setenv("SLIPSTREAM_HOME", str(store.home))


def entering(followers: dict[int, int]) -> np.ndarray:
    """[hidden, hidden] that turns a token's normed embedding into ten times the head's row of its follower."""
    lent = target_tensors(TARGET)
    asked, head = lent["token_embd.weight"][list(followers)], lent["output.weight"]
    asked = asked / np.sqrt((asked * asked).mean(-1, keepdims=True) + 1e-5)
    return 10.0 * np.linalg.lstsq(asked, head[list(followers.values())], rcond=None)[0].T


def drafts(events: list[Event]) -> list[tuple[int, ...]]:
    return [each.drafted for each in events if isinstance(each, Delta)]


# No token is changed


@pytest.mark.parametrize("name", ["reduced", "unsure", "8bit"])
def test_no_head_changes_a_token(name: str, store: ModelStore, plain) -> None:
    """Greedy and sampled, paced and with fixed lengths, alone and in the cascade."""
    engine = Engine.load(store, store.make_pair("target", name))
    assert engine.exact
    assert isinstance(engine._draft.model, EagleModel)
    for sampling, text, k in ((GREEDY, TEXTS[0], 3), (WARM, TEXTS[1], 7), (WARM, TEXTS[2], None)):
        asked = ask(text, sampling=sampling, draft_tokens=k)
        expected = plain(asked)
        for mode in (Speculation.DFLASH, Speculation.AUTO):
            found = answer(engine, replace(asked, speculation=mode))
            assert same(found, expected), (sampling, k, mode)
            assert found.stats.drafted > 0 or k is None


@pytest.mark.parametrize("sampling", [GREEDY, WARM])
def test_accepted_drafts_are_committed_whole(sampling: Sampling, parrot: Engine, plain) -> None:
    longest = 0
    for text in TEXTS:
        for k in (2, 7, None):
            asked = ask(text, sampling=sampling, draft_tokens=k)
            events = list(parrot.generate(asked))
            assert isinstance(events[-1], Finished)
            assert same(events[-1], plain(asked))
            deltas = [event for event in events if isinstance(event, Delta)]
            assert {each.source for each in deltas} <= {"dflash", "plain"}
            longest = max(longest, *(each.accepted for each in deltas))
    assert longest >= (5 if sampling is GREEDY else 1)


def test_the_cascade_uses_both(parrot: Engine, plain) -> None:
    asked = ask(TEXTS[1], max_tokens=60, draft_tokens=4, speculation=Speculation.AUTO)
    found = answer(parrot, asked)
    assert same(found, plain(asked))
    assert set(found.stats.drafted_by_source) == {"ngram", "dflash"}


def test_the_pace_learns_when_a_head_is_no_use(store: ModelStore, plain) -> None:
    """A random one: after some trials most passes are plain."""
    engine = Engine.load(store, store.make_pair("target", "whole"))
    asked = ask(max_tokens=150)
    found = answer(engine, asked)
    assert same(found, plain(asked))
    assert found.stats.drafted < 0.5 * found.stats.target_passes


# Turns


@pytest.mark.parametrize("sampling", [GREEDY, WARM])
def test_an_answer_that_goes_on_drafts_what_a_fresh_engine_would(
    sampling: Sampling, parrot: Engine, plain
) -> None:
    """GIVEN an answer in parts, some by other drafters WHEN it goes on THEN each draft is that of an engine that reads
    everything afresh: the head's context follows the target, and nothing of it has been forgotten."""
    parrot.forget()
    whole = plain(ask(sampling=sampling, max_tokens=80))
    tokens: tuple[int, ...] = ()
    for part, mode in enumerate(
        (Speculation.DFLASH, Speculation.OFF, Speculation.DFLASH, Speculation.NGRAM) * 2
    ):
        going_on = replace(
            ask(sampling=sampling, max_tokens=10, draft_tokens=None if mode is Speculation.OFF else 5),
            speculation=mode,
            continuation=begun(parrot, tokens),
        )
        events = list(parrot.generate(going_on))
        if mode is Speculation.DFLASH:
            started = next(event for event in events if isinstance(event, Started))
            assert started.reused_tokens > 10 or part == 0
            assert any(drafts(events))
            assert drafts(events) == drafts_afresh(parrot, going_on)
        last = events[-1]
        assert isinstance(last, Finished)
        tokens += last.token_ids
    assert tokens == whole.token_ids[: len(tokens)]


@pytest.mark.usefixtures("parrot")
@pytest.mark.parametrize(("name", "sampling"), [("parrot", GREEDY), ("parrot", WARM), ("whole", WARM)])
def test_drafts_are_those_after_what_the_target_said(
    name: str, sampling: Sampling, store: ModelStore
) -> None:
    """GIVEN an answer with rejected drafts WHEN its tokens are read at once, and what the target says of those before a
    draft is handed to a model alone THEN that drafts the same."""
    asked = ask(sampling=sampling, draft_tokens=5, max_tokens=40)
    engine = Engine.load(store, store.make_pair("target", name))
    deltas = [event for event in engine.generate(asked) if isinstance(event, Delta)]
    tokens = engine.prompt_tokens(asked)
    features = said(engine, [*tokens, *(token for each in deltas for token in each.tokens)])
    alone = BlockDrafter(EagleModel(drafter_weights(store.path(name), engine.target.weights)))
    alone.rule = Rule(sampling)
    for each in deltas:
        alone.model.take(0, features[: len(tokens) - 1], tokens[:-1])
        alone.reset(tokens)
        assert tuple(alone.propose(len(each.drafted))) == each.drafted
        tokens += each.tokens
    assert len([each for each in deltas if each.accepted < len(each.drafted)]) > 3


def said(engine: Engine, tokens: list[int]) -> np.ndarray:
    """Features [tokens, taps * hidden], in one pass."""
    engine.forget()
    reader, heard = engine.target.reader, []
    engine.target.reader = lambda past, rows, ids: heard.append(rows.copy())
    engine.target.forward(tokens)
    engine.target.reader = reader
    engine.forget()
    assert len(heard) == 1
    return heard[0]


def begun(engine: Engine, tokens: tuple[int, ...]) -> Continuation | None:
    return Continuation(Detokeniser(engine.tokenizer).push(tokens), tokens) if tokens else None


def drafts_afresh(engine: Engine, request: Request) -> list[tuple[int, ...]]:
    engine.forget()
    return drafts(list(engine.generate(request)))


def test_turns_change_no_token(parrot: Engine, plain) -> None:
    """GIVEN turns that share a part with what was read, and other things answered between, one cancelled and one closed
    THEN the head goes on drafting, and answers are the target's."""
    messages = [Message("user", TEXTS[0])]
    for turn in range(4):
        disturb(parrot, turn, messages)
        asked = replace(ask(draft_tokens=5), messages=tuple(messages))
        events = list(parrot.generate(asked))
        assert isinstance(events[-1], Finished)
        assert same(events[-1], plain(asked))
        assert any(drafts(events))
        messages += [Message("assistant", events[-1].text), Message("user", TEXTS[turn % 3])]


def disturb(engine: Engine, turn: int, messages: list[Message]) -> None:
    """Something else is answered before: by the head, without it, cancelled, closed."""
    other = replace(
        ask(sampling=WARM, draft_tokens=4), messages=(*messages, Message("user", "Something else."))
    )
    if turn == 0:
        answer(engine, other)
    elif turn == 1:
        answer(engine, replace(other, speculation=Speculation.OFF, draft_tokens=None))
    else:
        cancel = threading.Event()
        running = engine.generate(other, cancel)
        assert isinstance(next(running), Started)
        assert isinstance(next(running), Delta)
        if turn == 2:
            running.close()
        else:
            cancel.set()
            assert isinstance(list(running)[-1], Finished)


# The end of a context


def test_context_ends_the_answer_exactly_at_the_limit(parrot: Engine, plain) -> None:
    asked = ask("a" * 520, max_tokens=500, sampling=WARM, draft_tokens=6)
    size = parrot.count_tokens(asked.messages)
    found = answer(parrot, asked)
    assert same(found, plain(asked))
    assert size + len(found.token_ids) <= 600
    assert found.stats.drafted > 0


def test_a_head_with_a_shorter_context_falls_silent(store: ModelStore, plain, tmp_path: Path) -> None:
    head = fitted(EAGLE, context=70, window=70)
    engine = Engine.load(
        store, store.make_pair("target", store.import_file(write_head(tmp_path / "short", head)))
    )
    asked = ask("a" * 20, max_tokens=60, draft_tokens=3)
    assert engine.count_tokens(asked.messages) < 60
    found = answer(engine, asked)
    assert same(found, plain(asked))
    assert 0 < found.stats.drafted < 3 * found.stats.target_passes
    assert same(answer(engine, asked), found)


# On its way in


@pytest.mark.parametrize("name", HEADS)
def test_its_description_is_the_trainers(name: str) -> None:
    """What is read of a config says all that the trainer wrote into it."""
    shape = read_shape(config(HEADS[name]))
    assert shape.feeds_back
    assert shape.longest_draft == HEADS[name].block_size
    assert config_of(shape, {"model": "tiny"}) == config(HEADS[name])


def described(**changes: Any) -> dict[str, Any]:
    """A config with changes, also among its layers' sizes."""
    found = config(fitted(EAGLE))
    layers = found["transformer_layer_config"]
    found |= {key: value for key, value in changes.items() if key not in layers}
    return found | {"transformer_layer_config": layers | {k: v for k, v in changes.items() if k in layers}}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"hidden_size": 64}, "'fc.weight' has the sizes"),
        ({"enable_confidence_head": False}, "does not know, 'confidence_head.proj"),
        ({"markov_rank": 8}, "more than one layer or a Markov head"),
        ({"num_hidden_layers": 2, "layer_types": ["full_attention"] * 2}, "more than one layer or a Markov"),
        ({"num_hidden_layers": 2}, "layer_types"),
        ({"aux_hidden_state_layer_ids": [0, 3]}, "embedding as a tap"),
        ({"aux_hidden_state_layer_ids": []}, "incomplete or wrong"),
        ({"block_size": 0}, "its sizes"),
        ({"draft_vocab_size": 20}, "table of drafted tokens"),
        (
            {"architectures": ["LlamaForCausalLMEagle3"]},
            "LlamaForCausalLMEagle3, which is no trained drafter",
        ),
    ],
)
def test_a_foreign_description_is_refused(
    changes: dict[str, Any], reason: str, store: ModelStore, tmp_path: Path
) -> None:
    folder = write_head(tmp_path / "head", fitted(EAGLE))
    (folder / "config.json").write_text(json.dumps(described(**changes)), encoding="utf-8")
    assert reason in sentence_of(store, folder)


def sentence_of(store: ModelStore, folder: Path) -> str:
    """Why a folder is refused."""
    before = [model.name for model in store.installed()]
    with pytest.raises(SlipstreamError) as caught:
        store.import_file(folder)
    assert [model.name for model in store.installed()] == before
    told = str(caught.value)
    assert "\n" not in told
    assert len(told) < 300
    return told


def test_every_missing_or_misshapen_tensor_is_named(store: ModelStore, tmp_path: Path) -> None:
    folder, written = write_head(tmp_path / "head", fitted(EAGLE)), tensors(fitted(EAGLE))
    for name in sorted(set(written) - {"d2t", "t2d"}):
        save_file({key: value for key, value in written.items() if key != name}, folder / "model.safetensors")
        assert f"no tensor '{name}'" in sentence_of(store, folder)
    for name in ("embed_norm.weight", "input_proj.weight", "layers.0.self_attn.q_norm.weight"):
        save_file({**written, name: np.zeros((3, 5), dtype=np.float32)}, folder / "model.safetensors")
        assert f"'{name}' has the sizes" in sentence_of(store, folder)
    surplus = {key.replace("layers.0", "layers.1"): value.copy() for key, value in written.items()}
    save_file({**surplus, **written}, folder / "model.safetensors")
    assert "does not know, 'layers.1." in sentence_of(store, folder)
    whole = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(whole[:-100])
    assert "not a complete safetensors file" in sentence_of(store, folder)


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"hidden": 64}, "hidden states of 64 numbers, and the target's have 128"),
        ({"vocab": 300}, "vocabulary has 300 tokens, and the target's has 259"),
        ({"taps": (0, 3)}, "reads layer 4, and of the target's 4 layers the last"),
    ],
)
def test_one_that_does_not_fit_is_not_paired(
    change: dict[str, Any], reason: str, store: ModelStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = store.import_file(write_head(tmp_path / "misfit", fitted(EAGLE, **change)))
    assert main(["models", "pair", "target", name]) == 1
    told = capsys.readouterr().err
    store.remove(name)
    assert told.startswith("“misfit” can't draft for “target”: it")
    assert reason in told
    assert told.count("\n") == 1


@pytest.mark.usefixtures("at_home")
def test_from_a_folder_to_an_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """GIVEN a trained folder WHEN it is packed, imported, paired and asked THEN it drafts, and no token changes."""
    trained = write_head(tmp_path / "trained", fitted(HEADS["reduced"]))

    def told(*arguments: str) -> dict[str, Any]:
        assert main([*arguments, "--json"]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    assert main(["train", "pack", str(trained), str(tmp_path / "My Head")]) == 0
    capsys.readouterr()
    assert told("models", "import", str(tmp_path / "My Head")) == {"imported": "my-head"}
    pair = told("models", "pair", "target", "my-head")["pair"]["name"]
    ask = ("ask", "One, two, three", "--pair", pair, "--max-tokens", "16")
    expected = told(*ask, "--speculation", "off")
    for extra in (("--draft-tokens", "5"), ()):
        found = told(*ask, "--speculation", "dflash", *extra)
        assert found["token_ids"] == expected["token_ids"]
        assert found["mode"] == "dflash"
        if extra:
            assert set(found["stats"]["drafted_by_source"]) == {"dflash"}
    assert told("models", "verify")["models"][0]["ok"]


def test_a_packed_head_is_small_and_close(tmp_path: Path) -> None:
    head = fitted(HEADS["reduced"], intermediate=512)
    write_head(tmp_path / "whole", head)
    size = pack(tmp_path / "whole", tmp_path / "small")
    small, whole = Checkpoint(tmp_path / "small"), Checkpoint(tmp_path / "whole")
    assert small.shape == whole.shape
    ids = small.draft_ids()
    assert ids is not None
    assert tuple(ids) == head.drafted
    for name, values in load_file(tmp_path / "whole" / "model.safetensors").items():
        if name not in ("d2t", "t2d"):
            step = np.abs(values).max(-1, keepdims=True) / 127 if values.ndim == 2 else 0.0
            assert np.all(np.abs(small.tensor(name, *values.shape) - values) <= 0.501 * step)
    assert size < 0.35 * sum(file.stat().st_size for file in (tmp_path / "whole").iterdir())


# Memory


def test_the_estimate_is_of_what_is_loaded(store: ModelStore) -> None:
    """GIVEN a head that was converted THEN its weights and its cache's tokens are counted as they are."""
    folders = [store.path("target"), store.path("reduced")]
    Engine.load(store, store.make_pair("target", "reduced")).close()
    engine = Engine.load(store, store.make_pair("target", "reduced"))
    found = engine.estimate
    assert found is not None
    assert found.converting == 0
    assert found.per_token == engine.kv_bytes_per_token
    assert (
        engine.kv_bytes_per_token - engine.target.cache.bytes_per_token == 2 * 2 * 16 * 2
    )  # k and v, float16
    counted = {part.part: part.bytes for part in found.parts if part.model == "reduced"}
    converted = conversion_path(folders[1]).with_name("weights.bin").stat().st_size
    head = len(HEADS["reduced"].drafted) * 128
    assert converted + 0.5 * head <= counted[Part.WEIGHTS] <= converted + 1.1 * head
    engine.close()


@pytest.mark.usefixtures("plain")
def test_before_a_conversion_it_is_counted_as_one(store: ModelStore, tmp_path: Path) -> None:
    target, head = store.path("target"), write_head(tmp_path / "head", fitted(EAGLE))
    assert estimate([target]).converting == 0
    found = estimate([target, head])
    assert found.converting > 0
    weights = [part.bytes for part in found.parts if (part.model, part.part) == ("head", Part.WEIGHTS)]
    assert 0 < weights[0] < (head / "model.safetensors").stat().st_size
