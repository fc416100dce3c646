"""Measures what the window costs: `python -m tests.window_speed gil|stop|open|scroll|stream`. Not collected by pytest.

gil     tokens/s with a window that shows the answer, and of the same request without one, in turn, in one process.
stop    milliseconds from the click on Stop to a free composer, and to the engine's return; while it decodes, and
        while it reads a prompt of 3,000 words.
open    milliseconds until a chat of 500 messages is painted.
scroll  memory after opening a chat of 500 messages and after scrolling through all of it; jumps of the view.
stream  milliseconds of each turn of the window's event loop while 20,000 tokens arrive at 200 tokens/s.

`gil` and `stop` run the pair `--pair` from SLIPSTREAM_HOME; the others need no model. On a busy machine the processor
time of the window's thread, told in brackets, says more than the time that passed. Run it under a real or virtual
display (xvfb-run): offscreen Qt paints less.
"""
# ruff: noqa: T201

import argparse
import contextlib
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from app import application
from app.main_window import MainWindow
from engine.engine import Engine
from engine.events import Delta, Event, Finished, FinishReason
from engine.metrics import Stats
from engine.models.catalogue import Pair
from engine.models.store import ModelStore
from engine.request import Request
from tests import fake_engine
from tests.fake_engine import FakeStore, Workshop, delta

QUESTION = "Write a long story about a lighthouse keeper who finds a map. Describe every day of the journey."
TOKENS_A_TURN = 10  # 200 tokens/s, drained 20 times a second
TURN_S = 0.01  # a fifth of what it really is
PARAGRAPH = (
    "The keeper walked along the shore and **counted** the waves, one by one, until `dawn` came again. " * 4
)
CODE = "```python\n" + "\n".join(f"value_{n} = compute({n})  # line {n}" for n in range(40)) + "\n```\n"
TABLE = "| day | miles |\n|---|---|\n" + "".join(f"| {n} | {n * 7} |\n" for n in range(12))
LIST = "".join(f"{n}. A list item with a *few* words of text in it.\n" for n in range(1, 15))
SAMPLE = f"## Day\n\n{PARAGRAPH}\n\n{LIST}\n{CODE}\n{PARAGRAPH}\n\n{TABLE}\n\n> {PARAGRAPH}\n\n"


class Watched:
    """The engine, and when it came back from its last answer."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.returned_at = 0.0
        self.asked: Request | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def generate(self, request: Request, cancel: threading.Event | None = None) -> Iterator[Event]:
        self.asked = request
        try:
            yield from self._engine.generate(request, cancel)
        finally:
            self.returned_at = time.perf_counter()

    def close(self) -> None:
        """It is used without the window as well."""


@contextlib.contextmanager
def window(store: Any, factory: Callable[..., Any]) -> Iterator[MainWindow]:
    with tempfile.TemporaryDirectory() as folder:
        _, shown = application.build(store, factory, Path(folder) / "history.sqlite3")
        shown.resize(1280, 800)
        wait(shown.engine.loaded, shown.show)
        yield shown
        shown.close()
        shown.history.close()


def wait(signal: Any, ask: Callable[[], object]) -> list[Any]:
    """Runs the window's own event loop from `ask` to the signal; its arguments."""
    loop, heard = QEventLoop(), list[Any]()

    def hear(*arguments: Any) -> None:
        heard.extend(arguments)
        loop.quit()

    signal.connect(hear)
    ask()
    loop.exec()
    signal.disconnect(hear)
    return heard


def pause(seconds: float) -> None:
    loop = QEventLoop()
    QTimer.singleShot(int(1000 * seconds), loop.quit)
    loop.exec()


def gil(pair: Pair, store: ModelStore, repeat: int) -> None:
    engine = Watched(Engine.load(store, pair))
    with window(store, lambda _pair, _progress: engine) as shown:
        for mode in ("off", "auto"):
            shown.header.switch.set_value(mode)
            in_window(shown)  # both have seen the prompt once
            rows = []
            for turn in range(repeat):
                ways = (headless, in_window) if turn % 2 == 0 else (in_window, headless)
                speeds = {way: way(shown) for way in ways}
                rows.append((speeds[headless], speeds[in_window]))
                print(f"{mode}: headless {rows[-1][0]:.1f}, window {rows[-1][1]:.1f} tokens/s", flush=True)
            ratio = statistics.median(shown / alone for alone, shown in rows)
            best = max(shown for _, shown in rows) / max(alone for alone, _ in rows)
            print(f"{mode}: window / headless: median {ratio:.3f}, of the best {best:.3f}")


def headless(shown: MainWindow) -> float:
    """What the window asked last, in a thread, while the window's thread only waits."""
    engine = shown.engine._worker._engine
    assert isinstance(engine, Watched)
    request = engine.asked
    assert request is not None
    ends: list[Finished] = []

    def run() -> None:
        ends.extend(event for event in engine.generate(request) if isinstance(event, Finished))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return ends[0].stats.tokens_per_second or 0.0


def in_window(shown: MainWindow) -> float:
    shown.new_chat()
    start, used = time.perf_counter(), time.thread_time()
    _, finished = wait(shown.session.answer_finished, lambda: shown.session.send(QUESTION))
    share = (time.thread_time() - used) / (time.perf_counter() - start)
    print(f"  the window's thread used {share:.1%} of one core; {finished.stats.tokens} tokens")
    return float(finished.stats.tokens_per_second or 0.0)


def stop(pair: Pair, store: ModelStore) -> None:
    engine = Watched(Engine.load(store, pair))
    long_prompt = " ".join((PARAGRAPH * 100).split()[:3000])
    with window(store, lambda _pair, _progress: engine) as shown:
        for what, text, after in (("decoding", QUESTION, 1.0), ("reading the prompt", long_prompt, 1.0)):
            for _ in range(3):
                stop_once(shown, engine, what, text, after)


