"""What training reads and what it reports, without torch: features, draft vocabulary, simulated passes."""

import importlib.util
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from app.commands.train import Throttle, duration
from engine.errors import SlipstreamError
from engine.graphs.architecture import Architecture
from engine.graphs.convert import converted_weights
from engine.graphs.dflash_checkpoint import Checkpoint, _expected
from engine.graphs.weights import Weights
from engine.models.store import ModelStore
from engine.target import Target
from engine.train.answers import Answer, AnswerWriter
from engine.train.batches import OUTSIDE, Batcher
from engine.train.card import card
from engine.train.drafter_folder import write_drafter
from engine.train.evaluate import evaluate
from engine.train.feature_run import parse_taps
from engine.train.features import (
    FeatureModel,
    FeatureStore,
    FeatureWriter,
    Quantiser,
    add_missing,
    default_taps,
)
from engine.train.provenance import sources
from engine.train.recipe import Recipe, draft_vocabulary
from engine.train.simulate import CascadeProposer, NgramProposer, RecordedProposer, Score, simulate
from engine.train.target_model import TargetModel
from tests.tiny_hybrid import write_gguf
from tests.tiny_models import Shape, write_model

TAPS = (0, 2)
ARCHITECTURE = Architecture("qwen2", 4, 64, 96, 4, 2, 16, 259, 512, 1e-5, 10_000.0)


def answer_of(key: str, prompt: Sequence[int], tokens: Sequence[int]) -> Answer:
    count = len(tokens)
    top = np.stack([np.array(tokens), (np.array(tokens) + 1) % 250], axis=1).astype(np.int32)
    logp = np.log(np.tile([0.75, 0.25], (count, 1))).astype(np.float16)
    return Answer(key, 0.0, 0, True, np.array(prompt, np.int32), np.array(tokens, np.int32), top, logp)


ANSWERS = [
    answer_of(f"p{i}#0", range(5, 12 + i), [(7 * i + 3 * j) % 250 for j in range(9)]) for i in range(5)
]


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Weights:
    folder = tmp_path_factory.mktemp("target")
    write_model(folder / "model.gguf", Shape("qwen2", hidden=128, intermediate=256, layers=4))
    return converted_weights(folder)


def writer_of(folder: Path, taps: tuple[int, ...] = TAPS) -> FeatureWriter:
    return FeatureWriter(folder / "features", {"taps": list(taps)}, len(taps))


def make(weights: Weights, folder: Path, report: Callable[[int, int], None] = lambda *_: None) -> int:
    with writer_of(folder) as writer:
        return add_missing(writer, FeatureModel(weights, TAPS), folder, report)


@pytest.fixture
def store(weights: Weights, tmp_path: Path) -> FeatureStore:
    with AnswerWriter(tmp_path, {}) as writer:
        for answer in ANSWERS:
            writer.append(answer)
    make(weights, tmp_path)
    return FeatureStore(tmp_path / "features")


def test_features_are_those_that_decoding_hands_to_the_drafter(weights: Weights, store: FeatureStore) -> None:
    target = Target(weights, taps=TAPS)
    for answer in ANSWERS:
        target.rollback(0)
        target.forward([*answer.prompt.tolist(), *answer.tokens.tolist()[:-1]])

        found = store.read(answer.key)

        assert target.features is not None
        error = np.linalg.norm(found - target.features, axis=1) / np.linalg.norm(target.features, axis=1)
        assert error.max() < 0.03


def test_a_second_writer_of_features_is_refused(weights: Weights, tmp_path: Path) -> None:
    with AnswerWriter(tmp_path, {}) as answers:
        answers.append(ANSWERS[0])
    refused = []

    def meanwhile(*_: int) -> None:
        with pytest.raises(SlipstreamError, match="Another process is writing features"):
            writer_of(tmp_path)
        refused.append(True)

    assert make(weights, tmp_path, meanwhile) == len(ANSWERS[0].prompt) + 8
    assert refused == [True]
    assert make(weights, tmp_path, meanwhile) == 0  # free again


