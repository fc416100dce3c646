"""Training a drafter on a tiny target: from features to a folder that the engine drafts with. Needs PyTorch."""

import dataclasses
import json
import threading
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from app.cli import main  # noqa: E402
from engine import calibration  # noqa: E402
from engine.calibration import CalibrationFile, ModelCalibration  # noqa: E402
from engine.cost import PassTimes  # noqa: E402
from engine.drafters.dflash import BlockDrafter  # noqa: E402
from engine.drafters.followers import follower_of  # noqa: E402
from engine.errors import SlipstreamError  # noqa: E402
from engine.graphs.compress import WeightFormat  # noqa: E402
from engine.graphs.dflash_convert import draft_ids, drafter_weights  # noqa: E402
from engine.models.store import ModelStore  # noqa: E402
from engine.request import Sampling  # noqa: E402
from engine.sampling import Rule  # noqa: E402
from engine.target import Target  # noqa: E402
from engine.train import loss  # noqa: E402
from engine.train.answers import read_answers  # noqa: E402
from engine.train.costs import measured_costs  # noqa: E402
from engine.train.drafting import TextDrafter  # noqa: E402
from engine.train.evaluate_run import load_network  # noqa: E402
from engine.train.fit import Pulse, schedule  # noqa: E402
from engine.train.fit_run import Corpus, FitRun  # noqa: E402
from engine.train.network import attend  # noqa: E402
from engine.train.recipe import Recipe  # noqa: E402
from engine.train.target_model import TargetModel  # noqa: E402
from tests.tiny_models import Shape, write_model  # noqa: E402

