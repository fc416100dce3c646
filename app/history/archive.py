"""Conversations as JSON: the whole tree with figures, settings and records, and back. A file is all taken or refused.

Types and ranges are checked while the text is read, so that a hostile file ends at its first wrong value instead of
filling the memory.
"""

import sqlite3
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from PySide6.QtCore import QCoreApplication

from app.history import tree
from app.history.shelves import KEEP_FOLDER
from app.history.text import sound
from app.history.titles import legible
from engine.errors import SlipstreamError

FORMAT, VERSION = "slipstream-chats", 1
MOST_BYTES = 100 << 20  # of a file
LONGEST_NAME = 1000  # a title's or folder's characters
MOST_ABOUT = 1 << 20  # bytes of settings or figures, which are read whenever a chat is opened
NOTHING = msgspec.Raw(b"null")

CONVERSATION = """SELECT title, titled, pair, pinned, folder, created_at, updated_at, settings, active_child_id
    FROM conversations WHERE id = ?"""
MESSAGES = f"""SELECT id, parent_id, active_child_id, role, {tree.TEXT} AS text, state, stats, attachments,
        created_at, (SELECT record FROM records WHERE message_id = messages.id) AS record
    FROM messages WHERE conversation_id = ? ORDER BY id"""
ADD_CONVERSATION = """INSERT INTO conversations
        (title, titled, pair, pinned, folder, created_at, updated_at, settings)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
ADD_MESSAGE = """INSERT INTO messages
        (conversation_id, parent_id, role, content, state, stats, attachments, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""

Time = Annotated[float, msgspec.Meta(ge=0, le=1e11)]  # Unix
Number = Annotated[int, msgspec.Meta(ge=0)]


class ArchivedMessage(msgspec.Struct, frozen=True):
    """`parent` and `active` (the child that is shown) are numbers of messages; a parent stands before its children.

    `stats` and `attachments` are JSON; `record` is base64 in the file.
    """

    role: Literal["user", "assistant"]
    text: str
    created_at: Time
    state: Literal["complete", "interrupted", "stopped", "failed"] = "complete"
    parent: Number | None = None
    active: Number | None = None
    stats: msgspec.Raw = NOTHING
    attachments: msgspec.Raw = NOTHING
    record: bytes | None = None


class ArchivedChat(msgspec.Struct, frozen=True):
    """`titled` says that the title is the user's own; `active` is the first message that is shown."""

    title: str
    created_at: Time
    updated_at: Time
    messages: list[ArchivedMessage]
    titled: bool = True
    pair: str = ""
    pinned: bool = False
    folder: str | None = None
    settings: msgspec.Raw = NOTHING
    active: Number | None = None


class _Head(msgspec.Struct):
    format: str
    version: int


class _File(msgspec.Struct):
    conversations: list[ArchivedChat]


def chat_of(connection: sqlite3.Connection, conversation: int) -> ArchivedChat:
    row = connection.execute(CONVERSATION, (conversation,)).fetchone()
    if row is None:
        raise tree.MessageGone
    rows = connection.execute(MESSAGES, (conversation,)).fetchall()
    numbers = {message["id"]: number for number, message in enumerate(rows)}
    names = ("title", "pair", "folder", "created_at", "updated_at")
    return ArchivedChat(
        **{name: row[name] for name in names},
        titled=bool(row["titled"]),
        pinned=bool(row["pinned"]),
        settings=_raw(row["settings"]),
        active=numbers.get(row["active_child_id"]),
        messages=[_message(message, numbers) for message in rows],
    )


def add_chat(connection: sqlite3.Connection, chat: ArchivedChat) -> int:
    """The new conversation; call inside a transaction, with a chat that `read` has checked."""
    folder = None if chat.folder is None else sound(chat.folder)[:LONGEST_NAME]
    about = (
        legible(sound(chat.title))[:LONGEST_NAME],
        chat.titled,
        sound(chat.pair)[:LONGEST_NAME],
        chat.pinned,
        folder,
    )
    values = (*about, chat.created_at, chat.updated_at, _json(chat.settings))
    conversation = tree.insert(connection, ADD_CONVERSATION, values)
    if folder is not None:
        connection.execute(KEEP_FOLDER, (folder,))
    ids: list[int] = []
    for message in chat.messages:
        ids.append(_add_message(connection, conversation, ids, message))
    actives = [(None, chat.active), *zip(ids, (m.active for m in chat.messages), strict=True)]
    for parent, number in actives:
        if number is not None:
            tree.activate(connection, conversation, parent, ids[number])
    return conversation


def line_of(chat: ArchivedChat) -> bytes:
    return msgspec.json.encode(chat)


def file_of(lines: Sequence[bytes]) -> bytes:
    """The content of a file, one conversation a line."""
    head = b'{"format": "%s", "version": %d, "conversations": [\n' % (FORMAT.encode(), VERSION)
    return head + b",\n".join(lines) + b"\n]}\n"


def read(data: bytes, name: str) -> list[ArchivedChat]:
    """The conversations in a file called `name`. Errors: SlipstreamError, for whatever is wrong with it."""
    if len(data) > MOST_BYTES:
        raise too_large(name)
    _check_head(data, name)
    try:
        chats = msgspec.json.decode(data, type=_File).conversations
        for chat in chats:
            _check_tree(chat)
            _check_sizes(chat)
    except (ValueError, RecursionError, MemoryError) as error:
        raise _damaged(name) from error
    return chats


def too_large(name: str) -> SlipstreamError:
    large = QCoreApplication.translate("History", "{file} is larger than {size} MB; import a smaller file.")
    return SlipstreamError(large.format(file=name, size=MOST_BYTES >> 20))


def _check_head(data: bytes, name: str) -> None:
    try:
        head = msgspec.json.decode(data, type=_Head)
    except msgspec.ValidationError:
        head = _Head("", 0)
    except (ValueError, RecursionError, MemoryError) as error:
        raise _damaged(name) from error
    if head.format != FORMAT:
        foreign = QCoreApplication.translate(
            "History", "{file} holds no chats of Slipstream; choose a file that Slipstream exported."
        )
        raise SlipstreamError(foreign.format(file=name))
    if head.version != VERSION:
        newer = QCoreApplication.translate(
            "History", "{file} was written by another version of Slipstream; update Slipstream."
        )
        raise SlipstreamError(newer.format(file=name))


def _check_tree(chat: ArchivedChat) -> None:
    """Errors: ValueError, where a message is not below an earlier one, or shows one that isn't its child."""
    for number, message in enumerate(chat.messages):
        if message.parent is not None and message.parent >= number:
            raise ValueError(number)
    for parent, child in [(None, chat.active), *enumerate(message.active for message in chat.messages)]:
        if child is not None and (child >= len(chat.messages) or chat.messages[child].parent != parent):
            raise ValueError(child)


def _check_sizes(chat: ArchivedChat) -> None:
    if any(len(bytes(about)) > MOST_ABOUT for about in (chat.settings, *(m.stats for m in chat.messages))):
        raise ValueError(chat.title)


def _damaged(name: str) -> SlipstreamError:
    told = QCoreApplication.translate(
        "History", "{file} is damaged, so nothing of it was imported; export it once more."
    )
    return SlipstreamError(told.format(file=name))


def _message(row: sqlite3.Row, numbers: dict[int, int]) -> ArchivedMessage:
    return ArchivedMessage(
        role=row["role"],
        text=row["text"],
        created_at=row["created_at"],
        state="stopped" if row["state"] == "streaming" else row["state"],
        parent=numbers.get(row["parent_id"]),
        active=numbers.get(row["active_child_id"]),
        stats=_raw(row["stats"]),
        attachments=_raw(row["attachments"]),
        record=row["record"],
    )


def _add_message(
    connection: sqlite3.Connection, conversation: int, earlier: Sequence[int], message: ArchivedMessage
) -> int:
    parent = None if message.parent is None else earlier[message.parent]
    said = (message.role, sound(message.text), message.state)
    about = (_json(message.stats), _json(message.attachments), message.created_at)
    added = tree.insert(connection, ADD_MESSAGE, (conversation, parent, *said, *about))
    if message.record is not None:
        connection.execute("INSERT INTO records VALUES (?, ?)", (added, message.record))
    return added


def _raw(text: str | None) -> msgspec.Raw:
    """What lies in the database as JSON; what isn't any would spoil the whole file."""
    try:
        return NOTHING if text is None or msgspec.json.decode(text) is None else msgspec.Raw(text.encode())
    except (ValueError, RecursionError):
        return NOTHING


def _json(raw: Any) -> str | None:
    text = bytes(raw).decode("utf-8", "replace")
    return None if text == "null" else text
