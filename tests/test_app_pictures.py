"""Pictures of this computer come only when asked for, links only of safe kinds."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QColor, QDesktopServices, QImage
from pytestqt.qtbot import QtBot

from app.chat import pictures
from app.chat.links import describe, open_link
from app.chat.markdown import parse
from app.chat.pictures import MAX_HEIGHT, read_picture
from app.chat.rich_text import RichText
from engine.errors import SlipstreamError


@pytest.fixture
def png(tmp_path: Path) -> Path:
    path = tmp_path / "a cat.png"
    image = QImage(60, 1200, QImage.Format.Format_RGB32)
    image.fill(QColor("red"))
    image.save(str(path))
    return path


def test_a_picture_is_shown_only_after_a_click(qtbot: QtBot, png: Path) -> None:
    text = RichText()
    qtbot.addWidget(text)
    text.expect_width(400)
    text.set_html(parse(f"See ![cat](<{png}>) there")[0].content)
    assert text.toPlainText() == "See [Show picture: cat] there"
    height = text.document().size().height()
    link = text._link_cursor("picture:" + str(png).replace(" ", "%20"))
    assert link is not None
    text.anchorClicked.emit(QUrl(link.charFormat().anchorHref()))
    assert text.toPlainText() == "See \ufffc there"
    assert text.document().size().height() > height
    text.restyle()
    assert text.toPlainText() == "See \ufffc there"  # the consent holds


def test_a_large_picture_is_made_smaller(png: Path) -> None:
    image = read_picture(str(png), 400, 1.0)
    assert (image.width(), image.height()) == (MAX_HEIGHT * 60 // 1200, MAX_HEIGHT)
    assert read_picture(png.as_uri(), 400, 2.0).height() == 2 * MAX_HEIGHT


def test_a_picture_that_unpacks_to_too_much_is_refused(png: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MAX_PIXELS", 60 * 1200 - 1)
    with pytest.raises(SlipstreamError, match="too many pixels"):
        read_picture(str(png), 400, 1.0)


def test_a_large_file_is_refused(png: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MAX_BYTES", 10)
    with pytest.raises(SlipstreamError, match="too large"):
        read_picture(str(png), 400, 1.0)


@pytest.mark.parametrize("content", [b"text", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b""])
def test_what_is_no_picture_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.png"
    path.write_bytes(content)
    with pytest.raises(SlipstreamError, match="no picture"):
        read_picture(str(path), 400, 1.0)


@pytest.mark.parametrize(
    "address",
    [
        "/no/such/file.png",
        "/dev/null",
        "/tmp",
        "/a\0b",
        "file:////host/share/x.png",
        "file:///%5Chost%5Cx.png",
    ],
)
def test_what_is_no_file_is_refused(address: str) -> None:
    with pytest.raises(SlipstreamError, match="no file"):
        read_picture(address, 400, 1.0)


@pytest.mark.parametrize(
    "address", ["file:///etc/passwd", "javascript:alert(1)", "smb://host/x", "vscode://x"]
)
def test_other_addresses_are_refused_in_a_sentence(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    assert open_link(QUrl(address)).startswith("Slipstream opens only web and mail addresses")
    assert describe(QUrl(address)) == open_link(QUrl(address))
    assert opened == []


def test_a_web_address_is_opened_outside_and_told_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: url.host() == "example.org")
    assert describe(QUrl("https://example.org/a")) == "https://example.org/a"
    assert open_link(QUrl("https://example.org/a")) == ""
    assert "No program" in open_link(QUrl("https://example.net"))
