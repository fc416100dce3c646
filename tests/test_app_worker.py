"""One thread owns the engine: what is asked comes back once, in order, and never after a stop."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.worker import EngineLike, EngineThread, FailureLog, no_engine
from engine.errors import SlipstreamError
from engine.events import Failed, FinishReason, Progress
from engine.models.catalogue import Pair
from engine.request import Message, Request, Speculation
from tests.fake_engine import Script, Workshop, delta

PAIR = Pair("starter", "Starter", "small", None)
REQUEST = Request([Message("user", "Hello")])


@pytest.fixture
def workshop() -> Workshop:
    return Workshop()


@pytest.fixture
def log(tmp_path: Path) -> FailureLog:
    return FailureLog(tmp_path / "log.txt")


@pytest.fixture
def engine(qtbot: QtBot, workshop: Workshop, log: FailureLog) -> Iterator[EngineThread]:
    thread = EngineThread(workshop, log)
    yield thread
    if workshop.script.gate is not None:
        workshop.script.gate.set()
    assert thread.close(10_000)


class Heard:
    """Everything the window is told, in order."""

    def __init__(self, engine: EngineThread) -> None:
        self.text = ""
        self.ends: list[object] = []
        engine.deltas.connect(
            lambda deltas: setattr(self, "text", self.text + "".join(d.text for d in deltas))
        )
        engine.finished.connect(self.ends.append)
        engine.failed.connect(self.ends.append)


def load(qtbot: QtBot, engine: EngineThread) -> None:
    with qtbot.waitSignal(engine.loaded):
        engine.load(PAIR)


def test_an_answer_streams_and_finishes_once(qtbot: QtBot, engine: EngineThread) -> None:
    heard = Heard(engine)
    load(qtbot, engine)
    with qtbot.waitSignal(engine.finished) as finished:
        engine.generate(REQUEST)
    assert heard.text == "Hello there."
    assert finished.args[0].reason is FinishReason.STOP
    assert len(heard.ends) == 1
    assert not engine.answering


def test_loading_tells_its_progress_and_what_is_not_available(
    qtbot: QtBot, engine: EngineThread, workshop: Workshop
) -> None:
    workshop.stages = [Progress("converting", 1, 2), Progress("compiling", 2, 2)]
    workshop.script.unavailable = "there is no draft model"
    stages: list[str] = []
    engine.load_progress.connect(lambda progress: stages.append(progress.stage))
    with qtbot.waitSignal(engine.loaded) as loaded:
        engine.load(PAIR)
    assert stages[-1] == "compiling"
    assert loaded.args[0].unavailable[Speculation.AUTO] == "there is no draft model"
    assert loaded.args[0].unavailable[Speculation.OFF] is None


def test_stop_answers_at_once_while_the_engine_is_busy(
    qtbot: QtBot, engine: EngineThread, workshop: Workshop
) -> None:
    """GIVEN an engine deep in a pass that hears no cancel WHEN stopped THEN the window is free already."""
    workshop.script.gate, workshop.script.deaf = threading.Event(), True
    heard = Heard(engine)
    load(qtbot, engine)
    with qtbot.waitSignal(engine.deltas):
        engine.generate(REQUEST)
    assert engine.stop()
    assert not engine.answering
    workshop.script.gate.set()
    with qtbot.waitSignal(engine.finished):
        engine.generate(REQUEST)
    assert len(heard.ends) == 1  # the second answer's; nothing of the stopped one
    assert heard.text == "Hello " + "Hello there."


def test_stop_without_an_answer_does_nothing(engine: EngineThread) -> None:
    assert not engine.stop()


def test_a_sentence_of_the_engine_is_told_as_it_is(
    qtbot: QtBot, engine: EngineThread, workshop: Workshop, log: FailureLog
) -> None:
    workshop.script.error = SlipstreamError("The context is full. Start a new chat.")
    load(qtbot, engine)
    with qtbot.waitSignal(engine.failed) as failed:
        engine.generate(REQUEST)
    assert failed.args == ["The context is full. Start a new chat."]
    assert not log.path.exists()


def test_an_unexpected_error_becomes_one_sentence_and_a_log(
    qtbot: QtBot, engine: EngineThread, workshop: Workshop, log: FailureLog
) -> None:
    workshop.script.error = ZeroDivisionError("division by zero")
    heard = Heard(engine)
    load(qtbot, engine)
    with qtbot.waitSignal(engine.failed) as failed:
        engine.generate(REQUEST)
    assert "division by zero" in failed.args[0]
    assert str(log.path) in failed.args[0]
    assert "Traceback" not in failed.args[0]
    assert "Traceback" in log.path.read_text()
    assert len(heard.ends) == 1


@pytest.mark.parametrize("events", [[Failed("Out of memory.")], [delta("a"), Failed("Out of memory.")]])
def test_a_failed_event_is_a_failure(
    qtbot: QtBot, engine: EngineThread, workshop: Workshop, events: list[object]
) -> None:
    workshop.script.events = events  # type: ignore[assignment]
    load(qtbot, engine)
    with qtbot.waitSignal(engine.failed) as failed:
        engine.generate(REQUEST)
    assert failed.args == ["Out of memory."]


def test_an_engine_that_ends_without_a_result_is_a_failure(
    qtbot: QtBot, engine: EngineThread, workshop: Workshop
) -> None:
    workshop.script.events = [delta("a")]
    load(qtbot, engine)
    with qtbot.waitSignal(engine.failed):
        engine.generate(REQUEST)


def test_asking_without_a_model_says_what_to_do(qtbot: QtBot, engine: EngineThread) -> None:
    with qtbot.waitSignal(engine.failed) as failed:
        engine.generate(REQUEST)
    assert failed.args == [no_engine()]


def test_a_failed_load_is_told_and_another_pair_can_be_loaded(
    qtbot: QtBot, engine: EngineThread, workshop: Workshop
) -> None:
    workshop.load_error = SlipstreamError("Not enough memory. Close other programs.")
    with qtbot.waitSignal(engine.load_failed) as failed:
        engine.load(PAIR)
    assert failed.args == ["Not enough memory. Close other programs."]
    workshop.load_error = None
    load(qtbot, engine)


def test_a_new_pair_closes_the_old_engine_first(
    qtbot: QtBot, engine: EngineThread, workshop: Workshop
) -> None:
    load(qtbot, engine)
    load(qtbot, engine)
    assert [one.closed for one in workshop.engines] == [True, False]


def test_close_cancels_the_answer_and_frees_the_engine(
    qtbot: QtBot, workshop: Workshop, log: FailureLog
) -> None:
    workshop.script = Script(gate=threading.Event())
    engine = EngineThread(workshop, log)
    load(qtbot, engine)
    with qtbot.waitSignal(engine.deltas):
        engine.generate(REQUEST)
    assert engine.close(10_000)
    assert workshop.engines[0].closed


def test_a_job_runs_in_the_engines_thread_and_tells_its_progress(
    qtbot: QtBot, engine: EngineThread, workshop: Workshop
) -> None:
    with qtbot.waitSignal(engine.loaded):
        engine.load(PAIR)

    def job(loaded: EngineLike, report: Callable[[object], None], _cancel: threading.Event) -> object:
        report(threading.current_thread() is threading.main_thread())
        return loaded

    said: list[object] = []
    task = engine.run(job)
    task.progress.connect(said.append)
    with qtbot.waitSignal(task.done) as ended:
        pass
    assert said == [False]
    assert ended.args == [workshop.engines[0]]


def test_a_job_that_fails_says_so_in_one_sentence(qtbot: QtBot, engine: EngineThread) -> None:
    task = engine.run(lambda *_: None)
    with qtbot.waitSignal(task.failed) as ended:
        pass
    assert ended.args == [no_engine()]


def test_a_cancelled_job_is_told_and_says_nothing_more(qtbot: QtBot, engine: EngineThread) -> None:
    with qtbot.waitSignal(engine.loaded):
        engine.load(PAIR)
    said: list[object] = []
    task = engine.run(lambda _engine, _report, cancel: cancel.wait(10))
    task.done.connect(said.append)
    task.cancel()
    with qtbot.waitSignal(engine.run(lambda *_: "next").done):
        pass  # the thread is free again
    assert said == []


def test_another_draft_for_the_same_target_is_no_new_engine(
    qtbot: QtBot, engine: EngineThread, workshop: Workshop
) -> None:
    """GIVEN a loaded pair WHEN only its draft changes THEN the engine stays, unless all is to be loaded anew."""
    load(qtbot, engine)
    drafted = Pair("drafted", "Drafted", PAIR.target, "draft")
    for pair, anew, engines in ((drafted, False, 1), (PAIR, True, 2), (PAIR, False, 3)):
        with qtbot.waitSignal(engine.loaded) as loaded:
            engine.load(pair, anew)
        assert loaded.args[0].pair == pair
        assert workshop.engines[-1].pair == pair
        assert len(workshop.engines) == engines
    assert [each.closed for each in workshop.engines] == [True, True, False]


def test_a_draft_that_can_not_be_loaded_leaves_no_engine(
    qtbot: QtBot, engine: EngineThread, workshop: Workshop
) -> None:
    load(qtbot, engine)
    workshop.script.swap_error = SlipstreamError("It does not fit: choose another.")
    with qtbot.waitSignal(engine.load_failed) as failed:
        engine.load(Pair("drafted", "Drafted", PAIR.target, "draft"))
    assert failed.args == ["It does not fit: choose another."]
    with qtbot.waitSignal(engine.failed):
        engine.generate(REQUEST)
    assert workshop.engines[0].closed
