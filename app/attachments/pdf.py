"""The text layer of a PDF, page by page."""

import io
import logging
from collections.abc import Iterator

from app.attachments.refusal import Reason, RefusedError

SPARSE = 8  # characters a page; a scan's text layer is empty or holds a page number


def read(data: bytes, most: int) -> str:
    """At most `most` characters and a bit. Errors: RefusedError."""
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise RefusedError(Reason.PASSWORD)
        pages = list(_pages(reader, most))
    except DependencyError as error:  # an encryption that pypdf leaves to other packages
        raise RefusedError(Reason.PASSWORD) from error
    except (
        PyPdfError,
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        IndexError,
        ArithmeticError,
    ) as error:
        raise RefusedError(Reason.DAMAGED) from error
    if sum(len(page.strip()) for page in pages) < SPARSE * max(len(pages), 1):
        raise RefusedError(Reason.SCANNED)
    return "\n\n".join(page.strip() for page in pages if page.strip())


def _pages(reader: "object", most: int) -> Iterator[str]:
    length = 0
    for page in reader.pages:  # type: ignore[attr-defined]
        text = page.extract_text()
        yield text
        length += len(text)
        if length > most:
            return
