"""The fetch queue: one after the other, stopped and gone on with, and still there after a crash."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.errors import SlipstreamError
from engine.events import Progress
from engine.models.catalogue import Catalogue
from engine.models.hub import GatedError
from engine.models.last_used import note, read
from engine.models.meter import CancelledError, Listener
from engine.models.queue import FetchQueue, State, Wanted
from engine.models.speed import Speed
from engine.models.store import ModelStore
from tests.fake_registry import FakeRegistry, Fault, World
from tests.gguf_files import tiny_gguf

CHILD = """
import sys, threading
from pathlib import Path
from engine.models.catalogue import Catalogue
from engine.models.queue import FetchQueue, Wanted
from engine.models.store import ModelStore
home = Path(sys.argv[1])
store = ModelStore(home, Catalogue.load(home / "catalogue.json"))
def fetch(wanted, progress, cancel):
    store.fetch(wanted.name, lambda told: (progress(told), print(told.done, flush=True)), cancel)
queue = FetchQueue(home / "fetch-queue.json", fetch)
queue.add(Wanted("tiny", "Tiny"))
threading.Event().wait()
"""


class Hands:
    """Fetches by hand: each waits until the test lets it end."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.discarded: list[str] = []
        self.ends: dict[str, BaseException | None] = {}
        self.changed = threading.Condition()
        self.running = 0
        self.most = 0

    def fetch(self, wanted: Wanted, progress: Listener, cancel: threading.Event) -> None:
        with self.changed:
            self.begun.append(wanted.name)
            self.running += 1
            self.most = max(self.most, self.running)
            self.changed.notify_all()
        progress(Progress("download", 40, 100))
        try:
            while not cancel.is_set():
                with self.changed:
                    if wanted.name in self.ends:
                        error = self.ends.pop(wanted.name)
                        if error is not None:
                            raise error
                        return
                    self.changed.wait(0.01)
            raise CancelledError("stopped")
        finally:
            self.running -= 1

    def end(self, name: str, error: BaseException | None = None) -> None:
        with self.changed:
            self.ends[name] = error
            self.changed.notify_all()

    def discard(self, wanted: Wanted) -> None:
        self.discarded.append(wanted.name)


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def queue(tmp_path: Path, hands: Hands) -> Iterator[FetchQueue]:
    queue = FetchQueue(tmp_path / "fetch-queue.json", hands.fetch, hands.discard)
    yield queue
    queue.close(10)


def until(true: Callable[[], object]) -> None:
    for _ in range(2000):
        if true():
            return
        threading.Event().wait(0.005)
    pytest.fail("it did not happen")


def states(queue: FetchQueue) -> dict[str, State]:
    return {item.wanted.name: item.state for item in queue.items()}


def add(queue: FetchQueue, *names: str) -> list[int]:
    return [queue.add(Wanted(name, name.title())) for name in names]


def test_fetches_come_one_after_the_other(queue: FetchQueue, hands: Hands) -> None:
    add(queue, "a", "b")
    until(lambda: hands.begun == ["a"])
    hands.end("a")
    until(lambda: hands.begun == ["a", "b"])
    hands.end("b")
    until(lambda: set(states(queue).values()) == {State.DONE})
    assert hands.most == 1
    queue.clear_done()
    assert queue.items() == []


def test_the_same_is_fetched_once(queue: FetchQueue, hands: Hands) -> None:
    first, second = add(queue, "a", "a")
    assert first == second
    assert len(queue.items()) == 1


def test_a_pause_lets_the_next_one_begin_and_keeps_the_place(queue: FetchQueue, hands: Hands) -> None:
    a, _ = add(queue, "a", "b")
    until(lambda: queue.items()[0].done == 40)
    queue.pause(a)
    until(lambda: hands.begun == ["a", "b"])
    assert states(queue)["a"] is State.PAUSED
    assert (queue.items()[0].done, queue.items()[0].total, hands.discarded) == (40, 100, [])
    hands.end("b")
    queue.resume(a)
    until(lambda: hands.begun == ["a", "b", "a"])


def test_a_dropped_one_is_stopped_and_what_arrived_discarded_when_nothing_writes_it(
    queue: FetchQueue, hands: Hands
) -> None:
    a, b = add(queue, "a", "b")
    until(lambda: hands.begun == ["a"])
    queue.drop(b)
    assert hands.discarded == ["b"]
    queue.drop(a)
    until(lambda: hands.discarded == ["b", "a"])
    assert hands.running == 0
    assert queue.items() == []


