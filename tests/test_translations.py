"""The window's strings and their translations: nothing left out, nothing torn, compiled files up to date."""

import ast
import os
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox
from pytestqt.qtbot import QtBot

import translations
from app import language
from app.language import Language

ROOT = Path(__file__).parent.parent
COMPLETE = ("de", "zh_CN")
PLACEHOLDER = re.compile(r"\{\w*\}|%n|%L?\d")
NAMES_OF_CALLS = {"tr": 0, "translate": 1, "QT_TRANSLATE_NOOP": 1, "QT_TR_NOOP": 0}


@dataclass(frozen=True)
class Text:
    """One string of a .ts file; a plural has several forms."""

    context: str
    source: str
    forms: tuple[str, ...]
    plural: bool
    finished: bool


def read(path: Path) -> list[Text]:
    found = []
    for context in ET.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            told = message.find("translation")
            assert told is not None
            forms = [form.text or "" for form in told.iter("numerusform")] or [told.text or ""]
            found.append(
                Text(
                    context.findtext("name") or "",
                    message.findtext("source") or "",
                    tuple(forms),
                    message.get("numerus") == "yes",
                    told.get("type") is None,
                )
            )
    return found


def calls(folder: Path) -> Iterator[tuple[str, ast.expr]]:
    """Where in the sources something is translated, and the expression that is."""
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            place = NAMES_OF_CALLS.get(name)
            if place is not None and len(node.args) > place and not _is_of_strings(node.func):
                yield f"{file.relative_to(folder.parent)}:{node.lineno}", node.args[place]


def _is_of_strings(function: ast.expr) -> bool:
    """str.translate and the like: only Qt's takes a context."""
    return (
        isinstance(function, ast.Attribute)
        and function.attr == "translate"
        and not (
            isinstance(function.value, ast.Name) and function.value.id in ("QCoreApplication", "app", "qApp")
        )
    )


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What lupdate finds in the sources today, added to copies of the files."""
    folder = tmp_path_factory.mktemp("translations")
    for name in translations.LANGUAGES:
        committed = translations.source_file(name)
        translations.source_file(name, folder).write_bytes(committed.read_bytes())
    translations.update(folder)
    return folder


def test_every_translated_call_has_a_literal_text() -> None:
    """lupdate reads the sources without running them."""
    computed = [place for place, text in calls(ROOT / "app") if not isinstance(text, ast.Constant)]

    assert computed == []


def test_lupdate_finds_every_translated_call(fresh: Path) -> None:
    """It does not look into f-strings, and knows `translate` by no other name."""
    found = {text.source for text in read(translations.source_file("de", fresh))}
    literal = {text.value: place for place, text in calls(ROOT / "app") if isinstance(text, ast.Constant)}

    assert {place: text for text, place in literal.items() if text not in found} == {}


def test_every_string_has_a_context_and_numbers_come_as_plurals(fresh: Path) -> None:
    texts = read(translations.source_file("de", fresh))

    assert [text.source for text in texts if not text.context] == []
    assert [text.source for text in texts if "%n" in text.source and not text.plural] == []


def test_english_has_every_plural(fresh: Path) -> None:
    missing = [text.source for text in read(translations.source_file("en", fresh)) if not all(text.forms)]

    assert missing == []


@pytest.mark.parametrize("name", translations.LANGUAGES)
def test_placeholders_survive_translation(name: str) -> None:
    """In a plural the number may be a word instead ("one token")."""
    torn = []
    for text in read(translations.source_file(name)):
        wanted = set(PLACEHOLDER.findall(text.source))
        for form in filter(None, text.forms):
            given = set(PLACEHOLDER.findall(form))
            if given - wanted or wanted - given - {"%n"}:
                torn.append(text.source)
    assert torn == []


@pytest.mark.parametrize("name", translations.LANGUAGES)
def test_the_compiled_file_is_up_to_date(name: str, tmp_path: Path) -> None:
    """`python packaging/translations.py release` makes it."""
    translations.release(out=tmp_path)
    compiled = f"slipstream_{name}.qm"

    assert (translations.FOLDER / compiled).read_bytes() == (tmp_path / compiled).read_bytes()


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (["de-AT", "en-US"], Language.GERMAN),
        (["zh-Hans-CN", "zh"], Language.CHINESE),
        (["zh-Hant-TW", "en"], Language.ENGLISH),
        (["fr-FR", "de-DE"], Language.GERMAN),
        (["ar-EG"], Language.ENGLISH),
        (["C"], Language.ENGLISH),
        ([], Language.ENGLISH),
    ],
)
def test_the_systems_language_is_taken_if_there_is_a_translation(tags: list[str], expected: Language) -> None:
    assert language.of_system(tags) is expected


@pytest.fixture
def app(qtbot: QtBot) -> Iterator[QApplication]:
    running = QApplication.instance()
    assert isinstance(running, QApplication)
    yield running
    language.install(running, Language.ENGLISH)
    running.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    QLocale.setDefault(QLocale.system())


def test_qts_own_words_come_in_the_chosen_language(app: QApplication, qtbot: QtBot) -> None:
    language.install(app, Language.GERMAN)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    qtbot.addWidget(buttons)

    assert buttons.button(QDialogButtonBox.StandardButton.Close).text().replace("&", "") == "Schließen"
    language.install(app, Language.ENGLISH)
    again = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    qtbot.addWidget(again)
    assert again.button(QDialogButtonBox.StandardButton.Close).text().replace("&", "") == "Close"


def test_english_plurals_are_words(app: QApplication) -> None:
    language.install(app, Language.ENGLISH)

    assert QCoreApplication.translate("FetchPage", "Model(s)", "", 1) == "Model"
    assert QCoreApplication.translate("FetchPage", "Model(s)", "", 2) == "Models"


def test_a_choice_that_is_no_language_counts_as_the_systems(tmp_path: Path) -> None:
    from PySide6.QtCore import QSettings

    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    assert language.saved(settings) is Language.SYSTEM
    settings.setValue(language.KEY, "zh_CN")
    assert language.saved(settings) is Language.CHINESE
    settings.setValue(language.KEY, "tlh")
    assert language.saved(settings) is Language.SYSTEM
