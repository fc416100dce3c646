"""Help > Check for updates against a server of its own: what is believed, and one sentence for what is not."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import base64
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from nacl.signing import SigningKey
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

import update_notice
from app import __version__
from app.update_dialog import UpdateDialog
from app.worker import FailureLog
from builder.project import ROOT, BuildError
from engine import update
from engine.errors import SlipstreamError
from engine.models.meter import CancelledError, Meter
from engine.update import Release, check, verified
from tests.fake_registry import FakeRegistry, Fault

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)

PATH = "/update.json"
TODAY = datetime.now(UTC).date()
RELEASE = Release(
    "0.2.0", "Faster: “Spröde”.\nAnd smaller.", "https://example.org/get", TODAY, TODAY + timedelta(days=9)
)


class Publisher:
    """A server and a key; `publish` puts a signed notice there."""

    def __init__(self, server: FakeRegistry, key: Path, public: str) -> None:
        self.server = server
        self.key = key
        self.public = public

    def publish(self, release: Release) -> bytes:
        body = update_notice.signed(release, self.key)
        self.serve(body)
        return body

    def serve(self, body: bytes) -> None:
        self.server.files[PATH] = body

    def check(self, current: str = "0.1.0") -> Release | None:
        return check(current, public_key=self.public)


@pytest.fixture
def publisher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Publisher]:
    key = tmp_path / "release.key"
    with FakeRegistry() as server:
        monkeypatch.setenv(update.ADDRESS_VARIABLE, server.url + PATH)
        yield Publisher(server, key, update_notice.new_key(key))


def test_a_newer_release_comes_back_as_its_maker_wrote_it(publisher: Publisher) -> None:
    publisher.publish(RELEASE)

    assert publisher.check("0.1.0") == RELEASE
    assert [asked.path for asked in publisher.server.asked] == [PATH]  # one question, nothing fetched


@pytest.mark.parametrize("current", ["0.2.0", "0.2"])
def test_the_newest_version_needs_nothing(publisher: Publisher, current: str) -> None:
    publisher.publish(RELEASE)

    assert publisher.check(current) is None


@pytest.mark.parametrize(("new", "old"), [("0.10", "0.9"), ("1.0.1", "1"), ("2.0", "1.99.99")])
def test_versions_are_compared_by_number(new: str, old: str) -> None:
    assert replace(RELEASE, version=new).is_newer_than(old)
    assert not replace(RELEASE, version=old).is_newer_than(new)


@pytest.mark.parametrize("current", ["1.0rc1", "1.0.0a2", "1.0.dev3", "0.9.9", "0.9+local"])
def test_a_trial_version_comes_before_its_release(current: str) -> None:
    assert replace(RELEASE, version="1.0").is_newer_than(current)


def test_an_endless_answer_is_given_up(publisher: Publisher, monkeypatch: pytest.MonkeyPatch) -> None:
    """GIVEN a server that keeps the line open, and no time left THEN it is not the single silence that counts."""
    publisher.publish(RELEASE)
    publisher.server.faults[PATH].append(Fault(after=20, hang=True))
    monkeypatch.setattr(update, "TOTAL_S", 0.0)

    with pytest.raises(SlipstreamError, match="the answer takes too long"):
        publisher.check()
    assert not publisher.server.gave_up


def test_a_changed_notice_is_not_believed(publisher: Publisher) -> None:
    body = json.loads(publisher.publish(RELEASE))
    body["notice"] = body["notice"].replace("example.org", "example.com")
    publisher.serve(json.dumps(body).encode())

    with pytest.raises(SlipstreamError, match=r"^The update notice is not signed by Slipstream's makers"):
        publisher.check()


@pytest.mark.parametrize("signature", ["", "AAAA", "not base64!", base64.b64encode(bytes(64)).decode(), "ü"])
def test_a_notice_without_a_sound_signature_is_not_believed(publisher: Publisher, signature: str) -> None:
    body = json.loads(publisher.publish(RELEASE)) | {"signature": signature}
    publisher.serve(json.dumps(body).encode())

    with pytest.raises(SlipstreamError, match="not signed"):
        publisher.check()


def test_another_makers_notice_is_not_believed(publisher: Publisher, tmp_path: Path) -> None:
    other = tmp_path / "other.key"
    update_notice.new_key(other)
    publisher.serve(update_notice.signed(RELEASE, other))

    with pytest.raises(SlipstreamError, match="not signed"):
        publisher.check()


def test_the_same_key_signs_nothing_else_by_accident(publisher: Publisher) -> None:
    """GIVEN a signature over the bare text, as another tool would make it THEN it is no notice's."""
    text = RELEASE.text()
    signature = SigningKey(base64.b64decode(publisher.key.read_bytes())).sign(text.encode()).signature
    body = json.dumps({"notice": text, "signature": base64.b64encode(signature).decode()})

    with pytest.raises(SlipstreamError, match="not signed"):
        verified(body.encode(), publisher.public)


