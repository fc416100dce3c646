"""Conversations in one SQLite file: a message is on the disk before it is answered, an answer once a second."""

import json
import sqlite3
import time
from dataclasses import replace
from pathlib import Path

from app.history.database import Database
from app.history.rows import Conversation, StoredMessage
from app.history.search import SearchIndex

__all__ = ["Conversation", "HistoryStore", "StoredMessage"]

DELETED_KEPT_S = 30 * 86400.0  # how long a deleted conversation can still be brought back

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
SHOWN = f"""{BRANCH} SELECT messages.id, role, {TEXT}, state, stats, created_at
    FROM branch JOIN messages ON messages.id = branch.id ORDER BY depth"""
LAST = f"""{BRANCH} SELECT messages.id, parent_id, role
    FROM branch JOIN messages ON messages.id = branch.id ORDER BY depth DESC LIMIT 1"""
LISTED = "SELECT id, title, updated_at, pair FROM conversations WHERE deleted_at IS NULL"
NEWEST_FIRST = " ORDER BY updated_at DESC, id DESC"
END_OF_STREAM = f"UPDATE messages SET content = {TEXT}, state = ?, stats = coalesce(?, stats) WHERE id = ?"


class HistoryStore:
    """Belongs to one thread and, by a lock file, to one process. Errors: SlipstreamError.

    `notice` is a sentence for the user when something happened to the file, else None.
    """

    def __init__(self, path: Path) -> None:
        self._database = Database(Path(path))
        self._pending: dict[int, list[str]] = {}  # message id -> text since the last flush
        try:
            with self._database.transaction() as connection:
                _interrupt(connection)
                self._index = SearchIndex(connection)
                self._purge(connection)
        except BaseException:
            self._database.close()
            raise

    @property
    def notice(self) -> str | None:
        return self._database.notice

    def conversations(self) -> list[Conversation]:
        """Newest first."""
        return [Conversation(*row) for row in self._database.read(LISTED + NEWEST_FIRST)]

    def create(self, title: str, pair: str) -> int:
        now = time.time()
        with self._database.transaction() as connection:
            values = (title, pair, now, now)
            return _insert(
                connection,
                "INSERT INTO conversations (title, pair, created_at, updated_at) VALUES (?, ?, ?, ?)",
                values,
            )

    def messages(self, conversation: int) -> list[StoredMessage]:
        """The active branch, from the first message on, with the text of an answer that is still coming."""
        rows = [StoredMessage(*row) for row in self._database.read(SHOWN, (conversation,))]
        return [replace(row, content=row.content + self._unwritten(row.id)) for row in rows]

    def add_user(self, conversation: int, text: str) -> int:
        """On the disk, power cut or not, when this returns."""
        last = self._last(conversation)
        with self._database.transaction(durable=True) as connection:
            message = _add(connection, conversation, last["id"] if last else None, "user", _sound(text))
            self._index.add(connection, message)
        return message

    def start_assistant(self, conversation: int) -> int:
        """An empty answer; after another answer it is a second one to the same message, and takes its place."""
        last = self._last(conversation)
        parent = None if last is None else last["parent_id" if last["role"] == "assistant" else "id"]
        with self._database.transaction() as connection:
            return _add(connection, conversation, parent, "assistant", "")

    def append(self, message: int, text: str) -> None:
        """Kept in memory until the next flush."""
        if text:
            self._pending.setdefault(message, []).append(_sound(text))

    def flush(self) -> None:
        """Writes what was appended since the last time; when that fails it is kept for the next."""
        if not self._pending:
            return
        with self._database.transaction() as connection:
            for message in self._pending:
                self._write_pending(connection, message)
        self._pending.clear()

    def finish(self, message: int, state: str, stats: dict[str, object] | None) -> None:
        """The answer's last word, on the disk when this returns. `state` as in StoredMessage."""
        with self._database.transaction(durable=True) as connection:
            self._write_pending(connection, message)
            _end_stream(connection, message, state, None if stats is None else json.dumps(stats))
            self._index.add(connection, message)
            connection.execute(
                "UPDATE conversations SET updated_at = ?"
                " WHERE id = (SELECT conversation_id FROM messages WHERE id = ?)",
                (time.time(), message),
            )
        self._pending.pop(message, None)

    def rename(self, conversation: int, title: str) -> None:
        with self._database.transaction() as connection:
            connection.execute("UPDATE conversations SET title = ? WHERE id = ?", (title, conversation))

    def delete(self, conversation: int) -> None:
        """Out of sight; `undo_delete` brings it back for 30 days."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE conversations SET deleted_at = ? WHERE id = ?", (time.time(), conversation)
            )

    def undo_delete(self) -> int | None:
        """Brings back what was deleted last; None when nothing is left to bring back."""
        query = "SELECT id FROM conversations WHERE deleted_at IS NOT NULL ORDER BY deleted_at DESC, id DESC"
        row = next(iter(self._database.read(f"{query} LIMIT 1")), None)
        if row is None:
            return None
        with self._database.transaction() as connection:
            connection.execute("UPDATE conversations SET deleted_at = NULL WHERE id = ?", (row["id"],))
        return int(row["id"])

    def search(self, text: str) -> list[Conversation]:
        """Conversations that hold every word of `text` in their title or messages, in any case; newest first."""
        query, values = LISTED, list[str]()
        for word in text.split():
            found, words = self._index.query(word)
            query += f" AND id IN ({found})"
            values.extend(words)
        return [Conversation(*row) for row in self._database.read(query + NEWEST_FIRST, values)]

    def close(self) -> None:
        try:
            self.flush()
        finally:
            self._database.close()

    def _last(self, conversation: int) -> sqlite3.Row | None:
        return next(iter(self._database.read(LAST, (conversation,))), None)

    def _write_pending(self, connection: sqlite3.Connection, message: int) -> None:
        text = self._unwritten(message)
        if text:
            connection.execute(
                "INSERT INTO chunks SELECT ?, coalesce(max(seq), 0) + 1, ? FROM chunks WHERE message_id = ?",
                (message, text, message),
            )

    def _unwritten(self, message: int) -> str:
        return "".join(self._pending.get(message, ()))

    def _purge(self, connection: sqlite3.Connection) -> None:
        query = "SELECT id FROM conversations WHERE deleted_at < ?"
        for (conversation,) in connection.execute(query, (time.time() - DELETED_KEPT_S,)).fetchall():
            self._index.remove(connection, conversation)
            connection.execute("DELETE FROM messages WHERE conversation_id = ?", (conversation,))
            connection.execute("DELETE FROM conversations WHERE id = ?", (conversation,))


def _interrupt(connection: sqlite3.Connection) -> None:
    """The process that streamed these is gone; what it wrote stays."""
    for (message,) in connection.execute("SELECT id FROM messages WHERE state = 'streaming'").fetchall():
        _end_stream(connection, message, "interrupted", None)


def _end_stream(connection: sqlite3.Connection, message: int, state: str, stats: str | None) -> None:
    connection.execute(END_OF_STREAM, (state, stats, message))
    connection.execute("DELETE FROM chunks WHERE message_id = ?", (message,))


def _sound(text: str) -> str:
    """Without the halves of characters that Qt lets through and UTF-8 has no form for."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _insert(connection: sqlite3.Connection, statement: str, values: tuple[object, ...]) -> int:
    row = connection.execute(statement, values).lastrowid
    assert row is not None
    return row


def _add(connection: sqlite3.Connection, conversation: int, parent: int | None, role: str, text: str) -> int:
    """A message below `parent` (None: the first one), on the active branch."""
    now, state = time.time(), "streaming" if role == "assistant" else "complete"
    message = _insert(
        connection,
        "INSERT INTO messages (conversation_id, parent_id, role, content, state, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (conversation, parent, role, text, state, now),
    )
    above, upper = ("conversations", conversation) if parent is None else ("messages", parent)
    connection.execute(f"UPDATE {above} SET active_child_id = ? WHERE id = ?", (message, upper))
    connection.execute("UPDATE conversations SET updated_at = ? WHERE id = ?", (now, conversation))
    return message
