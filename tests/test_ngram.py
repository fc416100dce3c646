import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.drafters.ngram import NgramDrafter
from engine.drafters.protocol import Drafter

alphabets = st.integers(1, 4).flatmap(lambda size: st.lists(st.integers(0, size - 1), max_size=80))


def brute_force(tokens: list[int]) -> tuple[int, int]:
    """(length, end) of the longest suffix with an earlier end, at the last such end."""
    for length in range(len(tokens) - 1, 0, -1):
        suffix = tokens[-length:]
        for end in range(len(tokens) - 1, length - 1, -1):
            if tokens[end - length : end] == suffix:
                return length, end
    return 0, 0


def brute_proposal(tokens: list[int], k: int, min_match: int) -> list[int]:
    length, end = brute_force(tokens)
    if length < min_match:
        return []
    text = list(tokens)
    for j in range(k):
        text.append(text[end + j])
    return text[len(tokens) :]


def following(tokens, min_match=2):
    drafter = NgramDrafter(min_match)
    drafter.reset(tokens)
    return drafter


@given(alphabets, st.integers(0, 12), st.integers(1, 4))
def test_it_proposes_what_followed_the_longest_and_most_recent_match(tokens, k, min_match):
    drafter = following(tokens, min_match)

    assert drafter.match_length == brute_force(tokens)[0]
    assert drafter.propose(k) == brute_proposal(tokens, k, min_match)


@given(st.lists(alphabets, max_size=6))
def test_observing_in_pieces_is_the_same_as_knowing_all(pieces):
    drafter = NgramDrafter()
    known = []
    for piece in pieces:
        drafter.observe(piece)
        known += piece
        assert drafter.propose(5) == brute_proposal(known, 5, 2)


@given(alphabets, alphabets, st.integers(0, 80))
def test_a_reset_follows_the_new_sequence_whatever_it_shares_with_the_old(old, new, shared):
    drafter = following(old)
    drafter.propose(3)
    tokens = old[:shared] + new

    drafter.reset(tokens)

    assert drafter.propose(4) == brute_proposal(tokens, 4, 2)


@given(st.integers(1, 200), st.integers(1, 200), st.integers(1, 300))
def test_long_matches_are_measured_to_their_full_length(period, cut, noise_at):
    """Longer than the blocks in which tokens are compared, with a flaw that shortens the recent matches."""
    tokens = (list(range(period)) * (900 // period))[: 600 + cut]
    tokens[-min(noise_at, len(tokens))] = 999

    assert following(tokens).match_length == brute_force_length(tokens)


def brute_force_length(tokens: list[int]) -> int:
    """By the prefix function of the reversed text: its greatest value is the longest repeated suffix."""
    text = tokens[::-1]
    border = [0] * len(text)
    for i in range(1, len(text)):
        j = border[i - 1]
        while j and text[i] != text[j]:
            j = border[j - 1]
        border[i] = j + (text[i] == text[j])
    return max(border)


def test_a_conversation_outgrows_the_first_buffer():
    generator = np.random.default_rng(1)
    tokens = generator.integers(0, 1000, 5000).tolist()
    drafter = NgramDrafter()
    for start in range(0, 5000, 7):
        drafter.observe(tokens[start : start + 7])

    drafter.observe(tokens[100:140])

    assert drafter.match_length == 40
    assert drafter.propose(16) == tokens[140:156]


def test_the_most_recent_of_equal_matches_wins():
    assert following([1, 2, 7, 1, 2, 8, 1, 2]).propose(1) == [8]


def test_a_longer_match_beats_a_more_recent_one():
    assert following([5, 1, 2, 7, 1, 2, 8, 5, 1, 2]).propose(1) == [7]


def test_periodic_text_is_continued_beyond_its_end():
    assert following([1, 2, 3, 1, 2, 3]).propose(8) == [1, 2, 3, 1, 2, 3, 1, 2]


@pytest.mark.parametrize(("min_match", "proposal"), [(2, [3, 4]), (3, [])])
def test_a_match_shorter_than_asked_for_proposes_nothing(min_match, proposal):
    drafter = following([1, 2, 3, 4, 9, 1, 2], min_match)

    assert drafter.match_length == 2
    assert drafter.propose(2) == proposal


def test_it_speaks_the_drafter_protocol():
    drafter = NgramDrafter()

    assert isinstance(drafter, Drafter)
    assert drafter.source == "ngram"
    assert drafter.propose(4) == []
    assert drafter.match_length == 0


def test_proposals_are_plain_ints():
    assert [type(token) for token in following(np.array([1, 1, 1])).propose(2)] == [int, int]


@given(alphabets, alphabets, st.integers(0, 8))
def test_a_look_beyond_guesses_is_as_if_they_were_known_and_keeps_none(tokens, guesses, k):
    drafter = following(tokens)
    before = drafter.propose(5)

    assert drafter.propose_after(guesses, k) == following([*tokens, *guesses]).propose(k)
    drafter.observe([])
    assert drafter.propose(5) == before
