"""The models that are on this computer, and what can be done with each."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QWidget

from app.chat.notice import Notice
from app.models.details import Deed
from app.models.facts_beside import FactsBeside
from app.models.list_tab import ListTab
from app.models.model_list import Row
from app.models.model_words import format_of, source_of, when
from app.models.sizes import in_words
from app.theme import SPACE_S
from engine.models.catalogue import Pair
from engine.models.manifest import DamagedModel, InstalledModel
from engine.models.store import DRAFTER, ModelStore

if TYPE_CHECKING:
    from app.failure_log import FailureLog

SHORT_HASH = 12


class InstalledTab(ListTab):
    """Asks its owner for everything that changes something."""

    use_asked = Signal(object)  # Pair
    verify_asked = Signal(object)  # InstalledModel
    remove_asked = Signal(str)
    undo_asked = Signal()
    file_import_asked = Signal()
    folder_import_asked = Signal()
    models_wanted = Signal()
    drafts_asked = Signal(str)  # for the model of this name

    def __init__(self, store: ModelStore, log: "FailureLog", parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Installed models"), parent)
        self._store = store
        self._undo: Notice | None = None
        self._beside = FactsBeside(store, log, self.details)
        self.in_use: frozenset[str] = frozenset()
        self.list.shown.connect(self._show)
        self._build()

    def refresh(self) -> None:
        """Reads the models folder anew."""
        used = self._store.last_used()
        models = sorted(self._store.installed(), key=lambda model: used.get(model.name, ""), reverse=True)
        rows = [self._row(model, used.get(model.name, "")) for model in models]
        damaged = [
            Row(each.name, each.reason, self.tr("Damaged"), each, faint=True)
            for each in self._store.damaged()
        ]
        self.list.show_rows([*rows, *damaged])

    def offer_undo(self, title: str) -> None:
        self.drop_undo()
        text = self.tr("“{model}” is removed; its space is free again when Slipstream ends.").format(
            model=title
        )
        self._undo = Notice(text, self.tr("Undo"), self.undo_asked.emit, "plain", self)
        self.top.addWidget(self._undo)

    def drop_undo(self) -> None:
        if self._undo is not None:
            self._undo.hide()
            self._undo.deleteLater()
            self._undo = None

    def _row(self, model: InstalledModel, used: str) -> Row:
        moment = when(used)
        last = self.tr("used {when}").format(when=moment) if moment else self.tr("not used yet")
        return Row(
            model.title, f"{format_of(model)} · {model.licence} · {last}", in_words(model.size_bytes), model
        )

    def _show(self, what: object) -> None:
        self._beside.stop()
        if isinstance(what, InstalledModel):
            self._show_model(what)
        elif isinstance(what, DamagedModel):
            remove = Deed(self.tr("Remove"), lambda: self.remove_asked.emit(what.name))
            self.details.show_model(what.name, what.reason, [], [remove])
        else:
            self.details.show_model(
                self.tr("No model is on this computer yet"),
                self.tr("Get one from the list of models, or import a file that you have."),
                [],
                [
                    Deed(self.tr("Get models"), self.models_wanted.emit, primary=True),
                    Deed(self.tr("Import a file…"), self.file_import_asked.emit),
                ],
            )

    def _show_model(self, model: InstalledModel) -> None:
        pairs = self._pairs_of(model.name)
        self.details.show_model(model.title, "", self._facts(model, pairs), self._deeds(model, pairs))
        name = self.tr("SHA-256")
        self.details.add_fact(name, f"{model.sha256[:SHORT_HASH]}…", model.sha256)
        self._beside.tell(model)

    def _facts(self, model: InstalledModel, pairs: list[Pair]) -> list[tuple[str, str]]:
        used = when(self._store.last_used().get(model.name, "")) or self.tr("not used yet")
        facts = [
            (self.tr("Name"), model.name),
            (self.tr("Size"), in_words(model.size_bytes)),
            (self.tr("Format"), format_of(model)),
            (self.tr("Licence"), model.licence),
            (self.tr("From"), source_of(model)),
            (self.tr("Last used"), used),
        ]
        return [*facts, (self.tr("In pairs"), "\n".join(pair.title for pair in pairs))] if pairs else facts

    def _deeds(self, model: InstalledModel, pairs: list[Pair]) -> list[Deed]:
        used = self.tr("It is in use: choose another model first.") if model.name in self.in_use else ""
        deeds = [
            Deed(self.tr("Verify"), lambda: self.verify_asked.emit(model)),
            Deed(self.tr("Open folder"), lambda: self._open_folder(model.name)),
            Deed(self.tr("Remove"), lambda: self.remove_asked.emit(model.name), why_not=used),
        ]
        if model.format != DRAFTER:
            mine = [pair for pair in pairs if pair.target == model.name]
            pair = mine[0] if mine else Pair(model.name, model.title, model.name, None)
            deeds.insert(1, Deed(self.tr("Find a draft…"), lambda: self.drafts_asked.emit(model.name)))
            deeds.insert(0, Deed(self.tr("Use"), lambda: self.use_asked.emit(pair), primary=True))
        return deeds

    def _pairs_of(self, name: str) -> list[Pair]:
        """Those that are complete, with a draft first."""
        pairs = [pair for pair in self._store.pairs() if name in pair.models]
        whole = [pair for pair in pairs if not self._store.missing(pair)]
        return sorted(whole, key=lambda pair: pair.draft is None)

    def _open_folder(self, name: str) -> None:
        path = self._store.path(name)
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            self.details.say(
                self.tr("No program opens folders here. It is {path}").format(path=path), tone="plain"
            )

    def _build(self) -> None:
        button = QPushButton(self.tr("Import…"), self)
        menu = QMenu(button)
        choices: list[tuple[str, Callable[[], object]]] = [
            (self.tr("A &GGUF file…"), self.file_import_asked.emit),
            (self.tr("A &folder (OpenVINO, checkpoint, drafter)…"), self.folder_import_asked.emit),
        ]
        for text, run in choices:
            menu.addAction(text).triggered.connect(lambda _checked=False, do=run: do())
        button.setMenu(menu)
        self.import_button = button
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(button)
        row.addStretch(1)
        self.top.addLayout(row)
