"""Chats as files: JSON keeps everything, Markdown the words; what is wrong with a file is said and nothing comes in."""

import contextlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.history import archive, markdown_file
from app.history.rows import StoredMessage
from app.history.store import HistoryStore
from engine.errors import SlipstreamError

NAMES = {"user": "You", "assistant": "Answer"}


@pytest.fixture
def history(tmp_path: Path) -> Iterator[HistoryStore]:
    with contextlib.closing(HistoryStore(tmp_path / "a" / "history.sqlite3")) as opened:
        yield opened


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[HistoryStore]:
    with contextlib.closing(HistoryStore(tmp_path / "b" / "history.sqlite3")) as opened:
        yield opened


def answer(history: HistoryStore, chat: int, text: str, state: str = "complete") -> int:
    message = history.start_assistant(chat)
    history.append(message, text)
    history.finish(message, state, {"tokens": 3, "speedup": 1.5})
    return message


def a_tree(history: HistoryStore) -> int:
    """Two first messages, three answers, one of them below the other branch; settings, a record, an attachment."""
    chat = history.create("Bäume 🌳", "coder")
    first = history.add_user(chat, "one\x00\n\n日本語", '[{"name": "a.txt"}]')
    history.set_record(answer(history, chat, "1a"), bytes(range(256)))
    answer(history, chat, "1b", "stopped")
    history.add_user(chat, "two")
    history.edit_user(first, "eins")
    answer(history, chat, "1c", "failed")
    history.choose(first)
    history.set_settings(chat, '{"seed": 7, "stop": ["ä"]}')
    history.pin(chat, True)
    history.move(chat, "Wald")
    history.rename(chat, "Bäume 🌳")
    return chat


def exported(history: HistoryStore, *chats: int) -> bytes:
    return archive.file_of([archive.line_of(history.archived(chat)) for chat in chats])


def test_json_keeps_the_whole_tree_and_all_that_belongs_to_it(
    history: HistoryStore, elsewhere: HistoryStore
) -> None:
    chat = a_tree(history)
    elsewhere.create("in the way of equal ids", "starter")
    [copy] = elsewhere.adopt(archive.read(exported(history, chat), "chats.json"))

    assert exported(elsewhere, copy) == exported(history, chat)
    before, after = history.conversation(chat), elsewhere.conversation(copy)
    assert before is not None
    assert after is not None
    assert (after.title, after.pair, after.pinned, after.folder, after.updated_at) == (
        *("Bäume 🌳", "coder", True, "Wald"),
        before.updated_at,
    )
    assert elsewhere.folders() == ["Wald"]
    assert elsewhere.settings(copy) == history.settings(chat)
    assert [m.content for m in elsewhere.messages(copy)] == ["one\x00\n\n日本語", "1b", "two"]
    first, second = elsewhere.messages(copy)[:2]
    assert (len(first.siblings), len(second.siblings)) == (2, 2)
    assert elsewhere.record(second.siblings[0]) == bytes(range(256))
    assert [hit.conversation.id for hit in elsewhere.search("eins")] == [copy]


def test_an_answer_that_is_coming_is_exported_as_far_as_it_has_come(history: HistoryStore) -> None:
    chat = history.create("Chat", "starter")
    history.append(history.start_assistant(chat), "half")
    [message] = history.archived(chat).messages
    assert (message.text, message.state) == ("half", "stopped")


def test_a_chat_that_is_gone_cannot_be_exported(history: HistoryStore) -> None:
    with pytest.raises(SlipstreamError, match="no longer exists"):
        history.archived(404)


def changed(history: HistoryStore, *path: object, to: object) -> bytes:
    """An exported file in which one value is another."""
    content = json.loads(exported(history, a_tree(history)))
    place: Any = content
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return json.dumps(content).encode()


