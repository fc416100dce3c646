"""The language of the window: English, German, Simplified Chinese, or the system's if it is one of them.

Chosen before the first widget is made; another choice takes effect at the next start. Sources lie in
assets/translations (.ts); packaging/translations.py reads the program's strings into them and compiles them (.qm).
"""

from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from engine.models import paths


class Language(StrEnum):
    SYSTEM = "system"
    ENGLISH = "en"
    GERMAN = "de"
    CHINESE = "zh_CN"


OWN_NAMES = {Language.ENGLISH: "English", Language.GERMAN: "Deutsch", Language.CHINESE: "简体中文"}

_installed: list[QTranslator] = []  # Qt keeps no reference


def install(app: QApplication, choice: Language = Language.SYSTEM) -> Language:
    """Qt's own strings and Slipstream's in this language from now on; returns what SYSTEM came to.

    English lies below every other language: it has the plurals, and what a translation lacks.
    """
    language = of_system(QLocale.system().uiLanguages()) if choice is Language.SYSTEM else choice
    while _installed:
        app.removeTranslator(_installed.pop())
    qt = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    own = paths.assets_dir() / "translations"
    for part in dict.fromkeys((Language.ENGLISH, language)):
        _add(app, qt / f"qtbase_{part}.qm")
        _add(app, own / f"slipstream_{part}.qm")
    system, wanted = QLocale.system(), QLocale(language)
    QLocale.setDefault(system if system.language() is wanted.language() else wanted)
    app.setLayoutDirection(wanted.textDirection())  # of the words: mirrored English would be read wrongly
    return language


def of_system(tags: list[str]) -> Language:
    """The first of the user's languages ("zh-Hans-CN", most wanted first) that there is a translation for."""
    for tag in tags:
        locale = QLocale(tag)
        if locale.language() is QLocale.Language.English:
            return Language.ENGLISH
        if locale.language() is QLocale.Language.German:
            return Language.GERMAN
        simplified = locale.script() is QLocale.Script.SimplifiedHanScript
        if locale.language() is QLocale.Language.Chinese and simplified:
            return Language.CHINESE
    return Language.ENGLISH


def _add(app: QApplication, path: Path) -> None:
    translator = QTranslator(app)
    if translator.load(str(path)):
        app.installTranslator(translator)
        _installed.append(translator)
