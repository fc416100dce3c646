"""The pages of the program's settings: rows over fields of ProgramSettings, and two that only tell."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.language import OWN_NAMES, Language
from app.settings import chat_settings, fields, preset_row
from app.settings.editors import Choice, Editor, Whole
from app.settings.field_row import FieldRow
from app.settings.program_settings import (
    LARGEST_FONT,
    LEAST_FONT,
    MOST_THREADS,
    ProgramSettings,
)
from app.settings.settings import Settings
from app.settings.words import Words
from app.theme import SPACE_L, SPACE_M, SPACE_XL
from app.theme import Choice as Theme
from engine.load_options import CPU, LEAST_CONTEXT

if TYPE_CHECKING:
    from engine.device import Device

FONT_STEP = 10  # per cent
LARGEST_CONTEXT = 2**20
CONTEXT_STEP = 1024
DEFAULTS = ProgramSettings()
FOR_ALL_CHATS = ("system", "max_tokens", "overflow")


class Page(QWidget):
    """Rows in a column; each knows which field it shows."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.settings = settings
        self.rows: dict[str, FieldRow] = {}
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(SPACE_XL, SPACE_L, SPACE_XL, SPACE_L)
        self.column.setSpacing(SPACE_L)

    def refresh(self) -> None:
        for name, row in self.rows.items():
            value, default = getattr(self.settings.now, name), getattr(DEFAULTS, name)
            row.editor.show_value(self.shown(value))
            row.mark(value != default)

    def shown(self, value: Any) -> Any:
        """As the editors have it."""
        return value

    def add(self, name: str, words: Words, editor: Editor) -> FieldRow:
        row = self.rows[name] = FieldRow(words, editor, self)
        row.edited.connect(partial(self.take, name))
        row.reset_asked.connect(partial(self.reset, name))
        self.column.addWidget(row)
        return row

    def take(self, name: str) -> None:
        self.settings.change(**{name: self.rows[name].editor.value()})

    def reset(self, name: str) -> None:
        self.settings.change(**{name: getattr(DEFAULTS, name)})


class LookPage(Page):
    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(settings, parent)
        themes = [
            (Theme.SYSTEM, self.tr("As the system")),
            (Theme.LIGHT, self.tr("Light")),
            (Theme.DARK, self.tr("Dark")),
        ]
        size = Whole(LEAST_FONT, LARGEST_FONT)
        size.setSingleStep(FONT_STEP)
        size.setSuffix(" %")
        languages = [(Language.SYSTEM, self.tr("As the system")), *OWN_NAMES.items()]
        self.add("theme", Words(self.tr("Theme"), self.tr("Colours of the window.")), Choice(themes))
        self.add(
            "font_percent",
            Words(self.tr("Text size"), self.tr("Also with Ctrl and plus, minus or 0.")),
            size,
        )
        self.add(
            "language",
            Words(self.tr("Language"), self.tr("Takes effect when Slipstream is started again.")),
            Choice(languages),
        )
        self.column.addStretch(1)


