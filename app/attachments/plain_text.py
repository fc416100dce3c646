"""Bytes to text: Unicode by its marks, UTF-8, else the encoding that fits best; what is no text is refused."""

import codecs
import re

from app.attachments.refusal import Reason, RefusedError

MARKS = (  # UTF-32 first: its mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
SAMPLE = 64 * 1024  # bytes that are looked at to guess an encoding
NOISE = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
MOST_ACCENTS = 0.3  # of the characters
# No Western text has signs or capitals inside a word, or four foreign characters in a row.
UNLIKELY = re.compile(r"[^\W\d_][^\w\s\x00-\x7f‘’·–—…][^\W\d_]|[a-zß-ÿ][À-Þ]|[^\x00-\x7f]{4}")
MOST_NOISE = 0.02  # of the characters
COLOUR_CODE = re.compile(r"\x1b\[[0-9;]*[mK]")  # in logs


def decode(data: bytes) -> str:
    """Errors: RefusedError(BINARY)."""
    mark = next((encoding for mark, encoding in MARKS if data.startswith(mark)), None)
    encoding = mark or _encoding(data)
    try:
        text = data.decode(encoding, errors="replace" if encoding not in ("utf-8", "utf-32") else "strict")
    except UnicodeDecodeError:
        raise RefusedError(Reason.BINARY) from None
    return cleaned(text)


def cleaned(text: str) -> str:
    """One kind of line end, and none of the characters that only machines read. Errors: RefusedError(BINARY)."""
    text = COLOUR_CODE.sub("", text)
    noise = NOISE.findall(text)
    if len(noise) > MOST_NOISE * len(text):
        raise RefusedError(Reason.BINARY)
    text = NOISE.sub("", text) if noise else text
    return re.sub(r"\r\n?|\f", "\n", text).strip("\n")


def _encoding(data: bytes) -> str:
    if b"\0" in data:
        return _unmarked_utf16(data[:SAMPLE])
    try:
        data.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        whole_lines = data[: data.rfind(b"\n", 0, SAMPLE) + 1] if len(data) > SAMPLE else data
        return _legacy(whole_lines or data[:SAMPLE])


def _unmarked_utf16(sample: bytes) -> str:
    """In mostly Western text every second byte is zero. Other zeros mean that it is no text."""
    even, odd = sample[::2].count(0) / len(sample[::2]), sample[1::2].count(0) / max(len(sample[1::2]), 1)
    if max(even, odd) < 0.3 or min(even, odd) > 0.05:
        raise RefusedError(Reason.BINARY)
    return "utf-16-be" if even > odd else "utf-16-le"


def _legacy(sample: bytes) -> str:
    """Few accented letters say too little for a statistical guess, so Western Europe's encoding is tried first."""
    from charset_normalizer import from_bytes

    if _is_western(sample):
        return "cp1252"
    best = from_bytes(sample).best()
    if best is None:
        raise RefusedError(Reason.BINARY)
    return str(best.encoding)


def _is_western(sample: bytes) -> bool:
    try:
        text = sample.decode("cp1252")
    except UnicodeDecodeError:
        return False
    accents = sum(character > "\x7f" for character in text)
    return accents <= MOST_ACCENTS * len(text) and not UNLIKELY.search(text)
