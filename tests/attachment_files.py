"""Files to attach, made on the spot: PDFs and Word documents, whole and hostile."""

import io
import zipfile
from collections.abc import Sequence

from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
COMPATIBLE = "http://schemas.openxmlformats.org/markup-compatibility/2006"


def pdf(pages: Sequence[str], password: str = "", owner: str = "") -> bytes:
    writer = PdfWriter()
    for words in pages:
        page = writer.add_blank_page(300, 300)
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F1 12 Tf 20 200 Td ({words}) Tj ET".encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(stream)
        font = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
        entries = {NameObject(key): NameObject(value) for key, value in font.items()}
        fonts = DictionaryObject({NameObject("/F1"): DictionaryObject(entries)})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    if password or owner:
        writer.encrypt(password, owner or None, algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def docx(body: str, head: str = "", **parts: str) -> bytes:
    """`body` is the XML inside w:body; further parts by their names in word/."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        names = f'xmlns:w="{WORD}" xmlns:mc="{COMPATIBLE}"'
        archive.writestr(
            "word/document.xml", f"{head}<w:document {names}><w:body>{body}</w:body></w:document>"
        )
        for name, inner in parts.items():
            archive.writestr(f"word/{name}.xml", f"<w:{name} {names}>{inner}</w:{name}>")
    return out.getvalue()


def paragraph(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
