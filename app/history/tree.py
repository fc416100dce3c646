"""The messages of a conversation: a tree, of which one branch is shown. Call inside a transaction to write."""

import re
import sqlite3
import time
from dataclasses import replace

from app.history.rows import StoredMessage

# The whole text of a message, whatever part of it is still in chunks.
TEXT = """content || coalesce((SELECT group_concat(text, '') FROM
    (SELECT text FROM chunks WHERE message_id = messages.id ORDER BY seq)), '')"""
BRANCH = """WITH RECURSIVE branch (id, next, depth) AS (
        SELECT id, active_child_id, 0 FROM messages
            WHERE id = (SELECT active_child_id FROM conversations WHERE id = ?)
        UNION ALL
        SELECT messages.id, messages.active_child_id, depth + 1
            FROM branch JOIN messages ON messages.id = branch.next
    )"""
SHOWN = f"""{BRANCH} SELECT messages.id, role, {TEXT} AS content, state, stats, created_at, parent_id, '', attachments
    FROM branch JOIN messages ON messages.id = branch.id ORDER BY depth"""
LAST = f"""{BRANCH} SELECT messages.id, parent_id, role
    FROM branch JOIN messages ON messages.id = branch.id ORDER BY depth DESC LIMIT 1"""
END_OF_STREAM = f"UPDATE messages SET content = {TEXT}, state = ?, stats = coalesce(?, stats) WHERE id = ?"
COPY_CONVERSATION = """INSERT INTO conversations (title, pair, folder, settings, titled, created_at, updated_at)
    SELECT ?, pair, folder, settings, titled, ?, ? FROM conversations WHERE id = ?"""
COPY_MESSAGE = f"""INSERT INTO messages
        (conversation_id, parent_id, role, content, state, stats, attachments, created_at)
    SELECT ?, ?, role, {TEXT}, replace(state, 'streaming', 'stopped'), stats, attachments, created_at
    FROM messages WHERE id = ?"""
COPY_RECORD = "INSERT INTO records SELECT ?, record FROM records WHERE message_id = ?"


def shown(connection: sqlite3.Connection, conversation: int) -> list[StoredMessage]:
    """The active branch, from the first message on."""
    places = _siblings(connection, conversation)
    return [
        replace(StoredMessage(*tuple(row)), siblings=tuple(places[row["parent_id"]]))
        for row in connection.execute(SHOWN, (conversation,)).fetchall()
    ]


def last(connection: sqlite3.Connection, conversation: int) -> sqlite3.Row | None:
    """The end of the active branch: id, parent_id and role."""
    row: sqlite3.Row | None = connection.execute(LAST, (conversation,)).fetchone()
    return row


def add(
    connection: sqlite3.Connection,
    conversation: int,
    parent: int | None,
    role: str,
    text: str,
    *,
    attachments_json: str | None = None,
) -> int:
    """A message below `parent` (None: a first one), on the active branch."""
    now, state = time.time(), "streaming" if role == "assistant" else "complete"
    message = insert(
        connection,
        "INSERT INTO messages (conversation_id, parent_id, role, content, state, attachments, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (conversation, parent, role, text, state, attachments_json, now),
    )
    activate(connection, conversation, parent, message)
    connection.execute("UPDATE conversations SET updated_at = ? WHERE id = ?", (now, conversation))
    return message


def choose(connection: sqlite3.Connection, message: int) -> None:
    """Every message above shows the way to this one; what was active below it stays so."""
    conversation, path = place_of(connection, message)["conversation_id"], path_to(connection, message)
    for parent, child in zip([None, *path], path, strict=False):
        activate(connection, conversation, parent, child)


def place_of(connection: sqlite3.Connection, message: int) -> sqlite3.Row:
    """conversation_id, parent_id and role. Errors: sqlite3.IntegrityError for a message that is gone."""
    query = "SELECT conversation_id, parent_id, role FROM messages WHERE id = ?"
    row: sqlite3.Row | None = connection.execute(query, (message,)).fetchone()
    if row is None:
        raise MessageGone
    return row


def path_to(connection: sqlite3.Connection, message: int) -> list[int]:
    """The ids from the first message down to this one."""
    path = [message]
    while (parent := place_of(connection, path[-1])["parent_id"]) is not None:
        path.append(parent)
    return path[::-1]


def copy_branch(connection: sqlite3.Connection, message: int) -> tuple[int, list[int]]:
    """A new conversation and its messages: those from the first one down to `message`."""
    source, now = place_of(connection, message)["conversation_id"], time.time()
    [title] = connection.execute("SELECT title FROM conversations WHERE id = ?", (source,)).fetchone()
    conversation = insert(connection, COPY_CONVERSATION, (numbered(title), now, now, source))
    copies: list[int] = []
    for original in path_to(connection, message):
        parent = copies[-1] if copies else None
        copies.append(insert(connection, COPY_MESSAGE, (conversation, parent, original)))
        connection.execute(COPY_RECORD, (copies[-1], original))
        activate(connection, conversation, parent, copies[-1])
    return conversation, copies


def end_stream(connection: sqlite3.Connection, message: int, state: str, stats: str | None) -> None:
    connection.execute(END_OF_STREAM, (state, stats, message))
    connection.execute("DELETE FROM chunks WHERE message_id = ?", (message,))


def interrupt(connection: sqlite3.Connection) -> None:
    """The process that streamed these is gone; what it wrote stays."""
    for (message,) in connection.execute("SELECT id FROM messages WHERE state = 'streaming'").fetchall():
        end_stream(connection, message, "interrupted", None)


def insert(connection: sqlite3.Connection, statement: str, values: tuple[object, ...]) -> int:
    row = connection.execute(statement, values).lastrowid
    assert row is not None
    return row


def numbered(title: str) -> str:
    """The title of a copy: "Title (2)", of a copy of that "Title (3)"."""
    found = re.fullmatch(r"(.*) \((\d{1,4})\)", title, re.DOTALL)
    return f"{found[1]} ({int(found[2]) + 1})" if found else f"{title} (2)"


class MessageGone(sqlite3.IntegrityError):
    """In the shape of the error that SQLite raises when something refers to a row that is gone."""

    sqlite_errorcode = sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY


def activate(connection: sqlite3.Connection, conversation: int, parent: int | None, child: int) -> None:
    above, upper = ("conversations", conversation) if parent is None else ("messages", parent)
    connection.execute(f"UPDATE {above} SET active_child_id = ? WHERE id = ?", (child, upper))


def _siblings(connection: sqlite3.Connection, conversation: int) -> dict[int | None, list[int]]:
    """Parent -> ids below it, oldest first."""
    query = "SELECT parent_id, id FROM messages WHERE conversation_id = ? ORDER BY id"
    places: dict[int | None, list[int]] = {}
    for parent, message in connection.execute(query, (conversation,)):
        places.setdefault(parent, []).append(message)
    return places
