"""Reads a file in a child process with limits on time and memory, and takes its answer as plain JSON."""

import contextlib
import json
import multiprocessing
import signal
import sys
from dataclasses import asdict
from multiprocessing.connection import Connection
from pathlib import Path

from app.attachments import reading
from app.attachments.document import Document
from app.attachments.refusal import Reason, Refusal, RefusedError

PATIENCE_S = 30.0
MEMORY = 1 << 30  # bytes; where the system can limit it
LONGEST_ANSWER = 64 << 20


def read(path: Path, patience_s: float = PATIENCE_S) -> Document | Refusal:
    """Blocks for at most `patience_s` and the time that a process takes to start: call it off the window's thread."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe(duplex=False)
    child = spawn.Process(target=_answer, args=(str(path), there), daemon=True, name="slipstream-reader")
    try:
        child.start()
        there.close()
        if not here.poll(patience_s):
            return Refusal(path.name, Reason.TOO_SLOW)
        return _understood(path.name, here.recv_bytes(LONGEST_ANSWER))
    except (EOFError, OSError):  # it was ended from outside, or crashed
        return Refusal(path.name, Reason.TOO_COMPLEX)
    finally:
        here.close()
        if child.pid is not None:
            child.kill()
            child.join()


def _understood(name: str, answer: bytes) -> Document | Refusal:
    told = json.loads(answer)
    if "refused" in told:
        return Refusal(name, Reason(told["refused"]), told["detail"])
    return Document(**told["document"])


def _answer(path: str, there: Connection) -> None:
    """The child: one message, then the end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the window's business
    _limit_memory()
    try:
        told: dict[str, object] = {"document": asdict(reading.read(Path(path)))}
    except RefusedError as error:
        told = {"refused": error.reason, "detail": error.detail}
    except (MemoryError, RecursionError):
        told = {"refused": Reason.TOO_COMPLEX, "detail": ""}
    except Exception:  # a parser that met what it was not made for
        told = {"refused": Reason.DAMAGED, "detail": ""}
    there.send_bytes(json.dumps(told).encode())
    there.close()


def _limit_memory() -> None:
    if sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(ValueError, OSError):  # macOS refuses some limits
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
