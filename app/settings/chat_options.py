"""What the answers of the open chat are made with: layers over each other, kept with the conversation.

From below: the program's defaults, the user's settings for every chat, the preset, the chat's own.
"""

import contextlib
import json
import secrets
from collections.abc import Mapping
from typing import Any

import msgspec
from PySide6.QtCore import QObject, Signal

from app.chat.answer import seed_of
from app.chat.prompt import Options
from app.chat.session import ChatSession
from app.history.store import StoredMessage
from app.settings import chat_settings, presets
from app.settings.chat_settings import ChatSettings
from app.settings.settings import Settings
from app.worker import Loaded
from engine.request import Sampling, Speculation

SEEDS = 2**31  # enough to never meet one twice, and short enough to be read out


class ChatOptions(QObject):
    """Before its first message a chat has no place in the history: what is chosen till then is written with it."""

    changed = Signal()

    def __init__(self, session: ChatSession, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.settings = settings
        self.own: dict[str, Any] = {}
        self._preset: str | None = None
        self._conversation: int | None = session.conversation
        self._unavailable: dict[Speculation, str | None] = {}
        self.last_seed: int | None = None  # of the latest answer in the open chat
        session.options = self.for_answer
        session.opened.connect(self._opened)
        session.answer_started.connect(self._answer_started)
        session.engine.loaded.connect(self._loaded)
        settings.changed.connect(self._settings_changed)

    @property
    def preset(self) -> str:
        """Its name. One that the user has deleted counts as the one for new chats."""
        chosen = self._preset
        known = (
            chosen in presets.BUILT_IN or chosen == presets.RECOMMENDED or chosen in self.settings.now.presets
        )
        return chosen if chosen is not None and known else self.settings.now.preset

    @property
    def has_preset(self) -> bool:
        """Whether the chat has a preset of its own."""
        return self._preset is not None

    @property
    def below(self) -> ChatSettings:
        """What is in force where the chat has no value of its own."""
        return self._resolved({})

    @property
    def now(self) -> ChatSettings:
        return self._resolved(self.own)

    def set(self, name: str, value: object) -> bool:
        """A value of the chat's own; False, and nothing happens, when it is out of range."""
        value = chat_settings.plain(value)
        if not chat_settings.is_sound(name, value):
            return False
        if value == chat_settings.plain(getattr(self.below, name)):
            return self.reset(name)
        if self.own.get(name) != value:
            self._keep({**self.own, name: value}, self._preset)
        return True

    def reset(self, name: str) -> bool:
        if name in self.own:
            self._keep({kept: value for kept, value in self.own.items() if kept != name}, self._preset)
        return True

    def reset_all(self) -> None:
        self._keep({}, None)

    def choose(self, preset: str) -> None:
        """What the preset decides is no longer the chat's own."""
        decided = presets.values_of(preset, self.settings.now.presets, self._session.pair)
        self._keep({name: value for name, value in self.own.items() if name not in decided}, preset)

    def save_preset(self, name: str) -> None:
        """All that the chat's preset and the chat itself decide, under a name of the user's; the seed stays behind."""
        taken = {**self._layer(), **self.own}
        taken.pop("seed", None)
        self.settings.change(presets={**self.settings.now.presets, name: taken})
        self._keep({kept: value for kept, value in self.own.items() if kept == "seed"}, name)

    def rename_preset(self, old: str, new: str) -> None:
        own = self.settings.now.presets
        self.settings.change(presets={new if name == old else name: own[name] for name in own})
        if self._preset == old:
            self._keep(self.own, new)
        if self.settings.now.preset == old:
            self.settings.change(preset=new)

    def delete_preset(self, name: str) -> None:
        """A chat that it was chosen for goes back to the one for new chats."""
        own = self.settings.now.presets
        self.settings.change(presets={kept: own[kept] for kept in own if kept != name})
        if self.settings.now.preset == name:
            self.settings.change(preset=presets.RECOMMENDED)

    def for_answer(self, conversation: int) -> Options:
        """Of the open chat, which has a place in the history by now; with the seed of this one answer."""
        if self._conversation is None:
            self._conversation = conversation
            self._write()
        seed = self.now.seed
        return _options(self.now, secrets.randbelow(SEEDS) if seed is None else seed, self._drafters())

    def peek(self) -> Options:
        """As the next answer's would be, but for a new seed."""
        return _options(self.now, self.now.seed or 0, self._drafters())

    def _drafters(self) -> Speculation:
        """As the chat has it, where the pair that is loaded has that."""
        if self.now.drafter == "ngram":
            return Speculation.NGRAM
        models = (Speculation.DRAFT, Speculation.DFLASH) if self.now.drafter == "model" else ()
        return next((each for each in models if self._unavailable.get(each) is None), Speculation.AUTO)

    def _loaded(self, loaded: Loaded) -> None:
        self._unavailable = loaded.unavailable
        self.changed.emit()

    def _answer_started(self, conversation: int) -> None:
        """One that goes on has the seed that it began with."""
        answer = self._session.answer
        if answer is not None and conversation == self._conversation:
            self.last_seed = answer.options.sampling.seed
            self.changed.emit()

    def _opened(self, conversation: int | None, messages: list[StoredMessage]) -> None:
        self._conversation = conversation
        seeds = [seed_of(message) for message in messages if message.role == "assistant"]
        self.last_seed = seeds[-1] if seeds else None
        stored = None
        if conversation is not None:
            with self._session.guarded():
                stored = self._session.history.settings(conversation)
        self._preset, self.own = _parsed(stored)
        self.changed.emit()

    def _settings_changed(self, names: frozenset[str]) -> None:
        if names & {"preset", "presets", "chat"}:
            self.changed.emit()

    def _keep(self, own: dict[str, Any], preset: str | None) -> None:
        if (own, preset) != (self.own, self._preset):
            self.own, self._preset = own, preset
            self._write()
            self.changed.emit()

    def _write(self) -> None:
        if self._conversation is None:
            return
        chosen = {"preset": self._preset, "own": self.own} if self.own or self._preset else None
        with self._session.guarded():
            self._session.history.set_settings(
                self._conversation, json.dumps(chosen, ensure_ascii=False) if chosen else None
            )

    def _layer(self) -> dict[str, Any]:
        values = presets.values_of(self.preset, self.settings.now.presets, self._session.pair)
        return chat_settings.sound(dict(values))

    def _resolved(self, own: Mapping[str, Any]) -> ChatSettings:
        return chat_settings.over(chat_settings.sound(self.settings.now.chat), self._layer(), own)


def _options(chosen: ChatSettings, seed: int, drafters: Speculation) -> Options:
    values = {name: getattr(chosen, name) for name in chat_settings.SAMPLING}
    return Options(
        system=chosen.system,
        sampling=Sampling(**values, seed=seed),
        max_tokens=chosen.max_tokens,
        stop=chosen.stop,
        overflow=chosen.overflow,
        drafters=drafters,
        draft_tokens=chosen.draft_tokens,
    )


def _parsed(stored: str | None) -> tuple[str | None, dict[str, Any]]:
    """Preset and own values; what makes no sense is left out."""
    found: object = None
    with contextlib.suppress(ValueError, RecursionError, msgspec.ValidationError):
        found = json.loads(stored or "null")
    if not isinstance(found, dict):
        return None, {}
    preset = found.get("preset")
    return preset if isinstance(preset, str) else None, chat_settings.sound(found.get("own"))