def test_some_of_the_tapped_layers_can_be_read_alone(store: FeatureStore, tmp_path: Path) -> None:
    one = FeatureStore(tmp_path / "features", (2,))

    for answer in ANSWERS:
        np.testing.assert_array_equal(one.read(answer.key), store.read(answer.key)[:, 128:])
    with pytest.raises(SlipstreamError, match="no features of layer 1, only of 0, 2"):
        FeatureStore(tmp_path / "features", (1, 2))


def test_only_missing_features_are_made(weights: Weights, store: FeatureStore, tmp_path: Path) -> None:
    later = answer_of("later#0", range(6), range(4))
    with AnswerWriter(tmp_path, {}) as writer:
        writer.append(later)

    rows = make(weights, tmp_path)

    assert rows == 9
    assert len(FeatureStore(tmp_path / "features")) == len(ANSWERS) + 1
    with pytest.raises(SlipstreamError, match="another taps"):
        writer_of(tmp_path, (1, 2))


def test_eight_bits_keep_small_channels_beside_huge_ones() -> None:
    rng = np.random.default_rng(1)
    features = rng.standard_normal((200, 64)).astype(np.float32)
    features[:, 5] *= 3000.0
    quantiser = Quantiser.fit(features, 2)

    restored = quantiser.restore(*quantiser.compress(features))

    error = (restored - features) / quantiser.channels.reshape(-1)
    assert np.sqrt(np.square(error).mean()) < 0.02


@pytest.mark.parametrize(
    ("taps", "layers", "expected"),
    [("5", 30, (1, 8, 14, 20, 27)), ("5", 36, (1, 9, 17, 25, 33)), ("3, 1", 30, (1, 3)), ("4,", 30, (4,))],
)
def test_taps(taps: str, layers: int, expected: tuple[int, ...]) -> None:
    assert parse_taps(taps, layers) == expected
    assert default_taps(32, 5) == (1, 8, 15, 22, 29)


def test_a_group_that_is_gone_costs_no_other(weights: Weights, store: FeatureStore, tmp_path: Path) -> None:
    folder = tmp_path / "features"
    with writer_of(tmp_path) as writer:
        writer.add("more#0", store.read(ANSWERS[0].key))
    for file in folder.glob("group-00000.*"):
        file.unlink()

    make(weights, tmp_path)

    assert FeatureStore(folder).keys() == {"more#0", *(answer.key for answer in ANSWERS)}


def test_the_draft_vocabulary_holds_what_the_target_says_most() -> None:
    ids = draft_vocabulary([answer_of("a#0", [1], [*[9] * 9, 4, 200])], 3, 259)

    assert ids.tolist() == [4, 9, 10]  # 10 is the second choice beside 9


def test_batches_say_what_came_after_each_anchor(store: FeatureStore) -> None:
    ids = np.arange(0, 250, 2)  # even tokens only
    batcher = Batcher(ANSWERS, store, ids, 259, block=4)

    batch = batcher.draw(size=3, anchors=6, seed=1, step=0)

    texts = [[*a.prompt.tolist(), *a.tokens.tolist()] for a in ANSWERS]
    for n, a in np.ndindex(3, 6):
        at, said = int(batch.anchors[n, a]), batch.tokens[n, a][batch.valid[n, a]].tolist()
        following = [text[at : at + 5] for text in texts if text[at : at + 1] == [batch.anchor_ids[n, a]]]
        assert [batch.anchor_ids[n, a], *said] in [each[: 1 + len(said)] for each in following]
    odd = batch.tokens % 2 == 1
    assert np.array_equal(batch.labels == OUTSIDE, odd)
    assert np.array_equal(ids[batch.labels[~odd]], batch.tokens[~odd])
    np.testing.assert_array_equal(batch.previous[..., 1:], batch.tokens[..., :-1])
    again = batcher.draw(size=3, anchors=6, seed=1, step=0)
    np.testing.assert_array_equal(again.anchors, batch.anchors)


