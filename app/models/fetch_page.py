"""Offers a pair that is not on this computer: what it is, its size and licence, Fetch, progress, errors."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.chat.notice import Notice
from app.models.sizes import in_words
from app.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL
from engine.events import Progress
from engine.models.catalogue import HubFolder, HubSource, ModelEntry, Pair, ShippedSource, Source

STEPS = 1000


@dataclass(frozen=True, slots=True)
class Offer:
    """What is said about a pair before it is fetched."""

    pair: Pair
    models: tuple[ModelEntry, ...]
    missing_bytes: int
    first: bool  # nothing is installed yet


class FetchPage(QScrollArea):
    fetch_asked = Signal(object)  # Pair
    cancel_asked = Signal()
    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setAccessibleName(self.tr("Models to fetch"))
        self._pair: Pair | None = None
        self.title = QLabel(self)
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setProperty("kind", "title")
        self.title.setWordWrap(True)
        self._why = QLabel(self)
        self._why.setWordWrap(True)
        self._facts = QFormLayout()
        self.fetch = QPushButton(self.tr("Fetch"), self)
        self.fetch.setProperty("kind", "primary")
        self.fetch.clicked.connect(self._fetch)
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.clicked.connect(self._cancel)
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Download"))
        self.status = QLabel(self)
        self.status.setProperty("kind", "small")
        self.notice: Notice | None = None
        self._running = False
        self._first = False
        self._build()

    def offer(self, offer: Offer) -> None:
        self._pair, self._first = offer.pair, offer.first
        fetch = self.tr("Fetch {what}")
        title = self.tr("Welcome to Slipstream") if offer.first else fetch.format(what=offer.pair.title)
        self.title.setText(title)
        self._why.setText(self._reason(offer))
        while self._facts.rowCount():
            self._facts.removeRow(0)
        for name, value in self._facts_of(offer):
            self._add_fact(name, value)
        self.fetch.setText(fetch.format(what=in_words(offer.missing_bytes)))
        self._drop_notice()
        self._set_running(False)

    def show_progress(self, progress: Progress) -> None:
        if not self._running:
            return
        known = progress.total > 0
        self.bar.setRange(0, STEPS if known else 0)
        if known:
            self.bar.setValue(min(STEPS, progress.done * STEPS // progress.total))
            self.status.setText(
                self.tr("{stage}: {done} of {total}").format(
                    stage=stage_in_words(progress.stage),
                    done=in_words(progress.done),
                    total=in_words(progress.total),
                )
            )
        else:
            self.status.setText(f"{stage_in_words(progress.stage)}…")

    def show_cancelled(self) -> None:
        self._set_running(False)
        self._say(self.tr("Stopped. What has arrived is kept if it can be used."), "plain")

    def show_error(self, sentence: str) -> None:
        self._set_running(False)
        self._say(sentence, "error")

    def _fetch(self) -> None:
        if self._pair is not None:
            self._drop_notice()
            self._set_running(True)
            self.fetch_asked.emit(self._pair)

    def _cancel(self) -> None:
        if self._running:
            self.cancel.setEnabled(False)
            self.status.setText(self.tr("Stopping…"))
            self.cancel_asked.emit()
        else:
            self.dismissed.emit()

    def _set_running(self, running: bool) -> None:
        self._running = running
        self.fetch.setEnabled(not running)
        self.cancel.setEnabled(True)
        self.cancel.setText(self.tr("Cancel") if running else self.tr("Not now"))
        self.cancel.setVisible(running or not self._first)
        self.bar.setVisible(running)
        self.bar.setRange(0, 0 if running else STEPS)
        self.status.setVisible(running)
        self.status.setText(self.tr("Connecting…") if running else "")

    def _say(self, sentence: str, tone: str) -> None:
        self._drop_notice()
        self.fetch.setVisible(tone != "error")  # Retry takes its place
        action, run = (self.tr("Retry"), self._fetch) if tone == "error" else ("", None)
        self.notice = Notice(sentence, action, run, tone, self)
        self._layout.insertWidget(self._layout.count() - 1, self.notice)

    def _drop_notice(self) -> None:
        if self.notice is not None:
            self.notice.hide()
            self.notice.deleteLater()
            self.notice = None
        self.fetch.show()

    def _add_fact(self, name: str, value: str) -> None:
        label, text = QLabel(name), QLabel(value)
        text.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("kind", "muted")
        text.setWordWrap(True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._facts.addRow(label, text)

    def _build(self) -> None:
        card = QFrame()
        card.setObjectName("card")
        card.setMaximumWidth(560)
        self._facts.setHorizontalSpacing(SPACE_L)
        self._facts.setVerticalSpacing(SPACE_S)
        buttons = QHBoxLayout()
        buttons.addWidget(self.fetch)
        buttons.addWidget(self.cancel)
        buttons.addStretch()
        self._layout = QVBoxLayout(card)
        self._layout.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        self._layout.setSpacing(SPACE_M)
        self._layout.addWidget(self.title)
        self._layout.addWidget(self._why)
        self._layout.addLayout(self._facts)
        self._layout.addWidget(self.bar)
        self._layout.addWidget(self.status)
        self._layout.addLayout(buttons)
        page = QWidget()
        outer = QVBoxLayout(page)
        outer.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(card, 6)
        row.addStretch(1)
        outer.addStretch(1)
        outer.addLayout(row)
        outer.addStretch(2)
        self.setWidget(page)

    def _reason(self, offer: Offer) -> str:
        if offer.first:
            return self.tr(
                "Slipstream runs language models on this computer. It needs one to begin with; "
                "after this download it works without a network."
            )
        if len(offer.models) > 1:
            return self.tr(
                "The larger model answers; the smaller one drafts for it, so the answer comes sooner."
            )
        return self.tr("This model is not on this computer yet.")

    def _facts_of(self, offer: Offer) -> list[tuple[str, str]]:
        licences = dict.fromkeys(model.licence for model in offer.models)
        models = self.tr("Model(s)", "", len(offer.models))
        return [
            (models, "\n".join(model.title for model in offer.models)),
            (self.tr("Download"), in_words(offer.missing_bytes)),
            (self.tr("Licence"), ", ".join(licences)),
            (self.tr("From"), "\n".join(self._sources(offer.models))),
            (self.tr("Checked by"), self.tr("SHA-256 of the whole file")),
        ]

    def _sources(self, models: Sequence[ModelEntry]) -> list[str]:
        """Where each model is looked for first, then where it is looked for if that fails."""
        first = dict.fromkeys(self._name_of(model.sources[0]) for model in models)
        later = dict.fromkeys(self._name_of(source) for model in models for source in model.sources[1:])
        fallback = self.tr("or, if that fails, {place}")
        return [*first, *(fallback.format(place=name) for name in later if name not in first)]

    def _name_of(self, source: Source) -> str:
        if isinstance(source, ShippedSource):
            return self.tr("Slipstream's own files")
        return (
            f"huggingface.co, {source.repo}"
            if isinstance(source, HubSource | HubFolder)
            else self.tr("the Python package index")
        )


def stage_in_words(stage: str) -> str:
    """What the engine does for a pair, as the beginning of a line."""
    words = {
        "download": QCoreApplication.translate("Stages", "Download"),
        "verify": QCoreApplication.translate("Stages", "Checking"),
        "copy": QCoreApplication.translate("Stages", "Copying"),
        "wait": QCoreApplication.translate("Stages", "Waiting for another Slipstream"),
        "converting": QCoreApplication.translate("Stages", "Converting"),
        "compiling": QCoreApplication.translate("Stages", "Compiling"),
        "measuring": QCoreApplication.translate("Stages", "Measuring"),
    }
    return words.get(stage, stage.capitalize())
