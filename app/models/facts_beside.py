"""Facts about an installed model that take a moment: the memory that it needs, and which drafts fit it."""

from PySide6.QtCore import QCoreApplication, QLocale, QObject

from app.failure_log import FailureLog
from app.models.details import Details
from app.models.errands import Errand
from app.models.sizes import in_words
from engine.errors import SlipstreamError
from engine.models.manifest import InstalledModel
from engine.models.store import DRAFTER, ModelStore

MOST_DRAFTS = 3


class FactsBeside(QObject):
    """Reads them on a thread of its own and adds them to the pane, unless another model is shown by then."""

    def __init__(self, store: ModelStore, log: FailureLog, details: Details) -> None:
        super().__init__(details)
        self._store = store
        self._log = log
        self._details = details
        self._errand: Errand | None = None

    def tell(self, model: InstalledModel) -> None:
        self.stop()
        if model.format == DRAFTER:
            return
        store, name = self._store, model.name
        self._errand = Errand(lambda _progress, _cancel: _facts(store, name), self._log, self)
        self._errand.done.connect(self._arrived)
        self._errand.failed.connect(lambda _sentence: self._forget())

    def stop(self) -> None:
        if self._errand is not None:
            self._errand.abandon()
            self._errand = None

    def _arrived(self, facts: object) -> None:
        self._forget()
        assert isinstance(facts, list)
        for name, value in facts:
            self._details.add_fact(name, value)

    def _forget(self) -> None:
        self._errand = None


def _facts(store: ModelStore, name: str) -> list[tuple[str, str]]:
    tr = QCoreApplication.translate
    return [
        fact
        for fact in (
            (tr("FactsBeside", "Memory"), _memory(store, name)),
            (tr("FactsBeside", "Drafts"), _drafts(store, name)),
        )
        if fact[1]
    ]


def _memory(store: ModelStore, name: str) -> str:
    from app.models.memory_words import part_in_words
    from engine.models.estimate import estimate

    try:
        found = estimate([store.path(name)])
    except SlipstreamError:
        return ""
    tr = QCoreApplication.translate
    text = tr("FactsBeside", "about {needed} alone with {tokens} tokens, {free} is free").format(
        needed=in_words(found.total), tokens=QLocale().toString(found.context), free=in_words(found.free)
    )
    return "\n".join([text, *(f"{part_in_words(part.part)}: {in_words(part.bytes)}" for part in found.parts)])


def _drafts(store: ModelStore, name: str) -> str:
    """The best that are here or can be had, with what they gain."""
    from app.models.pairing_words import gain_in_short
    from engine.models.pairing import candidates

    tr = QCoreApplication.translate
    try:
        fitting = [each for each in candidates(store, name) if each.fits]
    except SlipstreamError:
        return ""
    if not fitting:
        return tr("FactsBeside", "none known; repeated text is still guessed")
    lines = []
    for each in fitting[:MOST_DRAFTS]:
        text = (
            each.title if each.installed else tr("FactsBeside", "{draft} (to fetch)").format(draft=each.title)
        )
        lines.append(f"{text}: {gain_in_short(each.gain)}" if each.gain else text)
    return "\n".join(lines)
