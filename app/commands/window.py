"""`slipstream` without a command: the chat window; and `--smoke`, the installers' check."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine import system_libraries
from engine.errors import SlipstreamError
from engine.events import Progress

if TYPE_CHECKING:
    from app.engine_worker import EngineLike
    from engine.load_options import LoadOptions
    from engine.models.catalogue import Pair
    from engine.models.store import ModelStore


def run(open_store: Callable[[], "ModelStore"], load_engine: Callable[..., Any]) -> int:
    require_display()
    from app import application, first_window
    from app.history.trouble import InUseError
    from engine.models import paths

    store = open_store()
    home = paths.home()
    try:
        qt, window = application.build(store, Loader(store, home, load_engine), home / "history.sqlite3")
    except InUseError as error:
        if first_window.ask_to_show(home):
            return 0
        application.tell_without_terminal(str(error))
        raise
    return application.run(qt, window, home)


def smoke(open_store: Callable[[], "ModelStore"], load_engine: Callable[..., Any]) -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    require_libraries()
    from app import application

    store = open_store()
    return application.smoke(store, partial(load_engine, store))


@dataclass(frozen=True, slots=True)
class Loader:
    """An engine_worker.CarefulFactory: loads a pair with the options that are set by then."""

    store: "ModelStore"
    home: Path
    load_engine: Callable[..., Any]

    def __call__(self, pair: "Pair", progress: Callable[[Progress], None]) -> "EngineLike":
        engine: EngineLike = self.load_engine(self.store, pair, progress, self._options())
        return engine

    def anyway(self, pair: "Pair", progress: Callable[[Progress], None]) -> "EngineLike":
        options = replace(self._options(), anyway=True)
        engine: EngineLike = self.load_engine(self.store, pair, progress, options)
        return engine

    def check(self, pair: "Pair", present: int) -> None:
        """Errors: MemoryShortError."""
        from engine.models.estimate import check_memory
        from engine.models.memory import free_bytes

        folders = [self.store.path(name) for name in pair.models]
        check_memory(folders, self._options(), free_bytes() + present)

    def _options(self) -> "LoadOptions":
        from app.settings import settings_file

        return settings_file.read(self.home / settings_file.NAME).settings.load_options


def require_display() -> None:
    """Qt itself would end the program without a word of help. A platform chosen by hand is trusted."""
    if not os.environ.get("QT_QPA_PLATFORM") and system_libraries.display() is None:
        raise SlipstreamError(
            "There is no display here, so the window can't open; "
            'ask in the terminal instead: slipstream ask "your question".'
        )
    require_libraries()


def require_libraries() -> None:
    missing = system_libraries.missing()
    if missing:
        command = system_libraries.install_command(missing.values())
        raise SlipstreamError(f"The window needs system libraries that are missing; run: {command}")
