"""The card below a comparison: how it will look, what is on it, and where it goes."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, QStandardPaths, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.colours import DARK, LIGHT, Colours
from app.speculation.card import Card
from app.speculation.card_files import save
from app.speculation.card_picture import HEIGHT, WIDTH, draw
from app.speculation.figure_rows import plain_label, set_text
from app.speculation.switching_row import SwitchingRow
from app.theme import SPACE_L, SPACE_M, SPACE_S, Appearance, colours
from engine.errors import SlipstreamError

PREVIEW = 480  # pixels wide, if there is room
STACKED_BELOW = 640


class Preview(QWidget):
    """The picture at the size that there is room for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image: QImage | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMaximumWidth(PREVIEW)
        self.setAccessibleName(self.tr("Preview of the card"))

    def show_image(self, image: QImage) -> None:
        self._image = image
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(PREVIEW, self.heightForWidth(PREVIEW))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.heightForWidth(160))

    def heightForWidth(self, width: int) -> int:
        return round(width * HEIGHT / WIDTH)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._image is None:
            return
        width = min(self.width(), round(self.height() * WIDTH / HEIGHT))
        box = QRectF((self.width() - width) / 2, 0, width, width * HEIGHT / WIDTH)
        ratio = self.devicePixelRatioF()
        small = self._image.scaled(
            QSize(round(box.width() * ratio), round(box.height() * ratio)),
            Qt.AspectRatioMode.IgnoreAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawImage(box, small)
        painter.setPen(QPen(QColor(colours().border), 1))
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))


class CardBox(QWidget):
    trouble = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._card: Card | None = None
        self.image: QImage | None = None
        self.choose_file: Callable[[str], tuple[str, bool]] = self._ask_file
        self.preview = Preview(self)
        self._make_options()
        self._build()
        Appearance.shared().changed.connect(self._draw)

    def show_card(self, card: Card) -> None:
        self._card = card
        set_text(self.said, "")
        self._draw()

    @property
    def card(self) -> Card | None:
        """With prompt and answer only if they are ticked."""
        if self._card is None:
            return None
        return Card(self._card.comparison, self._card.facts, self._card.mode, self.texts.isChecked())

    def copy_image(self) -> None:
        if self.image is not None:
            QGuiApplication.clipboard().setImage(self.image)
            set_text(self.said, self.tr("The picture is in the clipboard."))

    def copy_markdown(self) -> None:
        if (card := self.card) is not None:
            QGuiApplication.clipboard().setText(card.markdown())
            set_text(self.said, self.tr("The Markdown text is in the clipboard."))

    def save(self) -> None:
        card = self.card
        if card is None:
            return
        name, every = self.choose_file(card.name)
        if not name:
            return
        try:
            files = save(card, self._look(), Path(name), every)
        except SlipstreamError as error:
            self.trouble.emit(str(error))
            return
        names = ", ".join(file.name for file in files)
        set_text(self.said, self.tr("Saved: {files}").format(files=names))

    def _ask_file(self, name: str) -> tuple[str, bool]:
        """The chosen path, and whether all three files are wanted; "" when the user thought better of it."""
        pictures = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.PicturesLocation)
        everything = self.tr("Picture, Markdown and JSON (*.png)")
        kinds = (everything, self.tr("Picture (*.png)"), "Markdown (*.md)", "JSON (*.json)")
        start = str(Path(pictures) / f"{name}.png")
        path, kind = QFileDialog.getSaveFileName(self, self.tr("Save the card"), start, ";;".join(kinds))
        if path and kind != everything:
            path = str(Path(path).with_suffix(kind[kind.index("*") + 1 : -1]))
        return path, kind == everything

    def _look(self) -> Colours:
        return {"light": LIGHT, "dark": DARK}.get(self.look.currentData(), colours())

    def _draw(self) -> None:
        card = self.card
        if card is None:
            return
        self.image = draw(card, self._look())
        self.preview.show_image(self.image)
        speedup = card.comparison.speedup
        self.preview.setAccessibleDescription(card.markdown() if speedup is not None else "")

    def _make_options(self) -> None:
        self.texts = QCheckBox(self.tr("With prompt and answer"), self)
        self.texts.setToolTip(self.tr("The card says nothing of your conversation unless you tick this."))
        self.texts.toggled.connect(self._draw)
        self.look = QComboBox(self)
        self.look.setAccessibleName(self.tr("Colours of the card"))
        for name, value in (
            (self.tr("Colours of the window"), "window"),
            (self.tr("Light"), "light"),
            (self.tr("Dark"), "dark"),
        ):
            self.look.addItem(name, value)
        self.look.currentIndexChanged.connect(self._draw)
        self.save_button = self._button(self.tr("Save…"), self.save)
        self.copy_button = self._button(self.tr("Copy picture"), self.copy_image)
        self.markdown_button = self._button(self.tr("Copy as Markdown"), self.copy_markdown)
        self.said = plain_label(kind="muted")

    def _button(self, text: str, run: Callable[[], object]) -> QPushButton:
        button = QPushButton(text, self)
        button.clicked.connect(lambda _checked=False: run())
        return button

    def _build(self) -> None:
        title = QLabel(self.tr("Share it"), self)
        title.setProperty("kind", "compareSide")
        about = plain_label(
            self.tr(
                "A card of this run: what was measured, on which machine, with which models and settings."
            ),
            "muted",
        )
        side = QVBoxLayout()
        side.setSpacing(SPACE_S)
        for widget in (about, self.look, self.texts):
            side.addWidget(widget)
        side.addSpacing(SPACE_S)
        for button in (self.save_button, self.copy_button, self.markdown_button):
            side.addWidget(button)
        side.addWidget(self.said)
        side.addStretch(1)
        switching = SwitchingRow(STACKED_BELOW, SPACE_L)
        switching.row.addWidget(self.preview, 3, Qt.AlignmentFlag.AlignTop)
        switching.row.addLayout(side, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_M)
        column.addWidget(title)
        column.addWidget(switching)
