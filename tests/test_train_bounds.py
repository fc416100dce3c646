"""What a drafter costs and gains by the cost model, against exact values and brute force; the paced cascade."""

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from engine.calibration import CalibrationFile, ModelCalibration, fingerprint_of, identity
from engine.cost import PassTimes
from engine.drafters.store import StoreDrafter
from engine.drafters.store_file import joined
from engine.errors import SlipstreamError
from engine.models.store import ModelStore
from engine.request import Speculation
from engine.train.bounds import (
    Costs,
    best_length,
    expected_tokens,
    least_need,
    mean_pass,
    need,
    speedup,
    speedups,
    uniform_acceptance,
)
from engine.train.categories import categories_of
from engine.train.costs import known_calibration
from engine.train.evaluate import evaluate
from engine.train.figures import as_json, lines
from engine.train.paced import Drafts, EngineSimulation, RecordedDrafter
from engine.train.simulate import (
    CascadeProposer,
    NgramProposer,
    OracleProposer,
    RecordedProposer,
    Score,
    StoreProposer,
    simulate,
)
from tests.test_train_data import answer_of
from tests.tiny_models import Shape, write_model

TIMES = PassTimes((1, 2, 3, 5, 9, 17), (8.0, 9.0, 10.0, 12.0, 16.0, 24.0), (0.0,) * 6)
COSTS = Costs(TIMES, forward=0.8, step=0.2)  # a pass of r rows takes 7 + r


def brute_force_tokens(acceptance: list[float]) -> float:
    """Mean committed tokens over all ways in which positions may be right or wrong."""
    total = 0.0
    for outcome in product((True, False), repeat=len(acceptance)):
        chance = np.prod([a if right else 1 - a for a, right in zip(acceptance, outcome, strict=True)])
        accepted = next((j for j, right in enumerate(outcome) if not right), len(outcome))
        total += float(chance) * (accepted + 1)
    return total


def test_expected_tokens_are_those_of_all_outcomes() -> None:
    acceptance = [0.6, 0.3, 0.9, 0.5]

    found = expected_tokens(acceptance)

    expected = [brute_force_tokens(acceptance[:k]) for k in range(1, 5)]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_costs_are_exact_between_the_knots_and_beyond() -> None:
    assert [COSTS.verify(rows) for rows in (1, 4, 7, 16, 21)] == pytest.approx([8, 11, 14, 23, 28])
    assert COSTS.draft(0) == 0.0
    assert COSTS.block(4) == pytest.approx((12.0 + 0.8 + 4 * 0.2) / 8.0)
    longer = Costs(PassTimes((1, 9), (8.0, 16.0), (0.01, 0.02)), 0.0, 0.0, context=100)
    assert longer.verify(1) == pytest.approx(9.0)
    assert longer.verify(9, context=0) == pytest.approx(16.0)


def test_speedups_and_the_best_length() -> None:
    acceptance = [0.8, 0.8, 0.8, 0.8, 0.8]

    found = speedups(acceptance, COSTS)

    exact = [sum(0.8**j for j in range(k + 1)) * 8 / (8 + k + 0.8 + 0.2 * k) for k in range(1, 6)]
    np.testing.assert_allclose(found, exact)
    assert best_length(acceptance, COSTS) == int(np.argmax(exact)) + 1
    assert best_length([0.9, 0.0, 0.9], COSTS) == 1


def test_a_goal_is_met_exactly_by_what_it_needs() -> None:
    for goal, k in product((1.2, 1.5, 2.0), (3, 6, 9)):
        found = need(goal, k, COSTS)
        assert found.acceptance is not None
        assert speedups([found.acceptance] * k, COSTS)[-1] == pytest.approx(goal)
        assert expected_tokens([found.acceptance] * k)[-1] == pytest.approx(found.tokens)


def test_the_least_need_is_the_least_of_a_grid() -> None:
    grid = np.linspace(0.0, 1.0, 401)
    reached = [a for a in grid if max(speedups([a] * 15, COSTS)) >= 2.0]

    found = least_need(2.0, COSTS)

    assert found is not None
    assert found.acceptance == pytest.approx(min(reached), abs=1 / 400)
    assert found.acceptance is not None
    assert best_length([found.acceptance] * 15, COSTS) == found.k


