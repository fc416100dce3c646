"""Where a key leads from one token to another."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt

from app.speculation.origins import Origin, Token
from app.speculation.token_layout import TokenLayout


@dataclass(frozen=True, slots=True)
class TokenMoves:
    """From the token `cursor`, -1 before the first move. `page`: lines that a view shows."""

    layout: TokenLayout
    tokens: Sequence[Token]
    cursor: int
    page: int
    mirrored: bool

    def target(self, key: int, jump: bool) -> int | None:
        """The number of a token; None where the key leads nowhere. `jump`: to corrections only."""
        last = self.layout.count - 1
        forward, back = Qt.Key.Key_Right, Qt.Key.Key_Left
        if self.mirrored:
            forward, back = back, forward
        if key in (forward, back):
            step = 1 if key == forward else -1
            return self._correction(step) if jump else min(max(self.cursor + step, 0), last)
        if key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            return 0 if key == Qt.Key.Key_Home else last
        lines = {
            int(Qt.Key.Key_Up): -1,
            int(Qt.Key.Key_Down): 1,
            int(Qt.Key.Key_PageUp): -self.page,
            int(Qt.Key.Key_PageDown): self.page,
        }
        return self._in_line(lines[int(key)]) if int(key) in lines else None

    def _correction(self, step: int) -> int | None:
        """The next token before or after the cursor where guesses were rejected."""
        number = self.cursor + step
        while 0 <= number < self.layout.count:
            if self.tokens[number].origin is Origin.CORRECTED:
                return number
            number += step
        return None

    def _in_line(self, lines: int) -> int:
        """The nearest one so many lines below."""
        if self.cursor < 0:
            return 0
        line = self.layout.first_line_of(self.cursor)
        run = self.layout.runs_of(self.cursor)[0]
        wanted = min(max(line + lines, 0), len(self.layout.starts) - 1)
        found = self.layout.token_at(wanted, run.x + run.width / 2, nearest=True)
        return self.cursor if found is None else found
