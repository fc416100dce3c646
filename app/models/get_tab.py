"""Models to be had: the catalogue's pairs first, and what a search on the hub finds."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QPushButton, QWidget

from app.models.details import Deed
from app.models.errands import Errand
from app.models.hub_details import HubDetails
from app.models.list_tab import ListTab
from app.models.model_list import Row
from app.models.model_words import kind_in_words
from app.models.needs import disk_line, memory_line
from app.models.shop import missing_bytes
from app.models.sizes import in_words
from app.theme import SPACE_S
from engine.models.catalogue import NotYet, Pair
from engine.models.hub_search import Found, search
from engine.models.hub_verdict import Kind
from engine.models.queue import Item, Wanted
from engine.models.store import ModelStore

if TYPE_CHECKING:
    from app.failure_log import FailureLog

KINDS = (None, Kind.GGUF, Kind.OPENVINO, Kind.SAFETENSORS)


class GetTab(ListTab):
    """The network is used when the user presses Search, and when a result is clicked; else never."""

    fetch_asked = Signal(object)  # Wanted
    use_asked = Signal(object)  # Pair
    queue_wanted = Signal()
    token_asked = Signal(str)

    def __init__(self, store: ModelStore, log: "FailureLog", parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Models to get"), parent)
        self._store = store
        self._log = log
        self._queued: dict[str, Item] = {}
        self._found: list[Found] | None = None
        self._searched = ""
        self._errand: Errand | None = None
        self.hub = HubDetails(store, log, self.details)
        self.hub.fetch_asked.connect(self.fetch_asked)
        self.hub.token_asked.connect(self.token_asked)
        self._build()
        self.list.shown.connect(self._show)
        self.list.asked.connect(self._ask)

    def refresh(self, queued: dict[str, Item] | None = None) -> None:
        """`queued`: what is in the fetch queue, by its name."""
        self._queued = self._queued if queued is None else queued
        self.list.show_rows(self._rows())

    def search_hub(self) -> None:
        """Asks the hub for the words of the field."""
        text = self.field.text().strip()
        if not text:
            self.forget()
            return
        self._stop()
        self._searched = text
        kind = KINDS[self.kind.currentIndex()]
        self.button.setText(self.tr("Searching…"))
        self.button.setEnabled(False)
        self._errand = Errand(lambda _progress, _cancel: search(text, kind), self._log, self)
        self._errand.done.connect(self._arrived)
        self._errand.failed.connect(self._failed)

    def forget(self) -> None:
        """Back to the catalogue."""
        self._stop()
        self._found = None
        self.refresh()

    def close_errands(self) -> None:
        self._stop()
        self.hub.stop()

    def _stop(self) -> None:
        if self._errand is not None:
            self._errand.abandon()
            self._errand = None
        self._ready()

    def _ready(self) -> None:
        self.button.setText(self.tr("Search the hub"))
        self.button.setEnabled(True)

    def _arrived(self, found: object) -> None:
        assert isinstance(found, list)
        self._errand = None
        self._ready()
        self._found = found
        self.refresh()
        if found:
            self.list.choose(found[0])
            self.list.setFocus()

    def _failed(self, sentence: str) -> None:
        self._errand = None
        self._ready()
        self.details.say(sentence, self.tr("Try again"), self.search_hub)

    def _rows(self) -> list[Row]:
        if self._found is not None:
            title = self.tr("On the hub: %n result(s)", "", len(self._found))
            return [Row(title), *(self._found_row(each) for each in self._found)]
        catalogue = self._store.catalogue
        rows = [Row(self.tr("Pairs that Slipstream knows")), *map(self._pair_row, catalogue.pairs.values())]
        if catalogue.not_yet:
            rows += [Row(self.tr("Not yet")), *(self._not_yet_row(each) for each in catalogue.not_yet)]
        return rows

    def _pair_row(self, pair: Pair) -> Row:
        missing = missing_bytes(self._store, pair)
        state = in_words(missing) if missing else self.tr("Installed")
        if pair.name in self._queued:
            state = self.tr("In the queue")
        models = [self._store.catalogue.models[name] for name in pair.models]
        licences = ", ".join(dict.fromkeys(model.licence for model in models))
        return Row(pair.title, f"{licences} · {memory_line(models)}", state, pair)

    def _not_yet_row(self, model: NotYet) -> Row:
        return Row(model.title, model.reason, "", model, faint=True)

    def _found_row(self, found: Found) -> Row:
        kind = kind_in_words(found.verdict.kind)
        downloads = self.tr("%Ln download(s) a month", "", found.downloads)
        parts = [kind, found.licence, downloads, self.tr("asks for consent") if found.gated else ""]
        line = found.verdict.reason or " · ".join(part for part in parts if part)
        state = "" if found.verdict.runs else self.tr("Does not run")
        return Row(found.repo, line, state, found, faint=not found.verdict.runs)

    def _show(self, what: object) -> None:
        self.hub.stop()
        if isinstance(what, Pair):
            self._show_pair(what)
        elif isinstance(what, NotYet):
            self.details.show_model(what.title, what.reason, [(self.tr("On the hub"), what.repo)], [])
        elif isinstance(what, Found):
            self.hub.offer(what)
        elif self._found is not None:
            text = self.tr("The hub has no model called “{name}”.").format(name=self._searched)
            self.details.show_model("", text, [], [Deed(self.tr("Back to the list"), self._back)])
        else:
            self.details.clear(self.tr("Choose a model to read about it."))

    def _ask(self, what: object) -> None:
        if isinstance(what, Found):
            self.hub.look(what)

    def _show_pair(self, pair: Pair) -> None:
        models = [self._store.catalogue.models[name] for name in pair.models]
        missing = missing_bytes(self._store, pair)
        draft = self.tr(
            "The larger model answers; the smaller one drafts for it, so the answer comes sooner."
        )
        about = draft if pair.draft else self.tr("One model; repeated text is guessed without a second one.")
        lines = [f"{model.title}, {in_words(model.download_bytes)}, {model.licence}" for model in models]
        facts = [
            (self.tr("Models"), "\n".join(lines)),
            (self.tr("Disk"), disk_line(missing, self._store) if missing else self.tr("nothing more")),
            (self.tr("Memory"), memory_line(models, free=True)),
            (
                self.tr("Pages"),
                "\n".join(dict.fromkeys(model.homepage for model in models if model.homepage)),
            ),
        ]
        self.details.show_model(pair.title, about, facts, [self._deed(pair, missing)])

    def _deed(self, pair: Pair, missing: int) -> Deed:
        if pair.name in self._queued:
            return Deed(self.tr("Show the queue"), self.queue_wanted.emit)
        if not missing:
            return Deed(self.tr("Use"), lambda: self.use_asked.emit(pair), primary=True)
        text = self.tr("Fetch {what}").format(what=in_words(missing))
        return Deed(text, lambda: self.fetch_asked.emit(Wanted(pair.name, pair.title)), primary=True)

    def _back(self) -> None:
        self.field.clear()
        self.forget()

    def _build(self) -> None:
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(self.tr("Search huggingface.co, as in: Qwen3 8B"))
        self.field.setAccessibleName(self.tr("Search models on the hub"))
        self.field.setClearButtonEnabled(True)
        self.field.returnPressed.connect(self.search_hub)
        self.field.textChanged.connect(lambda text: None if text else self.forget())
        self.kind = QComboBox(self)
        self.kind.setAccessibleName(self.tr("Kind of model"))
        self.kind.addItem(self.tr("All kinds"))
        for kind in KINDS[1:]:
            assert kind is not None
            self.kind.addItem(kind_in_words(kind))
        self.button = QPushButton(self.tr("Search the hub"), self)
        self.button.clicked.connect(self.search_hub)
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(self.field, 1)
        row.addWidget(self.kind)
        row.addWidget(self.button)
        self.top.addLayout(row)
