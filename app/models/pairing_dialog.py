"""“Find a draft for this model”: the drafts of the model that is loaded, in a small window beside the chat."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from app.models.pairing_view import PairingView
from app.speculation.figure_rows import plain_label
from app.theme import SPACE_L, SPACE_M

if TYPE_CHECKING:
    from app.models.pairing import Pairing

WIDTH, HEIGHT = 620, 460
NARROWEST = 64  # characters


class PairingDialog(QDialog):
    def __init__(self, pairing: "Pairing", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Find a draft"))
        self.view = PairingView(pairing, self)
        self.heading = plain_label("", "heading")
        about = plain_label(
            self.tr(
                "A draft is a smaller model that guesses ahead. The model checks its guesses several at once, so the "
                "same answer comes sooner."
            ),
            "muted",
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        column.setSpacing(SPACE_M)
        column.addWidget(self.heading)
        column.addWidget(about)
        column.addWidget(self.view, 1)
        column.addWidget(buttons)
        self.setMinimumWidth(NARROWEST * self.fontMetrics().averageCharWidth())
        self.resize(WIDTH, HEIGHT)

    def show_target(self, name: str, title: str) -> None:
        self.heading.setText(self.tr("Drafts for {model}").format(model=title))
        self.view.show_target(name)
        self.show()
        self.raise_()
        self.activateWindow()
