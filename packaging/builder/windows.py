"""setup.exe: the frozen program in an NSIS installer for one user. packaging/windows/installer.nsi says how."""

import os
import shutil
import sys
from pathlib import Path, PurePath, PureWindowsPath

from builder import icon_files, signing
from builder.project import NAME, PACKAGING, TITLE, Build, BuildError, run

PICTURE = (
    164,
    314,
    (15, 155, 155),
    (20, 70, 140),
)  # the finish page's: width, height, the icon's two colours
SCRIPT = PACKAGING / "windows" / "installer.nsi"
COMPILERS = ("makensis", "C:/Program Files (x86)/NSIS/makensis.exe", "C:/Program Files/NSIS/makensis.exe")


def artefacts(build: Build) -> list[Path]:
    return [build.out / f"{TITLE}-{build.version}-setup.exe"]


def wrap(build: Build) -> list[Path]:
    """Signs the programs if a certificate is given, compiles the installer, and signs that."""
    signing.authenticode(sorted(build.tree.glob("*.exe")))
    (setup,) = artefacts(build)
    compile_installer(build, setup, *(["!define QUICK"] if build.quick else []))
    signing.authenticode([setup])
    return [setup]


def unwrap(artefact: Path, folder: Path) -> Path | None:
    """Installs silently into `folder` and returns the program.

    None where this is not Windows, and outside of CI: it would replace the copy that the user has installed.
    """
    if sys.platform != "win32" or "CI" not in os.environ:
        return None
    run(silently(artefact, folder))
    return folder / f"{NAME}.exe"


def silently(setup: PurePath, folder: PurePath) -> str:
    """The command line. NSIS takes all behind /D= for the folder: it is the last, and never in quotation marks."""
    return f'"{setup}" /S /D={folder}'


def compile_installer(build: Build, setup: Path, *settings: str) -> None:
    """Runs makensis; `settings` are NSIS instructions that come before the script's. Errors: BuildError."""
    lists = build.work / "nsis"
    write_lists(build.tree, lists)
    setup.parent.mkdir(parents=True, exist_ok=True)
    picture = lists / "picture.bmp"
    picture.write_bytes(icon_files.gradient_bmp(*PICTURE))
    given: dict[str, object] = {
        "VERSION": build.version,
        "NUMBERS": ".".join([*build.release.split("."), "0", "0", "0"][:4]),  # Windows wants four
        "TREE": build.tree,
        "LISTS": lists,
        "OUTPUT": setup,
        "ICON": build.work / "icons" / f"{NAME}.ico",
        "PICTURE": picture,
        "SIZE_KB": sum(file.stat().st_size for file in _files(build.tree)) // 1024,
    }
    if signing.has_certificate():  # the uninstaller exists only inside, so NSIS has it signed
        call = "call " if sys.platform == "win32" else ""  # else cmd.exe takes the outer quotation marks away
        given["SIGN"] = f'{call}"{sys.executable}" -m builder.signing "%1"'
    defines = [f"-D{name}={value}" for name, value in given.items()]
    before = [f"-X{setting}" for setting in settings]
    command: tuple[str | Path, ...] = (
        _compiler(),
        "-V2",
        "-WX",
        "-INPUTCHARSET",
        "UTF8",
        *before,
        *defines,
        SCRIPT,
    )
    run(command, env=os.environ | {"PYTHONPATH": str(PACKAGING)})


def write_lists(tree: Path, folder: Path) -> None:
    """installed.nsh and removed.nsh: one line a file, so that the uninstaller takes what was put there, no more."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [file.relative_to(tree) for file in _files(tree)]
    folders = sorted({parent for file in files for parent in file.parents} - {Path()})
    installed = []
    for place in [Path(), *folders]:
        here = [file for file in files if file.parent == place]
        if here:  # a source is taken as it stands, a destination may name variables
            installed.append(f'SetOutPath "{_windows(place)}"')
            installed += [f'File "{tree / file}"' for file in here]
    removed = [f'Delete "{_windows(file)}"' for file in files]
    removed += [f'RMDir "{_windows(place)}"' for place in reversed(folders)]  # the deepest first
    for name, lines in (("installed.nsh", installed), ("removed.nsh", removed)):
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _files(tree: Path) -> list[Path]:
    return sorted(file for file in tree.rglob("*") if file.is_file())


def _windows(path: Path) -> str:
    words = str(PureWindowsPath(path))
    return "$INSTDIR" if words == "." else f"$INSTDIR\\{_quoted(words)}"


def _quoted(words: str) -> str:
    """In NSIS a dollar begins a variable, and a quotation mark ends the string."""
    if '"' in words:
        raise BuildError(f"{words} has a quotation mark in its name.")
    return words.replace("$", "$$")


def _compiler() -> str:
    found = next((path for path in map(shutil.which, COMPILERS) if path), None)
    if found is None:
        raise BuildError("makensis is not installed; get NSIS 3 (https://nsis.sourceforge.io).")
    return found
