"""The store of conversations: what it keeps, what it finds, and what it says when the disk is against it."""

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.history import database, index, schema, store, tree
from app.history.backups import Backups
from app.history.rows import StoredMessage
from app.history.store import HistoryStore
from engine.errors import SlipstreamError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "history.sqlite3"


@pytest.fixture
def history(path: Path) -> Iterator[HistoryStore]:
    with contextlib.closing(HistoryStore(path)) as opened:
        yield opened


@contextlib.contextmanager
def opened(path: Path) -> Iterator[HistoryStore]:
    with contextlib.closing(HistoryStore(path)) as history:
        yield history


def seen_by_others(path: Path, query: str) -> list[tuple[object, ...]]:
    """What is committed, through a connection of another program."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def turns(messages: list[StoredMessage]) -> list[tuple[str, str, str]]:
    return [(m.role, m.content, m.state) for m in messages]


def talk(history: HistoryStore, title: str = "Chat", text: str = "Hello", answer: str = "Hi.") -> int:
    chat = history.create(title, "starter")
    history.add_user(chat, text)
    message = history.start_assistant(chat)
    history.append(message, answer)
    history.finish(message, "complete", {"tokens": 2})
    return chat


def damage(path: Path) -> None:
    """Overwrites the pages after the first one, as a failing disk does."""
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)


def test_a_conversation_comes_back_as_it_was(path: Path) -> None:
    text = 'Grüße, 你好, 👋🏽, "quotes" \x00 and\nlines'
    with opened(path) as history:
        chat = talk(history, "Grüße", text, text[::-1])
    with opened(path) as history:
        [listed] = history.conversations()
        assert (listed.id, listed.title, listed.pair) == (chat, "Grüße", "starter")
        user, answer = history.messages(chat)
        assert turns([user, answer]) == [("user", text, "complete"), ("assistant", text[::-1], "complete")]
        assert user.stats_json is None
        assert json.loads(answer.stats_json or "") == {"tokens": 2}
        assert 0 < user.created_at <= answer.created_at <= listed.updated_at


def test_half_a_character_is_replaced_and_breaks_nothing(history: HistoryStore) -> None:
    chat = history.create("Chat", "starter")
    history.add_user(chat, "a\ud83db")
    assert history.messages(chat)[0].content == "a?b"


def test_a_users_message_is_committed_at_once(history: HistoryStore, path: Path) -> None:
    history.add_user(history.create("Chat", "starter"), "kept")
    assert seen_by_others(path, "SELECT content FROM messages") == [("kept",)]


def test_a_users_message_and_the_end_of_an_answer_are_synchronised_to_the_disk(history: HistoryStore) -> None:
    levels: list[str] = []
    history._database._connection.set_trace_callback(
        lambda sql: levels.append(sql.rpartition(" ")[2]) if "synchronous" in sql else None
    )
    chat = history.create("Chat", "starter")
    assert levels == []
    history.add_user(chat, "kept")
    assert levels == ["FULL", "NORMAL"]
    history.finish(history.start_assistant(chat), "complete", None)
    assert levels == ["FULL", "NORMAL"] * 2


def test_the_database_is_set_up_to_survive_crashes(history: HistoryStore) -> None:
    settings = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
    in_force = [history._database.read(f"PRAGMA {name}")[0][0] for name in settings]
    assert in_force == ["wal", 1, 1, 5000]


def test_an_answer_is_written_at_each_flush_and_no_earlier(history: HistoryStore, path: Path) -> None:
    written = "SELECT group_concat(text, '|') FROM (SELECT text FROM chunks ORDER BY seq)"
    chat = history.create("Chat", "starter")
    message = history.start_assistant(chat)
    history.append(message, "one ")
    history.append(message, "two ")
    assert seen_by_others(path, written) == [(None,)]
    history.flush()
    history.append(message, "three")
    history.flush()
    history.flush()
    assert seen_by_others(path, written) == [("one two |three",)]
    history.finish(message, "complete", None)
    assert seen_by_others(path, written) == [(None,)]
    assert seen_by_others(path, "SELECT content FROM messages") == [("one two three",)]


def test_an_answer_that_is_coming_can_be_read(history: HistoryStore) -> None:
    chat = history.create("Chat", "starter")
    history.add_user(chat, "Hello")
    message = history.start_assistant(chat)
    history.append(message, "flushed, ")
    history.flush()
    history.append(message, "and not")
    assert turns(history.messages(chat))[1] == ("assistant", "flushed, and not", "streaming")


@pytest.mark.parametrize("state", ["complete", "stopped", "failed", "interrupted"])
def test_every_ending_keeps_the_text(history: HistoryStore, state: str) -> None:
    chat = history.create("Chat", "starter")
    message = history.start_assistant(chat)
    history.append(message, "text")
    history.finish(message, state, None)
    assert turns(history.messages(chat)) == [("assistant", "text", state)]


def test_an_answer_whose_process_ended_is_interrupted_with_its_text(path: Path) -> None:
    with opened(path) as history:
        chat = history.create("Chat", "starter")
        history.append(history.start_assistant(chat), "half of")
    with opened(path) as history:
        assert turns(history.messages(chat)) == [("assistant", "half of", "interrupted")]
        assert [found.conversation.id for found in history.search("half")] == [chat]


def test_a_second_answer_takes_the_place_of_the_first_and_both_are_kept(
    history: HistoryStore, path: Path
) -> None:
    chat = talk(history, answer="first")
    message = history.start_assistant(chat)
    history.append(message, "second")
    history.finish(message, "complete", None)
    history.add_user(chat, "next")
    assert [m.content for m in history.messages(chat)] == ["Hello", "second", "next"]
    tree = "SELECT p.content, c.content FROM messages c JOIN messages p ON p.id = c.parent_id ORDER BY c.id"
    assert seen_by_others(path, tree) == [("Hello", "first"), ("Hello", "second"), ("second", "next")]


def test_the_conversation_with_the_newest_message_comes_first(history: HistoryStore) -> None:
    first, second = talk(history, "first"), talk(history, "second")
    assert [c.id for c in history.conversations()] == [second, first]
    history.add_user(first, "more")
    assert [c.id for c in history.conversations()] == [first, second]


def test_renaming_changes_the_title_alone(history: HistoryStore) -> None:
    older, newer = talk(history), talk(history)
    history.rename(older, "New name")
    assert [(c.id, c.title) for c in history.conversations()] == [(newer, "Chat"), (older, "New name")]


def test_deleted_conversations_come_back_last_one_first(path: Path) -> None:
    with opened(path) as history:
        first, second = talk(history, "first"), talk(history, "second")
        history.delete(first)
        history.delete(second)
        assert history.conversations() == history.search("Hello") == []
    with opened(path) as history:
        assert history.undo_delete() == second
        assert history.undo_delete() == first
        assert history.undo_delete() is None
        assert [hit.conversation.id for hit in history.search("Hello")] == [second, first]
        assert len(history.messages(first)) == 2


def test_what_was_deleted_a_month_ago_is_gone_from_the_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(path) as history:
        kept = talk(history, "kept")
        history.delete(talk(history, "gone", "secret question"))
    monkeypatch.setattr(store, "DELETED_KEPT_S", -1.0)
    with opened(path) as history:
        assert history.undo_delete() is None
        assert [hit.conversation.id for hit in history.search("Hello")] == [kept]
        assert history.search("secret") == []
    assert seen_by_others(path, "SELECT count(*) FROM messages") == [(2,)]
    check = "INSERT INTO message_index (message_index, rank) VALUES ('integrity-check', 1)"
    assert seen_by_others(path, check) == []


@pytest.mark.parametrize("with_index", [True, False])
@pytest.mark.parametrize(
    "words",
    [
        "speculative",
        "SPECUL",
        "tive deco",
        "日本",
        "日本語",
        "模型",
        "ÖLE",
        "ö",
        '"',
        "50%",
        "draft speculative",
    ],
)
def test_search_finds_parts_of_words_in_any_script(
    history: HistoryStore, words: str, with_index: bool
) -> None:
    wanted = talk(
        history, "Öle und Fette", "What is speculative decoding? 日本語の模型", 'A "draft" saves 50%.'
    )
    talk(history, "Other", "Nothing to see", "Chinese: 语言")
    assert history._index.available
    history._index.available = with_index
    assert [hit.conversation.id for hit in history.search(words)] == [wanted]


@pytest.mark.parametrize("words", ["speculation", "draft missing", "100%", "_", "日木"])
def test_search_finds_nothing_else(history: HistoryStore, words: str) -> None:
    talk(history, "Title", "speculative", "draft 50% 日本")
    assert history.search(words) == []


def test_an_empty_search_lists_everything(history: HistoryStore) -> None:
    talk(history)
    assert [hit.conversation for hit in history.search("  ")] == history.conversations() != []


def test_chats_written_without_the_index_are_found_once_it_is_there(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as without:
        without.setattr(index, "CREATE", "CREATE VIRTUAL TABLE message_index USING no_such_module (content)")
        with opened(path) as history:
            assert not history._index.available
            chat = talk(history, text="a long needle")
            assert [hit.conversation.id for hit in history.search("needle")] == [chat]
    with opened(path) as history:
        assert history._index.available
        assert [hit.conversation.id for hit in history.search("needle")] == [chat]


def test_a_second_window_on_the_same_chats_is_refused(
    history: HistoryStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "LOCK_PATIENCE_S", 0.0)
    with pytest.raises(SlipstreamError, match=r"already running with the chats in .*SLIPSTREAM_HOME"):
        HistoryStore(path)
    history.create("still", "works")


def test_chats_of_a_newer_version_are_refused_and_not_touched(path: Path) -> None:
    with opened(path) as history:
        talk(history)
    seen_by_others(path, "PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(SlipstreamError, match="written by a newer Slipstream; update it or choose another"):
        HistoryStore(path)
    assert path.read_bytes() == before


def test_a_damaged_file_is_set_aside_and_the_newest_sound_backup_restored(path: Path) -> None:
    with opened(path) as history:
        talk(history, "in the backup")
    with opened(path) as history:  # makes the day's backup
        talk(history, "after the backup")
    damage(path)
    with opened(path) as history:
        assert [c.title for c in history.conversations()] == ["in the backup"]
        assert [m.content for m in history.messages(1)] == ["Hello", "Hi."]
        assert history.notice is not None
        assert "damaged" in history.notice
        assert "backup of 20" in history.notice
        [aside] = path.parent.glob("history-damaged-*.sqlite3")
        assert aside.name in history.notice
        assert aside.stat().st_size > 4096
    with opened(path) as history:
        assert history.notice is None


def test_a_damaged_backup_is_passed_over(path: Path) -> None:
    with opened(path) as history:
        talk(history)
    with opened(path) as history:
        talk(history)
        newest = Backups(path).write(history._database._connection)
    damage(newest)
    damage(path)
    with opened(path) as history:
        assert len(history.conversations()) == 1


@pytest.mark.parametrize(
    "rubbish", [b"not a database at all, but long enough to be read as one" * 100, b"short"]
)
def test_a_file_that_is_no_database_and_has_no_backup_gives_an_empty_list_and_is_kept(
    path: Path, rubbish: bytes
) -> None:
    path.parent.mkdir()
    path.write_bytes(rubbish)
    with opened(path) as history:
        assert history.conversations() == []
        assert history.notice is not None
        assert "no backup" in history.notice
        talk(history)
    [aside] = path.parent.glob("history-damaged-*")
    assert aside.read_bytes() == rubbish


def test_a_sound_start_says_nothing(history: HistoryStore) -> None:
    assert history.notice is None


def test_a_schema_change_is_backed_up_first_and_keeps_the_chats(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(path) as history:
        chat = talk(history)
    newer = (*schema.MIGRATIONS, ("ALTER TABLE conversations ADD COLUMN colour TEXT",))
    monkeypatch.setattr(schema, "MIGRATIONS", newer)
    with opened(path) as history:
        assert [c.id for c in history.conversations()] == [chat]
    assert seen_by_others(path, "PRAGMA user_version") == [(len(newer),)]
    assert seen_by_others(path, "SELECT colour FROM conversations") == [(None,)]
    [backup] = Backups(path).all()
    assert seen_by_others(backup, "PRAGMA user_version") == [(len(newer) - 1,)]


def test_a_schema_change_that_fails_leaves_the_chats_as_they_were(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(path) as history:
        chat = talk(history)
    before = schema.MIGRATIONS
    broken = ("ALTER TABLE conversations ADD COLUMN colour TEXT", "ALTER TABLE nonsense ADD COLUMN x")
    monkeypatch.setattr(schema, "MIGRATIONS", (*before, broken))
    with pytest.raises(SlipstreamError, match="could not be read or written"):
        HistoryStore(path)
    monkeypatch.setattr(schema, "MIGRATIONS", before)
    with opened(path) as history:
        assert [c.id for c in history.conversations()] == [chat]


def test_one_backup_a_day_and_only_the_newest_are_kept(path: Path) -> None:
    for _ in range(3):
        with opened(path) as history:
            talk(history)
    backups = Backups(path)
    assert len(backups.all()) == 1
    stale = backups.all()[0].with_name("history-20200101T000000000000Z.sqlite3")
    backups.all()[0].rename(stale)
    for _ in range(2):
        with opened(path) as history:
            assert history.notice is None
            for _ in range(2):
                backups.write(history._database._connection)
    assert len(backups.all()) == 3
    assert not stale.exists()


def test_a_full_disk_is_said_and_loses_no_text(history: HistoryStore) -> None:
    chat = history.create("Chat", "starter")
    message = history.start_assistant(chat)
    connection = history._database._connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    history.append(message, "long " * 10_000)
    with pytest.raises(SlipstreamError, match=r"disk is full.*free some space"):
        history.flush()
    with pytest.raises(SlipstreamError, match="disk is full"):
        history.add_user(chat, "x" * 50_000)
    connection.execute("PRAGMA max_page_count = 100000")
    history.flush()
    assert turns(history.messages(chat)) == [("assistant", "long " * 10_000, "streaming")]


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(
        SlipstreamError, match=r"can't write to .*; allow it to, or choose another SLIPSTREAM"
    ):
        HistoryStore(tmp_path / "file" / "history.sqlite3")


def test_a_read_only_database_is_said(history: HistoryStore) -> None:
    history._database._connection.execute("PRAGMA query_only = ON")
    with pytest.raises(SlipstreamError, match="can't write to"):
        history.create("Chat", "starter")


def test_a_file_that_another_program_locks_is_said(history: HistoryStore, path: Path) -> None:
    history._database._connection.execute("PRAGMA busy_timeout = 0")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(SlipstreamError, match=r"Another program keeps .* locked; close it"):
            history.create("Chat", "starter")
    assert history.create("Chat", "starter") == 1


def test_a_message_to_a_chat_that_is_gone_is_said(history: HistoryStore) -> None:
    with pytest.raises(SlipstreamError, match="no longer exists; start a new one"):
        history.add_user(404, "Hello?")
    assert history.messages(404) == []


def test_a_history_that_is_closed_says_so_instead_of_failing(path: Path) -> None:
    history = HistoryStore(path)
    history.close()
    with pytest.raises(SlipstreamError, match="start Slipstream again"):
        history.conversations()


def test_a_conversation_longer_than_sqlites_trigger_depth_can_be_purged(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(path) as history:
        chat = history.create("long", "starter")
        with history._database.transaction() as connection:
            parent: int | None = None
            for number in range(1500):
                parent = tree.add(connection, chat, parent, "user", f"message {number}")
        assert len(history.messages(chat)) == 1500
        history.delete(chat)
    monkeypatch.setattr(store, "DELETED_KEPT_S", -1.0)
    with opened(path) as history:
        assert history.undo_delete() is None


def test_the_chats_are_private_to_the_user(history: HistoryStore, path: Path) -> None:
    talk(history)
    backup = Backups(path).write(history._database._connection)
    assert [file.stat().st_mode & 0o077 for file in (path, backup)] == [0, 0]
