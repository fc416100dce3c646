"""Answers for training: those of the ordinary engine, whoever shares the step, and none lost or made twice."""

import json
import threading
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from engine.bench.prompts import Prompt
from engine.errors import SlipstreamError
from engine.graphs.convert import converted_weights
from engine.graphs.weights import Weights
from engine.models.store import ModelStore
from engine.request import Sampling
from engine.sampling import Rule
from engine.target import Target
from engine.train.answers import AnswerWriter, answer_files, read_answers
from engine.train.batch import BatchModel
from engine.train.blocks import BlockPool
from engine.train.features import FeatureModel, FeatureStore, FeatureWriter
from engine.train.generate import BatchGenerator, Limits, Tally, generate
from engine.train.jobs import Job, Split, is_held_out, plan, select
from tests.tiny_models import Shape, write_model

SETTINGS = {"model": "tiny", "max_tokens": 40}
PROMPTS = [Prompt(f"p{i}", "other", ("word " * (3 + 11 * i % 37) + str(i),)) for i in range(9)]
ENDS = frozenset(range(0, 259, 20))  # frequent enough that answers end early
LIMITS = Limits(answer=40, sequences=4, prompt=256, chunk=16)


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Weights:
    folder = tmp_path_factory.mktemp("target")
    write_model(folder / "model.gguf", Shape("qwen2", hidden=128, intermediate=256, sharpness=0.5))
    return converted_weights(folder)


def encode(job: Job) -> list[int]:
    return list(job.prompt.turns[0].encode())


def generator(weights: Weights, limits: Limits = LIMITS, blocks: int = 48) -> BatchGenerator:
    return BatchGenerator(BatchModel(weights, blocks, top=4), encode, ENDS, limits)


def plain_answer(target: Target, job: Job) -> list[int]:
    """One token at a time, as the engine decodes without a draft."""
    rule = Rule(Sampling(temperature=job.temperature, seed=job.seed))
    known = encode(job)
    prompt = len(known)
    for _ in target.prefill(known):
        pass
    while len(known) < prompt + LIMITS.answer and (len(known) == prompt or known[-1] not in ENDS):
        known.append(rule.token(target.forward(known[-1:])[0], len(known)))
    return known[prompt:]


def write(weights: Weights, folder: Path, jobs: list[Job], wanted: int | None = None) -> Tally:
    with AnswerWriter(folder, SETTINGS) as writer:
        return generate(
            generator(weights),
            jobs,
            writer,
            report=lambda tally: None,
            cancel=threading.Event(),
            wanted=wanted,
        )


def contents(folder: Path) -> dict[str, tuple[list[int], bytes, bytes]]:
    answers = list(read_answers(folder))
    assert len({answer.key for answer in answers}) == len(answers)
    return {a.key: (a.tokens.tolist(), a.top_ids.tobytes(), a.top_logp.tobytes()) for a in answers}


def test_answers_are_those_of_the_ordinary_engine_in_any_company(weights: Weights) -> None:
    jobs = list(plan(PROMPTS, 3))
    target = Target(weights)

    found = {answer.key: answer.tokens.tolist() for answer in generator(weights).run(jobs)}

    assert found == {job.key: plain_answer(target, job) for job in jobs}
    assert any(job.temperature for job in jobs)
    assert len({len(tokens) for tokens in found.values()}) > 1  # some ended early and were replaced


