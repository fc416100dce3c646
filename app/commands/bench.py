"""`slipstream bench`: the arguments as BenchOptions, the rest is engine.bench."""

from argparse import Namespace
from dataclasses import fields

from engine.bench.options import BenchOptions
from engine.errors import SlipstreamError


def run(options: Namespace) -> int:
    from engine.bench import run as bench

    wanted = BenchOptions(**{field.name: getattr(options, field.name) for field in fields(BenchOptions)})
    if wanted.prompts is not None and not wanted.prompts.is_file():
        raise SlipstreamError(f"There is no file {wanted.prompts}; check the path.")
    summary = bench.run(wanted)
    if summary:
        print(summary, flush=True)
    return 0
