"""A file's text as it is kept with a message, and as the model reads it."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import PurePath


@dataclass(frozen=True, slots=True)
class Document:
    """`size` is the file's, in bytes; `sha256` in hexadecimal digits; `tokens` of its text, None if never counted."""

    name: str
    size: int
    sha256: str
    text: str
    tokens: int | None = None


def to_json(documents: Sequence[Document]) -> str | None:
    """For the history's `attachments_json`; None for a message without any."""
    return json.dumps([asdict(document) for document in documents], ensure_ascii=False) if documents else None


def from_json(stored: str | None) -> list[Document]:
    """What can't be understood, because another version or another program wrote it, is left out."""
    try:
        values = json.loads(stored or "[]")
    except ValueError:
        return []
    found = (_document(value) for value in values) if isinstance(values, list) else ()
    return [document for document in found if document is not None]


def with_documents(text: str, stored: str | None) -> str:
    """The message that the model reads: each file under its name in a fence, then the user's words.

    The fence is longer than any in the file, so no text can end it early.
    """
    return "\n\n".join([*(fenced(document) for document in from_json(stored)), *([text] if text else [])])


def fenced(document: Document) -> str:
    longest = max((len(run) for run in re.findall(r"`{3,}", document.text)), default=2)
    fence = "`" * (longest + 1)
    kind = re.sub(r"\W", "", PurePath(document.name).suffix)
    return f"File {_one_line(document.name)}:\n{fence}{kind}\n{document.text}\n{fence}"


def _one_line(name: str) -> str:
    return " ".join(name.split())


def _document(value: object) -> Document | None:
    if not isinstance(value, dict):
        return None
    name, size, digest, text, tokens = (value.get(key) for key in Document.__slots__)
    if not (
        isinstance(name, str) and isinstance(text, str) and isinstance(size, int) and isinstance(digest, str)
    ):
        return None
    return Document(name, size, digest, text, tokens if isinstance(tokens, int) else None)
