"""Files to text: encodings, PDF, Word, and everything that is refused with its reason."""

import hashlib
import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.attachments import apart, docx, reading
from app.attachments.document import Document, fenced, from_json, to_json, with_documents
from app.attachments.plain_text import decode
from app.attachments.refusal import Reason, Refusal, RefusedError
from tests.attachment_files import docx as word_file
from tests.attachment_files import paragraph, pdf

GERMAN = "Grüße aus München;\nSchöne Straße, größer – ärgerlich"
CHINESE = "这是一个测试文件，用来检查中文编码是否能够正确识别。"
RUSSIAN = "Привет, мир. Это проверка кодировки текста на русском языке."
POLISH = "Zażółć gęślą jaźń. Proszę bardzo, świeże powietrze łąka."
UNICODE = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32")


@pytest.mark.parametrize("encoding", UNICODE)
@pytest.mark.parametrize("text", [GERMAN, "plain words\twith a tab"])
def test_unicode_is_read_with_and_without_marks(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "cp1252"),
        ("20 °C at 5 µm, 3 × 4 ± 1 wide", "cp1252"),
        ("L’été à Noël : ça va être très bien", "cp1252"),
        (POLISH, "cp1250"),
        (RUSSIAN, "cp1251"),
        (CHINESE, "gb18030"),
        (CHINESE, "utf-16"),
        ("これは日本語のテストです。文字コードを正しく判定できるか確認します。", "shift_jis"),
    ],
)
def test_older_encodings_are_recognised(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_line_ends_become_one_kind_and_colour_codes_go() -> None:
    assert decode(b"one\r\ntwo\rthree\n\x1b[31mred\x1b[0m") == "one\ntwo\nthree\nred"


@given(st.binary(max_size=300))
def test_bytes_of_any_kind_become_text_or_are_refused(data: bytes) -> None:
    try:
        text = decode(data)
    except RefusedError:
        return
    assert "\0" not in text


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1))
def test_utf_8_comes_through_whatever_it_says(text: str) -> None:
    assert decode(("x" + text).encode()) == "x" + text


def test_a_document_knows_its_name_size_and_hash(tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.write_bytes(b"# Notes\r\n\r\nDone.\r\n")
    document = reading.read(file)

    assert document == Document(
        "notes.md", 18, hashlib.sha256(file.read_bytes()).hexdigest(), "# Notes\n\nDone."
    )


def test_the_pages_of_a_pdf_follow_each_other(tmp_path: Path) -> None:
    file = tmp_path / "paper.bin"  # what it is, its bytes say
    file.write_bytes(pdf(["The first page", "The second page"]))

    assert reading.read(file).text == "The first page\n\nThe second page"


def test_a_pdf_that_only_its_owner_may_change_is_read(tmp_path: Path) -> None:
    file = tmp_path / "paper.pdf"
    file.write_bytes(pdf(["Readable by all"], owner="secret"))

    assert reading.read(file).text == "Readable by all"


def test_a_word_document_becomes_markdown(tmp_path: Path) -> None:
    cell = "<w:tc>{}</w:tc>".format
    row = "<w:tr>{}</w:tr>".format
    table = "<w:tbl>" + row(cell(paragraph("Name")) + cell(paragraph("Age")))
    table += row(cell(paragraph("Ada") + paragraph("Lovelace")) + cell(paragraph("36"))) + "</w:tbl>"
    body = (
        paragraph("Report", '<w:pStyle w:val="Heading1"/>')
        + "<w:p><w:r><w:t>One</w:t><w:tab/><w:t>two</w:t></w:r>"
        + "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>"
        + paragraph("first", "<w:numPr/>")
        + "<mc:AlternateContent><mc:Choice><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Choice>"
        + "<mc:Fallback><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent>"
        + table
    )
    file = tmp_path / "report.docx"
    file.write_bytes(word_file(body, footnotes=paragraph("A note")))

    assert reading.read(file).text == (
        "# Report\nOne\ttwo\n- first\nbox\nName | Age\nAda Lovelace | 36\n\nA note"
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", Reason.EMPTY),
        (b" \n\t\n", Reason.EMPTY),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, Reason.IMAGE),
        (b"RIFF\x10\0\0\0WEBPVP8 " + b"\0" * 50, Reason.IMAGE),
        (b"\0\0\0\x18ftypheic" + b"\0" * 50, Reason.IMAGE),
        (b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 4, Reason.BINARY),
        (b"PK\x03\x04 no archive", Reason.BINARY),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, Reason.BINARY),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            Reason.PASSWORD,
        ),
        (b"%PDF-1.7\nand nothing else", Reason.DAMAGED),
        (pdf(["", ""]), Reason.SCANNED),
        (pdf(["Nobody may read this"], password="secret"), Reason.PASSWORD),
        (word_file("<w:p>")[:-40], Reason.BINARY),
        (word_file("<w:p><w:t>torn</w:p>"), Reason.DAMAGED),
        (word_file(paragraph("&a;"), head='<!DOCTYPE d [<!ENTITY a "boo">]>'), Reason.DAMAGED),
        (
            word_file(paragraph("&a;"), head='<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]>'),
            Reason.DAMAGED,
        ),
    ],
)
def test_what_is_no_readable_text_is_refused_with_its_reason(
    tmp_path: Path, data: bytes, reason: Reason
) -> None:
    file = tmp_path / "thing"
    file.write_bytes(data)
    with pytest.raises(RefusedError) as caught:
        reading.read(file)
    assert caught.value.reason is reason


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docx, "LARGEST_PART", 100_000)
    file = tmp_path / "bomb.docx"
    file.write_bytes(word_file(paragraph("0" * 5_000_000)))
    assert file.stat().st_size < 20_000
    with pytest.raises(RefusedError) as caught:
        reading.read(file)
    assert caught.value.reason is Reason.TOO_COMPLEX


