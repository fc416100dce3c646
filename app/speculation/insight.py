"""What a person can see of speculation in an answer: its tokens, its figures, the tints of its text."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.chat.answer import stored_stats
from app.speculation.answer_report import Report
from app.speculation.chip_advice import ChipAdvice
from app.speculation.details_dialog import DetailsDialog
from app.speculation.keeper import Keeper
from app.speculation.tinting import Tinting
from app.speculation.token_page import TokenPage
from engine.errors import SlipstreamError
from engine.metrics import Stats

if TYPE_CHECKING:
    from app.main_window import MainWindow

TINTS = "tints"  # in the window's settings


class Insight(QObject):
    """Ties the keeper of the passes, the token page and the details to the window."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._message: int | None = None  # that the page shows
        self.keeper = Keeper(window.session, window.engine, self)
        self.page = TokenPage(window)
        window.centre.addWidget(self.page)
        self.page.closed.connect(self.leave)
        self.keeper.grew.connect(self._grew)
        window.session.opened.connect(self.leave)
        window.view.tokens_asked.connect(self.show_tokens)
        window.view.details_asked.connect(self.show_details)
        window.engine.reading.connect(window.chip.show_reading)
        window.session.answer_failed.connect(window.chip.refresh)
        self.advice = ChipAdvice(window)
        self.tinting = Tinting(window.view.transcript, self.keeper, self)
        self._add_tints()
        window.menus.add(
            window.menus.view, self.tr("&Tokens of the last answer"), "Ctrl+Shift+T", self.toggle
        )

    def _add_tints(self) -> None:
        window = self._window
        text = self.tr("T&int right guesses")
        action = window.menus.add(window.menus.view, text, "Ctrl+Shift+A", lambda: None)
        action.setCheckable(True)
        action.toggled.connect(self._switch_tints)
        action.setChecked(window.settings.value(TINTS, False, bool))  # type: ignore[arg-type]

    def _switch_tints(self, on: bool) -> None:
        self._window.settings.setValue(TINTS, on)
        self.tinting.switch(on)

    def toggle(self) -> None:
        """The tokens of the answer that comes or came last; from there, back to the chat."""
        if self._window.centre.currentWidget() is self.page:
            self.leave()
            return
        message = self._last_answer()
        if message is not None:
            self.show_tokens(message)

    def show_tokens(self, message: int) -> None:
        self._message = message
        growing = self._window.session.answer is not None and self._window.session.answer.message == message
        try:
            trace = self.keeper.trace(message)
        except SlipstreamError as error:
            self.page.show_reason(str(error))
        else:
            if trace is not None:
                self.page.show_trace(trace, growing)
            elif growing:
                self.page.show_reason(self.tr("The first token has not come yet."))
            else:
                self.page.show_reason(
                    self.tr("No passes were recorded for this answer: it is older than this view.")
                )
        self._window.show_page(self.page)

    def show_details(self, message: int) -> None:
        stats = self._stats(message)
        if stats is None:
            return
        try:
            trace = self.keeper.trace(message)
        except SlipstreamError:
            trace = None  # the page of its tokens says why
        dialog = DetailsDialog(Report(stats, trace), self._window)
        dialog.tokens_asked.connect(lambda: self.show_tokens(message))
        dialog.open()

    def leave(self) -> None:
        if self._window.centre.currentWidget() is self.page:
            self._window.show_page(self._window.view)
            self._window.focus_composer()

    def _grew(self, message: int) -> None:
        if message != self._message or not self.page.isVisible():
            return
        if self.page.view.trace.passes:
            self.page.grow()
        else:
            self.show_tokens(message)

    def _stats(self, message: int) -> Stats | None:
        session = self._window.session
        if session.conversation is None:
            return None
        with session.guarded():
            stored = (m for m in session.history.messages(session.conversation) if m.id == message)
            return next((stored_stats(each) for each in stored), None)
        return None

    def _last_answer(self) -> int | None:
        session = self._window.session
        if session.answer is not None and session.answer.conversation == session.conversation:
            return session.answer.message
        if session.conversation is None:
            return None
        with session.guarded():
            answers = [m.id for m in session.history.messages(session.conversation) if m.role == "assistant"]
            return answers[-1] if answers else None
        return None
