"""Splits what a model says into its reasoning, between <think> and </think>, and its answer.

Only at the beginning: a tag anywhere else is text. Where the prompt has opened the reasoning already, the text holds
the closing tag alone; that is also how a stored answer of such a model reads.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

OPEN, CLOSE = "<think>", "</think>"


@dataclass(frozen=True, slots=True)
class Part:
    text: str
    is_reasoning: bool


class ReasoningSplitter:
    """`feed` text as it arrives; it holds back what may still become a tag."""

    def __init__(self, open_at_start: bool = False) -> None:
        self.thinking = open_at_start
        self.decided = open_at_start  # whether there is reasoning at all
        self._held = ""

    def feed(self, text: str) -> list[Part]:
        self._held += text
        parts: list[Part] = []
        if not self.decided:
            self._decide()
        if self.decided and self.thinking:
            parts += self._think()
        if self.decided and not self.thinking and self._held:
            parts.append(Part(self._held, False))
            self._held = ""
        return parts

    def finish(self) -> list[Part]:
        """What was held back; reasoning that was never closed stays reasoning."""
        rest, self._held = self._held, ""
        self.decided = True
        return [Part(rest, self.thinking)] if rest else []

    def _decide(self) -> None:
        start = self._held.lstrip()
        if start.startswith(OPEN):
            self.decided = self.thinking = True
            self._held = start.removeprefix(OPEN)
        elif start and not OPEN.startswith(start):
            self.decided = True

    def _think(self) -> list[Part]:
        before, tag, after = self._held.partition(CLOSE)
        if tag:
            self.thinking = False
            self._held = after
            return [Part(before, True)] if before else []
        keep = _may_become(CLOSE, self._held)
        said, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        return [Part(said, True)] if said else []


class ReasoningClock:
    """`seconds` that an answer which is fed as it streams was reasoning for; None without reasoning."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._splitter = ReasoningSplitter()
        self._begun: float | None = None
        self._seconds: float | None = None

    @property
    def seconds(self) -> float | None:
        if self._begun is None or self._seconds is not None:
            return self._seconds
        return self._clock() - self._begun

    def feed(self, text: str) -> None:
        if self._seconds is not None or (self._splitter.decided and self._begun is None):
            return
        begun = self._begun if self._begun is not None else self._clock()
        said = any(part.text.strip() for part in self._splitter.feed(text) if part.is_reasoning)
        if said or self._splitter.thinking:
            self._begun = begun
        if self._begun is not None and not self._splitter.thinking:
            self._seconds = self._clock() - self._begun


def split(text: str) -> tuple[str, str]:
    """Reasoning and answer of a whole text, as they are shown."""
    splitter = ReasoningSplitter(opened_before(text))
    parts = splitter.feed(text) + splitter.finish()
    reasoning = "".join(part.text for part in parts if part.is_reasoning)
    return reasoning.strip(), "".join(part.text for part in parts if not part.is_reasoning)


def opened_before(text: str) -> bool:
    """The prompt had opened the reasoning: the text closes what it never opened, before anything that is code."""
    close = text.find(CLOSE)
    return close >= 0 and OPEN not in text[:close] and "```" not in text[:close]


def _may_become(tag: str, text: str) -> int:
    """Characters at the end of `text` that begin the tag."""
    return next((size for size in range(len(tag) - 1, 0, -1) if text.endswith(tag[:size])), 0)
