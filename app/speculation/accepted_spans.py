"""Which letters of an answer's text were guessed and accepted. Pure Python."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass

from app.speculation.origins import ACCEPTED, Origin, origin_of
from app.speculation.trace import Trace

SEARCHED = 64  # letters before the first token: what the prompt had opened of the reasoning


@dataclass(frozen=True, slots=True)
class Span:
    """Letters of the text from `start` to `end` that came from one source."""

    start: int
    end: int
    origin: Origin


def accepted_spans(trace: Trace, text: str) -> list[Span]:
    """In `text`, which is the answer without carriage returns; neighbours of one origin are one span.

    Only as far as the tokens spell the text: an answer that was made in another way has none.
    """
    spans: list[Span] = []
    for first, begin, facts in _runs(trace):
        told = facts.get("from")
        start = told if isinstance(told, int) else 0
        pieces = list(_pieces(trace, first, begin))
        at = _place(text, "".join(piece for piece, _ in pieces), start)
        for piece, origin in pieces:
            if at < 0 or not text.startswith(piece, at):
                break
            if piece and origin in ACCEPTED:
                _add(spans, Span(at, at + len(piece), origin))
            at += len(piece)
    return spans


def _runs(trace: Trace) -> Iterator[tuple[int, int, dict[str, object]]]:
    """First pass, the one after the last, and facts of each run."""
    ends = [first for first, _ in trace.runs[1:]] + [len(trace.passes)]
    for (first, facts), end in zip(trace.runs, ends, strict=True):
        yield first, end, dict(facts)


def _pieces(trace: Trace, first: int, end: int) -> Iterator[tuple[str, Origin]]:
    """Each token's text, a character by the token that completes it."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    for one in trace.passes[first:end]:
        for place, spelling in enumerate(one.tokens):
            text = "" if spelling.silent else decoder.decode(spelling.text)
            yield text.replace("\r", ""), origin_of(one, place)


def _place(text: str, said: str, start: int) -> int:
    """Where the run begins in the text: at `start`, or a little later; -1: nowhere."""
    if text.startswith(said[:SEARCHED], start):
        return start
    return text.find(said[:SEARCHED], start, start + 2 * SEARCHED) if said else -1


def _add(spans: list[Span], span: Span) -> None:
    if spans and spans[-1].end == span.start and spans[-1].origin is span.origin:
        span = Span(spans.pop().start, span.end, span.origin)
    spans.append(span)
