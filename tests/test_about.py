"""Help > About, and where its list of parts comes from."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from importlib import metadata
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from app.about import AboutDialog, words
from engine import licences, update
from engine.licences import Component
from tests.desk import Desk
from tests.fake_engine import FakeStore, Workshop

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


@pytest.fixture(scope="module")
def parts() -> dict[str, Component]:
    return {part.name.lower(): part for part in licences.installed()}


def test_every_requirement_is_a_part_with_a_licence_and_its_text(parts: dict[str, Component]) -> None:
    required = {"openvino", "pyside6_essentials", "numpy", "tokenizers", "pynacl", "slipstream", "python"}

    assert required <= parts.keys()
    assert {name: part.licence for name, part in parts.items() if part.licence == "see its text"} == {}
    assert [name for name, part in parts.items() if not part.texts] == []


def test_development_tools_are_no_parts(parts: dict[str, Component]) -> None:
    assert metadata.version("pytest")
    assert parts.keys() & {"pytest", "ruff", "mypy", "hypothesis", "pip"} == set()


def test_qt_comes_with_both_texts_and_the_right_to_replace_it(parts: dict[str, Component]) -> None:
    shown = words(parts["pyside6_essentials"])

    assert "GNU LESSER GENERAL PUBLIC LICENSE" in shown
    assert "GNU GENERAL PUBLIC LICENSE" in shown
    assert "you may replace them" in shown


def test_the_window_shows_the_chosen_parts_text(qtbot: QtBot) -> None:
    dialog = AboutDialog(
        [Component("a", "1", "MIT", (("LICENSE", "Words of a."),)), Component("b", "2", "0BSD")]
    )
    qtbot.addWidget(dialog)

    assert "Words of a." in dialog.text.toPlainText()
    dialog.list.setCurrentRow(1)
    assert dialog.text.toPlainText().startswith("b 2\nLicence: 0BSD")


def test_a_packed_program_shows_the_list_packed_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(licences.paths, "assets_dir", lambda: tmp_path)
    (tmp_path / licences.BILL_OF_MATERIALS).write_text('{"components": []}', encoding="utf-8")

    assert licences.components() == []


@pytest.mark.parametrize("entry", ["About", "Check for"])
def test_the_help_menu_opens_it(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    monkeypatch.setattr(update, "ADDRESS", "")  # else the window would ask it
    monkeypatch.delenv(update.ADDRESS_VARIABLE, raising=False)
    desk = Desk(qtbot, tmp_path, FakeStore(), Workshop())
    try:
        help_menu = next(
            action.menu() for action in desk.window.menuBar().actions() if "Help" in action.text()
        )
        next(
            action for action in help_menu.actions() if action.text().replace("&", "").startswith(entry)
        ).trigger()

        qtbot.waitUntil(lambda: any(dialog.isVisible() for dialog in desk.window.findChildren(QDialog)))
        next(dialog for dialog in desk.window.findChildren(QDialog) if dialog.isVisible()).reject()
    finally:
        desk.close()
