"""The window's strings: `update` reads them out of app/ into the .ts files, `release` compiles these into .qm files.

Between the two somebody translates: Qt Linguist (pyside6-linguist) or any editor. Both files are committed, so that a
fresh checkout, the wheel and the frozen program have them without a tool.

lupdate's own reader of Python overlooks calls in f-strings, and plurals of QCoreApplication.translate. So the calls are
found here, and lupdate is given what it reads without fail: C++.
"""

import argparse
import ast
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import PySide6

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "assets" / "translations"
LANGUAGES = ("en", "de", "zh_CN")
TOOLS = Path(PySide6.__file__).parent
# English has plural forms only, and every other string of its file is left empty on purpose.
PLURALS_ONLY = "en"
ENDING = re.compile(r"\((e?s)\)( (?:are|were|have)\b)?")
ONE = {None: "", " are": " is", " were": " was", " have": " has"}
UNFINISHED_PLURAL = re.compile(
    r'(?P<head><message numerus="yes">\s*<source>(?P<source>[^<]*)</source>\s*(?:<comment>[^<]*</comment>\s*)?)'
    r'<translation type="unfinished">.*?</translation>',
    re.DOTALL,
)
# Where the text stands among the arguments: behind the context, but for self.tr, whose context is its class.
CALLS = {"tr": 0, "translate": 1, "QT_TRANSLATE_NOOP": 1}


@dataclass(frozen=True, slots=True)
class Call:
    """One string of the sources; `place` is file and line. What is no literal is None: nobody could translate it."""

    place: str
    context: str | None
    text: str | None
    comment: str
    plural: bool


def update(folder: Path = FOLDER) -> None:
    """Adds new strings as unfinished and takes away those that no source has any more."""
    with tempfile.TemporaryDirectory() as scratch:
        strings = Path(scratch) / "strings.cpp"
        strings.write_text("\n".join(map(_in_cpp, calls())), encoding="utf-8")
        for language in LANGUAGES:
            run(
                *("lupdate", str(strings), "-locations", "none", "-no-obsolete"),
                *("-source-language", "en", "-target-language", language),
                *(("-pluralonly",) if language == PLURALS_ONLY else ()),
                *("-ts", str(source_file(language, folder))),
            )
    english = source_file(PLURALS_ONLY, folder)
    english.write_text(with_plurals(english.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


def calls(folder: Path = ROOT / "app") -> list[Call]:
    found: list[Call] = []
    for file in sorted(folder.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        found += _calls(tree, file.relative_to(folder.parent).as_posix(), None)
    return found


def _calls(node: ast.AST, file: str, inside: str | None, short: bool = False) -> Iterator[Call]:
    """`inside` is the class around the node, `short` whether the function says `tr = self.tr`."""
    if isinstance(node, ast.ClassDef):
        inside = node.name
    if isinstance(node, ast.FunctionDef):
        short = any(ast.unparse(line) == "tr = self.tr" for line in node.body if isinstance(line, ast.Assign))
    if isinstance(node, ast.Call):
        yield from _call(node, file, inside, short)
    for child in ast.iter_child_nodes(node):
        yield from _calls(child, file, inside, short)


def _call(node: ast.Call, file: str, inside: str | None, short: bool) -> Iterator[Call]:
    function = node.func
    owner = getattr(function.value, "id", "") if isinstance(function, ast.Attribute) else ""
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    of_self = name == "tr" and (owner == "self" or (short and not isinstance(function, ast.Attribute)))
    if name not in CALLS or (
        isinstance(function, ast.Attribute) and not of_self and owner != "QCoreApplication"
    ):
        return
    at = 0 if of_self else 1
    told = [_literal(argument) for argument in node.args] + [None] * 3
    plural = len(node.args) > at + 2 or any(keyword.arg == "n" for keyword in node.keywords)
    context = inside if of_self else told[0]
    yield Call(f"{file}:{node.lineno}", context, told[at], told[at + 1] or "", plural)


def _literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _in_cpp(call: Call) -> str:
    """Errors: SystemExit for a text that is no literal."""
    if call.context is None or call.text is None:
        raise SystemExit(f"{call.place}: only literal strings can be translated.")
    context, text, comment = (f'"{_escaped(part)}"' for part in (call.context, call.text, call.comment))
    return f"QCoreApplication::translate({context}, {text}, {comment}{', n' if call.plural else ''});"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n").replace("\t", r"\t")


def with_plurals(text: str) -> str:
    """Of "%n token(s)" and "%n pass(es) were" the two forms follow from the source; others are left to a person."""

    def filled(message: re.Match[str]) -> str:
        source = message["source"]
        if not ENDING.search(source):
            return message[0]
        forms = (
            ENDING.sub(lambda found: ONE[found[2]], source),
            ENDING.sub(lambda found: found[1] + (found[2] or ""), source),
        )
        inner = "".join(f"\n            <numerusform>{form}</numerusform>" for form in forms)
        return f"{message['head']}<translation>{inner}\n        </translation>"

    return UNFINISHED_PLURAL.sub(filled, text)


def release(folder: Path = FOLDER, out: Path | None = None) -> None:
    for language in LANGUAGES:
        compiled = (out or folder) / f"slipstream_{language}.qm"
        run("lrelease", "-silent", str(source_file(language, folder)), "-qm", str(compiled))


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
