"""The trigram index of the messages' texts: kept in step by the store, read by app.history.search."""

import contextlib
import sqlite3

# It holds no text of its own. It has no triggers: an answer that is still coming is indexed once, at its end, and
# a database that was last opened by an SQLite without FTS5 is caught up with.
CREATE = """CREATE VIRTUAL TABLE IF NOT EXISTS message_index
    USING fts5 (content, content = 'messages', content_rowid = 'id', tokenize = 'trigram')"""
ADD = """INSERT INTO message_index (rowid, content) SELECT id, content FROM messages
    WHERE state <> 'streaming' AND id NOT IN (SELECT id FROM message_index_docsize)"""
REMOVE = """INSERT INTO message_index (message_index, rowid, content)
    SELECT 'delete', id, content FROM messages WHERE id IN (SELECT id FROM message_index_docsize)"""


class SearchIndex:
    """Call inside a transaction of `connection`. `available` is False for an SQLite without FTS5, or before 3.34."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.available = False
        with contextlib.suppress(sqlite3.OperationalError):
            connection.execute(CREATE)
            self.available = True
            self.add_missing(connection)

    def add_missing(self, connection: sqlite3.Connection) -> None:
        if self.available:
            connection.execute(ADD)

    def add(self, connection: sqlite3.Connection, message: int) -> None:
        if self.available:
            connection.execute(f"{ADD} AND id = ?", (message,))

    def remove(self, connection: sqlite3.Connection, message: int) -> None:
        """Before its text changes."""
        if self.available:
            connection.execute(f"{REMOVE} AND id = ?", (message,))

    def remove_all(self, connection: sqlite3.Connection, conversation: int) -> None:
        if self.available:
            connection.execute(f"{REMOVE} AND conversation_id = ?", (conversation,))
