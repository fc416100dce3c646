"""The messages of a transcript, of which only those near the view have widgets.

Each entry takes one place in the column: its widget, or blank space as tall as the widget was or may become.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from app.chat.anchor import Anchor
from app.chat.entry import Entry
from app.chat.message import MessageWidget
from app.theme import Appearance

AHEAD = 1.0  # views above and below that are built before the reader comes there
KEEP = 4.0  # views beyond which a widget is given up
FIRST_BUILT = 2  # entries that are built at once where a branch begins
LAST_KEPT = 4  # entries at the end that stay: the coming answer, and what it can replace
SLICE_S = 0.008  # of building ahead in one turn of the event loop
AROUND = 60  # pixels of an estimate that are not text
TALLEST = 100_000  # pixels of an estimate: all widgets together may have 16 million
LETTER = 0.52  # mean width of a letter, in heights


class Entries(QObject):
    """Builds and gives up widgets as `area` scrolls over `column`."""

    appeared = Signal(object)  # MessageWidget
    replaced = Signal()  # another conversation, or another branch of it

    def __init__(self, area: QScrollArea, column: QVBoxLayout) -> None:
        super().__init__(area)
        self._area = area
        self._column = column
        self._all: list[Entry] = []
        self.anchor = Anchor(area)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.arrange)
        self.width = 1

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, index: int) -> Entry:
        return self._all[index]

    def first_seen(self) -> Entry | None:
        top = self._area.verticalScrollBar().value()
        return next(iter(self._between(top, top + self._area.viewport().height())), None)

    def built(self) -> list[MessageWidget]:
        return [entry.widget for entry in self._all if entry.widget is not None]

    def show(self, entries: list[Entry]) -> None:
        """All at once as blank space; the end is built at once, for the reader starts there."""
        self.clear()
        self._append(entries)
        view, filled = self._area.viewport().height(), 0
        for index in range(len(entries) - 1, -1, -1):
            if filled > view and index < len(entries) - LAST_KEPT:
                break
            self._build(entries[index])
            filled += entries[index].place.sizeHint().height()
        self.soon()
        self.replaced.emit()

    def change(self, entries: list[Entry]) -> None:
        """Another branch: what it has in common with the one that is shown keeps its widgets, and the view its place.

        Of the first message that differs the lower end stays where it is: there the reader asked for another version.
        """
        same = self.renew(entries)
        below = self._end_of(same)
        for entry in self._all[same:]:
            self._discard(entry.place)
        self.anchor.forget(self._all[same:])
        del self._all[same:]
        self._append(entries[same:])
        for entry in {
            *self._all[same : same + FIRST_BUILT],
            *self._all[max(same, len(self._all) - LAST_KEPT) :],
        }:
            self._build(entry)
        self.lay_out()
        if below is not None and not self.anchor.pinned:
            bar = self._area.verticalScrollBar()
            bar.setValue(bar.value() + (self._end_of(same) or below) - below)
        self.soon()
        self.replaced.emit()

    def renew(self, entries: Sequence[Entry]) -> int:
        """Takes over how widgets are built anew, as far as they show the same messages; how many have the same key."""
        same = 0
        for index, (old, new) in enumerate(zip(self._all, entries, strict=False)):
            if old.message != new.message:
                break
            same += index == same and old.key == new.key
            old.source, old.build, old.key = new.source, new.build, new.key
        return same

    def find(self, message: int) -> Entry | None:
        return next((entry for entry in self._all if entry.message == message), None)

    def clear(self) -> None:
        for entry in self._all:
            self._discard(entry.place)
        self.anchor.forget(self._all)
        self._all = []

    def add(self, widget: MessageWidget) -> None:
        self._column.insertWidget(len(self._all), widget)
        self._all.append(Entry("", widget=widget))
        widget.fit_to(self.width)
        self.soon()

    def fit_to(self, width: int) -> None:
        changed, self.width = width != self.width, width
        for entry in self._all:
            if entry.widget is not None:
                entry.widget.fit_to(width)
            elif changed and entry.blank is not None:
                entry.blank.setFixedHeight(self._estimate(entry.source))
        self.soon()

    def soon(self) -> None:
        """Once control is back in the event loop."""
        self._timer.start(0)

    def require(self, entry: Entry) -> MessageWidget:
        """Its widget, built now and laid out, where blank space was."""
        if entry.widget is None:
            self._build(entry)
            self.lay_out()
        assert entry.widget is not None
        return entry.widget

    def arrange(self) -> None:
        """Builds what is visible, then what is near, in slices; gives up what is far."""
        top, view = self._area.verticalScrollBar().value(), self._area.viewport().height()
        end = perf_counter() + SLICE_S
        changed = False
        for entry in self._wanted(top, view):
            visible = _meets(entry.place, top, top + view)
            if not visible and perf_counter() > end:
                break
            self._build(entry)
            changed = True
        changed = self._give_up(top - KEEP * view, top + (KEEP + 1) * view) or changed
        if changed:
            self.lay_out()
            self.soon()
        elif self.anchor.missed:
            self.look()

    def look(self) -> None:
        """Notes what the reader sees first, so that it can be held there."""
        top = self._area.verticalScrollBar().value()
        self.anchor.look(self._between(top, top + self._area.viewport().height()))

    def _end_of(self, index: int) -> int | None:
        if index >= len(self._all):
            return None
        place = self._all[index].place
        return place.y() + place.height()

    def _append(self, entries: list[Entry]) -> None:
        for entry in entries:
            entry.blank = QWidget()
            entry.blank.setFixedHeight(self._estimate(entry.source))
            self._column.insertWidget(len(self._all), entry.blank)
            self._all.append(entry)

    def _wanted(self, top: int, view: int) -> list[Entry]:
        """Entries without a widget that should have one, nearest to the view first."""
        low, high = top - AHEAD * view, top + (1 + AHEAD) * view
        near = [entry for entry in self._between(low, high) if entry.widget is None]
        middle = top + view / 2
        return sorted(near, key=lambda entry: abs(entry.place.geometry().center().y() - middle))

    def _give_up(self, low: float, high: float) -> bool:
        far = [
            entry
            for entry in self._all[:-LAST_KEPT]
            if entry.widget is not None
            and entry.build is not None
            and not _meets(entry.place, low, high)
            and not entry.widget.in_use()
        ]
        for entry in far:
            self._blank(entry)
        return bool(far)

    def _between(self, low: float, high: float) -> list[Entry]:
        first = bisect_right(self._all, low, key=lambda entry: entry.place.y() + entry.place.height())
        return self._all[first : bisect_left(self._all, high, key=lambda entry: entry.place.y())]

    def _build(self, entry: Entry) -> None:
        assert entry.build is not None
        assert entry.blank is not None
        entry.widget = entry.build()
        entry.widget.fit_to(self.width)
        self._column.replaceWidget(entry.blank, entry.widget)
        entry.widget.show()
        self.anchor.built(entry, entry.blank.height())
        self.appeared.emit(entry.widget)
        entry.blank.deleteLater()
        entry.blank = None

    def _blank(self, entry: Entry) -> None:
        widget = entry.widget
        assert widget is not None
        entry.blank = QWidget()
        entry.blank.setFixedHeight(widget.height())
        self._column.replaceWidget(widget, entry.blank)
        entry.blank.show()
        entry.widget = None
        self._discard(widget)

    def lay_out(self) -> None:
        self._column.activate()
        body = self._area.widget()
        assert body is not None
        # adjustSize() would take the hint's width too, and wrap every line anew.
        body.resize(body.width(), max(body.sizeHint().height(), self._area.viewport().height()))
        self.anchor.hold()

    def _discard(self, widget: QWidget) -> None:
        self._column.removeWidget(widget)
        widget.hide()
        widget.deleteLater()

    def _estimate(self, source: str) -> int:
        """Pixels; good enough for the scroll bar."""
        line = Appearance.shared().points("body") * 1.7
        letters = max(1, int(self.width / (line * LETTER / 1.5)))
        lines = source.count("\n") + len(source) / letters
        return AROUND + min(int(line * lines), TALLEST)


def _meets(place: QWidget, low: float, high: float) -> bool:
    return place.y() < high and place.y() + place.height() > low
