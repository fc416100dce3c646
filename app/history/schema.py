"""The tables, as a list of steps: entry n brings version n to version n + 1. Entries never change once released."""

import sqlite3
from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from engine.errors import SlipstreamError

Migration = Sequence[str]

# A conversation is a tree: `parent_id` points up, `active_child_id` down the branch that is shown. The text of
# an answer that is still coming lies in `chunks`, one row a flush: `content = content || ?` would write the
# whole answer anew each second (measured for 20,000 tokens at 10 tokens/s: 217 MB written instead of 11 MB).
# `parent_id` cascades nowhere: a deep chain would exceed SQLite's trigger depth of 1,000. `titled` says that the
# title is the user's own. `records` lie apart, so that a branch is read without them.
MIGRATIONS: tuple[Migration, ...] = (
    (
        """CREATE TABLE conversations (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            title TEXT NOT NULL,
            pair TEXT NOT NULL,
            folder TEXT,
            pinned INTEGER NOT NULL DEFAULT 0,
            active_child_id INTEGER,
            created_at REAL NOT NULL,
            updated_at REAL NOT NULL,
            deleted_at REAL
        )""",
        """CREATE TABLE messages (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            conversation_id INTEGER NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
            parent_id INTEGER REFERENCES messages (id) DEFERRABLE INITIALLY DEFERRED,
            active_child_id INTEGER,
            role TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant')),
            content TEXT NOT NULL,
            state TEXT NOT NULL
                CHECK (state IN ('complete', 'streaming', 'interrupted', 'stopped', 'failed')),
            stats TEXT,
            created_at REAL NOT NULL
        )""",
        "CREATE INDEX messages_by_conversation ON messages (conversation_id)",
        "CREATE INDEX messages_by_parent ON messages (parent_id)",
        "CREATE INDEX messages_streaming ON messages (id) WHERE state = 'streaming'",
        """CREATE TABLE chunks (
            message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
            seq INTEGER NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (message_id, seq)
        ) WITHOUT ROWID""",
    ),
    (
        "ALTER TABLE messages ADD COLUMN attachments TEXT",
        "ALTER TABLE conversations ADD COLUMN settings TEXT",
        "ALTER TABLE conversations ADD COLUMN titled INTEGER NOT NULL DEFAULT 0",
        "UPDATE conversations SET titled = 1",  # who gave these titles isn't known any more
        """CREATE TABLE records (
            message_id INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
            record BLOB NOT NULL
        )""",
        "CREATE TABLE folders (name TEXT PRIMARY KEY) WITHOUT ROWID",
        "INSERT INTO folders SELECT DISTINCT folder FROM conversations WHERE folder IS NOT NULL",
    ),
)


def version_of(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def refuse_newer(connection: sqlite3.Connection) -> None:
    if version_of(connection) > len(MIGRATIONS):
        raise SlipstreamError(
            QCoreApplication.translate(
                "History",
                "These chats were written by a newer Slipstream; update it or choose another SLIPSTREAM_HOME.",
            )
        )


def migrate(connection: sqlite3.Connection, back_up: Callable[[], object]) -> None:
    """Bring the tables up to date, one transaction a step; `back_up` runs before each, but for a new file."""
    start = version_of(connection)
    for version in range(start, len(MIGRATIONS)):
        if start:
            back_up()
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in MIGRATIONS[version]:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version + 1}")
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
