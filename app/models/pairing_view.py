"""The drafts of one model: which fit and why others don't, what each gains, and Use, Fetch and Try."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.chat.notice import Notice
from app.models.errands import Errand
from app.models.pairing_row import PairingRow
from app.speculation.figure_rows import plain_label
from app.theme import SPACE_M, SPACE_S, SPACE_XS

if TYPE_CHECKING:
    from app.models.pairing import Pairing
    from engine.models.pairing import Candidate
    from engine.models.trial import Trying


class PairingView(QWidget):
    """A widget for any place: `show_target` says whose drafts it shows. `pairing` does what its buttons ask for."""

    def __init__(self, pairing: "Pairing", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Drafts"))
        self._pairing = pairing
        self.target: str | None = None
        self.rows: list[PairingRow] = []
        self.notice: Notice | None = None
        self._stale = True
        self._survey: Errand | None = None
        self.status = plain_label("", "muted")
        self.others = QPushButton(self)
        self.others.setProperty("kind", "action")
        self.others.setCheckable(True)
        self.others.setCursor(Qt.CursorShape.PointingHandCursor)
        self.others.toggled.connect(self._show_others)
        self._build()
        pairing.changed.connect(self.refresh)
        pairing.tried.connect(self._show_trial)
        pairing.told.connect(self.say)

    def show_target(self, name: str) -> None:
        """The model of this name, installed or in the catalogue."""
        if name != self.target:
            self._clear()
            self.say("")
        self.target = name
        self.refresh()

    def refresh(self) -> None:
        """Looks again: at once if it is seen, else when it is shown."""
        self._stale = True
        if self.isVisible() and self.target is not None:
            self._stale = False
            if not self.rows:
                self._say_status(self.tr("Looking for drafts…"))
            self._ask(self.target)

    def say(self, sentence: str) -> None:
        """One notice above the drafts; "" takes it away."""
        if self.notice is not None:
            self.notice.hide()
            self.notice.deleteLater()
            self.notice = None
        if sentence and self.isVisible():
            self.notice = Notice(sentence, self.tr("Dismiss"), lambda: self.say(""), parent=self)
            self._column.insertWidget(0, self.notice)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._survey is not None:
            self._drop_survey()
            self._stale = True

    def _ask(self, target: str) -> None:
        self._drop_survey()
        look = self._pairing.look
        self._survey = Errand(lambda _progress, _cancel: look(target), self._pairing.log, self)
        self._survey.done.connect(self._found)
        self._survey.failed.connect(self._failed)

    def _drop_survey(self) -> None:
        if self._survey is not None:
            self._survey.abandon()
            self._survey = None

    def _found(self, candidates: "list[Candidate]") -> None:
        self._survey = None
        focused = next((row.candidate.name for row in self.rows if row.has_focus), None)
        self._fill(candidates)
        for row in self.rows:
            if row.candidate.name == focused:
                row.take_focus()

    def _fill(self, candidates: "list[Candidate]") -> None:
        self._clear()
        for number, candidate in enumerate(candidates):
            promises = candidate.gain is not None and candidate.gain.middle > 1.0
            self._add(candidate, best=number == 0 and bool(candidate.fits) and promises)
        fitting = sum(bool(row.candidate.fits) for row in self.rows)
        self._say_status(
            ""
            if fitting
            else self.tr(
                "No draft is known that fits this model. A smaller model of the same family does: fetch or import one."
            )
        )
        unlike = sum(row.candidate.fits is False for row in self.rows)
        self.others.setVisible(bool(unlike))
        self._show_others(self.others.isChecked())
        self._settle()

    def _failed(self, sentence: str) -> None:
        self._survey = None
        self._clear()
        self._say_status("")
        self.say(sentence)

    def _add(self, candidate: "Candidate", best: bool) -> None:
        in_use = self._pairing.is_in_use(self.target, candidate)
        row = PairingRow(candidate, in_use, best and not in_use, self)
        row.use_asked.connect(lambda chosen: self._pairing.use(self.target, chosen))
        row.fetch_asked.connect(lambda chosen: self._pairing.fetch(self.target, chosen))
        row.try_asked.connect(lambda chosen: self._pairing.try_out(self.target, chosen))
        row.stop_asked.connect(self._pairing.stop_trial)
        self.rows.append(row)
        (self._unlike if candidate.fits is False else self._likely).addWidget(row)

    def _settle(self) -> None:
        why_not = self._pairing.why_no_trial(self.target)
        for row in self.rows:
            row.settle(not why_not, why_not)
        if self._pairing.trying is not None:
            self._show_trial(self._pairing.trying[1], None)

    def _show_trial(self, name: str, step: "Trying | None") -> None:
        """`step` is None when the trial has only been asked for."""
        if self._pairing.trying is None or self._pairing.trying[0] != self.target:
            return
        for row in self.rows:
            row.trial.setEnabled(False)
            if row.candidate.name == name:
                row.show_trial(step)

    def _clear(self) -> None:
        for row in self.rows:
            row.hide()
            row.deleteLater()
        self.rows = []
        self.others.hide()

    def _show_others(self, shown: bool) -> None:
        unlike = [row for row in self.rows if row.candidate.fits is False]
        for row in unlike:
            row.setVisible(shown)
        self.others.setText(
            self.tr("Hide what does not fit")
            if shown
            else self.tr("Show why %n model(s) do not fit", "", len(unlike))
        )

    def _say_status(self, text: str) -> None:
        self.status.setText(text)
        self.status.setVisible(bool(text))

    def _build(self) -> None:
        page = QWidget()
        page.setObjectName("pairingPage")
        inside = QVBoxLayout(page)
        inside.setContentsMargins(0, 0, SPACE_M, 0)
        inside.setSpacing(SPACE_XS)
        self._likely, self._unlike = QVBoxLayout(), QVBoxLayout()
        inside.addWidget(self.status)
        inside.addLayout(self._likely)
        inside.addWidget(self.others, 0, Qt.AlignmentFlag.AlignLeft)
        inside.addLayout(self._unlike)
        inside.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(page)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SPACE_S)
        self._column.addWidget(scroll, 1)
        self.others.hide()
