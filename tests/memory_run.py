# ruff: noqa: T201
"""The estimate of memory against the measured peak, each load in a process of its own.

    python tests/memory_run.py [PAIR ...] [--home DIR] [--context 100 4000] [--again]

Run from the repository's root. A prompt of about so many tokens is read and 24 tokens are answered; printed are the
estimate for that conversation, the highest resident size of the process, and their quotient. The models are timed, as
at a first load; `--again` takes what was measured then. `hybrid` stands for a tiny model with linear attention, made
on the spot. Not collected by pytest: it takes minutes.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

WORDS = "Tell me about the river and the sea. "
WORDS_TOKENS = 9
ANSWER = 24


def measured(pair: str, tokens: int, again: bool) -> None:
    """In the child: prints the tokens of the conversation, the estimate for it, and the peak."""
    from engine.bench.watch import peak_memory_bytes
    from engine.engine import Engine
    from engine.events import Started
    from engine.models.estimate import estimate
    from engine.models.store import ModelStore
    from engine.request import Message, Request

    store = ModelStore()
    found = store.pair(pair)
    engine = Engine.load(store, found, anew=not again)
    asked = Request((Message("user", WORDS * max(1, tokens // WORDS_TOKENS)),), max_tokens=ANSWER)
    (read,) = [event.prompt_tokens for event in engine.generate(asked) if isinstance(event, Started)]
    foretold = estimate([store.path(name) for name in found.models], context=read + ANSWER)
    print(json.dumps({"tokens": read, "estimate": foretold.total, "peak": peak_memory_bytes()}))


def hybrid_home(folder: Path) -> Path:
    from engine.models.store import ModelStore
    from tests.tiny_hybrid import HybridShape, write_gguf

    ModelStore(folder / "home").import_file(
        write_gguf(folder / "hybrid.gguf", HybridShape(endless=True)), "hybrid"
    )
    return folder / "home"


def row(pair: str, tokens: int, home: Path | None, again: bool) -> str:
    environment = dict(os.environ) | ({"SLIPSTREAM_HOME": str(home)} if home else {})
    command = [
        sys.executable,
        __file__,
        "--child",
        pair,
        "--context",
        str(tokens),
        *(["--again"] if again else []),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        return f"{pair:10} {done.stderr.strip().splitlines()[-1]}"
    told = json.loads(done.stdout.splitlines()[-1])
    share = told["estimate"] / told["peak"]
    sizes = f"{told['estimate'] / 1e6:9.0f} {told['peak'] / 1e6:9.0f} {share:6.2f}"
    return f"{pair:10} {told['tokens']:7} {sizes}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs", nargs="*", default=["starter", "coder", "coder-0.5b", "hybrid"])
    parser.add_argument("--home", type=Path, help="a SLIPSTREAM_HOME of its own: its calibration is written")
    parser.add_argument("--context", type=int, nargs="*", default=[100, 4000])
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--child", metavar="PAIR")
    options = parser.parse_args()
    if options.child:
        measured(options.child, options.context[0], options.again)
        return
    print("pair        tokens  estimate      peak  share   (MB)")
    with tempfile.TemporaryDirectory() as folder:
        for pair in options.pairs:
            home = hybrid_home(Path(folder)) if pair == "hybrid" else options.home
            for tokens in options.context:
                wanted = min(tokens, 1900) // 4 if pair == "hybrid" else tokens  # whose tokens are bytes
                print(row(pair, wanted, home, options.again), flush=True)


if __name__ == "__main__":
    main()
