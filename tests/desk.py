"""The whole window over a fake engine, with short names for what a user does."""

import threading
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from pytestqt.qtbot import QtBot

from app import application
from app.chat.message import AssistantMessage
from app.chat.sections import Section
from tests.fake_engine import FakeStore, Workshop


class Desk:
    """The engine's answers stop at a gate when a test asks for it."""

    def __init__(
        self, qtbot: QtBot, folder: Path, store: FakeStore, workshop: Workshop, resized: bool = True
    ) -> None:
        self.qtbot = qtbot
        self.workshop = workshop
        _, self.window = application.build(store, workshop, folder / "history.sqlite3")
        if resized:
            self.window.resize(1280, 800)
        self.window.show()

    @property
    def answer(self) -> AssistantMessage:
        last = self.window.view.transcript.last_answer()
        assert last is not None
        return last

    @property
    def chats(self) -> list[str]:
        """The titles in the sidebar, in their order."""
        chats = self.window.sidebar.list.chats
        return [chats.index(n).data() for n, row in enumerate(chats.rows) if not isinstance(row, Section)]

    def ready(self) -> "Desk":
        self.qtbot.waitUntil(lambda: self.window.chip.loaded is not None)
        return self

    def write(self, text: str) -> None:
        self.window.view.composer.set_text(text)
        self.qtbot.keyClick(self.window.view.composer.edit, Qt.Key.Key_Return)

    def ask(self, text: str = "Hello") -> None:
        with self.qtbot.waitSignal(self.window.session.answer_finished):
            self.write(text)

    def ask_and_wait_at_the_gate(self, text: str = "Hello") -> None:
        self.workshop.script.gate = threading.Event()
        with self.qtbot.waitSignal(self.window.session.deltas_arrived):
            self.write(text)

    def open_gate(self) -> None:
        gate = self.workshop.script.gate
        assert gate is not None
        with self.qtbot.waitSignal(self.window.session.answer_finished):
            gate.set()

    def close(self) -> None:
        if self.workshop.script.gate is not None:
            self.workshop.script.gate.set()
        self.window.close()
        self.window.history.close()
        self.window.deleteLater()
        QCoreApplication.sendPostedEvents(self.window, QEvent.Type.DeferredDelete)
