"""A prompt answered plainly and with speculation in turn: order, fairness, verdict, figures, and every way to end."""

import threading
from collections import deque
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.compare import Advanced, Began, CompareEvent, Measured, PromptRead, compare
from engine.comparison import Comparison, Run, Side, Spread
from engine.engine import Engine
from engine.errors import SlipstreamError
from engine.events import Finished, FinishReason
from engine.metrics import Stats
from engine.models.catalogue import Pair
from engine.models.store import ModelStore
from engine.request import Message, Request, Sampling, Speculation
from engine.sampling import Rule
from tests.compare_fakes import TableEngine
from tests.fake_models import Adversarial
from tests.tiny_models import Shape, write_model

REQUEST = Request((Message("user", "abcab"),), max_tokens=40, speculation=Speculation.DRAFT)
WARM_UPS = 2


def last(events: list[CompareEvent]) -> Comparison:
    return [event.comparison for event in events if isinstance(event, Measured)][-1]


def run_of(side: Side, repeat: int, speed: float, tokens: tuple[int, ...] = (1, 2, 3), **stats: int) -> Run:
    told = Stats(tokens=len(tokens), tokens_per_second=speed, **stats)
    return Run(side, repeat, Finished(FinishReason.LENGTH, "", tokens, told), len(tokens) / speed)


def test_both_sides_answer_in_turn_from_empty_caches_and_nothing_measures_in_between() -> None:
    engine = TableEngine()
    events = list(compare(engine, REQUEST, repeats=3))
    counted = engine.requests[WARM_UPS:]
    plain, draft = Speculation.OFF, Speculation.DRAFT
    assert [request.speculation for request in counted] == [plain, draft, draft, plain, plain, draft]
    assert not any(request.baseline for request in counted)
    assert engine.cached == [0] * 8
    assert [request.max_tokens for request in engine.requests[:WARM_UPS]] == [16, 16]
    began = [event for event in events if isinstance(event, Began)]
    assert [(event.number, event.total) for event in began] == [(number, 6) for number in range(1, 7)]
    assert [event.repeat for event in began] == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("sampling", [Sampling(), Sampling(temperature=0.8, seed=4)])
def test_the_loop_gives_the_same_text_and_says_so(sampling: Sampling) -> None:
    found = last(list(compare(TableEngine(), replace(REQUEST, sampling=sampling), repeats=2)))
    assert found.complete
    assert found.identical is True
    assert len({run.tokens for run in found.runs}) == 1
    assert len(found.runs[0].tokens) == 40
    assert found.acceptance_rate == 1.0
    assert found.tokens_per_pass is not None
    assert found.tokens_per_pass > 2.0


def test_the_text_streams_by_side() -> None:
    events = list(compare(TableEngine(), REQUEST, repeats=1))
    for side in Side:
        streamed = "".join(
            event.text for event in events if isinstance(event, Advanced) and event.side is side
        )
        run = last(events).first(side)
        assert run is not None
        assert run.finished.text.startswith(streamed)
        assert len(streamed) > 20


def test_a_long_prompt_tells_how_far_it_is_read() -> None:
    long = replace(REQUEST, messages=(Message("user", "abc " * 10),))
    read = [event for event in compare(TableEngine(), long, repeats=1) if isinstance(event, PromptRead)]
    assert read
    assert all(0 < event.done < event.total == 40 for event in read)


@pytest.mark.parametrize("place", [0, 17, 39])
def test_the_first_divergence_is_named_with_both_tokens_and_its_margin(place: int) -> None:
    """GIVEN a device that rounds differently WHEN a token changes THEN it is found, and how close a call it was."""
    engine = TableEngine(wrong_at=place, exact=False)
    found = last(list(compare(engine, REQUEST, repeats=1)))
    divergence, reference = found.divergence, found.reference
    assert found.identical is False
    assert divergence is not None
    assert reference is not None
    logits = engine.target.logits([*engine.prompt_tokens(REQUEST), *reference.tokens[:place]])
    second, first = np.argsort(logits)[-2:]
    assert (divergence.position, divergence.expected, divergence.found) == (place, first, second)
    assert divergence.expected_text == engine.spelling(int(first))
    assert divergence.margin == pytest.approx(float(logits[first] - logits[second]))
    assert (divergence.side, divergence.repeat) == (Side.SPECULATIVE, 0)


@pytest.mark.parametrize(
    "sampling",
    [Sampling(temperature=0.05, seed=1), Sampling(repetition_penalty=1.1, frequency_penalty=0.1)],
)
def test_noise_and_penalties_count_in_the_margin(sampling: Sampling) -> None:
    """The plain answer's token is the rule's own: by that score it beats the other, whatever the bare logits say."""
    engine = TableEngine(wrong_at=30)
    found = last(list(compare(engine, replace(REQUEST, sampling=sampling), repeats=1)))
    divergence, reference = found.divergence, found.reference
    assert divergence is not None
    assert reference is not None
    assert divergence.expected is not None
    assert divergence.found is not None
    prompt, rule = engine.prompt_tokens(REQUEST), Rule(sampling)
    history = rule.history(prompt)
    if history is not None:
        for token in reference.tokens[: divergence.position]:
            history.push(token)
    known = [*prompt, *reference.tokens[: divergence.position]]
    logits = engine.target.logits(known)
    lead = rule.lead(logits, len(known), divergence.expected, divergence.found, history)
    assert lead > 0
    assert divergence.margin == pytest.approx(lead)
    assert lead != pytest.approx(float(logits[divergence.expected] - logits[divergence.found]), abs=1e-4)


