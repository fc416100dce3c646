"""Help > About: the version, what the program is made of, and the text of every licence."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app import __version__
from app.dialog_size import open_at
from app.theme import SPACE_L, SPACE_M, Appearance
from engine.licences import PROGRAM, Component, components

LGPL = "LGPL-3.0-only"
SOURCES = "https://download.qt.io/official_releases"


class AboutDialog(QDialog):
    def __init__(self, parts: Sequence[Component], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About Slipstream"))
        self._parts = parts
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("Parts of the program"))
        self.list.addItems([title(part) for part in parts])
        self.text = QPlainTextEdit(self)
        self.text.setAccessibleName(self.tr("Licence"))
        self.text.setReadOnly(True)
        self.text.setFont(Appearance.shared().code_font())
        self.list.currentRowChanged.connect(self._show)
        self._build()
        names = [part.name.lower() for part in parts]
        self.list.setCurrentRow(names.index(PROGRAM) if PROGRAM in names else 0)

    def _show(self, row: int) -> None:
        self.text.setPlainText(words(self._parts[row]) if row >= 0 else "")

    def _build(self) -> None:
        title = QLabel(f"Slipstream {__version__}", self)
        title.setProperty("kind", "title")
        what = QLabel(
            self.tr(
                "Chat with language models on your own processor. Slipstream is free software under the Apache "
                "License 2.0; it is made of the parts below, each under its own licence."
            ),
            self,
        )
        what.setWordWrap(True)
        both = QHBoxLayout()
        both.addWidget(self.list, 2)
        both.addWidget(self.text, 5)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        column.setSpacing(SPACE_M)
        for widget in (title, what):
            column.addWidget(widget)
        column.addLayout(both, 1)
        column.addWidget(buttons)
        open_at(self, 860, 600)


def words(part: Component) -> str:
    """What is shown of one part: its licence's name, what it is made of in turn, then the texts."""
    licence = QCoreApplication.translate("AboutDialog", "Licence: {name}").format(name=part.licence)
    inside = "".join(f"    {title(inner)}: {inner.licence}\n" for inner in part.inside)
    texts = "\n\n".join(f"{name}\n{'-' * len(name)}\n{text.strip()}\n" for name, text in part.texts)
    return "\n".join(
        [
            f"{title(part)}\n{licence}\n",
            *([_of_qt()] if part.licence == LGPL else []),
            *([QCoreApplication.translate("AboutDialog", "Compiled in:") + f"\n{inside}"] if inside else []),
            texts,
        ]
    )


def _of_qt() -> str:
    words = QCoreApplication.translate(
        "AboutDialog",
        "Slipstream uses Qt and PySide6 under the GNU Lesser General Public License, version 3. They lie in the "
        "program's folder as libraries of their own, in the folders PySide6 and shiboken6: you may replace them by "
        "versions that you have changed. Their source is at {qt} and {pyside}.",
    )
    return words.format(qt=f"{SOURCES}/qt/", pyside=f"{SOURCES}/QtForPython/") + "\n"


def title(part: Component) -> str:
    return f"{part.name} {part.version}".strip()


def show_about(parent: QWidget) -> AboutDialog:
    dialog = AboutDialog(components(), parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    return dialog