CHAT = ("conversations", 0)
MESSAGE = (*CHAT, "messages", 1)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("conversations",), {"not": "a list"}),
        (CHAT, "not a chat"),
        ((*CHAT, "title"), 7),
        ((*CHAT, "titled"), 1),
        ((*CHAT, "pinned"), "yes"),
        ((*CHAT, "folder"), ["Wald"]),
        ((*CHAT, "pair"), None),
        ((*CHAT, "updated_at"), "today"),
        ((*CHAT, "updated_at"), True),
        ((*CHAT, "created_at"), 1e300),
        ((*CHAT, "created_at"), float("inf")),
        ((*CHAT, "created_at"), float("nan")),
        ((*CHAT, "active"), 1),
        ((*CHAT, "active"), -1),
        ((*CHAT, "active"), True),
        ((*CHAT, "active"), 10**30),
        ((*CHAT, "messages"), None),
        (MESSAGE, []),
        ((*MESSAGE, "parent"), 1),
        ((*MESSAGE, "parent"), 3),
        ((*MESSAGE, "parent"), -1),
        ((*MESSAGE, "parent"), 0.0),
        ((*MESSAGE, "active"), 1),
        ((*MESSAGE, "active"), 3),
        ((*MESSAGE, "active"), "3"),
        ((*MESSAGE, "role"), "root"),
        ((*MESSAGE, "role"), ["user"]),
        ((*MESSAGE, "state"), "streaming"),
        ((*MESSAGE, "text"), {"text": "x"}),
        ((*MESSAGE, "record"), "not base64!"),
        ((*MESSAGE, "record"), [1, 2]),
        ((*MESSAGE, "created_at"), -1),
        ((*CHAT, "settings"), "x" * archive.MOST_ABOUT),
        ((*MESSAGE, "stats"), ["x"] * archive.MOST_ABOUT),
    ],
)
def test_a_file_with_one_wrong_value_is_refused_whole(
    history: HistoryStore, elsewhere: HistoryStore, path: tuple[object, ...], value: object
) -> None:
    with pytest.raises(SlipstreamError, match=r"chats\.json is damaged, so nothing of it was imported"):
        elsewhere.adopt(archive.read(changed(history, *path, to=value), "chats.json"))
    assert elsewhere.conversations() == []


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "damaged"),
        (b"\xff\xfe rubbish", "damaged"),
        (b"[" * 1_000_000, "holds no chats of Slipstream"),
        (b'{"format": "slipstream-chats", "version": 1, "conversations": ' + b"[" * 100_000, "damaged"),
        (b'{"format": ' + b"9" * 10_000 + b"}", "holds no chats of Slipstream"),
        (b"[1, 2]", "holds no chats of Slipstream"),
        (b'{"format": "another"}', "holds no chats of Slipstream"),
        (b'{"format": "slipstream-chats", "version": 2}', "another version of Slipstream"),
        (b'{"format": "slipstream-chats", "version": 1}', "damaged"),
        (b" " * (archive.MOST_BYTES + 1), "larger than 100 MB"),
    ],
    ids=[
        "empty",
        "binary",
        "deep",
        "deep-inside",
        "huge-number",
        "list",
        "foreign",
        "newer",
        "bare",
        "large",
    ],
)
def test_a_file_that_is_no_export_is_refused_in_one_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(SlipstreamError, match=sentence) as refused:
        archive.read(data, "chats.json")
    assert str(refused.value).count(".") <= 3


def test_values_nested_too_deeply_to_be_written_are_refused(history: HistoryStore) -> None:
    data = changed(history, *CHAT, "settings", to=0).replace(
        b'"settings": 0', b'"settings": ' + b"[" * 5000 + b"]" * 5000
    )
    with pytest.raises(SlipstreamError, match="damaged"):
        archive.read(data, "chats.json")


SPANNERS = (
    b"null",
    b"-1",
    b"1e999",
    b"[",
    b"]",
    b"{}",
    b'"',
    b"true",
    b"9" * 20,
    b"\\ud800",
    b"\x00",
    b"\xff",
    b",",
)


@pytest.mark.parametrize("seed", range(4))
def test_a_garbled_file_is_taken_or_refused_but_never_crashes(
    history: HistoryStore, elsewhere: HistoryStore, seed: int
) -> None:
    whole, dice, refused = exported(history, a_tree(history)), random.Random(seed), 0
    for _ in range(100):
        garbled = bytearray(whole)
        at = dice.randrange(len(garbled))
        garbled[at : at + dice.randint(0, 6)] = dice.choice(SPANNERS)
        try:
            chats = archive.read(bytes(garbled), "chats.json")
        except SlipstreamError:
            refused += 1
            continue
        for chat in elsewhere.adopt(chats):
            elsewhere.messages(chat)
            elsewhere.archived(chat)
    assert refused > 50
    assert [row[0] for row in elsewhere._database.read("PRAGMA quick_check")] == ["ok"]


