"""The process that runs one peer: `python -m engine.bench.peer_worker NAME`, driven by engine.bench.peers.

Reads JSON requests from standard input and writes replies to what was standard output; whatever the libraries
themselves print goes to standard error.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TextIO

from engine.bench.watch import peak_memory_bytes


class Timed(Protocol):
    """A peer's library with its models loaded."""

    def generate(self, request: dict[str, Any]) -> dict[str, Any]:
        """tokens, seconds, ttft_s, and passes, drafted, accepted where they are known."""


def main() -> None:
    with _private_stdout() as replies:
        worker = Worker(sys.argv[1])
        for line in sys.stdin:
            try:
                reply = worker.reply(json.loads(line))
            except Exception as error:  # whatever a foreign library raises is told, not hidden
                reply = {"error": _sentence(error)}
            replies.write(json.dumps(reply) + "\n")
            replies.flush()


class Worker:
    """One peer in one mode with one set of load settings: its peak memory is nobody else's."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._peer: Timed | None = None

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        """`prepare` writes files that `load` reads, in a process of its own; then `generate`."""
        if request["op"] == "generate":
            assert self._peer is not None
            return {**self._peer.generate(request), "peak_memory_bytes": peak_memory_bytes()}
        target, scratch = Path(request["target"]), Path(request["scratch"])
        draft = Path(request["draft"]) if request["draft"] else None
        if request["op"] == "prepare":
            from engine.bench.peer_genai import prepare

            prepare(target, draft, scratch)
        else:
            self._peer = self._load(request, target, scratch)
        return {}

    def _load(self, request: dict[str, Any], target: Path, scratch: Path) -> Timed:
        mode, settings = request["mode"], request["settings"]
        if self._name == "llama-cpp":
            from engine.bench.peer_llama import LlamaPeer

            return LlamaPeer(mode, target, request["context"], settings)
        from engine.bench.peer_genai import GenaiPeer

        return GenaiPeer(mode, scratch, settings)


def _private_stdout() -> TextIO:
    """The pipe for replies; file descriptor 1 becomes standard error."""
    pipe = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(pipe, "w", encoding="utf-8")


def _sentence(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__


class Timing:
    """Tokens of one answer as they come, and when.

    The first piece ends the prefill; decoding speed is that of the tokens after it, and `seconds` is what all
    tokens would take at that speed (Slipstream's own decoding time has a pass for the first token too).
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._begun = self._first_at = self._last_at = clock()
        self._first = 0
        self.tokens: list[int] = []
        self.pieces = 0

    def push(self, piece: Sequence[int]) -> None:
        self._last_at = self._clock()
        self.pieces += 1
        if not self.tokens:
            self._first, self._first_at = len(piece), self._last_at
        self.tokens.extend(piece)

    def reply(self) -> dict[str, Any]:
        decoded = len(self.tokens) - self._first
        seconds = (self._last_at - self._first_at) * len(self.tokens) / decoded if decoded else 0.0
        return {"tokens": self.tokens, "seconds": seconds, "ttft_s": self._first_at - self._begun}


if __name__ == "__main__":
    main()
