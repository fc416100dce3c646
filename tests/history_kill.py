"""Kills a process that writes chats, and looks at what it leaves: nothing that was stored may be lost or torn.

`python -m tests.history_kill 200` kills 200 times at random moments while the window's recorder writes an answer,
and says how many messages and how much of an answer were lost at most. test_history_kill.py kills a dozen.
"""

import contextlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from app.history.store import HistoryStore, StoredMessage
from tests.history_writer import answer, question

ROOT = Path(__file__).parent.parent
LIVES_S = (0.05, 2.5)  # from the writer's first word to its end


@dataclass
class Toll:
    """What all the kills came to."""

    kills: int = 0
    interrupted: int = 0
    turns: int = 0
    lost_s: list[float] = field(default_factory=list)  # of each answer that was coming
    lost_tokens: list[int] = field(default_factory=list)


def start(path: Path, *mode: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.history_writer", str(path), *mode]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def killed_after_lines(path: Path, lines: int) -> list[list[str]]:
    """What a fast writer said until it was killed, after so many lines of progress."""
    victim = start(path)
    assert victim.stdout is not None
    with victim, victim.stdout as told:
        said = [told.readline() for _ in range(lines)]
        victim.kill()
        said.extend(told)
    assert victim.returncode < 0
    return whole_lines(said)


def killed_after_seconds(path: Path, seconds: float) -> list[list[str]]:
    """What a live writer said until it was killed."""
    victim = start(path, "live")
    assert victim.stdout is not None
    with victim, victim.stdout as told:
        said = [told.readline()]
        time.sleep(seconds)
        victim.kill()
        said.extend(told)
    assert victim.returncode < 0
    return whole_lines(said)


def whole_lines(said: list[str]) -> list[list[str]]:
    return [line.split() for line in said if line.endswith("\n")]


def what_is_left(path: Path) -> list[StoredMessage]:
    with contextlib.closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA quick_check").fetchall() == [("ok",)]
    with contextlib.closing(HistoryStore(path)) as history:
        chats = history.conversations()
        assert history.notice is None
        return history.messages(chats[0].id) if chats else []


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


def check(promises: list[list[str]], messages: list[StoredMessage]) -> None:
    """Every message that was stored is there, every answer is a beginning of what was said, and as long as promised."""
    users, answers = by_turn(messages)
    assert users == [question(turn) for turn in range(len(users))]
    for turn, stored in answers.items():
        assert answer(turn).startswith(stored.content)
        assert stored.state in ("complete", "interrupted")
        assert stored.state == "interrupted" or stored.content == answer(turn)
    for what, turn, *length in promises:
        if what == "user":
            assert int(turn) < len(users)
        elif what == "flushed":
            assert len(answers[int(turn)].content) >= int(length[0])


def lost_of(promises: list[list[str]], messages: list[StoredMessage]) -> tuple[int, float]:
    """How many tokens that had come aren't stored, and the seconds from the first of them to the last."""
    _, answers = by_turn(messages)
    lost = [
        float(rest[1])
        for what, turn, *rest in promises
        if what == "token" and len(stored_text(answers, int(turn))) < int(rest[0])
    ]
    return len(lost), lost[-1] - lost[0] if lost else 0.0


def stored_text(answers: dict[int, StoredMessage], turn: int) -> str:
    return answers[turn].content if turn in answers else ""


def kill_many(path: Path, kills: int, seed: int) -> Toll:
    moments, toll = random.Random(seed), Toll(kills)
    for _ in range(kills):
        promises = killed_after_seconds(path, moments.uniform(*LIVES_S))
        messages = what_is_left(path)
        check(promises, messages)
        tokens, seconds = lost_of(promises, messages)
        toll.lost_tokens.append(tokens)
        toll.lost_s.append(seconds)
    toll.interrupted = sum(message.state == "interrupted" for message in messages)
    toll.turns = sum(message.role == "user" for message in messages)
    return toll


def main() -> None:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder:
        toll = kill_many(Path(folder) / "history.sqlite3", kills, seed=kills)
    seconds, tokens = sorted(toll.lost_s), sorted(toll.lost_tokens)
    sys.stdout.write(
        f"{toll.kills} kills, {toll.turns} messages and {toll.interrupted} interrupted answers, none lost or torn; "
        f"of the answer that was coming: median {seconds[len(seconds) // 2]:.2f} s and {tokens[len(tokens) // 2]} "
        f"tokens lost, most {seconds[-3:]} s and {tokens[-3:]} tokens\n"
    )


if __name__ == "__main__":
    main()