def test_what_passes_cost_too_much_for_is_not_reachable() -> None:
    dear = Costs(PassTimes((1, 2), (8.0, 14.0), (0.0, 0.0)), forward=1.0, step=0.0)  # 6 for each row

    assert least_need(2.0, dear) is None
    assert need(2.0, 4, dear).acceptance is None
    assert dear.ceiling < 2.0
    assert uniform_acceptance(5.0, 4) == pytest.approx(1.0)
    assert uniform_acceptance(5.01, 4) is None


TEXT = [1, 2, 3, 9, 9, 1, 2, 3, 9, 9, 5]
NOTHING = RecordedProposer(np.zeros((8, 4), dtype=np.int64), 3)


def test_a_simulated_run_pays_for_its_rows_and_drafts() -> None:
    drafts = RecordedProposer(np.array([[9, 9, 1]] * 8), 3)
    score = simulate(TEXT, 3, drafts, 3)  # 9 9 1 and 2; then nothing right but the 9 at "3 |9"

    passes = [8 + 3 + 0.8 + 0.6] * int(score.lengths[3])
    shorter = [8 + k + 0.8 + 0.2 * k for k in (1, 2) for _ in range(int(score.lengths[k]))]
    assert score.lengths.sum() == score.passes == score.forwards
    assert mean_pass(score, COSTS) * score.passes * 8 == pytest.approx(sum(passes) + sum(shorter))
    assert speedup(score, COSTS) == pytest.approx(score.tokens * 8 / (sum(passes) + sum(shorter)))


def test_plain_decoding_is_one_times_plain_decoding() -> None:
    assert speedup(simulate(TEXT, 3, CascadeProposer(), 4), COSTS) == 1.0


def test_only_drafts_of_the_network_are_paid_for() -> None:
    cascade = simulate(TEXT, 3, CascadeProposer(NgramProposer(TEXT, 2), NOTHING), 4)
    ngram = simulate(TEXT, 3, NgramProposer(TEXT, 2), 4)

    assert ngram.forwards == 0
    assert cascade.forwards == cascade.passes - (ngram.passes - int(ngram.lengths[0]))
    assert cascade.forwards > 0


def test_the_oracle_takes_the_better_draft_at_every_pass() -> None:
    rng = np.random.default_rng(2)
    text = rng.integers(0, 3, 60).tolist()
    recorded = RecordedProposer(rng.integers(0, 3, (56, 4)), 4)
    oracle = OracleProposer(text, NgramProposer(text, 1), recorded)

    for known in range(4, 60):
        draft = oracle.propose(known, 4)
        single = [NgramProposer(text, 1).propose(known, 4), recorded.propose(known, 4)]
        assert len(_right(draft, text, known)) == max(len(_right(each, text, known)) for each in single)


def _right(draft: list[int], text: list[int], known: int) -> list[int]:
    wrong = [j for j, token in enumerate(draft) if [token] != text[known + j : known + j + 1]]
    return draft[: wrong[0]] if wrong else draft


def recorded(text: list[int], begin: int, claim: float, *, right: bool) -> Drafts:
    padded = [*text, *[0] * 8]
    tokens = np.array([padded[i : i + 6] for i in range(begin, len(text))]) + (not right)
    return Drafts(tokens, np.full(tokens.shape, claim, dtype=np.float32))


NOVEL = list(range(100, 300))


def test_the_engines_pace_drafts_long_when_the_drafter_is_right() -> None:
    engine = EngineSimulation(COSTS, 6)

    found = engine.run(NOVEL, 20, recorded(NOVEL, 20, 0.99, right=True))

    assert found.tokens == 180
    assert found.tokens_per_pass > 5.0
    assert found.plain_seconds == pytest.approx(180 * 8.0)
    assert 1.9 < found.speedup <= 7 * 8 / COSTS.block(6) / 8
    assert found.speedup == pytest.approx(found.plain_seconds / found.seconds)


def test_a_head_that_drafts_token_by_token_pays_for_what_it_was_asked_for() -> None:
    whole = recorded(NOVEL, 20, 0.99, right=True)
    computed = []
    for drafts in (whole, replace(whole, whole=False)):
        drafter = RecordedDrafter(drafts, 20)
        taken = drafter.propose(6, lambda claims, computed=False, ahead=None: len(claims) < 2)
        computed.append((taken, drafter.computed))

    assert computed == [(NOVEL[20:22], 6), (NOVEL[20:22], 2)]


