"""Where a conversation says something: counted message by message in slices, from where the reader is."""

from dataclasses import dataclass
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal

from app.chat.entries import Entries
from app.chat.entry import Entry
from app.chat.find_text import count, shown_words

SLICE_S = 0.005


@dataclass(frozen=True, slots=True)
class Hit:
    """The `number`-th occurrence in a message; `thoughts` of its occurrences are in the reasoning."""

    entry: Entry
    number: int
    thoughts: int


class FindHits(QObject):
    """`changed` after each slice; `first` once, with the first hit at or below the reader's place."""

    changed = Signal()
    first = Signal(object)

    def __init__(self, entries: Entries) -> None:
        super().__init__(entries)
        self._entries = entries
        self._words: dict[tuple[bool, str], tuple[list[str], list[str]]] = {}
        self._counts: dict[Entry, tuple[int, int]] = {}
        self._queue: list[Entry] = []
        self._wanted = ""
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._work)

    @property
    def busy(self) -> bool:
        return self._timer.isActive()

    def search(self, wanted: str) -> None:
        self._wanted = wanted
        self._counts = {}
        entries = list(self._entries)
        here = self._entries.first_seen()
        start = entries.index(here) if here is not None else 0
        self._queue = [*entries[start:], *entries[:start]] if wanted else []
        self._timer.start(0)

    def stop(self) -> None:
        self._timer.stop()
        self._words, self._counts, self._queue = {}, {}, []

    @property
    def total(self) -> int:
        """As far as it is known."""
        return sum(map(sum, self._counts.values()))

    def position(self, hit: Hit) -> int | None:
        """Its place among all, from 0, in the order of reading; None when it is gone."""
        before = 0
        for entry in self._entries:
            count_here = sum(self._counts.get(entry, (0, 0)))
            if entry is hit.entry:
                return before + hit.number if hit.number < count_here else None
            before += count_here
        return None

    def at(self, position: int) -> Hit | None:
        """The reverse of `position`; None when nothing is found. Beyond the last comes the first again."""
        left = position % self.total if self.total else -1
        for entry in self._entries:
            thoughts, rest = self._counts.get(entry, (0, 0))
            if 0 <= left < thoughts + rest:
                return Hit(entry, left, thoughts)
            left -= thoughts + rest
        return None

    def _work(self) -> None:
        end = perf_counter() + SLICE_S
        while self._queue and perf_counter() < end:
            self._count(self._queue.pop(0))
        if not self._queue:
            self._timer.stop()
        self.changed.emit()

    def _count(self, entry: Entry) -> None:
        source = entry.widget.source if entry.widget is not None else entry.source
        key = (entry.is_plain, source)
        if key not in self._words:
            self._words[key] = shown_words(source, entry.is_plain)
        thoughts, rest = (count(words, self._wanted) for words in self._words[key])
        is_first = not any(sum(each) for each in self._counts.values())
        self._counts[entry] = (thoughts, rest)
        if is_first and thoughts + rest:
            self.first.emit(Hit(entry, 0, thoughts))
