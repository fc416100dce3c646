"""Before a model is imported: in which format its weights are to be kept, with size and speed of each."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QProgressBar,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.failure_log import FailureLog
from app.models.errands import Errand
from app.models.sizes import in_words
from app.speculation.figure_rows import plain_label
from app.theme import SPACE_L, SPACE_M, SPACE_S
from engine.models.formats import FormatOffer


class ImportDialog(QDialog):
    """`accepted_format` once, when the user agrees: the format's name, or "" for what the model itself suggests."""

    accepted_format = Signal(str)

    def __init__(self, path: Path, log: FailureLog, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("importDialog")
        self.setWindowTitle(self.tr("Import a model"))
        self._path = path
        self._offers: list[FormatOffer] = []
        self._group = QButtonGroup(self)
        self.question = plain_label(self.tr("Import “{name}” as a model?").format(name=path.name))
        self.question.setProperty("kind", "heading")
        self.state = plain_label(
            self.tr("Reading it, and measuring how fast each format of its weights is here…"), "muted"
        )
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 0)
        self.bar.setAccessibleName(self.tr("Reading the model"))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.take = self.buttons.addButton(self.tr("Import"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.take.setProperty("kind", "primary")
        self.take.style().polish(self.take)  # the box has polished it already
        self.take.setEnabled(False)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        self._build()
        self._errand: Errand | None = Errand(lambda _progress, _cancel: _offers(path), log, self)
        self._errand.done.connect(self.show_offers)
        self._errand.failed.connect(self.show_problem)
        self.finished.connect(lambda _result: self._stop())

    def show_offers(self, offers: object) -> None:
        assert isinstance(offers, list)
        self._errand = None
        self._offers = offers
        self.bar.hide()
        several = len(offers) > 1
        self.state.setText(
            self.tr(
                "In which format are its weights to be kept? Smaller ones take less memory and are a little less exact."
            )
            if several
            else self.tr("It is copied to Slipstream's models; what you have stays as it is.")
        )
        if several:
            self._add_choices(offers)
        self.take.setEnabled(True)
        self.take.setFocus()
        for button in self._group.buttons():
            button.ensurePolished()
            button.setMinimumSize(button.sizeHint())
        self.adjustSize()

    def show_problem(self, sentence: str) -> None:
        self._errand = None
        self.bar.hide()
        self.state.setText(sentence)
        self.state.setProperty("kind", "complaint")
        self.state.style().polish(self.state)
        self.take.hide()

    def chosen(self) -> str:
        index = self._group.checkedId()
        return self._offers[index].name if len(self._offers) > 1 and index >= 0 else ""

    def choose(self, name: str) -> None:
        self._group.button([offer.name for offer in self._offers].index(name)).setChecked(True)

    def choices(self) -> list[str]:
        return [button.text() for button in self._group.buttons()]

    def _add_choices(self, offers: Sequence[FormatOffer]) -> None:
        for index, offer in enumerate(offers):
            button = QRadioButton(self._words(offer), self)
            button.setChecked(offer.default)
            self._group.addButton(button, index)
            self._choices.addWidget(button)

    def _words(self, offer: FormatOffer) -> str:
        parts = [offer.name, in_words(offer.bytes)]
        if offer.seconds_per_token:
            most = QLocale().toString(1 / offer.seconds_per_token, "f", 0)
            parts.append(self.tr("at most {number} tokens/s here").format(number=most))
        if offer.default:
            parts.append(self.tr("suggested"))
        return ", ".join(parts)

    def _accept(self) -> None:
        self.accepted_format.emit(self.chosen())
        self.accept()

    def _stop(self) -> None:
        if self._errand is not None:
            self._errand.abandon()
            self._errand = None

    def _build(self) -> None:
        where = QLabel(self)
        where.setText(str(self._path))
        where.setProperty("kind", "small")
        where.setWordWrap(True)
        where.setMinimumWidth(1)
        self._choices = QVBoxLayout()
        self._choices.setSpacing(SPACE_S)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        column.setSpacing(SPACE_M)
        column.addWidget(self.question)
        column.addWidget(where)
        column.addWidget(self.state)
        column.addWidget(self.bar)
        column.addLayout(self._choices)
        column.addStretch(1)
        column.addWidget(self.buttons)
        self.setMinimumWidth(60 * self.fontMetrics().averageCharWidth())


def _offers(path: Path) -> list[FormatOffer]:
    """None to choose from where another program converts, and for a drafter, whose format follows its target's."""
    from engine.models import checkpoint_import, dflash_import, ir_import
    from engine.models.importing import formats

    folder = path if path.is_dir() else path.parent
    whole = path.is_dir() or path.suffix.lower() != ".gguf"
    ours = ir_import.is_openvino(folder) or checkpoint_import.is_model(folder)
    foreign = checkpoint_import.model_type(folder) or dflash_import.is_checkpoint(folder)
    return [] if whole and foreign and not ours else formats(path)
