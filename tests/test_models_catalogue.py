"""The catalogue that ships, hostile catalogues, names and settings."""

import copy
import os
import ssl
import threading
from pathlib import Path
from typing import Any

import pytest

from engine.errors import SlipstreamError
from engine.events import Progress
from engine.models import disk, paths, trust
from engine.models.catalogue import Catalogue, IndexSource
from engine.models.meter import CancelledError, Meter

GOOD: dict[str, Any] = {
    "models": {
        "m": {
            "title": "M",
            "licence": "MIT",
            "architecture": "llama",
            "size_bytes": 9,
            "sha256": "0" * 64,
            "sources": [
                {
                    "kind": "index",
                    "wheels": [
                        {"file": "m-1-py3-none-any.whl", "size": 9, "sha256": "0" * 64, "member": "m/x.bin"}
                    ],
                }
            ],
        }
    },
    "pairs": {"p": {"title": "P", "target": "m", "draft": None}},
}


def test_the_shipped_catalogue_has_its_pairs() -> None:
    catalogue = Catalogue.load()
    assert catalogue.pairs["starter"].target == "smollm2-135m-instruct-q4_1"
    assert catalogue.pairs["coder"].target == catalogue.pairs["coder-0.5b"].target
    for name in (catalogue.pairs["starter"].target, *catalogue.pairs["coder-0.5b"].models):
        entry = catalogue.models[name]
        assert entry.licence == "Apache-2.0"
        assert any(isinstance(source, IndexSource) for source in entry.sources)


def _wheel(catalogue: dict[str, Any]) -> dict[str, Any]:
    wheel: dict[str, Any] = catalogue["models"]["m"]["sources"][0]["wheels"][0]
    return wheel


@pytest.mark.parametrize(
    "spoil",
    [
        lambda c: c["models"].update({"../x": c["models"]["m"]}),
        lambda c: _wheel(c).update(file="../../m-1-py3-none-any.whl"),
        lambda c: _wheel(c).update(file="m.exe"),
        lambda c: _wheel(c).update(member="../x.bin"),
        lambda c: _wheel(c).update(member="/etc/passwd"),
        lambda c: _wheel(c).update(member="..\\x"),
        lambda c: _wheel(c).update(sha256="abc"),
        lambda c: _wheel(c).update(size=0),
        lambda c: c["models"]["m"].update(sha256=""),
        lambda c: c["models"]["m"].update(sha256=None),
        lambda c: c["models"]["m"].update(format="pickle"),
        lambda c: c["models"]["m"].update(sources=[]),
        lambda c: c["models"]["m"]["sources"][0].update(kind="torrent"),
        lambda c: c["pairs"]["p"].update(target="absent"),
    ],
)
def test_a_wrong_catalogue_is_refused(spoil) -> None:
    Catalogue.parse(GOOD)
    catalogue = copy.deepcopy(GOOD)
    spoil(catalogue)
    with pytest.raises(SlipstreamError):
        Catalogue.parse(catalogue)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"models": {"m": {}}, "pairs": {}}', '{"models": 1}'])
def test_a_broken_catalogue_file_is_a_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "catalogue.json"
    path.write_text(text)
    with pytest.raises(SlipstreamError, match="install Slipstream again"):
        Catalogue.load(path)


def test_the_home_can_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLIPSTREAM_HOME", str(tmp_path))
    assert paths.home() == tmp_path


@pytest.fixture
def no_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No index is configured but in the file returned, which is pip's most specific one."""
    for name in ("SLIPSTREAM_INDEX_URL", "PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX"):
        monkeypatch.delenv(name, raising=False)
    path = tmp_path / "pip.conf"
    path.write_text("")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(path))
    return path


def test_the_index_is_the_one_that_pip_uses(no_pip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_pip.write_text("[global]\nindex-url = https://company.example/simple/\n")
    assert trust.index_url() == "https://company.example/simple"
    monkeypatch.setenv("UV_INDEX_URL", "https://uv.example/simple")
    assert trust.index_url() == "https://uv.example/simple"
    monkeypatch.setenv("PIP_INDEX_URL", "https://pip.example/simple")
    assert trust.index_url() == "https://pip.example/simple"
    monkeypatch.setenv("SLIPSTREAM_INDEX_URL", "https://own.example/simple/")
    assert trust.index_url() == "https://own.example/simple"


def test_a_broken_pip_configuration_is_passed_over(no_pip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_pip.write_text("index-url without a section")
    assert trust.pip_setting("no-such-key") is None
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    assert trust.index_url() == "https://pypi.org/simple"


def test_a_bundle_without_certificates_is_passed_over(no_pip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for bundle in ("/no/such/file.pem", str(no_pip)):
        monkeypatch.setenv("PIP_CERT", bundle)
        assert isinstance(trust.ssl_context(), ssl.SSLContext)


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (98_362_432, "98 MB"),
        (1_608_720_832, "1.6 GB"),
        (5 * 10**13, "50.0 TB"),
    ],
)
def test_sizes_in_words(size: int, words: str) -> None:
    assert disk.human(size) == words


def test_progress_is_told_at_most_ten_times_a_second() -> None:
    told: list[Progress] = []
    times = iter(i / 1000 for i in range(10**6))  # each look at the clock takes a millisecond
    meter = Meter(told.append, clock=lambda: next(times))
    meter.enter("download", total=1000)
    for _ in range(1000):
        meter.add(1)
    meter.finish()
    assert 5 <= len(told) <= 13
    assert told[-1] == Progress("download", 1000, 1000)


def test_a_pause_ends_with_a_cancel() -> None:
    cancel = threading.Event()
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            cancel.set()

    with pytest.raises(CancelledError):
        Meter(cancel=cancel).pause(60, sleep)
    assert len(slept) == 3
    assert max(slept) <= 0.2
