"""Choosing a preset, and keeping presets of one's own."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QInputDialog, QLabel, QPushButton, QVBoxLayout, QWidget

from app.settings import presets, words
from app.settings.editors import Choice
from app.theme import SPACE_S, SPACE_XS

LONGEST_NAME = 60


def options(own: list[str]) -> list[tuple[object, str]]:
    names = [presets.RECOMMENDED, *presets.BUILT_IN, *own]
    return [(name, words.of_preset(name).title) for name in names]


class PresetRow(QWidget):
    chosen = Signal(str)
    saved = Signal(str)  # under a name that is free
    renamed = Signal(str, str)  # old name, new name
    deleted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._own: list[str] = []
        self.choice = Choice([], self)
        self.choice.setAccessibleName(self.tr("Preset"))
        self.explanation = QLabel(self)
        self.explanation.setProperty("kind", "small")
        self.explanation.setWordWrap(True)
        self.save = QPushButton(self.tr("Save as…"), self)
        self.save.setAccessibleName(self.tr("Save these settings as a preset"))
        self.rename = QPushButton(self.tr("Rename…"), self)
        self.delete = QPushButton(self.tr("Delete"), self)
        self._build()
        self.choice.edited.connect(lambda: self.chosen.emit(self.current))
        self.save.clicked.connect(self._save)
        self.rename.clicked.connect(self._rename)
        self.delete.clicked.connect(lambda: self.deleted.emit(self.current))

    @property
    def current(self) -> str:
        return str(self.choice.value())

    def show_presets(self, own: list[str], current: str) -> None:
        if own != self._own or not self.choice.count():
            self._own = own
            self.choice.offer(options(own))
        self.choice.show_value(current)
        self.explanation.setText(words.of_preset(current).explanation)
        for button in (self.rename, self.delete):
            button.setVisible(current in own)

    def problem(self, name: str) -> str:
        """Why a preset can't have this name; "" if it can."""
        taken = [title.casefold() for _, title in options(self._own)] + [
            *presets.BUILT_IN,
            presets.RECOMMENDED,
        ]
        if name.casefold() in taken:
            return self.tr("There is a preset with this name already.")
        return "" if 0 < len(name) <= LONGEST_NAME else self.tr("A name has 1 to 60 characters.")

    def _save(self) -> None:
        self._ask(self.tr("Save as a preset"), "", self.saved.emit)

    def _rename(self) -> None:
        old = self.current
        self._ask(self.tr("Rename the preset"), old, lambda name: self.renamed.emit(old, name))

    def _ask(self, title: str, text: str, take: Callable[[str], object]) -> None:
        dialog = QInputDialog(self)
        dialog.setWindowTitle(title)
        dialog.setLabelText(self.tr("Name"))
        dialog.setTextValue(text)
        dialog.rejected.connect(dialog.deleteLater)
        dialog.textValueSelected.connect(lambda name: self._take(dialog, name.strip(), take))
        dialog.open()

    def _take(self, dialog: QInputDialog, name: str, take: Callable[[str], object]) -> None:
        problem = self.problem(name)
        if problem:
            dialog.setLabelText(problem)
            dialog.open()
        else:
            take(name)
            dialog.deleteLater()

    def _build(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(self.choice, 1)
        for button in (self.save, self.rename, self.delete):
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_XS)
        column.addLayout(row)
        column.addWidget(self.explanation)
