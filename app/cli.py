"""The console script `slipstream`: parse, dispatch, turn every failure into one sentence and an exit code.

Exit codes: 0 done, 1 failed, 2 the arguments make no sense, 130 interrupted. Nothing native and no Qt is
imported before the processor is known to be able to run it.
"""

import os
import sys
import tempfile
import time
import traceback
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app import INTERRUPTED
from app.arguments import build_parser
from app.commands import streams
from app.commands.terminal import UsageError
from engine import processor
from engine.errors import SlipstreamError
from engine.events import Progress
from engine.load_options import AUTOMATIC, LoadOptions
from engine.models.memory import MemoryShortError
from engine.models.meter import CancelledError

if TYPE_CHECKING:
    from engine.engine import Engine
    from engine.models.catalogue import Pair
    from engine.models.store import ModelStore


def load_engine(
    store: "ModelStore",
    pair: "Pair",
    progress: Callable[[Progress], None] | None = None,
    options: LoadOptions = AUTOMATIC,
) -> "Engine":
    """The only way to an engine; tests replace it."""
    from engine.engine import Engine

    return Engine.load(store, pair, progress, options=options)


def open_store() -> "ModelStore":
    from engine.models.store import ModelStore

    return ModelStore()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; argparse alone leaves by SystemExit."""
    has_output = streams.prepare()
    try:
        options = _parse(arguments)
        if not has_output and options.command:  # the window has nothing to print
            return _fail("Standard output is closed: lead it to a file, a pipe or a terminal.", 1)
        return _dispatch(options)
    except UsageError as error:
        return _fail(str(error), 2)
    except CancelledError as error:
        return _fail(str(error), INTERRUPTED)
    except MemoryShortError as error:
        return _fail(f"{error} SLIPSTREAM_LOAD_ANYWAY=1 before the command loads it all the same.", 1)
    except SlipstreamError as error:
        return _fail(str(error), 1)
    except KeyboardInterrupt:
        return _fail("Stopped.", INTERRUPTED)
    except BrokenPipeError:
        return _leave_the_pipe()
    except Exception:
        return _fail(f"Something unexpected went wrong; {_log_traceback()} has the details.", 1)
    finally:
        streams.tell("", end="")  # what is left in a stream that takes nothing would change the exit code


def _parse(arguments: Sequence[str] | None) -> Namespace:
    try:
        options = build_parser().parse_args(arguments)
    except SystemExit:  # the help or the version is printed, if it can be
        streams.say("", end="")
        raise
    if options.smoke and options.command:
        raise UsageError(f"--smoke stands alone: leave it or '{options.command}' out.")
    return options


def _dispatch(options: Namespace) -> int:
    if options.command == "doctor":
        from app.commands import doctor

        return doctor.run(options)
    processor.require_avx2()
    if options.command == "ask":
        from app.commands import ask

        return ask.run(options, open_store, load_engine)
    if options.command == "models":
        from app.commands import models

        return models.run(options, open_store())
    if options.command == "bench":
        from app.commands import bench

        return bench.run(options)
    if options.command == "train":
        from app.commands import train

        return train.run(options, open_store())
    from app.commands import window

    return window.smoke(open_store, load_engine) if options.smoke else window.run(open_store, load_engine)


def _fail(sentence: str, code: int) -> int:
    streams.tell(sentence)
    return code


def _leave_the_pipe() -> int:
    """The reader has gone (`| head`): say nothing, and keep Python from complaining at exit."""
    streams.silence(sys.stdout)
    return 1


def _log_traceback() -> Path:
    """Append the current traceback to the error log and return the log's path."""
    record = f"{time.strftime('%Y-%m-%d %H:%M:%S')} {sys.version.split()[0]}\n{traceback.format_exc()}\n"
    for folder in (_log_folder, lambda: Path(tempfile.gettempdir())):
        try:
            path = folder() / "slipstream-errors.log"
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="utf-8") as log:
                log.write(record)
        except Exception:  # the home itself may be what is broken
            continue
        return path
    return Path(os.devnull)


def _log_folder() -> Path:
    from engine.models.paths import home

    return home() / "logs"
