"""Compare: one prompt plainly and with speculation in turn, in the engine's thread; chat waits meanwhile."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, QTimer

from app.chat.answer import seed_of
from app.chat.prompt import DEFAULTS, make_request, with_seed
from app.speculation import compare_words as words
from app.speculation.card import Card, Facts
from app.speculation.compare_form import Wish
from app.speculation.compare_page import ComparePage
from app.speculation.compare_progress import CompareProgress
from app.worker import EngineLike, Job, Task
from engine.compare import Advanced, Began, CompareEngine, CompareEvent, Measured, compare
from engine.comparison import Comparison
from engine.errors import SlipstreamError
from engine.models.catalogue import Pair
from engine.models.store import ModelStore
from engine.request import Request, Speculation

if TYPE_CHECKING:
    from app.main_window import MainWindow

REFRESH_MS = 200
TOPIC = "comparing"
KEYS = "Ctrl+Shift+M"


class Compare(QObject):
    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self.page = ComparePage(window)
        self._options = DEFAULTS
        self._prompt: int | None = None  # the message that was taken over last
        self._task: Task | None = None
        self._mode = "auto"
        self._facts: Facts | None = None
        self._progress: CompareProgress | None = None
        self.comparison: Comparison | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(REFRESH_MS)
        self._timer.timeout.connect(self._refresh)
        window.centre.addWidget(self.page)
        window.centre.currentChanged.connect(lambda _index: self._tell_chat())
        window.menus.add(window.menus.tools, self.tr("Compare with &plain decoding…"), KEYS, self.open)
        window.view.compare_asked.connect(self.open)
        window.session.opened.connect(self._chat_opened)
        window.session.answer_started.connect(self._tell_answer)
        self.page.form.asked.connect(self.ask)
        self.page.form.cancelled.connect(self.cancel)
        self.page.left.connect(self.leave)

    @property
    def running(self) -> bool:
        return self._task is not None

    def open(self, message: int | None = None) -> None:
        """For a message of the open conversation or for its last one; while one runs, that is shown."""
        window = self._window
        if not self.running:
            self._prepare(message)
        window.show_page(self.page)
        form = self.page.form
        (form.cancel if self.running else form.start if form.start.isEnabled() else form.prompt).setFocus()

    def _prepare(self, message: int | None) -> None:
        """What the user has written stays, until another message is to be compared."""
        self._options = self._window.settings_desk.options.peek()
        self._take_over(message)
        self._show_modes()
        self.page.form.show_sampling(self._options.sampling)

    def leave(self) -> None:
        self._window.show_page(self._window.view)
        self._window.focus_composer()

    def _chat_opened(self) -> None:
        if self._window.centre.currentWidget() is self.page:
            self._window.show_page(self._window.view)

    def ask(self, wish: Wish) -> None:
        pair = self._window.session.pair
        if self.running or pair is None:
            self.page.say("" if self.running else self.tr("Choose a model at the top of the window first."))
            return
        try:
            request = self._request(wish)
        except SlipstreamError as error:
            self.page.say(str(error))
            return
        self._mode, self._facts, self.comparison = wish.mode, None, None
        self._progress = CompareProgress(wish.repeats, wish.max_tokens)
        self.page.begin()
        self.page.form.wait(self._waiting_for())
        self._task = self._window.engine.run(_job(self._window.store, pair, request, wish.repeats))
        self._task.progress.connect(self._heard)
        self._task.done.connect(self._done)
        self._task.failed.connect(self._failed)
        self._timer.start()
        self._window.view.announce(self.tr("The comparison has started"))

    def cancel(self) -> None:
        """Between two passes; what was measured is kept."""
        self._window.engine.drain()
        self._give_up(self.tr("Cancelled. What was measured until then is kept."))

    def _give_up(self, why: str) -> None:
        if self._task is not None:
            self._task.cancel()
            self._end(why, "plain")

    def _heard(self, said: object) -> None:
        if self._window.engine.loading:
            self._give_up(self.tr("Another model is being loaded, so the comparison ended."))
        elif isinstance(said, Facts):
            self._facts = said
        else:
            self._take(cast(CompareEvent, said))

    def _take(self, event: CompareEvent) -> None:
        if self._progress is not None:
            self._progress.take(event)
        if isinstance(event, Began):
            self.page.texts.begin(event.side)
        elif isinstance(event, Advanced):
            self.page.texts.advance(event.side, event.text, event.stats.tokens_per_second)
        elif isinstance(event, Measured):
            self.comparison = event.comparison
            self.page.show_comparison(event.comparison)

    def _done(self, _value: object) -> None:
        self._end()

    def _failed(self, sentence: str) -> None:
        self._end(sentence)

    def _end(self, sentence: str = "", tone: str = "error") -> None:
        self._task = None
        self._timer.stop()
        self.page.settle(self.comparison, self._card())
        self.page.say(sentence, tone)
        self._tell_chat()
        self._tell_answer()
        told = sentence or (words.verdict(self.comparison) if self.comparison else "")
        self._window.view.announce(self.tr("The comparison has ended. {told}").format(told=told))

    def _card(self) -> Card | None:
        """Only of at least one answer of each side."""
        if self.comparison is None or self._facts is None or self.comparison.identical is None:
            return None
        return Card(self.comparison, self._facts, self._mode)

    def _refresh(self) -> None:
        self.page.texts.flush()
        if self._progress is not None:
            self.page.form.show_progress(self._progress)

    def _waiting_for(self) -> str:
        if self._window.engine.loading:
            return self.tr("Waiting for the model to load…")
        if self._window.engine.answering:
            return self.tr("Waiting for the answer in the chat to end…")
        return self.tr("Warming up…")

    def _tell_chat(self) -> None:
        """Whoever looks at the chat while a comparison runs learns why its answers wait."""
        board = self._window.board
        if self.running and self._window.centre.currentWidget() is not self.page:
            sentence = self.tr("A comparison is running: messages are answered when it has ended.")
            board.put(TOPIC, sentence, self.tr("Show it"), self.open, tone="plain")
        else:
            board.drop(TOPIC)

    def _tell_answer(self) -> None:
        """One that waits says for what."""
        last = self._window.view.transcript.last_answer()
        if last is not None and last.streaming:
            waiting = self.tr("Waiting for the comparison to end…")
            last.wait_for(waiting if self.running else self.tr("Thinking…"))

    def _show_modes(self) -> None:
        loaded = self._window.chip.loaded
        reasons = loaded.unavailable if loaded is not None else {}
        modes = words.modes(self._options.draft_tokens)
        available = {
            mode: name for mode, name in modes.items() if reasons.get(self._drafting(mode)[0]) is None
        }
        switched = self._window.header.switch.value()
        self.page.form.show_modes(available, "auto" if switched == "off" else switched)

    def _take_over(self, message: int | None) -> None:
        """The prompt as the chat asks for its answer, with the seed of the answer that it has."""
        session = self._window.session
        if session.conversation is None:
            return
        with session.guarded():
            messages = session.history.messages(session.conversation)
            at = next((n for n, each in enumerate(messages) if each.id == message), len(messages) - 1)
            while at >= 0 and messages[at].role != "user":
                at -= 1
            if at < 0:
                return
            answer = messages[at + 1] if at + 1 < len(messages) else None
            self._options = with_seed(self._options, seed_of(answer) if answer is not None else None)
            if messages[at].id != self._prompt:
                self._prompt = messages[at].id
                self.page.clear()
                request = make_request(messages[: at + 1], "auto", self._options)
                self.page.form.show_prompt(request.messages[-1].content, request.messages[:-1])

    def _drafting(self, mode: str) -> tuple[Speculation, int | None]:
        """Of a value of `compare_words.modes`."""
        if mode in ("auto", "on"):
            return self._options.drafters, self._options.draft_tokens if mode == "on" else None
        return Speculation(mode), None

    def _request(self, wish: Wish) -> Request:
        speculation, draft_tokens = self._drafting(wish.mode)
        return Request(
            wish.messages,
            sampling=self._options.sampling,
            max_tokens=wish.max_tokens,
            stop=self._options.stop,
            overflow=self._options.overflow,
            speculation=speculation,
            draft_tokens=draft_tokens,
        )


def _job(store: ModelStore, pair: Pair, request: Request, repeats: int) -> Job:
    def job(engine: EngineLike, report: Callable[[object], None], cancel: threading.Event) -> None:
        report(Facts.gather(store, pair))
        for event in compare(cast(CompareEngine, engine), request, repeats, cancel):
            report(event)

    return job
