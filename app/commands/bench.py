"""`slipstream bench`: the arguments as BenchOptions, the rest is engine.bench."""

from argparse import Namespace
from dataclasses import fields

from engine.bench.options import BenchOptions
from engine.errors import SlipstreamError


def run(options: Namespace) -> int:
    wanted = BenchOptions(**{field.name: getattr(options, field.name) for field in fields(BenchOptions)})
    check_files(wanted)
    from engine.bench.run import run as measure

    summary = measure(wanted)
    if summary:
        print(summary, flush=True)
    return 0


def check_files(options: BenchOptions) -> None:
    """Before hours are spent: can the prompts be read, and has the result a place?"""
    if options.prompts is not None and not options.prompts.is_file():
        raise SlipstreamError(f"There is no file {options.prompts}; check the path.")
    if options.json is not None and not options.json.absolute().parent.is_dir():
        raise SlipstreamError(f"There is no folder for {options.json}; make it first.")
