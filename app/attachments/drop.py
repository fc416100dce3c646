"""Ways to attach files: the button, Ctrl+O, dropping them on the window, pasting them."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QLabel

if TYPE_CHECKING:
    from app.main_window import MainWindow


def paths_in(data: QMimeData) -> list[Path]:
    """The local files among what is dropped or pasted."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


class Attaching(QObject):
    """Ties the composer's files to the window."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._files = window.view.composer.files
        self._sign = QLabel(self.tr("Drop files to attach them"), window)
        self._sign.setObjectName("dropSign")
        self._sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sign.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._sign.hide()
        composer = window.view.composer
        composer.attach_asked.connect(self.choose)
        composer.tray.announced.connect(window.view.announce)
        window.session.opened.connect(lambda conversation, _messages: self._files.show(conversation))
        window.session.user_added.connect(lambda conversation, _text: self._files.begun(conversation))
        window.menus.add(window.menus.edit, self.tr("&Attach files…"), "Ctrl+O", self.choose)
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def choose(self) -> None:
        """Asks for files without holding the window up."""
        dialog = QFileDialog(self._window, self.tr("Attach files"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters(
            [
                self.tr("Text, code, PDF and Word") + f" ({SUFFIXES})",
                self.tr("All files") + " (*)",
            ]
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda names: self._add([Path(name) for name in names]))
        dialog.open()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if (
            kind == QEvent.Type.DragEnter
            and isinstance(event, QDragEnterEvent)
            and paths_in(event.mimeData())
        ):
            event.acceptProposedAction()
            self._show_sign()
        elif kind == QEvent.Type.DragLeave:
            self._sign.hide()
        elif kind == QEvent.Type.Drop and isinstance(event, QDropEvent):
            self._sign.hide()
            event.acceptProposedAction()
            self._add(paths_in(event.mimeData()))
        elif kind == QEvent.Type.Resize and isinstance(event, QResizeEvent):
            self._sign.setGeometry(self._window.rect())
        return super().eventFilter(watched, event)

    def _show_sign(self) -> None:
        self._sign.setGeometry(self._window.rect())
        self._sign.raise_()
        self._sign.show()

    def _add(self, paths: list[Path]) -> None:
        if len(paths) == 1 and self._window.manager.takes(paths[0]):
            return
        self._window.view.composer.tray.drop_notices()
        self._files.add(paths)
        self._window.focus_composer()


SUFFIXES = (
    "*.txt *.md *.rst *.log *.csv *.tsv *.json *.jsonl *.yaml *.yml *.toml *.ini *.xml *.html *.css *.svg *.tex *.pdf "
    "*.docx *.py *.js *.ts *.tsx *.jsx *.java *.kt *.c *.h *.cc *.cpp *.hpp *.cs *.go *.rs *.rb *.php *.swift *.sh "
    "*.sql *.r *.lua *.pl *.scala *.diff *.patch"
)
