"""Finds words in titles and messages, in any script: by the trigram index, and a scan for what is too short for it."""

import contextlib
import itertools
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from app.history.rows import Conversation, Hit
from app.history.shelves import LISTED, NEWEST_FIRST, conversation_of
from app.history.snippet import marks_in, snippet_of
from app.history.trouble import code_of, explain

TRIGRAM = 3  # characters; Chinese or Japanese words of one or two are common, and are scanned for
MOST_HITS = 200
MATCH = "SELECT rowid FROM message_index WHERE message_index MATCH ?"

Condition = tuple[str, list[str]]  # SQL and its values


class Search:
    """Through `connection`; `indexed` says whether it has the trigram index."""

    def __init__(self, connection: sqlite3.Connection, indexed: bool) -> None:
        connection.create_function("holds", 2, _holds, deterministic=True)
        self._connection = connection
        self._indexed = indexed

    def hits(self, text: str) -> list[Hit]:
        """Conversations that hold every word of `text` in their title or messages, in any case; newest first.

        A hit's message is the newest one with all the words, else the newest with the longest of them it has.
        """
        words = text.replace("\0", " ").split()
        conversations = self._conversations(words)
        messages: dict[int, int] = {}
        for wanted in (words, *([word] for word in sorted(words, key=len, reverse=True))):
            without = [c.id for c in conversations if c.id not in messages]
            if wanted and without:
                messages |= self._newest(wanted, without)
        contents = self._contents(messages.values())
        return [_hit(c, messages.get(c.id), contents, words) for c in conversations]

    def _conversations(self, words: Sequence[str]) -> list[Conversation]:
        query, values = LISTED, list[str]()
        for word in words:
            condition, needed = self._texts_with([word])
            texts = f"SELECT conversation_id FROM messages WHERE {condition}"
            query += f" AND (id IN ({texts}) OR holds(title, ?))"
            values += [*needed, word.casefold()]
        rows = self._connection.execute(f"{query}{NEWEST_FIRST} LIMIT {MOST_HITS}", values)
        return [conversation_of(row) for row in rows.fetchall()]

    def _newest(self, words: Sequence[str], conversations: Iterable[int]) -> dict[int, int]:
        """Conversation -> the newest message that holds all the words."""
        condition, values = self._texts_with(words)
        among = ", ".join(map(str, conversations))
        query = f"""SELECT conversation_id, max(id) FROM messages
            WHERE conversation_id IN ({among}) AND {condition} GROUP BY conversation_id"""
        return dict(self._connection.execute(query, values).fetchall())

    def _texts_with(self, words: Sequence[str]) -> Condition:
        parts = [self._text_with(word) for word in words]
        return " AND ".join(sql for sql, _ in parts), [value for _, values in parts for value in values]

    def _text_with(self, word: str) -> Condition:
        if len(word) < TRIGRAM:
            return _scan_for(word)
        if not self._indexed:
            return "holds(content, ?)", [word.casefold()]
        quoted = word.replace('"', '""')
        return f"id IN ({MATCH})", [f'"{quoted}"']

    def _contents(self, messages: Iterable[int]) -> dict[int, str]:
        among = ", ".join(map(str, messages))
        query = f"SELECT id, content FROM messages WHERE id IN ({among})"
        return dict(self._connection.execute(query).fetchall())


class Searcher:
    """The file at `path` searched from another thread than the store's, each time by a connection of its own.

    Only committed text is found. Errors: SlipstreamError.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._running: sqlite3.Connection | None = None

    def search(self, text: str) -> list[Hit] | None:
        """None when `cancel` came in between."""
        try:
            with contextlib.closing(self._connect()) as connection, self._may_be_cancelled(connection):
                indexed = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'message_index'")
                return Search(connection, indexed.fetchone() is not None).hits(text)
        except sqlite3.Error as error:
            if code_of(error) == sqlite3.SQLITE_INTERRUPT:
                return None
            raise explain(error, self._path) from error

    def cancel(self) -> None:
        """Ends the search that is running, if one is; from any thread."""
        with self._lock:
            if self._running is not None:
                self._running.interrupt()

    def _connect(self) -> sqlite3.Connection:
        address = f"{self._path.resolve().as_uri()}?mode=ro"
        connection = sqlite3.connect(address, uri=True, check_same_thread=False)  # cancel() is another's
        connection.row_factory = sqlite3.Row
        return connection

    @contextlib.contextmanager
    def _may_be_cancelled(self, connection: sqlite3.Connection) -> Iterator[None]:
        with self._lock:
            self._running = connection
        try:
            yield
        finally:
            with self._lock:
                self._running = None


def _scan_for(word: str) -> Condition:
    """What is short has few spellings, and SQLite finds them faster than Python can fold the case of all texts."""
    spellings = {"".join(letters) for letters in itertools.product(*({c.lower(), c.upper()} for c in word))}
    return "(" + " OR ".join("instr(content, ?)" for _ in spellings) + ")", sorted(spellings)


def _hit(
    conversation: Conversation, message: int | None, contents: dict[int, str], words: Sequence[str]
) -> Hit:
    title_marks = marks_in(conversation.title, words)
    if message is None:
        return Hit(conversation, title_marks)
    return Hit(conversation, title_marks, message, *snippet_of(contents[message], words))


def _holds(text: str, folded_word: str) -> bool:
    """LIKE would fold the case of ASCII letters only."""
    return folded_word in text.casefold()
