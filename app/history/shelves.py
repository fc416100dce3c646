"""Where conversations stand: pinned, in a folder, in the bin. Call inside a transaction to write."""

import sqlite3

from app.history.rows import Conversation

COLUMNS = "id, title, updated_at, pair, pinned, folder, deleted_at"
LISTED = f"SELECT {COLUMNS} FROM conversations WHERE deleted_at IS NULL"
BINNED = f"SELECT {COLUMNS} FROM conversations WHERE deleted_at IS NOT NULL ORDER BY deleted_at DESC, id DESC"
ONE = f"SELECT {COLUMNS} FROM conversations WHERE id = ?"
NEWEST_FIRST = " ORDER BY updated_at DESC, id DESC"
KEEP_FOLDER = "INSERT OR IGNORE INTO folders VALUES (?)"


def conversation_of(row: sqlite3.Row) -> Conversation:
    identity, title, updated_at, pair, pinned, folder, deleted_at = row
    return Conversation(identity, title, updated_at, pair, bool(pinned), folder, deleted_at)


def move(connection: sqlite3.Connection, conversation: int, folder: str | None) -> None:
    if folder is not None:
        connection.execute(KEEP_FOLDER, (folder,))
    connection.execute("UPDATE conversations SET folder = ? WHERE id = ?", (folder, conversation))


def rename_folder(connection: sqlite3.Connection, folder: str, name: str) -> None:
    """One of the new name takes up what is in it."""
    connection.execute(KEEP_FOLDER, (name,))
    connection.execute("UPDATE conversations SET folder = ? WHERE folder = ?", (name, folder))
    if name != folder:
        connection.execute("DELETE FROM folders WHERE name = ?", (folder,))


def remove_folder(connection: sqlite3.Connection, folder: str) -> None:
    """Its conversations stay, in no folder."""
    connection.execute("UPDATE conversations SET folder = NULL WHERE folder = ?", (folder,))
    connection.execute("DELETE FROM folders WHERE name = ?", (folder,))


def erase(connection: sqlite3.Connection, conversation: int) -> None:
    """For good. The search index has to forget it first."""
    connection.execute("DELETE FROM messages WHERE conversation_id = ?", (conversation,))
    connection.execute("DELETE FROM conversations WHERE id = ?", (conversation,))


def deleted_before(connection: sqlite3.Connection, moment: float) -> list[int]:
    query = "SELECT id FROM conversations WHERE deleted_at < ?"
    return [row[0] for row in connection.execute(query, (moment,))]
