"""A page of an index or a hub, read whole: JSON or HTML, never long."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.models.download import Patience, RefusedError, check_status, patiently
from engine.models.line import Line
from engine.models.meter import Meter

_LONGEST = 32 << 20


@dataclass(frozen=True, slots=True)
class Page:
    """`url` is the address after redirects, `kind` the content type."""

    text: str
    url: str
    kind: str


@dataclass(frozen=True, slots=True)
class PageReader:
    line: Line
    patience: Patience
    meter: Meter

    def read(self, url: str, headers: Mapping[str, str], folder: Path, hops: int | None = None) -> Page:
        """RefusedError when it can't be had. `hops`: tries for a host to which no connection can be made."""
        pages: list[Page] = []

        def attempt() -> None:
            body = bytearray()
            with self.line.get(url, headers, self.patience.limits, self.meter) as reply:
                head = reply.head()
                check_status(head)
                for chunk in reply:
                    body += chunk
                    if len(body) > _LONGEST:
                        raise RefusedError("it answers with an endless page")
            text = body.decode("utf-8", errors="replace")
            pages.append(Page(text, head.url, head.headers.get("content-type", "")))

        hops = self.patience.attempts if hops is None else hops
        patiently(attempt, folder / "page", self.patience, hops, self.meter)
        return pages[-1]