def test_an_expired_notice_is_not_believed(publisher: Publisher) -> None:
    publisher.publish(replace(RELEASE, expires=TODAY - timedelta(days=1)))

    with pytest.raises(SlipstreamError, match=r"^The update notice was valid until .* only; .+\.$"):
        publisher.check()


def test_a_notice_is_valid_on_its_last_day(publisher: Publisher) -> None:
    publisher.publish(replace(RELEASE, expires=TODAY))

    assert publisher.check() is not None


def test_an_older_release_is_told_as_such(publisher: Publisher) -> None:
    publisher.publish(replace(RELEASE, version="0.0.9"))

    with pytest.raises(SlipstreamError, match=r"still announces 0\.0\.9, and you have 0\.1\.0"):
        publisher.check("0.1.0")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<!DOCTYPE html><title>Not found</title>",
        b"[]",
        b"7",
        b'{"notice": 1, "signature": "AAAA"}',
        b'{"notice": "\\ud800", "signature": "AAAA"}',
        b"\xff\xfe\xfd",
        b"[" * 60_000,
    ],
)
def test_what_is_no_notice_is_told_in_a_sentence(publisher: Publisher, body: bytes) -> None:
    publisher.serve(body)

    with pytest.raises(SlipstreamError, match=r"^What the update address sends is not an update notice"):
        publisher.check()


@pytest.mark.parametrize(
    "changed",
    [
        {"version": "latest"},
        {"version": "1.٣"},
        {"page": "http://example.org"},
        {"page": "javascript:alert(1)"},
        {"published": "soon"},
        {"notes": None},
    ],
)
def test_a_signed_notice_of_another_kind_is_told_as_such(
    publisher: Publisher, changed: dict[str, object]
) -> None:
    key = SigningKey(base64.b64decode(publisher.key.read_bytes()))
    text = json.dumps(json.loads(RELEASE.text()) | changed)
    signature = base64.b64encode(key.sign(update.CONTEXT + text.encode()).signature).decode()
    publisher.serve(json.dumps({"notice": text, "signature": signature}).encode())

    with pytest.raises(SlipstreamError, match="of a kind that this version can't read"):
        publisher.check()


def test_a_huge_answer_is_not_read_to_its_end(publisher: Publisher) -> None:
    """GIVEN an answer that never ends THEN it is given up once it is larger than any notice."""
    publisher.serve(b" " * 400_000)
    publisher.server.faults[PATH].append(Fault(after=200_000, hang=True))

    with pytest.raises(SlipstreamError, match="not an update notice"):
        publisher.check()
    assert not publisher.server.gave_up


def test_a_refusal_names_the_status(publisher: Publisher) -> None:
    with pytest.raises(
        SlipstreamError, match=r"^The update address answers with status 404; try again later\.$"
    ):
        publisher.check()


