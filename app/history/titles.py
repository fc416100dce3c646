"""The title that a conversation has until its user gives it one."""

TITLE_CHARS = 60


def title_of(text: str) -> str:
    """The first line of the first message, shortened; "" for a message without one."""
    line = next((stripped for line in text.splitlines() if (stripped := line.strip())), "")
    return line if len(line) <= TITLE_CHARS else line[: TITLE_CHARS - 1].rstrip() + "…"
