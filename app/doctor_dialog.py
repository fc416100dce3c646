"""Help > Check this computer: the doctor's findings as they come, with remedies, to be copied."""

import threading
from collections import deque
from collections.abc import Callable, Iterator

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from app.commands.doctor import crashes, line
from app.failure_log import FailureLog
from app.theme import SPACE_L, SPACE_M
from engine import doctor
from engine.doctor_files import Check

POLL_MS = 100
Look = Callable[[], Iterator[Check]]


def _all() -> Iterator[Check]:
    yield from doctor.each()
    yield from crashes()


class DoctorDialog(QDialog):
    """Open it to look. Closing it drops what is found later."""

    def __init__(self, log: FailureLog, parent: QWidget | None = None, look: Look = _all) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Check this computer"))
        self._log, self._look = log, look
        self._found: deque[Check] = deque()
        self._problems = 0
        self._error: BaseException | None = None
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()
        self.status = QLabel(
            self.tr("Looking… The last check loads the starter model, which takes a while."), self
        )
        self.status.setWordWrap(True)
        self.lines = QPlainTextEdit(self)
        self.lines.setReadOnly(True)
        self.lines.setAccessibleName(self.tr("Findings"))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self.copy = self.buttons.addButton(self.tr("Copy all"), QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.lines.toPlainText()))
        self.buttons.rejected.connect(self.reject)
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._poll)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        column.setSpacing(SPACE_M)
        column.addWidget(self.status)
        column.addWidget(self.lines, 1)
        column.addWidget(self.buttons)
        self.resize(720, 460)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True, name="doctor")
            self._thread.start()
            self._timer.start()

    def done(self, result: int) -> None:
        self._timer.stop()
        self._closed.set()
        super().done(result)

    def _run(self) -> None:
        try:
            for check in self._look():
                self._found.append(check)
                if self._closed.is_set():
                    return
        except BaseException as error:  # it crosses threads and is told in _poll
            self._error = error

    def _poll(self) -> None:
        running = self._thread is not None and self._thread.is_alive()
        while self._found:
            check = self._found.popleft()
            self._problems += not check.ok
            self.lines.appendPlainText(line(check))
        if not running:
            self._timer.stop()
            self.status.setText(self._verdict())

    def _verdict(self) -> str:
        if self._error is not None:
            return self._log.sentence(self._error)
        if self._problems:
            return self.tr("%n problem(s) found; each line ends with what to do.", "", self._problems)
        return self.tr("No problem was found.")


def show_doctor(log: FailureLog, parent: QWidget) -> DoctorDialog:
    dialog = DoctorDialog(log, parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    return dialog
