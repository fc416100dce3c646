"""An answer's passes as JSON, for people and programs that look into them."""

from app.speculation.origins import guess_text, origin_of
from app.speculation.trace import Pass, Spelling, Trace


def as_json(trace: Trace) -> dict[str, object]:
    """`runs`: what was set, and the first pass that it was set for; `passes`: as below, in order.

    A token's `text` stands alone, so that half a character is given as its bytes.
    """
    runs = [{"first_pass": first, **facts} for first, facts in trace.runs]
    return {"runs": runs, "passes": [_pass(one) for one in trace.passes]}


def _pass(one: Pass) -> dict[str, object]:
    return {
        "source": one.source,
        "drafted": one.drafted,
        "accepted": one.accepted,
        "milliseconds": round(1000 * one.seconds, 1),
        "tokens": [
            {**_token(spelling), "origin": origin_of(one, place).value}
            for place, spelling in enumerate(one.tokens)
        ],
        "rejected": [_token(guess) for guess in one.rejected],
    }


def _token(spelling: Spelling) -> dict[str, object]:
    return {"id": spelling.token, "text": guess_text(spelling)}
