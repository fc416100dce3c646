"""A fenced code block while it streams, and whether a fence is closed (CommonMark 4.5)."""

import re
from functools import lru_cache

from markdown_it.token import Token

_CLOSE_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*$")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class OpenFence:
    """Text of a code block whose closing line has not come; holds back a line that may become it."""

    def __init__(self, token: Token, source: str) -> None:
        opener, *lines = lines_of(source)[token.map[0] if token.map else 0 :]
        self._indent = len(opener) - len(opener.lstrip(" "))
        self._marker = token.markup
        self.text = ""
        self._partial = ""
        self.feed("".join(lines))

    def feed(self, text: str) -> str | None:
        """None while the block stays open, else the text after its closing line."""
        lines = lines_of(self._partial + text)
        for index, line in enumerate(lines):
            if not line.endswith("\n"):
                break
            if _closes(line, self._marker):
                return "".join(lines[index + 1 :])
            self.text += self._dedented(line)
        else:
            self._partial = ""
            return None
        self._partial = lines[-1]
        return None

    def visible(self) -> str:
        """What may be shown: never a line that could still turn out to be the closing fence."""
        may_close = not self._partial.lstrip(" ").strip(self._marker[0])
        return self.text if may_close else self.text + self._dedented(self._partial)

    def complete(self) -> str:
        """The code when nothing more comes: the last line may close it without a line break."""
        if not self._partial.strip() or _closes(self._partial, self._marker):
            return self.text
        return self.text + self._dedented(self._partial)

    def _dedented(self, line: str) -> str:
        """Content loses as much indentation as the opening fence has (CommonMark 4.5)."""
        spaces = len(line) - len(line.lstrip(" "))
        return line[min(spaces, self._indent) :]


@lru_cache(maxsize=2)  # each block of a long text asks for the lines of all of it
def lines_of(text: str) -> tuple[str, ...]:
    """Lines with their ends, as Markdown counts them: str.splitlines() also breaks at U+2028 and others."""
    return tuple(_LINE.findall(text))


def _closes(line: str, marker: str) -> bool:
    match = _CLOSE_FENCE.match(line.rstrip("\r\n"))
    return match is not None and match[1][0] == marker[0] and len(match[1]) >= len(marker)


def fence_is_closed(token: Token, source: str) -> bool:
    if token.map is None or token.map[1] - token.map[0] < 2:
        return False
    line = lines_of(source)[token.map[1] - 1]
    return line.endswith("\n") and _closes(line.lstrip() if token.level else line, token.markup)
