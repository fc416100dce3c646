"""The settings of the open chat: stays open beside it, and every change counts for the next answer."""

from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.dialog_size import open_at
from app.settings import chat_settings, fields
from app.settings.chat_options import ChatOptions
from app.settings.editors import Seed
from app.settings.field_row import FieldRow
from app.settings.preset_row import PresetRow
from app.theme import SCROLL_BAR, SPACE_L, SPACE_M, SPACE_S, SPACE_XL

WIDTH, HEIGHT = 480, 680


class ChatDialog(QDialog):
    def __init__(self, options: ChatOptions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings of this chat"))
        self.options = options
        self.preset = PresetRow(self)
        self.rows: dict[str, FieldRow] = {}
        self.reset_all = QPushButton(self.tr("Reset all"), self)
        self.reset_all.setToolTip(self.tr("Takes back everything that was changed for this chat"))
        self.last_seed = QPushButton(self)
        self.last_seed.setProperty("kind", "action")
        self.last_seed.setCursor(Qt.CursorShape.PointingHandCursor)
        self._scroll = QScrollArea(self)
        self._build()
        self._connect()
        self.refresh()

    def refresh(self) -> None:
        """Shows what is in force. A field that is being written is left as it is if it means that."""
        now, below = self.options.now, self.options.below
        for name, row in self.rows.items():
            row.editor.show_value(chat_settings.plain(getattr(now, name)))
            default = fields.in_words(name, chat_settings.plain(getattr(below, name)))
            row.mark(name in self.options.own, default)
            row.complain("")
        self.preset.show_presets(list(self.options.settings.now.presets), self.options.preset)
        self.reset_all.setEnabled(bool(self.options.own) or self.options.has_preset)
        self.rows["draft_tokens"].setEnabled(now.speculation == "on")
        self.rows["drafter"].setEnabled(now.speculation != "off")
        self._show_last_seed()

    def show_field(self, name: str = "") -> None:
        """Opens, at a field if one is named."""
        if not self.isVisible():
            self._place()
        self.show()
        self.raise_()
        self.activateWindow()
        if name:
            self.rows[name].editor.setFocus()
            self._scroll.ensureWidgetVisible(self.rows[name], 0, SPACE_XL)
        else:
            self.preset.choice.setFocus()
            self._scroll.verticalScrollBar().setValue(0)

    def _place(self) -> None:
        """At the window's side, so that the conversation stays in sight; no taller than the screen."""
        screen = self.screen().availableGeometry()
        self.resize(self.width(), min(self.height(), screen.height() - 4 * SPACE_XL))
        window = self.parentWidget()
        if window is not None:
            frame = window.frameGeometry()
            corner = frame.topLeft() if self.isRightToLeft() else frame.topRight() - QPoint(self.width(), 0)
            self.move(corner + QPoint(SPACE_XL if self.isRightToLeft() else -SPACE_XL, 4 * SPACE_XL))

    def showEvent(self, event: QShowEvent) -> None:
        self.refresh()
        self._scroll.setMinimumWidth(self._body.minimumSizeHint().width() + SCROLL_BAR + 2)
        super().showEvent(event)

    def _edited(self, name: str) -> None:
        row = self.rows[name]
        if not self.options.set(name, row.editor.value()):
            row.complain(self._complaint(name))

    def _complaint(self, name: str) -> str:
        if name == "stop":
            return self.tr(
                "At most 16 texts of at most 200 characters: the last ones that fitted are in force."
            )
        if name == "seed":
            return self.tr("A seed is a whole number below 2^63: the last one that was is in force.")
        return self.tr("This is too long: what fitted before is in force.")

    def _show_last_seed(self) -> None:
        seed = self.options.last_seed
        fixed = self.options.now.seed is not None
        self.last_seed.setVisible(seed is not None and not fixed)
        self.last_seed.setText(self.tr("Use the last answer's: {seed}").format(seed=seed))

    def _use_last_seed(self) -> None:
        self.options.set("seed", self.options.last_seed)
        editor = self.rows["seed"].editor
        assert isinstance(editor, Seed)
        editor.number.setFocus()

    def _connect(self) -> None:
        options, preset = self.options, self.preset
        options.changed.connect(self.refresh)
        preset.chosen.connect(options.choose)
        preset.saved.connect(options.save_preset)
        preset.renamed.connect(options.rename_preset)
        preset.deleted.connect(options.delete_preset)
        self.reset_all.clicked.connect(options.reset_all)
        self.last_seed.clicked.connect(self._use_last_seed)
        for name, row in self.rows.items():
            row.edited.connect(partial(self._edited, name))
            row.reset_asked.connect(partial(options.reset, name))

    def _build(self) -> None:
        body = self._body = QWidget(self)
        column = QVBoxLayout(body)
        column.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        column.setSpacing(SPACE_L)
        column.addWidget(self._heading(self.tr("Preset")))
        column.addWidget(self.preset)
        for title, names in (
            (self.tr("Instructions"), ("system",)),
            (self.tr("Choice of words"), (*chat_settings.SAMPLING, "seed")),
            (self.tr("Length"), ("max_tokens", "stop", "overflow")),
            (self.tr("Speed"), ("speculation", "draft_tokens", "drafter")),
        ):
            column.addSpacing(SPACE_S)
            column.addWidget(self._heading(title))
            for name in names:
                self.rows[name] = fields.row(name, body)
                column.addWidget(self.rows[name])
        self.rows["seed"].add(self.last_seed)
        column.addStretch(1)
        self._scroll.setWidget(body)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.addButton(self.reset_all, QDialogButtonBox.ButtonRole.ResetRole)
        buttons.rejected.connect(self.reject)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, SPACE_M)
        outer.addWidget(self._scroll, 1)
        outer.addWidget(buttons)
        buttons.setContentsMargins(SPACE_L, 0, SPACE_L + SCROLL_BAR, 0)
        open_at(self, WIDTH, HEIGHT)

    def _heading(self, text: str) -> QLabel:
        label = QLabel(text, self)
        label.setProperty("kind", "heading")
        return label
