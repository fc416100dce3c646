"""Finds words in titles and messages, in any script: a trigram index, and a scan for what is too short for it."""

import contextlib
import itertools
import sqlite3
from collections.abc import Iterable, Sequence

from app.history.rows import Conversation, Hit
from app.history.shelves import LISTED, NEWEST_FIRST, conversation_of
from app.history.snippet import snippet_of

TRIGRAM = 3  # characters; Chinese or Japanese words of one or two are common, and are scanned for
MOST_HITS = 200

# The index holds no text of its own. It has no triggers: an answer that is still coming is indexed once, at its
# end, and a database that was last opened by an SQLite without FTS5 is caught up with.
CREATE = """CREATE VIRTUAL TABLE IF NOT EXISTS message_index
    USING fts5 (content, content = 'messages', content_rowid = 'id', tokenize = 'trigram')"""
ADD = """INSERT INTO message_index (rowid, content) SELECT id, content FROM messages
    WHERE state <> 'streaming' AND id NOT IN (SELECT id FROM message_index_docsize)"""
REMOVE = """INSERT INTO message_index (message_index, rowid, content)
    SELECT 'delete', id, content FROM messages WHERE id IN (SELECT id FROM message_index_docsize)"""
MATCH = "SELECT rowid FROM message_index WHERE message_index MATCH ?"

Condition = tuple[str, list[str]]  # SQL and its values


class SearchIndex:
    """Call inside a transaction of `connection`, but for `hits`."""

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

    def remove(self, connection: sqlite3.Connection, message: int) -> None:
        """Before its text changes."""
        if self.available:
            connection.execute(f"{REMOVE} AND id = ?", (message,))

    def remove_all(self, connection: sqlite3.Connection, conversation: int) -> None:
        if self.available:
            connection.execute(f"{REMOVE} AND conversation_id = ?", (conversation,))

    def hits(self, connection: sqlite3.Connection, text: str) -> list[Hit]:
        """Conversations that hold every word of `text` in their title or messages, in any case; newest first.

        A hit's message is the newest one with all the words, else the newest with the longest of them it has.
        """
        words = text.replace("\0", " ").split()
        conversations = self._conversations(connection, words)
        messages: dict[int, int] = {}
        for wanted in (words, *([word] for word in sorted(words, key=len, reverse=True))):
            without = [c.id for c in conversations if c.id not in messages]
            if wanted and without:
                messages |= self._newest(connection, wanted, without)
        contents = _contents(connection, messages.values())
        return [
            _hit(conversation, messages.get(conversation.id), contents, words)
            for conversation in conversations
        ]

    def _conversations(self, connection: sqlite3.Connection, words: Sequence[str]) -> list[Conversation]:
        query, values = LISTED, list[str]()
        for word in words:
            condition, needed = self._texts_with([word])
            query += f""" AND (id IN (SELECT conversation_id FROM messages WHERE {condition})
                OR holds(title, ?))"""
            values += [*needed, word.casefold()]
        rows = connection.execute(f"{query}{NEWEST_FIRST} LIMIT {MOST_HITS}", values)
        return [conversation_of(row) for row in rows.fetchall()]

    def _newest(
        self, connection: sqlite3.Connection, words: Sequence[str], conversations: Iterable[int]
    ) -> dict[int, int]:
        """Conversation -> the newest message that holds all the words."""
        condition, values = self._texts_with(words)
        among = ", ".join(map(str, conversations))
        query = f"""SELECT conversation_id, max(id) FROM messages
            WHERE conversation_id IN ({among}) AND {condition} GROUP BY conversation_id"""
        return dict(connection.execute(query, values).fetchall())

    def _texts_with(self, words: Sequence[str]) -> Condition:
        parts: list[Condition] = []
        for word in words:
            if self.available and len(word) >= TRIGRAM:
                quoted = word.replace('"', '""')
                parts.append((f"id IN ({MATCH})", [f'"{quoted}"']))
            else:
                parts.append(_scan_for(word))
        return " AND ".join(sql for sql, _ in parts), [value for _, values in parts for value in values]


def _scan_for(word: str) -> Condition:
    """What is short has few spellings, and SQLite finds them faster than Python can fold the case of all texts."""
    if len(word) >= TRIGRAM:
        return "holds(content, ?)", [word.casefold()]
    spellings = {"".join(letters) for letters in itertools.product(*({c.lower(), c.upper()} for c in word))}
    return "(" + " OR ".join("instr(content, ?)" for _ in spellings) + ")", sorted(spellings)


def _contents(connection: sqlite3.Connection, messages: Iterable[int]) -> dict[int, str]:
    among = ", ".join(map(str, messages))
    return dict(connection.execute(f"SELECT id, content FROM messages WHERE id IN ({among})").fetchall())


def _hit(
    conversation: Conversation, message: int | None, contents: dict[int, str], words: Sequence[str]
) -> Hit:
    if message is None:
        return Hit(conversation)
    snippet, marks = snippet_of(contents[message], words)
    return Hit(conversation, message, snippet, marks)


def _holds(text: str, folded_word: str) -> bool:
    """LIKE would fold the case of ASCII letters only."""
    return folded_word in text.casefold()