def test_the_engines_pace_gives_up_a_drafter_that_is_wrong() -> None:
    engine = EngineSimulation(COSTS, 6)

    wrong = recorded(NOVEL, 20, 0.9, right=False)
    found = [engine.run(NOVEL, 20, wrong) for _ in range(2)]

    assert found[0].tokens_per_pass == 1.0
    assert found[1].speedup > 0.95
    assert speedup(simulate(NOVEL, 20, RecordedProposer(wrong.tokens, 20), 6), COSTS) < 0.6


def test_the_mode_says_who_drafts() -> None:
    right, repeated = recorded(NOVEL, 20, 0.99, right=True), [1, 2, 3, 4] * 20
    wrong = recorded(repeated, 20, 0.9, right=False)
    drafter, ngram = (EngineSimulation(COSTS, 6, mode) for mode in (Speculation.DFLASH, Speculation.NGRAM))

    assert ngram.run(NOVEL, 20, right).tokens_per_pass == 1.0
    assert drafter.run(NOVEL, 20, right).tokens_per_pass > 5.0
    assert drafter.run(repeated, 20, wrong).tokens_per_pass == 1.0
    assert ngram.run(repeated, 20, wrong).tokens_per_pass > 5.0


def test_another_number_of_rows_has_its_price() -> None:
    drafts = recorded(NOVEL, 20, 0.99, right=True)
    dear = PassTimes(TIMES.rows, TIMES.seconds, TIMES.per_token, change=2.0)

    cheap = EngineSimulation(COSTS, 6).run(NOVEL, 20, drafts)
    charged = EngineSimulation(Costs(dear, 0.8, 0.2), 6).run(NOVEL, 20, drafts)

    assert charged.seconds > cheap.seconds


def store_of(*answers: list[int]) -> StoreDrafter:
    parts = [np.array(answer, dtype=np.int32) for answer in answers]
    store = StoreDrafter(joined(parts, 500), 500)
    store.wait()
    return store


def test_a_store_serves_where_it_is_sure_enough() -> None:
    store = store_of([50, 51, 52, 53, 54, 60, 61, 70])
    text = [1, 60, 61, 80, 81, 60, 61, 80, 51, 52, 53, 54]
    every, sure = StoreProposer(text, store), StoreProposer(text, store, least=0.9)

    drafts = [list(every.propose(known, 2)) for known in range(1, len(text))]

    assert drafts == [[], [], [70], [], [], [], [70], [], [], [53, 54], [54, 60]]
    assert [list(sure.propose(known, 2)) for known in range(1, len(text))] == [[]] * 11


def test_a_store_of_the_answer_itself_makes_the_pace_draft_long() -> None:
    engine = EngineSimulation(COSTS, 6, Speculation.NGRAM, store_of(NOVEL))
    drafts = recorded(NOVEL, 20, 0.9, right=False)

    assert [engine.run(NOVEL, 20, drafts).tokens_per_pass > 5.0 for _ in range(2)] == [True, True]


class KnownDrafts:
    """Drafts of an answer that are right, as a TextDrafter gives them."""

    def everywhere(self, answer, block: int) -> Drafts:
        text = [*answer.prompt.tolist(), *answer.tokens.tolist()]
        tokens = np.array(
            [[*text, *[0] * block][i : i + block] for i in range(len(answer.prompt), len(text))]
        )
        return Drafts(tokens, np.full(tokens.shape, 0.9, dtype=np.float32))


ANSWERS = [
    answer_of("maths/1#0", range(5, 12), range(20, 60)),
    answer_of("maths/2#0", range(5, 12), [1, 2, 3, 4] * 10),
    answer_of("chat/1#0", range(5, 12), range(80, 120)),
]


