"""HTTP on a thread of its own, so that a cancel never waits for a resolver, a handshake or a silent server.

The thread owns the connections and hands over what arrives through a small queue; the caller polls. A caller
that gives up just abandons the reply: the thread notices at its next step and drops the connection.
"""

import contextlib
import functools
import queue
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self

import httpx

from engine.models.meter import Meter

_POLL_S = 0.05
_QUEUED_CHUNKS = 16
_CONNECTED = ("connection.connect_tcp.complete", "http11.send_request_headers.started")


class BrokenError(Exception):
    """The transfer failed but another try may not. `reached`: whether a connection was made at all."""

    def __init__(self, reason: str, reached: bool = True, retry_after_s: float = 0.0) -> None:
        super().__init__(reason)
        self.reached = reached
        self.retry_after_s = retry_after_s


@dataclass(frozen=True, slots=True)
class Limits:
    connect_s: float = 10.0  # resolver, connection and handshake
    silence_s: float = 30.0  # no byte for so long: the connection is taken for dead


@dataclass(frozen=True, slots=True)
class Head:
    status: int
    headers: httpx.Headers
    url: str  # after redirects


_Item = Head | bytes | Exception | None  # None: the end of the body


class _AbandonedError(Exception):
    pass


@dataclass(slots=True)
class _Job:
    url: str
    headers: Mapping[str, str]
    limits: Limits
    items: "queue.Queue[_Item]" = field(default_factory=lambda: queue.Queue(_QUEUED_CHUNKS))
    connected: threading.Event = field(default_factory=threading.Event)
    abandoned: threading.Event = field(default_factory=threading.Event)

    def run(self, client: Callable[[], httpx.Client]) -> None:
        """`client` may raise too: a proxy setting that makes no sense shows when the client is made."""
        try:
            self._transfer(client())
            self._put(None)
        except _AbandonedError:
            pass
        except Exception as error:
            with contextlib.suppress(_AbandonedError):
                self._put(error)

    def _transfer(self, client: httpx.Client) -> None:
        timeout = httpx.Timeout(self.limits.silence_s, connect=self.limits.connect_s)
        extensions = {"trace": self._trace}
        with client.stream(
            "GET", self.url, headers=self.headers, timeout=timeout, extensions=extensions
        ) as reply:
            self._put(Head(reply.status_code, reply.headers, str(reply.url)))
            for chunk in reply.iter_raw():
                self._put(chunk)

    def _trace(self, event: str, info: object) -> None:
        if event in _CONNECTED:
            self.connected.set()

    def _put(self, item: _Item) -> None:
        while not self.abandoned.is_set():
            with contextlib.suppress(queue.Full):
                return self.items.put(item, timeout=_POLL_S)
        raise _AbandonedError


class Reply:
    """One answer: `head()` first, then the body's chunks by iterating."""

    def __init__(self, job: _Job, meter: Meter) -> None:
        self._job = job
        self._meter = meter

    def head(self) -> Head:
        item = self._next()
        assert isinstance(item, Head)
        return item

    def __iter__(self) -> Iterator[bytes]:
        while (item := self._next()) is not None:
            assert isinstance(item, bytes)
            yield item

    def _next(self) -> Head | bytes | None:
        item = self._wait()
        if isinstance(item, Exception):
            raise BrokenError(_reason(item), reached=self._job.connected.is_set()) from item
        return item

    def _wait(self) -> _Item:
        limits = self._job.limits
        start = time.monotonic()
        while True:
            with contextlib.suppress(queue.Empty):
                return self._job.items.get(timeout=_POLL_S)
            self._meter.tick()
            reached = self._job.connected.is_set()
            # One second more than the thread's own limits: they know better what went wrong.
            if time.monotonic() - start > 1 + (limits.silence_s if reached else 0) + limits.connect_s:
                raise BrokenError("no answer in time", reached=reached)


class Line:
    """A connection pool behind one thread. Use as a context manager; leaving it never blocks."""

    def __init__(self, verify: ssl.SSLContext) -> None:
        self._verify = verify
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._started = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._release()

    @contextlib.contextmanager
    def get(self, url: str, headers: Mapping[str, str], limits: Limits, meter: Meter) -> Iterator[Reply]:
        """GET, redirects followed, body not decoded. Raises BrokenError, or CancelledError within 0.1 s."""
        job = _Job(url, {"Accept-Encoding": "identity", **headers}, limits)
        self._start()
        self._jobs.put(job)
        try:
            yield Reply(job, meter)
        except BaseException:
            self._release()  # the thread may be stuck in this job: the next one gets a fresh thread
            raise
        finally:
            job.abandoned.set()

    def _start(self) -> None:
        if not self._started:
            self._started = True
            self._jobs = queue.SimpleQueue()
            threading.Thread(target=_serve, args=(self._jobs, self._verify), daemon=True, name="line").start()

    def _release(self) -> None:
        if self._started:
            self._started = False
            self._jobs.put(None)


def _serve(jobs: "queue.SimpleQueue[_Job | None]", verify: ssl.SSLContext) -> None:
    with contextlib.ExitStack() as stack:

        @functools.cache
        def client() -> httpx.Client:
            return stack.enter_context(httpx.Client(verify=verify, follow_redirects=True))

        while (job := jobs.get()) is not None:
            job.run(client)


def _reason(error: Exception) -> str:
    text = str(error) or type(error).__name__
    if "CERTIFICATE_VERIFY_FAILED" in text:
        return (
            "its certificate is not trusted on this machine (set SSL_CERT_FILE to your organisation's bundle)"
        )
    if isinstance(error, httpx.ProxyError):
        return f"the proxy refuses ({text})"
    if isinstance(error, httpx.TimeoutException):
        return "it does not answer in time"
    if isinstance(error, httpx.ConnectError):
        return f"it can't be reached ({text})"
    if isinstance(error, httpx.UnsupportedProtocol | httpx.InvalidURL):
        return "its address is not an http address"
    return f"the connection broke ({text})"
