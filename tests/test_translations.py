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
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QMenu, QMenuBar
from pytestqt.qtbot import QtBot

import translations
from app import language
from app.language import Language
from tests.desk import Desk
from tests.fake_engine import FakeStore, Workshop

ROOT = Path(__file__).parent.parent
COMPLETE = ("de", "zh_CN")
SETTERS = (
    "setText setToolTip setAccessibleName setAccessibleDescription setPlaceholderText setWindowTitle setTitle"
)
MORE = "setStatusTip setWhatsThis setInformativeText addAction addMenu addItem addButton addRow announce say Notice"
WIDGETS = "QLabel QPushButton QAction QCheckBox QRadioButton QGroupBox QToolButton plain_label"
SHOWS = dict.fromkeys(f"{SETTERS} {MORE} {WIDGETS}".split(), 0) | {"put": 1, "addTab": 1}
WORD = re.compile(r"[^\W\d_]{2,}")
PLACEHOLDER = re.compile(r"\{\w*\}|%n|%L?\d")


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


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What lupdate finds in the sources today, added to copies of the files."""
    folder = tmp_path_factory.mktemp("translations")
    for name in translations.LANGUAGES:
        committed = translations.source_file(name)
        translations.source_file(name, folder).write_bytes(committed.read_bytes())
    translations.update(folder)
    return folder


def test_no_words_reach_the_user_past_the_translation() -> None:
    bare = [
        f"{file.relative_to(ROOT)}:{call.lineno} {text!r}"
        for file in sorted((ROOT / "app").rglob("*.py"))
        if "commands" not in file.parts
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        for text in shown_words(call)
    ]
    assert bare == []


def shown_words(call: ast.Call) -> Iterator[str]:
    """Words, but for the program's name, that stand in the sources where a widget takes what it shows."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    first = SHOWS.get(name)
    if first is not None:
        for argument in call.args[first : first + 1]:
            yield from (text for text in literals(argument) if WORD.search(text.replace("Slipstream", "")))


def literals(node: ast.expr | ast.AST) -> Iterator[str]:
    """Strings of an expression that no call has taken in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)
    elif not isinstance(node, ast.Call | ast.Compare | ast.Subscript):
        for child in ast.iter_child_nodes(node):
            yield from literals(child)


def test_only_literal_texts_are_translated() -> None:
    """The sources are read, not run; and a name that is computed would have no translation."""
    computed = [call.place for call in translations.calls() if call.text is None or call.context is None]

    assert computed == []


def test_numbers_come_as_plurals() -> None:
    assert [call.place for call in translations.calls() if "%n" in str(call.text) and not call.plural] == []


def test_calls_are_found_wherever_they_stand(tmp_path: Path) -> None:
    source = tmp_path / "app" / "thing.py"
    source.parent.mkdir()
    source.write_text(
        """
from PySide6.QtCore import QCoreApplication
TEXT = "a".translate({})
class Thing(QObject):
    def show(self, many):
        print(f"<b>{self.tr('in a string')}</b>")
        other.tr("not Qt's")
        self.tr("%n token(s)", "", len(many))
        self.tr(
            "long "
            "text", "a hint"
        )
        tr = self.tr
        tr("short")
        return QCoreApplication.translate("Other", "%n \\"pass\\"(es)", n=many.count)
""",
        encoding="utf-8",
    )
    found = [
        (call.context, call.text, call.comment, call.plural) for call in translations.calls(tmp_path / "app")
    ]

    assert found == [
        ("Thing", "in a string", "", False),
        ("Thing", "%n token(s)", "", True),
        ("Thing", "long text", "a hint", False),
        ("Thing", "short", "", False),
        ("Other", '%n "pass"(es)', "", True),
    ]


def test_english_plurals_follow_from_their_source(fresh: Path) -> None:
    message = """<message numerus="yes">
        <source>%n answer(s) were kept</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>"""
    filled = translations.with_plurals(message)

    assert "<numerusform>%n answer was kept</numerusform>" in filled
    assert "<numerusform>%n answers were kept</numerusform>" in filled


def test_every_string_of_the_sources_is_found(fresh: Path) -> None:
    texts = read(translations.source_file("de", fresh))

    assert {(text.context, text.source) for text in texts} == {
        (call.context, call.text) for call in translations.calls()
    }


def test_english_has_every_plural(fresh: Path) -> None:
    missing = [text.source for text in read(translations.source_file("en", fresh)) if not all(text.forms)]

    assert missing == []


@pytest.mark.parametrize("name", COMPLETE)
def test_nothing_is_untranslated(name: str, fresh: Path) -> None:
    """`python packaging/translations.py update` marks what is missing in the file as unfinished."""
    missing = [
        text.source
        for text in read(translations.source_file(name, fresh))
        if not (text.finished and all(text.forms))
    ]
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


@pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
@pytest.mark.parametrize("choice", [Language.ENGLISH, Language.GERMAN, Language.CHINESE])
def test_each_letter_opens_one_thing_in_a_menu(
    app: QApplication, qtbot: QtBot, tmp_path: Path, choice: Language
) -> None:
    (tmp_path / "settings.json").write_text(f'{{"language": "{choice}"}}')
    desk = Desk(qtbot, tmp_path, FakeStore.with_starter(), Workshop()).ready()
    twice = [twice for menu in all_menus(desk.window.menuBar()) for twice in shared_letters(menu)]
    desk.close()

    assert twice == []


def all_menus(bar: QMenuBar) -> list[QMenuBar | QMenu]:
    return [bar, *(menu for menu in bar.findChildren(QMenu) if menu.actions())]


def shared_letters(menu: QMenuBar | QMenu) -> list[str]:
    letters = [found[1].casefold() for a in menu.actions() if (found := re.search("&([^&])", a.text()))]
    return [
        f"{letter} in {menu.title() if isinstance(menu, QMenu) else 'the bar'}"
        for letter in letters
        if letters.count(letter) > 1
    ]
