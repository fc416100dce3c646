"""Help > Check for updates: asks once, shows what is new and where to get it. Nothing is downloaded."""

import threading
from collections.abc import Callable

from PySide6.QtCore import QDate, QLocale, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from app import __version__
from app.theme import SPACE_L, SPACE_M
from app.worker import FailureLog
from engine.models.meter import Meter
from engine.update import Release, check

POLL_MS = 100
Check = Callable[[str, Meter], Release | None]


class UpdateDialog(QDialog):
    """Open it to ask. Closing it ends the question; a reply that comes later is dropped."""

    def __init__(self, log: FailureLog, parent: QWidget | None = None, ask: Check = check) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Check for updates"))
        self._log = log
        self._ask = ask
        self._cancel = threading.Event()
        self._thread: threading.Thread | None = None
        self._reply: Release | BaseException | None = None
        self.status = QLabel(self.tr("Asking whether a newer version is out…"), self)
        self.status.setTextFormat(Qt.TextFormat.PlainText)
        self.status.setWordWrap(True)
        self.status.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.notes = QPlainTextEdit(self)
        self.notes.setAccessibleName(self.tr("What is new"))
        self.notes.setReadOnly(True)
        self.notes.hide()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self.page = self.buttons.addButton(self.tr("Open the page"), QDialogButtonBox.ButtonRole.ActionRole)
        self.page.hide()
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._poll)
        self._build()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True, name="update")
            self._thread.start()
            self._timer.start()

    def done(self, result: int) -> None:
        self._timer.stop()
        self._cancel.set()
        super().done(result)

    def _run(self) -> None:
        try:
            self._reply = self._ask(__version__, Meter(cancel=self._cancel))
        except BaseException as error:  # it crosses threads and is told in _poll
            self._reply = error

    def _poll(self) -> None:
        if self._thread is not None and not self._thread.is_alive():
            self._timer.stop()
            self._tell(self._reply)

    def _tell(self, reply: Release | BaseException | None) -> None:
        if isinstance(reply, Release):
            self._offer(reply)
        elif reply is None:
            self.status.setText(
                self.tr("You have {version}, the newest version.").format(version=__version__)
            )
        else:
            self.status.setText(self._log.sentence(reply))

    def _offer(self, release: Release) -> None:
        out = release.published
        date = QLocale().toString(QDate(out.year, out.month, out.day), QLocale.FormatType.LongFormat)
        told = self.tr("Slipstream {version} came out on {date}; you have {own}.\nGet it from {address}")
        self.status.setText(
            told.format(version=release.version, date=date, own=__version__, address=release.page)
        )
        self.notes.setPlainText(release.notes)
        self.notes.show()
        self.page.show()
        self.page.clicked.connect(lambda _checked=False: QDesktopServices.openUrl(QUrl(release.page)))
        self.resize(560, 380)

    def _build(self) -> None:
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        column.setSpacing(SPACE_M)
        column.addWidget(self.status)
        column.addWidget(self.notes, 1)
        column.addWidget(self.buttons)
        self.resize(480, 120)


def show_update_check(log: FailureLog, parent: QWidget) -> UpdateDialog:
    dialog = UpdateDialog(log, parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    return dialog
