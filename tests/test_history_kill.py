"""A process that writes chats is killed at any moment: whatever was stored is still there, and nothing is torn.

`SLIPSTREAM_KILLS=200 pytest tests/test_history_kill.py` kills more often.
"""

import contextlib
import os
import random
import sqlite3
import subprocess
import sys
from pathlib import Path

from app.history.store import HistoryStore, StoredMessage
from tests.history_writer import answer, question

ROOT = Path(__file__).parent.parent
KILLS = int(os.environ.get("SLIPSTREAM_KILLS", "25"))
LINES = 60  # a victim dies after at most so many lines of progress


def promises_of_a_victim(path: Path, lines: int) -> list[list[str]]:
    """Runs the writer, kills it when it has said `lines` lines, and returns all that it said."""
    victim = subprocess.Popen(
        [sys.executable, "-m", "tests.history_writer", str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert victim.stdout is not None
    with victim, victim.stdout as told:
        said = [told.readline() for _ in range(lines)]
        victim.kill()
        said.extend(told)
    assert victim.returncode < 0
    return [line.split() for line in said if line.endswith("\n")]


def by_turn(messages: list[StoredMessage]) -> tuple[list[str], dict[int, StoredMessage]]:
    """The user's messages, and the answers that a kill did not come before."""
    users: list[str] = []
    answers: dict[int, StoredMessage] = {}
    for message in messages:
        if message.role == "user":
            users.append(message.content)
        else:
            answers[len(users) - 1] = message
    return users, answers


def check_against(promises: list[list[str]], messages: list[StoredMessage]) -> None:
    users, answers = by_turn(messages)
    assert users == [question(turn) for turn in range(len(users))]
    for turn, stored in answers.items():
        assert answer(turn).startswith(stored.content)
        assert stored.state in ("complete", "interrupted")
        assert stored.state == "interrupted" or stored.content == answer(turn)
    for what, turn, *length in promises:
        if what == "user":
            assert int(turn) < len(users)
        else:
            assert len(answers[int(turn)].content) >= int(length[0])


def test_no_kill_loses_or_tears_what_was_stored(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    moments = random.Random(20)
    interrupted = turns = 0
    for _ in range(KILLS):
        promises = promises_of_a_victim(path, moments.randint(1, LINES))
        with contextlib.closing(sqlite3.connect(path)) as raw:
            assert raw.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        with contextlib.closing(HistoryStore(path)) as history:
            [chat] = history.conversations()
            messages = history.messages(chat.id)
            assert history.notice is None
        check_against(promises, messages)
        turns = sum(message.role == "user" for message in messages)
        interrupted = sum(message.state == "interrupted" for message in messages)
    assert turns > KILLS
    assert interrupted > KILLS // 4  # the kills did meet answers that were coming
