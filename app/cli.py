"""The console script `slipstream`: parse, dispatch, turn every failure into one sentence and an exit code.

Exit codes: 0 done, 1 failed, 2 the arguments make no sense, 130 interrupted. Nothing native and no Qt is
imported before the processor is known to be able to run it.
"""

import contextlib
import os
import sys
import tempfile
import time
import traceback
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from app.arguments import build_parser
from app.commands.terminal import UsageError
from engine import processor
from engine.errors import SlipstreamError
from engine.events import Progress
from engine.models.meter import CancelledError

if TYPE_CHECKING:
    from engine.engine import Engine
    from engine.models.catalogue import Pair
    from engine.models.store import ModelStore

INTERRUPTED = 130


def load_engine(
    store: "ModelStore", pair: "Pair", progress: Callable[[Progress], None] | None = None
) -> "Engine":
    """The only way to an engine; tests replace it."""
    from engine.engine import Engine

    return Engine.load(store, pair, progress)


def open_store() -> "ModelStore":
    from engine.models.store import ModelStore

    return ModelStore()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; argparse alone leaves by SystemExit."""
    _speak_utf8(sys.stdout)
    _speak_utf8(sys.stderr)
    options = build_parser().parse_args(arguments)
    try:
        return _dispatch(options)
    except UsageError as error:
        return _fail(str(error), 2)
    except CancelledError as error:
        return _fail(str(error), INTERRUPTED)
    except SlipstreamError as error:
        return _fail(str(error), 1)
    except KeyboardInterrupt:
        return _fail("Stopped.", INTERRUPTED)
    except BrokenPipeError:
        return _leave_the_pipe()
    except Exception:
        return _fail(f"Something unexpected went wrong; {_log_traceback()} has the details.", 1)


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
    from app.commands import window

    return window.smoke() if options.smoke else window.run(open_store, load_engine)


def _fail(sentence: str, code: int) -> int:
    with contextlib.suppress(OSError):  # when nobody listens, the exit code still tells
        print(sentence, file=sys.stderr, flush=True)
    return code


def _leave_the_pipe() -> int:
    """The reader has gone (`| head`): say nothing, and keep Python from complaining at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
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


def _speak_utf8(stream: TextIO) -> None:
    """A pipe on Windows has an old code page by default; an answer may hold any character."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="replace")