def test_features_come_with_the_answers_also_where_blocks_are_shared(
    weights: Weights, tmp_path: Path
) -> None:
    """GIVEN prompts that are answered several times, WHEN features are kept, THEN they are the texts'."""
    taps, jobs = (0, 1), list(plan(PROMPTS, 3))
    running = BatchGenerator(BatchModel(weights, 48, 4, taps), encode, ENDS, LIMITS)
    with (
        AnswerWriter(tmp_path, SETTINGS) as writer,
        FeatureWriter(tmp_path / "f", {"taps": taps}, 2) as features,
    ):
        generate(running, jobs, writer, report=lambda _: None, cancel=threading.Event(), features=features)

    kept, model = FeatureStore(tmp_path / "f"), FeatureModel(weights, taps)

    assert kept.keys() == {job.key for job in jobs}
    assert running.rows < sum(
        len(a.prompt) + len(a.tokens) - 1 for a in read_answers(tmp_path)
    )  # some were shared
    for answer in read_answers(tmp_path):
        expected = model.run([[*answer.prompt.tolist(), *answer.tokens[:-1].tolist()]])[0]
        error = np.linalg.norm(kept.read(answer.key) - expected, axis=1) / np.linalg.norm(expected, axis=1)
        assert error.max() < 0.03


def test_soft_labels_are_the_targets_likeliest_tokens(weights: Weights) -> None:
    job = next(iter(plan(PROMPTS, 1)))
    target = Target(weights)

    answer = next(iter(generator(weights).run([job])))

    logits = target.forward([*encode(job), *answer.tokens.tolist()])[len(encode(job)) - 1 : -1]
    logp = logits - np.log(np.exp(logits - logits.max(-1, keepdims=True)).sum(-1, keepdims=True))
    logp -= logits.max(-1, keepdims=True)
    expected = np.sort(logp, axis=-1)[:, ::-1][:, :4]
    np.testing.assert_allclose(answer.top_logp, expected, atol=0.02)
    np.testing.assert_allclose(np.take_along_axis(logp, answer.top_ids, -1), expected, atol=1e-5)


def test_blocks_are_all_free_after_an_early_end(weights: Weights) -> None:
    running = generator(weights)
    answers = running.run(plan(PROMPTS, 1))
    next(answers)

    answers.close()

    assert running._model.pool.free == 48


@pytest.mark.parametrize("cut", [0.0, 0.13, 0.5, 0.77, 0.999])
def test_a_run_that_was_killed_goes_on_as_if_it_had_not_been(
    weights: Weights, tmp_path: Path, cut: float
) -> None:
    """GIVEN a file torn off anywhere, as by kill -9 in a write, WHEN it runs again, THEN the answers are the same."""
    jobs = list(plan(PROMPTS, 2))
    write(weights, tmp_path / "whole", jobs)
    torn = tmp_path / "torn"
    write(weights, torn, jobs)
    file = answer_files(torn)[0]
    kept = int(file.stat().st_size * cut)
    with file.open("rb+") as data:
        data.truncate(kept)
    before = contents(torn)

    tally = write(weights, torn, jobs)

    assert tally.answers == len(jobs) - len(before)
    assert contents(torn) == contents(tmp_path / "whole")


def test_enough_tokens_end_a_run_and_count_what_was_there(weights: Weights, tmp_path: Path) -> None:
    jobs = list(plan(PROMPTS, 3))
    first = write(weights, tmp_path, jobs, wanted=50)

    second = write(weights, tmp_path, jobs, wanted=50)

    assert 50 <= first.tokens < 50 + LIMITS.answer
    assert second.answers == 0
    assert first.left + first.answers == len(jobs)


def test_a_second_writer_and_other_settings_are_refused(weights: Weights, tmp_path: Path) -> None:
    with (
        AnswerWriter(tmp_path, SETTINGS),
        pytest.raises(SlipstreamError, match="Another process is writing"),
        AnswerWriter(tmp_path, SETTINGS),
    ):
        pass
    with pytest.raises(SlipstreamError, match="max_tokens 40, not 41"):
        AnswerWriter(tmp_path, {**SETTINGS, "max_tokens": 41})


def test_no_prompt_is_both_trained_on_and_held_out() -> None:
    prompts = [Prompt(f"q{i}", "other", ("x",)) for i in range(2000)]

    parts = [select(prompts, split) for split in (Split.TRAIN, Split.HELD_OUT)]

    assert {p.id for p in parts[0]} | {p.id for p in parts[1]} == {p.id for p in prompts}
    assert not any(is_held_out(p.id) for p in parts[0])
    assert 20 < len(parts[1]) < 100
    assert select(prompts[::-1], Split.TRAIN) == parts[0]  # whatever the file's order


