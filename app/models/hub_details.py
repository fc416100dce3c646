"""A search's result: what its repository holds, which of it to fetch, and what that needs."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QLabel, QVBoxLayout, QWidget

from app.models.details import Deed, Details
from app.models.errands import Errand
from app.models.model_words import kind_in_words
from app.models.needs import disk_line, memory_words
from app.models.sizes import in_words
from engine.errors import SlipstreamError
from engine.models import hub
from engine.models.choices import Choice, choices
from engine.models.hub_files import Repository
from engine.models.hub_search import Found
from engine.models.hub_verdict import Kind
from engine.models.queue import Wanted
from engine.models.store import ModelStore

if TYPE_CHECKING:
    from app.failure_log import FailureLog

PREFERRED = ("Q4_K_M", "Q4_K_S", "Q5_K_M", "Q4_0", "Q8_0")  # of many quantisations, what suits most people


class HubDetails(QObject):
    fetch_asked = Signal(object)  # Wanted
    token_asked = Signal(str)

    def __init__(self, store: ModelStore, log: "FailureLog", pane: Details) -> None:
        super().__init__(pane)
        self._store = store
        self._log = log
        self._pane = pane
        self._found: Found | None = None
        self._repository: Repository | None = None
        self._choices: list[Choice] = []
        self._errand: Errand | None = None
        self.box: QComboBox | None = None

    def offer(self, found: Found) -> None:
        """What the search told; the repository itself is asked when the user wants it."""
        self._found, self._repository = found, None
        self.box = None
        look = Deed(self.tr("Show its files"), lambda: self.look(found), primary=True)
        self._pane.show_model(found.repo, self._about(found), self._facts(found), [look])

    def look(self, found: Found) -> None:
        if self._repository is not None and self._found == found:
            return
        self.stop()
        self.offer(found)
        button = self._pane.buttons[0]
        button.setEnabled(False)
        button.setText(self.tr("Asking the hub…"))
        self._errand = Errand(
            lambda _progress, cancel: self._store.look(found.repo, cancel=cancel), self._log, self
        )
        self._errand.done.connect(self._arrived)
        self._errand.failed.connect(self._failed)

    def look_again(self) -> None:
        """After a refusal, with another token."""
        if self._found is not None and self._repository is None and self._pane.notice is not None:
            self.look(self._found)

    def stop(self) -> None:
        if self._errand is not None:
            self._errand.abandon()
            self._errand = None

    def _about(self, found: Found) -> str:
        if not found.verdict.runs:
            return self.tr("Slipstream can't run this: {reason}.").format(reason=found.verdict.reason)
        if found.gated:
            return self.tr(
                "Its makers want to know who fetches it: accept their terms on the model's page, and give your "
                "access token."
            )
        return ""

    def _facts(self, found: Found) -> list[tuple[str, str]]:
        return [
            (self.tr("Kind"), kind_in_words(found.verdict.kind)),
            (self.tr("Licence"), found.licence),
            (self.tr("Page"), f"{hub.endpoint_or_default()}/{found.repo}"),
        ]

    def _arrived(self, repository: object) -> None:
        assert isinstance(repository, Repository)
        self._errand = None
        self._repository = repository
        self._choices = choices(repository)
        if not self._choices:
            self._pane.say(self.tr("It holds no model that Slipstream reads."), tone="plain")
            self._pane.buttons[0].hide()
            return
        self._show()

    def _failed(self, sentence: str) -> None:
        self._errand = None
        found = self._found
        if found is None:
            return
        self.offer(found)
        if found.gated:
            self._pane.say(sentence, self.tr("Access token…"), lambda: self.token_asked.emit(found.repo))
        else:
            self._pane.say(sentence)

    def _show(self) -> None:
        found = self._found
        assert found is not None
        about = self._about(found)
        deeds = [Deed(self.tr("Fetch"), self._fetch, primary=True)]
        if found.gated:
            deeds.append(Deed(self.tr("Access token…"), lambda: self.token_asked.emit(found.repo)))
        self._pane.show_model(found.repo, about, self._facts(found), deeds, self._chooser())
        self._chosen()

    def _chooser(self) -> QWidget:
        widget = QWidget()
        label = QLabel(self.tr("&Which one"), widget)
        label.setProperty("kind", "field")
        self.box = box = QComboBox(widget)
        label.setBuddy(box)
        box.setAccessibleName(self.tr("Which one"))
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        model = box.model()
        assert isinstance(model, QStandardItemModel)
        for index, choice in enumerate(self._choices):
            box.addItem(f"{choice.label} — {in_words(choice.size)}")
            model.item(index).setEnabled(not choice.reason)
            model.item(index).setToolTip(choice.reason)
        box.setCurrentIndex(_preferred(self._choices))
        box.currentIndexChanged.connect(lambda _index: self._chosen())
        column = QVBoxLayout(widget)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(label)
        column.addWidget(box)
        return widget

    def _chosen(self) -> None:
        choice = self._choice()
        extra = (
            choice.size if choice.kind in (Kind.OPENVINO, Kind.SAFETENSORS) or len(choice.files) > 1 else 0
        )
        self._pane.add_fact(self.tr("Disk"), disk_line(choice.size + extra, self._store))
        self._pane.add_fact(self.tr("Memory"), memory_words([choice.size], free=True))
        fetch = self._pane.buttons[0]
        fetch.setText(self.tr("Fetch {what}").format(what=in_words(choice.size)))
        fetch.setEnabled(not choice.reason)
        self._pane.say(self._why_not(choice), tone="plain")

    def _why_not(self, choice: Choice) -> str:
        return self.tr("This one can't run: {reason}.").format(reason=choice.reason) if choice.reason else ""

    def _choice(self) -> Choice:
        assert self.box is not None
        return self._choices[max(0, self.box.currentIndex())]

    def _fetch(self) -> None:
        assert self._repository is not None
        try:
            wanted = self._store.order(self._repository, self._choice())
        except SlipstreamError as error:
            self._pane.say(str(error))
            return
        if self._store.is_installed(wanted.name):
            self._pane.say(self.tr("It is installed already."), tone="plain")
        else:
            self.fetch_asked.emit(Wanted(wanted.name, wanted.title, wanted))


def _preferred(found: list[Choice]) -> int:
    runs = [index for index, choice in enumerate(found) if not choice.reason]
    named = [index for label in PREFERRED for index in runs if found[index].label == label]
    return next(iter(named or runs), 0)
