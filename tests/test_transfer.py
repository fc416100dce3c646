"""Export and import from the menu, with the answers that a user gives to the file dialogs."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.chat import transfer
from app.history import archive
from tests.desk import Desk
from tests.fake_engine import FakeStore, Workshop

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), Workshop())
    yield desk.ready()
    desk.close()


@pytest.fixture
def dialog(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, object]]:
    """What the user answers: `save` (path, kind) and `open` (paths); `asked` is what was suggested."""
    answers: dict[str, object] = {"save": ("", ""), "open": [], "asked": None}

    def save(_parent: object, _title: str, suggested: str, _kinds: str) -> object:
        answers["asked"] = Path(suggested).name
        return answers["save"]

    monkeypatch.setattr(QFileDialog, "getSaveFileName", save)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (answers["open"], ""))
    return answers


def told(desk: Desk) -> str:
    notice = desk.window.board.get(transfer.TOPIC)
    return notice.sentence if notice else ""


def test_the_open_chat_goes_to_markdown_and_comes_back(
    desk: Desk, dialog: dict[str, object], tmp_path: Path
) -> None:
    desk.ask("What is 1/2: really?")
    dialog["save"] = (str(tmp_path / "mine"), "Markdown, to read (*.md)")
    desk.window.transfer._export_open()
    assert dialog["asked"] == "What is 1 2 really.md"
    assert told(desk).startswith("Exported 1 chat")
    text = (tmp_path / "mine.md").read_text(encoding="utf-8")
    assert text.startswith("# What is 1/2: really?\n")
    assert "## Answer\n\nHello there." in text
    dialog["open"] = [str(tmp_path / "mine.md")]
    desk.window.transfer.ask_import()
    assert desk.chats == ["What is 1/2: really?"] * 2
    assert [m.source for m in desk.window.view.transcript.messages] == [
        "What is 1/2: really?",
        "Hello there.",
    ]
    assert told(desk).startswith("Imported 1 chat")


def test_all_chats_go_to_json_and_a_chat_by_its_menu(
    desk: Desk, dialog: dict[str, object], tmp_path: Path
) -> None:
    desk.ask("one")
    desk.window.new_chat()
    desk.ask("two")
    dialog["save"] = (str(tmp_path / "all.json"), "JSON, with everything (*.json)")
    desk.window.transfer._export_all()
    assert [chat["title"] for chat in json.loads((tmp_path / "all.json").read_bytes())["conversations"]] == [
        "two",
        "one",
    ]
    dialog["save"] = (str(tmp_path / "one"), "JSON, with everything (*.json)")
    desk.window.sidebar.list.export_asked.emit(1)
    dialog["open"] = [str(tmp_path / "all.json"), str(tmp_path / "one.json")]
    desk.window.transfer.ask_import()
    assert sorted(desk.chats) == ["one", "one", "one", "two", "two"]
    assert told(desk).startswith("Imported 3 chat")


def test_many_chats_make_several_files(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("one", "two"):
        desk.window.new_chat()
        desk.ask(text)
    monkeypatch.setattr(transfer, "PART_BYTES", 10)
    names = [path.name for path in desk.window.transfer.export([1, 2], tmp_path / "all.json")]
    assert names == ["all.json", "all (2).json"]
    written = desk.window.transfer.export([1, 2], tmp_path / "texts.md")
    assert [path.relative_to(tmp_path).as_posix() for path in written] == [
        "texts/0001 one.md",
        "texts/0002 two.md",
    ]


def test_one_bad_file_keeps_all_others_out(desk: Desk, dialog: dict[str, object], tmp_path: Path) -> None:
    desk.ask("one")
    desk.window.transfer.export([1], tmp_path / "good.json")
    (tmp_path / "bad.json").write_text("{")
    dialog["open"] = [str(tmp_path / name) for name in ("good.json", "bad.json")]
    desk.window.transfer.ask_import()
    assert desk.chats == ["one"]
    assert told(desk) == "bad.json is damaged, so nothing of it was imported; export it once more."


STRANGE = ("[]", '"text"', "7", '{"tokens": "many"}', '[{"name": 1}]', '{"a": {"b": null}}')


def odd_chat(about: str) -> bytes:
    """With `about` for its settings, attachments and figures, and a record that is none."""
    return (
        f'{{"title": "odd", "created_at": 1, "updated_at": 1, "active": 0, "settings": {about}, "messages": ['
        f'{{"role": "user", "text": "Q", "created_at": 1, "active": 1, "attachments": {about}}},'
        f'{{"role": "assistant", "text": "A", "created_at": 1, "parent": 0, "stats": {about}, "record": "AAEC/w=="}}]}}'
    ).encode()


def test_well_formed_files_with_strange_figures_open(
    desk: Desk, dialog: dict[str, object], tmp_path: Path
) -> None:
    for about in STRANGE:
        (tmp_path / "odd.json").write_bytes(archive.file_of([odd_chat(about)]))
        dialog["open"] = [str(tmp_path / "odd.json")]
        desk.window.transfer.ask_import()
        assert [m.source for m in desk.window.view.transcript.messages] == ["Q", "A"]
        desk.ask("next")
        assert [m.source for m in desk.window.view.transcript.messages] == ["Q", "A", "next", "Hello there."]


def test_a_file_that_cannot_be_read_is_said(desk: Desk, dialog: dict[str, object], tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    for name in ("missing.json", "folder.json"):
        dialog["open"] = [str(tmp_path / name)]
        desk.window.transfer.ask_import()
        assert f"{name} can't be read" in told(desk)


def test_a_folder_that_cannot_be_written_is_said(
    desk: Desk, dialog: dict[str, object], tmp_path: Path
) -> None:
    desk.ask("one")
    (tmp_path / "file").write_text("in the way")
    dialog["save"] = (str(tmp_path / "file" / "chat.md"), "")
    desk.window.transfer._export_open()
    assert "chat.md could not be written" in told(desk)


def test_without_an_open_chat_there_is_nothing_to_export(desk: Desk, dialog: dict[str, object]) -> None:
    desk.window.transfer._export_open()
    assert "no open chat" in told(desk)
    assert dialog["asked"] is None
    desk.window.session.open(desk.window.history.create("One", "starter"))
    assert told(desk) == ""


def test_a_dialog_that_is_dismissed_does_nothing(desk: Desk, dialog: dict[str, object]) -> None:
    desk.ask("one")
    desk.window.transfer._export_open()
    desk.window.transfer._export_all()
    desk.window.transfer.ask_import()
    assert told(desk) == ""
    assert desk.chats == ["one"]
