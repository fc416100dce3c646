"""The program that is killed by history_kill.py: it chats with itself for ever and says what must survive.

`python -m tests.history_writer PATH` writes as fast as it can; with a second argument, `live`, as the window does:
tokens come at 100 a second, and the window's own recorder writes them. A line is

    user N             message N is stored
    flushed N CHARS    so much of answer N is stored (not when live)
    token N CHARS T    so much of answer N had come at the time T (only when live; the system's monotonic clock)

where N counts the turns of all runs on the same file.
"""

import itertools
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from app.history.store import HistoryStore

FLUSHES = 4
WORDS_PER_FLUSH = 40
TOKEN_MS = 10


def question(turn: int) -> str:
    return f"Question {turn}: " + "why? " * (turn % 50)


def answer(turn: int) -> str:
    """All that the model would have said in this turn."""
    return " ".join(f"word{turn}.{n}" for n in range(FLUSHES * WORDS_PER_FLUSH))


def pieces_of(turn: int) -> list[str]:
    first, *rest = answer(turn).split(" ")
    return [first, *(f" {word}" for word in rest)]


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def stream(history: HistoryStore, turn: int, message: int) -> None:
    written = 0
    for number, piece in enumerate(pieces_of(turn)):
        history.append(message, piece)
        written += len(piece)
        if number % WORDS_PER_FLUSH == WORDS_PER_FLUSH - 1:
            history.flush()
            say("flushed", turn, written)
    history.finish(message, "complete", {"tokens": number + 1})


def chat_of(history: HistoryStore) -> tuple[int, int]:
    """The only conversation, and the number of its next turn."""
    chat = next((c.id for c in history.conversations()), None) or history.create("Chat", "starter")
    return chat, sum(message.role == "user" for message in history.messages(chat))


def write_fast(history: HistoryStore) -> None:
    chat, first = chat_of(history)
    for turn in itertools.count(first):
        history.add_user(chat, question(turn))
        say("user", turn)
        stream(history, turn, history.start_assistant(chat))


def write_live(history: HistoryStore) -> None:
    from PySide6.QtCore import QCoreApplication, QTimer

    from app.chat.recorder import Recorder

    app = QCoreApplication([])
    recorder = Recorder(history)
    chat, first = chat_of(history)

    def tokens() -> Iterator[None]:
        for turn in itertools.count(first):
            history.add_user(chat, question(turn))
            say("user", turn)
            recorder.begin(chat)
            written = 0
            for piece in pieces_of(turn):
                recorder.append(piece)
                written += len(piece)
                say("token", turn, written, time.monotonic())
                yield
            recorder.end("complete", {})

    timer, coming = QTimer(), tokens()
    timer.timeout.connect(lambda: next(coming))
    timer.start(TOKEN_MS)
    app.exec()


if __name__ == "__main__":
    (write_live if "live" in sys.argv[2:] else write_fast)(HistoryStore(Path(sys.argv[1])))