def test_a_failure_is_told_and_the_queue_goes_on(queue: FetchQueue, hands: Hands) -> None:
    a, *_ = add(queue, "a", "b", "c")
    hands.end("a", GatedError("maker/a", "it refuses access (HTTP 401)"))
    hands.end("b", SlipstreamError("The disk is full."))
    until(lambda: hands.begun == ["a", "b", "c"])
    first, second, _ = queue.items()
    assert (first.state, first.gated, "maker/a" in first.problem) == (State.FAILED, True, True)
    assert (second.problem, second.gated) == ("The disk is full.", False)
    queue.resume(a)
    hands.end("c")
    until(lambda: hands.begun[-1] == "a" and len(hands.begun) == 4)
    assert queue.items()[0].problem == ""


def test_another_order(queue: FetchQueue, hands: Hands) -> None:
    *_, c = add(queue, "a", "b", "c")
    until(lambda: hands.begun == ["a"])
    queue.move(c, -1)
    assert list(states(queue)) == ["a", "c", "b"]
    hands.end("a")
    until(lambda: hands.begun == ["a", "c"])


def test_what_an_earlier_run_left_waits_until_the_user_agrees(tmp_path: Path, hands: Hands) -> None:
    path = tmp_path / "fetch-queue.json"
    first = FetchQueue(path, hands.fetch)
    add(first, "a", "b")
    until(lambda: hands.begun == ["a"])
    first.close(10)
    hands.begun.clear()

    again = FetchQueue(path, hands.fetch)
    assert again.held
    assert list(states(again).items()) == [("a", State.WAITING), ("b", State.WAITING)]
    assert hands.begun == []
    again.go_on()
    until(lambda: hands.begun == ["a"])
    again.close(10)


@pytest.mark.parametrize("text", ["", "[]", '{"items": [{"name": 1}]}', '{"items": 5}', "[" * 5000, "\0"])
def test_a_torn_queue_file_is_an_empty_queue(tmp_path: Path, hands: Hands, text: str) -> None:
    path = tmp_path / "fetch-queue.json"
    path.write_text(text)
    assert FetchQueue(path, hands.fetch).items() == []


def test_a_killed_program_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeRegistry() as registry:
        monkeypatch.setenv("HF_ENDPOINT", registry.url)
        world = World(registry, tmp_path)
        world.content = tiny_gguf(tmp_path / "t.gguf").read_bytes()
        catalogue = world.catalogue()
        source = {"kind": "hub", "repo": "maker/tiny", "file": "tiny.gguf", "revision": "main"}
        catalogue["models"]["tiny"]["sources"] = [source]
        (tmp_path / "catalogue.json").write_text(json.dumps(catalogue))
        registry.files[world.HUB_FILE] = world.content
        half = len(world.content) // 2
        registry.faults[world.HUB_FILE].append(Fault(after=half, hang=True))
        root = str(Path(__file__).parents[1])
        with subprocess.Popen(
            [sys.executable, "-c", CHILD, str(tmp_path)], cwd=root, env=dict(os.environ), stdout=-1, text=True
        ) as child:
            assert child.stdout is not None
            next(line for line in child.stdout if int(line) >= half)
            child.send_signal(signal.SIGKILL)

        store = ModelStore(tmp_path, Catalogue.parse(catalogue))
        again = FetchQueue(
            tmp_path / "fetch-queue.json", lambda wanted, *told: store.fetch(wanted.name, *told)
        )
        (left,) = again.items()
        assert (left.wanted.name, left.state, again.held) == ("tiny", State.WAITING, True)
        again.go_on()
        until(lambda: again.items()[0].state is State.DONE)
        again.close(10)

        assert world.fetched() == world.content
        assert registry.asked_for(world.HUB_FILE)[1].range == f"bytes={half}-"


def test_speed_is_that_of_the_last_seconds() -> None:
    now = [0.0]
    speed = Speed(lambda: now[0])
    assert speed.bytes_per_s is None
    for second in range(21):
        now[0] = float(second)
        speed.saw(second * 100 if second < 10 else 1000 + (second - 10) * 300)
    assert speed.bytes_per_s == pytest.approx(300)
    assert speed.seconds_left(600) == pytest.approx(2)
    speed.saw(0)  # started over
    assert speed.bytes_per_s is None
    assert speed.seconds_left(600) is None


def test_last_use_is_remembered_and_a_torn_record_is_none(tmp_path: Path) -> None:
    note(tmp_path, ("a", "b"))
    note(tmp_path, ("b",))
    assert set(read(tmp_path)) == {"a", "b"}
    (tmp_path / "last-used.json").write_text("[")
    assert read(tmp_path) == {}
