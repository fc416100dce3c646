"""Builds the window without running it, so that tests can hold it; and the installers' smoke test."""

import contextlib
import gc
import importlib
import os
import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEventLoop, Qt, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QMessageBox

from app import language
from app.chat.highlight import warm_up
from app.crash_report import CrashWatch
from app.first_window import FirstWindow
from app.history.store import HistoryStore
from app.history.trouble import InUseError
from app.main_window import MainWindow
from app.models.pairs import STARTER
from app.settings import settings_file
from app.settings.settings import Settings
from app.worker import EngineFactory, threads_left_running
from engine.errors import SlipstreamError
from engine.events import Finished
from engine.models import disk, paths
from engine.models.store import ModelStore

SMOKE_MESSAGE = "Say hello."
SMOKE_TIMEOUT_S = 300
ON_DEMAND = (
    "app.about",
    "app.doctor_dialog",
    "app.update_dialog",
    "app.attachments.apart",
    "app.shortcuts",
    "charset_normalizer",
    "nacl.signing",
    "pypdf",
    "PySide6.QtSvg",
    "ziamath",
)  # a frozen program might lack what a menu imports
STYLED = "slipstream-styled"
WARM_UP_MS = 500  # after the first paint


def build(
    store: ModelStore, engine_factory: EngineFactory, history_path: Path
) -> tuple[QApplication, MainWindow]:
    """`engine_factory(pair, progress)` loads a pair. Window settings and the log lie beside the history.

    Errors: SlipstreamError when the chats can't be opened.
    """
    running = QApplication.instance()
    app = running if isinstance(running, QApplication) else QApplication(sys.argv[:1])
    app.setApplicationName("Slipstream")
    app.setDesktopFileName("slipstream")
    app.setWindowIcon(QIcon(str(paths.assets_dir() / "icon.png")))
    if not app.property(STYLED):  # another style means that every widget is styled anew
        app.setStyle("Fusion")
        app.setProperty(STYLED, True)
    home = history_path.parent
    with disk.explaining(home):
        home.mkdir(parents=True, exist_ok=True)
    preferences = Settings(home / settings_file.NAME)
    language.install(app, preferences.now.language)
    try:
        history = HistoryStore(history_path)
    except InUseError:
        raise  # perhaps its window can be shown instead
    except SlipstreamError as error:
        tell_without_terminal(str(error))
        raise
    return app, MainWindow(store, engine_factory, history, home, preferences)


def tell_without_terminal(sentence: str) -> None:
    """A program that was started by its icon, perhaps for the second time, has no other way to say why it ends."""
    has_terminal = sys.stderr is not None and sys.stderr.isatty()
    if not has_terminal and QApplication.platformName() not in ("offscreen", "minimal"):
        box = QMessageBox(QMessageBox.Icon.Critical, "Slipstream", sentence)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.exec()


def run(app: QApplication, window: MainWindow, home: Path) -> int:
    """The program's life. A model that is still loading at the end must not hold the program up."""
    window.engine.loaded.connect(settle_heap)
    sys.excepthook = lambda _kind, error, _trace: window.tell_unexpected(error)
    crash = CrashWatch(home)
    tell_of_crash(window, crash.begin())
    FirstWindow(home, window)
    window.show()
    QTimer.singleShot(WARM_UP_MS, window, warm_up)
    code = app.exec()
    crash.end()
    if threads_left_running():
        with contextlib.suppress(SlipstreamError):  # the user was told, and closed
            window.history.flush()
        os._exit(code)
    return code


def tell_of_crash(window: MainWindow, report: Path | None) -> None:
    if report is not None:
        words = QCoreApplication.translate(
            "Crash", "Slipstream crashed the last time. A report lies in {file}; it was sent to nobody."
        )
        window.board.put("crash", words.format(file=report), tone="plain")


def settle_heap() -> None:
    """What lives as long as the model is left out of garbage collection from now on.

    A full collection would walk through the vocabulary and every imported module: 100 ms in the middle of an answer,
    measured with the starter, in which neither the window nor the engine can do anything.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def smoke(store: ModelStore, engine_factory: EngineFactory, timeout_s: float = SMOKE_TIMEOUT_S) -> int:
    """Loads the starter in a hidden window and sends one message: 0, or SlipstreamError with the reason."""
    for module in ON_DEMAND:
        importlib.import_module(module)
    starter = store.pair(STARTER)
    if store.missing(starter):
        raise SlipstreamError("The starter is not installed; run: slipstream models fetch starter")
    with tempfile.TemporaryDirectory(prefix="slipstream-smoke-") as folder:
        history = Path(folder) / "history.sqlite3"
        _, window = build(store, engine_factory, history)
        try:
            return _one_message(window, timeout_s)
        finally:
            window.close()
            window.history.close()


def _one_message(window: MainWindow, timeout_s: float) -> int:
    ended: list[str] = []
    loop = QEventLoop()

    def end(problem: str) -> None:
        ended.append(problem)
        loop.quit()

    def finished(_conversation: int, answer: Finished) -> None:
        end("" if answer.token_ids else "The model gave no answer.")

    window.engine.load_failed.connect(end)
    window.session.answer_failed.connect(lambda _conversation, sentence: end(sentence))
    window.session.answer_finished.connect(finished)
    window.engine.loaded.connect(lambda _loaded: window.session.send(SMOKE_MESSAGE))
    QTimer.singleShot(int(timeout_s * 1000), loop, lambda: end("The model took too long to answer."))
    window.start()
    if not ended:
        loop.exec()
    if ended[0]:
        raise SlipstreamError(ended[0])
    return 0
