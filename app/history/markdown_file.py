"""A conversation as Markdown, for people; and back as a plain one, without branches and figures.

Each message stands below a comment that no reader shows, so that headings inside a message are no trouble. A file
from elsewhere is taken apart at headings such as "## User"; without any it becomes one message.
"""

import re
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QCoreApplication

from app.history.archive import MOST_BYTES, ArchivedChat, ArchivedMessage, too_large
from app.history.rows import StoredMessage
from app.history.text import sound
from app.history.titles import title_of
from engine.errors import SlipstreamError

MARK = re.compile(r"^<!-- slipstream: (user|assistant) -->$", re.MULTILINE)
ESCAPED = re.compile(r"^(\\*<!-- slipstream: )", re.MULTILINE)
UNESCAPE = re.compile(r"^\\(\\*<!-- slipstream: )", re.MULTILINE)
HEADING = re.compile(r"(?:#{1,6} +|\*\*)([A-Za-z]+):?(?:\*\*)?:?")
USERS = {"you", "user", "human", "me", "prompt", "question"}
ASSISTANTS = {"assistant", "answer", "ai", "model", "bot", "response", "chatgpt", "claude", "gemini"}

Turn = tuple[str, str]  # role, text


def written(title: str, messages: Sequence[StoredMessage], names: dict[str, str]) -> str:
    """`names` are the headings above the messages of a "user" and of an "assistant"."""
    parts = [f"# {' '.join(title.split())}"]
    for message in messages:
        text = ESCAPED.sub(r"\\\1", message.content)
        parts.append(f"<!-- slipstream: {message.role} -->\n## {names[message.role]}\n\n{text}")
    return "\n\n".join(parts) + "\n"


def read(data: bytes, name: str, now: float) -> ArchivedChat:
    """A conversation, as app.history.archive adds it. Errors: SlipstreamError."""
    if len(data) > MOST_BYTES:
        raise too_large(name)
    try:
        text = sound(data.decode("utf-8-sig")).replace("\r\n", "\n")
    except UnicodeDecodeError:
        foreign = QCoreApplication.translate(
            "History", "{file} is no text in UTF-8; save it as UTF-8 and import it again."
        )
        raise SlipstreamError(foreign.format(file=name)) from None
    title, rest = _title_and_rest(text)
    turns = _own_turns(rest) or _foreign_turns(rest)
    if not turns:
        empty = QCoreApplication.translate("History", "{file} holds no text; choose another file.")
        raise SlipstreamError(empty.format(file=name))
    return _chat(title or title_of(turns[0][1]), turns, now)


def _title_and_rest(text: str) -> tuple[str, str]:
    first, _, rest = text.lstrip("\n").partition("\n")
    return (first[2:].strip(), rest) if first.startswith("# ") else ("", text)


def _own_turns(text: str) -> list[Turn]:
    _before, *parts = MARK.split("\n" + text)
    pairs = zip(parts[::2], parts[1::2], strict=True)
    return [(role, UNESCAPE.sub(r"\1", _below_heading(body)).strip("\n")) for role, body in pairs]


def _below_heading(body: str) -> str:
    first, _, rest = body.lstrip("\n").partition("\n")
    return rest if first.startswith("## ") else body


def _foreign_turns(text: str) -> list[Turn]:
    turns: list[tuple[str, list[str]]] = [("user", [])]
    for role, line in _lines_with_roles(text):
        if role:
            turns.append((role, []))
        else:
            turns[-1][1].append(line)
    joined = [(role, "\n".join(lines).strip("\n")) for role, lines in turns]
    return [(role, body) for role, body in joined if body.strip()]


def _lines_with_roles(text: str) -> Iterator[tuple[str, str]]:
    """Each line, with the role that begins with it; none inside of code."""
    fenced = False
    for line in text.split("\n"):
        fenced ^= line.lstrip().startswith("```")
        found = None if fenced else HEADING.fullmatch(line.strip())
        word = found[1].lower() if found else ""
        yield ("user" if word in USERS else "assistant" if word in ASSISTANTS else ""), line


def _chat(title: str, turns: Sequence[Turn], now: float) -> ArchivedChat:
    last = len(turns) - 1
    messages = [
        ArchivedMessage(
            role="user" if role == "user" else "assistant",
            text=text,
            created_at=now,
            parent=number - 1 if number else None,
            active=number + 1 if number < last else None,
        )
        for number, (role, text) in enumerate(turns)
    ]
    return ArchivedChat(title=title, created_at=now, updated_at=now, messages=messages, active=0)
