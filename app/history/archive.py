"""Conversations as JSON: the whole tree with figures, settings and records, and back. A file is all taken or refused.

    {"format": "slipstream-chats", "version": 1, "conversations": [{
        "title", "titled", "pair", "pinned", "folder", "created_at", "updated_at", "settings", "active",
        "messages": [{"parent", "active", "role", "text", "state", "stats", "attachments", "record", "created_at"}]}]}

`parent` and `active` (the child that is shown) are numbers of messages, from 0; a parent stands before its children.
`record` is in base64; times are Unix times.
"""

import base64
import json
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication

from app.history import tree
from app.history.shelves import KEEP_FOLDER
from app.history.text import sound
from engine.errors import SlipstreamError

FORMAT, VERSION = "slipstream-chats", 1
MOST_BYTES = 100 << 20  # of a file
LONGEST_TITLE = 1000
ROLES = ("system", "user", "assistant")
STATES = ("complete", "interrupted", "stopped", "failed")
LATEST = 1e11  # a time; the year 5138

CONVERSATION = """SELECT title, titled, pair, pinned, folder, created_at, updated_at, settings, active_child_id
    FROM conversations WHERE id = ?"""
MESSAGES = f"""SELECT id, parent_id, active_child_id, role, {tree.TEXT} AS text, state, stats, attachments, created_at,
        (SELECT record FROM records WHERE message_id = messages.id) AS record
    FROM messages WHERE conversation_id = ? ORDER BY id"""
