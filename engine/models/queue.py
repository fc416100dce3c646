"""Fetches one after the other on a thread of their own: pause, go on, cancel, another order, and on after a restart."""

import contextlib
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from engine.errors import SlipstreamError
from engine.events import Progress
from engine.models import queue_file
from engine.models.hub import GatedError
from engine.models.meter import CancelledError, Listener
from engine.models.queue_file import Item, State, Wanted
from engine.models.speed import Speed

__all__ = ["FetchQueue", "Item", "State", "Wanted"]

Fetch = Callable[[Wanted, Listener, threading.Event], None]


class FetchQueue:
    """Safe to use from any thread. `held`: an earlier run left something, and nothing starts before `go_on`.

    `fetch(wanted, progress, cancel)` brings one, `discard(wanted)` deletes what has arrived of one that was dropped;
    `unexpected` gets what nobody foresaw and gives a sentence.
    """

    def __init__(
        self,
        path: Path,
        fetch: Fetch,
        discard: Callable[[Wanted], None] = lambda wanted: None,
        unexpected: Callable[[BaseException], str] = str,
    ) -> None:
        self._path = path
        self._fetch = fetch
        self._discard = discard
        self._unexpected = unexpected
        self._changed = threading.Condition()
        self._items = queue_file.read(path)
        self._next = len(self._items)
        self.held = any(item.state is State.WAITING for item in self._items)
        self.problem = ""  # the queue's file can't be written
        self._cancel = threading.Event()
        self._running: int | None = None
        self._closing = False
        self._thread: threading.Thread | None = None

    def items(self) -> list[Item]:
        with self._changed:
            return list(self._items)

    def add(self, wanted: Wanted) -> int:
        """Its number; that of the one already there, which goes on, if the same is wanted twice."""
        with self._changed:
            there = next((item for item in self._items if item.wanted.name == wanted.name), None)
            if there is not None and there.state in (State.WAITING, State.RUNNING):
                return there.id
            number = self._next if there is None else there.id
            if there is None:
                self._next += 1
                self._items.append(Item(number, wanted))
            else:
                self._replace(number, Item(number, wanted, done=there.done, total=there.total))
            self._tell()
        self._start()
        return number

    def pause(self, number: int) -> None:
        """What has arrived is kept, and the next one begins."""
        with self._changed:
            item = self._item(number)
            if item is None or item.state not in (State.WAITING, State.RUNNING):
                return
            self._replace(number, replace(item, state=State.PAUSED, speed=None, left_s=None))
            if item.state is State.RUNNING:
                self._cancel.set()
            self._tell()

    def resume(self, number: int) -> None:
        """A paused or failed one waits for its turn again."""
        with self._changed:
            item = self._item(number)
            if item is None or item.state not in (State.PAUSED, State.FAILED):
                return
            self._replace(number, replace(item, state=State.WAITING, problem="", gated=False))
            self._tell()
        self._start()

    def drop(self, number: int) -> None:
        """Takes it out of the queue, stops it if it runs, and deletes what has arrived."""
        with self._changed:
            item = self._item(number)
            if item is None:
                return
            self._items.remove(item)
            if item.id == self._running:
                self._cancel.set()  # and the thread discards
            elif item.state is not State.DONE:
                self._give_up(item.wanted)
            self._tell()

    def move(self, number: int, by: int) -> None:
        """`by` places further down, or up if negative."""
        with self._changed:
            item = self._item(number)
            if item is not None:
                at = self._items.index(item)
                self._items.insert(max(0, min(at + by, len(self._items) - 1)), self._items.pop(at))
                self._tell()

    def clear_done(self) -> None:
        with self._changed:
            self._items = [item for item in self._items if item.state is not State.DONE]
            self._tell()

    def go_on(self) -> None:
        """The user agrees to what an earlier run left."""
        self.held = False
        self._start()

    def close(self, timeout_s: float = 1.0) -> None:
        """Stops; what waits or runs is there at the next start."""
        with self._changed:
            self._closing = True
            self._cancel.set()
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(timeout_s)

    def _start(self) -> None:
        self.held = False  # whoever adds or resumes wants fetches to run
        with self._changed:
            if self._thread is None and not self._closing:
                self._thread = threading.Thread(target=self._serve, daemon=True, name="fetch-queue")
                self._thread.start()

    def _serve(self) -> None:
        while True:
            with self._changed:
                while not self._closing and (item := self._first()) is None:
                    self._changed.wait()
                if self._closing:
                    return
                assert item is not None
                self._cancel = cancel = threading.Event()
                self._running = item.id
                self._replace(item.id, replace(item, state=State.RUNNING, stage="", problem="", gated=False))
                self._tell()
            error = self._run(item, cancel)
            with self._changed:
                self._running = None
                self._settle(item, error, cancel)
                self._tell()

    def _run(self, item: Item, cancel: threading.Event) -> BaseException | None:
        speed = Speed()

        def report(progress: Progress) -> None:
            counts = progress.stage == "download"
            if counts:
                speed.saw(progress.done)
            with self._changed:
                now = self._item(item.id)
                if now is not None and now.state is State.RUNNING and not cancel.is_set():
                    self._replace(item.id, _with(now, progress, speed if counts else None))

        try:
            self._fetch(item.wanted, report, cancel)
        except BaseException as error:  # it is told in `_settle`
            return error
        return None

    def _settle(self, begun: Item, error: BaseException | None, cancel: threading.Event) -> None:
        item = self._item(begun.id)
        if item is None:
            if error is not None:
                self._give_up(begun.wanted)
            return
        calm = replace(item, speed=None, left_s=None)
        if error is None:
            self._replace(item.id, replace(calm, state=State.DONE, done=item.total))
        elif item.state is not State.RUNNING:
            pass  # paused meanwhile, or waiting again
        elif isinstance(error, CancelledError) or cancel.is_set():
            self._replace(item.id, replace(calm, state=State.WAITING))
        else:
            sentence = str(error) if isinstance(error, SlipstreamError) else self._unexpected(error)
            gated = isinstance(error, GatedError)
            self._replace(item.id, replace(calm, state=State.FAILED, problem=sentence, gated=gated))

    def _give_up(self, wanted: Wanted) -> None:
        with contextlib.suppress(SlipstreamError):  # what stays is used by the next fetch of it
            self._discard(wanted)

    def _first(self) -> Item | None:
        if self.held:
            return None
        return next((item for item in self._items if item.state is State.WAITING), None)

    def _item(self, number: int) -> Item | None:
        return next((item for item in self._items if item.id == number), None)

    def _replace(self, number: int, item: Item) -> None:
        self._items = [item if each.id == number else each for each in self._items]

    def _tell(self) -> None:
        """Writes the file and wakes the thread."""
        self.problem = ""
        try:
            queue_file.write(self._path, self._items)
        except SlipstreamError as error:
            self.problem = str(error)
        self._changed.notify_all()


def _with(item: Item, progress: Progress, speed: Speed | None) -> Item:
    missing = progress.total - progress.done
    return replace(
        item,
        stage=progress.stage,
        done=progress.done,
        total=progress.total,
        speed=speed.bytes_per_s if speed else None,
        left_s=speed.seconds_left(missing) if speed else None,
    )