def test_a_broken_answer_is_told(publisher: Publisher) -> None:
    publisher.publish(RELEASE)
    publisher.server.faults[PATH].append(Fault(after=20))

    with pytest.raises(SlipstreamError, match=r"^The update address did not answer: .* try again\.$"):
        publisher.check()


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/update.json", "nonsense", "file:///etc/passwd"])
def test_an_address_out_of_reach_is_told(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv(update.ADDRESS_VARIABLE, address)

    with pytest.raises(SlipstreamError, match=r"^The update address did not answer: .* try again\.$"):
        check("0.1.0", public_key="AAAA")


def test_a_copy_without_an_address_says_where_newer_versions_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(update.ADDRESS_VARIABLE, raising=False)
    monkeypatch.setattr(update, "ADDRESS", "")

    with pytest.raises(SlipstreamError, match="come from where you got it"):
        check("0.1.0")


def test_a_silent_server_does_not_outlive_a_cancel(publisher: Publisher) -> None:
    publisher.publish(RELEASE)
    publisher.server.faults[PATH].append(Fault(after=0, hang=True))
    cancel = threading.Event()
    cancel.set()

    with pytest.raises(CancelledError):
        check("0.1.0", Meter(cancel=cancel), publisher.public)


def test_the_private_key_is_its_owners_alone(tmp_path: Path) -> None:
    key = tmp_path / "release.key"
    update_notice.new_key(key)

    assert key.stat().st_mode & 0o077 == 0
    with pytest.raises(BuildError, match="not overwritten"):
        update_notice.new_key(key)
    with pytest.raises(BuildError, match="not lie in the repository"):
        update_notice.new_key(ROOT / "packaging" / "release.key")


def test_the_publishers_command_makes_what_the_program_reads(publisher: Publisher, tmp_path: Path) -> None:
    notes, out = tmp_path / "notes.txt", tmp_path / "update.json"
    notes.write_text(RELEASE.notes, encoding="utf-8")
    words = ["sign", str(publisher.key), "--version", "0.2.0", "--notes", str(notes), "--page", RELEASE.page]

    assert update_notice.main([*words, "--days", "9", "--out", str(out)]) == 0
    assert verified(out.read_bytes(), publisher.public) == RELEASE
    assert update_notice.main([*words[:-1], "ftp://x", "--out", str(out)]) == 1


def test_a_notice_that_is_out_of_date_at_once_is_not_signed(
    publisher: Publisher, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes, out = tmp_path / "notes.txt", tmp_path / "update.json"
    notes.touch()
    words = ["sign", str(publisher.key), "--version", "0.2.0", "--notes", str(notes), "--page", RELEASE.page]

    assert update_notice.main([*words, "--days", "-1", "--out", str(out)]) == 1
    assert "--days must not be negative" in capsys.readouterr().err
    assert not out.exists()


def test_only_the_key_that_the_program_believes_may_sign(
    publisher: Publisher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update, "PUBLIC_KEY", publisher.public)
    other = tmp_path / "other.key"
    update_notice.new_key(other)

    assert verified(update_notice.signed(RELEASE, publisher.key), publisher.public) == RELEASE
    with pytest.raises(BuildError, match="not the key that the program believes"):
        update_notice.signed(RELEASE, other)


def dialog(qtbot: QtBot, folder: Path, reply: Release | Exception | None) -> UpdateDialog:
    def ask(_version: str, _meter: Meter) -> Release | None:
        if isinstance(reply, Exception):
            raise reply
        return reply

    shown = UpdateDialog(FailureLog(folder / "log.txt"), ask=ask)
    qtbot.addWidget(shown)
    shown.open()
    qtbot.waitUntil(lambda: "Asking" not in shown.status.text())
    return shown


def test_the_window_shows_the_notes_and_opens_the_page_when_asked(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    shown = dialog(qtbot, tmp_path, RELEASE)

    assert "Slipstream 0.2.0 came out" in shown.status.text()
    assert shown.notes.toPlainText() == RELEASE.notes
    assert opened == []
    shown.page.click()
    assert opened == [RELEASE.page]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (None, f"You have {__version__}, the newest version."),
        (SlipstreamError("It can't be known."), "It can't be known."),
        (KeyError("odd"), "Something went wrong inside Slipstream"),
    ],
)
def test_the_window_tells_everything_else_in_a_sentence(
    qtbot: QtBot, tmp_path: Path, reply: Exception | None, words: str
) -> None:
    shown = dialog(qtbot, tmp_path, reply)

    assert words in shown.status.text()
    assert shown.notes.isHidden()
    assert shown.page.isHidden()


def test_closing_the_window_ends_the_question(qtbot: QtBot, tmp_path: Path) -> None:
    ended = threading.Event()

    def ask(_version: str, meter: Meter) -> Release | None:
        try:
            meter.pause(60, lambda seconds: threading.Event().wait(seconds))
        finally:
            ended.set()
        return None

    shown = UpdateDialog(FailureLog(tmp_path / "log.txt"), ask=ask)
    qtbot.addWidget(shown)
    shown.open()
    shown.reject()

    assert ended.wait(10)
    assert "Asking" in shown.status.text()
