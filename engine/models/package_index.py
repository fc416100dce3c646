"""Finds a wheel on a Python package index (PEP 503 pages or PEP 691 JSON) and reads a member out of it.

A wheel is only a zip file here: nothing in it is installed or run, and no path in it is ever used as a path.
"""

import lzma
import re
import zipfile
import zlib
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import unquote, urldefrag, urljoin, urlsplit, urlunsplit

from engine.models import disk, json_file
from engine.models.catalogue import Wheel
from engine.models.download import Patience, RefusedError, Remote
from engine.models.line import Line
from engine.models.meter import Meter
from engine.models.page import PageReader

_ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"


class PackageIndex:
    """One index, asked through one line."""

    def __init__(self, url: str, line: Line, patience: Patience, meter: Meter) -> None:
        self._url = url
        self._pages = PageReader(line, patience, meter)

    @property
    def host(self) -> str:
        """For messages: without the user name and password that an address may hold."""
        return urlsplit(self._url).hostname or self._url

    def locate(self, wheel: Wheel, folder: Path) -> Remote:
        """The wheel's address. RefusedError when the index is not usable or has another file by that name."""
        page = self._pages.read(f"{self._url}/{wheel.project}/", {"Accept": _ACCEPT}, folder)
        links = _json_links(page.text) if "json" in page.kind else _html_links(page.text)
        link = next((found for found in links if _file_name(found[0]) == wheel.file), None)
        if link is None:
            raise RefusedError(f"it doesn't offer {wheel.file}")
        url, sha256 = link
        if sha256 not in ("", wheel.sha256):
            raise RefusedError(f"it offers another {wheel.file} than the one expected (its sha256 differs)")
        try:
            return Remote(self._with_login(urljoin(page.url, url)), wheel.size, wheel.sha256)
        except ValueError as error:
            raise RefusedError(f"it gives a wrong address for {wheel.file}") from error

    def _with_login(self, url: str) -> str:
        """A file on the index's own host needs the index's user name and password."""
        own, other = urlsplit(self._url), urlsplit(urldefrag(url).url)
        same = (own.scheme, own.hostname, own.port) == (other.scheme, other.hostname, other.port)
        if "@" in own.netloc and same:
            other = other._replace(netloc=own.netloc)
        return urlunsplit(other)


def append_member(wheel: Path, member: str, target: BinaryIO, room: int, seen: Callable[[], None]) -> int:
    """Appends the member to `target`, returns its bytes; RefusedError when absent, broken or above `room`."""
    size = 0
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(member) as source:
            while chunk := source.read(disk.CHUNK):
                size += len(chunk)
                if size > room:
                    raise RefusedError(f"{wheel.name} holds more than the model's size")
                target.write(chunk)
                seen()
    except (
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        KeyError,
        ValueError,
        EOFError,
        RuntimeError,
    ) as error:
        raise RefusedError(f"{wheel.name} is not the package expected ({error})") from error
    return size


def _file_name(url: str) -> str:
    path = re.split("[?#]", url, maxsplit=1)[0]
    return unquote(path.rpartition("/")[2])


def _json_links(page: str) -> list[tuple[str, str]]:
    try:
        files: list[dict[str, Any]] = json_file.parse(page)["files"]
        return [(str(file["url"]), str(file.get("hashes", {}).get("sha256", ""))) for file in files]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RefusedError("its answer is not a list of files") from error


def _html_links(page: str) -> list[tuple[str, str]]:
    anchors = _Anchors()
    anchors.feed(page)
    return [(url, _sha256_of(url)) for url in anchors.urls]


def _sha256_of(url: str) -> str:
    match = re.fullmatch(r"sha256=([0-9a-f]{64})", urldefrag(url).fragment)
    return match[1] if match else ""


class _Anchors(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.urls: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.urls += [value for name, value in attrs if name == "href" and value]