def stop_once(shown: MainWindow, engine: Watched, what: str, text: str, after: float) -> None:
    shown.new_chat()
    engine.returned_at = 0.0
    shown.session.send(f"{time.time()} {text}")  # nothing of it is known from an earlier turn
    pause(after)
    if shown.session.answer is None:
        print(f"stop while {what}: the answer was over before")
        return
    clicked = time.perf_counter()
    shown.view.composer.button.click()
    QApplication.processEvents()
    answered = time.perf_counter()
    while not engine.returned_at:
        pause(0.01)
    free, back = 1000 * (answered - clicked), 1000 * (engine.returned_at - clicked)
    print(
        f"stop while {what}: composer free after {free:.0f} ms, engine back after {back:.0f} ms", flush=True
    )


def long_chat(shown: MainWindow) -> int:
    """A conversation of 500 messages."""
    history = shown.history
    conversation = history.create("long", "starter")
    for number in range(250):
        history.add_user(conversation, f"Question {number}: {PARAGRAPH}")
        answer = history.start_assistant(conversation)
        history.append(answer, SAMPLE)
        history.finish(answer, "complete", None)
    return conversation


def open_chat() -> None:
    with window(FakeStore.with_starter(), Workshop()) as shown:
        conversation = long_chat(shown)
        for _ in range(3):
            shown.new_chat()
            QApplication.processEvents()
            start, used = time.perf_counter(), time.thread_time()
            shown.session.open(conversation)
            QApplication.processEvents()
            taken, used = time.perf_counter() - start, time.thread_time() - used
            print(f"open 500 messages: {1000 * taken:.0f} ms ({1000 * used:.0f})")


def scroll() -> None:
    with window(FakeStore.with_starter(), Workshop()) as shown:
        conversation = long_chat(shown)
        print(f"empty: {megabytes():.0f} MB")
        shown.session.open(conversation)
        pause(1)
        transcript = shown.view.transcript
        bar = transcript.verticalScrollBar()
        print(f"opened: {megabytes():.0f} MB, {len(transcript.messages)} messages have widgets")
        most, slowest, jumps = 0, 0.0, 0
        while bar.value() > 0:
            place = transcript.entries.first_seen()
            assert place is not None
            known, before = place.widget, place.place.y() - bar.value()
            step = min(400, bar.value())
            bar.setValue(bar.value() - step)
            used = time.thread_time()
            QApplication.processEvents()
            slowest = max(slowest, time.thread_time() - used)
            most = max(most, len(transcript.messages))
            jumps += known is not None and place.place.y() - bar.value() != before + step
        print(f"scrolled through all: {megabytes():.0f} MB, at most {most} messages had widgets")
        print(f"slowest turn ({1000 * slowest:.0f} ms), the view jumped {jumps} times")


def megabytes() -> float:
    return psutil.Process().memory_info().rss / 2**20


def stream(tokens: int) -> None:
    """Five times real time, but each turn of the loop does what it would do at 200 tokens/s."""
    fake_engine.PATIENCE_S = 3600.0
    gate = threading.Event()
    script = fake_engine.Script(gate=gate, gate_at=0)
    with window(FakeStore.with_starter(), Workshop(script)) as shown:
        application.settle_heap()
        shown.session.send("Tell me everything")
        turns = list(stream_turns(shown, tokens))
        gate.set()
    print(f"{tokens} tokens in {len(turns)} turns: {spread([turn[0] for turn in turns])}")
    print(f"processor time of the window's thread: ({spread([turn[1] for turn in turns])})")
    for seconds, used, turn in sorted(turns)[-5:]:
        print(f"  {1000 * seconds:.1f} ms ({1000 * used:.1f}) in turn {turn}")


def spread(seconds: list[float]) -> str:
    times = sorted(1000 * each for each in seconds)
    p99 = times[int(0.99 * len(times))]
    return f"median {statistics.median(times):.1f} ms, p99 {p99:.1f} ms, maximum {times[-1]:.1f} ms"


def stream_turns(shown: MainWindow, tokens: int) -> Iterator[tuple[float, float, int]]:
    words = [
        word + " " if not word.endswith("\n") else word for word in SAMPLE.replace("\n", "\n ").split(" ")
    ]
    count = 0
    for turn in range(tokens // TOKENS_A_TURN):
        deltas: list[Delta] = []
        for _ in range(TOKENS_A_TURN):
            deltas.append(delta(words[count % len(words)], count))
            count += 1
        due = time.perf_counter() + TURN_S
        start, used = time.perf_counter(), time.thread_time()
        shown.engine.deltas.emit(deltas)
        if turn % 20 == 0:
            shown.session.recorder.save()
        QApplication.processEvents()
        yield time.perf_counter() - start, time.thread_time() - used, turn
        while time.perf_counter() < due:
            QApplication.processEvents()
    shown.engine.finished.emit(Finished(FinishReason.STOP, "", (), Stats(tokens=count)))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["gil", "stop", "open", "scroll", "stream"])
    parser.add_argument("--pair", default="starter")
    parser.add_argument("--tokens", type=int, default=0)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    if options.what == "open":
        open_chat()
    elif options.what == "scroll":
        scroll()
    elif options.what == "stream":
        stream(options.tokens or 20_000)
    else:
        store = ModelStore()
        pair = store.pair(options.pair)
        if options.what == "gil":
            gil(pair, store, options.repeat)
        else:
            stop(pair, store)


if __name__ == "__main__":
    sys.exit(main())