RECIPE = Recipe(
    layers=2,
    intermediate=96,
    draft_vocab=128,
    block=4,
    markov_rank=16,
    epochs=8.0,
    batch=2,
    anchors=12,
    rate=3e-3,
)


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    """On a busy machine threads of tiny operations mostly wait for each other."""
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a tiny target, its answers to a few prompts, and their features."""
    folder = tmp_path_factory.mktemp("train")
    monkey = pytest.MonkeyPatch()
    monkey.setenv("SLIPSTREAM_HOME", str(folder / "home"))
    shape = Shape("qwen2", hidden=128, intermediate=192, layers=4, head_dim=32)
    name = ModelStore().import_file(write_model(folder / "tiny.gguf", shape))
    lines = [json.dumps({"id": f"p{i}", "turns": [f"Tell me of {i}"], "licence": "MIT"}) for i in range(8)]
    (folder / "prompts.jsonl").write_text("\n".join(lines))
    answers = str(folder / "answers")
    generate = [
        "generate",
        "--prompts",
        str(folder / "prompts.jsonl"),
        "--out",
        answers,
        "--max-tokens",
        "24",
    ]
    for step in (generate, ["features", answers, "--taps", "1,2"]):
        assert main(["train", *step, "--pair", name]) == 0
    monkey.undo()
    return folder


@pytest.fixture
def target(data: Path, monkeypatch: pytest.MonkeyPatch) -> TargetModel:
    monkeypatch.setenv("SLIPSTREAM_HOME", str(data / "home"))
    store = ModelStore()
    return TargetModel.load(store, store.installed()[0].name)


def new_run(data: Path, target: TargetModel, out: Path, recipe: Recipe = RECIPE) -> FitRun:
    corpus = Corpus.open(data / "answers", target)
    return FitRun(target, corpus, corpus, recipe, out, data / "prompts.jsonl", "cpu")


def train(run: FitRun, stop_after: int | None = None) -> list[Pulse]:
    pulses: list[Pulse] = []
    cancel = threading.Event()

    def report(pulse: Pulse) -> None:
        pulses.append(pulse)
        if stop_after and len(pulses) == stop_after:
            cancel.set()

    assert run.run(report, cancel) == (stop_after is None)
    return pulses


@pytest.mark.parametrize("kind", ["dflash", "eagle"])
def test_the_loss_falls_and_the_drafter_learns(
    kind: str, data: Path, target: TargetModel, tmp_path: Path
) -> None:
    recipe = dataclasses.replace(RECIPE, epochs=12.0, kind=kind)
    pulses = train(new_run(data, target, tmp_path / "drafter", recipe))

    assert pulses[-1].loss < 0.7 * pulses[0].loss
    assert pulses[-1].first_right > pulses[0].first_right + 0.2
    assert pulses[-1].step == pulses[-1].steps


def test_a_stopped_training_ends_with_the_same_weights(
    data: Path, target: TargetModel, tmp_path: Path
) -> None:
    recipe = dataclasses.replace(RECIPE, epochs=2.0)
    whole = new_run(data, target, tmp_path / "whole", recipe)
    train(whole)
    train(new_run(data, target, tmp_path / "parts", recipe), stop_after=3)
    resumed = new_run(data, target, tmp_path / "parts", recipe)

    assert resumed.trainer.step == 3
    train(resumed)

    for name, value in whole.trainer.averaged().items():
        np.testing.assert_array_equal(resumed.trainer.averaged()[name], value)


def test_another_recipe_in_the_same_folder_is_refused(
    data: Path, target: TargetModel, tmp_path: Path
) -> None:
    train(new_run(data, target, tmp_path), stop_after=1)

    with pytest.raises(SlipstreamError, match="another rate"):
        new_run(data, target, tmp_path, dataclasses.replace(RECIPE, rate=1e-3))


@pytest.mark.parametrize("kind", ["dflash", "eagle"])
def test_the_engine_drafts_what_the_network_drafts(
    kind: str, data: Path, target: TargetModel, tmp_path: Path
) -> None:
    """The trained folder, loaded by the engine, against the network in torch, token by token."""
    folder = tmp_path / "drafter"
    run = new_run(data, target, folder, dataclasses.replace(RECIPE, kind=kind))
    train(run)
    weights = drafter_weights(folder, target.weights, WeightFormat.F32)
    model = Target(target.weights, taps=weights.shape.taps)
    block = follower_of(weights)
    block.follow(model)
    drafter = BlockDrafter(block, draft_ids(weights))
    drafter.rule = Rule(Sampling())
    answer = next(read_answers(data / "answers"))
    text, begin = [*answer.prompt.tolist(), *answer.tokens.tolist()], len(answer.prompt)
    network, ids = load_network(folder, target)
    expected = TextDrafter(network, ids, run.corpus.store).everywhere(answer, 4).tokens

    found = []
    for known in range(begin, len(text)):
        model.forward(text[len(model.tokens) : known - 1])
        drafter.reset(text[:known])
        found.append(drafter.propose(4))

    assert np.mean(np.array(found) == expected) > 0.95  # 8-bit features now and then tip a near tie
    assert len({tuple(draft) for draft in found}) > 3


def test_the_command_trains_measures_and_writes_a_card(
    data: Path, target: TargetModel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, answers = str(tmp_path / "drafter"), str(data / "answers")
    fit = ["fit", answers, "--out", folder, "--held-out", answers, "--prompts", str(data / "prompts.jsonl")]
    fit += [
        "--intermediate",
        "96",
        "--draft-vocab",
        "128",
        "--block",
        "4",
        "--markov-rank",
        "16",
        "--epochs",
        "1",
    ]

    codes = [
        main(["train", *step, "--pair", target.name])
        for step in (fit, ["evaluate", folder, answers, "--json"])
    ]

    shown = capsys.readouterr().out
    assert codes == [0, 0]
    scores = json.loads(shown[shown.index("{") :])["scores"]
    assert {(row["drafter"], row["k"]) for row in scores} >= {("drafter", 4), ("ngram", 4), ("cascade", 4)}
    assert all(1.0 <= row["tokens_per_pass"] <= row["k"] + 1 for row in scores)
    card = (tmp_path / "drafter" / "README.md").read_text()
    assert "| prompts.jsonl | MIT | 8 |" in card
    assert target.sha256 in card
    assert "slipstream ask" in card  # nothing was measured of this target's passes yet


def test_where_passes_were_measured_the_card_says_what_bounds_the_drafter(
    data: Path, target: TargetModel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "drafter"
    train(new_run(data, target, folder))
    written = sorted(path.name for path in folder.iterdir())
    store = ModelStore()
    weights = calibration.identity(store.path(target.name))
    assert weights is not None
    times = PassTimes((1, 2, 17), (0.008, 0.009, 0.024), (0.0, 0.0, 0.0))
    file = CalibrationFile(store.home / calibration.FILE)
    file.keep(calibration.fingerprint_of(weights, False), ModelCalibration(times, True))

    prompts = ["--prompts", str(data / "prompts.jsonl"), "--draft-cost", "0.125", "--max-tokens", "9"]
    steps = (["evaluate", str(folder), str(data / "answers"), *prompts], ["curve", str(folder)])
    codes = [
        main(["train", *step, *(["--pair", target.name] if "curve" not in step else [])]) for step in steps
    ]

    assert codes == [0, 0]
    answers = list(read_answers(data / "answers"))
    middle = round(sum(len(a.prompt) + min(len(a.tokens), 9) / 2 for a in answers) / len(answers))
    shown, card = capsys.readouterr().out, (folder / "README.md").read_text()
    for text in (shown, card):
        assert "a plain pass takes 8.0 ms" in text
        assert "A draft takes 0.125 of that and 0.000 more" in text
        assert "| auto | paced |" in text
        assert f"after {middle} tokens" in text
        assert "| other | 8 |" in text  # the prompts' file names no categories
    measured = measured_costs(store, target, folder, context=20)
    assert measured is not None
    assert 0.0 < measured.draft(4) < 100.0 * measured.plain
    assert "(answers, 9 tokens)" in shown
    assert "3 different amounts of data" in shown
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [*written, "README.md", "evaluation.json"]
    )


def test_the_rate_rises_and_falls() -> None:
    rates = [schedule(step, 100, 0.1) for step in range(101)]

    assert rates[:10] == sorted(rates[:10])
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert max(rates) == 1.0
    assert rates[-1] == pytest.approx(0.0)


@pytest.mark.parametrize("chunk", [4, 512])
def test_the_loss_and_its_slopes_are_those_of_plain_cross_entropy(
    chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loss, "CHUNK", chunk)
    torch.manual_seed(5)
    seen = torch.randn(10, 7, dtype=torch.double)
    head, bias = torch.randn(20, 4, dtype=torch.double), torch.randn(20, 3, dtype=torch.double)
    ids, shares = torch.randint(0, 20, (10, 3)), torch.rand(10, 3, dtype=torch.double)
    seen.requires_grad_()
    bias.requires_grad_()

    found, best = loss.CrossEntropy.apply(seen, ids, shares, head, bias)
    slopes = torch.autograd.grad(2.0 * found, (seen, bias))
    logits = seen @ torch.cat([head, bias], dim=1).T
    expected = -(shares * logits.log_softmax(-1).gather(-1, ids)).sum()

    assert found.item() == pytest.approx(expected.item(), rel=1e-5)
    assert torch.equal(best, logits.argmax(-1))
    for slope, wanted in zip(slopes, torch.autograd.grad(2.0 * expected, (seen, bias)), strict=True):
        torch.testing.assert_close(slope, wanted, rtol=1e-4, atol=1e-5, check_dtype=False)


def test_attention_in_two_parts_is_attention_under_one_mask() -> None:
    torch.manual_seed(6)
    query = torch.randn(2, 3, 4, 6, 8)
    near, far = ([torch.randn(2, *size, 2, 8) for _ in "kv"] for size in ((3, 4), (9,)))
    anchors = torch.tensor([[1, 4, 9], [0, 2, 8]])
    before = torch.arange(9) < anchors[..., None]

    found = attend(query, tuple(near), tuple(far), before)

    for n, a, row in np.ndindex(2, 3, 4):
        length = int(anchors[n, a])
        key, value = (
            torch.cat([outer[n, :length], inner[n, a, : row + 1]]).repeat_interleave(3, dim=1).transpose(0, 1)
            for outer, inner in zip(far, near, strict=True)
        )
        alone = torch.nn.functional.scaled_dot_product_attention(query[n, a, row][:, None], key, value)
        torch.testing.assert_close(found[n, a, row], alone[:, 0], rtol=1e-4, atol=1e-5)
