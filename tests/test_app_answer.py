"""What is kept of an answer, and what the model is told of earlier ones. Pure Python."""

import dataclasses
import json

import pytest

from app.chat.answer import Answer, added, ending, figures_to_keep, stored_stats
from app.chat.prompt import make_request, turns, without_reasoning
from app.history.store import StoredMessage
from engine.events import Delta, Finished, FinishReason
from engine.metrics import Stats
from engine.request import Continuation, Message, Speculation


def message(
    content: str, role: str = "user", state: str = "complete", stats: str | None = None
) -> StoredMessage:
    return StoredMessage(1, role, content, state, stats, 0.0)


def delta(text: str, *tokens: int) -> Delta:
    return Delta(text, tokens, (), 0, "plain", 0.01, Stats(tokens=len(tokens)))


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("Plain.", "Plain."),
        ("<think>\nWell\n</think>\n\nYes.", "Yes."),
        ("\n<think>a</think>Yes. <think>is a tag</think>", "Yes. <think>is a tag</think>"),
        ("<think>\nnever ended", ""),
        ("Use <think> as a tag.", "Use <think> as a tag."),
    ],
)
def test_reasoning_is_left_out_of_earlier_answers(answer: str, left: str) -> None:
    assert without_reasoning(answer) == left


def test_what_the_model_is_told_of_a_conversation() -> None:
    messages = [
        message("one"),
        message("<think>hm</think>first", "assistant"),
        message("<think>is what a user may write"),
        message("", "assistant", "failed"),
        message("three"),
    ]
    assert turns(messages, "Be brief.") == (
        Message("system", "Be brief."),
        Message("user", "one"),
        Message("assistant", "first"),
        Message("user", "<think>is what a user may write"),
        Message("user", "three"),
    )
    assert turns(messages, " \n")[0].role == "user"


def test_the_request_of_an_answer_that_goes_on() -> None:
    begun = Continuation("Half a", (1, 2))
    request = make_request([message("one")], "off", continuation=begun)
    assert (request.continuation, request.speculation) == (begun, Speculation.OFF)


def test_an_answer_adds_up_what_comes() -> None:
    answer = Answer(1, 2, "auto", before="Half ", stats_before=Stats(tokens=3, decode_s=0.3))
    assert answer.add([delta("an ", 1), delta("ans", 2)], opener="") == "an ans"
    finished = Finished(FinishReason.STOP, "an answer", (1, 2, 3), Stats(tokens=3, decode_s=0.3))
    assert answer.end(finished, opener="") == "wer"
    whole = answer.whole(finished)
    assert (whole.text, whole.stats.tokens) == ("Half an answer", 6)


def test_an_opened_reasoning_is_written_once() -> None:
    answer = Answer(1, 2, "auto")
    assert answer.add([delta("", 1)], opener="<think>\n") == "<think>\n"
    assert answer.add([delta("hm", 2)], opener="<think>\n") == "hm"
    assert answer.end(Finished(FinishReason.STOP, "hm!", (1, 2, 3), Stats()), opener="<think>\n") == "!"
    going_on = Answer(1, 2, "auto", before="<think>\nhm!")
    assert going_on.add([delta("</think>", 4)], opener="<think>\n") == "</think>"


def test_figures_of_both_parts_add_up_and_rates_are_of_the_whole() -> None:
    first = Stats(
        prompt_tokens=10,
        tokens=6,
        target_passes=3,
        drafted=4,
        accepted=3,
        accepted_by_position=((2, 2), (2, 1)),
        drafted_by_source={"ngram": 4},
        ttft_s=0.5,
        decode_s=0.3,
    )
    then = Stats(
        prompt_tokens=16,
        tokens=4,
        target_passes=2,
        drafted=2,
        accepted=1,
        accepted_by_position=((2, 1),),
        drafted_by_source={"draft": 2},
        ttft_s=0.1,
        decode_s=0.1,
        plain_tokens_per_second=12.5,
        context_tokens=20,
    )
    both = added(first, then)
    assert (both.prompt_tokens, both.tokens, both.target_passes, both.ttft_s) == (10, 10, 5, 0.5)
    assert (both.drafted, both.accepted, both.acceptance_rate) == (6, 4, 4 / 6)
    assert both.accepted_by_position == ((4, 3), (2, 1))
    assert both.drafted_by_source == {"ngram": 4, "draft": 2}
    assert both.tokens_per_second == pytest.approx(25.0)
    assert both.speedup == pytest.approx(2.0)
    assert both.context_tokens == 20


def test_figures_come_back_from_the_history() -> None:
    answer = Answer(1, 2, "auto", stats=Stats(tokens=5, drafted_by_source={"ngram": 2}))
    kept = json.dumps(figures_to_keep(answer, FinishReason.LENGTH))
    stored = message("x", "assistant", stats=kept)
    found = stored_stats(stored)
    assert found is not None
    assert dataclasses.replace(found, accepted_by_position=()) == answer.stats
    assert ending(stored) == "length"


@pytest.mark.parametrize("figures", [None, "", "{", "[]", "null", '"x"'])
def test_figures_that_make_no_sense_are_none(figures: str | None) -> None:
    stored = message("x", "assistant", stats=figures)
    assert stored_stats(stored) is None
    assert ending(stored) == ""


def test_the_state_of_an_answer_comes_before_its_reason() -> None:
    assert ending(message("x", "assistant", "stopped", '{"finish_reason": "length"}')) == "stopped"
    assert ending(message("x", "assistant", "complete", '{"finish_reason": "stop"}')) == ""
