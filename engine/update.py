"""Asks, only when the user does, whether a newer version is out: a small signed notice, no download.

The notice is one JSON object, `{"notice": text, "signature": base64}`. The text is JSON too, and the signature
(Ed25519, RFC 8032) covers exactly its bytes behind a line that keeps it from being taken for anything else.
"""

import base64
import binascii
import json
import os
import re
import time
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Self
from urllib.parse import urlsplit

from engine.errors import SlipstreamError
from engine.models.line import BrokenError, Limits, Line
from engine.models.meter import Meter

# Set by whoever publishes: packaging/README.md, "Publishing a version". Empty: this copy can't check.
ADDRESS = ""
PUBLIC_KEY = ""

ADDRESS_VARIABLE = "SLIPSTREAM_UPDATE_URL"
CONTEXT = b"slipstream update notice 1\n"
LARGEST_NOTICE = 64 * 1024
LIMITS = Limits(connect_s=10.0, silence_s=10.0)
TOTAL_S = 30.0  # a server that sends a byte now and then is not waited for longer
_VERSION = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6}){1,3}")
_SOMETHING_ELSE = "What the update address sends is not an update notice; look where you got Slipstream."


@dataclass(frozen=True, slots=True)
class Release:
    """The newest version, as its maker describes it. `page` is where to get it, an https address."""

    version: str
    notes: str
    page: str
    published: date
    expires: date

    @classmethod
    def parse(cls, text: str) -> Self:
        """From the notice's text; ValueError or TypeError when it is no notice."""
        raw = json.loads(text)
        version, notes, page = (_string(raw, key) for key in ("version", "notes", "page"))
        days = (date.fromisoformat(_string(raw, key)) for key in ("published", "expires"))
        if not _VERSION.fullmatch(version) or urlsplit(page).scheme != "https":
            raise ValueError("neither a version nor a page")
        return cls(version, notes, page, *days)

    def text(self) -> str:
        """The bytes that are signed, as text."""
        names = ("version", "notes", "page")
        fields = {name: getattr(self, name) for name in names}
        days = {"published": self.published.isoformat(), "expires": self.expires.isoformat()}
        return json.dumps(fields | days, ensure_ascii=False)

    def is_newer_than(self, version: str) -> bool:
        return _order(self.version) > _order(version)


class _Patience(Meter):
    """The user's own meter, and an end to all waiting."""

    def __init__(self, meter: Meter, seconds: float) -> None:
        super().__init__()
        self._meter = meter
        self._end = time.monotonic() + seconds

    def tick(self) -> None:
        self._meter.tick()
        if time.monotonic() > self._end:
            raise BrokenError("the answer takes too long")


def check(current: str, meter: Meter | None = None, public_key: str | None = None) -> Release | None:
    """The newer release, or None when `current` is the newest. SlipstreamError: why that can't be known."""
    address = os.environ.get(ADDRESS_VARIABLE) or ADDRESS
    key = PUBLIC_KEY if public_key is None else public_key
    if not address or not key:
        raise SlipstreamError("This copy knows no update address: newer versions come from where you got it.")
    release = verified(_read(address, meter or Meter()), key)
    return _trusted(release, current, datetime.now(UTC).date())


def verified(body: bytes, public_key: str) -> Release:
    """The release that `body` announces, if the holder of the key's other half signed it."""
    try:
        envelope = json.loads(body)
        text, signature = _string(envelope, "notice"), _string(envelope, "signature")
    except (ValueError, TypeError, RecursionError) as error:
        raise SlipstreamError(_SOMETHING_ELSE) from error
    if not _is_signed(text.encode(), signature, public_key):
        raise SlipstreamError(
            "The update notice is not signed by Slipstream's makers, so it is not believed."
        )
    try:
        return Release.parse(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise SlipstreamError(
            "The update notice is of a kind that this version can't read; look where you got Slipstream."
        ) from error


def in_words(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _trusted(release: Release, current: str, today: date) -> Release | None:
    """An old notice, signed once, may be sent again to hide what came after it."""
    if release.expires < today:
        raise SlipstreamError(
            f"The update notice was valid until {in_words(release.expires)} only; "
            "check this computer's date, or look where you got Slipstream."
        )
    if _order(release.version) < _order(current):
        raise SlipstreamError(
            f"The update address still announces {release.version}, and you have {current}: there is nothing to do."
        )
    return release if release.is_newer_than(current) else None


def _read(address: str, meter: Meter) -> bytes:
    from engine.models import trust

    meter = _Patience(meter, TOTAL_S)
    headers = {"Accept": "application/json", "User-Agent": "Slipstream"}  # says nothing about the machine
    try:
        with Line(trust.ssl_context()) as line, line.get(address, headers, LIMITS, meter) as reply:
            status = reply.head().status
            if status != 200:
                raise SlipstreamError(f"The update address answers with status {status}; try again later.")
            body = b""
            for chunk in reply:
                meter.tick()
                body += chunk
                if len(body) > LARGEST_NOTICE:
                    raise SlipstreamError(_SOMETHING_ELSE)
            return body
    except BrokenError as error:
        raise SlipstreamError(
            f"The update address did not answer: {error}. Check the connection and try again."
        ) from error


def _is_signed(text: bytes, signature: str, public_key: str) -> bool:
    from nacl.exceptions import CryptoError
    from nacl.signing import VerifyKey

    try:
        VerifyKey(base64.b64decode(public_key)).verify(
            CONTEXT + text, base64.b64decode(signature, validate=True)
        )
    except (CryptoError, binascii.Error, ValueError):
        return False
    return True


def _order(version: str) -> tuple[tuple[int, ...], bool]:
    """Trailing zeros do not make a version newer: 1.2 is 1.2.0. 1.2rc1 (PEP 440) comes before both."""
    release = re.match(r"[0-9.]*", version)
    numbers = [int(number) for number in re.findall(r"[0-9]+", release[0] if release else "")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers), not re.search(r"[a-z]", version.partition("+")[0])


def _string(raw: Any, key: str) -> str:
    value = raw.get(key) if isinstance(raw, dict) else None
    if not isinstance(value, str):
        raise TypeError(f"{key} is missing")
    value.encode()  # half a surrogate pair has no bytes that could be signed
    return value
