"""A whole benchmark run with a scripted engine: prompts, order, files, and what happens when things go wrong."""

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pytest

from engine.bench.interruption import BenchInterruptedError
from engine.bench.options import BenchOptions
from engine.bench.padding import fitting, sentences
from engine.bench.prompts import Prompt, load_prompts, spread
from engine.bench.result import beside
from engine.bench.session import converse, measure, turns
from engine.errors import SlipstreamError
from engine.request import Message
from tests.bench_fakes import Named, ScriptedEngine, run_with

CONTRACT_KEYS = {"machine", "versions", "pair", "rows", "summary"}
CONTRACT_ROW = {
    "prompt_id",
    "category",
    "mode",
    "tokens",
    "seconds",
    "tokens_per_second",
    "tokens_per_pass",
    "acceptance_rate",
    "identical_to_plain",
    "first_divergence",
}
CONTRACT_SUMMARY = {"speedup_geomean", "speedup_by_category", "tokens_per_second_median", "identical"}


@pytest.fixture
def prompt_file(tmp_path: Path) -> Path:
    path = tmp_path / "prompts.jsonl"
    lines = [
        {"id": "one", "category": "chat", "turns": ["Hi", "More"]},
        {"id": 2, "category": "code", "turns": ["X"]},
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return path


def test_own_prompts_are_forty_of_eight_categories_and_several_languages() -> None:
    prompts = load_prompts()

    assert len(prompts) == 40
    assert {p.category for p in prompts} == {
        "chat",
        "code",
        "maths",
        "summary",
        "translation",
        "code_edit",
        "retrieval",
        "multi_turn",
    }
    assert all(len(p.turns) > 1 for p in prompts if p.category == "multi_turn")
    assert all(p.turns[0].count("\n") >= 20 for p in prompts if p.category == "code_edit")
    assert any("\u4e00" <= letter <= "\u9fff" for p in prompts for letter in p.turns[0])


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{oops", "Line 3 of p.jsonl is not valid JSON (Expecting property name enclosed in double quotes)"),
        ("[" * 100_000, "Line 3 of p.jsonl is nested too deeply"),
        ("[]", 'Line 3 of p.jsonl needs "id", "category" and "turns", a list of texts: add them.'),
        ('{"id": "b", "turns": []}', 'Line 3 of p.jsonl needs "id", "category" and "turns"'),
        ('{"id": "b", "turns": [" "]}', 'Line 3 of p.jsonl needs "id", "category" and "turns"'),
        ('{"id": "a", "turns": ["x"]}', "p.jsonl has two prompts with the id 'a': rename one."),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, sentence: str) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(f'{{"id": "a", "turns": ["x"]}}\n\n{line}\n', encoding="utf-8")

    with pytest.raises(SlipstreamError) as error:
        load_prompts(path)

    assert str(error.value).startswith(sentence)


def test_an_empty_prompt_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").touch()
    with pytest.raises(SlipstreamError, match=r"p\.jsonl has no prompts"):
        load_prompts(tmp_path / "p.jsonl")


def prompts_called(*names: str) -> list[Prompt]:
    return [Prompt(name, "chat", ("Hello",)) for name in names]


def test_contestants_go_forwards_then_backwards_and_the_next_round_the_other_way() -> None:
    contestants = [Named(name) for name in "abc"]

    order = [(p.id, c.name, r) for c, p, r in turns(contestants, prompts_called("p", "q"), 2)]

    assert [f"{r}{p}{c}" for p, c, r in order] == [
        *("0pa", "0pb", "0pc", "0qc", "0qb", "0qa"),
        *("1pc", "1pb", "1pa", "1qa", "1qb", "1qc"),
    ]


def test_a_conversation_feeds_the_contestants_own_answers_back() -> None:
    contestant = Named("a")

    converse(contestant, Prompt("p", "multi_turn", ("one", "two", "three")), 0, 8)

    assert contestant.heard == [("one",), ("one", "a1", "two"), ("one", "a1", "two", "a2", "three")]


def test_a_contestant_that_fails_is_left_out_and_the_others_go_on() -> None:
    contestants = [Named("a"), Named("b", fails=True)]
    noted: list[str] = []

    outcomes = measure(
        contestants, prompts_called("p", "q"), 1, 8, tell=lambda _line: None, note=noted.append
    )

    assert [outcome.mode for outcome in outcomes] == ["a", "a"]
    assert noted == ["b was left out from p on: It broke."]


def test_when_everybody_fails_the_run_fails() -> None:
    with pytest.raises(SlipstreamError, match="It broke"):
        list(measure([Named("a", fails=True)], prompts_called("p"), 1, 8, tell=print, note=print))


def test_a_run_writes_the_contract_and_more(tmp_path: Path, prompt_file: Path) -> None:
    path, engine = tmp_path / "result.json", ScriptedEngine(wrong="ngram")
    modes = ("plain", "ngram", "auto")

    text = run_with(engine, BenchOptions("tiny", prompt_file, modes=modes, repeat=2, json=path), tmp_path)

    result = json.loads(path.read_text(encoding="utf-8"))
    assert result.keys() >= CONTRACT_KEYS
    assert all(each.keys() >= CONTRACT_ROW for each in result["rows"])
    assert all(each.keys() >= CONTRACT_SUMMARY for each in result["summary"].values())
    assert len(result["rows"]) == 2 * 2 * 3
    assert result["complete"] is True
    assert result["pair"]["sha256"] == {"tiny-model": "abc"}
    assert result["summary"]["auto"]["speedup_geomean"] == pytest.approx(4.0)
    assert [result["summary"][mode]["identical"] for mode in modes] == [1.0, 0.0, 1.0]
    assert "| auto  |     40.0 |" in text
    assert beside(path, ".md").read_text(encoding="utf-8") == text + "\n"
    assert not list(tmp_path.glob("*.partial"))


def test_every_answer_starts_cold_and_holds_no_plain_stretches(tmp_path: Path, prompt_file: Path) -> None:
    engine = ScriptedEngine()
    run_with(engine, BenchOptions("tiny", prompt_file, modes=("plain", "auto"), max_tokens=7), tmp_path)

    assert not any(request.baseline for request in engine.requests)
    assert engine.forgotten == len(engine.requests)
    measured = engine.requests[2:]  # after one warm-up each
    assert {request.max_tokens for request in measured} == {7}
    modes = [request.speculation.value for request in measured]
    assert modes == ["off", "off", "auto", "auto", "auto", "off"]  # two turns, then one


def test_missing_modes_are_noted_by_default_and_refused_when_asked_for(
    tmp_path: Path, prompt_file: Path
) -> None:
    text = run_with(ScriptedEngine(), BenchOptions("tiny", prompt_file), tmp_path)
    assert "The mode 'draft' was left out: this pair has no draft." in text

    with pytest.raises(SlipstreamError) as error:
        run_with(ScriptedEngine(), BenchOptions("tiny", prompt_file, modes=("plain", "draft")), tmp_path)
    assert str(error.value) == (
        "The mode 'draft' can't be measured: this pair has no draft; leave it out of --modes."
    )


def test_ctrl_c_keeps_the_rows(tmp_path: Path, prompt_file: Path) -> None:
    """GIVEN two warm-ups and three answers WHEN Ctrl-C comes in the fourth THEN two outcomes are written."""
    path, engine = tmp_path / "result.json", ScriptedEngine(interrupt_at=6)

    with pytest.raises(BenchInterruptedError) as stopped:
        run_with(engine, BenchOptions("tiny", prompt_file, modes=("plain", "auto"), json=path), tmp_path)

    result = json.loads(path.read_text(encoding="utf-8"))
    assert [each["mode"] for each in result["rows"]] == ["plain", "auto"]
    assert result["complete"] is False
    assert "The run was stopped before its end" in stopped.value.summary


def test_ctrl_c_before_the_first_answer_writes_nothing(tmp_path: Path, prompt_file: Path) -> None:
    path = tmp_path / "result.json"
    with pytest.raises(BenchInterruptedError) as stopped:
        run_with(ScriptedEngine(interrupt_at=0), BenchOptions("tiny", prompt_file, json=path), tmp_path)
    assert stopped.value.summary == ""
    assert not path.exists()


def test_a_mode_that_fails_is_noted_in_the_result(tmp_path: Path, prompt_file: Path) -> None:
    path = tmp_path / "result.json"
    options = BenchOptions("tiny", prompt_file, modes=("plain", "auto"), json=path)

    run_with(ScriptedEngine(failing="auto"), options, tmp_path)

    result = json.loads(path.read_text(encoding="utf-8"))
    assert result["notes"] == ["auto was left out from 2 on: The model could not go on."]
    assert [each["mode"] for each in result["rows"]] == ["plain", "auto", "plain"]


def test_models_that_are_not_installed_are_named(tmp_path: Path, prompt_file: Path) -> None:
    with pytest.raises(SlipstreamError) as error:
        run_with(ScriptedEngine(), BenchOptions("tiny", prompt_file), tmp_path, installed=False)
    assert str(error.value) == "Not installed: tiny-model. Run slipstream models fetch tiny first."


def test_every_prompt_has_a_seed_of_its_own_that_all_modes_share(tmp_path: Path, prompt_file: Path) -> None:
    engine = ScriptedEngine()
    options = BenchOptions("tiny", prompt_file, modes=("plain", "auto"), temperature=1.0)

    run_with(engine, options, tmp_path)

    measured = engine.requests[2:]
    assert {request.sampling.temperature for request in measured} == {1.0}
    seeds = [request.sampling.seed for request in measured]  # two modes with two turns, then two with one
    assert seeds == [load_prompts(prompt_file)[0].seed] * 4 + [load_prompts(prompt_file)[1].seed] * 2


def test_where_an_answer_left_the_plain_one_the_margin_is_told(tmp_path: Path, prompt_file: Path) -> None:
    """GIVEN a mode whose tenth token is wrong THEN the logits after prompt and nine tokens are looked at."""
    path = tmp_path / "result.json"
    options = BenchOptions("tiny", prompt_file, modes=("plain", "ngram"), json=path)

    text = run_with(ScriptedEngine(wrong="ngram"), options, tmp_path)

    result = json.loads(path.read_text(encoding="utf-8"))
    margins = [each["divergence_margin"] for each in result["rows"]]
    assert margins == [
        None,
        pytest.approx(0.01 * (len("Hi") + 9)),
        pytest.approx(0.01 * (len("X") + 9)),
        None,
    ]
    assert result["summary"]["ngram"]["divergence_margin_median"] == pytest.approx(0.105)
    assert (
        "2 of Slipstream's own answers differ from plain decoding, which is a defect: please report it."
        in text
    )
    assert "ngram on one, from token 9 on, margin 0.110." in text


def test_long_contexts_are_padded_and_read_once(tmp_path: Path, prompt_file: Path) -> None:
    path, engine = tmp_path / "result.json", ScriptedEngine(warm=True)
    options = BenchOptions(
        "tiny", prompt_file, modes=("plain", "auto"), max_tokens=10, json=path, context=(450, 9000, 300)
    )

    text = run_with(engine, options, tmp_path)

    result = json.loads(path.read_text(encoding="utf-8"))
    assert engine.forgotten == 0
    assert list(result["by_context"]) == ["300", "450"]
    assert result["by_context"]["450"]["auto"]["speedup_geomean"] == pytest.approx(4.0)
    assert result["by_context"]["450"]["auto"]["kv_bytes"] == 3 * 2**20
    assert {each["prompt_id"] for each in result["rows"]} == {"one@300", "2@300", "one@450", "2@450"}
    assert all(0.6 * each["context"] < each["prompt_tokens"] <= each["context"] for each in result["rows"])
    assert all(each["ttft_s"] is None for each in result["rows"])
    assert "9,000 tokens of context were left out: the model reads at most 512, the answer included." in text
    assert "|     3 MiB | 10.0/s (1.00x) | 40.0/s (4.00x) |" in text


def test_a_context_that_fails_is_noted_and_the_others_stay(tmp_path: Path, prompt_file: Path) -> None:
    engine = ScriptedEngine(warm=True, failing="auto")  # from the seventh answer on
    options = BenchOptions("tiny", prompt_file, modes=("auto",), max_tokens=10, repeat=2, context=(300, 450))

    text = run_with(engine, options, tmp_path)

    assert "450 tokens of context could not be measured: The model could not go on." in text
    assert "| 300     |" in text


def test_contexts_that_are_all_too_long_are_told_and_nothing_else(tmp_path: Path, prompt_file: Path) -> None:
    options = BenchOptions("tiny", prompt_file, modes=("plain",), max_tokens=10, context=(9000,))

    text = run_with(ScriptedEngine(warm=True), options, tmp_path)

    assert "9,000 tokens of context were left out" in text


def test_peers_and_long_contexts_exclude_each_other() -> None:
    with pytest.raises(SlipstreamError, match="Peers are not measured at long contexts"):
        BenchOptions(peers=("llama-cpp",), context=(128,))


def test_the_padding_never_repeats_itself() -> None:
    found = list(islice(sentences(), 2000))
    assert len(set(found)) == 2000
    assert found[:10] == list(islice(sentences(), 10))
    assert found[:10] != list(islice(sentences(seed=1), 10))


def test_long_contexts_take_prompts_that_fit_or_else_the_shortest() -> None:
    prompts = [Prompt(name, "chat", (name * 10,)) for name in ("aaa", "b", "cc")]

    def count(messages: Sequence[Message]) -> int:
        return sum(len(message.content) for message in messages)

    assert [prompt.id for prompt in fitting(prompts, 3, 20, count)] == ["b", "cc"]
    assert [prompt.id for prompt in fitting(prompts, 1, 5, count)] == ["b"]


def test_the_sweep_sees_every_category_first() -> None:
    prompts = [
        Prompt(str(i), category, ("x",)) for i, category in enumerate(("chat", "chat", "code", "code"))
    ]
    assert [prompt.id for prompt in spread(prompts, 3)] == ["0", "2", "1"]
