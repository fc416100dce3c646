"""Conversations in one SQLite file: a message is on the disk before it is answered, an answer once a second."""

import json
import sqlite3
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from app.history import archive, shelves, tree
from app.history.database import Database
from app.history.index import SearchIndex
from app.history.rows import Conversation, Hit, StoredMessage
from app.history.search import Search, Searcher
from app.history.text import sound
from app.history.titles import legible, title_of

__all__ = ["Conversation", "HistoryStore", "Hit", "StoredMessage"]

DELETED_KEPT_S = 30 * 86400.0  # how long a deleted conversation can still be brought back


class HistoryStore:
    """Belongs to one thread and, by a lock file, to one process. Errors: SlipstreamError.

    `notice` is a sentence for the user when something happened to the file, else None.
    """

    def __init__(self, path: Path) -> None:
        self._database = Database(Path(path))
        self._pending: dict[int, list[str]] = {}  # message id -> text since the last flush
        try:
            with self._database.transaction() as connection:
                tree.interrupt(connection)
                self._index = SearchIndex(connection)
                for conversation in shelves.deleted_before(connection, time.time() - DELETED_KEPT_S):
                    self._erase(connection, conversation)
        except BaseException:
            self._database.close()
            raise

    @property
    def notice(self) -> str | None:
        return self._database.notice

    def close(self) -> None:
        try:
            self.flush()
        finally:
            self._database.close()

    # The list of conversations

    def conversations(self) -> list[Conversation]:
        """Newest first."""
        rows = self._database.read(shelves.LISTED + shelves.NEWEST_FIRST)
        return [shelves.conversation_of(row) for row in rows]

    def conversation(self, conversation: int) -> Conversation | None:
        """Wherever it stands; None when there is none of this id."""
        rows = self._database.read(shelves.ONE, (conversation,))
        return shelves.conversation_of(rows[0]) if rows else None

    def search(self, text: str) -> list[Hit]:
        """The newest conversations that hold every word of `text` in their title or messages, in any case."""
        with self._database.reading() as connection:
            return Search(connection, self._index.available).hits(text)

    def searcher(self) -> Searcher:
        """Searches in a thread of its own."""
        return Searcher(self._database.path)

    def create(self, title: str, pair: str) -> int:
        """`title` is an automatic one, until the conversation is renamed."""
        now = time.time()
        statement = "INSERT INTO conversations (title, pair, created_at, updated_at) VALUES (?, ?, ?, ?)"
        with self._database.transaction() as connection:
            return tree.insert(connection, statement, (sound(title), pair, now, now))

    def rename(self, conversation: int, title: str) -> None:
        """The user's own title, which nothing else changes."""
        self._set(conversation, "title = ?, titled = 1", legible(sound(title)))

    def settings(self, conversation: int) -> str | None:
        """JSON, as `set_settings` got it."""
        rows = self._database.read("SELECT settings FROM conversations WHERE id = ?", (conversation,))
        return rows[0][0] if rows else None

    def set_settings(self, conversation: int, settings_json: str | None) -> None:
        self._set(conversation, "settings = ?", settings_json)

    def pin(self, conversation: int, pinned: bool) -> None:
        self._set(conversation, "pinned = ?", pinned)

    def folders(self) -> list[str]:
        """All of them, empty ones too, by name."""
        return sorted((row[0] for row in self._database.read("SELECT name FROM folders")), key=str.casefold)

    def add_folder(self, name: str) -> None:
        with self._database.transaction() as connection:
            connection.execute(shelves.KEEP_FOLDER, (sound(name),))

    def rename_folder(self, folder: str, name: str) -> None:
        with self._database.transaction() as connection:
            shelves.rename_folder(connection, folder, sound(name))

    def remove_folder(self, folder: str) -> None:
        """Its conversations stay, in no folder."""
        with self._database.transaction() as connection:
            shelves.remove_folder(connection, folder)

    def move(self, conversation: int, folder: str | None) -> None:
        """Into a folder, a new one too, or out of its own."""
        with self._database.transaction() as connection:
            shelves.move(connection, conversation, None if folder is None else sound(folder))

    def delete(self, conversation: int) -> None:
        """Into the bin, for 30 days."""
        self._set(conversation, "deleted_at = ?", time.time())

    def deleted(self) -> list[Conversation]:
        """The bin, what was deleted last first."""
        return [shelves.conversation_of(row) for row in self._database.read(shelves.BINNED)]

    def count_deleted(self) -> int:
        query = "SELECT count(*) FROM conversations WHERE deleted_at IS NOT NULL"
        return int(self._database.read(query)[0][0])

    def restore(self, conversation: int) -> None:
        self._set(conversation, "deleted_at = ?", None)

    def undo_delete(self) -> int | None:
        """Brings back what was deleted last; None when nothing is left to bring back."""
        last = next(iter(self.deleted()), None)
        if last is None:
            return None
        self.restore(last.id)
        return last.id

    def purge(self, conversation: int) -> None:
        """For good."""
        with self._database.transaction() as connection:
            self._erase(connection, conversation)

    def empty_bin(self) -> None:
        with self._database.transaction() as connection:
            for conversation in shelves.deleted_before(connection, float("inf")):
                self._erase(connection, conversation)

    def archived(self, conversation: int) -> archive.ArchivedChat:
        """The whole conversation, as it stands in a file of exported chats."""
        self.flush()
        with self._database.reading() as connection:
            return archive.chat_of(connection, conversation)

    def adopt(self, chats: Iterable[archive.ArchivedChat]) -> list[int]:
        """The new conversations; all of them or, on an error, none."""
        with self._database.transaction(durable=True) as connection:
            conversations = [archive.add_chat(connection, chat) for chat in chats]
            self._index.add_missing(connection)
        return conversations

    # The tree of messages

    def messages(self, conversation: int) -> list[StoredMessage]:
        """The active branch, from the first message on, with the text of an answer that is still coming."""
        with self._database.reading() as connection:
            shown = tree.shown(connection, conversation)
        return [replace(message, content=message.content + self._unwritten(message.id)) for message in shown]

    def add_user(self, conversation: int, text: str, attachments_json: str | None = None) -> int:
        """On the disk, power cut or not, when this returns."""
        with self._database.transaction(durable=True) as connection:
            last = tree.last(connection, conversation)
            parent = last["id"] if last else None
            return self._add_user(connection, conversation, parent, text, attachments_json)

    def edit_user(self, message: int, text: str, attachments_json: str | None = None) -> int:
        """A new message in the place of `message`, which stays as its sibling; nothing is below it yet."""
        with self._database.transaction(durable=True) as connection:
            place = tree.place_of(connection, message)
            conversation, parent = place["conversation_id"], place["parent_id"]
            if parent is None:
                retitle = "UPDATE conversations SET title = ? WHERE id = ? AND NOT titled"
                connection.execute(retitle, (title_of(sound(text)), conversation))
            return self._add_user(connection, conversation, parent, text, attachments_json)

    def start_assistant(self, conversation: int, instead_of: int | None = None) -> int:
        """An empty answer: a sibling of the answer `instead_of`, by default of the last message if that is one."""
        with self._database.transaction() as connection:
            if instead_of is None:
                last = tree.last(connection, conversation)
                parent = None if last is None else last["parent_id" if last["role"] == "assistant" else "id"]
            else:
                parent = tree.place_of(connection, instead_of)["parent_id"]
            return tree.add(connection, conversation, parent, "assistant", "")

    def choose(self, message: int) -> None:
        """Its branch becomes the active one, down to what was active below it."""
        with self._database.transaction() as connection:
            tree.choose(connection, message)

    def branch(self, message: int) -> int:
        """A new conversation: a copy of the messages from the first one down to `message`."""
        self.flush()
        with self._database.transaction(durable=True) as connection:
            conversation, copies = tree.copy_branch(connection, message)
            for copy in copies:
                self._index.add(connection, copy)
        return conversation

    # An answer that is coming

    def resume(self, message: int) -> None:
        """A finished answer streams on: append, flush and finish, as for a new one."""
        with self._database.transaction() as connection:
            tree.place_of(connection, message)
            self._index.remove(connection, message)
            connection.execute("UPDATE messages SET state = 'streaming' WHERE id = ?", (message,))

    def append(self, message: int, text: str) -> None:
        """Kept in memory until the next flush."""
        if text:
            self._pending.setdefault(message, []).append(sound(text))

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
            tree.end_stream(connection, message, state, None if stats is None else json.dumps(stats))
            self._index.add(connection, message)
            connection.execute(
                "UPDATE conversations SET updated_at = ?"
                " WHERE id = (SELECT conversation_id FROM messages WHERE id = ?)",
                (time.time(), message),
            )
        self._pending.pop(message, None)

    def record(self, message: int) -> bytes | None:
        """What `set_record` got."""
        rows = self._database.read("SELECT record FROM records WHERE message_id = ?", (message,))
        return rows[0][0] if rows else None

    def set_record(self, message: int, record: bytes | None) -> None:
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM records WHERE message_id = ?", (message,))
            if record is not None:
                connection.execute("INSERT INTO records VALUES (?, ?)", (message, record))

    def _add_user(
        self,
        connection: sqlite3.Connection,
        conversation: int,
        parent: int | None,
        text: str,
        attachments_json: str | None,
    ) -> int:
        message = tree.add(
            connection, conversation, parent, "user", sound(text), attachments_json=attachments_json
        )
        self._index.add(connection, message)
        return message

    def _set(self, conversation: int, assignment: str, value: object) -> None:
        with self._database.transaction() as connection:
            connection.execute(f"UPDATE conversations SET {assignment} WHERE id = ?", (value, conversation))

    def _write_pending(self, connection: sqlite3.Connection, message: int) -> None:
        text = self._unwritten(message)
        if text:
            connection.execute(
                "INSERT INTO chunks SELECT ?, coalesce(max(seq), 0) + 1, ? FROM chunks WHERE message_id = ?",
                (message, text, message),
            )

    def _unwritten(self, message: int) -> str:
        return "".join(self._pending.get(message, ()))

    def _erase(self, connection: sqlite3.Connection, conversation: int) -> None:
        for (message,) in connection.execute(
            "SELECT id FROM messages WHERE conversation_id = ?", (conversation,)
        ):
            self._pending.pop(message, None)
        self._index.remove_all(connection, conversation)
        shelves.erase(connection, conversation)
