"""Other programs with the same weights, each in a process of its own that sleeps while the others are measured.

The process is `engine.bench.peer_worker`; requests and replies are JSON objects, one a line, over its pipes.
"""

import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from engine.bench.contestants import Answer, Contestant
from engine.errors import SlipstreamError
from engine.request import Message

LIBRARIES = {"openvino-genai": "openvino_genai", "llama-cpp": "llama_cpp"}
DISTRIBUTIONS = {
    "openvino-genai": ("openvino-genai", "openvino-tokenizers"),
    "llama-cpp": ("llama-cpp-python",),
}
CHOICES = (3, 5)  # draft lengths that are tried
SWEEP_TOKENS = 48
PATIENCE_S = 5.0  # for a peer to end by itself

Answerer = Callable[[list[int], int], dict[str, Any]]


class ChatTokenizer(Protocol):
    """What peers need of engine.tokenizer.Tokenizer: they get the very token ids that Slipstream gets."""

    eos_ids: frozenset[int]

    def encode_chat(self, messages: Sequence[Message]) -> list[int]: ...
    def decode(self, ids: Sequence[int]) -> str: ...


@dataclass(frozen=True, slots=True)
class PeerModels:
    """Model folders (model.gguf and the conversions), and a folder for what a peer must write."""

    target: Path
    draft: Path | None
    scratch: Path
    threads: int
    context: int


def require(peers: Sequence[str]) -> None:
    """Errors: SlipstreamError when a peer's library is not installed."""
    for peer in peers:
        if importlib.util.find_spec(LIBRARIES[peer]) is None:
            raise SlipstreamError(
                f"The peer '{peer}' needs a library that is not installed: run pip install slipstream[bench]."
            )


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

    def close(self) -> None:
        if self._process.stdin is not None:
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


@dataclass(frozen=True, slots=True)
class PeerMode:
    """A peer in one of its modes, with the settings that proved fastest."""

    process: PeerProcess
    mode: str
    settings: dict[str, int]
    tokenizer: ChatTokenizer

    @property
    def name(self) -> str:
        return f"{self.process.peer}:{self.mode}"

    @property
    def plain(self) -> str:
        return f"{self.process.peer}:plain"

    def answer(self, messages: Sequence[Message], max_tokens: int) -> Answer:
        request = {
            "op": "generate",
            "mode": self.mode,
            "prompt": self.tokenizer.encode_chat(messages),
            "max_tokens": max_tokens,
            "ends": sorted(self.tokenizer.eos_ids),
            **self.settings,
        }
        reply = self.process.ask(request)
        return Answer(
            **{**reply, "tokens": tuple(reply["tokens"]), "text": self.tokenizer.decode(reply["tokens"])}
        )


class Peer:
    """One loaded peer with its modes."""

    def __init__(self, process: PeerProcess, modes: Sequence[str], tokenizer: ChatTokenizer) -> None:
        self._process, self._modes, self._tokenizer = process, modes, tokenizer

    @classmethod
    def load(cls, name: str, models: PeerModels, tokenizer: ChatTokenizer) -> "Peer":
        process = PeerProcess(name)
        try:
            reply = process.ask(
                {
                    "op": "load",
                    "target": str(models.target),
                    "draft": str(models.draft) if models.draft else None,
                    "scratch": str(models.scratch),
                    "threads": models.threads,
                    "context": models.context,
                }
            )
        except BaseException:
            process.close()
            raise
        return cls(process, reply["modes"], tokenizer)

    def contestants(
        self, sweep: Sequence[Sequence[Message]], tell: Callable[[str], None]
    ) -> tuple[list[Contestant], dict[str, Any]]:
        """Every mode with the best of its settings, and what the sweep over the `sweep` prompts measured."""
        found: list[Contestant] = []
        measured: dict[str, Any] = {}
        for mode in self._modes:
            options = [{}] if mode == "plain" else [{"draft_tokens": k} for k in CHOICES]
            tried = [PeerMode(self._process, mode, settings, self._tokenizer) for settings in options]
            speeds = [_speed(contestant, sweep) for contestant in tried]
            best = max(range(len(tried)), key=speeds.__getitem__)
            found.append(tried[best])
            measured[tried[best].name] = {
                "chosen": options[best],
                "tried": [{**o, "tokens_per_second": s} for o, s in zip(options, speeds, strict=True)],
            }
            tell(_chosen(tried[best], options, speeds))
        return found, measured

    def close(self) -> None:
        self._process.close()


def _speed(contestant: Contestant, sweep: Sequence[Sequence[Message]]) -> float:
    """Tokens per second over the prompts; this is the warm-up as well, so every prompt runs twice."""
    best = 0.0
    for _ in range(2):
        answers = [contestant.answer(messages, SWEEP_TOKENS) for messages in sweep]
        seconds = sum(answer.seconds for answer in answers)
        best = max(best, sum(len(a.tokens) for a in answers) / seconds if seconds else 0.0)
    return best


def _chosen(mode: PeerMode, options: Sequence[dict[str, int]], speeds: Sequence[float]) -> str:
    tried = ", ".join(
        f"{o.get('draft_tokens', 'no')} drafted tokens: {s:.1f}/s"
        for o, s in zip(options, speeds, strict=True)
    )
    return f"{mode.name}: {tried}"
