"""The tree of messages, the shelves and the bin, the snippets, and what version 1 of the tables becomes."""

import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.history import schema, store
from app.history.backups import Backups
from app.history.search import MOST_HITS, Searcher
from app.history.snippet import snippet_of
from app.history.store import HistoryStore
from app.history.titles import title_of
from engine.errors import SlipstreamError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.sqlite3"


@pytest.fixture
def history(path: Path) -> Iterator[HistoryStore]:
    with contextlib.closing(HistoryStore(path)) as opened:
        yield opened


def answer(history: HistoryStore, chat: int, text: str) -> int:
    message = history.start_assistant(chat)
    history.append(message, text)
    history.finish(message, "complete", {"tokens": 1})
    return message


def talk(history: HistoryStore, *turns: str, title: str = "Chat") -> int:
    """Questions and answers in turn."""
    chat = history.create(title, "starter")
    for number, text in enumerate(turns):
        if number % 2:
            answer(history, chat, text)
        else:
            history.add_user(chat, text)
    return chat


def shown(history: HistoryStore, chat: int) -> list[str]:
    return [message.content for message in history.messages(chat)]


def test_any_answer_can_be_given_once_more(history: HistoryStore) -> None:
    chat = talk(history, "one", "1", "two", "2")
    first = history.messages(chat)[1]
    other = history.start_assistant(chat, instead_of=first.id)
    assert shown(history, chat) == ["one", ""]
    assert history.messages(chat)[1].siblings == (first.id, other)
    history.choose(first.id)
    assert shown(history, chat) == ["one", "1", "two", "2"]


def test_an_edited_message_begins_a_branch_and_the_old_one_can_be_chosen_again(history: HistoryStore) -> None:
    chat = talk(history, "one", "1", "two", "2", "three", "3")
    second = history.messages(chat)[2]
    edited = history.edit_user(second.id, "zwei", '[{"name": "a.txt"}]')

    assert shown(history, chat) == ["one", "1", "zwei"]
    at_the_fork = history.messages(chat)[2]
    assert at_the_fork.id == edited
    assert at_the_fork.siblings == (second.id, edited)
    assert at_the_fork.parent_id == second.parent_id
    assert at_the_fork.attachments_json == '[{"name": "a.txt"}]'

    answer(history, chat, "ZWEI")
    history.choose(second.id)
    assert shown(history, chat) == ["one", "1", "two", "2", "three", "3"]
    history.choose(edited)
    assert shown(history, chat) == ["one", "1", "zwei", "ZWEI"]


def test_a_message_deep_in_a_hidden_branch_is_chosen_with_all_that_is_above_it(history: HistoryStore) -> None:
    chat = talk(history, "one", "1", "two", "2")
    first, _, _, deep = history.messages(chat)
    history.edit_user(first.id, "eins")
    assert shown(history, chat) == ["eins"]
    history.choose(deep.id)
    assert shown(history, chat) == ["one", "1", "two", "2"]
    assert history.messages(chat)[0].siblings == (first.id, deep.id + 1)


def test_answers_to_one_message_are_siblings(history: HistoryStore) -> None:
    chat = talk(history, "one", "first")
    first = history.messages(chat)[1].id
    second = answer(history, chat, "second")
    assert [m.siblings for m in history.messages(chat)] == [(first - 1,), (first, second)]
    history.choose(first)
    assert shown(history, chat) == ["one", "first"]


def test_a_branch_becomes_a_conversation_of_its_own(history: HistoryStore) -> None:
    chat = talk(history, "one", "1", "two", "2", title="Numbers")
    history.move(chat, "Maths")
    history.set_settings(chat, '{"seed": 7}')
    question, reply = history.messages(chat)[:2]
    history.set_record(reply.id, b"\x00passes")
    copy = history.branch(reply.id)
    history.edit_user(history.messages(copy)[0].id, "eins")

    assert shown(history, chat) == ["one", "1", "two", "2"]
    history.choose(history.messages(copy)[0].siblings[0])
    copied = history.messages(copy)
    assert [(m.content, m.state, m.stats_json) for m in copied] == [
        (m.content, m.state, m.stats_json) for m in (question, reply)
    ]
    assert history.record(copied[1].id) == b"\x00passes"
    assert history.settings(copy) == '{"seed": 7}'
    listed = {c.id: c for c in history.conversations()}
    assert (listed[chat].title, listed[copy].title) == ("Numbers", "eins")  # both are automatic still
    assert (listed[copy].folder, listed[copy].pair) == ("Maths", "starter")
    assert {hit.conversation.id for hit in history.search("one")} == {chat, copy}


