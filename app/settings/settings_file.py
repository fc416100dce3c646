"""settings.json: read with forgiveness, written as a whole or not at all.

A value that makes no sense is set back alone, and the file as it was is kept beside the new one. Keys that this version
does not know are kept: a newer version may have written them.
"""

import contextlib
import json
import shutil
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from PySide6.QtCore import QCoreApplication

from app.settings.program_settings import FIELDS, ProgramSettings
from engine.models import disk

NAME = "settings.json"


@dataclass(frozen=True, slots=True)
class Read:
    """`unknown`: what stands in the file besides. `notice`: a sentence for the user, or "". `set_back`: some values
    make no sense, and still stand in the file, of which there is a copy.
    """

    settings: ProgramSettings = field(default_factory=ProgramSettings)
    unknown: dict[str, Any] = field(default_factory=dict)
    notice: str = ""
    set_back: bool = False


def read(path: Path) -> Read:
    """Never fails: what can't be used is set aside or left alone, and told."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Read()
    except (OSError, ValueError) as error:
        return Read(notice=_unreadable(path, error) if isinstance(error, OSError) else _broken(path))
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return Read(notice=_broken(path))
    if not isinstance(found, dict):
        return Read(notice=_broken(path))
    return _read(path, found)


def write(path: Path, settings: ProgramSettings, unknown: dict[str, Any]) -> None:
    """Errors: SlipstreamError."""
    values = {**unknown, **msgspec.to_builtins(settings)}
    with disk.explaining(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        disk.write_atomically(path, json.dumps(values, ensure_ascii=False, indent=1) + "\n")


def _read(path: Path, found: dict[str, Any]) -> Read:
    unknown = {name: value for name, value in found.items() if name not in FIELDS}
    known = {name: value for name, value in found.items() if name in FIELDS}
    bad = [name for name, value in known.items() if not _is_sound(name, value)]
    for name in bad:
        del known[name]
    settings = msgspec.convert(known, ProgramSettings)
    return Read(settings, unknown, _set_back(path, bad) if bad else "", bool(bad))


def _is_sound(name: str, value: object) -> bool:
    try:
        msgspec.convert({name: value}, ProgramSettings)
    except (msgspec.ValidationError, RecursionError):
        return False
    return True


def _aside(path: Path, copy: bool) -> str:
    """The name that the file has now; "" when the disk allows nothing."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    kept = path.with_name(f"{path.stem}.broken-{stamp}{path.suffix}")
    with contextlib.suppress(OSError):
        shutil.copy2(path, kept) if copy else path.replace(kept)
        return kept.name
    return ""


def _broken(path: Path) -> str:
    text = QCoreApplication.translate(
        "SettingsFile", "The settings could not be read and are as new. The old file is kept as {file}."
    )
    return text.format(file=_aside(path, copy=False) or path.name)


def _set_back(path: Path, names: list[str]) -> str:
    text = QCoreApplication.translate(
        "SettingsFile",
        "Settings that make no sense were set back: {names}. The file as it was is kept as {file}.",
    )
    return text.format(names=", ".join(names), file=_aside(path, copy=True) or path.name)


def _unreadable(path: Path, error: OSError) -> str:
    text = QCoreApplication.translate(
        "SettingsFile", "The settings in {file} can't be read ({reason}): the program's own are in force."
    )
    return text.format(file=path, reason=error.strerror or error)
