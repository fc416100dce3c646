"""Finds words in titles and messages, in any script: a trigram index, and a scan for what is too short for it."""

import contextlib
import sqlite3

TRIGRAM = 3  # characters; Chinese or Japanese words of two are common, and are scanned for

# The index holds no text of its own. It has no triggers: an answer that is still coming is indexed once, at its
# end, and a database that was last opened by an SQLite without FTS5 is caught up with.
CREATE = """CREATE VIRTUAL TABLE IF NOT EXISTS message_index
    USING fts5 (content, content = 'messages', content_rowid = 'id', tokenize = 'trigram')"""
ADD = """INSERT INTO message_index (rowid, content) SELECT id, content FROM messages
    WHERE state <> 'streaming' AND id NOT IN (SELECT id FROM message_index_docsize)"""
REMOVE = """INSERT INTO message_index (message_index, rowid, content)
    SELECT 'delete', id, content FROM messages
    WHERE conversation_id = ? AND id IN (SELECT id FROM message_index_docsize)"""


class SearchIndex:
    """Call inside a transaction of `connection`, but for `conversations`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        connection.create_function("holds", 2, _holds, deterministic=True)
        self.available = False
        with contextlib.suppress(sqlite3.OperationalError):  # SQLite without FTS5, or before 3.34
            connection.execute(CREATE)
            self.available = True
            self.add_missing(connection)

    def add_missing(self, connection: sqlite3.Connection) -> None:
        if self.available:
            connection.execute(ADD)

    def add(self, connection: sqlite3.Connection, message: int) -> None:
        if self.available:
            connection.execute(f"{ADD} AND id = ?", (message,))

    def remove(self, connection: sqlite3.Connection, conversation: int) -> None:
        if self.available:
            connection.execute(REMOVE, (conversation,))

    def query(self, word: str) -> tuple[str, tuple[str, ...]]:
        """SQL that selects the ids of conversations which hold `word` in their title or in a message."""
        titles = "SELECT id FROM conversations WHERE holds(title, ?)"
        if self.available and len(word) >= TRIGRAM:
            texts = (
                "SELECT conversation_id FROM message_index JOIN messages ON messages.id = message_index.rowid"
                " WHERE message_index MATCH ?"
            )
            return f"{titles} UNION {texts}", (word.casefold(), '"' + word.replace('"', '""') + '"')
        texts = "SELECT conversation_id FROM messages WHERE holds(content, ?)"
        return f"{titles} UNION {texts}", (word.casefold(), word.casefold())


def _holds(text: str, folded_word: str) -> bool:
    """LIKE would fold the case of ASCII letters only."""
    return folded_word in text.casefold()
