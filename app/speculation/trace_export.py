"""An answer's passes as JSON, for people and programs that look into them."""

from app.speculation.origins import guess_text, origin_of
from app.speculation.trace import Pass, Trace


def as_json(trace: Trace) -> dict[str, object]:
    """`runs`: what was set, and the first pass that it was set for; `passes`: as below, in order.

    A token's `text` stands alone, so that half a character is given as its bytes.
    """
    runs = [{"first_pass": first, **facts} for first, facts in trace.runs]
    return {"runs": runs, "passes": [_pass(one, trace) for one in trace.passes]}


def _pass(one: Pass, trace: Trace) -> dict[str, object]:
    return {
        "source": one.source,
        "drafted": one.drafted,
        "accepted": one.accepted,
        "milliseconds": round(1000 * one.seconds, 1),
        "tokens": [
            {"id": token, "text": _text(trace, token), "origin": origin_of(one, place).value}
            for place, token in enumerate(one.tokens)
        ],
        "rejected": [{"id": token, "text": _text(trace, token)} for token in one.rejected],
    }


def _text(trace: Trace, token: int) -> str:
    return guess_text(trace.spellings[token])
