"""The model manager in the window: its page, imports, checks and removals."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog

from app.models.errands import Errand, Work
from app.models.fetch_desk import FetchDesk
from app.models.import_dialog import ImportDialog
from app.models.manager_page import ManagerPage
from app.models.model_file import looks_like_model
from app.worker import Loaded
from engine.models.catalogue import Pair
from engine.models.manifest import InstalledModel
from engine.models.removal import Removed

if TYPE_CHECKING:
    from app.main_window import MainWindow

KEYS = "Ctrl+Shift+L"
TOPIC = "models-manager"


class ModelManager(QObject):
    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._store = window.store
        self.page = ManagerPage(window.store, window.log, window)
        self.fetches = FetchDesk(window, self.page)
        self._work: Errand | None = None
        self._removed: Removed | None = None
        window.centre.addWidget(self.page)
        window.menus.add(window.menus.tools, self.tr("M&odels…"), KEYS, self.open)
        window.header.picker.manage_asked.connect(self.open)
        window.engine.loaded.connect(self._loaded)
        self.fetches.queue_wanted.connect(self._show_queue)
        self._connect()

    def open(self) -> None:
        """What is installed; where nothing is, what can be had."""
        if self._window.centre.currentWidget() is not self.page:
            self._clear_away()
            self.refresh()
            tab = self.page.installed if self._store.installed() else self.page.get
            self.page.show_tab(self.page.queue if self.fetches.active else tab)
        self._window.show_page(self.page)
        self.page.tabs.setFocus()

    def _clear_away(self) -> None:
        """What a crash left of removed models goes for good."""
        if self._removed is None:
            with self._window.pairs.guarded():
                self._store.removal.finish()

    def _show_queue(self) -> None:
        self.open()
        self.page.show_tab(self.page.queue)

    def leave(self) -> None:
        self.fetches.drop_news()
        self._window.show_page(self._window.view)
        self._window.focus_composer()

    def refresh(self) -> None:
        pair = self._window.session.pair
        self.page.installed.in_use = frozenset(pair.models if pair else ())
        self.page.installed.refresh()
        self.page.get.refresh()
        self.fetches.show()

    def takes(self, path: Path) -> bool:
        """A model that was dropped on the window is imported if the user agrees; False for any other file."""
        if not looks_like_model(path):
            return False
        self.open()
        self.offer_import(path)
        return True

    def offer_import(self, path: Path) -> ImportDialog:
        dialog = ImportDialog(path, self._window.log, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted_format.connect(lambda form: self._import(path, form))
        dialog.open()
        return dialog

    def close(self) -> None:
        if self._removed is not None:
            with self._window.pairs.guarded():
                self._store.removal.finish(self._removed)
        self.fetches.close()
        self.page.get.close_errands()
        if self._work is not None:
            self._work.close()

    def _import(self, path: Path, form: str) -> None:
        title = self.tr("Importing {name}").format(name=path.name)
        store = self._store
        self._begin(
            title,
            lambda progress, cancel: store.import_file(path, None, progress, cancel, form or None),
            self._imported,
        )

    def _imported(self, name: object) -> None:
        self._window.pairs.show()
        self.refresh()
        self.page.show_tab(self.page.installed)
        for row in self.page.installed.list.rows():
            if isinstance(row.what, InstalledModel) and row.what.name == name:
                self.page.installed.list.choose(row.what)

    def _verify(self, model: InstalledModel) -> None:
        store = self._store
        title = self.tr("Checking {name}").format(name=model.title)
        self._begin(
            title, lambda progress, cancel: store.verify(model.name, progress, cancel), self._verified
        )

    def _verified(self, mended: object) -> None:
        sentences = [str(each) for each in mended] if isinstance(mended, list) else []
        text = " ".join([self.tr("Every byte is as it should be."), *sentences])
        self.page.installed.details.say(text, tone="plain")

    def _begin(self, title: str, work: Work, done: object) -> None:
        """One import or check at a time."""
        if self._work is not None:
            self._window.board.put(
                TOPIC, self.tr("Wait for the import or check that is going on, or cancel it.")
            )
            return
        self._window.board.drop(TOPIC)
        self.page.work.begin(title)
        self._work = Errand(work, self._window.log, self)
        self._work.progress.connect(self.page.work.show_progress)
        for ended in (self._work.done, self._work.failed, self._work.cancelled):
            ended.connect(self._work_ended)
        self._work.done.connect(done)
        self._work.failed.connect(lambda sentence: self._window.board.put(TOPIC, sentence))

    def _work_ended(self) -> None:
        self._work = None
        self.page.work.hide()

    def _cancel_work(self) -> None:
        if self._work is not None:
            self.page.work.cancel.setEnabled(False)
            self._work.cancel()

    def _remove(self, name: str) -> None:
        title = next((model.title for model in self._store.installed() if model.name == name), name)
        removal = self._store.removal
        with self._window.pairs.guarded():
            if self._removed is not None:
                removal.finish(self._removed)
            self._removed = None
            self._removed = removal.set_aside(name)
            self.page.installed.offer_undo(title)
        self._window.pairs.show()
        self.refresh()

    def _undo(self) -> None:
        self.page.installed.drop_undo()
        removed, self._removed = self._removed, None
        if removed is not None:
            with self._window.pairs.guarded():
                self._store.removal.bring_back(removed)
        self._window.pairs.show()
        self.refresh()

    def _use(self, pair: Pair) -> None:
        self._window.pairs.choose(pair)

    def _loaded(self, loaded: Loaded) -> None:
        self._store.note_use(loaded.pair.models)
        self.fetches.drop_news()
        if self._window.centre.currentWidget() is self.page:
            self.refresh()

    def _choose_file(self) -> None:
        filters = [self.tr("Models") + " (*.gguf *.safetensors *.xml)", self.tr("All files") + " (*)"]
        self._choose(QFileDialog.FileMode.ExistingFile, filters)

    def _choose_folder(self) -> None:
        self._choose(QFileDialog.FileMode.Directory, [])

    def _choose(self, mode: QFileDialog.FileMode, filters: list[str]) -> None:
        """Without holding the window up."""
        dialog = QFileDialog(self._window, self.tr("Import a model"))
        dialog.setFileMode(mode)
        if filters:
            dialog.setNameFilters(filters)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.offer_import(Path(name)))
        dialog.open()

    def _connect(self) -> None:
        page = self.page
        page.left.connect(self.leave)
        page.cancel_asked.connect(self._cancel_work)
        page.installed.use_asked.connect(self._use)
        page.installed.verify_asked.connect(self._verify)
        page.installed.remove_asked.connect(self._remove)
        page.installed.undo_asked.connect(self._undo)
        page.installed.file_import_asked.connect(self._choose_file)
        page.installed.folder_import_asked.connect(self._choose_folder)
        page.installed.drafts_asked.connect(self._window.pairing.open)
        page.installed.models_wanted.connect(lambda: page.show_tab(page.get))
        page.get.use_asked.connect(self._use)