def test_an_epoch_draws_each_answer_once(store: FeatureStore) -> None:
    batcher = Batcher(ANSWERS, store, np.arange(259), 259, block=2)

    firsts = [batcher.draw(1, 1, seed=3, step=step).features[0, -1].tobytes() for step in range(5)]

    assert len(set(firsts)) == 5


def test_a_batch_holds_answers_of_like_length_and_blocks_of_every_number_of_rows(store: FeatureStore) -> None:
    batcher = Batcher(ANSWERS, store, np.arange(259), 259, block=4)

    batches = [batcher.draw(2, 3, seed=3, step=step) for step in range(60)]

    assert {batch.tokens.shape[2] for batch in batches} == {2, 3, 4}
    lengths = [np.any(batch.features, axis=-1).sum(1) for batch in batches[:2]]  # of two whole batches
    assert [abs(int(first) - int(second)) for first, second in lengths] == [1, 1]


TEXT = [1, 2, 3, 9, 9, 1, 2, 3, 9, 9, 5]


def test_simulated_passes_commit_what_was_foreseen_and_one_more() -> None:
    right = RecordedProposer(np.array([[9, 9, 7], [0, 0, 0], [0, 0, 0], [2, 3, 0], [0, 0, 0]]), 3)

    score = simulate(TEXT[:8], 3, right, 3)

    assert (score.passes, score.tokens) == (2, 5)  # 9 9 | 1, then 2 3 with nothing left to add
    assert score.by_position() == [1.0, 1.0, 0.0]
    assert score.tokens_per_pass == 2.5


def test_no_draft_means_plain_decoding() -> None:
    score = simulate(TEXT, 3, CascadeProposer(), 4)

    assert (score.passes, score.tokens, score.drafted) == (8, 8, 0)
    assert Score(2).by_position() == [0.0, 0.0]


def test_the_cascade_asks_the_ngram_first() -> None:
    drafts = RecordedProposer(np.array([[9, 9, 1]] * 8), 3)

    alone = simulate(TEXT, 3, NgramProposer(TEXT, 2), 3)
    both = simulate(TEXT, 3, CascadeProposer(NgramProposer(TEXT, 2), drafts), 3)

    assert both.tokens == alone.tokens == 8
    assert both.passes < alone.passes < 8


def test_a_written_drafter_is_read_back_as_it_was(tmp_path: Path) -> None:
    """config.json and tables through the reader of published checkpoints."""
    recipe = Recipe(layers=1, intermediate=32, draft_vocab=20, block=5, markov_rank=8)
    shape = recipe.shape(ARCHITECTURE, (1, 2), mask_token=3)
    rng = np.random.default_rng(0)
    tensors = {n: rng.standard_normal(size).astype(np.float32) for n, size in _expected(shape)}
    ids = np.sort(rng.choice(259, 20, replace=False)).astype(np.int64)

    write_drafter(tmp_path, shape, tensors, ids, {"model": "tiny"})

    checkpoint = Checkpoint(tmp_path)
    assert checkpoint.shape == shape
    found = checkpoint.draft_ids()
    assert found is not None
    assert found.tolist() == ids.tolist()
    name = "markov_head.markov_w2.weight"
    np.testing.assert_array_equal(checkpoint.tensor(name, 20, 8), tensors[name])


