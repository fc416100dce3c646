"""`slipstream bench`: the arguments as BenchOptions, the measuring in engine.bench, the chart drawn here."""

from argparse import Namespace
from dataclasses import fields
from pathlib import Path

from app import INTERRUPTED
from app.commands.streams import say, tell
from app.commands.terminal import UsageError
from engine.bench.interruption import BenchInterruptedError
from engine.bench.options import BenchOptions
from engine.errors import SlipstreamError


def run(options: Namespace) -> int:
    try:
        wanted = BenchOptions(**{field.name: getattr(options, field.name) for field in fields(BenchOptions)})
    except SlipstreamError as error:
        raise UsageError(str(error)) from error
    check_files(wanted)
    summary, code = _measure(wanted)
    if summary:
        say(summary)
        if wanted.json is not None and wanted.json.is_file():
            _draw(wanted.json)
    if code:
        tell("Stopped.")
    return code


def _measure(wanted: BenchOptions) -> tuple[str, int]:
    """The summary, and the exit code: an interrupted run shows what it has."""
    from engine.bench.run import run as measure

    try:
        return measure(wanted), 0
    except BenchInterruptedError as stopped:
        return stopped.summary, INTERRUPTED


def _draw(result: Path) -> None:
    """A server without Qt's system libraries gets everything but the picture."""
    try:
        from app.bench_chart import write_chart

        write_chart(result)
    except (ImportError, SlipstreamError) as error:
        tell(f"The chart was not drawn: {error}")


def check_files(options: BenchOptions) -> None:
    """Before hours are spent: can the prompts be read, and has the result a place?"""
    if options.prompts is not None and not options.prompts.is_file():
        raise SlipstreamError(f"There is no file {options.prompts}; check the path.")
    if options.json is not None and options.json.is_dir():
        raise SlipstreamError(f"{options.json} is a folder; give the result a file's name in it.")
    if options.json is not None and not options.json.absolute().parent.is_dir():
        raise SlipstreamError(f"There is no folder for {options.json}; make it first.")