class ChatsPage(Page):
    """The preset of new chats, and a layer that lies below the presets of all."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(settings, parent)
        self.preset = Choice([])
        explanation = self.tr("How answers are made where a chat has chosen nothing else.")
        self.add("preset", Words(self.tr("Preset"), explanation), self.preset)
        self.layer = {name: fields.row(name, self) for name in FOR_ALL_CHATS}
        for name, row in self.layer.items():
            self.column.addWidget(row)
            row.edited.connect(partial(self._take_layer, name))
            row.reset_asked.connect(partial(self._reset_layer, name))
        note = QLabel(self.tr("These count for every chat that has no value of its own."), self)
        note.setProperty("kind", "small")
        note.setWordWrap(True)
        self.column.addWidget(note)
        self.column.addStretch(1)

    def refresh(self) -> None:
        self.preset.offer(preset_row.options(list(self.settings.now.presets)))
        super().refresh()
        layer = chat_settings.sound(self.settings.now.chat)
        for name, row in self.layer.items():
            default = chat_settings.plain(getattr(chat_settings.DEFAULTS, name))
            row.editor.show_value(layer.get(name, default))
            row.mark(name in layer, fields.in_words(name, default))
            row.complain("")

    def _take_layer(self, name: str) -> None:
        row = self.layer[name]
        value = chat_settings.plain(row.editor.value())
        if not chat_settings.is_sound(name, value):
            row.complain(self.tr("This is too long: what fitted before is in force."))
        elif value == chat_settings.plain(getattr(chat_settings.DEFAULTS, name)):
            self._reset_layer(name)
        else:
            self.settings.change(chat={**self.settings.now.chat, name: value})

    def _reset_layer(self, name: str) -> None:
        rest = {kept: value for kept, value in self.settings.now.chat.items() if kept != name}
        self.settings.change(chat=rest)


class MachinePage(Page):
    """What the models run on. `reload` loads the present pair again."""

    def __init__(
        self, settings: Settings, reload: Callable[[], object], parent: QWidget | None = None
    ) -> None:
        super().__init__(settings, parent)
        threads = Whole(0, MOST_THREADS)
        threads.setSpecialValueText(self.tr("Automatic"))
        self.device = Choice([(CPU, CPU)])
        context = Whole(0, LARGEST_CONTEXT)
        context.setSingleStep(CONTEXT_STEP)
        context.setSpecialValueText(self.tr("As the model allows"))
        self.add("device", Words(self.tr("Device"), self.tr("Where the models run.")), self.device)
        self.reasons = QLabel(self)
        self.reasons.setProperty("kind", "small")
        self.reasons.setWordWrap(True)
        self.reasons.hide()
        self.column.addWidget(self.reasons)
        self.add(
            "threads",
            Words(
                self.tr("Processor threads"), self.tr("Fewer leave more of the processor to other programs.")
            ),
            threads,
        )
        self.add(
            "context_limit",
            Words(
                self.tr("Longest context"),
                self.tr("In tokens. A shorter one keeps long chats from taking more memory."),
            ),
            context,
        )
        self.pending = QLabel(self.tr("Takes effect when the model is loaded again."), self)
        self.pending.setWordWrap(True)
        self.reload = QPushButton(self.tr("Load it again now"), self)
        self.reload.setProperty("kind", "primary")
        self.reload.clicked.connect(reload)
        self._strip = QWidget(self)
        strip = QHBoxLayout(self._strip)
        strip.setContentsMargins(0, 0, 0, 0)
        strip.setSpacing(SPACE_M)
        strip.addWidget(self.pending, 1)
        strip.addWidget(self.reload)
        self.column.addWidget(self._strip)
        self.column.addStretch(1)
        self.show_pending(pending=False)

    def refresh(self) -> None:
        super().refresh()
        if self.device.findData(self.settings.now.device) < 0:
            self.show_devices([])

    def shown(self, value: Any) -> Any:
        """No limit is 0."""
        return 0 if value is None else value

    def show_devices(self, found: "list[Device]") -> None:
        """The one that is set is offered too: it may only be unplugged."""
        options = {device.name: f"{device.name}: {device.title}" for device in found} or {CPU: CPU}
        wanted = self.settings.now.device
        options.setdefault(wanted, self.tr("{device} (not found)").format(device=wanted) if found else wanted)
        self.device.offer(list(options.items()))
        for device in found:
            self.device.allow(device.name, device.problem or device.note, allowed=not device.problem)
        self.device.show_value(wanted)
        reasons = [
            f"{device.name}: {reason}." for device in found if (reason := device.problem or device.note)
        ]
        self.reasons.setText("\n".join(reasons))
        self.reasons.setVisible(bool(reasons))

    def show_pending(self, pending: bool) -> None:
        self._strip.setVisible(pending)

    def take(self, name: str) -> None:
        """A context limit of 0 is none; one below the least is not in force until it is longer."""
        if name != "context_limit":
            super().take(name)
            return
        limit = int(str(self.rows[name].editor.value()))
        if limit == 0 or limit >= LEAST_CONTEXT:
            self.settings.change(context_limit=limit or None)


class FilesPage(QWidget):
    """Where things lie, and what leaves this computer: nothing."""

    def __init__(self, home: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_XL, SPACE_L, SPACE_XL, SPACE_L)
        column.setSpacing(SPACE_M)
        where = QLabel(str(home), self)
        where.setTextFormat(Qt.TextFormat.PlainText)
        where.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        where.setWordWrap(True)
        where.setAccessibleName(self.tr("Folder of Slipstream's files"))
        open_folder = QPushButton(self.tr("Open the folder"), self)
        open_folder.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(home))))
        column.addWidget(_heading(self.tr("Files"), self))
        column.addWidget(
            _paragraph(self.tr("Models, chats, settings and the error log lie in this folder:"), self)
        )
        column.addWidget(where)
        column.addWidget(open_folder, 0, Qt.AlignmentFlag.AlignLeading)
        column.addSpacing(SPACE_L)
        column.addWidget(_heading(self.tr("Privacy"), self))
        for text in (
            self.tr(
                "The models run on this computer. What you write, what they answer and the files you attach "
                "stay here; Slipstream sends none of it anywhere."
            ),
            self.tr(
                "It uses the network only when you ask for it: to fetch a model, or to look for an update. "
                "There is no account, no telemetry and no advertising."
            ),
            self.tr("An error is written to the log in the folder above, and to nowhere else."),
        ):
            column.addWidget(_paragraph(text, self))
        column.addStretch(1)


def _heading(text: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    label.setProperty("kind", "heading")
    return label


def _paragraph(text: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    label.setWordWrap(True)
    return label
