"""The title that a conversation has until its user gives it one."""

import re
import unicodedata

TITLE_CHARS = 60
# controls, invisible spaces, and what turns the direction of the words around a title; Persian and emoji need joiners
UNSEEN = re.compile("[\u0000-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]+")


def title_of(text: str) -> str:
    """The first line of the first message in which there is something to see, shortened; else ""."""
    line = next((title for line in text.splitlines() if (title := legible(line))), "")
    return line if len(line) <= TITLE_CHARS else line[: TITLE_CHARS - 1].rstrip() + "…"


def legible(title: str) -> str:
    """On one line, without what can't be seen; "" when nothing is left."""
    plain = " ".join(UNSEEN.sub(" ", title).split())
    seen = any(unicodedata.category(letter) not in ("Cf", "Zs") for letter in plain)
    return plain if seen else ""
