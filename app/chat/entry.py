"""A message's place in the transcript: a widget, or blank space as tall as the widget was or may become."""

from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtWidgets import QWidget

from app.chat.message import MessageWidget

Build = Callable[[], MessageWidget]


@dataclass(eq=False, slots=True)
class Entry:
    """`build` makes the widget again; without it the widget stays, as long as the conversation is shown.

    `message` is its id in the history. Entries with the same `key` show the same: one widget does for both.
    """

    source: str
    build: Build | None = None
    message: int | None = None
    key: object = None
    is_plain: bool = False  # the source is no Markdown
    widget: MessageWidget | None = None
    blank: QWidget | None = field(default=None, repr=False)

    @property
    def place(self) -> QWidget:
        place = self.widget or self.blank
        assert place is not None
        return place
