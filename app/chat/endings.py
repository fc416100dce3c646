"""Why an answer ended early, in words, with what can be done about it."""

from PySide6.QtCore import QObject

from app.chat.answer import ending
from app.chat.notice import Notice
from app.chat.session import ChatSession
from app.history.store import StoredMessage
from engine.events import Finished, FinishReason

CONTINUED = frozenset({"stopped", "length", "interrupted"})


class Endings(QObject):
    def __init__(self, session: ChatSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session

    def of_stored(self, message: StoredMessage) -> Notice | None:
        return self._notice(ending(message), bool(message.content))

    def of_finished(self, finished: Finished, has_text: bool) -> Notice | None:
        name = "stopped" if finished.reason is FinishReason.CANCELLED else finished.reason.value
        return self._notice("" if finished.reason is FinishReason.STOP else name, has_text)

    def of_left_out(self, count: int) -> Notice:
        sentence = self.tr("%n earlier message(s) were left out of what the model reads.", "", count)
        return Notice(sentence, self.tr("Change…"), self._session.context_asked.emit, "plain")

    def of_failure(self, sentence: str) -> Notice:
        return Notice(sentence, self.tr("Try again"), self._session.again)

    def _notice(self, name: str, has_text: bool) -> Notice | None:
        sentence = self._sentence(name) or ("" if has_text else self.tr("The model gave no answer."))
        if not sentence:
            return None
        if name in CONTINUED and has_text:
            return Notice(sentence, self.tr("Continue"), self._session.go_on, "plain")
        if name == "context" and has_text:
            action = self.tr("Leave out old messages and continue")
            return Notice(sentence, action, self._session.room_asked.emit, "plain")
        if name in ("failed", "interrupted"):
            return Notice(sentence, self.tr("Try again"), self._session.again, "plain")
        return Notice(sentence, tone="plain")

    def _sentence(self, name: str) -> str:
        return {
            "stopped": self.tr("Stopped."),
            "length": self.tr("The answer reached its length limit."),
            "context": self.tr("The conversation fills what the model can read at once."),
            "interrupted": self.tr("This answer was interrupted when Slipstream ended."),
            "failed": self.tr("This answer could not be finished."),
        }.get(name, "")
