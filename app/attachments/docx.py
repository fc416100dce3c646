"""The text of a Word document (.docx), as Markdown as far as headings, lists and tables go.

The file is a ZIP archive from anywhere: no part is unpacked beyond a limit, and XML that declares entities is refused.
"""

import io
import re
import zipfile
import zlib
from xml.parsers import expat

from app.attachments.refusal import Reason, RefusedError

MAIN = "word/document.xml"
NOTES = ("word/footnotes.xml", "word/endnotes.xml")
LARGEST_PART = 48 << 20  # bytes, unpacked
OFFICE = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main|",
    "http://purl.oclc.org/ooxml/wordprocessingml/main|",
)
FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006|Fallback"
HEADING = re.compile(r"heading ?([1-6])", re.IGNORECASE)


def is_docx(data: bytes) -> bool:
    try:
        return MAIN in zipfile.ZipFile(io.BytesIO(data)).namelist()
    except (zipfile.BadZipFile, ValueError, OSError):
        return False


def read(data: bytes) -> str:
    """Errors: RefusedError."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            parts = [_part(archive, name) for name in (MAIN, *NOTES) if name in names]
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError) as error:
        raise RefusedError(Reason.DAMAGED) from error
    except RuntimeError as error:  # zipfile says so of an encrypted part
        raise RefusedError(Reason.PASSWORD) from error
    return "\n\n".join(text for text in map(_text, parts) if text)


def _part(archive: zipfile.ZipFile, name: str) -> bytes:
    with archive.open(name) as part:
        data = part.read(LARGEST_PART + 1)
    if len(data) > LARGEST_PART:
        raise RefusedError(Reason.TOO_COMPLEX)
    return data


def _text(xml: bytes) -> str:
    words = _Words()
    parser = expat.ParserCreate(namespace_separator="|")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse
    parser.StartElementHandler = words.start
    parser.EndElementHandler = words.end
    parser.CharacterDataHandler = words.say
    try:
        parser.Parse(xml, True)
    except expat.ExpatError as error:
        raise RefusedError(Reason.DAMAGED) from error
    return words.text()


def _refuse(*_declaration: object) -> None:
    raise RefusedError(Reason.DAMAGED)


class _Words:
    """Collects what a reader of the document sees: deleted text and the codes of fields are other elements than w:t."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._prefix = ""
        self._cells: list[list[str]] = []  # of the rows that are open, innermost last
        self._in_text = False
        self._skipped = 0  # depth inside a Fallback, which says again what came before it

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self._skipped or name == FALLBACK:
            self._skipped += 1
            return
        tag = _tag(name)
        if tag == "t":
            self._in_text = True
        elif tag in ("tab", "br", "cr"):
            self._line.append("\t" if tag == "tab" else "\n")
        elif tag == "pStyle":
            heading = HEADING.fullmatch(_value(attributes))
            self._prefix = "#" * int(heading[1]) + " " if heading else self._prefix
        elif tag == "numPr":
            self._prefix = self._prefix or "- "
        elif tag == "tr":
            self._cells.append([])
        elif tag == "tc" and self._cells:
            self._cells[-1].append("")

    def end(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        tag = _tag(name)
        if tag == "t":
            self._in_text = False
        elif tag == "p":
            self._end_paragraph()
        elif tag == "tr" and self._cells:
            self._put(" | ".join(self._cells.pop()))

    def say(self, text: str) -> None:
        if self._in_text and not self._skipped:
            self._line.append(text)

    def text(self) -> str:
        return re.sub(r"\n{3,}", "\n\n", "\n".join(self._lines)).strip("\n")

    def _end_paragraph(self) -> None:
        line = "".join(self._line)
        self._put(self._prefix + line if line.strip() else "")
        self._line, self._prefix = [], ""

    def _put(self, line: str) -> None:
        """Into the cell that is open, else into the text."""
        if self._cells and self._cells[-1]:
            cell = self._cells[-1]
            cell[-1] = " ".join(filter(None, (cell[-1], line.replace("\n", " "))))
        else:
            self._lines.append(line)


def _tag(name: str) -> str:
    """The local name of an element of Word's own; "" for others."""
    return next((name.removeprefix(office) for office in OFFICE if name.startswith(office)), "")


def _value(attributes: dict[str, str]) -> str:
    return next((value for name, value in attributes.items() if name.endswith("|val")), "")
