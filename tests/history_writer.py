"""The program that test_history_kill.py kills: it chats with itself for ever and says what must survive.

A line is `user N` once message N is stored, and `flushed N CHARS` once so much of answer N is. N counts the
turns of all runs on the same file.
"""

import itertools
import sys
from pathlib import Path

from app.history.store import HistoryStore

FLUSHES = 4
WORDS_PER_FLUSH = 40


def question(turn: int) -> str:
    return f"Question {turn}: " + "why? " * (turn % 50)


def answer(turn: int) -> str:
    """All that the model would have said in this turn."""
    return " ".join(f"word{turn}.{n}" for n in range(FLUSHES * WORDS_PER_FLUSH))


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def stream(history: HistoryStore, turn: int, message: int) -> None:
    pieces = answer(turn).split(" ")
    written = 0
    for number, piece in enumerate(pieces):
        text = piece if number == 0 else f" {piece}"
        history.append(message, text)
        written += len(text)
        if number % WORDS_PER_FLUSH == WORDS_PER_FLUSH - 1:
            history.flush()
            say("flushed", turn, written)
    history.finish(message, "complete", {"tokens": len(pieces)})


def main(path: Path) -> None:
    history = HistoryStore(path)
    chat = next((c.id for c in history.conversations()), None) or history.create("Chat", "starter")
    first = sum(message.role == "user" for message in history.messages(chat))
    for turn in itertools.count(first):
        history.add_user(chat, question(turn))
        say("user", turn)
        stream(history, turn, history.start_assistant(chat))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
