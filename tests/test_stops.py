"""Stop strings: nothing that may begin one is shown, and the cut does not depend on the chunks."""

from hypothesis import given
from hypothesis import strategies as st

from engine.stops import StopMatcher

STOPS = st.lists(st.text("ab|", min_size=1, max_size=4), max_size=3)
CHUNKS = st.lists(st.text("ab|", max_size=5), max_size=12)


def run(stops: list[str], chunks: list[str]) -> tuple[str, bool, StopMatcher]:
    matcher = StopMatcher(stops)
    shown = ""
    for chunk in chunks:
        text, stopped = matcher.push(chunk)
        shown += text
        if stopped:
            break
    return shown + matcher.flush(), matcher.stopped, matcher


def kept_by_rule(stops: list[str], text: str) -> str | None:
    """Grow the text letter by letter until it ends in a stop string; the longest such ends the answer."""
    for end in range(1, len(text) + 1):
        ending = [stop for stop in stops if text[:end].endswith(stop)]
        if ending:
            return text[: end - max(map(len, ending))]
    return None


@given(STOPS, CHUNKS)
def test_any_chunks_give_the_text_before_the_first_complete_stop(stops: list[str], chunks: list[str]) -> None:
    kept = kept_by_rule(stops, "".join(chunks))
    shown, stopped, _ = run(stops, chunks)
    assert stopped == (kept is not None)
    assert shown == ("".join(chunks) if kept is None else kept)


@given(STOPS, CHUNKS)
def test_only_a_possible_beginning_is_held(stops: list[str], chunks: list[str]) -> None:
    matcher = StopMatcher(stops)
    pushed = shown = ""
    for chunk in chunks:
        text, stopped = matcher.push(chunk)
        if stopped:
            return
        pushed, shown = pushed + chunk, shown + text
        held = pushed[len(shown) :]
        assert not held or any(stop.startswith(held) and stop != held for stop in stops)


def test_a_stop_string_over_several_pushes_is_never_shown() -> None:
    matcher = StopMatcher(["<end>"])
    assert [matcher.push(piece) for piece in ("one <", "e", "nd", "> two")] == [
        ("one ", False),
        ("", False),
        ("", False),
        ("", True),
    ]
    assert matcher.push("more") == ("", True)
    assert matcher.flush() == ""


def test_kept_pushes_counts_the_tokens_of_the_kept_text() -> None:
    _, _, matcher = run(["STOP"], ["a", "b", "cST", "OP", "x"])
    assert matcher.kept_pushes == 3  # the third gave "c"
    _, _, matcher = run(["STOP"], ["a", "b", "ST", "OP"])
    assert matcher.kept_pushes == 2
    _, _, matcher = run(["STOP"], ["STOP"])
    assert matcher.kept_pushes == 0
    _, _, matcher = run(["STOP"], ["a", "", "ST"])
    assert matcher.kept_pushes == 3  # no stop: every push counts
