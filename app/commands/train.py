"""`slipstream train`: arguments and progress here, the work in engine.train."""

import json
import os
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from app import INTERRUPTED
from app.commands.streams import say, tell
from app.commands.terminal import UsageError, interruptible, megabytes
from engine import installation
from engine.errors import SlipstreamError
from engine.models.store import ModelStore

if TYPE_CHECKING:
    from engine.train.fit import Pulse
    from engine.train.generate import Tally
    from engine.train.recipe import Recipe

REPORT_EVERY = 10.0  # seconds


def _no_torch() -> SlipstreamError:
    return SlipstreamError(
        f"Training needs PyTorch, which is not installed: {installation.how_to_add('train')}."
    )


def run(options: Namespace, store: ModelStore) -> int:
    return _STEPS[options.step](options, store)


def duration(seconds: float) -> str:
    """1:02:03"""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


class Throttle:
    """Tells a line every few seconds, and always the first."""

    def __init__(self, every: float = REPORT_EVERY, clock: Callable[[], float] = time.monotonic) -> None:
        self._every, self._clock = every, clock
        self._next = clock()

    def __call__(self, line: str) -> None:
        if self._clock() >= self._next:
            self._next = self._clock() + self._every
            tell(line)


@contextmanager
def _layers_of_the_model(taps: str | None) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise UsageError(f"--taps {taps}: {error}.") from error


def _generate(options: Namespace, store: ModelStore) -> int:
    from engine.train.generation_run import GenerationRun

    with _layers_of_the_model(options.taps):
        work = GenerationRun.open(options, store)
    throttle = Throttle()

    def report(tally: "Tally") -> None:
        throttle(
            f"{tally.answers:,} answers, {tally.tokens:,} tokens, {tally.rate:.0f} tokens/s "
            f"({tally.rows / max(tally.seconds, 1e-9):.0f} rows/s), {duration(tally.seconds_left)} left"
        )

    with interruptible() as cancel:
        tally, lacking = work.run(report, cancel)
    say(
        f"{tally.answers:,} new answers with {tally.tokens:,} tokens in {duration(tally.seconds)}, "
        f"{tally.rate:.0f} tokens/s; {tally.left:,} left."
    )
    if lacking:
        say(
            f"{lacking:,} answers of earlier runs have no features yet: "
            f"slipstream train features {options.out} --pair {options.pair} --taps {options.taps}"
        )
    return INTERRUPTED if cancel.is_set() else 0


def _features(options: Namespace, store: ModelStore) -> int:
    from engine.train.feature_run import make_features
    from engine.train.target_model import TargetModel

    start, throttle = time.monotonic(), Throttle()

    def report(answers: int, rows: int) -> None:
        throttle(f"{answers:,} answers, {rows:,} rows, {rows / (time.monotonic() - start):.0f} rows/s")

    target = TargetModel.load(store, options.pair)
    with _layers_of_the_model(options.taps):
        rows = make_features(options.answers, target, options.taps, report)
    say(f"{rows:,} new rows in {duration(time.monotonic() - start)}.")
    return 0


def _fit(options: Namespace, store: ModelStore) -> int:
    recipe = _recipe(options)
    _let_threads_sleep()
    try:
        from engine.train.fit_run import Corpus, FitRun, choose_device
    except ImportError as error:
        raise _no_torch() from error
    from engine.train.target_model import TargetModel

    target = TargetModel.load(store, options.pair)
    corpus = Corpus.open(options.answers, target, options.taps or (), options.data_tokens)
    held_out = Corpus.open(options.held_out, target, corpus.store.taps) if options.held_out else None
    work = FitRun(
        target, corpus, held_out, recipe, options.out, options.prompts, choose_device(options.device)
    )
    throttle = Throttle()

    def report(pulse: "Pulse") -> None:
        throttle(
            f"step {pulse.step:,} of {pulse.steps:,}, loss {pulse.loss:.3f}, first token right "
            f"{pulse.first_right:.3f}, {pulse.blocks_per_second:.0f} blocks/s, {duration(pulse.seconds_left)} left"
        )

    with interruptible() as cancel:
        complete = work.run(report, cancel)
    say(
        f"{'Trained' if complete else 'Stopped'} after {work.trainer.step:,} steps; the drafter is in {options.out}."
    )
    return 0 if complete else INTERRUPTED


def _let_threads_sleep() -> None:
    """Before torch is loaded: on a busy machine, threads that spin made tiny steps ten times as slow."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def _recipe(options: Namespace) -> "Recipe":
    from dataclasses import fields

    from engine.train.recipe import Recipe

    named = {each.name: getattr(options, each.name) for each in fields(Recipe) if hasattr(options, each.name)}
    return Recipe(**{**named, "markov": "" if options.markov == "none" else options.markov})


def _evaluate(options: Namespace, store: ModelStore) -> int:
    _let_threads_sleep()
    try:
        from engine.train.evaluate_run import evaluate_folder
    except ImportError as error:
        raise _no_torch() from error
    from engine.train import figures
    from engine.train.target_model import TargetModel

    target = TargetModel.load(store, options.pair)
    throttle = Throttle()

    def report(done: int, total: int) -> None:
        throttle(f"{done:,} of {total:,} answers")

    evaluation = evaluate_folder(
        options.drafter,
        options.answers,
        target,
        store,
        prompts=options.prompts,
        known=options.store,
        draft_cost=options.draft_cost,
        limit=options.limit,
        max_tokens=options.max_tokens,
        report=report,
    )
    told = json.dumps(figures.as_json(evaluation), indent=1) if options.json else None
    say(told or "\n".join(figures.lines(evaluation)))
    return 0


def _curve(options: Namespace, store: ModelStore) -> int:
    from engine.train.curve import curve_lines, read_point

    say("\n".join(curve_lines([read_point(folder) for folder in options.folders])))
    return 0


def _pack(options: Namespace, store: ModelStore) -> int:
    from engine.train.pack import pack

    if options.out.resolve() == options.drafter.resolve():
        raise UsageError("The small drafter needs a folder of its own: name another one.")
    say(f"{megabytes(pack(options.drafter, options.out))} in {options.out}.")
    return 0


def _store(options: Namespace, store: ModelStore) -> int:
    from engine.train.store_run import write_store
    from engine.train.target_model import TargetModel

    target = TargetModel.load(store, options.pair)
    written = write_store(
        options.answers,
        options.out,
        target,
        tokens=options.tokens,
        prompts=options.prompts,
        without=options.without,
    )
    say(
        f"{written.answers:,} answers with {written.tokens:,} tokens, {megabytes(written.size)}, in {options.out}."
    )
    return 0


_STEPS: dict[str, Callable[[Namespace, ModelStore], int]] = {
    "generate": _generate,
    "features": _features,
    "fit": _fit,
    "evaluate": _evaluate,
    "curve": _curve,
    "pack": _pack,
    "store": _store,
}
