"""Tokens in lines, without Qt: words stay whole, a line break is shown, and text only ever grows at the end."""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field

LINE_BREAK, TAB = "↵", "→"
TAB_CELLS = 4
HANG = 2  # spaces' widths: room at the right for a space or the mark of a line break


@dataclass(slots=True)
class Run:
    """A token's text in one line, or part of it. `mark`: the sign of a line break or a tab, no text."""

    token: int
    text: str
    x: float
    width: float
    mark: bool = False


@dataclass(slots=True)
class TokenLayout:
    """`measure` gives a text's width; `starts` holds the number of each line's first run."""

    measure: Callable[[str], float]
    width: float
    runs: list[Run] = field(default_factory=list)
    starts: list[int] = field(default_factory=lambda: [0])
    count: int = 0  # tokens
    _first_run: list[int] = field(default_factory=list)  # of each token
    _x: float = 0.0
    _word: int = 0  # the run that the present word began with

    def add(self, text: str) -> None:
        """The next token."""
        self._first_run.append(len(self.runs))
        for line, rest in enumerate(text.split("\n")):
            if line:
                self._put(LINE_BREAK, self.measure(LINE_BREAK), mark=True)
                self._break()
            if rest:
                self._add_line(rest)
        if self._first_run[-1] == len(self.runs):
            self._put("", 0.0)
        self.count += 1

    def line_of(self, run: int) -> int:
        return bisect_right(self.starts, run) - 1

    def line(self, number: int) -> list[Run]:
        if not 0 <= number < len(self.starts):
            return []
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.runs)
        return self.runs[self.starts[number] : end]

    def token_at(self, line: int, x: float, nearest: bool = False) -> int | None:
        """The token that is drawn there; `nearest`: or the one closest to it in that line."""
        runs = self.line(line)
        for run in runs:
            if run.x <= x < run.x + run.width:
                return run.token
        if not nearest or not runs:
            return None
        return min(runs, key=lambda run: abs(run.x + run.width / 2 - x)).token

    def runs_of(self, token: int) -> list[Run]:
        first = self._first_run[token]
        last = self._first_run[token + 1] if token + 1 < self.count else len(self.runs)
        return self.runs[first:last]

    def first_line_of(self, token: int) -> int:
        return self.line_of(self._first_run[token])

    def _add_line(self, text: str) -> None:
        for number, part in enumerate(text.split("\t")):
            if number:
                self._put(TAB, TAB_CELLS * self.measure(" "), mark=True)
                self._word = len(self.runs)
            if part:
                self._place(part)

    def _place(self, text: str) -> None:
        """Spaces hang over the end of a line; what follows them may begin the next one."""
        word = text.lstrip(" ")
        width = self.measure(text)
        if text[0] == " " or self._follows_space():
            self._word = len(self.runs)
        if self._x + width <= self._room:
            self._put(text, width)
        elif word != text and self._x > 0:
            self._put_spaces(text[: len(text) - len(word)])
            if word:
                self._break()
                self._place(word)
        else:
            self._wrap(text, width)

    def _wrap(self, text: str, width: float) -> None:
        """The word goes to the next line as a whole, if there is more than it in this one."""
        if self.starts[-1] < self._word < len(self.runs):
            self._carry()
        elif self._x > 0:
            self._break()
        if self._x + width <= self._room:
            self._put(text, width)
        elif self._x > 0:
            self._wrap(text, width)
        else:
            self._put_pieces(text)

    def _carry(self) -> None:
        """The beginning of the word, which stands at the end of the line, moves to the next one, its spaces don't."""
        run = self.runs[self._word]
        word = run.text.lstrip(" ")
        if word != run.text and word:
            self._split(run, len(run.text) - len(word))
        left = self.runs[self._word].x
        for run in self.runs[self._word :]:
            run.x -= left
        self.starts.append(self._word)
        self._x -= left

    def _split(self, run: Run, at: int) -> None:
        width = self.measure(run.text[:at])
        rest = Run(run.token, run.text[at:], run.x + width, run.width - width)
        run.text, run.width = run.text[:at], width
        self._word += 1
        self.runs.insert(self._word, rest)
        for token in range(run.token + 1, len(self._first_run)):
            self._first_run[token] += 1

    def _put_pieces(self, text: str) -> None:
        """A text that is longer than a line, at the start of one."""
        while text:
            fits = max(1, bisect_right(range(1, len(text)), self._room, key=lambda n: self.measure(text[:n])))
            self._put(text[:fits], self.measure(text[:fits]))
            text = text[fits:]
            if text:
                self._break()

    def _put_spaces(self, spaces: str) -> None:
        width = min(self.measure(spaces), max(self.width - self._x, 0.0))
        self._put(spaces, width)
        self._word = len(self.runs)

    def _put(self, text: str, width: float, mark: bool = False) -> None:
        self.runs.append(Run(len(self._first_run) - 1, text, self._x, width, mark))
        self._x += width

    def _break(self) -> None:
        self._x = 0.0
        self.starts.append(len(self.runs))
        self._word = len(self.runs)

    def _follows_space(self) -> bool:
        if len(self.runs) == self.starts[-1]:
            return True
        last = self.runs[-1]
        return last.mark or last.text.endswith(" ") or not (last.text.isascii() or last.text == "")

    @property
    def _room(self) -> float:
        return max(self.width - HANG * self.measure(" "), 1.0)
