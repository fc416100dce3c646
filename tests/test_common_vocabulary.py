"""Drafts with another vocabulary than the target's: which fit, what they read, and that they never change a token."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.common_vocabulary import common_vocabulary, misfit
from engine.engine import Engine
from engine.errors import SlipstreamError
from engine.events import Finished
from engine.models.catalogue import Pair
from engine.models.gguf_vocab import CONTROL, NORMAL, UNUSED, USER_DEFINED, GgufVocabulary
from engine.models.store import ModelStore
from engine.request import Message, Request, Sampling, Speculation
from tests.tiny_models import Shape, write_model

WORDS = [(name, NORMAL) for name in ("a", "b", "Ċ", "ab")]
END = ("<|end|>", CONTROL)
THINK, TOOL, PAD = ("<think>", CONTROL), ("<tool>", USER_DEFINED), ("[PAD1]", UNUSED)


def vocabulary(
    *tokens: tuple[str, int], merges: Sequence[str] = ("a b",), pre: str = "qwen2"
) -> GgufVocabulary:
    names, kinds = zip(*tokens, strict=True)
    return GgufVocabulary(
        list(names), list(kinds), list(merges), pre, None, 4, frozenset({4}), False, None, None
    )


TARGET = vocabulary(*WORDS, END, THINK)


def test_a_vocabulary_fits_itself_without_a_mask() -> None:
    assert misfit(TARGET, TARGET) is None
    assert common_vocabulary(TARGET, TARGET) is None


@pytest.mark.parametrize(
    ("draft", "masked", "read"),
    [
        (vocabulary(*WORDS, END), (), 2),  # a token less: a line end is read instead
        (vocabulary(*WORDS, END, PAD), (5,), 2),
        (vocabulary(*WORDS, END, TOOL, PAD), (5,), 2),
        (vocabulary(*WORDS, END, TOOL, THINK), (5,), 6),  # the same token under another number
        (vocabulary(*WORDS, END, THINK, TOOL), (), 5),
    ],
)
def test_added_and_unused_tokens_may_differ(
    draft: GgufVocabulary, masked: tuple[int, ...], read: int
) -> None:
    assert misfit(TARGET, draft) is None
    common = common_vocabulary(TARGET, draft)
    assert common is not None
    assert common.masked == masked
    assert common.read([0, 5, 4]) == [0, read, 4]


def test_logits_beyond_the_common_vocabulary_do_not_count() -> None:
    draft = vocabulary(*WORDS, END, TOOL, THINK)
    common = common_vocabulary(TARGET, draft)
    assert common is not None
    logits = np.arange(14, dtype=np.float32).reshape(2, 7)
    assert common.mask(logits).argmax(axis=1).tolist() == [4, 4]
    assert common.mask(logits).shape == (2, 6)


@pytest.mark.parametrize(
    ("draft", "reason"),
    [
        (vocabulary(*WORDS[:3], ("ba", NORMAL), END), "token 3 is 'ab' in the target and 'ba' in the draft"),
        (vocabulary(*WORDS, END, THINK, ("word", NORMAL)), "token 6 is missing in the target and 'word'"),
        (vocabulary(*WORDS, END, THINK, pre="gpt-2"), "the target cuts text as 'qwen2' and the draft as"),
        (vocabulary(*WORDS, END, THINK, merges=["b a"]), "the merge rules of target and draft differ"),
    ],
)
def test_other_pieces_of_text_are_a_misfit(draft: GgufVocabulary, reason: str) -> None:
    found = misfit(TARGET, draft)
    assert found is not None
    assert reason in found


MODEL = Shape("llama", hidden=128, intermediate=256, layers=3, sharpness=0.6, context=300)
ADDED = replace(MODEL, added=("<think>", "</think>", "<tool>"))
PAIRS = {
    "smaller draft": (ADDED, replace(MODEL, noise=0.15)),
    "larger draft": (MODEL, replace(ADDED, noise=0.15)),
    "other tokens": (ADDED, replace(MODEL, added=("<a>", "<think>"), padding=70, noise=0.15)),
}


@pytest.fixture(scope="module", params=list(PAIRS))
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder = tmp_path_factory.mktemp("vocabularies")
    store = ModelStore(folder / "home")
    for name, shape in zip(("target", "draft"), PAIRS[request.param], strict=True):
        store.import_file(write_model(folder / f"{name}.gguf", shape), name)
    return Engine.load(store, Pair("pair", "Pair", "target", "draft"))


def test_a_draft_of_another_vocabulary_does_not_change_a_token(engine: Engine) -> None:
    """GIVEN models so undecided that they write added tokens now and then THEN speculation on is speculation off."""
    written: set[int] = set()
    for seed in range(4):
        asked = Request(
            (Message("user", "abab and so on"),), Sampling(temperature=1.0, seed=seed), max_tokens=60
        )
        plain, drafted = (
            list(engine.generate(replace(asked, speculation=mode, draft_tokens=k)))[-1]
            for mode, k in ((Speculation.OFF, None), (Speculation.DRAFT, 4))
        )
        assert isinstance(plain, Finished)
        assert isinstance(drafted, Finished)
        assert plain.token_ids == drafted.token_ids
        assert drafted.stats.accepted > 0
        written.update(plain.token_ids)
    size = engine.target.architecture.vocab
    assert max(written) < size
    if size > 260:
        assert written & set(range(260, size))  # what the draft does not know was read


def test_a_pair_of_such_models_can_be_made(tmp_path: Path) -> None:
    store = ModelStore(tmp_path / "home")
    for name, shape in {"target": ADDED, "draft": MODEL}.items():
        store.import_file(write_model(tmp_path / f"{name}.gguf", shape), name)
    assert store.make_pair("target", "draft").draft == "draft"
    other = replace(MODEL, rename={65: "x"}, seed=3)
    store.import_file(write_model(tmp_path / "other.gguf", other), "other")
    with pytest.raises(SlipstreamError, match="token 65 is "):
        store.make_pair("target", "other")
