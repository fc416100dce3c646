"""The record of an answer's passes: what goes in comes out, in few bytes."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.speculation.trace import Pass, Spelling
from app.speculation.trace_codec import UNIT_S, VERSION, TraceError, TraceWriter, decode

TOKENS = st.builds(Spelling, st.integers(0, 2**21), st.binary(max_size=4), st.booleans())
PASSES = st.builds(
    Pass,
    tokens=st.lists(TOKENS, max_size=12).map(tuple),
    accepted=st.integers(0, 40),
    rejected=st.lists(TOKENS, max_size=12).map(tuple),
    source=st.sampled_from(["plain", "ngram", "draft", "dflash", "eagle ü", "x" * 200]),
    seconds=st.floats(0, 100),
)
FACTS = st.dictionaries(st.text(max_size=8), st.none() | st.integers() | st.text(max_size=20), max_size=4)


def written(passes: list[Pass], facts: dict[str, object], writer: TraceWriter | None = None) -> TraceWriter:
    writer = writer or TraceWriter()
    writer.begin(facts)
    for one in passes:
        writer.add(one)
    return writer


@given(passes=st.lists(PASSES, max_size=30), facts=FACTS)
def test_what_is_written_is_read(passes: list[Pass], facts: dict[str, object]) -> None:
    trace = decode(written(passes, facts).encoded())
    assert trace.facts == facts
    assert len(trace.passes) == len(passes)
    for found, one in zip(trace.passes, passes, strict=True):
        assert (found.tokens, found.accepted, found.rejected, found.source) == (
            one.tokens,
            one.accepted,
            one.rejected,
            one.source,
        )
        assert found.seconds == pytest.approx(one.seconds, abs=UNIT_S / 2 * 1.001)


@given(first=st.lists(PASSES, max_size=8), second=st.lists(PASSES, max_size=8))
def test_an_answer_that_goes_on_reads_as_one(first: list[Pass], second: list[Pass]) -> None:
    before = written(first, {"seed": 1}).encoded()
    resumed = written(second, {"seed": 2}, TraceWriter.resume(before))
    at_once = written(second, {"seed": 2}, written(first, {"seed": 1}))
    assert resumed.encoded() == at_once.encoded()
    trace = decode(resumed.encoded())
    assert trace.runs == [(0, {"seed": 1}), (len(first), {"seed": 2})]
    assert trace.tokens == tuple(spelling.token for one in (*first, *second) for spelling in one.tokens)


@given(passes=st.lists(PASSES, min_size=1, max_size=8), data=st.data())
@settings(max_examples=60)
def test_a_damaged_record_is_refused_in_words(passes: list[Pass], data: st.DataObject) -> None:
    record = bytearray(written(passes, {}).encoded())
    kept = data.draw(st.integers(0, len(record) - 1))
    with pytest.raises(TraceError, match="damaged"):
        decode(bytes(record[:kept]))


@given(noise=st.binary(max_size=200))
def test_noise_is_refused_and_never_crashes(noise: bytes) -> None:
    with pytest.raises(TraceError):
        decode(bytes([VERSION]) + noise)


def test_a_record_of_a_newer_version_says_so() -> None:
    with pytest.raises(TraceError, match="newer Slipstream"):
        decode(bytes([VERSION + 1]) + b"whatever")


def test_a_long_answer_stays_small() -> None:
    """Zipf-like words of about five letters, as text has them: fewer than four bytes a token."""
    rng = random.Random(7)
    writer = TraceWriter()
    writer.begin({"pair": "starter"})
    total = 0
    while total < 20_000:
        words = [min(int(rng.paretovariate(0.9)), 30_000) for _ in range(6)]
        *tokens, right, wrong = (Spelling(word, f" w{word}".encode()) for word in words)
        writer.add(Pass(tuple(tokens), 3, (right, wrong), "draft", rng.gauss(0.04, 0.004)))
        total += len(tokens)
    assert len(writer.encoded()) < 4 * total
