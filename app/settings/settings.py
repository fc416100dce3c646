"""The program's settings in force: changed here, written at once, told to whoever depends on them."""

import contextlib
from pathlib import Path
from typing import Any

import msgspec
from PySide6.QtCore import QObject, Signal

from app.settings import settings_file
from app.settings.program_settings import ProgramSettings
from engine.errors import SlipstreamError


class Settings(QObject):
    """`notice` is what happened when the file was read, else ""."""

    changed = Signal(object)  # frozenset of the fields' names
    not_saved = Signal(str)  # why the file could not be written; the change is in force all the same

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = path
        found = settings_file.read(path)
        self.now, self.notice, self._unknown = found.settings, found.notice, found.unknown
        if found.set_back:  # told and kept once, not at every start
            with contextlib.suppress(SlipstreamError):
                settings_file.write(path, self.now, self._unknown)

    def change(self, **values: Any) -> None:
        """New values of some fields. Errors: msgspec.ValidationError for what is out of range."""
        changed = msgspec.convert({**msgspec.to_builtins(self.now), **_plain(values)}, ProgramSettings)
        names = frozenset(name for name in values if getattr(changed, name) != getattr(self.now, name))
        if not names:
            return
        self.now = changed
        try:
            settings_file.write(self.path, self.now, self._unknown)
        except SlipstreamError as error:
            self.not_saved.emit(str(error))
        self.changed.emit(names)


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(values)
    return plain
