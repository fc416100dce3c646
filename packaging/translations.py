"""The window's strings: `update` reads them out of app/ into the .ts files, `release` compiles these into .qm files.

Between the two somebody translates: Qt Linguist (pyside6-linguist) or any editor. Both files are committed, so that a
fresh checkout, the wheel and the frozen program have them without a tool.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

import PySide6

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "assets" / "translations"
LANGUAGES = ("en", "de", "zh_CN")
TOOLS = Path(PySide6.__file__).parent
# English has plural forms only, and every other string of its file is left empty on purpose.
PLURALS_ONLY = "en"
ENDING = re.compile(r"\((e?s)\)")
UNFINISHED_PLURAL = re.compile(
    r'(?P<head><message numerus="yes">\s*<source>(?P<source>[^<]*)</source>\s*(?:<comment>[^<]*</comment>\s*)?)'
    r'<translation type="unfinished">.*?</translation>',
    re.DOTALL,
)


def update(folder: Path = FOLDER) -> None:
    """Adds new strings as unfinished and takes away those that no source has any more."""
    for language in LANGUAGES:
        run(
            "lupdate",
            *(str(file.relative_to(ROOT)) for file in sources()),
            *("-locations", "none", "-no-obsolete", "-no-ui-lines"),
            *("-source-language", "en", "-target-language", language),
            *(("-pluralonly",) if language == PLURALS_ONLY else ()),
            *("-ts", str(source_file(language, folder))),
        )
    english = source_file(PLURALS_ONLY, folder)
    english.write_text(with_plurals(english.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


def with_plurals(text: str) -> str:
    """Of "%n token(s)" and "%n pass(es)" the two forms follow from the source; others are left to a person."""

    def filled(message: re.Match[str]) -> str:
        source = message["source"]
        if not ENDING.search(source):
            return message[0]
        forms = (ENDING.sub(end, source) for end in ("", r"\1"))
        inner = "".join(f"\n            <numerusform>{form}</numerusform>" for form in forms)
        return f"{message['head']}<translation>{inner}\n        </translation>"

    return UNFINISHED_PLURAL.sub(filled, text)


def release(folder: Path = FOLDER, out: Path | None = None) -> None:
    for language in LANGUAGES:
        compiled = (out or folder) / f"slipstream_{language}.qm"
        run("lrelease", "-silent", str(source_file(language, folder)), "-qm", str(compiled))


def sources() -> list[Path]:
    return sorted((ROOT / "app").rglob("*.py"))


def source_file(language: str, folder: Path = FOLDER) -> Path:
    return folder / f"slipstream_{language}.ts"


def run(tool: str, *arguments: str) -> None:
    """Qt's program out of PySide6-Essentials. Its complaints are errors: SystemExit with them."""
    name = tool + (".exe" if sys.platform == "win32" else "")
    done = subprocess.run(
        [TOOLS / name, *arguments], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False
    )
    if done.returncode or done.stderr.strip():
        raise SystemExit(f"{tool}: {done.stderr.strip() or done.stdout.strip()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("what", choices=("update", "release"))
    {"update": update, "release": release}[parser.parse_args().what]()


if __name__ == "__main__":
    main()
