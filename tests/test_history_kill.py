"""A process that writes chats is killed at any moment: whatever was stored is still there, and nothing is torn.

`SLIPSTREAM_KILLS=200 pytest tests/test_history_kill.py` kills more often.
"""

import os
import random
import shutil
import signal
import sys
from pathlib import Path

import pytest

from tests.history_kill import check, kill_many, killed_after_lines, start, what_is_left

KILLS = int(os.environ.get("SLIPSTREAM_KILLS", "12"))
LINES = 60  # a victim dies after at most so many lines of progress


def test_no_kill_loses_or_tears_what_was_stored(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    moments = random.Random(20)
    for _ in range(KILLS):
        promises = killed_after_lines(path, moments.randint(1, LINES))
        messages = what_is_left(path)
        check(promises, messages)
    assert sum(message.role == "user" for message in messages) > KILLS
    # the kills did meet answers that were coming
    assert sum(message.state == "interrupted" for message in messages) > KILLS // 4


def test_an_answer_that_the_window_records_survives_a_kill(tmp_path: Path) -> None:
    toll = kill_many(tmp_path / "history.sqlite3", 2, seed=1)
    assert toll.turns >= 1
    assert len(toll.lost_s) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="a program can't be halted there")
def test_what_a_power_cut_leaves_can_be_opened(tmp_path: Path) -> None:
    """GIVEN a writer WHEN its files are copied in the middle of its work THEN each copy holds all that was stored,
    and one whose log was cut off anywhere holds a beginning of it."""
    path, cuts = tmp_path / "history.sqlite3", random.Random(21)
    victim = start(path)
    assert victim.stdout is not None
    with victim, victim.stdout as told:
        promises: list[list[str]] = []
        for number in range(KILLS):
            promises += [told.readline().split() for _ in range(cuts.randint(1, LINES))]
            whole, cut = (
                copy_of(victim.pid, path, tmp_path / f"{number}-{what}") for what in ("whole", "cut")
            )
            safe = [without_index(copy) for copy in (whole, cut)][1]
            check(promises, what_is_left(whole))
            log = cut.with_name(f"{cut.name}-wal")
            os.truncate(log, cuts.randint(safe, log.stat().st_size))
            check([], what_is_left(cut))
        victim.kill()


def copy_of(process: int, path: Path, folder: Path) -> Path:
    """Of a database and its log, at one moment."""
    folder.mkdir()
    os.kill(process, signal.SIGSTOP)
    os.waitid(os.P_PID, process, os.WSTOPPED)
    for suffix in ("", "-wal", "-shm"):
        shutil.copyfile(f"{path}{suffix}", f"{folder / path.name}{suffix}")
    os.kill(process, signal.SIGCONT)
    return folder / path.name


def without_index(path: Path) -> int:
    """A power cut takes the index beside the log. Returns how many bytes of the log it can't take: SQLite brings those
    to the disk before it copies any of them into the database, and the index counts them (the file format's chapter
    on the WAL-index: nBackfillAttempted)."""
    log, index = (path.with_name(f"{path.name}-{what}") for what in ("wal", "shm"))
    page = int.from_bytes(log.read_bytes()[8:12], "big")
    frames = int.from_bytes(index.read_bytes()[128:132], sys.byteorder)
    index.unlink()
    return min(log.stat().st_size, frames and 32 + frames * (24 + page))