def test_a_branch_from_an_answer_that_is_coming_holds_what_has_come(history: HistoryStore) -> None:
    chat = talk(history, "one")
    message = history.start_assistant(chat)
    history.append(message, "half")
    [_, copied] = history.messages(history.branch(message))
    assert (copied.content, copied.state) == ("half", "stopped")
    history.append(message, " and whole")
    history.finish(message, "complete", None)
    assert shown(history, chat) == ["one", "half and whole"]


def test_a_resumed_answer_streams_on_and_is_found_by_its_new_text(history: HistoryStore) -> None:
    chat = talk(history, "one", "begun ")
    message = history.messages(chat)[1].id
    history.resume(message)
    assert history.messages(chat)[1].state == "streaming"
    history.append(message, "continued")
    history.flush()
    history.append(message, " ended")
    history.finish(message, "stopped", None)
    [_, whole] = history.messages(chat)
    assert (whole.content, whole.state, whole.stats_json) == (
        "begun continued ended",
        "stopped",
        '{"tokens": 1}',
    )
    assert [hit.message for hit in history.search("un conti")] == [message]
    check = "INSERT INTO message_index (message_index, rank) VALUES ('integrity-check', 1)"
    with history._database.transaction() as connection:
        connection.execute(check)


def test_a_crash_while_an_answer_streams_on_keeps_its_beginning(path: Path) -> None:
    with contextlib.closing(HistoryStore(path)) as history:
        chat = talk(history, "one", "begun ")
        message = history.messages(chat)[1].id
        history.resume(message)
        history.append(message, "continued")
    with contextlib.closing(HistoryStore(path)) as history:
        [_, kept] = history.messages(chat)
        assert (kept.content, kept.state) == ("begun continued", "interrupted")
        assert [hit.message for hit in history.search("begun")] == [message]


def test_copies_are_numbered(history: HistoryStore) -> None:
    chat = talk(history, "one", title="Numbers")
    second = history.branch(history.messages(chat)[0].id)
    history.branch(history.messages(second)[0].id)
    assert [c.title for c in history.conversations()] == ["Numbers (3)", "Numbers (2)", "Numbers"]


@pytest.mark.parametrize("name", ["edit_user", "choose", "branch", "resume"])
def test_a_message_that_is_gone_is_said(history: HistoryStore, name: str) -> None:
    with pytest.raises(SlipstreamError, match="no longer exists"):
        getattr(history, name)(404, *(["text"] if name == "edit_user" else []))


def test_records_are_kept_replaced_and_removed(history: HistoryStore) -> None:
    message = history.messages(talk(history, "one", "1"))[1].id
    assert history.record(message) is None
    history.set_record(message, b"first")
    history.set_record(message, b"\x00\xff" * 1000)
    assert history.record(message) == b"\x00\xff" * 1000
    history.set_record(message, None)
    assert history.record(message) is None


def test_a_title_follows_the_first_message_until_the_user_gives_one(history: HistoryStore) -> None:
    chat = talk(history, "helo", "Hi.", title="helo")
    history.edit_user(history.messages(chat)[0].id, "  \nhello\nworld")
    assert [c.title for c in history.conversations()] == ["hello"]
    history.rename(chat, "Mine")
    history.edit_user(history.messages(chat)[0].id, "something else")
    assert [c.title for c in history.conversations()] == ["Mine"]


def test_a_later_edit_leaves_the_title(history: HistoryStore) -> None:
    chat = talk(history, "one", "1", "two", title="one")
    history.edit_user(history.messages(chat)[2].id, "zwei")
    assert [c.title for c in history.conversations()] == ["one"]


@pytest.mark.parametrize(
    ("text", "title"), [("", ""), (" \n\n", ""), ("\n a b \nc", "a b"), ("x" * 61, "x" * 59 + "…")]
)
def test_titles(text: str, title: str) -> None:
    assert title_of(text) == title


