"""What the program says where a part of it is missing, in a checkout and in an installer's copy."""

import sys

import pytest

from engine import installation
from engine.bench import peers
from engine.errors import SlipstreamError


def test_a_checkout_is_mended_by_its_set_up() -> None:
    assert not installation.is_frozen()
    assert "packaging/start.sh" in installation.remedy()
    assert installation.how_to_add("bench") == "run pip install slipstream[bench]"


def test_an_installed_program_names_no_script_that_it_has_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(peers, "LIBRARIES", {"llama-cpp": "a_library_that_is_not_there"})

    assert "start.sh" not in installation.remedy()
    with pytest.raises(SlipstreamError, match=r"use a checkout of the source"):
        peers.require(["llama-cpp"])