@pytest.mark.parametrize(("at", "kept"), [(0, 0), (1, 0), (2, 0), (3, 1), (5, 3)])
def test_cancelled_between_two_passes_it_keeps_what_was_measured(at: int, kept: int) -> None:
    engine, cancel = TableEngine(drafter=Adversarial, cancels_at=at), threading.Event()
    events = list(compare(engine, REQUEST, repeats=3, cancel=cancel))
    measured = [event.comparison for event in events if isinstance(event, Measured)]
    assert len(measured) == kept
    assert len(engine.requests) == at + 1 if at >= WARM_UPS else at + 2
    if measured:
        assert len(measured[-1].runs) == kept
        assert not measured[-1].complete


def test_a_failure_is_raised_and_the_last_measured_stands() -> None:
    told: list[CompareEvent] = []
    with pytest.raises(SlipstreamError, match="could not go on"):
        deque(map(told.append, compare(TableEngine(fails_at=4), REQUEST, repeats=2)), maxlen=0)
    assert len(last(told).runs) == 2


def test_nothing_to_compare_is_refused_in_words() -> None:
    for engine, request, repeats, why in (
        (TableEngine(refusal="this pair has no draft model"), REQUEST, 1, "no draft model"),
        (TableEngine(), replace(REQUEST, speculation=Speculation.OFF), 1, "with itself"),
        (TableEngine(), REQUEST, 0, "repeats"),
    ):
        with pytest.raises(SlipstreamError, match=why):
            list(compare(engine, request, repeats))
        assert engine.requests == []


def test_the_speedup_is_the_median_of_paired_ratios_with_its_spread() -> None:
    """A slow hour hits both sides of a repeat, so the ratios know nothing of it."""
    speeds = {Side.PLAIN: (10.0, 5.0, 10.0), Side.SPECULATIVE: (20.0, 11.0, 25.0)}
    runs = tuple(run_of(side, n, speed) for side, row in speeds.items() for n, speed in enumerate(row))
    found = Comparison(REQUEST, 3, True, runs)
    assert found.ratios == pytest.approx((2.0, 2.2, 2.5))
    assert found.speedup == Spread(pytest.approx(2.2), pytest.approx(2.0), pytest.approx(2.5))
    assert found.speed(Side.PLAIN) == Spread(10.0, 5.0, 10.0)


def test_half_a_repeat_has_no_ratio_and_no_verdict() -> None:
    found = Comparison(REQUEST, 3, True, (run_of(Side.PLAIN, 0, 10.0),))
    assert found.ratios == ()
    assert found.speedup is None
    assert found.identical is None
    assert found.acceptance_rate is None
    assert found.tokens_per_pass is None


def test_an_answer_that_ends_early_differs_where_it_ended() -> None:
    engine = TableEngine()

    class Short(TableEngine):
        def generate(self, request: Request, cancel: threading.Event | None = None):
            spoken = request.speculation is Speculation.DRAFT
            return super().generate(replace(request, max_tokens=7) if spoken else request, cancel)

    divergence = last(list(compare(Short(), REQUEST, repeats=1))).divergence
    assert divergence is not None
    assert (divergence.position, divergence.found, divergence.found_text) == (7, None, "")
    assert divergence.margin is None
    assert divergence.expected_text == engine.spelling(divergence.expected or 0)


@pytest.fixture(scope="module")
def tiny_engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder: Path = tmp_path_factory.mktemp("compare")
    store = ModelStore(folder / "home")
    shape = Shape("llama", hidden=128, intermediate=256, layers=3, sharpness=1.5)
    for name, each in {"target": shape, "draft": replace(shape, noise=0.15)}.items():
        store.import_file(write_model(folder / f"{name}.gguf", each), name)
    return Engine.load(store, Pair("tiny", "Tiny", "target", "draft"))


@pytest.mark.parametrize("sampling", [Sampling(), Sampling(temperature=1.0, seed=3)])
def test_a_real_engine_gives_the_same_text(tiny_engine: Engine, sampling: Sampling) -> None:
    request = Request(
        (Message("user", "Tell me about the sea."),),
        sampling,
        max_tokens=32,
        speculation=Speculation.AUTO,
        draft_tokens=4,
    )
    found = last(list(compare(tiny_engine, request, repeats=2)))
    assert found.exact
    assert found.identical is True
    reference = found.reference
    assert reference is not None
    assert tiny_engine.spelling(reference.tokens[0]) != ""
    assert {run.stats.prompt_tokens for run in found.runs} == {len(tiny_engine.prompt_tokens(request))}
    assert found.speedup is not None
    assert found.ttft(Side.PLAIN) is not None
    assert all(run.stats.drafted == 0 for run in found.of(Side.PLAIN))
    assert all(run.stats.drafted > 0 for run in found.of(Side.SPECULATIVE))


def test_the_margin_of_a_real_engine_is_that_of_its_best_two_tokens(tiny_engine: Engine) -> None:
    """The plain answer's first token is the best of the logits after the prompt."""
    request = Request((Message("user", "Tell me."),), max_tokens=3, speculation=Speculation.OFF)
    answer = list(tiny_engine.generate(request))[-1]
    assert isinstance(answer, Finished)
    logits = tiny_engine.next_logits(tiny_engine.prompt_tokens(request))
    assert int(np.argmax(logits)) == answer.token_ids[0]
