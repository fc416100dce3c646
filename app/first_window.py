"""One window for each SLIPSTREAM_HOME: a second start asks the first one, by a file in that folder, to show itself.

A file and no socket: the folder's permissions are the protection, and the frozen program needs no network module of Qt.
"""

import contextlib
import os
import sys
import time
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Qt
from PySide6.QtWidgets import QWidget

REQUEST = "show-window"
TOKEN = "XDG_ACTIVATION_TOKEN"  # by which a Wayland desktop lets a program come to the front
PATIENCE_S = 3.0
PAUSE_S = 0.05


def ask_to_show(home: Path, patience_s: float = PATIENCE_S) -> bool:
    """For the second start. False when no window took the request; it is withdrawn then."""
    request = home / REQUEST
    try:
        whole = request.with_suffix(".new")  # a file that is there must have all its text
        whole.write_text(os.environ.get(TOKEN, ""), encoding="utf-8")
        whole.replace(request)
    except OSError:
        return False
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.AllowSetForegroundWindow(-1)
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        if not request.exists():
            return True
        time.sleep(PAUSE_S)
    return not _withdrawn(request)


def _withdrawn(request: Path) -> bool:
    """False when the window took it at the last moment."""
    try:
        request.unlink()
    except OSError:
        return False
    return True


class FirstWindow(QObject):
    """Watches for requests as long as the window lives."""

    def __init__(self, home: Path, window: QWidget) -> None:
        super().__init__(window)
        self._request = home / REQUEST
        self._window = window
        _withdrawn(self._request)  # of a start that gave up
        self._watcher = QFileSystemWatcher([str(home)], self)
        self._watcher.directoryChanged.connect(self._look)

    def _look(self) -> None:
        try:
            token = self._request.read_text(encoding="utf-8")
            self._request.unlink()
        except (OSError, UnicodeDecodeError):
            return
        if token:
            os.environ[TOKEN] = token
        self.show()

    def show(self) -> None:
        window = self._window
        with contextlib.suppress(RuntimeError):  # it is just being destroyed
            window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
            window.show()
            window.raise_()
            window.activateWindow()
