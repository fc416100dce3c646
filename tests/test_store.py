"""Drafting from a store of recorded answers: look-up and majority by brute force, files, its place in the cascade."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cost import CostCurve
from engine.drafters import store_file
from engine.drafters.answer_index import ENOUGH, LONGEST, MOST, SHORTEST, AnswerIndex
from engine.drafters.ngram import NgramDrafter
from engine.drafters.store import LARGEST, StoreDrafter, claim, follow
from engine.errors import SlipstreamError
from engine.pace import Pace
from engine.request import Speculation
from engine.speculator import Speculator

SHA = "ab" * 32
END = 5
FEW = st.lists(st.integers(0, END - 1), min_size=1, max_size=30)
BITS = (3, 16, 18)  # keys of 21, 4 and 3 tokens


def joined(answers: list[list[int]], end: int = END) -> np.ndarray:
    return np.array([token for answer in answers for token in [*answer, end]], dtype=np.uint16)


def drafter(answers: list[list[int]]) -> StoreDrafter:
    made = StoreDrafter(joined(answers), END)
    made.wait()
    return made


def agreement(ids: list[int], place: int, last: list[int]) -> int:
    """How many tokens before `place` equal the end of `last`, LONGEST at most."""
    count = 0
    while count < min(place, len(last), LONGEST) and ids[place - 1 - count] == last[-1 - count]:
        count += 1
    return count


# Look-up


@settings(max_examples=150, deadline=None)
@given(st.lists(FEW, min_size=1, max_size=8), FEW, st.sampled_from(BITS))
def test_the_index_finds_what_a_scan_finds(answers: list[list[int]], last: list[int], bits: int) -> None:
    ids = joined(answers)
    places, lengths = AnswerIndex(ids, bits).find(np.array(last))

    agreeing = {place: agreement(ids.tolist(), place, last) for place in range(len(ids))}
    wanted: list[int] = []
    for length in range(min(64 // bits, LONGEST, len(last)), SHORTEST - 1, -1):
        wanted = [place for place, count in agreeing.items() if count >= length]
        if len(wanted) >= ENOUGH:
            break
    assert sorted(places.tolist()) == wanted
    assert all(agreeing[place] == length for place, length in zip(places, lengths, strict=True))
    assert (lengths >= SHORTEST).all()


def test_a_frequent_ending_is_looked_at_in_part() -> None:
    places, _ = AnswerIndex(joined([[1, 2, 3]] * (3 * MOST)), 3).find(np.array([1, 2]))
    assert len(places) == MOST


@pytest.mark.parametrize("last", [[], [1], [4, 4, 4]])
def test_what_is_too_short_or_unknown_is_not_found(last: list[int]) -> None:
    assert len(AnswerIndex(joined([[1, 2, 3]]), 3).find(np.array(last, dtype=np.int64))[0]) == 0


# The majority's way on


def by_hand(ids: list[int], places: list[int], lengths: list[int]) -> list[int]:
    """The same as `follow` without an end by doubt."""
    found: list[int] = []
    for step in range(LARGEST):
        votes: Counter[int] = Counter()
        for place, length in zip(places, lengths, strict=True):
            votes[ids[min(place + step, len(ids) - 1)]] += (length + step - 1) ** 2
        token = min(votes, key=lambda each: (-votes[each], each))
        if token == END:
            break
        found.append(token)
        kept = [i for i, place in enumerate(places) if ids[min(place + step, len(ids) - 1)] == token]
        places, lengths = [places[i] for i in kept], [lengths[i] for i in kept]
    return found


@settings(max_examples=150, deadline=None)
@given(st.lists(FEW, min_size=1, max_size=8), FEW)
def test_guesses_are_what_most_answers_say(answers: list[list[int]], last: list[int]) -> None:
    ids = joined(answers)
    places, lengths = AnswerIndex(ids, 3).find(np.array(last))
    guesses = follow(ids, END, places, lengths) if len(places) else []

    whole = by_hand(ids.tolist(), places.tolist(), lengths.tolist()) if len(places) else []
    assert [guess.token for guess in guesses] == whole[: len(guesses)]
    assert all(0.0 < guess.claim < 1.0 for guess in guesses)


def test_no_guess_reaches_into_the_next_answer() -> None:
    made = drafter([[1, 2, 3], [4, 4, 4]])
    made.reset([1, 2])
    assert made.propose(15) == [3]


def test_doubt_ends_a_draft() -> None:
    """GIVEN answers that all go on differently after a common beginning THEN only that is drafted."""
    made = StoreDrafter(joined([[1, 2, 3, 4, 10 + i] for i in range(40)], end=99), 99)
    made.wait()
    made.reset([1, 2])
    assert made.propose(15) == [3, 4]


def test_claims_grow_with_share_number_and_length_of_matches() -> None:
    assert claim(0.9, 4, 4) > claim(0.5, 4, 4)
    assert claim(1.0, 9, 4) > claim(1.0, 1, 4)
    assert claim(1.0, 1, 9) > claim(1.0, 1, 3)
    assert claim(1.0, 10**6, 12) <= 1.0


# It follows the text


@settings(max_examples=60, deadline=None)
@given(st.lists(FEW, min_size=1, max_size=5), FEW, st.lists(FEW, max_size=4))
def test_observed_piece_by_piece_is_the_same_as_at_once(
    answers: list[list[int]], text: list[int], more: list[list[int]]
) -> None:
    made = drafter(answers)
    made.reset(text)
    for piece in more:
        made.propose(3)
        made.observe(piece)
    known = [*text, *(token for piece in more for token in piece)]
    again = made.guesses()
    made.reset(known)
    assert made.guesses() == again
    made.reset(known[:1])
    assert made.guesses() == []


def test_nothing_is_drafted_before_the_index_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StoreDrafter, "_make", lambda self: None)
    made = StoreDrafter(joined([[1, 2, 3]]), END)
    made.reset([1, 2])
    assert made.guesses() == []


# Files


def written(folder: Path, answers: list[list[int]], vocabulary: int = END) -> Path:
    path = folder / store_file.FILE
    store_file.write(path, SHA, vocabulary, [np.array(answer, dtype=np.int32) for answer in answers])
    return path


@pytest.mark.parametrize("vocabulary", [END, 65_535, 65_536, 151_936])
def test_a_store_is_read_as_it_was_written(tmp_path: Path, vocabulary: int) -> None:
    answers = [[0, vocabulary - 1, 2], [], [1]]
    path = written(tmp_path, answers, vocabulary)
    stored = store_file.read(path, SHA, vocabulary)
    assert stored.ids.tolist() == [0, vocabulary - 1, 2, vocabulary, 1, vocabulary]
    assert (stored.end, stored.answers, stored.tokens) == (vocabulary, 2, 4)
    assert store_file.target_of(path) == SHA
    assert path.stat().st_size == store_file.HEADER.size + 6 * (2 if vocabulary < 65_536 else 4)


@pytest.mark.parametrize(
    ("sha", "vocabulary"), [("cd" * 32, END), (SHA, END + 1)], ids=["other target", "other vocabulary"]
)
def test_another_models_answers_are_refused(tmp_path: Path, sha: str, vocabulary: int) -> None:
    with pytest.raises(SlipstreamError, match="another model's answers"):
        store_file.read(written(tmp_path, [[1, 2]]), sha, vocabulary)


def test_torn_and_damaged_files_are_refused(tmp_path: Path) -> None:
    """GIVEN a store WHEN it is cut anywhere, or any one byte is another THEN it is refused by a sentence."""
    path = written(tmp_path, [[1, 2, 3], [4]])
    whole = path.read_bytes()
    damaged = [whole[:size] for size in range(len(whole))] + [whole + b"\0"]
    count_of_answers = range(12, 16)  # is not hashed, and only told
    damaged += [
        whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :]
        for at in range(len(whole))
        if at not in count_of_answers
    ]
    for content in damaged:
        path.write_bytes(content)
        with pytest.raises(SlipstreamError, match="or delete it"):
            store_file.read(path, SHA, END)


def test_ids_beyond_the_vocabulary_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, [[1, END + 3]])
    with pytest.raises(SlipstreamError, match="is damaged"):
        store_file.read(path, SHA, END)


def test_what_is_no_regular_file_or_not_there_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(SlipstreamError):
            store_file.read(path, SHA, END)
        assert store_file.target_of(path) is None


def test_an_empty_store_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(SlipstreamError, match="no answers"):
        written(tmp_path, [[]])


# In the cascade


def speculator(
    answers: list[list[int]], mode: Speculation = Speculation.AUTO, k: int | None = None
) -> Speculator:
    return Speculator(
        mode,
        Pace(CostCurve([1, 9], [1.0, 1.2])),
        ngram=NgramDrafter(min_match=1),
        draft=None,
        draft_tokens=k,
        baseline_age=None,
        store=drafter(answers),
    )


KNOWN = [[1, 2, 3, 4, 0, 1]] * 9


@pytest.mark.parametrize("mode", [Speculation.AUTO, Speculation.NGRAM])
@pytest.mark.parametrize("k", [None, 3])
def test_the_store_drafts_what_the_text_does_not_repeat(mode: Speculation, k: int | None) -> None:
    made = speculator(KNOWN, mode, k)
    made.reset([1, 2])
    proposal = made.propose(100)
    assert (proposal.tokens[:3], proposal.source) == ([3, 4, 0], "store")
    assert len(made.propose(3).tokens) <= 2


@pytest.mark.parametrize("mode", [Speculation.OFF, Speculation.DRAFT, Speculation.DFLASH])
def test_other_modes_do_without_it(mode: Speculation) -> None:
    made = speculator(KNOWN, mode)
    made.reset([1, 2])
    assert made.propose(100).tokens == []


def test_a_store_that_is_always_wrong_costs_little() -> None:
    """GIVEN a store whose guesses are never right WHEN 600 passes are made THEN at most 3 % of the time are lost."""
    made = speculator(KNOWN)
    made.pace.cost = CostCurve([1, 2, 3, 5, 9, 17], [8.0, 8.2, 8.9, 9.4, 10.8, 13.5])
    rng, seconds = np.random.default_rng(0), 0.0
    made.reset([1, 2])
    for _ in range(600):
        drafted = len(made.propose(100).tokens)
        seconds += float(np.interp(drafted + 1, [1, 2, 3, 5, 9, 17], [8.0, 8.2, 8.9, 9.4, 10.8, 13.5]))
        made.observe([1, int(rng.integers(100, 10**6)), *made_up(rng)], drafted, 0, 8.0)
    assert seconds < 1.03 * 600 * 8.0


def made_up(rng: np.random.Generator) -> list[int]:
    return [[1, 2], [2, 3], [3, 4]][int(rng.integers(3))]


def test_what_becomes_of_its_guesses_corrects_its_claims() -> None:
    made = speculator(KNOWN, k=3)
    for _ in range(30):
        made.reset([1, 2])
        made.propose(100)
        before = [made.pace.store.probability(claimed) for claimed in made._stored[:1]]
        made.observe([9], 3, 0, 1.0)
    assert before[0] < 0.2