def test_a_prefix_of_the_plan_is_a_fair_mixture() -> None:
    prompts = [Prompt(f"q{i}", "other", ("x",)) for i in range(200)]
    jobs = list(plan(prompts, 3))

    start = Counter(job.temperature for job in jobs[:120])

    assert start == {0.0: 80, 0.7: 20, 1.0: 20}
    assert len({job.key for job in jobs}) == len(jobs) == 600
    assert Counter(job.temperature for job in jobs) == {0.0: 200, 0.7: 200, 1.0: 200}


def test_a_shared_beginning_is_kept_until_its_block_is_needed() -> None:
    pool = BlockPool(4, 2)
    first = [pool.take(), pool.take(), pool.take()]
    pool.learn([1, 2, 3, 4, 5], first)

    assert pool.share([1, 2, 3, 4]) == first[:1]  # the last token is always computed
    assert pool.share([1, 2, 3, 4, 9]) == first[:2]
    assert pool.share([1, 2, 9, 9, 9]) == first[:1]
    pool.release(first[:1] * 3 + first[1:2])
    pool.release(first)
    assert pool.free == 4
    assert pool.share([1, 2, 3, 4, 9]) == first[:2]
    pool.release(first[:2])
    taken = [pool.take() for _ in range(4)]
    assert sorted(taken) == [0, 1, 2, 3]
    assert pool.share([1, 2, 3]) == []
    with pytest.raises(IndexError):
        pool.take()


def test_the_command_generates_resumes_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = ModelStore()
    file = write_model(tmp_path / "tiny.gguf", Shape("qwen2", hidden=128, intermediate=256))
    name = store.import_file(file)
    prompts = tmp_path / "prompts.jsonl"
    prompts.write_text("".join(json.dumps({"id": f"p{i}", "turns": [f"Say {i}"]}) + "\n" for i in range(3)))
    command = ["train", "generate", "--pair", name, "--prompts", str(prompts), "--out", str(tmp_path / "out")]
    command += ["--max-tokens", "8", "--split", "all", "--sequences", "2", "--top", "2"]

    codes = main(command), main(command)

    shown = capsys.readouterr().out.splitlines()
    assert codes == (0, 0)
    assert shown[0].startswith("3 new answers with ")
    assert shown[1].startswith("0 new answers with 0 tokens")
    assert {answer.key for answer in read_answers(tmp_path / "out")} == {"p0#0", "p1#0", "p2#0"}


def test_features_wished_for_later_are_not_forgotten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """GIVEN answers without features WHEN generate goes on with --taps THEN it names what makes the rest."""
    name = ModelStore().import_file(
        write_model(tmp_path / "tiny.gguf", Shape("qwen2", hidden=128, intermediate=256, layers=4))
    )
    prompts, out = tmp_path / "prompts.jsonl", tmp_path / "out"
    prompts.write_text("".join(json.dumps({"id": f"p{i}", "turns": [f"Say {i}"]}) + "\n" for i in range(3)))
    command = ["train", "generate", "--pair", name, "--prompts", str(prompts), "--out", str(out)]
    command += ["--max-tokens", "8", "--split", "all"]
    assert main([*command, "--tokens", "1"]) == 0
    made = len(list(read_answers(out)))

    assert main([*command, "--taps", "0,1"]) == 0

    rest = ["train", "features", str(out), "--pair", name, "--taps", "0,1"]
    assert (
        f"{made} answers of earlier runs have no features yet: slipstream {' '.join(rest)}"
        in capsys.readouterr().out
    )
    assert main(rest) == 0
    assert FeatureStore(out / "features").keys() == {answer.key for answer in read_answers(out)}
    assert main([*command, "--taps", "9"]) == 2
    assert "--taps 9: a model of 4 layers has fewer" in capsys.readouterr().err
