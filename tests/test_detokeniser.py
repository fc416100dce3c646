"""Streaming text: what was pushed is never taken back and adds up to the whole."""

from hypothesis import given
from hypothesis import strategies as st

from engine.detokeniser import Detokeniser


class Bytes:
    """Token i spells byte i; token 256 is a control token."""

    silent_ids = frozenset({256})

    def token_bytes(self, token: int) -> bytes:
        return b"<end>" if token == 256 else bytes([token])


def stream(ids: list[int], cuts: list[int]) -> str:
    detokeniser = Detokeniser(Bytes())
    text, at = "", 0
    for cut in cuts:
        text += detokeniser.push(ids[at : at + cut])
        at += cut
    return text + detokeniser.push(ids[at:]) + detokeniser.finish()


@given(st.binary(max_size=60), st.lists(st.integers(0, 4), max_size=30))
def test_pushes_add_up_to_the_decoding_of_all_bytes(data: bytes, cuts: list[int]) -> None:
    assert stream(list(data), cuts) == data.decode(errors="replace")


@given(st.text(max_size=30), st.lists(st.integers(0, 4), max_size=30))
def test_no_replacement_character_appears_in_sound_text(text: str, cuts: list[int]) -> None:
    assert stream(list(text.encode()), cuts) == text


def test_half_a_character_is_held() -> None:
    detokeniser = Detokeniser(Bytes())
    first, second, third = "€".encode()
    assert detokeniser.push([ord("a"), first]) == "a"
    assert detokeniser.push([second]) == ""
    assert detokeniser.push([third]) == "€"
    assert detokeniser.finish() == ""


def test_finish_shows_what_stayed_unfinished_and_starts_afresh() -> None:
    detokeniser = Detokeniser(Bytes())
    assert detokeniser.push(["€".encode()[0]]) == ""
    assert detokeniser.finish() == "\ufffd"
    assert detokeniser.push([ord("b")]) == "b"


def test_control_tokens_are_silent_unless_asked_for() -> None:
    assert Detokeniser(Bytes()).push([ord("a"), 256, ord("b")]) == "ab"
    assert Detokeniser(Bytes(), show_special=True).push([ord("a"), 256]) == "a<end>"
