"""Find in the conversation: a line above it, with the count, Next and Previous."""

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from app.chat.find_hits import FindHits, Hit
from app.chat.find_marks import FindMarks
from app.chat.transcript import Transcript
from app.theme import SPACE_L, SPACE_S

SEARCH_MS = 150  # after the last key


class FindField(QLineEdit):
    """Keeps Escape, which stops an answer elsewhere in the conversation."""

    def event(self, event: QEvent) -> bool:
        overrides = event.type() is QEvent.Type.ShortcutOverride
        if overrides and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)


class FindBar(QFrame):
    """Closed: nothing is marked and nothing is kept."""

    def __init__(self, transcript: Transcript, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self._transcript = transcript
        self._hits = FindHits(transcript.entries)
        self._marks = FindMarks(transcript)
        self._current: Hit | None = None
        self._quiet = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SEARCH_MS)
        self._timer.timeout.connect(self.search)
        self.field = FindField(self)
        self.field.setPlaceholderText(self.tr("Find in this chat"))
        self.field.setAccessibleName(self.tr("Find in this chat"))
        self.field.setClearButtonEnabled(True)
        self.count = QLabel(self)
        self.count.setProperty("kind", "small")
        self._build()
        self._connect(parent)
        self.hide()

    def open(self) -> None:
        self.show()
        self.field.setFocus()
        self.field.selectAll()
        if self.field.text():
            self.search()

    def close_bar(self) -> None:
        """The view stays where it is."""
        self._timer.stop()
        self._hits.stop()
        self._marks.search("")
        self._current = None
        self.hide()
        self._transcript.setFocus()

    def search(self, quietly: bool = False) -> None:
        """`quietly`: the view stays where it is."""
        self._timer.stop()
        self._quiet = quietly
        self._current = None
        self._marks.search(self.field.text().strip())
        self._hits.search(self.field.text().strip())

    def next(self) -> None:
        self._step(1)

    def previous(self) -> None:
        self._step(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            backwards = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.previous() if backwards else self.next()
        else:
            super().keyPressEvent(event)

    def _step(self, by: int) -> None:
        if self.isHidden():
            self.open()
            return
        if self._timer.isActive():  # the words have changed since the last search
            self.search()
            return
        here = self._hits.position(self._current) if self._current is not None else None
        hit = self._hits.at((min(-by, 0) if here is None else here) + by)
        if hit is not None:
            self._go_to(hit)

    def _go_to(self, hit: Hit) -> None:
        self._current = hit
        self._marks.go_to(hit)
        self._tell()

    def _tell(self) -> None:
        here = self._hits.position(self._current) if self._current is not None else None
        total = self._hits.total
        if not self.field.text().strip():
            self.count.clear()
        elif here is not None:
            self.count.setText(self.tr("{number} of {all}").format(number=here + 1, all=total))
        elif total:
            self.count.setText(self.tr("%n occurrence(s)", "", total))
        else:
            self.count.setText(self.tr("Searching…") if self._hits.busy else self.tr("Not found"))

    def _chat_changed(self) -> None:
        """Another chat, or another branch of it."""
        if not self.isHidden():
            self.search(quietly=True)

    def _found_first(self, hit: Hit) -> None:
        if not self._quiet:
            self._go_to(hit)

    def _connect(self, parent: QWidget) -> None:
        self.field.textChanged.connect(self._timer.start)
        self._hits.changed.connect(self._tell)
        self._hits.first.connect(self._found_first)
        self._transcript.entries.appeared.connect(self._marks.show)
        self._transcript.entries.replaced.connect(self._chat_changed)
        for keys, run, what in (
            ("F3", self.next, self.tr("Find the next occurrence")),
            ("Shift+F3", self.previous, self.tr("Find the previous occurrence")),
        ):
            shortcut = QShortcut(QKeySequence(keys), parent)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.setWhatsThis(what)
            shortcut.activated.connect(run)

    def _build(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(SPACE_L, SPACE_S, SPACE_L, SPACE_S)
        layout.setSpacing(SPACE_S)
        layout.addWidget(self.field, 1)
        layout.addWidget(self.count)
        for text, name, run in (
            (self.tr("Previous"), self.tr("Previous occurrence"), self.previous),
            (self.tr("Next"), self.tr("Next occurrence"), self.next),
            (self.tr("Close"), self.tr("Close the search"), self.close_bar),
        ):
            button = QPushButton(text, self)
            button.setProperty("kind", "toggle")
            button.setAccessibleName(name)
            button.setToolTip(name)
            button.clicked.connect(lambda _checked=False, run=run: run())
            layout.addWidget(button)