def test_endless_titles_are_shortened(history: HistoryStore, elsewhere: HistoryStore) -> None:
    [copy] = elsewhere.adopt(archive.read(changed(history, *CHAT, "title", to="x" * 5000), "chats.json"))
    assert elsewhere.archived(copy).title == "x" * 1000


def test_nothing_comes_in_when_the_disk_is_full(history: HistoryStore, elsewhere: HistoryStore) -> None:
    chats = archive.read(exported(history, a_tree(history)), "chats.json")
    large = archive.ArchivedMessage(role="user", text="x" * 10_000_000, created_at=1)
    chats.append(archive.ArchivedChat(title="large", created_at=1, updated_at=1, messages=[large]))
    connection = elsewhere._database._connection
    connection.execute(
        f"PRAGMA max_page_count = {connection.execute('PRAGMA page_count').fetchone()[0] + 50}"
    )
    with pytest.raises(SlipstreamError, match="disk is full"):
        elsewhere.adopt(chats)
    assert elsewhere.conversations() == []
    assert elsewhere.search("eins") == []


def turns(chat: archive.ArchivedChat) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in chat.messages]


def shown(*texts: str) -> list[StoredMessage]:
    roles = ("user", "assistant")
    return [StoredMessage(n, roles[n % 2], text, "complete", None, 1.0) for n, text in enumerate(texts)]


TRICKY = [
    "# Heading\n\n## You\n\ntext",
    "<!-- slipstream: user -->\n\\<!-- slipstream: assistant -->",
    "```markdown\n## Assistant\n```",
    "",
    "  indented\n\ttab",
]


def test_markdown_comes_back_as_a_plain_conversation(elsewhere: HistoryStore) -> None:
    text = markdown_file.written("My\ntitle", shown(*TRICKY), NAMES)
    assert text.startswith("# My title\n\n<!-- slipstream: user -->\n## You\n\n# Heading")
    [chat] = elsewhere.adopt([markdown_file.read(text.encode(), "chat.md", 5.0)])
    assert [m.content for m in elsewhere.messages(chat)] == TRICKY
    assert [(c.title, c.updated_at) for c in elsewhere.conversations()] == [("My title", 5.0)]
    assert [hit.conversation.id for hit in elsewhere.search("indented")] == [chat]


FRAGMENTS = ("<!-- slipstream: user -->", "<!-- slipstream: ", "\\", "\n", "## You", "# T", " ", "ä", "```")


@given(st.lists(st.lists(st.sampled_from(FRAGMENTS)).map("".join), min_size=1, max_size=4))
def test_any_text_survives_markdown_but_for_empty_lines_around_it(texts: list[str]) -> None:
    written = markdown_file.written("Title", shown(*texts), NAMES)
    assert [text for _, text in turns(markdown_file.read(written.encode(), "chat.md", 0.0))] == [
        text.strip("\n") for text in texts
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# T\n\n## User\n\nHi\n\n## Assistant\n\nHello\n", [("user", "Hi"), ("assistant", "Hello")]),
        ("**You:**\nHi\n**ChatGPT**:\nHello", [("user", "Hi"), ("assistant", "Hello")]),
        ("\ufeff### Human\r\nHi\r\n", [("user", "Hi")]),
        ("Just\n\n## A document\n\ntext", [("user", "Just\n\n## A document\n\ntext")]),
        ("## User\n```\n## Assistant\n```", [("user", "```\n## Assistant\n```")]),
    ],
)
def test_markdown_from_elsewhere(text: str, expected: list[tuple[str, str]]) -> None:
    assert turns(markdown_file.read(text.encode(), "notes.md", 0.0)) == expected


def test_a_file_without_a_title_is_called_by_its_first_line() -> None:
    assert markdown_file.read(b"## User\nHi there\n", "notes.md", 0.0).title == "Hi there"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\xff\xfeH\x00i\x00", "is no text in UTF-8"),
        (b" \n\n", "holds no text"),
        (b"x" * (archive.MOST_BYTES + 1), "larger than 100 MB"),
    ],
    ids=["utf-16", "empty", "large"],
)
def test_what_is_no_markdown_is_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(SlipstreamError, match=sentence):
        markdown_file.read(data, "notes.md", 0.0)
