"""The files that go with the next message: read, counted by the model's tokenizer, taken or refused."""

import dataclasses
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.attachments.document import Document, fenced, to_json
from app.attachments.reader import Reader
from app.attachments.refusal import Reason, Refusal
from app.worker import EngineLike, EngineThread, Loaded
from engine.request import Message

PART_CHARS = 20_000  # the tokenizer lets nobody else run meanwhile
PART = re.compile(rf"(?s).{{1,{PART_CHARS}}}(?=\s|\Z)|.{{1,{PART_CHARS}}}")  # cut before a space
RESERVE = 256  # tokens of the context that stay free for a question and the beginning of its answer


@dataclass(slots=True, eq=False)
class Item:
    """One file. Without `document` it is still being read; `counting` until its tokens are known."""

    name: str
    document: Document | None = None
    counting: bool = False

    @property
    def ready(self) -> bool:
        return self.document is not None and not self.counting


class Attachments(QObject):
    """Of the conversation that is shown; those of others come back with them."""

    changed = Signal()
    refused = Signal(object)  # Refusal

    def __init__(
        self, engine: EngineThread | None = None, parent: QObject | None = None, reader: Reader | None = None
    ) -> None:
        """Without an engine, or before it has loaded, nothing is counted and nothing is too large."""
        super().__init__(parent)
        self.items: list[Item] = []
        self._kept: dict[int | None, list[Item]] = {}
        self._conversation: int | None = None
        self._engine = engine
        self._limit: int | None = None
        self._reading: dict[int, Item] = {}
        self._reader = reader or Reader(self)
        self._reader.read.connect(self._read)
        if engine is not None:
            engine.loaded.connect(self._loaded)

    @property
    def busy(self) -> bool:
        return not all(item.ready for item in self.items)

    def documents(self) -> list[Document]:
        return [item.document for item in self.items if item.document is not None]

    def json(self) -> str | None:
        return to_json(self.documents())

    def add(self, paths: Sequence[Path]) -> None:
        for path in paths:
            item = Item(path.name or str(path))
            self.items.append(item)
            self._reading[self._reader.ask(path)] = item
        self.changed.emit()

    def add_text(self, name: str, text: str) -> None:
        """What is too long for an editor goes with the message like a file."""
        data = text.encode(errors="replace")
        item = Item(name, Document(name, len(data), hashlib.sha256(data).hexdigest(), text))
        self.items.append(item)
        self._count(item)
        self.changed.emit()

    def remove(self, item: Item) -> None:
        if item in self.items:
            self.items.remove(item)
            for number in [number for number, read in self._reading.items() if read is item]:
                del self._reading[number]
                self._reader.forget(number)
            self.changed.emit()

    def show(self, conversation: int | None) -> None:
        """Another conversation is shown."""
        self._kept[self._conversation] = self.items
        self._conversation = conversation
        self.items = self._kept.pop(conversation, [])
        self.changed.emit()

    def begun(self, conversation: int) -> None:
        """The new conversation that is shown has got its first message."""
        if self._conversation is None:
            self._conversation = conversation

    def sent(self) -> None:
        """They are stored with a message."""
        self.items = []
        self.changed.emit()

    def _read(self, number: int, outcome: Document | Refusal) -> None:
        item = self._reading.pop(number, None)
        if item is None or not self._known(item):
            return
        if isinstance(outcome, Refusal):
            self._refuse(item, outcome)
            return
        item.document = outcome
        self._count(item)
        self.changed.emit()

    def _loaded(self, loaded: Loaded) -> None:
        """Another model has other tokens, and another limit."""
        self._limit = loaded.context_limit
        for item in [*self.items, *(item for items in self._kept.values() for item in items)]:
            self._count(item)

    def _count(self, item: Item) -> None:
        document = item.document
        if self._engine is None or self._limit is None or document is None:
            return
        text = fenced(document)
        item.counting = True
        task = self._engine.run(lambda engine, _report, _cancel: tokens_of(engine, text))
        task.done.connect(lambda tokens: self._counted(item, tokens))
        task.failed.connect(lambda _sentence: self._counted(item, None))

    def _counted(self, item: Item, tokens: int | None) -> None:
        item.counting = False
        if item.document is None or not self._known(item):
            return
        item.document = dataclasses.replace(item.document, tokens=tokens)
        surplus = self._surplus()
        if surplus > 0 and item in self.items:
            self._refuse(item, Refusal(item.name, Reason.NO_ROOM, str(surplus)))
        self.changed.emit()

    def _surplus(self) -> int:
        """Tokens of the files that are too many for the model; 0 or less when they fit."""
        if self._limit is None:
            return 0
        return sum(document.tokens or 0 for document in self.documents()) + RESERVE - self._limit

    def _refuse(self, item: Item, refusal: Refusal) -> None:
        self.remove(item)
        self.refused.emit(refusal)

    def _known(self, item: Item) -> bool:
        """Removed ones aren't, nor those that a message has taken along."""
        return item in self.items or any(item in items for items in self._kept.values())


def tokens_of(engine: EngineLike, text: str) -> int:
    """Without what the chat template puts around every message."""
    around = engine.count_tokens([Message("user", "x")]) - 1
    parts = PART.findall(text) or [""]
    return sum(engine.count_tokens([Message("user", part)]) - around for part in parts)