def test_pins_and_folders_are_kept(path: Path) -> None:
    with contextlib.closing(HistoryStore(path)) as history:
        first, second, third = (talk(history, name, title=name) for name in ("a", "b", "c"))
        history.pin(first, True)
        history.pin(third, True)
        history.pin(third, False)
        history.move(first, "work")
        history.move(second, "Ärger")
        history.add_folder("empty")
    with contextlib.closing(HistoryStore(path)) as history:
        assert [(c.id, c.pinned, c.folder) for c in history.conversations()] == [
            (third, False, None),
            (second, False, "Ärger"),
            (first, True, "work"),
        ]
        assert history.folders() == ["empty", "work", "Ärger"]


def test_a_folder_can_be_renamed_merged_and_removed_without_losing_a_chat(history: HistoryStore) -> None:
    first, second = talk(history, "a"), talk(history, "b")
    history.move(first, "one")
    history.move(second, "two")
    history.rename_folder("one", "three")
    assert history.folders() == ["three", "two"]
    history.rename_folder("three", "two")
    assert [c.folder for c in history.conversations()] == ["two", "two"]
    history.rename_folder("two", "two")
    assert history.folders() == ["two"]
    history.remove_folder("two")
    assert history.folders() == []
    assert [c.folder for c in history.conversations()] == [None, None]
    history.move(first, "new")
    history.move(first, None)
    assert history.folders() == ["new"]


def test_the_bin_gives_back_or_forgets_each_chat(history: HistoryStore, path: Path) -> None:
    kept, gone, back = (talk(history, f"{name} question", "answer") for name in ("kept", "gone", "back"))
    history.set_record(history.messages(gone)[1].id, b"x")
    history.delete(gone)
    history.delete(back)
    binned = history.deleted()
    assert [c.id for c in binned] == [back, gone]
    assert all(c.deleted_at for c in binned)
    history.restore(back)
    history.purge(gone)
    assert history.deleted() == []
    assert {c.id for c in history.conversations()} == {kept, back}
    assert history.messages(gone) == []
    assert history.search("gone") == []
    assert history._database.read("SELECT * FROM records") == []
    history.delete(kept)
    history.delete(back)
    history.empty_bin()
    assert history.deleted() == history.conversations() == []
    assert history._database.read("SELECT * FROM messages") == []


def test_text_that_waits_for_a_purged_chat_holds_up_no_other(history: HistoryStore) -> None:
    doomed, other = talk(history, "a"), talk(history, "b")
    history.append(history.start_assistant(doomed), "never")
    message = history.start_assistant(other)
    history.append(message, "kept")
    history.purge(doomed)
    history.flush()
    assert shown(history, other) == ["b", "kept"]


def test_a_hit_tells_the_newest_message_with_all_words_and_where_they_stand(history: HistoryStore) -> None:
    chat = talk(history, "apple pie", "Apple and\n\npear PIE", "apple", "none", title="Fruit")
    [hit] = history.search("pie apple")
    messages = history.messages(chat)
    assert hit.message == messages[1].id
    assert hit.snippet == "Apple and pear PIE"
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["Apple", "PIE"]
    [titled] = history.search("fru")
    assert (titled.message, titled.snippet) == (None, "")


def test_the_best_word_of_a_spread_search_is_shown(history: HistoryStore) -> None:
    chat = talk(history, "a rather long question", "tiny", title="Title")
    [hit] = history.search("question tit")
    assert hit.message == history.messages(chat)[0].id
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["question"]


@pytest.mark.parametrize("word", ["模", "模型", "q", "Q", "É", "ß", "+"])
def test_one_and_two_characters_are_found_in_texts(history: HistoryStore, word: str) -> None:
    talk(history, "nothing here", "nor here")
    chat = talk(history, "a", "語模型の Q é ß c++ x")
    [hit] = history.search(word)
    assert hit.conversation.id == chat
    [(start, end)] = hit.marks[:1]
    assert hit.snippet[start:end].casefold() == word.casefold()


def test_a_search_from_another_thread_finds_what_is_committed(history: HistoryStore) -> None:
    chat = talk(history, "one needle", "1")
    searcher = history.searcher()
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(searcher.search("needle")))
    thread.start()
    thread.join()
    assert found == [history.search("needle")]
    searcher.cancel()  # nothing runs
    assert [hit.conversation.id for hit in searcher.search("NEED") or []] == [chat]


