"""Settings in the window: its dialogs and keys, and what a change does."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from app.chat.notice import Notice
from app.settings.chat_bar import ChatBar
from app.settings.chat_dialog import ChatDialog
from app.settings.chat_options import ChatOptions
from app.settings.context_meter import ContextMeter
from app.settings.loaded_with import LoadedWith
from app.settings.program_dialog import ProgramDialog
from app.settings.program_settings import LARGEST_FONT, LEAST_FONT
from app.theme import Appearance
from engine.request import Overflow

if TYPE_CHECKING:
    from app.main_window import MainWindow

FONT_STEP = 10  # per cent
QUESTION_AND_ANSWER = 2


class SettingsDesk(QObject):
    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self.settings = window.preferences
        session = window.session
        self.options = ChatOptions(session, self.settings, self)
        self.meter = ContextMeter(session, self.options, self._draft, self)
        self.bar = ChatBar(self.options, self.meter, window.view)
        self._loaded_with = LoadedWith(window.engine, self.settings, self)
        self._chat_dialog: ChatDialog | None = None
        self._program_dialog: ProgramDialog | None = None
        self._refused: int | None = None  # where an answer failed: perhaps because the context is full
        window.view.add_below_composer(self.bar)
        self._connect()
        self._add_actions()
        if self.settings.notice:
            window.board.put("settings", self.settings.notice)
        self._options_changed()

    def show_chat(self, field: str = "") -> None:
        """The settings of the open chat, at one of its fields."""
        if self._chat_dialog is None:
            self._chat_dialog = ChatDialog(self.options, self._window)
        self._chat_dialog.show_field(field)

    def show_program(self) -> None:
        if self._program_dialog is None:
            self._program_dialog = ProgramDialog(
                self.settings, self._reload, lambda: self._loaded_with.now, self._window
            )
        dialog = self._program_dialog
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()
        task = self._window.engine.run(lambda _engine, _report, _cancel: _devices())
        task.done.connect(dialog.show_devices)

    def _refresh_program(self) -> None:
        if self._program_dialog is not None:
            self._program_dialog.refresh()

    @property
    def outdated(self) -> bool:
        """Whether the present model was loaded with other options than those that are set now."""
        now = self._loaded_with.now
        return now is not None and now != self.settings.now.load_options

    def _reload(self) -> None:
        pair = self._window.session.pair
        if pair is not None:
            self._window.pairs.load(pair)

    def _resize_text(self, by: int) -> None:
        """`by` so many steps; 0 is back to the system's size."""
        now = self.settings.now.font_percent
        wanted = now + by * FONT_STEP if by else 100
        self.settings.change(font_percent=max(LEAST_FONT, min(wanted, LARGEST_FONT)))

    def _settings_changed(self, names: frozenset[str]) -> None:
        if "theme" in names:
            Appearance.shared().choose(self.settings.now.theme)
        if "font_percent" in names:
            Appearance.shared().enlarge(self.settings.now.font_percent)

    def _options_changed(self) -> None:
        """The switch in the header shows the chat's own."""
        self._window.header.switch.set_value(self.options.now.speculation)

    def _failed(self, conversation: int) -> None:
        self._refused = conversation
        self.meter.ask()

    def _counted(self, use: object) -> None:
        if self._refused is not None and use is not None:
            is_shown = self._refused == self._window.session.conversation
            self._refused = None
            if is_shown and self.meter.use is not None and self.meter.use.full:
                self._offer_room()

    def _offer_room(self) -> None:
        """In the place of Try again, which would fail again; so would this if there is nothing to leave out."""
        transcript = self._window.view.transcript
        last = transcript.last_answer()
        if last is None or last.notice is None:
            return
        has_more = len(transcript.entries) > QUESTION_AND_ANSWER
        if has_more and self.options.now.overflow is Overflow.STOP:
            action = self.tr("Leave out the oldest messages")
            last.say(Notice(last.notice.sentence, action, self._answer_with_room))
        else:
            last.say(Notice(last.notice.sentence))

    def _answer_with_room(self) -> None:
        self._make_room()
        self._window.session.again()

    def _continue_with_room(self) -> None:
        self._make_room()
        self._window.session.go_on()

    def _make_room(self) -> None:
        if self.options.now.overflow is Overflow.STOP:
            self.options.set("overflow", Overflow.KEEP_ENDS)

    def _draft(self) -> tuple[str, str | None]:
        composer = self._window.view.composer
        return composer.text(), composer.files.json()

    def _connect(self) -> None:
        window, session, board = self._window, self._window.session, self._window.board
        self.settings.changed.connect(self._settings_changed)
        self.settings.not_saved.connect(lambda sentence: board.put("settings", sentence))
        self.options.changed.connect(self._options_changed)
        self._loaded_with.changed.connect(self._refresh_program)
        window.header.switch.changed.connect(lambda mode: self.options.set("speculation", mode))
        window.view.composer.edit.textChanged.connect(self.meter.ask)
        window.view.composer.files.changed.connect(self.meter.ask)
        self.bar.settings_asked.connect(self.show_chat)
        self.bar.context_asked.connect(lambda: self.show_chat("overflow"))
        session.context_asked.connect(lambda: self.show_chat("overflow"))
        session.room_asked.connect(self._continue_with_room)
        session.answer_failed.connect(self._failed)
        self.meter.changed.connect(self._counted)

    def _add_actions(self) -> None:
        menus = self._window.menus
        menus.add(menus.chat, self.tr("Settings of this c&hat…"), "Ctrl+.", self.show_chat)
        settings = menus.add(menus.tools, self.tr("&Settings…"), "Ctrl+,", self.show_program)
        settings.setMenuRole(QAction.MenuRole.PreferencesRole)
        sizes: list[tuple[str, list[str], Callable[[], None]]] = [
            (self.tr("L&arger text"), ["Ctrl++", "Ctrl+="], lambda: self._resize_text(1)),
            (self.tr("S&maller text"), ["Ctrl+-"], lambda: self._resize_text(-1)),
            (self.tr("&Normal text size"), ["Ctrl+0"], lambda: self._resize_text(0)),
        ]
        menus.separate(menus.view)
        for text, keys, run in sizes:
            action = menus.add(menus.view, text, "", run)
            action.setShortcuts([QKeySequence(key) for key in keys])


def _devices() -> object:
    from engine.device import devices

    return devices()
