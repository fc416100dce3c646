"""One draft: its name, what it would gain or why it does not fit, and what can be done with it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.models import pairing_words as words
from app.models.sizes import in_words
from app.speculation.figure_rows import plain_label
from app.theme import SPACE_M, SPACE_S, SPACE_XS

if TYPE_CHECKING:
    from engine.models.pairing import Candidate
    from engine.models.trial import Trying

STEPS = 1000


class PairingRow(QFrame):
    use_asked = Signal(object)  # Candidate
    fetch_asked = Signal(object)
    try_asked = Signal(object)
    stop_asked = Signal()

    def __init__(
        self, candidate: "Candidate", in_use: bool, best: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("pairingRow")
        self.candidate = candidate
        self.setAccessibleName(candidate.title)
        self.title = plain_label(candidate.title, "field" if candidate.fits else "muted")
        self.about = plain_label(words.about(candidate), "small")
        if candidate.gain and candidate.gain.accepted:
            self.about.setToolTip(f"<p>{words.assumption()}</p>")
            self.about.setAccessibleDescription(words.assumption())
        self.in_use = QLabel(self.tr("In use"), self)
        self.in_use.setProperty("kind", "small")
        self.in_use.setVisible(in_use)
        self.use = self._button(self.tr("Use"), best)
        self.fetch = self._button(
            self.tr("Fetch {size} and use").format(size=in_words(candidate.download_bytes)), best
        )
        self.trial = self._button(self.tr("Try 20 s"))
        self.stop = self._button(self.tr("Stop"))
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setRange(0, STEPS)
        self.bar.setAccessibleName(self.tr("Trial"))
        self._connect()
        self._build()
        self.settle(can_try=False)

    def settle(self, can_try: bool, why_not: str = "") -> None:
        """Nothing runs: the buttons of what can be done are there."""
        fits, here = bool(self.candidate.fits), self.candidate.installed
        self.use.setVisible(fits and here and self.in_use.isHidden())
        self.fetch.setVisible(fits and not here)
        self.trial.setVisible(fits and here)
        self.trial.setEnabled(can_try)
        self.trial.setToolTip(
            why_not or self.tr("Measures what it gains here, with a few prompts of our own")
        )
        self.stop.hide()
        self.bar.hide()

    def show_trial(self, step: "Trying | None") -> None:
        """`step` is None while the draft is being loaded."""
        focused = self.trial.hasFocus()
        for button in (self.use, self.trial):
            button.hide()
        self.stop.show()
        if focused:
            self.stop.setFocus()
        self.bar.show()
        self.bar.setValue(int(step.done * STEPS) if step else 0)
        self.about.setText(words.trial_in_words(step))

    @property
    def has_focus(self) -> bool:
        return any(button.hasFocus() for button in self.buttons)

    def take_focus(self) -> None:
        """On the first button that can be used."""
        for button in self.buttons:
            if not button.isHidden() and button.isEnabled():
                button.setFocus()
                return

    @property
    def buttons(self) -> list[QPushButton]:
        return [self.use, self.fetch, self.trial, self.stop]

    def _button(self, text: str, primary: bool = False) -> QPushButton:
        button = QPushButton(text, self)
        button.setAccessibleName(f"{text}: {self.candidate.title}")
        if primary:
            button.setProperty("kind", "primary")
        return button

    def _connect(self) -> None:
        for button, signal in (
            (self.use, self.use_asked),
            (self.fetch, self.fetch_asked),
            (self.trial, self.try_asked),
        ):
            button.clicked.connect(lambda _checked=False, told=signal: told.emit(self.candidate))
        self.stop.clicked.connect(self.stop_asked)

    def _build(self) -> None:
        text = QVBoxLayout()
        text.setSpacing(SPACE_XS)
        text.addWidget(self.title)
        text.addWidget(self.about)
        text.addWidget(self.bar)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, SPACE_S, 0, SPACE_S)
        row.setSpacing(SPACE_M)
        row.addLayout(text, 1)
        row.addWidget(self.in_use)
        for button in self.buttons:
            row.addWidget(button)
