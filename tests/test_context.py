"""What is left out of a conversation that outgrows the context: whole turns, never the system or the last one."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.context import fit
from engine.request import Message, Overflow

unhurried = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow]
)  # a busy machine is no failure
FRAME = 3  # tokens that the template writes around a message
OWN_SYSTEM = 7  # and its own system prompt, where none is given
POLICIES = (Overflow.DROP_OLDEST, Overflow.KEEP_ENDS)


def count(messages: Sequence[Message]) -> int:
    given_system = any(message.role == "system" for message in messages)
    words = sum(len(message.content.split()) + FRAME for message in messages)
    return words + (0 if given_system else OWN_SYSTEM)


def words(number: int, name: str = "w") -> str:
    return " ".join([name] * number)


def chat(*turns: tuple[int, int], system: int | None = None, asked: int = 4) -> list[Message]:
    """Turns of (words asked, words answered), then a message that waits for its answer."""
    messages = [] if system is None else [Message("system", words(system))]
    for question, answer in turns:
        messages += [Message("user", words(question)), Message("assistant", words(answer))]
    return [*messages, Message("user", words(asked))]


lengths = st.integers(0, 40)
conversations = st.builds(
    lambda turns, system, asked: chat(*turns, system=system, asked=asked),
    st.lists(st.tuples(lengths, lengths), max_size=12),
    st.none() | lengths,
    lengths,
)
rooms = st.integers(1, 400)


def turns_of(messages: Sequence[Message]) -> list[list[int]]:
    """An independent cut into turns: what follows a user's message belongs to it."""
    starts = [i for i, message in enumerate(messages) if message.role == "user"]
    return [list(range(a, b)) for a, b in zip(starts, [*starts[1:], len(messages)], strict=True)]


@unhurried
@given(conversations, rooms)
def test_stop_leaves_nothing_out(messages: list[Message], room: int) -> None:
    assert fit(messages, count, room, Overflow.STOP) == fit(messages, count, 10**9, Overflow.KEEP_ENDS)


@unhurried
@given(conversations, rooms, st.sampled_from(POLICIES))
def test_what_is_kept_is_in_order_and_accounted_for(
    messages: list[Message], room: int, policy: Overflow
) -> None:
    fitted = fit(messages, count, room, policy)
    kept = [i for i in range(len(messages)) if i not in fitted.left_out]

    assert fitted.messages == tuple(messages[i] for i in kept)
    assert list(fitted.left_out) == sorted(set(fitted.left_out))


@unhurried
@given(conversations, rooms, st.sampled_from(POLICIES))
def test_turns_are_never_split_and_system_and_last_turn_stay(
    messages: list[Message], room: int, policy: Overflow
) -> None:
    gone = set(fit(messages, count, room, policy).left_out)
    turns = turns_of(messages)

    assert all(gone.isdisjoint(turn) or gone.issuperset(turn) for turn in turns)
    assert gone.isdisjoint(turns[-1])
    assert not [i for i in gone if messages[i].role == "system"]


@unhurried
@given(conversations, rooms, st.sampled_from(POLICIES))
def test_it_fits_unless_the_last_turn_alone_is_too_long(
    messages: list[Message], room: int, policy: Overflow
) -> None:
    fitted = fit(messages, count, room, policy)
    last = [m for m in messages if m.role == "system"] + [messages[i] for i in turns_of(messages)[-1]]

    assert count(fitted.messages) <= max(room, count(last))


@unhurried
@given(conversations, rooms, st.sampled_from(POLICIES))
def test_nothing_is_left_out_while_all_fits(messages: list[Message], room: int, policy: Overflow) -> None:
    fitted = fit(messages, count, room, policy)

    assert (fitted.left_out == ()) == (count(messages) <= room or len(turns_of(messages)) == 1)


@unhurried
@given(conversations, rooms)
def test_the_oldest_go_first(messages: list[Message], room: int) -> None:
    gone = fit(messages, count, room, Overflow.DROP_OLDEST).left_out
    turns = [i for turn in turns_of(messages) for i in turn]

    assert list(gone) == turns[: len(gone)]


@unhurried
@given(conversations, rooms)
def test_the_ends_stay_and_one_stretch_goes(messages: list[Message], room: int) -> None:
    """The first turn gives way only where it and the last one don't fit together."""
    gone = fit(messages, count, room, Overflow.KEEP_ENDS).left_out
    turns = turns_of(messages)
    ends = [m for m in messages if m.role == "system"]
    ends += [messages[i] for i in (turns[0] + turns[-1] if len(turns) > 1 else turns[0])]

    assert list(gone) == list(range(gone[0], gone[-1] + 1) if gone else ())
    if count(ends) <= room:
        assert gone == () or gone[0] not in turns[0]


@unhurried
@given(conversations, rooms, st.sampled_from(POLICIES))
def test_no_more_is_left_out_than_a_step_beyond_the_least(
    messages: list[Message], room: int, policy: Overflow
) -> None:
    """GIVEN a shorter stretch of the same first turn WHEN it would do THEN it is at most a step shorter."""
    fitted = fit(messages, count, room, policy)
    if not fitted.left_out:
        return
    turns = [turn for turn in turns_of(messages) if turn[0] in fitted.left_out]
    system = [m for m in messages if m.role == "system"]
    for shorter in range(len(turns)):
        out = {i for turn in turns[:shorter] for i in turn}
        kept = [m for i, m in enumerate(messages) if m.role != "system" and i not in out]
        if count([*system, *kept]) <= room:
            beyond = sum(len(messages[i].content.split()) + FRAME for turn in turns[shorter:] for i in turn)
            longest = max(sum(len(messages[i].content.split()) + FRAME for i in turn) for turn in turns)
            assert beyond <= room // 4 + longest + 2 * FRAME * len(turns)


def cuts(policy: Overflow, room: int, turns: int) -> list[tuple[int, ...]]:
    """What is left out at each turn of a conversation that grows."""
    return [fit(chat(*[(6, 14)] * number, system=5), count, room, policy).left_out for number in range(turns)]


@pytest.mark.parametrize("policy", POLICIES)
def test_the_cut_stays_for_many_turns_and_never_goes_back(policy: Overflow) -> None:
    """A turn has 26 tokens, so a step of 100 is about four of them; a cut that follows each turn moves 40 times."""
    seen = cuts(policy, 400, 60)
    moves = [b for a, b in pairwise(seen) if a != b]

    assert all(set(a) <= set(b) for a, b in pairwise(seen))
    assert 8 <= len(moves) <= 14


def test_a_huge_first_turn_does_not_keep_the_last_one_out() -> None:
    messages = chat((500, 5), (6, 6), (6, 6), asked=8)
    fitted = fit(messages, count, 100, Overflow.KEEP_ENDS)

    assert fitted.left_out == (0, 1)
    assert count(fitted.messages) <= 100


def test_several_first_turns_stay_while_they_are_short() -> None:
    messages = chat(*[(2, 2)] * 3, *[(40, 40)] * 6)
    fitted = fit(messages, count, 200, Overflow.KEEP_ENDS)

    assert set(fitted.left_out).isdisjoint(range(6))


def test_an_answer_that_is_asked_again_counts_to_its_turn() -> None:
    """GIVEN two users' messages with two answers to the first, THEN both answers go with it."""
    messages = [
        Message("user", words(30)),
        Message("assistant", words(30)),
        Message("assistant", words(30)),
        Message("user", words(5)),
    ]
    assert fit(messages, count, 60, Overflow.DROP_OLDEST).left_out == (0, 1, 2)
