"""`slipstream` without a command: the chat window; and `--smoke`, the installers' check."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine import system_libraries
from engine.errors import SlipstreamError

if TYPE_CHECKING:
    from app.engine_worker import EngineFactory
    from engine.models.store import ModelStore


def run(open_store: Callable[[], "ModelStore"], load_engine: Callable[..., Any]) -> int:
    require_display()
    from app import application, first_window
    from app.history.trouble import InUseError
    from engine.models import paths

    store = open_store()
    home = paths.home()
    try:
        qt, window = application.build(store, _factory(store, home, load_engine), home / "history.sqlite3")
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


def _factory(store: "ModelStore", home: Path, load_engine: Callable[..., Any]) -> "EngineFactory":
    """Loads a pair with the options that are set by then."""
    from app.settings import settings_file

    path = home / settings_file.NAME
    return lambda pair, progress: load_engine(
        store, pair, progress, settings_file.read(path).settings.load_options
    )


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
