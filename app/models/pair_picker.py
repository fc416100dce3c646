"""The list of pairs at the top of the window: installed ones, and others with their download size."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget

from app.models.sizes import in_words
from engine.models.catalogue import Pair


class PairPicker(QComboBox):
    """`chosen` fires for the user's choice only; the window says what is current by `show_current`."""

    chosen = Signal(object)  # Pair

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Models")
        self.setToolTip("Which models answer")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(140)
        self.setMaximumWidth(380)
        self._pairs: list[Pair] = []
        self.activated.connect(self._activated)

    def show_pairs(self, pairs: Sequence[tuple[Pair, int]], current: str | None) -> None:
        """`pairs` with the bytes that a fetch would download (0: installed)."""
        self.clear()
        self._pairs = [pair for pair, _ in pairs]
        for pair, missing in pairs:
            text = pair.title if not missing else f"{pair.title} — fetch {in_words(missing)}"
            self.addItem(text)
            self.setItemData(self.count() - 1, text, Qt.ItemDataRole.ToolTipRole)
        self.show_current(current)

    def show_current(self, name: str | None) -> None:
        names = [pair.name for pair in self._pairs]
        self.setCurrentIndex(names.index(name) if name in names else -1)
        self.setPlaceholderText("Choose a model")

    def _activated(self, index: int) -> None:
        if 0 <= index < len(self._pairs):
            self.chosen.emit(self._pairs[index])
