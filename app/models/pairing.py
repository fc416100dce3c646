"""Finds the loaded model, or any other, a draft: looks for them, uses, fetches and tries them. One for the window."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.models.errands import Errand
from app.speculation.numbers import decimal
from app.worker import EngineLike, Job, Task
from engine.models.catalogue import Pair

if TYPE_CHECKING:
    from app.main_window import MainWindow
    from app.models.pairing_dialog import PairingDialog
    from engine.models.gains_file import Trial
    from engine.models.pairing import Candidate

TOPIC = "trying"

Survey = Callable[[str], "list[Candidate]"]


class Pairing(QObject):
    """`trying`: target and draft of the trial that runs, by name."""

    changed = Signal()  # what is known of drafts
    tried = Signal(str, object)  # a draft's name; Trying, or None when its trial is asked for
    told = Signal(str)  # what went wrong

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self.log = window.log
        self.look: Survey = self._look  # slow: not for the window's thread
        self.trying: tuple[str, str] | None = None
        self._task: Task | None = None
        self._dialog: PairingDialog | None = None
        window.engine.loaded.connect(self._loaded)
        window.engine.load_failed.connect(lambda _sentence: self.changed.emit())
        window.shop.installed.connect(lambda _pair: self.changed.emit())
        window.menus.add(window.menus.tools, self.tr("F&ind a draft for this model…"), "", self.open)

    def open(self, target: str | None = None) -> None:
        """For a model by its name, or for that of the present pair."""
        from app.models.pairing_dialog import PairingDialog

        pair = self._window.session.pair
        name = target or (pair.target if pair else None)
        if name is None:
            self._window.header.picker.showPopup()
            return
        if self._dialog is None:
            self._dialog = PairingDialog(self, self._window)
        self._dialog.show_target(name, self._title(name))

    def is_in_use(self, target: str | None, candidate: "Candidate") -> bool:
        loaded = self._window.chip.loaded
        return loaded is not None and (loaded.pair.target, loaded.pair.draft) == (target, candidate.name)

    def use(self, target: str | None, candidate: "Candidate") -> None:
        """Loads the pair; only the draft where the model is loaded already."""
        assert target is not None
        store, name = self._window.store, candidate.name
        if candidate.pair is not None and not store.is_installed(target):
            self.fetch(target, candidate)
            return
        self.stop_trial()
        errand = Errand(lambda _progress, _cancel: store.make_pair(target, name), self.log, self)
        errand.done.connect(self._made)
        errand.failed.connect(self.told)

    def fetch(self, target: str | None, candidate: "Candidate") -> None:
        """What is missing of the pair, which is then loaded."""
        window = self._window
        if candidate.pair is None:
            self.told.emit(self.tr("Fetch “{model}” first.").format(model=candidate.title))
            return
        self.stop_trial()
        with window.pairs.guarded():
            window.pairs.offer(window.store.pair(candidate.pair))
            window.fetch_page.fetch.click()
            self._close()

    def why_no_trial(self, target: str | None) -> str:
        """ "" when a trial can begin."""
        loaded = self._window.chip.loaded
        if self.trying is not None:
            return self.tr("Another trial is running")
        if loaded is None or loaded.pair.target != target:
            return self.tr("Load this model first: a trial measures with it")
        return ""

    def try_out(self, target: str | None, candidate: "Candidate") -> None:
        assert target is not None
        if self.why_no_trial(target):
            return
        self.trying = (target, candidate.name)
        pair = Pair(candidate.pair or f"{target}+{candidate.name}", candidate.title, target, candidate.name)
        self._task = self._window.engine.run(_job(self._window.store, pair))
        self._task.progress.connect(self._trial_went_on)
        self._task.done.connect(self._trial_done)
        self._task.failed.connect(self._trial_failed)
        sentence = self.tr("A draft is being tried: messages are answered when that has ended.")
        self._window.board.put(TOPIC, sentence, self.tr("Stop"), self.stop_trial, tone="plain")
        self.tried.emit(candidate.name, None)

    def stop_trial(self) -> None:
        """Between two passes; the old draft comes back."""
        if self._task is not None:
            self._task.cancel()
            self._end_trial()

    def _trial_went_on(self, step: object) -> None:
        from engine.models.trial import Trying

        if self.trying is not None and isinstance(step, Trying):
            self.tried.emit(self.trying[1], step)

    def _trial_done(self, trial: "Trial | None") -> None:
        self._end_trial()
        if trial is not None:
            sentence = self.tr("The trial has ended: {times}× the speed of plain decoding")
            self._window.view.announce(sentence.format(times=decimal(trial.speedup)))

    def _trial_failed(self, sentence: str) -> None:
        self._end_trial()
        self.told.emit(sentence)

    def _end_trial(self) -> None:
        self._task = self.trying = None
        self._window.board.drop(TOPIC)
        self.changed.emit()

    def _made(self, pair: Pair) -> None:
        with self._window.pairs.guarded():
            self._window.pairs.show()
            self._window.pairs.load(pair)
        self._close()

    def _loaded(self, _loaded: object) -> None:
        self.changed.emit()

    def _close(self) -> None:
        if self._dialog is not None:
            self._dialog.close()

    def _title(self, name: str) -> str:
        store = self._window.store
        if name in store.catalogue.models:
            return store.catalogue.models[name].title
        return next((model.title for model in store.installed() if model.name == name), name)

    def _look(self, target: str) -> "list[Candidate]":
        from engine.models import memory
        from engine.models.pairing import candidates

        window = self._window
        taken = memory.own_bytes() if window.chip.loaded is not None else 0
        options = window.preferences.now.load_options
        return candidates(window.store, target, options, memory.free_bytes() + taken)


def _job(store: Any, pair: Pair) -> Job:
    def job(engine: EngineLike, report: Callable[[object], None], cancel: threading.Event) -> object:
        from engine.models.trial import try_pair

        return try_pair(engine, store, pair, report, cancel)

    return job