ADD_CONVERSATION = """INSERT INTO conversations (title, titled, pair, pinned, folder, created_at, updated_at, settings)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
ADD_MESSAGE = """INSERT INTO messages
        (conversation_id, parent_id, role, content, state, stats, attachments, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""

Chat = dict[str, Any]  # as in the file; of one that was read, every value has been checked


def chat_of(connection: sqlite3.Connection, conversation: int) -> Chat:
    """One conversation as it stands in the file."""
    row = connection.execute(CONVERSATION, (conversation,)).fetchone()
    if row is None:
        raise tree.MessageGone
    rows = connection.execute(MESSAGES, (conversation,)).fetchall()
    numbers = {message["id"]: number for number, message in enumerate(rows)}
    chat: Chat = dict(row)
    chat |= {"titled": bool(row["titled"]), "pinned": bool(row["pinned"])}
    chat |= {"settings": _value(row["settings"]), "active": numbers.get(chat.pop("active_child_id"))}
    chat["messages"] = [_message(message, numbers) for message in rows]
    return chat


def add_chat(connection: sqlite3.Connection, chat: Chat) -> int:
    """The new conversation; call inside a transaction, with a chat that `read` has checked."""
    names = ("title", "titled", "pair", "pinned", "folder", "created_at", "updated_at")
    values = (*(chat[name] for name in names), _text(chat["settings"]))
    conversation = tree.insert(connection, ADD_CONVERSATION, values)
    if chat["folder"] is not None:
        connection.execute(KEEP_FOLDER, (chat["folder"],))
    ids: list[int] = []
    for message in chat["messages"]:
        parent = None if message["parent"] is None else ids[message["parent"]]
        ids.append(_add_message(connection, conversation, parent, message))
    for above, number in [
        (None, chat["active"]),
        *zip(ids, (m["active"] for m in chat["messages"]), strict=True),
    ]:
        if number is not None:
            tree.activate(connection, conversation, above, ids[number])
    return conversation


def line_of(chat: Chat) -> str:
    return json.dumps(chat, ensure_ascii=False)


def file_of(lines: Sequence[str]) -> str:
    """The text of a file, one conversation a line."""
    between = ",\n".join(lines)
    return f'{{"format": "{FORMAT}", "version": {VERSION}, "conversations": [\n{between}\n]}}\n'


def read(data: bytes, name: str) -> list[Chat]:
    """The conversations in a file called `name`. Errors: SlipstreamError, for whatever is wrong with it."""
    if len(data) > MOST_BYTES:
        raise too_large(name)
    try:
        content = json.loads(data.decode("utf-8-sig"), parse_constant=_refuse)
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            foreign = QCoreApplication.translate(
                "History", "{file} holds no chats of Slipstream; choose a file that Slipstream exported."
            )
            raise SlipstreamError(foreign.format(file=name))
        if content.get("version") != VERSION:
            newer = QCoreApplication.translate(
                "History", "{file} was written by another version of Slipstream; update Slipstream."
            )
            raise SlipstreamError(newer.format(file=name))
        return [_checked_chat(chat) for chat in _list(content.get("conversations"))]
    except (ValueError, TypeError, KeyError, RecursionError, MemoryError) as error:
        damaged = QCoreApplication.translate(
            "History", "{file} is damaged, so nothing of it was imported; export it once more."
        )
        raise SlipstreamError(damaged.format(file=name)) from error


def too_large(name: str) -> SlipstreamError:
    large = QCoreApplication.translate("History", "{file} is larger than {size} MB; import a smaller file.")
    return SlipstreamError(large.format(file=name, size=MOST_BYTES >> 20))


def _message(row: sqlite3.Row, numbers: dict[int, int]) -> Chat:
    return {
        "parent": numbers.get(row["parent_id"]),
        "active": numbers.get(row["active_child_id"]),
        "role": row["role"],
        "text": row["text"],
        "state": "stopped" if row["state"] == "streaming" else row["state"],
        "stats": _value(row["stats"]),
        "attachments": _value(row["attachments"]),
        "record": None if row["record"] is None else base64.b64encode(row["record"]).decode(),
        "created_at": row["created_at"],
    }


def _add_message(connection: sqlite3.Connection, conversation: int, parent: int | None, message: Chat) -> int:
    said = (message["role"], message["text"], message["state"])
    about = (_text(message["stats"]), _text(message["attachments"]), message["created_at"])
    added = tree.insert(connection, ADD_MESSAGE, (conversation, parent, *said, *about))
    if message["record"] is not None:
        connection.execute("INSERT INTO records VALUES (?, ?)", (added, message["record"]))
    return added


def _checked_chat(value: object) -> Chat:
    chat = _object(value)
    messages = [_checked_message(message, number) for number, message in enumerate(_list(chat["messages"]))]
    checked = {
        "title": _string(chat["title"])[:LONGEST_TITLE],
        "titled": _is(chat["titled"], bool),
        "pair": _string(chat["pair"])[:LONGEST_TITLE],
        "pinned": _is(chat["pinned"], bool),
        "folder": _or_none(lambda name: _string(name)[:LONGEST_TITLE], chat["folder"]),
        "created_at": _time(chat["created_at"]),
        "updated_at": _time(chat["updated_at"]),
        "settings": _json(chat["settings"]),
        "active": chat["active"],
        "messages": messages,
    }
    _check_active(None, checked["active"], messages)
    for number, message in enumerate(messages):
        _check_active(number, message["active"], messages)
    return checked


def _checked_message(value: object, number: int) -> Chat:
    message = _object(value)
    parent = message["parent"]
    if parent is not None and not 0 <= _is(parent, int) < number:
        raise ValueError(parent)
    return {
        "parent": parent,
        "active": message["active"],
        "role": _one_of(message["role"], ROLES),
        "text": _string(message["text"]),
        "state": _one_of(message["state"], STATES),
        "stats": _json(message["stats"]),
        "attachments": _json(message["attachments"]),
        "record": _or_none(_bytes, message["record"]),
        "created_at": _time(message["created_at"]),
    }


def _check_active(parent: int | None, child: Any, messages: Sequence[Chat]) -> None:
    if child is None:
        return
    if not 0 <= _is(child, int) < len(messages) or messages[child]["parent"] != parent:
        raise ValueError(child)


def _is(value: Any, kind: type) -> Any:
    """True is no number here."""
    if type(value) is not kind:
        raise TypeError(value)
    return value


def _object(value: object) -> Chat:
    checked: Chat = _is(value, dict)
    return checked


def _list(value: object) -> list[object]:
    checked: list[object] = _is(value, list)
    return checked


def _string(value: object) -> str:
    return sound(_is(value, str))


def _one_of(value: object, words: Sequence[str]) -> str:
    if value not in words:
        raise ValueError(value)
    return str(value)


def _time(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LATEST:
        raise ValueError(value)
    return float(value)


def _bytes(value: object) -> bytes:
    return base64.b64decode(_is(value, str), validate=True)


def _json(value: object) -> object:
    """What is nested too deeply to be written is found here, before anything is."""
    _text(value)
    return value


def _or_none(check: Callable[[object], Any], value: object) -> Any:
    return None if value is None else check(value)


def _value(text: str | None) -> object:
    """What lies in the database as JSON."""
    try:
        return None if text is None else json.loads(text)
    except ValueError:
        return None


def _text(value: object) -> str | None:
    return None if value is None else sound(json.dumps(value, ensure_ascii=False))


def _refuse(constant: str) -> object:
    raise ValueError(constant)
