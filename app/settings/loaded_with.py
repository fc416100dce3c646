"""With which options the present model was loaded: they are the ones that were set when its loading began."""

from PySide6.QtCore import QObject, Signal

from app.settings.program_settings import RELOADS
from app.settings.settings import Settings
from app.worker import EngineThread
from engine.load_options import LoadOptions


class LoadedWith(QObject):
    """`now` is None without a model."""

    changed = Signal()

    def __init__(self, engine: EngineThread, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.now: LoadOptions | None = None
        self._engine, self._settings = engine, settings
        self._set = settings.now.load_options
        self._at_start: LoadOptions | None = None  # of the loading that runs, where they were changed since
        settings.changed.connect(self._changed)
        engine.loaded.connect(self._loaded)
        engine.load_failed.connect(self._failed)
        engine.load_cancelled.connect(self._gone)

    def _changed(self, names: frozenset[str]) -> None:
        if names & RELOADS:
            if self._engine.loading and self._at_start is None:
                self._at_start = self._set
            self._set = self._settings.now.load_options

    def _loaded(self) -> None:
        self.now, self._at_start = self._at_start or self._set, None
        self.changed.emit()

    def _failed(self) -> None:
        """What was loaded may still be there: there was no memory for another."""
        failure = self._engine.failure
        if failure is not None and failure.kept:
            self._at_start = None
        else:
            self._gone()

    def _gone(self) -> None:
        self.now = self._at_start = None
        self.changed.emit()
