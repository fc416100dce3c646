"""A hub and a package index on loopback, as unreliable as a test asks for, and a small model to serve."""

import io
import json
import random
import re
import threading
import zipfile
from collections import defaultdict, deque
from dataclasses import dataclass
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

from engine.models.catalogue import Catalogue
from engine.models.download import Patience
from engine.models.fetch import Terms
from engine.models.line import Limits
from engine.models.store import ModelStore

STALL_LIMIT_S = 20  # a forgotten stall must not hang the test run


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong with one answer: `after` bytes of the body, then the connection closes or hangs."""

    after: int | None = None
    hang: bool = False
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    content_type: str = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Asked:
    path: str
    range: str
    if_range: str
    authorization: str


class FakeRegistry:
    """Serves `files` by path with ranges and tags. `faults[path]` are used up one by one, oldest first."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.projects: dict[str, list[tuple[str, str, str]]] = defaultdict(list)  # file, url, sha256
        self.faults: dict[str, deque[Fault]] = defaultdict(deque)
        self.redirects: dict[str, str] = {}
        self.locked: dict[str, str] = {}  # beginning of a path: the token that opens it
        self.asked: list[Asked] = []
        self.served: dict[str, int] = defaultdict(int)
        self.json = True
        self.release = threading.Event()  # ends every hang
        self.gave_up = False  # a hang ended by itself: the client did not leave it
        registry = self

        class Handler(_Handler):
            pass

        Handler.registry = registry
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.release.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def add_wheel(self, file: str, data: bytes) -> str:
        """Returns the wheel's path."""
        project = re.sub(r"[-_.]+", "-", file.split("-", maxsplit=1)[0]).lower()
        path = f"/files/{project}/{file}"
        self.files[path] = data
        self.projects[project].append((file, f"../../files/{project}/{file}", sha256(data).hexdigest()))
        return path

    def asked_for(self, path: str) -> list[Asked]:
        return [asked for asked in self.asked if asked.path == path]

    def page(self, project: str) -> tuple[bytes, str]:
        links = self.projects[project]
        if self.json:
            files = [{"filename": file, "url": url, "hashes": {"sha256": sha}} for file, url, sha in links]
            return json.dumps({"files": files}).encode(), "application/vnd.pypi.simple.v1+json"
        rows = "".join(f'<a href="{url}#sha256={sha}">{file}</a><br/>' for file, url, sha in links)
        return f"<!DOCTYPE html><html><body>{rows}</body></html>".encode(), "text/html"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    registry: FakeRegistry

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        registry = self.registry
        names = ("Range", "If-Range", "Authorization")
        registry.asked.append(Asked(self.path, *(self.headers.get(name, "") for name in names)))
        queue = registry.faults[self.path]
        fault = queue.popleft() if queue else Fault()
        if fault.status:
            self._answer(fault.status, fault.body or b"", fault, fault.headers)
        elif fault.body is not None:
            self._answer(200, fault.body, fault)
        elif not self._may_read():
            self._answer(401, b"Access to this model is restricted.", fault)
        elif self.path in registry.redirects:
            self._answer(302, b"", fault, (("Location", registry.redirects[self.path]),))
        elif match := re.fullmatch(r"/simple/([a-z0-9-]+)/", self.path):
            self._page(match[1], fault)
        elif self.path in registry.files:
            self._file(registry.files[self.path], fault)
        elif (bare := self.path.partition("?")[0]) in registry.files:
            self._file(registry.files[bare], fault)
        else:
            self._answer(404, b"", fault)

    def _may_read(self) -> bool:
        tokens = [token for begin, token in self.registry.locked.items() if self.path.startswith(begin)]
        return all(self.headers.get("Authorization") == f"Bearer {token}" for token in tokens)

    def _page(self, project: str, fault: Fault) -> None:
        body, content_type = self.registry.page(project)
        self._answer(200 if self.registry.projects[project] else 404, body, Fault(content_type=content_type))

    def _file(self, data: bytes, fault: Fault) -> None:
        tag = f'"{sha256(data).hexdigest()[:16]}"'
        match = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        begin = int(match[1]) if match and self.headers.get("If-Range", tag) == tag else 0
        headers = [("ETag", tag)]
        if begin:
            headers.append(("Content-Range", f"bytes {begin}-{len(data) - 1}/{len(data)}"))
        self._answer(206 if begin else 200, data[begin:], fault, tuple(headers))

    def _answer(
        self, status: int, body: bytes, fault: Fault, headers: tuple[tuple[str, str], ...] = ()
    ) -> None:
        self.send_response(status)
        for name, value in (
            *headers,
            ("Content-Type", fault.content_type),
            ("Content-Length", str(len(body))),
        ):
            self.send_header(name, value)
        self.end_headers()
        sent = body if fault.after is None else body[: fault.after]
        try:
            self.wfile.write(sent)
            self.wfile.flush()
        except OSError:  # the client went away
            self.close_connection = True
        self.registry.served[self.path] += len(sent)
        if fault.after is not None:
            if fault.hang:
                self.registry.gave_up |= not self.registry.release.wait(STALL_LIMIT_S)
            self.close_connection = True


def wheel(*members: tuple[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return buffer.getvalue()


class World:
    """A registry with one model, "tiny", in two wheels and on the hub, and a store that knows it."""

    HUB_FILE = "/maker/tiny/resolve/main/tiny.gguf"

    def __init__(self, registry: FakeRegistry, home: Path, size: int = 400_000) -> None:
        self.registry = registry
        self.home = home
        self.content = random.Random(7).randbytes(size)
        half = size // 2
        self.wheels = [self._add(1, self.content[:half]), self._add(2, self.content[half:])]
        self.paths = [f"/files/tiny-part{n}/{wheel['file']}" for n, wheel in enumerate(self.wheels, 1)]
        self.waits: list[float] = []
        self.hub = False

    def _add(self, number: int, data: bytes) -> dict[str, Any]:
        file, member = f"tiny_part{number}-1.0-py3-none-any.whl", f"tiny_part{number}/data/part.bin"
        packed = wheel((member, data), ("tiny/__init__.py", b"raise SystemExit('never run')"))
        self.registry.add_wheel(file, packed)
        return {"file": file, "size": len(packed), "sha256": sha256(packed).hexdigest(), "member": member}

    @property
    def download_bytes(self) -> int:
        return sum(wheel["size"] for wheel in self.wheels)

    def catalogue(self) -> dict[str, Any]:
        sources: list[dict[str, Any]] = [{"kind": "index", "wheels": self.wheels}]
        if self.hub:
            sources.insert(0, {"kind": "hub", "repo": "maker/tiny", "file": "tiny.gguf", "revision": "main"})
        model = {
            "title": "Tiny",
            "licence": "Apache-2.0",
            "architecture": "llama",
            "size_bytes": len(self.content),
            "sha256": sha256(self.content).hexdigest(),
            "sources": sources,
        }
        pair = {"title": "A tiny pair", "target": "tiny", "draft": None}
        return {"models": {"tiny": model}, "pairs": {"start": pair}}

    def store(self, attempts: int = 4, silence_s: float = 5.0, free: int = 10**12) -> ModelStore:
        patience = Patience(attempts, limits=Limits(2.0, silence_s), sleep=self.waits.append)
        terms = Terms(patience, free_bytes=lambda folder: free)
        return ModelStore(self.home, Catalogue.parse(self.catalogue()), terms)

    def fetched(self) -> bytes:
        return (self.home / "models" / "tiny" / "model.gguf").read_bytes()

    def served(self) -> int:
        return sum(self.registry.served[path] for path in self.paths)
