"""The probe must find what would change an answer; and on the real starter model nothing does."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from engine.events import Delta, Finished, Started
from engine.exactness import CONTEXT, probe
from engine.request import Continuation, Message, Request, Sampling, Speculation

if TYPE_CHECKING:
    from engine.engine import Engine

VOCABULARY = 50


class FakeDevice:
    """A model whose kernels can be made to differ: by the number of rows, or by rows that were rolled back."""

    def __init__(
        self, rows_matter: bool = False, lone_row_matters: bool = False, trace: bool = False
    ) -> None:
        self.architecture = type("Shape", (), {"vocab": VOCABULARY})
        self.rows_matter, self.lone_row_matters, self.trace = rows_matter, lone_row_matters, trace
        self.tokens: list[int] = []
        self.rejected = 0

    def rollback(self, length: int) -> None:
        self.rejected += len(self.tokens) - length
        del self.tokens[length:]

    def forward(self, tokens, logits_for=None):
        error = 0.0
        if self.rows_matter and len(tokens) == 8:
            error = 1e-6
        if self.lone_row_matters and len(tokens) == 1:
            error = 1e-6
        self.tokens.extend(tokens)
        first = len(self.tokens) - len(tokens)
        rows = [np.sin(np.arange(VOCABULARY) + sum(self.tokens[: first + i + 1])) for i in range(len(tokens))]
        logits = (np.stack(rows) + error).astype(np.float32)
        if self.trace and self.rejected:
            logits[:, self.rejected % VOCABULARY] += np.float32(1e-5)
        return logits if logits_for is None else logits[list(logits_for)]


def test_probe_passes_a_device_whose_rows_agree() -> None:
    device = FakeDevice()
    assert probe(device) is True
    assert device.tokens == []


@pytest.mark.parametrize("fault", ["rows_matter", "lone_row_matters", "trace"])
def test_probe_finds_what_would_change_an_answer(fault: str) -> None:
    assert probe(FakeDevice(**{fault: True})) is False


def test_probe_crosses_a_block_of_the_cache() -> None:
    assert CONTEXT > 32


# The real starter model

PROMPTS = (
    "Write a short story about a lighthouse keeper.",
    "Write a Python function that reverses a string, and explain each line.",
    "Explain in simple terms why the sky is blue.",
    "List ten facts about the moon, one a line.",
    "Repeat this text three times: the quick brown fox jumps over the lazy dog.",
    "What are the pros and cons of working from home?",
)


def answer(engine: "Engine", request: Request) -> Finished:
    last = list(engine.generate(request))[-1]
    assert isinstance(last, Finished)
    return last


@pytest.fixture
def exact_starter(starter_engine: "Engine") -> "Engine":
    if not starter_engine.exact:
        pytest.skip("the probe says that this processor's kernels are not exact")
    return starter_engine


@pytest.mark.model
@pytest.mark.parametrize("temperature", [0.0, 0.7])
def test_starter_writes_the_same_with_and_without_speculation(
    temperature: float, exact_starter: "Engine"
) -> None:
    drafted = 0
    for seed, prompt in enumerate(PROMPTS):
        sampling = Sampling(temperature=temperature, seed=seed)
        plain = Request((Message("user", prompt),), sampling, 60, speculation=Speculation.OFF)
        expected = answer(exact_starter, plain)
        for mode in (Speculation.NGRAM, Speculation.AUTO):
            found = answer(exact_starter, replace(plain, speculation=mode))
            assert found.token_ids == expected.token_ids, (prompt, mode)
            drafted += found.stats.accepted
    assert drafted > 0


@pytest.mark.model
def test_starter_writes_the_same_whatever_the_draft_length(exact_starter: "Engine") -> None:
    asked = Request((Message("user", PROMPTS[4]),), max_tokens=60, speculation=Speculation.OFF)
    expected = answer(exact_starter, asked)
    for k in range(1, 9):
        found = answer(exact_starter, replace(asked, speculation=Speculation.NGRAM, draft_tokens=k))
        assert found.token_ids == expected.token_ids, k


@pytest.mark.model
@pytest.mark.parametrize("temperature", [0.0, 0.7])
def test_a_stopped_answer_goes_on_as_in_one_go(temperature: float, exact_starter: "Engine") -> None:
    """GIVEN an answer that was cut after n tokens WHEN it goes on THEN it is the answer without a cut."""
    asked = Request((Message("user", PROMPTS[0]),), Sampling(temperature=temperature, seed=5), max_tokens=60)
    whole = answer(exact_starter, asked)
    for cut in (1, 2, 9, 33):
        first = answer(exact_starter, replace(asked, max_tokens=cut))
        begun = Continuation(first.text, first.token_ids)
        exact_starter.forget()  # as after a restart
        rest = answer(exact_starter, replace(asked, max_tokens=60 - cut, continuation=begun))
        assert first.token_ids + rest.token_ids == whole.token_ids
        assert first.text + rest.text == whole.text


@pytest.mark.model
def test_second_turn_reads_only_what_is_new(starter_engine: "Engine") -> None:
    messages = [Message("user", PROMPTS[1])]
    first = answer(starter_engine, Request(tuple(messages), max_tokens=40))
    messages += [Message("assistant", first.text), Message("user", "Now in one line.")]
    events = list(starter_engine.generate(Request(tuple(messages), max_tokens=20)))
    started = events[0]
    assert isinstance(started, Started)
    assert started.reused_tokens >= first.stats.prompt_tokens + len(first.token_ids) - 2
    assert started.reused_tokens < started.prompt_tokens
    assert isinstance(events[1], Delta)


@pytest.mark.model
def test_starter_answers_sensibly(starter_engine: "Engine") -> None:
    asked = Request((Message("user", "What is the capital of France?"),), max_tokens=40)
    assert "Paris" in answer(starter_engine, asked).text


@pytest.mark.large
@pytest.mark.parametrize("temperature", [0.0, 0.7, 1.0])
@pytest.mark.parametrize(
    ("fixture", "own"), [("coder_engine", Speculation.DRAFT), ("coder_trained_engine", Speculation.DFLASH)]
)
def test_coder_pair_writes_the_same_with_and_without_speculation(
    temperature: float, fixture: str, own: Speculation, request: pytest.FixtureRequest
) -> None:
    engine: Engine = request.getfixturevalue(fixture)
    if not engine.exact:
        pytest.skip("the probe says that this processor's kernels are not exact")
    for seed, prompt in enumerate(PROMPTS[1:3]):
        sampling = Sampling(temperature=temperature, seed=seed)
        plain = Request((Message("user", prompt),), sampling, 60, speculation=Speculation.OFF)
        expected = answer(engine, plain)
        for mode in (own, Speculation.AUTO):
            found = answer(engine, replace(plain, speculation=mode))
            assert found.token_ids == expected.token_ids, (prompt, mode)
