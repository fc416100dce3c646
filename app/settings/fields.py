"""The rows of a chat's settings: which editor each field has."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.settings import chat_settings, words
from app.settings.editors import Choice, Decimal, Editor, Seed, Text, Whole, stops_as_text, stops_from
from app.settings.field_row import FieldRow
from engine.request import Overflow

SYSTEM_LINES, STOP_LINES = 4, 2


def row(name: str, parent: QWidget | None = None) -> FieldRow:
    return FieldRow(words.of_field(name), editor(name), parent)


def editor(name: str) -> Editor:
    special: dict[str, Callable[[], Editor]] = {
        "system": lambda: Text(SYSTEM_LINES),
        "stop": lambda: Text(STOP_LINES, read=stops_from, write=stops_as_text),
        "seed": Seed,
        "overflow": lambda: Choice([(policy.value, words.of_overflow(policy)) for policy in Overflow]),
        "speculation": lambda: Choice([(mode, words.of_mode(mode)) for mode in ("auto", "on", "off")]),
        "drafter": lambda: Choice([(kind, words.of_drafter(kind)) for kind in ("all", "ngram", "model")]),
    }
    if name in special:
        return special[name]()
    low, high = chat_settings.limits(name)
    whole = isinstance(getattr(chat_settings.DEFAULTS, name), int)
    return Whole(low, high) if whole else Decimal(low, high)


def in_words(name: str, value: object) -> str:
    """A value as a tool tip says it."""
    if name == "overflow":
        return words.of_overflow(Overflow(str(value)))
    if name == "speculation":
        return words.of_mode(str(value))
    if name == "drafter":
        return words.of_drafter(str(value))
    return str(value) if isinstance(value, int | float) else ""