def test_a_packed_drafter_is_small_and_close(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = Recipe(layers=1, intermediate=512, draft_vocab=20, markov_rank=32)
    shape = recipe.shape(ARCHITECTURE, (1, 2), mask_token=3)
    rng = np.random.default_rng(0)
    tensors = {n: rng.standard_normal(size).astype(np.float32) for n, size in _expected(shape)}
    write_drafter(tmp_path / "whole", shape, tensors, np.arange(20), {"model": "tiny"})

    code = main(["train", "pack", str(tmp_path / "whole"), str(tmp_path / "small")])

    assert code == 0
    assert f"in {tmp_path / 'small'}." in capsys.readouterr().out
    small = Checkpoint(tmp_path / "small")
    assert small.shape == shape
    for name, values in tensors.items():
        bound = np.abs(values).max() / 127 if values.ndim == 2 else 0.0
        np.testing.assert_allclose(small.tensor(name, *values.shape), values, atol=bound, rtol=1e-6)
    sizes = [(tmp_path / each / "model.safetensors").stat().st_size for each in ("whole", "small")]
    assert sizes[1] < 0.35 * sizes[0]
    assert main(["train", "pack", str(tmp_path / "whole"), str(tmp_path / "whole")]) == 2


def test_the_card_names_model_data_licences_and_figures(tmp_path: Path) -> None:
    prompts = tmp_path / "prompts.jsonl"
    lines = [{"id": "a", "source": "x/y", "licence": "MIT"}, {"id": "b", "source": "x/y", "licence": "CC0"}]
    prompts.write_text("\n".join(map(json.dumps, lines)))
    data = {
        "answers": 2,
        "tokens": 90,
        "prompts": 1,
        "greedy": 1,
        "sources": sources(prompts, ["a#0", "a#1"]),
    }
    about = {"model": "tiny", "model_sha256": "ab12", "licence": "Apache-2.0", "recipe": {"layers": 2}}
    about |= {"data": data, "steps": 10, "seconds": 120.0, "device": "2 CPU threads", "parameters": 1_500_000}
    evaluation = evaluate(ANSWERS, None)

    text = "\n".join(card(about, evaluation, "held_out"))

    assert "| x/y | MIT | 1 |" in text
    assert "CC0" not in text  # that prompt was not used
    assert "10 steps in 2 minutes on 2 CPU threads; 1.5 million parameters" in text
    assert f"| ngram | 4 | {evaluation.scores['ngram', 4].tokens_per_pass:.2f} |" in text
    assert evaluation.answers == len(ANSWERS)
    assert text.startswith("# Block drafter for tiny\n")
    about["recipe"] = {"kind": "eagle", "markov": "gated", "soft": 0.8}
    head = "\n".join(card(about, evaluation, "held_out"))
    assert head.startswith("# EAGLE head for tiny\n")
    assert "Layout: Slipstream's own" in head
    assert "| soft | 0.8 |" in head
    assert "markov" not in head  # it has no such head


def test_durations_and_the_rhythm_of_progress(capsys: pytest.CaptureFixture[str]) -> None:
    times = iter([0.0, 0.0, 0.0, 4.0, 11.0, 11.0])
    throttle = Throttle(10.0, lambda: next(times))

    for line in ("a", "b", "c"):
        throttle(line)

    assert capsys.readouterr().err == "a\nc\n"
    assert duration(3723.4) == "1:02:03"


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="PyTorch is installed")
def test_training_without_torch_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "fit", str(tmp_path), "--out", str(tmp_path / "x")]) == 1
    assert "run pip install slipstream[train]." in capsys.readouterr().err


def test_answers_without_features_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SlipstreamError, match="slipstream train features"):
        FeatureStore(tmp_path)


def test_a_tap_that_no_layer_has_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["train", "features", "x", "--taps", "five"])
    assert stopped.value.code == 2
    assert "neither a number nor a list" in capsys.readouterr().err


def test_a_hybrid_target_is_refused(tmp_path: Path) -> None:
    store = ModelStore()
    name = store.import_file(write_gguf(tmp_path / "hybrid.gguf"))

    with pytest.raises(SlipstreamError, match="linear attention"):
        TargetModel.load(store, name)


def test_a_model_that_is_not_there_is_refused() -> None:
    with pytest.raises(SlipstreamError, match="slipstream models fetch"):
        TargetModel.load(ModelStore(), "starter")