def test_a_search_can_be_cancelled_and_a_broken_file_is_said(history: HistoryStore, path: Path) -> None:
    talk(history, "one needle")
    searcher = history.searcher()
    connect = searcher._connect

    def cancelled_at_once() -> sqlite3.Connection:
        connection = connect()
        connection.set_progress_handler(lambda: searcher.cancel() or 0, 1)
        return connection

    searcher._connect = cancelled_at_once  # type: ignore[method-assign]
    assert searcher.search("needle") is None
    path.with_name("nothing.sqlite3").write_bytes(b"rubbish " * 1000)
    with pytest.raises(SlipstreamError, match="damaged"):
        Searcher(path.with_name("nothing.sqlite3")).search("needle")


def test_a_search_for_everywhere_ends_at_a_limit(history: HistoryStore) -> None:
    with history._database.transaction() as connection:
        connection.executemany(
            "INSERT INTO conversations (title, pair, created_at, updated_at) VALUES ('same', '', ?, ?)",
            [(n, n) for n in range(MOST_HITS + 5)],
        )
    hits = history.search("same")
    assert len(hits) == MOST_HITS
    assert hits[0].conversation.updated_at == MOST_HITS + 4


def test_a_snippet_of_a_long_text_shows_the_surroundings() -> None:
    line, marks = snippet_of("word " * 500 + "needle " + "tail " * 500, ["NEEDLE"])
    [(start, end)] = marks
    assert line[start:end] == "needle"
    assert line.startswith("…word")
    assert line.endswith("…")
    assert len(line) < 130


def test_a_snippet_is_without_markdowns_signs_unless_they_are_looked_for() -> None:
    text = "## Title\n\nuse **`pip`** twice"
    assert snippet_of(text, ["pip"]) == ("Title use pip twice", ((10, 13),))
    assert snippet_of(text, ["**"])[0] == "## Title use **`pip`** twice"


def test_a_schema_change_without_a_backup_is_refused_and_changes_nothing(path: Path) -> None:
    version_1(path)
    Backups(path).folder.write_text("in the way")
    before = path.read_bytes()
    with pytest.raises(SlipstreamError, match="can't write to"):
        HistoryStore(path)
    with contextlib.closing(sqlite3.connect(path)) as untouched:
        assert untouched.execute("PRAGMA user_version").fetchone() == (1,)
        assert untouched.execute("SELECT content FROM messages").fetchall() == [("hello",)]
    assert len(path.read_bytes()) == len(before)


def version_1(path: Path) -> None:
    """A file of the first version with one chat."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as old:
        for statement in schema.MIGRATIONS[0]:
            old.execute(statement)
        old.execute("PRAGMA user_version = 1")
        old.execute(
            "INSERT INTO conversations (id, title, pair, folder, active_child_id, created_at, updated_at)"
            " VALUES (1, 'Old', 'coder', 'Box', 1, 1, 1)"
        )
        old.execute(
            "INSERT INTO messages (id, conversation_id, role, content, state, created_at)"
            " VALUES (1, 1, 'user', 'hello', 'complete', 1)"
        )


def test_version_1_is_brought_up_to_date_after_a_backup(path: Path) -> None:
    version_1(path)
    with contextlib.closing(HistoryStore(path)) as history:
        [chat] = history.conversations()
        assert (chat.title, chat.folder, chat.pinned) == ("Old", "Box", False)
        assert history.folders() == ["Box"]
        history.edit_user(1, "goodbye")  # the title may be the user's own
        assert history.conversations()[0].title == "Old"
    [backup] = Backups(path).all()
    with contextlib.closing(sqlite3.connect(backup)) as copy:
        assert copy.execute("PRAGMA user_version").fetchone() == (1,)
        assert copy.execute("SELECT content FROM messages").fetchall() == [("hello",)]


def test_what_waits_in_the_bin_too_long_goes_at_the_start(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with contextlib.closing(HistoryStore(path)) as history:
        history.delete(talk(history, "old"))
    monkeypatch.setattr(store, "DELETED_KEPT_S", -1.0)
    with contextlib.closing(HistoryStore(path)) as history:
        assert history.deleted() == []