def test_figures_by_category_add_up(tmp_path: Path) -> None:
    evaluation = evaluate(ANSWERS, KnownDrafts(), costs=COSTS)

    assert {name: group.answers for name, group in evaluation.groups.items()} == {"chat": 1, "maths": 2}
    for key, whole in evaluation.scores.items():
        assert whole.tokens == sum(group.scores[key].tokens for group in evaluation.groups.values()) == 120
    whole, k = evaluation.whole, 8
    ratios = [
        speedup(evaluate([answer], KnownDrafts(), costs=COSTS).scores["ngram", k], COSTS)
        for answer in ANSWERS
    ]
    assert whole.speedup("ngram", k) == pytest.approx(np.prod(ratios) ** (1 / 3))
    told = "\n".join(lines(evaluation))
    chat = evaluation.groups["chat"]
    assert f"| chat | 1 | {chat.scores['drafter', 8].tokens_per_pass:.2f} | 1.00 |" in told
    assert "2x needs" in told
    about = json.loads(json.dumps(as_json(evaluation)))
    assert about["categories"]["maths"]["answers"] == 2
    assert about["categories"]["chat"]["paced"]["auto"]["speedup"] > 1.5
    assert about["goals"]["drafter"]["2x"] == pytest.approx(least_need(2.0, COSTS).tokens, abs=1e-3)


def test_a_store_adds_its_own_contestants() -> None:
    evaluation = evaluate(ANSWERS, KnownDrafts(), costs=COSTS, store=store_of(list(range(80, 120))))

    chat = evaluation.groups["chat"]
    assert chat.scores["ngram", 8].tokens_per_pass == 1.0
    assert chat.scores["ngram + store", 8].tokens_per_pass > 5.0
    assert chat.paced["ngram + store"].tokens_per_pass > 3.0
    assert "| ngram + store | paced |" in "\n".join(lines(evaluation))


def test_without_costs_nothing_is_said_about_speed() -> None:
    evaluation = evaluate(ANSWERS, KnownDrafts())

    told = "\n".join(lines(evaluation))

    assert "slipstream ask" in told
    assert "geometric" not in told
    assert "speed-up |" not in told
    assert "goals" not in as_json(evaluation)


def test_categories_come_from_the_prompts_or_from_their_ids(tmp_path: Path) -> None:
    prompts = tmp_path / "prompts.jsonl"
    prompts.write_text(json.dumps({"id": "maths/1", "category": "sums", "turns": ["1+1?"]}))
    keys = [answer.key for answer in ANSWERS]

    assert [categories_of(None, keys)(key) for key in keys] == ["maths", "maths", "chat"]
    assert [categories_of(prompts, keys)(key) for key in keys] == ["sums", "other", "other"]
    with pytest.raises(SlipstreamError, match=r"prompts\.jsonl"):
        categories_of(prompts, ["code/9#0"])


def test_costs_are_found_where_the_model_was_measured(tmp_path: Path) -> None:
    store = ModelStore()
    name = store.import_file(write_model(tmp_path / "tiny.gguf", Shape("qwen2", hidden=128, layers=4)))
    file = CalibrationFile(store.home / "calibration.json")
    weights = identity(store.path(name))
    assert weights is not None

    assert known_calibration(store, name, (1, 2)) is None
    file.keep(fingerprint_of(weights, False), ModelCalibration(TIMES, True))
    assert known_calibration(store, name, (1, 2)).times == TIMES
    tapped = PassTimes((1, 2), (1.0, 2.0), (0.0, 0.0))
    file.keep(fingerprint_of(weights, False, (1, 2)), ModelCalibration(tapped, True))
    assert known_calibration(store, name, (1, 2)).times == tapped


def test_passes_of_other_rows_pay_for_the_change() -> None:
    text = [1, 2, 3, 1, 2, 3, 7, 8]
    score = simulate(text, 3, NgramProposer(text, 1), 2)  # no match; 2 3 is right; no match
    dear = Costs(PassTimes(TIMES.rows, TIMES.seconds, TIMES.per_token, change=2.0), 0.0, 0.0)

    seconds = mean_pass(score, dear) * score.passes * 8.0

    assert score.lengths.tolist() == [2, 0, 1]
    assert score.changes == 2
    assert seconds == pytest.approx(2 * 8 + 10 + 2 * 2.0)


def test_scores_merge_with_what_they_cost() -> None:
    whole, parts = Score(3), [simulate(TEXT, 3, NOTHING, 3), simulate(TEXT, 3, NgramProposer(TEXT, 1), 3)]
    for part in parts:
        whole.merge(part)

    total = sum(mean_pass(part, COSTS) * part.passes for part in parts)
    assert mean_pass(whole, COSTS) * whole.passes == pytest.approx(total)