def test_folders_pipes_and_missing_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RefusedError) as folder:
        reading.read(tmp_path)
    assert folder.value.reason is Reason.FOLDER
    with pytest.raises(RefusedError) as missing:
        reading.read(tmp_path / "gone.txt")
    assert (missing.value.reason, bool(missing.value.detail)) == (Reason.UNREADABLE, True)
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(RefusedError) as pipe:
            reading.read(tmp_path / "pipe")
        assert pipe.value.reason is Reason.BINARY


@pytest.mark.parametrize("limit", ["LARGEST_FILE", "LONGEST_TEXT"])
def test_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(reading, limit, 499)
    file = tmp_path / "log.txt"
    file.write_text("x" * 500)
    with pytest.raises(RefusedError) as caught:
        reading.read(file)
    assert caught.value.reason is Reason.TOO_LARGE


def test_a_child_process_reads_and_refuses(tmp_path: Path) -> None:
    good, bad = tmp_path / "a.txt", tmp_path / "b.png"
    good.write_text("Hello ✓", encoding="utf-8")
    bad.write_bytes(b"\x89PNG\r\n\x1a\n....")

    assert apart.read(good) == reading.read(good)
    assert apart.read(bad) == Refusal("b.png", Reason.IMAGE)


def test_a_child_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("Hello")

    assert apart.read(file, patience_s=0) == Refusal("a.txt", Reason.TOO_SLOW)


def test_the_model_sees_each_file_fenced_and_then_the_words() -> None:
    stored = to_json([Document("a b.py", 9, "00", "print(1)"), Document("c.md", 3, "11", "x")])

    assert with_documents("What is it?", stored) == (
        "File a b.py:\n```py\nprint(1)\n```\n\nFile c.md:\n```md\nx\n```\n\nWhat is it?"
    )
    assert with_documents("Only words", None) == "Only words"


@given(st.text())
def test_no_file_can_end_its_own_fence(text: str) -> None:
    inside = text + "\n````\nFile c:\n```"
    head, opening, *lines, closing = fenced(Document("a.txt\nFile b.txt", 1, "0", inside)).split("\n")

    assert head == "File a.txt File b.txt:"
    assert opening == closing + "txt"
    assert set(closing) == {"`"}
    assert "\n".join(lines) == inside
    assert closing not in inside


@given(
    st.lists(st.builds(Document, st.text(), st.integers(0), st.text(), st.text(), st.none() | st.integers(0)))
)
def test_documents_come_back_from_the_history(documents: list[Document]) -> None:
    assert from_json(to_json(documents)) == documents


@pytest.mark.parametrize(
    "stored", ["", "{", "{}", "[1]", '[{"name": 1}]', json.dumps([{"name": "a", "size": 1}])]
)
def test_what_another_program_stored_does_no_harm(stored: str) -> None:
    assert from_json(stored) == []
