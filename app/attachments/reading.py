"""One file to one Document. What a file is, its bytes decide, not its name.

Runs in a process of its own: files come from anywhere, and a PDF can keep any reader busy for ever.
"""

import hashlib
import re
import stat
from pathlib import Path

from app.attachments import docx, pdf, plain_text
from app.attachments.document import Document
from app.attachments.refusal import Reason, RefusedError

LARGEST_FILE = 64 << 20  # bytes
LONGEST_TEXT = 4_000_000  # characters: about a million tokens
IMAGES = (
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"GIF87a",
    b"GIF89a",
    b"II*\0",
    b"MM\0*",
    b"\0\0\1\0",
    b"8BPS",
    b"\xff\x0a",
)
IMAGE_IN_BOX = re.compile(rb"\A(RIFF....WEBP|....ftyp(heic|heix|avif|mif1|msf1)|BM....\0\0\0\0)", re.DOTALL)
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
PACKED = b"PK\x03\x04"


def read(path: Path) -> Document:
    """Errors: RefusedError."""
    data = _bytes(path)
    text = _text(data)
    if len(text) > LONGEST_TEXT:
        raise RefusedError(Reason.TOO_LARGE)
    if not text.strip():
        raise RefusedError(Reason.EMPTY)
    return Document(path.name, len(data), hashlib.sha256(data).hexdigest(), text)


def _bytes(path: Path) -> bytes:
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise RefusedError(Reason.FOLDER)
        if not stat.S_ISREG(found.st_mode):  # a pipe would be waited for, a device has no end
            raise RefusedError(Reason.BINARY)
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise RefusedError(Reason.UNREADABLE, error.strerror or str(error)) from error
    if len(data) > LARGEST_FILE:
        raise RefusedError(Reason.TOO_LARGE)
    return data


def _text(data: bytes) -> str:
    if data.startswith(IMAGES) or IMAGE_IN_BOX.match(data):
        raise RefusedError(Reason.IMAGE)
    if b"%PDF-" in data[:1024]:
        return plain_text.cleaned(pdf.read(data, LONGEST_TEXT))
    if data.startswith(PACKED):
        if not docx.is_docx(data):
            raise RefusedError(Reason.BINARY)
        return plain_text.cleaned(docx.read(data))
    if data.startswith(OLD_OFFICE):
        encrypted = "EncryptedPackage".encode("utf-16-le") in data
        raise RefusedError(Reason.PASSWORD if encrypted else Reason.BINARY)
    return plain_text.decode(data)
