"""What one rendering of a chat template may use: time, text, and the sum of all values that it makes."""

import re
import time
from collections.abc import ItemsView, KeysView, ValuesView
from typing import Any

from jinja2.exceptions import SecurityError
from jinja2.utils import Namespace

_MOST_TICKS = 1_000_000
_MOST_SECONDS = 2.0  # of this thread's own processor time
_BETWEEN_LOOKS_S = 0.02
_LARGEST_INT_BITS = 4096
_MOST_MADE = 32  # times the limit: what is made in all, as it may all be kept
_ELEMENT = 50  # bytes of a list's element, about
_FLOAT, _OBJECT = 25, 100  # characters when written out
_BITS_PER_DIGIT = 3
_MOST_COMPARISONS = 1_000_000_000  # of characters, inside a single operation


class LoopsTooLongError(SecurityError):
    """The template has used up its time; rendering it once more would take as long again."""


class Meter:
    """`limit` is in characters."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._ticks = 0
        self._printed = 0
        self._made = 0
        self._next_look = 0.0
        self._deadline = time.thread_time() + _MOST_SECONDS

    def tick(self, printed: int) -> str:
        self._ticks += 1
        if self._ticks > _MOST_TICKS:
            raise LoopsTooLongError("it loops too long")
        self.check_time()
        self.print_(printed)
        return ""

    def check_time(self) -> None:
        """The thread's own clock is a system call, the wall's is not: it says when to ask."""
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + _BETWEEN_LOOKS_S
        if time.thread_time() > self._deadline:
            raise LoopsTooLongError("it takes too long")

    def print_(self, characters: int) -> None:
        self._printed += characters
        self.fits(self._printed)

    def fits(self, characters: int) -> None:
        if characters > self.limit:
            raise SecurityError("it builds too much text")

    def weigh(self, value: Any) -> Any:
        """`value` itself, if it would fit when written out."""
        self.check_time()
        if isinstance(value, int) and value.bit_length() > _LARGEST_INT_BITS:
            raise SecurityError("it builds too large a number")
        self.weight(value)
        return value

    def keep(self, value: Any, made_of: Any = None) -> Any:
        """As `weigh`, for what is new; `made_of`: the text that a list was cut out of, if it was."""
        return self.count(self.weigh(value), made_of)

    def count(self, value: Any, made_of: Any = None) -> Any:
        """As `keep`, for what is no larger than something that was weighed."""
        self.check_time()
        if isinstance(value, str):
            self._made += len(value)
        elif isinstance(value, list | tuple | dict):
            self._made += _ELEMENT * len(value) + (len(made_of) if isinstance(made_of, str) else 0)
        if self._made > _MOST_MADE * self.limit:
            raise SecurityError("it builds too much text")
        return value

    def weight(self, value: Any) -> int:
        """Characters of the value when written out, about."""
        if isinstance(value, str):
            self.fits(len(value))
            return len(value)
        weight, waiting = 0, [value]
        while waiting:
            value = waiting.pop()
            if isinstance(value, str):
                weight += len(value)
            elif isinstance(value, dict):
                weight += 1
                waiting.extend(value)
                waiting.extend(value.values())
            elif isinstance(value, list | tuple):
                weight += 1
                waiting.extend(value)
            else:
                weight += _own_weight(value)
                waiting.extend(_inside(value))
            self.fits(weight)
        return weight

    def compares(self, subject: Any, others: tuple[Any, ...]) -> None:
        """Refuses an operation that compares each place of one text with all of another."""
        longest = max((len(other) for other in others if isinstance(other, str)), default=0)
        if len(str(subject)) * longest > _MOST_COMPARISONS:
            raise LoopsTooLongError("it compares too much text")

    def formats(self, layout: str, values: tuple[Any, ...]) -> None:
        """That what is put into `layout` fits."""
        fields = layout.count("%") + layout.count("{")
        widest = max(map(int, re.findall(r"\d{1,4}", layout)), default=0)
        longest = max((self.weight(value) for value in values), default=0)
        self.fits(len(layout) + fields * (longest + widest))


def _own_weight(value: Any) -> int:
    """Without what is inside."""
    if value is None or isinstance(value, bool):
        return 1
    if isinstance(value, int):
        return 1 + value.bit_length() // _BITS_PER_DIGIT
    return _FLOAT if isinstance(value, float) else _OBJECT


def _inside(value: Any) -> list[Any]:
    if isinstance(value, Namespace):
        attributes: dict[str, Any] = value._Namespace__attrs
        return [*attributes, *attributes.values()]
    return list(value) if isinstance(value, KeysView | ValuesView | ItemsView) else []
