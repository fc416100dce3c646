"""What the chip explains when it is asked: the state, what can guess with this pair, and the remedy."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.models.shop import can_be_used, missing_bytes
from app.speculation.chip_popover import ChipPopover, Drafter, Remedy
from app.speculation.definitions import source_name
from app.speculation.state import Kind
from engine.errors import SlipstreamError
from engine.models.catalogue import Pair
from engine.request import Speculation

if TYPE_CHECKING:
    from app.main_window import MainWindow

NEURAL = (Speculation.DRAFT, Speculation.DFLASH)


class ChipAdvice(QObject):
    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        window.chip.asked.connect(self.show)

    def show(self) -> None:
        chip = self._window.chip
        ChipPopover(chip.state, self.drafters(), self.remedies(), self._window).open_below(chip)

    def drafters(self) -> list[Drafter]:
        """Of the loaded pair; what guesses best last."""
        loaded = self._window.chip.loaded
        if loaded is None:
            return []
        found = [Drafter(_capital(source_name("ngram")))]
        neural = [
            Drafter(_capital(source_name(mode.value))) for mode in NEURAL if not loaded.unavailable.get(mode)
        ]
        missing = Drafter(self.tr("Draft model or trained drafter"), self.tr("this pair has none"))
        return [*found, *(neural or [missing])]

    def remedies(self) -> list[Remedy]:
        window, kind = self._window, self._window.chip.state.kind
        found = []
        if kind is Kind.OFF:
            found.append(Remedy(self.tr("Let Auto decide"), lambda: window.header.switch.set_value("auto")))
        if window.chip.loaded is None and not window.engine.loading:
            found.append(Remedy(self.tr("Choose models…"), window.header.picker.showPopup))
        elif window.chip.loaded is not None and self.drafters()[-1].missing:
            found += self._better_pairs()
        if kind in (Kind.ON, Kind.AUTO_OFF, Kind.UNMEASURED) and not window.panel.isVisible():
            found.append(Remedy(self.tr("Show all figures"), window.toggle_panel))
        return found

    def _better_pairs(self) -> list[Remedy]:
        """One with the same big model and a drafter, and a look at all that might draft for it."""
        window = self._window
        search = Remedy(self.tr("Find a draft for this model…"), window.pairing.open)
        pair = self._with_drafter()
        if pair is None:
            return [search]
        text = self.tr("Fetch {pair}") if missing_bytes(window.store, pair) else self.tr("Use {pair}")
        return [Remedy(text.format(pair=pair.title), lambda: window.pairs.choose(pair)), search]

    def _with_drafter(self) -> Pair | None:
        loaded, store = self._window.chip.loaded, self._window.store
        try:
            known = [pair for pair in store.pairs() if can_be_used(store, pair)]
        except SlipstreamError:
            return None
        same = (pair for pair in known if loaded is not None and pair.target == loaded.pair.target)
        return next((pair for pair in same if pair.draft is not None), None)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
