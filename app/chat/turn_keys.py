"""What can be done with the last turn, in the menu and by keys."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.chat.answer import ending
from app.chat.endings import CONTINUED
from app.chat.user_message import UserMessage

if TYPE_CHECKING:
    from app.main_window import MainWindow


class TurnKeys(QObject):
    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        menus = window.menus
        menus.separate(menus.edit)
        menus.add(menus.edit, self.tr("&Edit the last message"), "Ctrl+E", self.edit)
        menus.add(menus.edit, self.tr("Answer once &more"), "Ctrl+R", self.again)
        menus.add(menus.edit, self.tr("C&ontinue the answer"), "Ctrl+Shift+R", self.go_on)

    def edit(self) -> None:
        messages = reversed(self._window.view.transcript.messages)
        last = next((message for message in messages if isinstance(message, UserMessage)), None)
        if last is not None and self._is_shown():
            self._window.view.transcript.follow()
            last.edit()

    def again(self) -> None:
        if self._window.view.transcript.messages and self._is_shown():
            self._window.session.again()

    def go_on(self) -> None:
        """An answer that was complete has nothing to go on with."""
        session = self._window.session
        if session.conversation is None or not self._is_shown():
            return
        with session.guarded():
            messages = session.history.messages(session.conversation)
            if messages and messages[-1].content and ending(messages[-1]) in CONTINUED:
                session.go_on()

    def _is_shown(self) -> bool:
        """The chat is in view: nothing changes behind a page that covers it."""
        return self._window.view.isVisible()
