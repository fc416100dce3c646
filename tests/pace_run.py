# ruff: noqa: T201
"""What a useless draft costs with real models, and how soon a useful one is used again.

    python tests/pace_run.py PROMPTS.jsonl [--pair coder-0.5b] [--prompts 6] [--home DIR]

Run from the repository's root; prompts as for exactness_run.py. Each is answered four times, 200 tokens, greedy:
plain; by a draft model whose guesses are replaced by random tokens, at the price of the real ones; plain again; and by
one that is random for 80 tokens and itself from then on. Printed: speed of the second against the mean of the plain
ones (by all answers together), and the tokens that the last takes from the turn to the first draft of two tokens or
more. Not collected by pytest: it takes some minutes.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from engine.drafters.draft_model import DraftModelDrafter
from engine.drafters.protocol import Worth
from engine.engine import Engine
from engine.events import Delta, Finished
from engine.models.store import ModelStore
from engine.request import Message, Request, Speculation

TOKENS, TURN = 200, 80


class Moody(DraftModelDrafter):
    """Guesses at random for the first `hostile` tokens of an answer."""

    hostile = 0
    _vocabulary = 1000
    _random = np.random.default_rng(0)

    def reset(self, tokens: list[int]) -> None:
        super().reset(tokens)
        self._start = len(tokens)

    def propose(self, k: int, worth: Worth | None = None) -> list[int]:
        guesses = super().propose(k, worth)
        if len(self._tokens) - self._start >= self.hostile:
            return guesses
        return self._random.integers(0, self._vocabulary, len(guesses)).tolist()

    def hindsight(self) -> tuple[int, int]:
        judged, right = super().hindsight()
        hostile = len(self._tokens) - self._start < self.hostile
        return judged, 0 if hostile else right


def answer(engine: Engine, prompt: str, speculation: Speculation) -> list[Delta | Finished]:
    request = Request(
        [Message("user", prompt)], max_tokens=TOKENS, speculation=speculation, baseline=False, stop=()
    )
    return [event for event in engine.generate(request) if isinstance(event, Delta | Finished)]


def seconds_a_token(events: list[Delta | Finished]) -> float:
    stats = events[-1].stats
    return stats.decode_s / stats.tokens


def tokens_until_back(events: list[Delta | Finished]) -> int | None:
    """From the turn to the first pass that drafts two tokens; None if it never does."""
    seen = 0
    for event in events[:-1]:
        if seen >= TURN and len(event.drafted) >= 2:
            return seen - TURN
        seen += len(event.tokens)
    return None


def prompts(path: Path, count: int) -> Iterator[str]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    for index in range(count):
        yield rows[index * len(rows) // count]["turns"][0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--pair", default="coder-0.5b")
    parser.add_argument("--prompts", type=int, default=6)
    parser.add_argument("--home", type=Path)
    arguments = parser.parse_args()
    store = ModelStore(arguments.home)
    engine = Engine.load(store, store.pair(arguments.pair))
    engine._draft.__class__ = Moody  # the loaded draft model, with moods

    plain, hostile, back = [], [], []
    for prompt in prompts(arguments.file, arguments.prompts):
        before = seconds_a_token(answer(engine, prompt, Speculation.OFF))
        Moody.hostile = TOKENS
        hostile.append(seconds_a_token(answer(engine, prompt, Speculation.DRAFT)))
        plain.append((before + seconds_a_token(answer(engine, prompt, Speculation.OFF))) / 2)
        Moody.hostile = TURN
        back.append(tokens_until_back(answer(engine, prompt, Speculation.DRAFT)))
        print(f"plain / hostile {plain[-1] / hostile[-1]:.3f}, back after {back[-1]} tokens", flush=True)
    print(f"Random guesses: {sum(plain) / sum(hostile):.3f} of plain decoding's speed.")
    print(f"Back after {statistics.median(TOKENS if n is None else n for n in back):g} tokens (median).")


if __name__ == "__main__":
    main()
