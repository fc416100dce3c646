"""A peer's own process: `engine.bench.peer_worker`, one JSON object a line over its pipes."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from engine.errors import SlipstreamError

PATIENCE_S = 5.0  # for a peer to end by itself


class PeerProcess:
    """A running worker. One request at a time; a worker that died or failed raises SlipstreamError."""

    def __init__(self, peer: str, command: Sequence[str] | None = None) -> None:
        self.peer = peer
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed by close)
        self._process = subprocess.Popen(
            list(command or (sys.executable, "-m", "engine.bench.peer_worker", peer)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            encoding="utf-8",
            **_own_group(),
        )

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            reply: dict[str, Any] = json.loads(self._process.stdout.readline())
        except (OSError, ValueError) as error:
            raise SlipstreamError(
                f"The peer '{self.peer}' ended unexpectedly{self._last_words()}."
            ) from error
        if "error" in reply:
            raise SlipstreamError(f"The peer '{self.peer}' failed: {str(reply['error']).rstrip('.')}.")
        return reply

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        """Waits for the worker to end, and ends it when it takes too long. May be called again."""
        if self._process.stdin is not None:
            with suppress(OSError):  # what a dead worker did not read any more
                self._process.stdin.close()
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._log.close()

    def _last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        return f" ({lines[-1].strip().rstrip('.')})" if lines else ""


def _own_group() -> dict[str, Any]:
    """Keeps Ctrl-C from the workers: the benchmark ends them itself."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}
